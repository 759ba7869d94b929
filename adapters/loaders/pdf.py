"""PDF documents: characters with their places, gathered into lines."""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from ctypes import c_int, create_string_buffer
from dataclasses import dataclass, field, replace
from itertools import groupby
from threading import Lock
from typing import Any, Final
from unicodedata import category

from adapters.loaders.closing import check_fields
from adapters.loaders.front_matter import meta_of
from adapters.loaders.pdf_links import Printed, printed_links, with_links
from adapters.loaders.pdf_marks import Glyph, labels_in, rejoined, size_of, with_marks
from adapters.loaders.reading import Reading
from core.errors import IngestError
from core.ingest.header import without_header
from core.ingest.pages import Cell, Line, pieces_of

# More is a library, not a document; about a minute of reading.
PAGES_LIMIT: Final = 5_000
CHARACTERS_LIMIT: Final = 3_000_000
# PDFium keeps global state: one document at a time.
_PDFIUM = Lock()
# A gap of this many type sizes parts two cells; a space between words is a quarter to a half.
_WIDE = 1.3
_BOLD = re.compile(rb"bold|black|heavy", re.IGNORECASE)
_FORCE_BOLD = 1 << 18
_LONGEST_NAME = 128
# Pages without text that the report names one by one.
_NAMED: Final = 10


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was seen beside the lines: pages without text that show images, and links."""

    scanned: list[int] = field(default_factory=list)
    links: list[Printed] = field(default_factory=list)


def read_pdf(data: bytes, path: str) -> Reading:
    """Return a PDF as a reader sees it. Scanned pages have no text and are refused with the remedy."""
    if b"%%EOF" not in data[-2_048:]:
        raise IngestError(path, "is cut off or not a PDF: fetch the file again")
    seen = _Seen()
    with _PDFIUM:
        lines = tuple(_lines(data, path, seen))
    if not lines:
        raise IngestError(path, "has no text, only images: run text recognition (OCR) on it first")
    header, pieces = without_header(pieces_of(lines))
    check_fields(header, path)
    return Reading(with_links(pieces, seen.links), meta_of(header), _unread(seen.scanned))


def _unread(scanned: Sequence[int]) -> tuple[str, ...]:
    """Return what to say of the pages that show only images."""
    named = ", ".join(map(str, scanned[:_NAMED])) + (f" and {len(scanned) - _NAMED:,} more" * (len(scanned) > _NAMED))
    what = f"page {named} shows" if len(scanned) == 1 else f"pages {named} show"
    return (f"is read, but {what} only images: run text recognition (OCR) on it",) if scanned else ()


def _lines(data: bytes, path: str, seen: _Seen) -> Iterator[Line]:
    import pypdfium2 as pdfium  # type: ignore[import-untyped, unused-ignore]

    try:
        document = pdfium.PdfDocument(data)
        try:
            yield from _document_lines(document, path, seen)
        finally:
            document.close()
    except pdfium.PdfiumError as error:
        raise IngestError(path, _reason(str(error))) from error


def _reason(message: str) -> str:
    if "password" in message.lower():
        return "is protected by a password: save a copy without one"
    return "is a broken PDF: export it again"


def _document_lines(document: Any, path: str, seen: _Seen) -> Iterator[Line]:
    if len(document) > PAGES_LIMIT:
        raise IngestError(path, f"has {len(document):,} pages, more than {PAGES_LIMIT:,}: split it")
    left = CHARACTERS_LIMIT
    for number in range(len(document)):
        page = document[number]
        text = page.get_textpage()
        left -= text.count_chars()
        if left < 0:
            raise IngestError(path, f"has more than {CHARACTERS_LIMIT:,} characters: split it")
        yield from _page_lines(page, text, number + 1, seen)


def _page_lines(page: Any, text: Any, number: int, known: _Seen) -> Iterator[Line]:
    """Yield the lines of the page; its links, and its number if it has images and no line, are added to `known`."""
    height = float(page.get_height())
    try:
        glyphs = list(_glyphs(text))
        known.links.extend(printed_links(page, glyphs, number))
        groups = groupby(glyphs, key=lambda glyph: glyph.text in "\r\n")
        seen = [list(line) for ends, line in groups if not ends]
        lines = rejoined(line for line in seen if any(map(_is_inked, line)))
        if not lines and _shows_images(page):
            known.scanned.append(number)
        notes = labels_in(lines)
        for line in lines:
            if any(map(_is_inked, settled := with_marks(line, notes))):
                yield _line(settled, number, height)
    finally:
        text.close()
        page.close()


def _shows_images(page: Any) -> bool:
    from pypdfium2 import raw

    return any(page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE]))


def _glyphs(text: Any) -> Iterator[Glyph]:
    """Yield the characters with their places; PDFium joins broken words, so a line end follows their hyphen."""
    from pypdfium2 import raw

    for place in range(text.count_chars()):
        left, bottom, right, _ = text.get_charbox(place, loose=True)
        size = round(raw.FPDFText_GetFontSize(text, place) * 2) / 2
        broken = raw.FPDFText_IsHyphen(text, place) == 1
        shown = "-" if broken else _character(raw.FPDFText_GetUnicode(text, place))
        glyph = Glyph(shown, left, right, bottom, size, _is_bold(text, place))
        yield glyph
        if broken:
            yield replace(glyph, text="\n")


def _is_bold(text: Any, place: int) -> bool:
    """Return whether the font is bold, by its name: few files state the weight."""
    from pypdfium2 import raw

    name, flags = create_string_buffer(_LONGEST_NAME), c_int()
    raw.FPDFText_GetFontInfo(text, place, name, _LONGEST_NAME, flags)
    return bool(_BOLD.search(name.value)) or bool(flags.value & _FORCE_BOLD)


def _character(code: int) -> str:
    """Return the character; a font without a table of characters gives codes that are none."""
    return chr(code) if 0 < code <= sys.maxunicode and category(chr(code)) != "Cs" else ""


def _line(glyphs: Sequence[Glyph], page: int, height: float) -> Line:
    inked = [glyph for glyph in glyphs if _is_inked(glyph)]
    size = size_of(inked)
    bold = sum(glyph.bold for glyph in inked) > len(inked) / 2
    return Line(tuple(_cells(glyphs, size)), inked[0].bottom, size, page, bold, height)


def _is_inked(glyph: Glyph) -> bool:
    return bool(glyph.text.strip())


def _cells(glyphs: Iterable[Glyph], size: float) -> Iterator[Cell]:
    run: list[Glyph] = []
    edge: float | None = None
    for glyph in glyphs:
        inked = bool(glyph.text.strip())
        if inked and edge is not None and glyph.left - edge > _WIDE * size:
            yield _cell(run)
            run = []
        run.append(glyph)
        edge = glyph.right if inked else edge
    yield _cell(run)


def _cell(run: list[Glyph]) -> Cell:
    inked = [glyph for glyph in run if glyph.text.strip()]
    return Cell("".join(glyph.text for glyph in run).strip(), inked[0].left, inked[-1].right)
