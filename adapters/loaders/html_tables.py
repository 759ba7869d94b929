"""Tables of a web page as Markdown can write them: a cell in each column of each row, and none for mere layout."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.errors import IngestError
from core.ingest.columns import joined_head, names_columns
from core.ingest.pieces import one_line

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

# Characters that merged cells may take in the rows below their own. A few bytes can ask for millions of cells.
COPIED_LIMIT: Final = 1_000_000
_MOST_ROWS, _MOST_COLUMNS = 1_000, 50
_PARTS: Final = ("thead", "tbody", "tfoot", "tr", "td", "th", "caption")


@dataclass(slots=True)
class _Merged:
    """A cell that reaches into further rows: what it says, over how many columns, and for how many rows yet."""

    text: str
    columns: int
    rows: int


def straighten(soup: "BeautifulSoup", path: str) -> None:
    """Turn tables that only place things on a page into text, and write merged cells into each of their rows.

    What has no place in a row goes: a list in a cell becomes a line, the caption of a table stands above it.

    Raises IngestError when merged cells grow beyond all measure.
    """
    tables = soup.find_all("table")
    layouts = [table for table in tables if _is_layout(table)]
    for table in layouts:
        for part in _own(table, _PARTS):
            part.name = "div"
    for table in layouts:
        table.name = "div"
    left = COPIED_LIMIT
    for table in soup.find_all("table"):
        _unlist(table)
        _fill_corner(table)
        left -= _fill(table, soup, left)
        if left < 0:
            raise IngestError(path, f"its merged cells take more than {COPIED_LIMIT:,} characters: split its tables")


def _fill_corner(table: "Tag") -> None:
    """Make an empty cell beside the names of columns one of them: the corner over the names of rows."""
    first = next((_cells(row) for row in _own(table, ("tr",))), [])
    if any(cell.name == "th" for cell in first) and all(
        cell.name == "th" or not cell.get_text().strip() for cell in first
    ):
        for cell in first:
            cell.name = "th"


def _unlist(table: "Tag") -> None:
    """Write a list in a cell as one line, and what the table is called above it: a row has no room for either."""
    for listed in table.find_all(("ul", "ol")):
        *others, last = listed.find_all("li", recursive=False) or [listed]
        for item in others:
            item.append("; ")
            item.name = "span"
        last.name = listed.name = "span"
    for caption in table.find_all("caption"):
        caption.name = "p"
        table.insert_before(caption.extract())


def name_columns(soup: "BeautifulSoup") -> None:
    """Make the cells of a table's first row the names of its columns where they read like them and none says so.

    Names in two rows become those of one. What is set in bold over plain rows names the columns whatever it says.
    """
    for table in soup.find_all("table"):
        lines = [row for row in _own(table, ("tr",)) if _cells(row)]
        rows = [_shown(row) for row in lines]
        if head := joined_head(rows):
            _write_head(soup, lines[0], head)
            lines[1].decompose()
            continue
        if any(map(_is_named, lines)):
            continue
        set_apart = [all(map(_is_bold, _cells(row))) for row in lines[:2]]
        if names_columns(rows, likely=False, marked=set_apart == [True, False]):
            for cell in _cells(lines[0]):
                cell.name = "th"


def _shown(row: "Tag") -> tuple[str, ...]:
    """Return the texts of a row, a cell over several columns as the first of them."""
    cells = [(one_line(cell.get_text(" ")), _number(cell, "colspan", _MOST_COLUMNS)) for cell in _cells(row)]
    return tuple(text for shown, columns in cells for text in (shown, *[""] * (columns - 1)))


def _write_head(soup: "BeautifulSoup", row: "Tag", names: tuple[str, ...]) -> None:
    row.clear()
    for name in names:
        cell = soup.new_tag("th")
        cell.string = name
        row.append(cell)


def _is_named(row: "Tag") -> bool:
    return row.parent is not None and (row.parent.name == "thead" or all(cell.name == "th" for cell in _cells(row)))


def _is_bold(cell: "Tag") -> bool:
    bold = sum(len(part.get_text().strip()) for part in cell.find_all(("strong", "b")))
    return bold >= len(cell.get_text().strip())


def _own(table: "Tag", names: tuple[str, ...]) -> list["Tag"]:
    return [part for part in table.find_all(names) if part.find_parent("table") is table]


def _is_layout(table: "Tag") -> bool:
    """Return whether a table holds another, says that it is none, or has one column without a name."""
    if table.find("table") or table.get("role") in ("presentation", "none"):
        return True
    return not table.find("th") and all(len(_cells(row)) <= 1 for row in table.find_all("tr"))


def _cells(row: "Tag") -> list["Tag"]:
    return row.find_all(("td", "th"), recursive=False)


def _fill(table: "Tag", soup: "BeautifulSoup", left: int) -> int:
    """Write each merged cell into the rows it reaches into; return how many characters that took."""
    taken = 0
    merged: dict[int, _Merged] = {}
    for row in _own(table, ("tr",)):
        column = 0
        for cell in [*_cells(row), None]:
            # Looked up once: to find a cell among its neighbours takes as long as there are many.
            at = -1
            while (above := _next(merged, column, last=cell is None)) is not None and taken <= left:
                column, one = above, merged[above]
                twin = soup.new_tag("td", attrs={"colspan": str(one.columns)})
                twin.string = one.text
                if cell is None:
                    row.append(twin)
                else:
                    at = row.index(cell) if at < 0 else at + 1
                    row.insert(at, twin)
                taken += len(one.text) + one.columns
                one.rows -= 1
                if not one.rows:
                    del merged[column]
                column += one.columns
            if cell is not None:
                column += _place(cell, column, merged)
    return taken


def _next(merged: dict[int, _Merged], column: int, *, last: bool) -> int | None:
    """Return the column of the merged cell that comes next; behind the last cell of a row, of any further one."""
    if column in merged or not last:
        return column if column in merged else None
    return min((place for place in merged if place > column), default=None)


def _place(cell: "Tag", column: int, merged: dict[int, _Merged]) -> int:
    """Note a merged cell; return how many columns the cell takes."""
    columns, rows = _number(cell, "colspan", _MOST_COLUMNS), _number(cell, "rowspan", _MOST_ROWS)
    cell["colspan"] = str(columns)
    if rows > 1:
        merged[column] = _Merged(one_line(cell.get_text(" ")), columns, rows - 1)
    return columns


def _number(cell: "Tag", name: str, most: int) -> int:
    stated = str(cell.get(name, "")).strip()
    return min(int(stated), most) or 1 if stated.isdecimal() and len(stated) < most else 1
