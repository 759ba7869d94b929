"""Tables and lists that a plain text only shows by where its words stand: rows and records, line by line."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from core.ingest.columns import is_value, names_columns
from core.ingest.pieces import Piece, one_line

_GAP = re.compile(r"(?<=\S)(?:[ ]*\t[ \t]*|(?<![.!?…]) {2,}| {3,})(?=\S)")
_RULE = re.compile(r"^(?=.*[-=─━]{2})[\s|+:=\-─━]+$")
_PIPES = re.compile(r"^\s*\|.*\|\s*$|^[^|]*\S \| \S[^|]*(?:\|[^|]*)*$")
_MARKED = re.compile(r"^\s*(?:[-*•▪◦●‣·–]|\d{1,3}[.)])\s")
# Between what one line says of somebody and the next of somebody else.
_BETWEEN = (re.compile(r",\s"), re.compile(r"\s[-–—]\s"), re.compile(r":\s"), re.compile(r";\s"))
_CLOCK = re.compile(r"^\d{1,2}[:.]\d{2}\b")
# Nobody breaks running text as early as this.
NARROW = 50
# No table that was typed is wider.
_WIDEST = 400
_SENTENCE = (".", "!", "?", "…")

Row = tuple[str, ...]


def runs_of(lines: Sequence[str]) -> Iterator[tuple[Sequence[str], tuple[Piece, ...]]]:
    """Yield the lines in order, in parts: those that are no table with no pieces, a table with its rows."""
    waiting: list[str] = []
    for looks, run in groupby(lines, key=_looks):
        part = list(run)
        rows = tuple(_rows(part)) if looks and len(part) > 1 else ()
        if rows:
            yield waiting, ()
            yield part, rows
            waiting = []
        else:
            waiting.extend(part)
    yield waiting, ()


def begins_table(lines: Sequence[str]) -> bool:
    """Return whether the first lines are rows of a table: then not even capitals make the first one a title."""
    first = next((rows for part, rows in runs_of(lines) if part), ())
    return bool(first)


def are_records(lines: Sequence[str]) -> bool:
    """Return whether each of the lines speaks for itself, as "Anna Kelly, nurse, room 4" does: they are not wrapped.

    Each must begin anew and have the same mark between its parts, and most end where another word had fitted.
    """
    shown = [line.strip() for line in lines]
    if len(shown) <= 1 or any(line[0].islower() or line.endswith((",", ";", "-")) for line in shown):
        return False
    if 2 * sum(line.endswith(_SENTENCE) for line in shown) >= len(shown):
        return False
    width = max(NARROW, *map(len, shown))
    fitting = [len(a) + 1 + len(b.split()[0]) <= width for a, b in pairwise(shown)]
    alike = all(map(_CLOCK.match, shown)) or any(all(map(mark.search, shown)) for mark in _BETWEEN)
    return alike and 2 * sum(fitting) > len(fitting)


def _looks(line: str) -> bool:
    return bool(_RULE.match(line) or _PIPES.match(line) or (_GAP.search(line) and not _MARKED.match(line)))


def _rows(lines: Sequence[str]) -> Iterator[Piece]:
    """Yield the rows, a first row with a rule under it or unlike the others as the names of their columns."""
    told = [line for line in lines if not _RULE.match(line)]
    cells = _in_columns(told)
    if cells is None:
        return
    rules = [place for place, line in enumerate(lines) if _RULE.match(line)]
    ruled = any(sum(not _RULE.match(line) for line in lines[:place]) == 1 for place in rules)
    labels = cells[0] if len(cells) > 1 and (ruled or _names_columns(cells)) else ()
    for row in cells[bool(labels) :]:
        yield Piece("row", " | ".join(row), labels=labels)


def _names_columns(rows: Sequence[Row]) -> bool:
    """Return whether the first row names the columns, and one of these holds nothing but values under a word.

    Nothing else says in a plain text that there are names at all.
    """
    values = any(all(is_value(row[place]) for row in rows[1:]) for place in range(len(rows[0])))
    return values and names_columns(rows, likely=False)


def _in_columns(lines: Sequence[str]) -> list[Row] | None:
    """Return the cells of the lines, as many in each; None when they do not stand in columns."""
    if len(lines) <= 1:
        return None
    if all(map(_PIPES.match, lines)):
        return _even([line.strip().removeprefix("|").removesuffix("|").split("|") for line in lines])
    if all("\t" in line.strip() for line in lines):
        return _even([line.strip(" ").split("\t") for line in lines]) or _even([_GAP.split(line) for line in lines])
    expanded = [line.expandtabs(4).rstrip() for line in lines]
    return _by_place(expanded) or _even([_GAP.split(line.strip()) for line in expanded])


def _by_place(lines: Sequence[str]) -> list[Row] | None:
    """Return the cells between the strips, at least two characters wide, in which no line has a sign."""
    width = max(map(len, lines))
    if width > _WIDEST:
        return None
    blank: Iterable[int] = range(width)
    for line in lines:
        blank = [place for place in blank if line[place : place + 1] in ("", " ")]
    strips = [[place for _, place in run] for _, run in groupby(enumerate(blank), key=lambda one: one[1] - one[0])]
    borders = [strip[-1] + 1 for strip in strips if len(strip) > 1 and strip[0] > 0]
    ends = list(zip((0, *borders), (*borders, width), strict=True))
    rows = [tuple(line[start:end] for start, end in ends) for line in lines]
    return _even(rows) if borders and all(sum(bool(cell.strip()) for cell in row) > 1 for row in rows) else None


def _even(rows: Sequence[Sequence[str]]) -> list[Row] | None:
    """Return the rows with their cells on one line each; None unless all have as many, and more than one."""
    if len({len(row) for row in rows}) != 1 or len(rows[0]) == 1:
        return None
    return [tuple(one_line(cell).replace(" | ", "|") for cell in row) for row in rows]
