"""Printed pages to pieces: lines with their places become headings, paragraphs, lists and tables again."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from statistics import median

from core.ingest.columns import names_columns
from core.ingest.pieces import Piece, one_line
from core.ingest.plaintext import BULLET, CLAUSE, is_capitals, is_title
from core.ingest.printed_tables import belongs, is_table, rejoined, rows_of, same_columns
from core.ingest.series import number_series
from core.ingest.stacks import one_by_one, side_by_side
from core.ingest.wrapped import joined, words_of
from core.text import sentences

# Shares of the body's type size and of its line distance that make a heading and a new paragraph.
LARGER, APART = 1.08, 1.3
# Share of the page's height, at either edge, where running heads and page numbers stand.
MARGIN = 0.09
# Points: type sizes and indents that differ by less are the same.
SAME_SIZE, INDENT = 0.6, 3
LONGEST_HEADING = 150
_PAGE_NUMBER = re.compile(
    r"^(?:page|стр\.?|страница)?\s*[-–—]?\s*\d+\s*(?:(?:of|из|/)\s*\d+)?\s*[-–—]?$", re.IGNORECASE
)
_NUMBER = re.compile(r"\d{1,18}")
_SECTION = re.compile(r"^\d{1,2}(?:\.\d{1,2}){1,3}[.)]?\s+[A-ZА-ЯЁ]")
_MARK = re.compile(r"^(?:[-*•▪◦●‣·–]|\d{1,3}[.)])$")


@dataclass(frozen=True, slots=True)
class Cell:
    """A stretch of a line without a wide gap."""

    text: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Line:
    """One printed line; `bottom` grows upwards, as in PDF."""

    cells: tuple[Cell, ...]
    bottom: float
    size: float
    page: int
    bold: bool = False
    height: float = 842.0

    @property
    def text(self) -> str:
        """The line as one string."""
        return " ".join(cell.text for cell in self.cells)


@dataclass(frozen=True, slots=True)
class _Type:
    """How the body of the document is set."""

    size: float
    pitch: float
    right: float
    words: frozenset[str]


def pieces_of(lines: Iterable[Line]) -> tuple[Piece, ...]:
    """Return the pieces of a printed document: running heads are left out, wrapped lines and words joined."""
    written = rejoined(_mark_joined(line) for line in lines if line.text.strip())
    body = side_by_side(one_by_one(_without_running_heads(written)))
    if not body:
        return ()
    kind = _type_of(body)
    levels = _levels(body, kind)
    return tuple(number_series(_assemble(_groups(body, kind), kind, levels), INDENT))


def _mark_joined(line: Line) -> Line:
    """Return the line with its bullet or number in one cell with what follows, however wide the tab between them."""
    if len(line.cells) == 1 or not _MARK.match(line.cells[0].text):
        return line
    mark, text, *rest = line.cells
    return replace(line, cells=(Cell(f"{mark.text} {text.text}", mark.left, text.right), *rest))


def _without_running_heads(lines: Sequence[Line]) -> list[Line]:
    at_edge = [line for line in lines if not MARGIN < line.bottom / line.height < 1 - MARGIN]
    alike: dict[str, list[Line]] = {}
    for line in at_edge:
        alike.setdefault(_NUMBER.sub("#", one_line(line.text)), []).append(line)
    edge = {line for line in at_edge if _PAGE_NUMBER.match(line.text.strip())}
    for group in alike.values():
        edge.update(line for pair in pairwise(group) if _is_one_head(*pair) for line in pair)
    return [line for line in lines if line not in edge]


def _is_one_head(line: Line, other: Line) -> bool:
    """Return whether two lines alike are one running head: their numbers are the same, or those of the pages.

    What stands at the top of two pages and says "Room 7: 3 people" here and "Room 40: 5 people" there is text.
    """
    pages = other.page - line.page
    numbers = [list(map(int, _NUMBER.findall(one.text))) for one in (line, other)]
    return bool(pages) and all(b - a in (0, pages) for a, b in zip(*numbers, strict=True))


def _type_of(lines: Sequence[Line]) -> _Type:
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    size = sizes.most_common(1)[0][0]
    body = [line for line in lines if line.size == size]
    falls = [a.bottom - b.bottom for a, b in pairwise(body) if a.page == b.page and 0 < a.bottom - b.bottom < 3 * size]
    words = words_of(line.text for line in lines)
    right = max(line.cells[-1].right for line in body)
    return _Type(size, min(median(falls), 1.8 * size) if falls else 1.2 * size, right, words)


def _levels(lines: Sequence[Line], kind: _Type) -> dict[float, int]:
    """Return a level for each type size above the body's; 1 only for a size used once, which is the title's."""
    used: Counter[float] = Counter()
    for before, line in zip([None, *lines], lines, strict=False):
        if _is_large(line, kind) and not (before and before.size == line.size and _is_large(before, kind)):
            used[line.size] += 1
    ranked = sorted(used, reverse=True)
    top = 1 if ranked and used[ranked[0]] == 1 else 2
    return {size: min(6, top + rank) for rank, size in enumerate(ranked)}


def _is_large(line: Line, kind: _Type) -> bool:
    mark = BULLET.match(line.text)
    bullet = mark is not None and not mark[0].lstrip()[0].isdigit()
    return line.size >= LARGER * kind.size and len(line.text) <= LONGEST_HEADING and not bullet


def _heading_level(first: Line, text: str, kind: _Type, levels: dict[float, int]) -> int:
    """Return the level of a group of lines that is a heading, else 0."""
    if _is_large(first, kind):
        return levels[first.size]
    return min(6, max(levels.values(), default=1) + 1) if _is_marked(first, text) else 0


def _is_marked(line: Line, text: str) -> bool:
    """Return whether a line in the body's size is a heading: by bold type, capitals or a number like 2.1."""
    return len(line.cells) == 1 and is_title(text) and (line.bold or is_capitals(text) or bool(_SECTION.match(text)))


