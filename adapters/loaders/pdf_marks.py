"""Raised digits of a printed line, told by their size and place."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from typing import Final

from core.ingest.raised import label_of, raised

# Shares of the line's type size: a raised mark is set in at most so much, and stands at least so much higher.
_SMALLER: Final = 0.82
_HIGHER: Final = 0.18
_MARK: Final = re.compile(r"[+−-]?\d[\d.,]{0,5}|[*†‡§]{1,3}|\[\d{1,3}\]|\w{1,2}")
_NOTE: Final = re.compile(r"(\d{1,2}|[*†‡§]{1,3})[.)]?\s+\S")


@dataclass(frozen=True, slots=True)
class Glyph:
    """A printed character; `bottom` grows upwards, as in PDF."""

    text: str
    left: float
    right: float
    bottom: float
    size: float
    bold: bool


def size_of(glyphs: Iterable[Glyph]) -> float:
    """Return the size that most of the printed characters have."""
    return Counter(glyph.size for glyph in glyphs if glyph.text.strip()).most_common(1)[0][0]


def rejoined(lines: Iterable[list[Glyph]]) -> list[list[Glyph]]:
    """Return the lines with those in one that PDFium ends at a raised mark: the next begins behind it, as low as it."""
    joined: list[list[Glyph]] = []
    for line in lines:
        last = [glyph for glyph in joined[-1] if glyph.text.strip()] if joined else []
        first = next(glyph for glyph in line if glyph.text.strip())
        begins = [glyph for glyph in last if glyph.size == first.size and abs(glyph.bottom - first.bottom) < 1]
        if begins and _raised_in(last)(last[-1]) and 0 <= first.left - last[-1].right < first.size:
            joined[-1] += [replace(first, text=" ", right=first.left), *line]
        else:
            joined.append(line)
    return joined


def labels_in(lines: Sequence[Sequence[Glyph]]) -> frozenset[str]:
    """Return the labels of the notes on a page: their lines begin with a raised mark, or are set in small type."""
    if not lines:
        return frozenset()
    body = size_of(glyph for line in lines for glyph in line)
    labels = set[str]()
    for line in lines:
        first = "".join(glyph.text for glyph in takewhile(_raised_in(line), line))
        small = _NOTE.match(_text(line)) if size_of(line) < body else None
        labels.add(label_of(first) or (small[1] if small else ""))
    return frozenset(labels - {""})


def with_marks(line: Sequence[Glyph], notes: AbstractSet[str]) -> Sequence[Glyph]:
    """Return the line with its raised marks as they read in plain text; those of the notes are left out."""
    is_raised = _raised_in(line)
    kept: list[Glyph] = []
    place = 0
    for moved, group in groupby(line, key=is_raised):
        run = list(group)
        place += len(run)
        mark = _text(run).strip()
        if moved and _MARK.fullmatch(mark):
            shown = _shown(mark, _text(kept), _text(line[place : place + 20]), notes)
            while shown[:1].strip() and kept and not kept[-1].text.strip():
                kept.pop()
            kept.append(replace(run[0], text=shown, right=run[-1].right))
        else:
            kept += run
    return kept


def _raised_in(line: Sequence[Glyph]) -> "_Raised":
    size = size_of(line)
    bottoms = Counter(round(glyph.bottom, 1) for glyph in line if glyph.size == size and glyph.text.strip())
    return _Raised(_SMALLER * size, bottoms.most_common(1)[0][0] + _HIGHER * size)


@dataclass(frozen=True, slots=True)
class _Raised:
    """Tells whether a character of a line is raised."""

    size: float
    bottom: float

    def __call__(self, glyph: Glyph) -> bool:
        return bool(glyph.text.strip()) and glyph.size <= self.size and glyph.bottom >= self.bottom


def _shown(mark: str, before: str, after: str, notes: AbstractSet[str]) -> str:
    if not before.strip() and label_of(mark) in notes:
        return ""
    return raised(mark, before.rstrip(), after, notes)


def _text(glyphs: Iterable[Glyph]) -> str:
    return "".join(glyph.text for glyph in glyphs)
