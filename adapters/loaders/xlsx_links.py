"""Where the cells of a sheet lead: their own links, and those that a formula makes."""

import re
from collections.abc import Iterator, Mapping
from html import unescape
from itertools import islice, product
from posixpath import basename, dirname, join
from typing import Any, Final
from zipfile import ZipFile

_LINK: Final = re.compile(rb"<(?:\w+:)?hyperlink\b([^>]{0,9000})>")
_ATTRIBUTE: Final = re.compile(rb'\b([\w:]{1,40})="([^"]{0,2100})"')
_RANGE: Final = re.compile(r"([A-Z]{1,3})(\d{1,7})(?::([A-Z]{1,3})(\d{1,7}))?")
_RELATION: Final = re.compile(rb"<(?:\w+:)?Relationship\b([^>]{0,9000})>")
# Excel writes the function as it is known everywhere, whatever the language of the program.
_FORMULA: Final = re.compile(
    rb'<(?:\w+:)?c\b[^>]{0,200}?\br="([A-Z]{1,3})(\d{1,7})"[^>]{0,200}>\s{0,9}<(?:\w+:)?f\b[^>]{0,300}>'
    rb"\s{0,9}HYPERLINK\(([^<]{1,3000})</"
)
_FIRST_TEXT: Final = re.compile(r'\s*"((?:[^"]|""){1,2000})"\s*[,;)]')
# The most that a sheet can have: Excel specifications and limits, "Hyperlinks in a worksheet".
_MOST: Final = 65_530

Places = Mapping[tuple[int, int], str]


def links_of(sheet: Any, xml: bytes) -> Places:
    """Return the address or path that each cell leads to, rows from 1 and columns from 0.

    What leads to a place in the same workbook is left out.
    """
    found: dict[tuple[int, int], str] = {}
    if b"HYPERLINK(" in xml:
        found.update(islice(_by_formula(xml), _MOST))
    if stated := [dict(_ATTRIBUTE.findall(link[1])) for link in islice(_LINK.finditer(xml), _MOST)]:
        known = _targets(sheet.parent._archive, sheet._worksheet_path.lstrip("/"))  # noqa: SLF001 - as in xlsx_xml
        found.update(islice(_by_name(stated, known), _MOST))
    return found


def _by_name(stated: list[dict[bytes, bytes]], known: Mapping[bytes, str]) -> Iterator[tuple[tuple[int, int], str]]:
    for one in stated:
        name = next((value for key, value in one.items() if key.endswith(b":id")), b"")
        target, place = known.get(name), _text(one.get(b"location", b""))
        if target:
            cells = _cells(_text(one.get(b"ref", b"")))
            yield from ((cell, f"{target}#{place}" if place and "#" not in target else target) for cell in cells)


def _by_formula(xml: bytes) -> Iterator[tuple[tuple[int, int], str]]:
    for found in _FORMULA.finditer(xml):
        target = _FIRST_TEXT.match(_text(found[3]))
        if target and not target[1].startswith("#"):
            yield (int(found[2]), _column(found[1].decode())), target[1].replace('""', '"')


def _targets(archive: ZipFile, path: str) -> Mapping[bytes, str]:
    """Return the addresses out of the workbook that the sheet at the path refers to, by its names for them."""
    links = join(dirname(path), "_rels", f"{basename(path)}.rels")
    if links not in archive.namelist():
        return {}
    stated = (dict(_ATTRIBUTE.findall(one[1])) for one in _RELATION.finditer(archive.read(links)))
    return {
        one[b"Id"]: _text(one[b"Target"])
        for one in stated
        if one.get(b"TargetMode") == b"External" and b"Id" in one and b"Target" in one
    }


def _cells(area: str) -> Iterator[tuple[int, int]]:
    """Yield the cells of an area such as B2 or B2:C9."""
    found = _RANGE.fullmatch(area)
    if found is None:
        return
    left, first = _column(found[1]), int(found[2])
    right, last = (_column(found[3]), int(found[4])) if found[3] else (left, first)
    yield from product(range(first, last + 1), range(left, right + 1))


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _text(value: bytes) -> str:
    return unescape(value.decode("utf-8", "replace"))
