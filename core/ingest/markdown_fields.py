"""Lines such as `**Lead:** Yuki Tanaka` one under the other: each says one thing about what the page is about."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from markdown_it.token import Token

from core.ingest.pieces import Piece

# A name that is no sentence, and words after the colon.
_NAMED = re.compile(r"[^\W\d_][^:.!?;|]{0,40}:\s+\S")

Line = Sequence[Token]


def field_lines(lines: Sequence[Line]) -> list[list[Token]]:
    """Return the lines of a paragraph that are fields, each with what runs on below it; nothing when they are none.

    Names in bold type begin a field wherever they begin a line; those in plain type only where every line has one: a
    line of running text may begin so by chance.
    """
    bold = [_is_bold(line) for line in lines]
    if bold[0] and sum(bold) > 1:
        starts = [place for place, begins in enumerate(bold) if begins]
        ends = (*starts[1:], len(lines))
        return [_on_one(lines[start:end]) for start, end in zip(starts, ends, strict=True)]
    plain = len(lines) > 1 and all(known or _is_plain(line) for known, line in zip(bold, lines, strict=True))
    return [list(line) for line in lines] if plain else []


def below_the_head(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the pieces; fields are the page's own only above its first section, and only when no name repeats.

    Elsewhere they are the items of a list: what several things are, one after the other.
    """
    headings = [place for place, piece in enumerate(pieces) if piece.kind == "heading"]
    sections = headings[1:] if headings and pieces[headings[0]].depth == 1 else headings
    end = sections[0] if sections else len(pieces)
    names = [piece.text.partition(":")[0].casefold() for piece in pieces[:end] if piece.kind == "field"]
    repeats = len(set(names)) < len(names)
    for place, piece in enumerate(pieces):
        listed = piece.kind == "field" and (place >= end or repeats or piece.depth > 0)
        yield replace(piece, kind="item") if listed else piece


def _on_one(lines: Sequence[Line]) -> list[Token]:
    first, *rest = lines
    space = Token("softbreak", "", 0)
    return [*first, *(token for line in rest for token in (space, *line))]


def _is_bold(line: Line) -> bool:
    """Return whether the line begins with bold words and a colon, and goes on."""
    spoken = [token for token in line if token.type != "text" or token.content]
    end = next((place for place, token in enumerate(spoken) if token.type == "strong_close"), 0)
    if not end or spoken[0].type != "strong_open":
        return False
    name = "".join(token.content for token in spoken[:end]).rstrip()
    after = "".join(token.content for token in spoken[end + 1 :])
    value = after.removeprefix(":") if not name.endswith(":") else after
    return (name.endswith(":") or after.startswith(":")) and bool(value.strip())


def _is_plain(line: Line) -> bool:
    return bool(_NAMED.match("".join(token.content for token in line if token.type != "html_inline")))
