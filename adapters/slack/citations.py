"""Slack's own citations of sources, the same without them, and the workspaces that take none.

docs.slack.dev/reference/block-kit/block-elements/citation-element. The SDK's models lose them, so they are plain JSON.
"""

import logging
import re
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from adapters.slack import rich_text
from adapters.slack.rich_text import Json
from core.reply import Evidence, mark

# The address stands in the citation and in the title's link, and both count; longer ones are links alone.
ADDRESS_CHARS = 1_000
# On the card that opens from a citation; the whole title and quote stand beside it.
TITLE_CHARS, SNIPPET_CHARS = 150, 200
# Seconds for which a workspace that took no citations is believed to take none: sources are links there meanwhile.
BELIEVED = 6 * 3600.0

_HOST = re.compile(r"[\w.-]{1,253}")
# Whether Slack reads markup on the card is not documented: nothing on it can be any.
_DEAD = str.maketrans("<>", "‹›")
_SLACK = "slack.com"

_log = logging.getLogger("footnote")


class Citations:
    """Which workspaces take citations: all but those that lately took the same message only without them.

    `elapsed` gives seconds on a clock that never goes back.
    """

    def __init__(self, elapsed: Callable[[], float]) -> None:
        self._elapsed = elapsed
        self._until: dict[str, float] = {}

    def are_taken_in(self, workspace: str) -> bool:
        """Return whether the workspace is to be sent citations."""
        until = self._until.get(workspace)
        if until is not None and self._elapsed() < until:
            return False
        self._until.pop(workspace, None)
        return True

    def were_refused_in(self, workspace: str) -> None:
        """Send the workspace none for a while."""
        hours = BELIEVED / 3600
        _log.info("Slack: workspace %s takes no citations: sources are links there for %g hours", workspace, hours)
        self._until[workspace] = self._elapsed() + BELIEVED


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


def uncited(blocks: Sequence[Json]) -> list[Json]:
    """Return the blocks with the bare number in place of each citation: its link stands beside it."""
    return [_uncited(block) for block in blocks]


def _uncited(value: Any) -> Any:
    match value:
        case {"type": "citation", "text": str(number)}:
            return {"type": "text", "text": number}
        case dict():
            return {name: _uncited(part) for name, part in value.items()}
        case list():
            return [_uncited(part) for part in value]
        case _:
            return value


def _host(address: str | None) -> str | None:
    """Return the name of the address's host, None when it is not fit for a citation."""
    if address is None or len(address) > ADDRESS_CHARS or not rich_text.is_link(address):
        return None
    host = urlsplit(address).hostname or ""
    return host if _HOST.fullmatch(host) else None


def _short(said: str, most: int) -> str:
    words = " ".join(said.split()).translate(_DEAD)
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"