def _groups(lines: Sequence[Line], kind: _Type) -> Iterator[tuple[Line, ...]]:
    """Yield the lines of one paragraph, item, heading or table together."""
    group: list[Line] = []
    for place, line in enumerate(lines):
        after = lines[place + 1] if place + 1 < len(lines) else None
        if group and _starts(group, line, after, kind):
            yield tuple(group)
            group = []
        group.append(line)
    yield tuple(group)


def _starts(group: Sequence[Line], line: Line, after: Line | None, kind: _Type) -> bool:
    """Return whether the line begins something new."""
    last = group[-1]
    if belongs(group, line):
        return False
    if same_columns(line, after) or is_table(group):
        return True
    if last.page != line.page or last.bottom <= line.bottom:
        return not _runs_on(last, line)
    if BULLET.match(line.text) or CLAUSE.match(line.text) or abs(last.size - line.size) > SAME_SIZE:
        return True
    if _is_marked(last, last.text) != _is_marked(line, line.text):
        return True
    return _is_apart(group, line, kind)


def _is_apart(group: Sequence[Line], line: Line, kind: _Type) -> bool:
    """Return whether a gap parts the line from the group, or the group ended before the right margin."""
    last = group[-1]
    ended = last.text.rstrip().endswith((".", "!", "?", ":", ";")) and not BULLET.match(group[0].text)
    gap = last.bottom - line.bottom > APART * max(kind.pitch, 1.2 * line.size)
    return gap or (ended and last.cells[-1].right < 0.8 * kind.right)


def _runs_on(last: Line, line: Line) -> bool:
    text = line.text.lstrip()
    return abs(last.size - line.size) < SAME_SIZE and text[:1].islower() and last.text.rstrip()[-1:] not in ".!?:;"


def _assemble(groups: Iterable[tuple[Line, ...]], kind: _Type, levels: dict[float, int]) -> Iterator[Piece]:
    for group in groups:
        first = group[0]
        text = one_line(joined([line.text for line in group], kind.words))
        if is_table(group):
            yield from _table(group, kind.words)
        elif level := _heading_level(first, text, kind, levels):
            yield Piece("heading", text, depth=level, page=first.page)
        elif BULLET.match(text):
            yield Piece("item", BULLET.sub("", text), depth=round(first.cells[0].left), page=first.page)
        elif first.page == group[-1].page:
            yield Piece("paragraph", text, page=first.page)
        else:
            yield from _by_page(group, text, kind.words)


def _by_page(lines: Sequence[Line], text: str, words: frozenset[str]) -> Iterator[Piece]:
    """Yield a paragraph that runs over pages in parts: a sentence is of the page that it begins on."""
    pages, ends = list[int](), list[int]()
    for page, there in groupby(lines, key=lambda line: line.page):
        pages.append(page)
        ends.append((ends[-1] + 1 if ends else 0) + len(one_line(joined([line.text for line in there], words))))
    for place, spans in groupby(sentences(text), key=lambda span: bisect_right(ends[:-1], span[0])):
        (begin, end), *others = spans
        yield Piece("paragraph", text[begin : others[-1][1] if others else end], page=pages[place])


def _table(lines: Sequence[Line], words: frozenset[str]) -> Iterator[Piece]:
    """Yield the rows, those that name the columns as labels: the first may be printed again on every page."""
    rows = list(rows_of(lines, words))
    marked = rows[0].line.bold and not (rows[1].line.bold if len(rows) > 1 else True)
    header = rows[0].cells if names_columns([row.cells for row in rows], likely=False, marked=marked) else ()
    for row in rows:
        if row.cells != header:
            yield Piece("row", " | ".join(row.cells), labels=header, page=row.line.page)
