"""Plain text to pieces: underlined, capital and numbered headings, header lines, lists and wrapped paragraphs."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.ingest.pieces import Piece, one_line
from core.ingest.series import number_series
from core.ingest.text_tables import are_records, begins_table, runs_of
from core.text import clean

# A title is short and does not end like a sentence.
TITLE_LENGTH, TITLE_WORDS = 90, 12
# Letters: beside numbers a shorter word is a part of a code, as in "HC 2207".
_SHORTEST_WORD = 3

BULLET = re.compile(r"^(\s*)(?:[-*•▪◦●‣·–]|\d{1,3}[.)])\s+(?=\S)")
# Begins anew wherever it stands: "2.1. Payment is due within 5 days."
CLAUSE = re.compile(r"^(\s*)\d{1,2}(?:\.\d{1,2}){1,3}[.)]?\s+(?=[«\"“(]?[A-ZА-ЯЁ])")
NUMBERED = re.compile(r"^\d{1,2}(?:\.\d{1,2}){0,3}[.)]?\s+(?=[^\W\d_])")
FIELD = re.compile(r"^([^\W\d_][\w -]{0,30}?):\s+(\S.*)$")
# Signs by which a clause stands under the one that it is a part of.
_UNDER = 3
_UNDERLINE = re.compile(r"^\s*(={3,}|-{3,}|~{3,})\s*$")
_SENTENCE_LIKE = (".", ",", ";", "!", "?", "…")


@dataclass(frozen=True, slots=True)
class _Group:
    """Lines between two empty lines; `after` is the first line of the next group."""

    lines: tuple[str, ...]
    first: bool
    after: str | None


def pieces_of(text: str) -> tuple[Piece, ...]:
    """Return the pieces of a plain text. Never fails; the first line is the title when it looks like one."""
    lines = clean(text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    pieces = [piece for group in _groups(lines) for piece in _group_pieces(group)]
    return tuple(number_series(_levelled(_header(pieces))))


def is_title(line: str) -> bool:
    """Return whether the line is short, begins like a title and does not end like a sentence."""
    words = line.split()
    short = 0 < len(words) <= TITLE_WORDS and len(line) <= TITLE_LENGTH
    begins = short and (line[0].isupper() or line[0].isdigit())
    return begins and "_" not in line and not line.endswith((*_SENTENCE_LIKE, ":"))


def is_capitals(line: str) -> bool:
    """Return whether the line is a title in capital letters: not a number of a licence or an order."""
    text = line.removesuffix(":")
    shown = [word for word in text.split() if not any(map(str.isdigit, word))]
    letters = max((sum(map(str.isalpha, word)) for word in shown), default=0)
    enough = letters >= _SHORTEST_WORD if len(shown) < len(text.split()) else letters > 1
    return text.isupper() and is_title(text) and enough


def _groups(lines: Sequence[str]) -> Iterator[_Group]:
    runs: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            runs[-1].append(line)
        elif runs[-1]:
            runs.append([])
    full = [tuple(run) for run in runs if run]
    for place, run in enumerate(full):
        yield _Group(run, first=place == 0, after=full[place + 1][0] if place + 1 < len(full) else None)


def _group_pieces(group: _Group) -> Iterator[Piece]:
    """Yield headings with their style in `labels`; `_levelled` turns styles into levels."""
    lines = group.lines
    if begins_table(lines):
        yield from _body(lines)
    elif len(lines) > 1 and (rule := _UNDERLINE.match(lines[1])):
        yield _heading(lines[0], "strong" if rule[1][0] == "=" else "weak", first=group.first)
        yield from _body(lines[2:])
    elif is_capitals(lines[0].strip()):
        yield _heading(lines[0], "strong", first=group.first)
        yield from _body(lines[1:])
    elif style := _alone_style(group):
        yield _heading(lines[0], style, first=group.first)
    else:
        yield from _body(lines)


def _alone_style(group: _Group) -> str:
    """Return the style of a heading marked by nothing but empty lines around it, or nothing."""
    line = group.lines[0].strip()
    number = NUMBERED.match(line)
    title = line[number.end() :] if number else line
    if len(group.lines) > 1 or group.after is None or not is_title(title) or re.search(r"[.:;!?]\s", title):
        return ""
    if number and not NUMBERED.match(group.after.strip()):
        return f"numbered {number[0].strip(' .)').count('.')}"
    return "" if number or BULLET.match(line) else "weak"


def _heading(line: str, style: str, *, first: bool) -> Piece:
    return Piece("heading", one_line(line).removesuffix(":"), depth=int(first), labels=(style,))


def _body(lines: Sequence[str]) -> Iterator[Piece]:
    if lines and all(FIELD.match(line) for line in lines):
        yield from (Piece("field", one_line(line)) for line in lines)
        return
    for part, rows in runs_of(lines):
        yield from rows or _listed([line.expandtabs(4) for line in part])


def _listed(lines: Sequence[str]) -> Iterator[Piece]:
    run: list[str] = []
    for line in lines:
        if BULLET.match(line) or CLAUSE.match(line) or _UNDERLINE.match(line):
            yield from _run(run)
            run = []
        if not _UNDERLINE.match(line):
            run.append(line)
    yield from _run(run)


def _run(lines: Sequence[str]) -> Iterator[Piece]:
    if not lines:
        return
    lead = int(len(lines) > 1 and lines[0].rstrip().endswith(":"))
    if not BULLET.match(lines[0]) and are_records(lines[lead:]):
        yield from (Piece("paragraph", one_line(line)) for line in lines[:lead])
        yield from (Piece("item", one_line(line)) for line in lines[lead:])
        return
    text = one_line(" ".join(lines))
    if bullet := BULLET.match(lines[0]):
        yield Piece("item", one_line(BULLET.sub("", text)), depth=len(bullet[1]))
    elif clause := CLAUSE.match(lines[0]):
        yield Piece("item", text, depth=len(clause[1]) + _UNDER * text.split()[0].strip(".)").count("."))
    else:
        yield Piece("paragraph", text)


def _header(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the pieces; `key: value` lines are fields only above the first section, and only when no key repeats."""
    sections = [place for place, piece in enumerate(pieces) if piece.kind == "heading" and not piece.depth]
    end = sections[0] if sections else len(pieces)
    keys = [piece.text.split(":")[0].casefold() for piece in pieces[:end] if piece.kind == "field"]
    repeats = len(set(keys)) < len(keys)
    for place, piece in enumerate(pieces):
        plain = piece.kind == "field" and (place >= end or repeats)
        yield replace(piece, kind="paragraph") if plain else piece


def _levelled(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Yield the headings with levels: the title 1, strong styles 2, weak ones under them or 2, numbers by depth."""
    known = list(pieces)
    strong = any(piece.labels == ("strong",) and not piece.depth for piece in known)
    for piece in known:
        if piece.kind != "heading":
            yield piece
            continue
        (style,) = piece.labels
        level = 2 + int(style[9:]) if style.startswith("numbered") else 2 + (strong and style == "weak")
        yield replace(piece, depth=1 if piece.depth else min(level, 6), labels=())
