"""Slack's rich text: elements, and the parts that they make up.

Text in these elements is literal: nothing in it becomes a mention, a link or a format.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from adapters.slack.splitting import pieces
from core.reply import Line, Note, Text, words_of

Json = dict[str, Any]
T = TypeVar("T")

# docs.slack.dev/reference/block-kit/blocks/rich-text-block: the longest address of a link.
LINK_CHARS = 3_000
_STYLES: dict[str, Json] = {"plain": {}, "strong": {"bold": True}, "code": {"code": True}, "quiet": {"italic": True}}
# What is read or counted of an element; the last three are on the card of a citation.
_WRITTEN = ("text", "url", "display_name", "title", "snippet")
_JOINED = ("rich_text_list", "rich_text_preformatted")
# A person or a channel, as both are named everywhere; Slack draws no direct channel.
_NAMED = re.compile(r"slack:[TE][A-Z0-9]+:(?:(?P<user>[UW][A-Z0-9]+)|(?P<channel>[CG][A-Z0-9]+))")
# What an element weighs that has no words of its own: a name is drawn there.
_NAME_CHARS = 30
# In the plain text that stands for a part.
_PREFIXES = {"rich_text_quote": "> ", "rich_text_list": "• "}


def elements(line: Line) -> list[Json]:
    """Return the line as elements, footnote marks as superscript digits."""
    return [made for _, run in groupby(line, key=type) for made in _made(tuple(run))]


def text(said: str, *, bold: bool = False) -> list[Json]:
    """Return an element with these words, none for no words."""
    return _element(said, {"bold": True} if bold else {})


def titled(title: str, address: str | None) -> list[Json]:
    """Return the title in bold, as a link when the address is one that a browser opens."""
    bold = text(title, bold=True)
    return [{**part, "type": "link", "url": address} for part in bold] if is_link(address) else bold


def is_link(address: str | None) -> bool:
    """Return whether the address is a web address that Slack takes."""
    if not address or len(address) > LINK_CHARS or any(char.isspace() or not char.isprintable() for char in address):
        return False
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def section(parts: Sequence[Json]) -> Json:
    """Return running text."""
    return {"type": "rich_text_section", "elements": list(parts)}


def item(parts: Sequence[Json]) -> Json:
    """Return a bulleted list of one item; `merged` makes lists of such."""
    return {"type": "rich_text_list", "style": "bullet", "elements": [section(parts)]}


def quote(parts: Sequence[Json]) -> Json:
    """Return somebody else's words."""
    return {"type": "rich_text_quote", "elements": list(parts)}


def preformatted(said: str) -> Json:
    """Return text in a fixed-width font, line by line."""
    return {"type": "rich_text_preformatted", "elements": text(said)}


def merged(parts: Iterable[Json]) -> list[Json]:
    """Return the parts, neighbouring lists joined into one, and so fixed-width text."""
    found: list[Json] = []
    for part in parts:
        if found and part["type"] in _JOINED and part["type"] == found[-1]["type"]:
            found[-1] = {**part, "elements": [*found[-1]["elements"], *part["elements"]]}
        else:
            found.append(part)
    return found


def split(parts: Sequence[Json], limit: int) -> list[list[Json]]:
    """Return the elements in runs of at most `limit` characters; a longer element is cut."""
    runs: list[list[Json]] = [[]]
    room = limit
    for element in parts:
        if "text" not in element:
            runs[-1].append(element)
            room -= _NAME_CHARS
            continue
        for piece in pieces(element["text"], limit - len(element.get("url", ""))):
            cut = {**element, "text": piece}
            if runs[-1] and size(cut) > room:
                runs.append([])
                room = limit
            runs[-1].append(cut)
            room -= size(cut)
    return runs if runs[0] else []


def size(value: Any) -> int:
    """Return how many characters of text and addresses stand anywhere in the value."""
    match value:
        case list() | tuple():
            return sum(size(part) for part in value)
        case dict():
            return sum(
                len(part) if isinstance(part, str) and name in _WRITTEN else size(part) for name, part in value.items()
            )
        case _:
            return 0


def whole(value: T) -> T:
    """Return the value with a question mark for every half of a character, which no message can carry."""
    return cast("T", _whole(value))


def words(part: Json) -> str:
    """Return the part as plain text."""
    prefix = _PREFIXES.get(part["type"], "")
    return prefix + _words(part)


def _words(value: Any) -> str:
    if isinstance(value, list):
        return "".join(_words(part) for part in value)
    if "elements" in value:
        return _words(value["elements"])
    sign, name = ("@", "user_id") if "user_id" in value else ("#", "channel_id")
    return f"{sign}{value[name]}" if name in value else str(value.get("text", ""))


def _whole(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-8", "replace").decode()
        case list():
            return [_whole(part) for part in value]
        case tuple():
            return tuple(_whole(part) for part in value)
        case dict():
            return {name: _whole(part) for name, part in value.items()}
        case _:
            return value


def _made(run: Line) -> list[Json]:
    if isinstance(run[0], Note):
        return text(words_of(run))
    return [made for part in run if isinstance(part, Text) for made in _told(part)]


def _told(part: Text) -> list[Json]:
    """Return the words, or what they name as Slack draws it: a person, a channel, a link."""
    style = {"style": style} if (style := _STYLES[part.style]) else {}
    if found := _NAMED.fullmatch(part.about):
        kind = "user" if found["user"] else "channel"
        return [{"type": kind, f"{kind}_id": found["user"] or found["channel"], **style}]
    made = _element(part.text, _STYLES[part.style])
    return [{**one, "type": "link", "url": part.about} for one in made] if is_link(part.about) else made


def _element(said: str, style: Json) -> list[Json]:
    if not said:
        return []
    return [{"type": "text", "text": said, **({"style": style} if style else {})}]
