"""Tables written in HTML inside Markdown: their rows, each cell in its column, with its links."""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.ingest.columns import names_columns
from core.ingest.linked import Linked, joined, with_bars_closed
from core.ingest.markdown_html import html_texts

_ROW = re.compile(r"<tr\b[^<>]*>(.*?)(?=</tr\s*>|<tr\b|</table\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_CELL = re.compile(r"<t([dh])\b([^<>]*)>(.*?)(?=</t[dh]\s*>|<t[dh]\b|\Z)", re.DOTALL | re.IGNORECASE)
_WITHIN = re.compile(r"<table\b.*?(?:</table\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_SPAN = r"\b{}\s*=\s*[\"']?(\d{{1,3}})\b"
_COLUMNS, _ROWS = (re.compile(_SPAN.format(name), re.IGNORECASE) for name in ("colspan", "rowspan"))
# A few bytes can ask for millions of cells: how far one may reach, and how many times the table all copies may take.
_MOST_COLUMNS, _MOST_ROWS, _MOST_COPIED = 20, 50, 4


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it is read, and the names of the columns that it stands under."""

    read: Linked
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Cell:
    read: Linked
    heads: bool
    columns: int
    rows: int


def html_parts(html: str) -> Iterator[Linked | tuple[Row, ...]]:
    """Yield what a piece of HTML says in reading order: texts, some of them empty, and the rows of each table."""
    place = 0
    for table in _WITHIN.finditer(html):
        yield from html_texts(html[place : table.start()])
        rows = list(_filled([_cells(row[1]) for row in _ROW.finditer(table[0])], _MOST_COPIED * len(table[0])))
        if any(len(row) > 1 for row in rows):
            yield from html_texts(table[0][: first.start()] if (first := _ROW.search(table[0])) else "")
            yield tuple(_rows(rows))
        else:
            yield from html_texts(table[0])
        place = table.end()
    yield from html_texts(html[place:])


def _rows(rows: Sequence[Sequence[_Cell]]) -> Iterator[Row]:
    """Yield the rows under the first when all of it is set as names of columns, or reads like them, else every one."""
    texts = [[cell.read.text for cell in row] for row in rows]
    even = len({len(row) for row in rows}) == 1
    heads = all(cell.heads or not cell.read.text for cell in rows[0]) and any(cell.heads for cell in rows[0])
    named = len(rows) > 1 and (heads or (even and names_columns(texts, likely=False)))
    labels = tuple(cell.read.text for cell in rows[0]) if named else ()
    for row in rows[named:]:
        if any(cell.read.text for cell in row):
            yield Row(joined((cell.read for cell in row), " | "), labels)


def _cells(row: str) -> list[_Cell]:
    return [
        _Cell(_one(found[3]), found[1] in "hH", _number(_COLUMNS, found[2]), _number(_ROWS, found[2]))
        for found in _CELL.finditer(row)
    ]


def _one(html: str) -> Linked:
    return with_bars_closed(joined((text for text in html_texts(html) if text.text), " "))


def _number(span: re.Pattern[str], attributes: str) -> int:
    found = span.search(attributes)
    return max(1, int(found[1])) if found else 1


def _filled(rows: Sequence[Sequence[_Cell]], most: int) -> Iterator[list[_Cell]]:
    """Yield the rows with merged cells in each of the columns and rows they reach into, until `most` is copied."""
    below: dict[int, tuple[_Cell, int]] = {}
    for row in rows:
        full: list[_Cell] = []
        waiting = deque(row)
        while waiting or len(full) in below:
            if len(full) in below:
                cell, left = below.pop(len(full))
                most -= len(cell.read.text) + 1
                below |= {len(full): (cell, left - 1)} if left > 1 and most > 0 else {}
                full.append(cell)
                continue
            cell = waiting.popleft()
            for _ in range(min(cell.columns, _MOST_COLUMNS) if most > 0 else 1):
                most -= len(cell.read.text) * (cell.columns > 1)
                if cell.rows > 1 and most > 0:
                    below[len(full)] = cell, min(cell.rows, _MOST_ROWS) - 1
                full.append(cell)
        if full:
            yield full
