"""Excel workbooks: each sheet a section, each table in it with the names of its columns."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import count
from typing import Any, Final

from adapters.loaders import table
from adapters.loaders.cells import shown
from adapters.loaders.office import check_package
from adapters.loaders.reading import Reading
from adapters.loaders.xlsx_xml import keep_runs, layout_of
from core.errors import IngestError
from core.ingest.linked import led
from core.ingest.pieces import Piece, one_line

# Read row by row, a sheet takes little memory however long it is; its shared texts do not.
XML_LIMIT: Final = 100_000_000
# The most that a sheet can have: Excel specifications and limits, "Worksheet size".
_MAX_ROW: Final = 1_048_576
# Cells of all sheets, with the empty ones that a file makes by naming a row or column far out.
CELLS_LIMIT: Final = 4_000_000

# A list has its names near its top; to look at the type of every cell takes as long as to read it.
_LOOKED_AT: Final = 200


@dataclass(slots=True)
class _Book:
    """The numbers of its tables, the styles that strike out, the cells seen so far, the formulas without a value."""

    path: str
    struck: frozenset[int] = frozenset()
    numbers: Iterator[int] = field(default_factory=count)
    cells: int = 0
    not_computed: int = 0

    def spend(self, cells: int) -> None:
        self.cells += cells
        if self.cells > CELLS_LIMIT:
            raise IngestError(self.path, f"has more than {CELLS_LIMIT:,} cells: split it")


def read_xlsx(data: bytes, path: str) -> Reading:
    """Return a workbook as a reader sees it: values instead of formulas, without what is hidden or struck out."""
    check_package(data, path, "Excel", XML_LIMIT)
    from openpyxl import load_workbook

    known = _Book(path)
    with warnings.catch_warnings():
        # What openpyxl would lose when it wrote the file is nothing that is read here.
        warnings.simplefilter("ignore")
        try:
            book = load_workbook(BytesIO(data), read_only=True, data_only=True, keep_links=False, rich_text=True)
            visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
            known.struck = frozenset(_struck(book))
            pieces = tuple(piece for sheet in visible for piece in _sheet(sheet, known))
            return Reading(pieces, unread=_without_values(known.not_computed))
        except IngestError:
            raise
        # openpyxl reports a broken workbook by whatever its XML, its look-ups or its conversions raise.
        except Exception as error:
            raise IngestError(path, "is a broken Excel file: open it in Excel and save it again") from error


def _struck(book: Any) -> Iterator[int]:
    """Yield the styles of cells that strike out all of a cell."""
    for number, style in enumerate(book._cell_styles):  # noqa: SLF001 - to ask each cell for its font takes far longer
        if book._fonts[style.fontId].strike:  # noqa: SLF001 - as above
            yield number


def _without_values(formulas: int) -> tuple[str, ...]:
    what = "a formula has" if formulas == 1 else f"{formulas:,} formulas have"
    return (f"is read, but {what} no value yet: open it in Excel and save it",) if formulas else ()


def _sheet(sheet: Any, book: _Book) -> Iterator[Piece]:
    marked = set[table.Row]()
    rows = table.bounded(_rows(sheet, book, marked), book.path)
    if any(map(any, rows)):
        # A level under the title, so that a workbook of one sheet does not take its name for the document's.
        yield Piece("heading", one_line(sheet.title) or "Sheet", depth=2)
        yield from table.pieces_of(rows, book.numbers, table.Heads(marked=marked))


def _rows(sheet: Any, book: _Book, marked: set[table.Row]) -> Iterator[list[str]]:
    """Yield the rows of a sheet that are shown; a cell merged over several is in each of them.

    What is in rows that are set like the names of columns is added to `marked`.
    """
    keep_runs(sheet)
    laid = layout_of(sheet)
    book.not_computed += laid.not_computed
    # The size that a file states is often wrong, and openpyxl would believe it.
    sheet.reset_dimensions()
    above: dict[int, tuple[int, str]] = {}
    for number, row in enumerate(sheet.iter_rows(max_row=_MAX_ROW), 1):
        book.spend(1 + len(row))
        cells = [_shown(cell, book) if cell.value is not None else "" for cell in row]
        if laid.links:
            cells = [_led(text, laid.links.get((number, column))) for column, text in enumerate(cells)]
        if any(cells):
            for column, (last, text) in above.items():
                if number <= last and column < len(cells) and not cells[column]:
                    cells[column] = text
        for column, text in enumerate(cells):
            if text and (number, column) in laid.merged:
                above[column] = laid.merged[number, column], text
        if number in laid.hidden_rows:
            continue
        seen = [text for column, text in enumerate(cells) if column not in laid.hidden_columns]
        if number in laid.heads or (number <= _LOOKED_AT and _is_bold(row)):
            marked.add(tuple(one_line(text).replace(" | ", "|") for text in seen if text))
        yield seen


def _shown(cell: Any, book: _Book) -> str:
    is_struck = book.struck and cell._style_id in book.struck  # noqa: SLF001 - as in _struck
    return "" if is_struck else shown(cell.value, cell.number_format)


def _led(text: str, target: str | None) -> str:
    return led(text, target) if text and target else text


def _is_bold(row: Sequence[Any]) -> bool:
    written = [cell for cell in row if cell.value is not None]
    return len(written) > 1 and all(isinstance(cell.value, str) and cell.font.bold for cell in written)
