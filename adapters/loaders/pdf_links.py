"""Links of printed pages: which words they stand on, and where these words are once lines have become pieces."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from ctypes import byref, c_int, create_string_buffer
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, groupby, islice, takewhile
from operator import itemgetter
from typing import Any, Final

from adapters.loaders.pdf_marks import Glyph
from core.facts import Link, Span
from core.ingest.pieces import Piece

# More on a page is no text that anybody reads.
_MOST_LINKS: Final = 1_000
_LONGEST_TARGET: Final = 2_000
# Letters and digits before and after a link that tell its words from the same ones elsewhere on the page: so many are
# looked at, so many have to be the same, unless so long a label stands only once.
_NEAR, _SAME, _LONG = 40, 6, 12
_MOST_PLACES: Final = 1_000

_Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Printed:
    """The words of a link on a page, and what is printed before and after them: letters and digits alone."""

    target: str
    page: int
    label: str
    before: str
    after: str


def printed_links(page: Any, glyphs: Sequence[Glyph], number: int) -> Iterator[Printed]:
    """Yield the links of a PDF's page that lead out of the document, in the order of its characters."""
    letters = [glyph for glyph in glyphs if glyph.text.isalnum()]
    targets = _targets(list(islice(_boxes(page), _MOST_LINKS)), letters)
    text = "".join(glyph.text[:1] for glyph in letters)
    for target, start, end in _runs(targets):
        yield Printed(target, number, text[start:end], text[max(0, start - _NEAR) : start], text[end : end + _NEAR])


def with_links(pieces: Iterable[Piece], links: Sequence[Printed]) -> tuple[Piece, ...]:
    """Return the pieces with the links that are found again in them.

    What is not sure is left out: words that were printed and are no text, such as the names of columns, and those that
    stand in several places alike.
    """
    if not links:
        return tuple(pieces)
    known = list(pieces)
    found: dict[int, list[Link]] = {}
    for number, group in groupby(links, key=lambda link: link.page):
        # A sentence that runs over a page is of the one that it begins on.
        pages = [_Page(known, one) for one in (number, number - 1)]
        for link in group:
            for place, at in islice(chain.from_iterable(page.place_of(link) for page in pages), 1):
                found.setdefault(place, []).append(at)
    for place, led in found.items():
        known[place] = replace(known[place], links=tuple(sorted(led, key=lambda link: link.span.start)))
    return tuple(known)


class _Page:
    """The letters and digits of a page's pieces, one after the other, each with its piece and its place in it."""

    def __init__(self, pieces: Sequence[Piece], number: int) -> None:
        self._pieces = [(place, piece.text) for place, piece in enumerate(pieces) if piece.page == number]
        self._taken: set[int] = set()

    @cached_property
    def _letters(self) -> list[tuple[str, int, int]]:
        return [(char, place, at) for place, text in self._pieces for at, char in enumerate(text) if char.isalnum()]

    @cached_property
    def _text(self) -> str:
        return "".join(char for char, _, _ in self._letters)

    def place_of(self, link: Printed) -> Iterator[tuple[int, Link]]:
        """Yield the piece that the words of the link stand in, and the link with its place there, if that is sure."""
        ranked = sorted(((self._alike(link, at), at) for at in self._places(link.label)), reverse=True)
        if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
            return
        alike, at = ranked[0]
        if alike >= min(_SAME, len(link.before) + len(link.after)) or (len(ranked) == 1 and len(link.label) >= _LONG):
            self._taken.add(at)
            _, place, start = self._letters[at]
            end = self._letters[at + len(link.label) - 1][2] + 1
            yield place, Link(link.target, Span(start, end))

    def _places(self, label: str) -> Iterator[int]:
        """Yield where the label stands within one piece and no link is yet."""
        at = self._text.find(label)
        for _ in range(_MOST_PLACES):
            if at < 0:
                return
            if at not in self._taken and self._letters[at][1] == self._letters[at + len(label) - 1][1]:
                yield at
            at = self._text.find(label, at + 1)

    def _alike(self, link: Printed, at: int) -> int:
        before, after = self._text[max(0, at - _NEAR) : at], self._text[at + len(link.label) :][:_NEAR]
        return _shared(reversed(before), reversed(link.before)) + _shared(after, link.after)


def _shared(left: Iterable[str], right: Iterable[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False)))


def _runs(targets: Mapping[int, str]) -> Iterator[tuple[str, int, int]]:
    """Yield the target, the first and one more than the last of letters that stand together and lead to one place."""
    run: list[int] = []
    for place in sorted(targets):
        if run and (place != run[-1] + 1 or targets[place] != targets[run[0]]):
            yield targets[run[0]], run[0], run[-1] + 1
            run = []
        run.append(place)
    if run:
        yield targets[run[0]], run[0], run[-1] + 1


def _targets(boxes: Sequence[tuple[str, _Box]], letters: Sequence[Glyph]) -> dict[int, str]:
    """Return the target of each letter whose middle is in a box, by its place."""
    if not boxes:
        return {}
    by_height = sorted((glyph.bottom + glyph.size / 2, place) for place, glyph in enumerate(letters))
    found: dict[int, str] = {}
    for target, (left, bottom, right, top) in boxes:
        first = bisect_left(by_height, bottom, key=itemgetter(0))
        last = bisect_right(by_height, top, key=itemgetter(0))
        for _, place in by_height[first:last]:
            if left <= (letters[place].left + letters[place].right) / 2 <= right:
                found[place] = target
    return found


def _boxes(page: Any) -> Iterator[tuple[str, _Box]]:
    """Yield the target and a box of each link, several where it runs over lines."""
    from pypdfium2 import raw

    place, link = c_int(0), raw.FPDF_LINK()
    while raw.FPDFLink_Enumerate(page.raw, byref(place), byref(link)):
        target = _target(page.pdf.raw, raw.FPDFLink_GetAction(link))
        quads = [_quad(link, number) for number in range(min(raw.FPDFLink_CountQuadPoints(link), _MOST_LINKS))]
        yield from ((target, box) for box in (quads or [_rectangle(link)]) if target)


def _target(document: Any, action: Any) -> str:
    """Return the address or path that an action leads to; nothing for a place in the document and all the rest."""
    from pypdfium2 import raw

    kind = raw.FPDFAction_GetType(action) if action else raw.PDFACTION_UNSUPPORTED
    told = create_string_buffer(_LONGEST_TARGET)
    if kind == raw.PDFACTION_URI:
        length = raw.FPDFAction_GetURIPath(document, action, told, _LONGEST_TARGET)
    elif kind in (raw.PDFACTION_REMOTEGOTO, raw.PDFACTION_LAUNCH):
        length = raw.FPDFAction_GetFilePath(action, told, _LONGEST_TARGET)
    else:
        length = 0
    return told.value.decode("utf-8", "replace").strip() if 0 < length <= _LONGEST_TARGET else ""


def _rectangle(link: Any) -> _Box:
    from pypdfium2 import raw

    box = raw.FS_RECTF()
    raw.FPDFLink_GetAnnotRect(link, byref(box))
    return min(box.left, box.right), min(box.bottom, box.top), max(box.left, box.right), max(box.bottom, box.top)


def _quad(link: Any, number: int) -> _Box:
    from pypdfium2 import raw

    quad = raw.FS_QUADPOINTSF()
    raw.FPDFLink_GetQuadPoints(link, number, byref(quad))
    across, up = (quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4)
    return min(across), min(up), max(across), max(up)
