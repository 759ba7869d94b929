"""Raised and lowered marks of a web page as text, before its markup is lost."""

import re
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Final

from core.ingest.pieces import one_line
from core.ingest.raised import label_of, lowered, raised

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag
    from bs4.element import PageElement

_RAISED_BY_STYLE: Final = re.compile(r"vertical-align\s*:\s*(?:super|text-top)", re.IGNORECASE)
_TO_A_NOTE: Final = re.compile(r"^#")
# What flows within a line; any other element ends it.
_INLINE: Final = frozenset(
    "a abbr b bdi bdo cite code em font i ins kbd mark q small span strong sub sup u var".split()
)
# Characters and elements around a mark that tell what it is.
_NEAR, _STEPS = 40, 60


def write_marks(soup: "BeautifulSoup") -> None:
    """Write what `<sup>` and `<sub>` hold so that it cannot melt into the number before it.

    Marks that lead to a note on the same page are left out, and so are those of notes that begin with their mark.
    """
    notes = set[str]()
    marks = []
    for mark in [*soup.find_all("sup"), *soup.find_all(style=_RAISED_BY_STYLE)]:
        if mark.find_parent("sup"):
            mark.unwrap()
            continue
        label = label_of(mark.get_text())
        if label and not _before(mark).strip() and not _after(mark).startswith(("/", "⁄")):
            notes.add(label)
            _write(mark, "")
        elif mark.select_one('a[href^="#"]') or mark.find_parent("a", href=_TO_A_NOTE):
            _write(mark, "")
        else:
            marks.append(mark)
    for mark in marks:
        _write(mark, raised(one_line(mark.get_text()), _before(mark), _after(mark), notes))
    for mark in soup.find_all("sub"):
        _write(mark, lowered(one_line(mark.get_text()), _before(mark)))


def _write(mark: "Tag", shown: str) -> None:
    """Put the text in the place of what the mark holds: to take it out of a long line takes as long as that is."""
    if shown != one_line(mark.get_text()):
        mark.clear()
        mark.append(shown)
    mark.name = "span"


def _before(mark: "Tag") -> str:
    return _text(mark.previous_elements, backwards=True)


def _after(mark: "Tag") -> str:
    *_, last = (mark, *mark.descendants)
    return _text(last.next_elements, backwards=False)


def _text(elements: "Iterable[PageElement]", *, backwards: bool) -> str:
    """Return the text of the line on one side of the mark, as much of it as tells."""
    from bs4 import Tag
    from bs4.element import NavigableString

    found = ""
    for element in islice(elements, _STEPS):
        if isinstance(element, Tag):
            if element.name not in _INLINE:
                break
        elif type(element) is NavigableString:
            found = f"{element}{found}" if backwards else f"{found}{element}"
        if len(found) > _NEAR:
            break
    return re.sub(r"\s+", " ", found[-_NEAR:] if backwards else found[:_NEAR])
