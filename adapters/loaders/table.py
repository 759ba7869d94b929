"""Rows of cells to pieces: what stands above a table, the row that names its columns, and the rows under it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from core.errors import IngestError
from core.ingest.pieces import Piece, one_line

# More is a database: nobody answers from it by reading, and its rows would fill the memory.
ROWS_LIMIT: Final = 100_000
CELLS_LIMIT: Final = 2_000_000
LONGEST_LABEL = 80
_VALUE = re.compile(r"[\d\s.,:/%€$£₽¥()+\-–—]*\d[\d\s.,:/%€$£₽¥()+\-–—]*")
_YEAR = re.compile(r"(?:19|20)\d\d")

Row = tuple[str, ...]


def bounded(rows: Iterable[Sequence[str]], path: str) -> tuple[Row, ...]:
    """Return the rows with every cell on one line, empty rows between two as one.

    Raises IngestError as soon as there are too many.
    """
    kept: list[Row] = []
    cells = 0
    for row in rows:
        cells += 1 + len(row)
        if len(kept) >= ROWS_LIMIT or cells > CELLS_LIMIT:
            raise IngestError(path, f"has more than {ROWS_LIMIT:,} rows or {CELLS_LIMIT:,} cells: split it")
        shown = tuple(one_line(cell).replace(" | ", "|") if cell else "" for cell in row)
        if any(shown):
            kept.append(shown)
        elif kept and kept[-1]:
            kept.append(())
    return tuple(kept)


def pieces_of(
    rows: Sequence[Row], numbers: Iterator[int], *, header: bool | None = None, page: int | None = None
) -> Iterator[Piece]:
    """Yield the tables in the rows, one after the other, each with the next number as its series.

    `header` says whether the first row of a table names its columns; None: when it looks like it. A line of one cell
    above a table is a paragraph. After an empty row, one that does not fit under the columns begins another table.
    """
    for table in _tables(rows):
        above, below = _parted(table)
        yield from (Piece("paragraph", next(filter(None, row)), page=page) for row in above)
        if below:
            yield from _rows(_trimmed(below), next(numbers), header=header, page=page)


def _tables(rows: Iterable[Row]) -> Iterator[list[Row]]:
    table: list[Row] = []
    columns: set[int] = set()
    after_gap = False
    for row in rows:
        used = {place for place, cell in enumerate(row) if cell}
        if not used:
            after_gap = bool(table)
            continue
        if after_gap and (not used <= columns or (len(used) == 1 < len(columns))):
            yield table
            table, columns = [], set()
        table.append(row)
        columns, after_gap = columns | used, False
    if table:
        yield table


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


def _rows(table: list[Row], series: int, *, header: bool | None, page: int | None) -> Iterator[Piece]:
    named = len(table) > 1 and (is_header(table[0]) if header is None else header)
    labels = table[0] if named else ()
    for row in table[1 if named else 0 :]:
        yield Piece("row", " | ".join(row), series=series, labels=labels, page=page)


def is_header(row: Row) -> bool:
    """Return whether the cells read like the names of columns: different short words, and years at most."""
    names = [cell.casefold() for cell in row if cell]
    if len(names) < max(2, len(row) / 2) or len(set(names)) < len(names):
        return False
    words = [name for name in names if not _YEAR.fullmatch(name)]
    return bool(words) and not any(_VALUE.fullmatch(name) or len(name) > LONGEST_LABEL for name in words)
