"""Raw HTML inside Markdown: what a reader sees of it, with its links."""

import re
from collections.abc import Iterator
from html import unescape

from core.facts import Link, Span
from core.ingest.linked import Linked, on_one_line

BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_UNSEEN = re.compile(r"<(script|style|template)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<[!?][^<>]*>")
_BORDER = re.compile(
    r"\n\s*\n|</?(?:p|div|li|ul|ol|tr|table|h[1-6]|summary|details|section|article|blockquote|dt|dd|hr)\b[^<>]*>",
    re.IGNORECASE,
)
_OPENS = re.compile(r"<a\s[^<>]*?\bhref\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)'|([^\s\"'<>]+))[^<>]*>", re.IGNORECASE)
_CLOSES = re.compile(r"</a\s*>", re.IGNORECASE)


def html_texts(html: str) -> Iterator[Linked]:
    """Yield the texts of a piece of HTML, one line for each of its blocks; some are empty.

    A link around several blocks is a link in each of them.
    """
    seen = BREAK.sub(" ", _UNSEEN.sub("", _COMMENT.sub("", html)))
    target: str | None = None
    for part in _BORDER.split(seen):
        read, target = _read(part, target)
        yield on_one_line(read)


def led_by(tag: str) -> str | None:
    """Return the address that an opening tag makes a link to, as it was written; None when the tag is no such one."""
    found = _OPENS.fullmatch(tag)
    return unescape(next(filter(None, found.groups()), "")).strip() if found else None


def ends_link(tag: str) -> bool:
    """Return whether the tag closes a link."""
    return bool(_CLOSES.fullmatch(tag))


def _read(part: str, target: str | None) -> tuple[Linked, str | None]:
    """Return what is seen of the part, and the link that is still open at its end; `target` is open before it."""
    texts: list[str] = []
    links: list[Link] = []
    length = start = place = 0
    for tag in (*_TAG.finditer(part), None):
        text = unescape(part[place : tag.start() if tag else None])
        texts.append(text)
        length += len(text)
        place = tag.end() if tag else len(part)
        opened = led_by(tag[0]) if tag else None
        if target and start < length and (tag is None or opened is not None or ends_link(tag[0])):
            links.append(Link(target, Span(start, length)))
        if tag and (opened is not None or ends_link(tag[0])):
            target, start = opened, length
    return Linked("".join(texts), tuple(links)), target
