"""Raised, lowered and struck-out words in Markdown, before their marks are lost."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from html import unescape

from markdown_it.token import Token

from core.ingest.raised import label_of, lowered, raised

_STRUCK, _MOVED = ("s", "del", "strike"), ("sup", "sub")
_OPENS = re.compile(r"<(sup|sub|s|del|strike)(?:\s[^<>]*)?>", re.IGNORECASE)
_CLOSES = re.compile(r"</(sup|sub|s|del|strike)\s*>", re.IGNORECASE)
_EITHER = re.compile(f"{_OPENS.pattern}|{_CLOSES.pattern}", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_INLINE_TAG = re.compile(r"</?(?:a|b|i|em|strong|span|code|u|small|mark|font)\b[^<>]*>", re.IGNORECASE)
_TO_A_NOTE = re.compile(r"<a\s[^<>]*\bhref\s*=\s*[\"']?#", re.IGNORECASE)
_NOTE = re.compile(r"(?:^|<(?:p|li|td|div|br)\b[^<>]{0,200}>)\s*<sup>([^<>]{1,9})</sup>", re.IGNORECASE | re.MULTILINE)
# Characters around a mark that tell what it is.
_NEAR = 80


def settled(tokens: list[Token]) -> list[Token]:
    """Return the tokens without what is struck out, raised and lowered digits as `raised` and `lowered` write them."""
    notes = frozenset(label for token in tokens for label in _labels(token)) - {""}
    for token in tokens:
        if token.type == "html_block" and _OPENS.search(token.content):
            token.content = _block(token.content, notes)
        elif token.children and any(map(_is_mark, token.children)):
            token.children = list(_moved(_kept(token.children), notes))
    return tokens


def _is_mark(token: Token) -> bool:
    return token.type == "s_open" or (token.type == "html_inline" and _OPENS.fullmatch(token.content) is not None)


def _labels(token: Token) -> Iterator[str]:
    """Yield the labels of the notes in the token, told by the raised mark at the beginning of each."""
    if token.type == "html_block":
        yield from (label_of(found[1]) for found in _NOTE.finditer(token.content))
    match [child for child in (token.children or ())[:4] if child.content]:
        case [opens, text, *_] if opens.type == "html_inline" and opens.content.lower() == "<sup>":
            yield label_of(text.content)


def _kept(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens that are not struck out; a mark that nothing ends strikes out nothing."""
    ends = _ends(tokens)
    kept: list[Token] = []
    place = 0
    while place < len(tokens):
        name = _opened(tokens[place])
        end = _end(ends, name, place) if name in _STRUCK else None
        if end is None:
            kept.append(tokens[place])
        place = place + 1 if end is None else end + 1
    return kept


def _moved(tokens: Sequence[Token], notes: AbstractSet[str]) -> Iterator[Token]:
    ends = _ends(tokens)
    before = ""
    place = 0
    while place < len(tokens):
        token = tokens[place]
        name = _opened(token)
        end = _end(ends, name, place) if name in _MOVED else None
        if end is not None:
            inside = tokens[place + 1 : end]
            token = Token("text", "", 0)
            token.content = _shown(name, _text(inside), before, _text(tokens[end + 1 : end + 9]), notes)
            if any(str(one.attrGet("href") or "").startswith("#") for one in inside):
                token.content = ""
            place = end
        before = (before + _text([token]))[-_NEAR:]
        yield token
        place += 1


def _shown(name: str, mark: str, before: str, after: str, notes: AbstractSet[str]) -> str:
    if name == "sub":
        return lowered(mark, before)
    if not before.strip() and label_of(mark) in notes:
        return ""
    return raised(mark, before, after, notes)


def _opened(token: Token) -> str:
    if token.type == "s_open":
        return "s"
    found = _OPENS.fullmatch(token.content) if token.type == "html_inline" else None
    return found[1].lower() if found else ""


def _ends(tokens: Sequence[Token]) -> Mapping[str, list[int]]:
    ends: dict[str, list[int]] = {}
    for place, token in enumerate(tokens):
        found = _CLOSES.fullmatch(token.content) if token.type == "html_inline" else None
        if found or token.type == "s_close":
            ends.setdefault(found[1].lower() if found else "s", []).append(place)
    return ends


def _end(ends: Mapping[str, list[int]], name: str, place: int) -> int | None:
    known = ends.get(name, [])
    after = bisect_right(known, place)
    return known[after] if after < len(known) else None


def _text(tokens: Sequence[Token]) -> str:
    return "".join(" " if token.type.endswith("break") else _words(token) for token in tokens)


def _words(token: Token) -> str:
    return token.content if token.type in ("text", "code_inline") else ""


def _block(html: str, notes: AbstractSet[str]) -> str:
    """Return a block of raw HTML as `settled` does its tokens."""
    parts: list[str] = []
    place = 0
    opened: re.Match[str] | None = None
    for tag in _EITHER.finditer(html):
        if tag[1]:
            opened = opened if opened and opened[1].lower() in _STRUCK else tag
        elif opened and tag[2].lower() == opened[1].lower():
            name, mark = opened[1].lower(), html[opened.end() : tag.start()]
            parts.append(html[place : opened.start()])
            if name in _MOVED and not _TO_A_NOTE.search(mark):
                before = _plain("".join(parts[-3:])[-_NEAR:], last=True)
                after = _plain(html[tag.end() : tag.end() + _NEAR])
                parts.append(_shown(name, _plain(mark), before, after, notes))
            place, opened = tag.end(), None
    return "".join((*parts, html[place:]))


def _plain(html: str, *, last: bool = False) -> str:
    """Return the text of one line of HTML: the first, or the last."""
    return unescape(_TAG.split(_INLINE_TAG.sub("", html))[-1 if last else 0])
