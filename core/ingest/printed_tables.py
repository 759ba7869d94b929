"""Tables of a printed page: which lines are rows of one, and which go on in the cells of the row above."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from core.ingest.columns import is_value
from core.ingest.pieces import one_line
from core.ingest.wrapped import joined

if TYPE_CHECKING:
    from core.ingest.pages import Line

# Points: edges and heights that differ by less are the same.
SAME_EDGE, _SAME_HEIGHT = 5, 1.5
# Shares of the type size: how far down a row may go on, and how far the next one may stand.
_GOES_ON: Final = 1.6
_NEXT: Final = 3.0
# Lines of a cell go closer together than rows, where these are apart at all.
_CLOSER: Final = 0.85
# Lines back in which the row stands that a cell belongs to: a cell is written line by line, then the next one.
_BACK: Final = 8
# Lines back that tell how far apart rows stand.
_LOOKED_AT: Final = 40


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it is read, and the first of its lines."""

    cells: tuple[str, ...]
    line: "Line"


def rejoined(lines: Iterable["Line"]) -> list["Line"]:
    """Return the lines, those that stand to the right of a row of the same height as further cells of it.

    A line of one cell is such a row only under another whose columns both stand in.
    """
    placed: list[Line] = []
    above: Line | None = None
    for line in lines:
        near = range(len(placed) - 1, max(-1, len(placed) - 1 - _BACK), -1)
        home = next((place for place in near if _is_beside(placed[place], line, above)), None)
        if home is None:
            above = placed[-1] if placed and len(placed[-1].cells) > 1 else above
            placed.append(line)
        else:
            placed[home] = replace(placed[home], cells=(*placed[home].cells, *line.cells))
    return placed


def same_columns(line: "Line", other: "Line | None") -> bool:
    """Return whether two lines of several cells have them in the same columns."""
    if other is None or len(line.cells) == 1 or len(line.cells) != len(other.cells):
        return False
    pairs = zip(line.cells, other.cells, strict=True)
    return all(min(abs(a.left - b.left), abs(a.right - b.right)) < SAME_EDGE for a, b in pairs)


def is_table(group: Sequence["Line"]) -> bool:
    """Return whether the lines begin with two rows of a table."""
    return len(group) > 1 and same_columns(group[0], group[1])


def belongs(group: Sequence["Line"], line: "Line") -> bool:
    """Return whether the line is one more row of the table, or goes on in the row above it."""
    if same_columns(group[0], line):
        return True
    places = _places(group[0], line)
    gap = group[-1].bottom - line.bottom
    if not is_table(group) or not places or group[-1].page != line.page or not 0 < gap <= _NEXT * line.size:
        return False
    return len(places) > 1 or _goes_on(group[0], group[-_LOOKED_AT:], line)


def rows_of(lines: Sequence["Line"], words: frozenset[str]) -> Iterator[Row]:
    """Yield the rows of a table; a cell on several lines is one, and one that is not there is empty."""
    row: Row | None = None
    for number, line in enumerate(lines):
        places = range(len(line.cells)) if same_columns(lines[0], line) or not number else _places(lines[0], line)
        told = dict(zip(places, (one_line(cell.text).replace(" | ", "|") for cell in line.cells), strict=True))
        cells = tuple(told.get(place, "") for place in range(len(lines[0].cells)))
        if (
            row is not None
            and len(told) < len(cells)
            and _goes_on(lines[0], lines[max(0, number - _LOOKED_AT) : number], line)
        ):
            wrapped = (joined([a, b], words) if a and b else a or b for a, b in zip(row.cells, cells, strict=True))
            row = replace(row, cells=tuple(wrapped))
            continue
        if row is not None:
            yield row
        row = Row(cells, line)
    if row is not None:
        yield row


def _is_beside(row: "Line", line: "Line", above: "Line | None") -> bool:
    """Return whether the line goes on to the right of the row."""
    if row.page != line.page or abs(row.bottom - line.bottom) >= _SAME_HEIGHT:
        return False
    if row.cells[-1].right >= line.cells[0].left:
        return False
    under = above is not None and above.page == line.page and 0 < above.bottom - row.bottom <= _BACK * row.size
    return len(row.cells) > 1 or (above is not None and under and bool(_places(above, row) and _places(above, line)))


def _places(first: "Line", line: "Line") -> list[int]:
    """Return in which columns the cells of a shorter line stand; nothing when one of them stands in none."""
    found = [
        place
        for cell in line.cells
        for place, column in enumerate(first.cells)
        if min(abs(cell.left - column.left), abs(cell.right - column.right)) < SAME_EDGE
    ]
    return found if len(set(found)) == len(found) == len(line.cells) < len(first.cells) else []


def _goes_on(first: "Line", above: Sequence["Line"], line: "Line") -> bool:
    """Return whether the line goes on in the cells of the row above: by small letters, or closer than rows stand."""
    gap = above[-1].bottom - line.bottom
    if not 0 < gap <= _GOES_ON * line.size:
        return False
    full = [a.bottom - b.bottom for a, b in pairwise(above) if a.page == b.page and same_columns(a, b)]
    if full and gap < _CLOSER * min(full):
        return True
    places, texts = _places(first, line), [cell.text for cell in line.cells]
    if all(text[:1].islower() for text in texts):
        return places != [0]
    return 0 not in places and len(texts) == 1 and not is_value(texts[0])
