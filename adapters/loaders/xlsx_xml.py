"""What the XML of a sheet says and openpyxl leaves out when it reads row by row."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from posixpath import basename, dirname, join, normpath
from typing import Any, Final
from zipfile import ZipFile

from adapters.loaders.xlsx_links import Places, links_of

_MERGED: Final = re.compile(rb'<(?:\w+:)?mergeCell\b[^>]{0,200}?\bref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"')
_ROW: Final = re.compile(rb"<(?:\w+:)?row\b([^>]{0,500})>")
_COLUMN: Final = re.compile(rb"<(?:\w+:)?col\b([^>]{0,500})>")
_HIDDEN: Final = re.compile(rb'\bhidden="(?:1|true)"')
_NUMBER: Final = re.compile(rb'\b(r|min|max)="(\d{1,7})"')
_FILTER: Final = re.compile(rb'<(?:\w+:)?autoFilter\b[^>]{0,200}?\bref="[A-Z]{1,3}(\d{1,7}):')
_TABLE: Final = re.compile(rb"<(?:\w+:)?table\b([^>]{0,2000})>")
_TABLE_REF: Final = re.compile(rb'\bref="[A-Z]{1,3}(\d{1,7}):')
_NO_HEADER: Final = re.compile(rb'\bheaderRowCount="0"')
_PART: Final = re.compile(rb'\bTarget="([^"]{0,300}tables/[^"]{1,200}\.xml)"')
# A text that a formula makes may be empty, and then is computed all the same.
_NOT_COMPUTED: Final = re.compile(
    rb'<(?:\w+:)?c\b(?![^>]{0,200}\bt="str")[^>]{0,200}>\s{0,9}<(?:\w+:)?f\b[^>]{0,300}(?:/>|>[^<]{0,9000}</(?:\w+:)?f>)'
    rb"\s{0,9}(?:<(?:\w+:)?v\s?/>|<(?:\w+:)?v></(?:\w+:)?v>)?\s{0,9}</(?:\w+:)?c>"
)
_SET_INLINE: Final = re.compile(
    rb'<c\b([^>]{0,200}?)\bt="inlineStr"([^>]{0,200})>\s{0,9}(<is>(?:(?!</is>).)*<rPr>(?:(?!</is>).)*</is>)\s{0,9}</c>',
    re.DOTALL,
)
_MAIN: Final = b'<is xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
_MAX_COLUMN: Final = 16_384


@dataclass(frozen=True, slots=True)
class Laid:
    """How a sheet is laid out, rows from 1 and columns from 0.

    `merged`: where a cell over several rows begins, and its last row. `hidden_rows`, `hidden_columns`: what is not
    shown. `heads`: the rows that the names of columns stand in, as a filter or a table of Excel's own says.
    `not_computed`: how many formulas have no value. `links`: where cells lead.
    """

    merged: Mapping[tuple[int, int], int] = field(default_factory=dict)
    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()
    heads: frozenset[int] = frozenset()
    not_computed: int = 0
    links: Places = field(default_factory=dict)


def layout_of(sheet: Any) -> Laid:
    """Return how a sheet of a workbook that is read row by row is laid out."""
    with sheet._get_source() as source:  # noqa: SLF001 - the one way to the part that holds the sheet
        xml = source.read()
    heads = {int(found[1]) for found in _FILTER.finditer(xml)}
    heads.update(_tables(sheet.parent._archive, sheet._worksheet_path))  # noqa: SLF001 - as above
    return Laid(
        dict(_merged(xml)),
        frozenset(_hidden_rows(xml)),
        frozenset(_hidden_columns(xml)),
        frozenset(heads),
        sum(1 for _ in _NOT_COMPUTED.finditer(xml)),
        links_of(sheet, xml),
    )


def keep_runs(sheet: Any) -> None:
    """Keep how the words of a cell are set where the sheet holds them itself: openpyxl only does among shared texts."""
    from openpyxl.cell.rich_text import CellRichText
    from openpyxl.xml.functions import fromstring

    def shared(found: re.Match[bytes]) -> bytes:
        runs: Any = fromstring(found[3].replace(b"<is>", _MAIN, 1))
        sheet._shared_strings.append(CellRichText.from_tree(runs))  # noqa: SLF001 - as in layout_of
        return b'<c%s t="s" %s><v>%d</v></c>' % (found[1], found[2], len(sheet._shared_strings) - 1)  # noqa: SLF001

    with sheet._get_source() as source:  # noqa: SLF001 - as in layout_of
        xml = source.read()
    if b"<rPr>" in xml:
        kept = _SET_INLINE.sub(shared, xml)
        sheet._get_source = lambda: BytesIO(kept)  # noqa: SLF001 - as above


def _merged(xml: bytes) -> Iterator[tuple[tuple[int, int], int]]:
    from openpyxl.utils import column_index_from_string

    for left, first, _, last in _MERGED.findall(xml):
        if int(first) < int(last):
            yield (int(first), column_index_from_string(left.decode()) - 1), int(last)


def _hidden_rows(xml: bytes) -> Iterator[int]:
    number = 0
    for row in _ROW.finditer(xml):
        known = dict(_NUMBER.findall(row[1]))
        number = int(known.get(b"r", number + 1))
        if _HIDDEN.search(row[1]):
            yield number


def _hidden_columns(xml: bytes) -> Iterator[int]:
    for column in _COLUMN.finditer(xml):
        known = dict(_NUMBER.findall(column[1]))
        if _HIDDEN.search(column[1]):
            first, last = int(known.get(b"min", 0)), int(known.get(b"max", 0))
            yield from range(first - 1, min(last, _MAX_COLUMN))


def _tables(archive: ZipFile, path: str) -> Iterator[int]:
    """Yield the first row of each table of Excel's own in the sheet at the path, where it names the columns."""
    path = path.lstrip("/")
    links = join(dirname(path), "_rels", f"{basename(path)}.rels")
    names = set(archive.namelist())
    for target in _PART.findall(archive.read(links)) if links in names else ():
        part = normpath(join("/", dirname(path), target.decode())).lstrip("/")
        found = _TABLE.search(archive.read(part)) if part in names else None
        place = _TABLE_REF.search(found[1]) if found and not _NO_HEADER.search(found[1]) else None
        if place:
            yield int(place[1])
