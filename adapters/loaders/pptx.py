"""PowerPoint presentations: each slide a section, with its page."""

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import count, groupby
from operator import itemgetter
from typing import Any, Final

from adapters.loaders import table
from adapters.loaders.office import check_package
from adapters.loaders.pptx_graphics import chart_pieces, diagram_pieces
from adapters.loaders.reading import Reading
from core.errors import IngestError
from core.ingest.linked import Linked, LinkedText, as_linked, joined, led, on_one_line
from core.ingest.pieces import Piece, one_line
from core.ingest.raised import lowered, raised

_CYRILLIC = re.compile(r"[А-Яа-яЁё]")
# What PowerPoint prints at the edge of every slide.
_FURNITURE: Final = frozenset(("DATE", "FOOTER", "HEADER", "SLIDE_NUMBER"))
_LISTS: Final = frozenset(("BODY", "OBJECT", "VERTICAL_BODY", "VERTICAL_OBJECT"))
_TITLES: Final = frozenset(("TITLE", "CENTER_TITLE", "VERTICAL_TITLE"))
# Runs behind a raised one that are looked at for what it stands before.
_NEAR: Final = 10
_LINK_ID: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


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
    title = joined((_line(line) for shape in titles for line in shape.text_frame.paragraphs), " ")
    shown = on_one_line(title if title.text.strip() else Linked(f"{'Слайд' if russian else 'Slide'} {page}"))
    yield Piece("heading", shown.text, depth=1, page=page, links=shown.links)
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
        cells = [(cell, _cell(cell.text_frame)) for cell in row.cells]
        texts = [
            above[place] if cell._tc.vMerge and place < len(above) else text  # noqa: SLF001 - as in _bullet
            for place, (cell, text) in enumerate(cells)
        ]
        above = texts
        yield texts


def _cell(frame: Any) -> str:
    words = joined(map(_line, frame.paragraphs), "\n")
    return LinkedText(words.text, words.links) if words.links else words.text


def _texts(shape: Any, page: int, series: int) -> Iterator[Piece]:
    """Yield the paragraphs of a shape: a list where the layout or the paragraph itself puts bullets.

    A shape that is pressed as a whole, such as a button, leads there with all of its words that lead nowhere else.
    """
    pressed = _target(shape.element.find(".//{*}cNvPr/{*}hlinkClick"), shape.part)
    lines = [(line, words) for line in shape.text_frame.paragraphs if (words := on_one_line(_line(line))).text]
    listed = _place_of(shape) in _LISTS and len(lines) > 1
    for line, words in lines:
        links = words.links or (led(words.text, pressed).links if pressed else ())
        if _bullet(line, usual=listed):
            yield Piece("item", words.text, depth=line.level, series=series, page=page, links=links)
        else:
            yield Piece("paragraph", words.text, page=page, links=links)


def _line(line: Any) -> Linked:
    """Return the words of a paragraph: without what is struck out, and with raised and lowered digits told apart."""
    runs = [run for run in line._p if run.tag.endswith(("}r", "}br", "}fld"))]  # noqa: SLF001 - as in _bullet
    known = [(run.text or "", run.find("{*}rPr")) for run in runs]
    shown, read = "", list[tuple[str | None, str]]()
    for place, (text, properties) in enumerate(known):
        words = _shown(text, properties, shown, "".join(after for after, _ in known[place + 1 : place + _NEAR]))
        shown += words
        read.append((None if properties is None else _target(properties.find("{*}hlinkClick"), line.part), words))
    groups = ((target, "".join(words for _, words in same)) for target, same in groupby(read, key=itemgetter(0)))
    return joined((as_linked(led(words, target) if target and words else words) for target, words in groups), "")


def _shown(text: str, properties: Any, before: str, after: str) -> str:
    """Return what is seen of a run between the words before and after it."""
    stated = {} if properties is None else properties.attrib
    raises = stated.get("baseline", "0").rstrip("%")
    if stated.get("strike", "noStrike") != "noStrike":
        return ""
    if raises.startswith("-"):
        return lowered(text, before)
    return raised(text, before, after) if raises.strip("0.") else text


def _target(link: Any, part: Any) -> str | None:
    """Return the address or path that a link leads to; None for none, and for what leads within the presentation."""
    known = part.rels.get(link.get(_LINK_ID)) if link is not None else None
    return known.target_ref if known is not None and known.is_external else None


def _bullet(line: Any, *, usual: bool) -> bool:
    properties = line._p.pPr  # noqa: SLF001 - python-pptx has no other way to a paragraph's marks
    marks = {child.tag.rpartition("}")[2] for child in (properties if properties is not None else ())}
    return bool(marks & {"buChar", "buAutoNum", "buBlip"}) or (usual and "buNone" not in marks)


def _notes(slide: Any, page: int) -> Iterator[Piece]:
    frame = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    for line in frame.paragraphs if frame is not None else ():
        if (words := on_one_line(_line(line))).text:
            yield Piece("paragraph", words.text, page=page, links=words.links)
