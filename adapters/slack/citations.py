"""Slack's own citations of sources.

docs.slack.dev/reference/block-kit/block-elements/citation-element. The SDK's models lose them, so they are plain JSON.
"""

import re
from urllib.parse import urlsplit

from adapters.slack import rich_text
from adapters.slack.rich_text import Json
from core.reply import Evidence, mark

# The address stands in the citation and in the title's link, and both count; longer ones are links alone.
ADDRESS_CHARS = 1_000
# On the card that opens from a citation; the whole title and quote stand beside it.
TITLE_CHARS, SNIPPET_CHARS = 150, 200

_HOST = re.compile(r"[\w.-]{1,253}")
# Whether Slack reads markup on the card is not documented: nothing on it can be any.
_DEAD = str.maketrans("<>", "‹›")
_SLACK = "slack.com"


def numbered(entry: Evidence) -> list[Json]:
    """Return the entry's number as a citation of its source; as text, where Slack would not take one.

    What Slack draws of it, the number alone or with words, is not documented: title, place, date and quote are left to
    ordinary elements beside it, so that they are seen whatever it draws.
    """
    host = _host(entry.link)
    if host is None:
        return rich_text.text(f"{mark(entry.number)} ")
    card = {
        "display_name": host,
        "title": _short(entry.title, TITLE_CHARS),
        "snippet": _short(entry.quote, SNIPPET_CHARS),
    }
    citation = {
        "type": "citation",
        "url": entry.link,
        "text": mark(entry.number),
        "index": entry.number,
        "details": {"citation_type": "web", **{name: said for name, said in card.items() if said}},
        # It was proven, not written by a model.
        "from_llm": False,
        "is_slack_url": f".{host}".endswith(f".{_SLACK}"),
    }
    return [citation, *rich_text.text(" ")]


def _host(address: str | None) -> str | None:
    """Return the name of the address's host, None when it is not fit for a citation."""
    if address is None or len(address) > ADDRESS_CHARS or not rich_text.is_link(address):
        return None
    host = urlsplit(address).hostname or ""
    return host if _HOST.fullmatch(host) else None


def _short(said: str, most: int) -> str:
    words = " ".join(said.split()).translate(_DEAD)
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"
