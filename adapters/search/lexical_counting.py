"""What scores count for an audience: the rows that it may read, as if there were no others.

Otherwise a page that is closed to somebody would move what they are shown: how rare a word is, how long a row usually
is, and so which passages come first.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from adapters.search.lexical_okapi import Okapi, average_idf_of
from adapters.search.lexical_segment import Segment

Mask = NDArray[np.bool_]

_MOST_KNOWN = 512  # audiences whose counts a snapshot remembers, a few numbers each


@dataclass(frozen=True, slots=True)
class Counted:
    """The rows that count, as a mask, and what their terms are worth; without a mask all live rows do."""

    okapi: Okapi
    mask: Mask | None = None


@dataclass(eq=False, slots=True)
class Counting:
    """Counts for one audience after another over one snapshot. `lengths`: how many terms each row has."""

    segments: Sequence[Segment]
    bases: Sequence[int]
    lengths: NDArray[np.int32]
    _known: OrderedDict[frozenset[str], Okapi] = field(default_factory=OrderedDict, init=False)
    _average: float | None = field(default=None, init=False)
    _lock: Lock = field(default_factory=Lock, init=False)

    def of(self, groups: frozenset[str], mask: Mask, everybodys: Mask) -> Counted:
        """Return what counts for members of the groups, who may read what the mask lets through.

        What a term of more than half of the rows is worth needs an average over all terms, and so a pass over all
        postings: it is taken once, over the rows that everybody may read.
        """
        with self._lock:
            if self._average is None:
                self._average = average_idf_of(int(np.count_nonzero(everybodys)), self._histogram(everybodys))
            known = self._known.get(groups)
            if known is None:
                size, length = int(np.count_nonzero(mask)), int(self.lengths[mask].sum(dtype=np.int64))
                known = self._known[groups] = Okapi(size, length, self._average)
            self._known.move_to_end(groups)
            if len(self._known) > _MOST_KNOWN:
                self._known.popitem(last=False)
        return Counted(known, mask)

    def holding(self, term: int, mask: Mask) -> int:
        """Return how many of the rows that the mask lets through hold the term."""
        own = (
            (mask[base:], segment.holding(term)[0]) for base, segment in zip(self.bases, self.segments, strict=False)
        )
        return sum(int(np.count_nonzero(there[rows])) for there, rows in own if len(rows))

    def _histogram(self, mask: Mask) -> NDArray[np.int64]:
        """Return how many terms are held by how many of the rows that the mask lets through."""
        held = np.zeros(1 + max(int(segment.terms.max(initial=-1)) for segment in self.segments), dtype=np.int64)
        for base, segment in zip(self.bases, self.segments, strict=False):
            if len(segment.terms):
                there = mask[base : base + len(segment.ids)][segment.postings.values]
                held[segment.terms] += np.add.reduceat(there, segment.postings.starts[:-1], dtype=np.int64)
        return np.bincount(held, minlength=1)
