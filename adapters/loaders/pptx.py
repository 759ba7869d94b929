"""PowerPoint presentations: each slide a section, with its page."""

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import count
from typing import Any, Final

from adapters.loaders import table
from adapters.loaders.office import check_package
from adapters.loaders.pptx_graphics import chart_pieces, diagram_pieces
from adapters.loaders.reading import Reading
from core.errors import IngestError
from core.ingest.pieces import Piece, one_line
from core.ingest.raised import lowered, raised

_CYRILLIC = re.compile(r"[А-Яа-яЁё]")
# What PowerPoint prints at the edge of every slide.
_FURNITURE: Final = frozenset(("DATE", "FOOTER", "HEADER", "SLIDE_NUMBER"))
_LISTS: Final = frozenset(("BODY", "OBJECT", "VERTICAL_BODY", "VERTICAL_OBJECT"))
_TITLES: Final = frozenset(("TITLE", "CENTER_TITLE", "VERTICAL_TITLE"))


def read_pptx(data: bytes, path: str) -> Reading:
    """Return a presentation as a reader sees it: titles, lists, tables, charts, notes. Hidden slides are left out."""
    check_package(data, path, "PowerPoint")
    from pptx import Presentation

    numbers = count()
    try:
        slides = [(page, slide) for page, slide in enumerate(Presentation(BytesIO(data)).slides, 1) if _is_seen(slide)]
        return Reading(tuple(piece for page, slide in slides for piece in _slide(slide, page, numbers, path)))
    except IngestError:
        raise
    # python-pptx reports a broken presentation by whatever its XML, its look-ups or its conversions raise.
    except Exception as error:
        raise IngestError(path, "is a broken PowerPoint file: open it in PowerPoint and save it again") from error


def _is_seen(slide: Any) -> bool:
    return slide.element.get("show") not in ("0", "false")


def _slide(slide: Any, page: int, numbers: Iterator[int], path: str) -> Iterator[Piece]:
    shapes = [shape for shape in _shapes(slide.shapes) if _place_of(shape) not in _FURNITURE]
    titles = [shape for shape in shapes if _place_of(shape) in _TITLES and one_line(shape.text_frame.text)]
    pieces = [piece for shape in shapes if shape not in titles for piece in _shape(shape, page, numbers, path)]
    notes = list(_notes(slide, page))
    russian = bool(_CYRILLIC.search(" ".join(piece.text for piece in (*pieces, *notes))))
    if not (titles or pieces or notes):
        return
    title = " ".join(one_line(shape.text_frame.text) for shape in titles)
    yield Piece("heading", title or f"{'Слайд' if russian else 'Slide'} {page}", depth=1, page=page)
    yield from pieces
    if notes:
        yield Piece("heading", "Заметки" if russian else "Notes", depth=2, page=page)
        yield from notes


def _shapes(shapes: Iterable[Any]) -> Iterator[Any]:
    """Yield the shapes, those of a group one after the other."""
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes)
        else:
            yield shape


def _place_of(shape: Any) -> str:
    """Return what the layout has the shape for, such as BODY; nothing for a shape of the slide's own."""
    kind = shape.placeholder_format.type if shape.is_placeholder else None
    return kind.name if kind is not None else "OBJECT" if shape.is_placeholder else ""


def _shape(shape: Any, page: int, numbers: Iterator[int], path: str) -> Iterator[Piece]:
    if shape.has_table:
        rows = table.bounded(_rows(shape.table), path)
        yield from table.pieces_of(rows, numbers, table.Heads(likely=bool(shape.table.first_row)), page=page)
    elif shape.has_chart:
        yield from chart_pieces(shape.chart, numbers, page, path)
    elif shape.has_text_frame:
        yield from _texts(shape, page, next(numbers))
    else:
        yield from diagram_pieces(shape.element, shape.part, next(numbers), page)


def _rows(grid: Any) -> Iterator[list[str]]:
    """Yield the rows of a table; a cell merged over several is in each of them."""
    above: list[str] = []
    for row in grid.rows:
        cells = [(cell, "\n".join(map(_words, cell.text_frame.paragraphs))) for cell in row.cells]
        texts = [
            above[place] if cell._tc.vMerge and place < len(above) else text  # noqa: SLF001 - as in _bullet
            for place, (cell, text) in enumerate(cells)
        ]
        above = texts
        yield texts


def _texts(shape: Any, page: int, series: int) -> Iterator[Piece]:
    """Yield the paragraphs of a shape: a list where the layout or the paragraph itself puts bullets."""
    lines = [(line, text) for line in shape.text_frame.paragraphs if (text := one_line(_words(line)))]
    listed = _place_of(shape) in _LISTS and len(lines) > 1
    for line, text in lines:
        if _bullet(line, usual=listed):
            yield Piece("item", text, depth=line.level, series=series, page=page)
        else:
            yield Piece("paragraph", text, page=page)


def _words(line: Any) -> str:
    """Return the words of a paragraph: without what is struck out, and with raised and lowered digits told apart."""
    runs = [run for run in line._p if run.tag.endswith(("}r", "}br", "}fld"))]  # noqa: SLF001 - as in _bullet
    known = [(run.text or "", run.find("{*}rPr")) for run in runs]
    shown = ""
    for place, (text, properties) in enumerate(known):
        stated = {} if properties is None else properties.attrib
        raises = stated.get("baseline", "0").rstrip("%")
        if stated.get("strike", "noStrike") != "noStrike":
            continue
        if raises.startswith("-"):
            shown += lowered(text, shown)
        elif raises.strip("0."):
            shown += raised(text, shown, "".join(after for after, _ in known[place + 1 :]))
        else:
            shown += text
    return shown


def _bullet(line: Any, *, usual: bool) -> bool:
    properties = line._p.pPr  # noqa: SLF001 - python-pptx has no other way to a paragraph's marks
    marks = {child.tag.rpartition("}")[2] for child in (properties if properties is not None else ())}
    return bool(marks & {"buChar", "buAutoNum", "buBlip"}) or (usual and "buNone" not in marks)


def _notes(slide: Any, page: int) -> Iterator[Piece]:
    frame = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    for line in frame.paragraphs if frame is not None else ():
        if text := one_line(_words(line)):
            yield Piece("paragraph", text, page=page)
