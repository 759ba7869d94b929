"""Rows of cells to pieces: what stands above a table, the row that names its columns, and the rows under it."""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from core.errors import IngestError
from core.ingest.columns import is_header, is_value, joined_head, names_columns
from core.ingest.linked import LinkedText, as_linked, joined, on_one_line, with_bars_closed
from core.ingest.pieces import Piece, one_line

# More is a database: nobody answers from it by reading, and its rows would fill the memory.
ROWS_LIMIT: Final = 100_000
CELLS_LIMIT: Final = 2_000_000

Row = tuple[str, ...]


def bounded(rows: Iterable[Sequence[str]], path: str) -> tuple[Row, ...]:
    """Return the rows with every cell on one line, empty rows between two as one; cells keep the links they know of.

    Raises IngestError as soon as there are too many.
    """
    kept: list[Row] = []
    cells = 0
    for row in rows:
        cells += 1 + len(row)
        if len(kept) >= ROWS_LIMIT or cells > CELLS_LIMIT:
            raise IngestError(path, f"has more than {ROWS_LIMIT:,} rows or {CELLS_LIMIT:,} cells: split it")
        shown = tuple(_on_one_line(cell) if cell else "" for cell in row)
        if any(shown):
            kept.append(shown)
        elif kept and kept[-1]:
            kept.append(())
    return tuple(kept)


def _on_one_line(cell: str) -> str:
    if not isinstance(cell, LinkedText):
        return one_line(cell).replace(" | ", "|")
    shown = with_bars_closed(on_one_line(as_linked(cell)))
    return LinkedText(shown.text, shown.links)


@dataclass(frozen=True, slots=True)
class Heads:
    """What is known of the rows that name columns: `sure`, that each table begins with one; `likely`, in doubt.

    `marked`: the cells of rows that are set like such names.
    """

    sure: bool = False
    likely: bool = True
    marked: AbstractSet[Row] = frozenset()


_AS_USUAL: Final = Heads()


def pieces_of(
    rows: Sequence[Row], numbers: Iterator[int], heads: Heads = _AS_USUAL, *, page: int | None = None
) -> Iterator[Piece]:
    """Yield the tables in the rows, one after the other, each with the next number as its series.

    The first row of a table names its columns when it looks like it. A line of one cell above a table is a paragraph.
    After an empty row, one that does not fit under the columns, or names columns itself, begins another table.
    """
    for table in _tables(rows, heads.marked):
        above, below = _parted(table)
        for line in (as_linked(next(filter(None, row))) for row in above):
            yield Piece("paragraph", line.text, page=page, links=line.links)
        if below:
            shown = _with_one_head(_trimmed(below))
            yield from _rows(shown, next(numbers), named=_is_named(shown, heads), page=page)


def _is_named(table: list[Row], heads: Heads) -> bool:
    set_apart = [tuple(filter(None, row)) in heads.marked for row in table[:2]]
    likely, marked = heads.likely, set_apart == [True, False]
    return len(table) > 1 and (heads.sure or names_columns(table, likely=likely, marked=marked))


def _tables(rows: Sequence[Row], marked: AbstractSet[Row]) -> Iterator[list[Row]]:
    table: list[Row] = []
    columns: set[int] = set()
    after_gap = False
    for number, row in enumerate(rows):
        used = {place for place, cell in enumerate(row) if cell}
        if not used:
            after_gap = bool(table)
            continue
        outside = not used <= columns or (len(used) == 1 < len(columns))
        if after_gap and (outside or _names_anew(row, rows[number + 1 : number + 2], table, marked)):
            yield table
            table, columns = [], set()
        table.append(row)
        columns, after_gap = columns | used, False
    if table:
        yield table


def _names_anew(row: Row, below: Sequence[Row], table: list[Row], marked: AbstractSet[Row]) -> bool:
    """Return whether a row behind a gap names the columns of another table: set like names, or words under numbers."""
    if not any(map(any, below)) or not is_header(row):
        return False
    if tuple(filter(None, row)) in marked:
        return True
    columns = ([one[place] for one in table[1:] if place < len(one) and one[place]] for place in range(len(row)))
    return any(
        cell and column and not is_value(cell) and all(map(is_value, column))
        for cell, column in zip(row, columns, strict=True)
    )


def _parted(table: list[Row]) -> tuple[list[Row], list[Row]]:
    """Return the lines of one cell above the table, and the table; where all have one, all are its only column."""
    widths = [sum(map(bool, row)) for row in table]
    first = next((place for place, width in enumerate(widths) if width > 1), int(len(table) == 1))
    return table[:first], table[first:]


def _trimmed(table: list[Row]) -> list[Row]:
    """Return the rows without the columns that are empty at either side, all of one length."""
    width = max(map(len, table))
    padded = [row + ("",) * (width - len(row)) for row in table]
    used = [any(column) for column in zip(*padded, strict=True)]
    begin, end = used.index(True), width - used[::-1].index(True)
    return [row[begin:end] for row in padded]


def _with_one_head(table: list[Row]) -> list[Row]:
    """Return the table with the names of its columns in one row, where they are in two."""
    head = joined_head(table)
    return [head, *table[2:]] if head else table


def _rows(table: list[Row], series: int, *, named: bool, page: int | None) -> Iterator[Piece]:
    labels = tuple(map(str, table[0])) if named else ()
    for row in table[named:]:
        shown = joined(map(as_linked, row), " | ") if any(isinstance(cell, LinkedText) for cell in row) else None
        text, links = (shown.text, shown.links) if shown else (" | ".join(row), ())
        yield Piece("row", text, series=series, labels=labels, page=page, links=links)
