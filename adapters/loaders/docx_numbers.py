"""The numbers that Word counts: those of clauses such as 3.2 become words of their paragraphs.

Headings count, too, and stay as they are: what is asked for is their words.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lxml.etree import _Element

_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SPACE: Final = "{http://www.w3.org/XML/1998/namespace}space"
_PLACE: Final = re.compile(r"%([1-9])")
_HEADING: Final = re.compile(r"(?:heading|заголовок) [1-9]", re.IGNORECASE)
_ROMAN: Final = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
# Letters and Roman numbers beyond are written as digits.
_FEW: Final = 26
_BASED_LIMIT: Final = 20


@dataclass(slots=True)
class _Level:
    """How a level of a list is counted and written."""

    start: int = 1
    form: str = "decimal"
    text: str = ""
    style: str = ""


@dataclass(slots=True)
class _List:
    """The levels of a list, and how far each is counted."""

    levels: Mapping[int, _Level]
    counted: dict[int, int] = field(default_factory=dict)

    @property
    def of_clauses(self) -> bool:
        """Whether a level names those above it: then people speak of "clause 3.2"."""
        return any(len(_PLACE.findall(level.text)) > 1 for level in self.levels.values())

    def next(self, place: int) -> str:
        """Count one more on a level, and return how it is written."""
        level = self.levels[place]
        self.counted[place] = self.counted.get(place, level.start - 1) + 1
        self.counted = {one: n for one, n in self.counted.items() if one <= place}
        return _PLACE.sub(lambda found: self._shown(int(found[1]) - 1), level.text)

    def _shown(self, place: int) -> str:
        level = self.levels.get(place, _Level())
        return _written(self.counted.get(place, level.start), level.form)


def write_numbers(document: "_Element", styles: "_Element | None", numbering: "_Element") -> bool:
    """Write the numbers of clauses into the document, and say whether there were any."""
    from lxml import etree

    lists = _lists(numbering)
    known = {style.get(f"{_W}styleId", ""): style for style in (styles if styles is not None else ())}
    written = False
    for paragraph in document.iter(f"{_W}p"):
        style = _value(paragraph, f"{_W}pPr/{_W}pStyle")
        found = _place_of(paragraph, style, known, lists)
        if found is None:
            continue
        label = found[0].next(found[1]).strip()
        if not (label and found[0].of_clauses and _words(paragraph)) or _is_heading(style, known):
            continue
        run = etree.Element(f"{_W}r")
        text = etree.SubElement(run, f"{_W}t", {_SPACE: "preserve"})
        text.text = f"{label} "
        properties = paragraph.find(f"{_W}pPr")
        paragraph.insert(0 if properties is None else paragraph.index(properties) + 1, run)
        written = True
    return written


def _lists(numbering: "_Element") -> Mapping[str, _List]:
    """Return the lists by the number that paragraphs name; those over one definition are counted on together."""
    made: dict[str, _List] = {}
    for abstract in numbering.iter(f"{_W}abstractNum"):
        levels = {int(one.get(f"{_W}ilvl", "0")): _level(one) for one in abstract.iter(f"{_W}lvl")}
        made[abstract.get(f"{_W}abstractNumId", "")] = _List(levels)
    named: dict[str, _List] = {}
    for one in numbering.iter(f"{_W}num"):
        known = made.get(_value(one, f"{_W}abstractNumId"))
        if known is not None:
            anew = one.find(f".//{_W}startOverride") is not None
            named[one.get(f"{_W}numId", "")] = _List(known.levels) if anew else known
    return named


def _level(one: "_Element") -> _Level:
    start, form = _value(one, f"{_W}start"), _value(one, f"{_W}numFmt")
    is_written = form not in ("bullet", "none")
    text = _value(one, f"{_W}lvlText") if is_written else ""
    return _Level(int(start) if start.isdecimal() else 1, form, text[:50], _value(one, f"{_W}pStyle"))


def _place_of(
    paragraph: "_Element", style: str, known: Mapping[str, "_Element"], lists: Mapping[str, _List]
) -> tuple[_List, int] | None:
    """Return the list that the paragraph or its style stands in, and on which level."""
    for holder in (paragraph, *_styles(style, known)):
        properties = holder.find(f"{_W}pPr/{_W}numPr")
        if properties is None:
            continue
        found = lists.get(_value(properties, f"{_W}numId"))
        if found is None:
            return None
        stated = _value(properties, f"{_W}ilvl")
        by_style = next((place for place, level in found.levels.items() if style and level.style == style), 0)
        place = int(stated) if stated.isdecimal() else by_style
        return (found, place) if place in found.levels else None
    return None


def _styles(style: str, known: Mapping[str, "_Element"]) -> Iterator["_Element"]:
    for _ in range(_BASED_LIMIT):
        if (found := known.get(style)) is None:
            return
        yield found
        style = _value(found, f"{_W}basedOn")


def _is_heading(style: str, known: Mapping[str, "_Element"]) -> bool:
    return any(_HEADING.fullmatch(_value(one, f"{_W}name")) for one in _styles(style, known))


def _words(paragraph: "_Element") -> bool:
    return any((text.text or "").strip() for text in paragraph.iter(f"{_W}t"))


def _written(number: int, form: str) -> str:
    if not 1 <= number <= _FEW:
        return str(number)
    match form:
        case "lowerLetter" | "upperLetter":
            shown = chr(ord("a") + number - 1)
        case "lowerRoman" | "upperRoman":
            shown, left = "", number
            for worth, sign in _ROMAN:
                shown += sign * (left // worth)
                left %= worth
        case "russianLower" | "russianUpper":
            shown = "абвгдежзиклмнопрстуфхцчшщэ"[number - 1]
        case _:
            return str(number)
    return shown.upper() if form.endswith(("upperLetter", "upperRoman", "Upper")) else shown


def _value(element: "_Element", path: str) -> str:
    found = element.find(path)
    return found.get(f"{_W}val", "") if found is not None else ""
