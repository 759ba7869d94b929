"""Excel workbooks: each sheet a section, each table in it with the names of its columns."""

import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from itertools import count
from typing import Any, Final

from adapters.loaders import table
from adapters.loaders.cells import shown
from adapters.loaders.office import check_package
from adapters.loaders.reading import Reading
from core.errors import IngestError
from core.ingest.pieces import Piece, one_line

# Read row by row, a sheet takes little memory however long it is; its shared texts do not.
XML_LIMIT: Final = 100_000_000
# The most that a sheet can have: Excel specifications and limits, "Worksheet size".
_MAX_ROW: Final = 1_048_576
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\b[^>]*?\bref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"')

# Cells of all sheets, with the empty ones that a file makes by naming a row or column far out.
CELLS_LIMIT: Final = 4_000_000

# Where a merged cell begins (row, column), and its last row.
_Merged = Mapping[tuple[int, int], int]


@dataclass(slots=True)
class _Book:
    """The numbers of its tables, and the cells seen so far."""

    path: str
    numbers: Iterator[int] = field(default_factory=count)
    cells: int = 0

    def spend(self, cells: int) -> None:
        self.cells += cells
        if self.cells > CELLS_LIMIT:
            raise IngestError(self.path, f"has more than {CELLS_LIMIT:,} cells: split it")


def read_xlsx(data: bytes, path: str) -> Reading:
    """Return a workbook as a reader sees it: values instead of formulas, without hidden sheets."""
    check_package(data, path, "Excel", XML_LIMIT)
    from openpyxl import load_workbook

    known = _Book(path)
    with warnings.catch_warnings():
        # What openpyxl would lose when it wrote the file is nothing that is read here.
        warnings.simplefilter("ignore")
        try:
            book = load_workbook(BytesIO(data), read_only=True, data_only=True, keep_links=False)
            visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
            return Reading(tuple(piece for sheet in visible for piece in _sheet(sheet, known)))
        except IngestError:
            raise
        # openpyxl reports a broken workbook by whatever its XML, its look-ups or its conversions raise.
        except Exception as error:
            raise IngestError(path, "is a broken Excel file: open it in Excel and save it again") from error


def _sheet(sheet: Any, book: _Book) -> Iterator[Piece]:
    rows = table.bounded(_rows(sheet, book), book.path)
    if any(map(any, rows)):
        # A level under the title, so that a workbook of one sheet does not take its name for the document's.
        yield Piece("heading", one_line(sheet.title) or "Sheet", depth=2)
        yield from table.pieces_of(rows, book.numbers)


def _rows(sheet: Any, book: _Book) -> Iterator[list[str]]:
    """Yield the rows of a sheet; a cell merged over several rows is in each of them."""
    merged = _merged(sheet)
    # The size that a file states is often wrong, and openpyxl would believe it.
    sheet.reset_dimensions()
    above: dict[int, tuple[int, str]] = {}
    for number, row in enumerate(sheet.iter_rows(max_row=_MAX_ROW), 1):
        book.spend(1 + len(row))
        if not row:
            yield []
            continue
        cells = [shown(cell.value, cell.number_format) if cell.value is not None else "" for cell in row]
        if any(cells):
            for column, (last, text) in above.items():
                if number <= last and column < len(cells) and not cells[column]:
                    cells[column] = text
        for column, text in enumerate(cells):
            if text and (number, column) in merged:
                above[column] = merged[number, column], text
        yield cells


def _merged(sheet: Any) -> _Merged:
    """Return the cells merged over several rows, from the sheet's XML: reading row by row, openpyxl leaves them out."""
    from openpyxl.utils import column_index_from_string

    with sheet._get_source() as source:  # noqa: SLF001 - the one way to the part that holds the sheet
        found = _MERGED.findall(source.read())
    return {
        (int(first), column_index_from_string(left.decode()) - 1): int(last)
        for left, first, _, last in found
        if int(first) < int(last)
    }
