"""What Word shows and its converter does not know: outlines, numbers, text boxes, words hidden or struck out twice."""

from collections.abc import Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Final
from zipfile import ZIP_DEFLATED, ZipFile

from adapters.loaders.docx_numbers import write_numbers

if TYPE_CHECKING:
    from lxml.etree import _Element

# The style that a heading gets here, with its level behind; STYLES tells the converter what they are.
_STYLE: Final = "OutlineLevel"
_DEEPEST: Final = 6
STYLES: Final = "\n".join(f"p.{_STYLE}{level} => h{level}:fresh" for level in range(1, _DEEPEST + 1))
_DOCUMENT, _STYLES_PART, _NUMBERS = "word/document.xml", "word/styles.xml", "word/numbering.xml"
_BASED_LIMIT: Final = 20
_FIELDS_LIMIT: Final = 100
_CHOICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_OFF = frozenset(("0", "false", "off"))


def as_shown(data: bytes) -> bytes:
    """Return the document as Word shows it; as it is when all that its converter needs is in it.

    Its outline becomes heading styles, the numbers of its clauses words, what stands in text boxes paragraphs. Hidden
    text and tables of contents are left out.

    Raises what zip archives and XML raise when they are broken, and ValueError for fields that never end.
    """
    from lxml import etree

    with ZipFile(BytesIO(data)) as archive:
        names = archive.namelist()
        if _DOCUMENT not in names:
            return data
        parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
        document = etree.fromstring(archive.read(_DOCUMENT), parser)
        _check_fields(document)
        styles = etree.fromstring(archive.read(_STYLES_PART), parser) if _STYLES_PART in names else None
        numbering = etree.fromstring(archive.read(_NUMBERS), parser) if _NUMBERS in names else None
        levels = {} if styles is None else _levels(styles)
        changed = _hide(document) | _drop_contents(document) | _open_boxes(document)
        changed |= numbering is not None and write_numbers(document, styles, numbering)
        if not (changed | _mark(document, levels)):
            return data
        parts = {name: archive.read(name) for name in names}
    parts[_DOCUMENT] = etree.tostring(document, encoding="UTF-8", xml_declaration=True)
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as packed:
        for name, content in parts.items():
            packed.writestr(name, content)
    return out.getvalue()


def _check_fields(document: "_Element") -> None:
    """Raise ValueError when fields are opened in each other without end: for each run the converter looks at all."""
    depth = 0
    for mark in document.iter(f"{_W}fldChar"):
        depth += {"begin": 1, "end": -1}.get(mark.get(f"{_W}fldCharType", ""), 0)
        if depth > _FIELDS_LIMIT:
            raise ValueError("fields in fields without end")


def _hide(document: "_Element") -> bool:
    """Leave out the runs that Word does not show or strikes out by two lines, and say whether there were any."""
    hidden = [
        mark.getparent().getparent()
        for mark in document.iter(f"{_W}vanish", f"{_W}dstrike")
        if mark.get(f"{_W}val") not in _OFF and mark.getparent().getparent().tag == f"{_W}r"
    ]
    for run in hidden:
        if run.getparent() is not None:
            run.getparent().remove(run)
    return bool(hidden)


def _drop_contents(document: "_Element") -> bool:
    """Leave out tables of contents, and say whether there were any; one whose fields end elsewhere stays."""
    found = False
    for gallery in list(document.iter(f"{_W}docPartGallery")):
        held = next((above for above in gallery.iterancestors(f"{_W}sdt")), None)
        if held is None or gallery.get(f"{_W}val") != "Table of Contents" or held.getparent() is None:
            continue
        kinds = [mark.get(f"{_W}fldCharType") for mark in held.iter(f"{_W}fldChar")]
        if kinds.count("begin") == kinds.count("end"):
            held.getparent().remove(held)
            found = True
    return found


def _open_boxes(document: "_Element") -> bool:
    """Put what stands in text boxes under their paragraphs where nothing else repeats it, and say whether any was."""
    moved = False
    for box in list(document.iter(f"{_W}txbxContent")):
        above = list(box.iterancestors())
        choice = next((one for one in above if one.tag == f"{_CHOICE}AlternateContent"), None)
        repeated = choice is not None and choice.find(f"{_CHOICE}Fallback//{_W}txbxContent") is not None
        home = next((one for one in above if one.tag == f"{_W}p"), None)
        if repeated or home is None or not any(one.tag == f"{_W}drawing" for one in above):
            continue
        for child in reversed(box):
            home.addnext(child)
        moved = True
    return moved


def _levels(styles: "_Element") -> Mapping[str, int]:
    """Return the outline level of each style that has one, its own or that of a style it is based on, from 1.

    Not of Word's own headings: the converter knows them.
    """
    known = {style.get(f"{_W}styleId", ""): style for style in styles.iter(f"{_W}style")}
    found = {name: _level_of(style, known) for name, style in known.items() if not _is_heading(style)}
    return {name: level for name, level in found.items() if level}


def _is_heading(style: "_Element") -> bool:
    return _value(style, f"{_W}name").lower().startswith(("heading", "title"))


def _level_of(style: "_Element | None", known: Mapping[str, "_Element"]) -> int:
    for _ in range(_BASED_LIMIT):
        if style is None:
            return 0
        if stated := _value(style, f"{_W}pPr/{_W}outlineLvl"):
            return _level(stated)
        style = known.get(_value(style, f"{_W}basedOn"))
    return 0


def _mark(document: "_Element", levels: Mapping[str, int]) -> bool:
    """Give paragraphs with an outline level the style that says so, and say whether there were any."""
    from lxml import etree

    marked = False
    for properties in document.iter(f"{_W}pPr"):
        style = properties.find(f"{_W}pStyle")
        name = style.get(f"{_W}val", "") if style is not None else ""
        stated = _value(properties, f"{_W}outlineLvl")
        level = _level(stated) if stated else levels.get(name, 0)
        if not level:
            continue
        if style is None:
            style = etree.Element(f"{_W}pStyle")
            properties.insert(0, style)
        style.set(f"{_W}val", f"{_STYLE}{level}")
        marked = True
    return marked


def _level(stated: str) -> int:
    """Return the level from 1 to the deepest heading; 0 for body text, which Word calls 9."""
    return min(int(stated) + 1, _DEEPEST) if stated.isdecimal() and int(stated) < 9 else 0  # noqa: PLR2004


def _value(element: "_Element", path: str) -> str:
    found = element.find(path)
    return found.get(f"{_W}val", "") if found is not None else ""
