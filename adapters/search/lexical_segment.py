"""A run of rows with its postings: made once, never changed, shared by every snapshot that holds it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adapters.search.lexical_port import Row
from adapters.search.lexical_tables import Tables

Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """Many lists of numbers, one after the other in `values`: the n-th lies between two neighbours of `starts`."""

    starts: NDArray[np.int64]
    values: Ints

    def of(self, places: NDArray[np.intp]) -> Ints:
        """Return the members of some of the lists, in the order of the places."""
        sizes = self.starts[places + 1] - self.starts[places]
        return self.values[_runs(self.starts[places], sizes)]


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Rows in corpus order. `live` says which are still there; the postings name the others too.

    `terms` are sorted; the rows that hold `terms[n]` are `postings.of(n)`, ascending, and `counts` lies beside
    `postings.values`. `held` has the distinct terms of each row.
    """

    ids: Sequence[str]
    places: Mapping[str, int]
    live: NDArray[np.bool_]
    lengths: Ints
    attributes: Ints
    terms: Ints
    postings: Lists
    counts: NDArray[Any]
    held: Lists

    @property
    def size(self) -> int:
        """Return how many rows are live."""
        return int(np.count_nonzero(self.live))

    def place(self, id_: str) -> int | None:
        """Return where the live row with this id stands."""
        place = self.places.get(id_)
        return place if place is not None and self.live[place] else None

    def without(self, places: Sequence[int]) -> "Segment":
        """Return the segment with these rows dead; everything else is shared."""
        live = self.live.copy()
        live[list(places)] = False
        return replace(self, live=live)

    def holding(self, term: int) -> tuple[Ints, NDArray[Any]]:
        """Return the rows that hold the term, dead ones too, and how often each holds it."""
        place = int(np.searchsorted(self.terms, np.int32(term)))  # of another type, all terms would be converted
        if place == len(self.terms) or self.terms[place] != term:
            return self.postings.values[:0], self.counts[:0]
        run = slice(self.postings.starts[place], self.postings.starts[place + 1])
        return self.postings.values[run], self.counts[run]

    def bytes(self) -> int:
        """Return the memory of the arrays."""
        lists = (self.postings.starts, self.postings.values, self.held.starts, self.held.values)
        return sum(a.nbytes for a in (self.live, self.lengths, self.attributes, self.terms, self.counts, *lists))


def segment_of(rows: Sequence[Row], tables: Tables) -> Segment:
    """Return the segment of the rows. Raises ValueError when two have the same id."""
    places = {row.id: place for place, row in enumerate(rows)}
    if len(places) < len(rows):
        twice = next(row.id for place, row in enumerate(rows) if places[row.id] != place)
        raise ValueError(f"two chunks have the id {twice!r}: give each chunk an id of its own")
    lengths = np.array([len(row.terms) for row in rows], dtype=np.int32)
    terms = tables.terms_of(rows, int(lengths.sum())).astype(np.int64)
    row_of = np.repeat(np.arange(len(rows), dtype=np.int64), lengths)
    every = np.sort(terms * max(len(rows), 1) + row_of)
    begun = first_places(every)
    term_of, rows_of = np.divmod(every[begun], max(len(rows), 1))
    counts = np.diff(begun, append=len(every))
    firsts = first_places(term_of)
    return Segment(
        tuple(row.id for row in rows),
        places,
        np.ones(len(rows), dtype=np.bool_),
        lengths,
        tables.attributes_of(rows),
        term_of[firsts].astype(np.int32),
        Lists(np.append(firsts, len(term_of)), rows_of.astype(np.int32)),
        counts.astype(np.min_scalar_type(counts.max(initial=0))),
        _held(term_of, rows_of, len(rows)),
    )


def joined(segments: Sequence[Segment]) -> Segment:
    """Return one segment with the live rows of all, in order: linear in the postings, nothing is sorted."""
    kept = [_compacted(segment) for segment in segments]
    ids = tuple(id_ for segment in kept for id_ in segment.ids)
    terms, postings, counts = _merged_postings(kept)
    return Segment(
        ids,
        {id_: place for place, id_ in enumerate(ids)},
        np.ones(len(ids), dtype=np.bool_),
        np.concatenate([segment.lengths for segment in kept]),
        np.concatenate([segment.attributes for segment in kept], axis=1),
        terms,
        postings,
        counts,
        Lists(
            _starts(np.concatenate([np.diff(segment.held.starts) for segment in kept])),
            np.concatenate([segment.held.values for segment in kept]),
        ),
    )


def _compacted(segment: Segment) -> Segment:
    """Return the segment without its dead rows (its `places` are left as they were)."""
    if segment.live.all():
        return segment
    alive = np.flatnonzero(segment.live)
    keep = segment.live[segment.postings.values]
    moved = (np.cumsum(segment.live, dtype=np.int32) - 1)[segment.postings.values[keep]]
    before = np.append(0, np.cumsum(keep, dtype=np.int64))[segment.postings.starts]
    there = np.diff(before) > 0
    return replace(
        segment,
        ids=tuple(segment.ids[place] for place in alive.tolist()),
        live=np.ones(len(alive), dtype=np.bool_),
        lengths=segment.lengths[alive],
        attributes=segment.attributes[:, alive],
        terms=segment.terms[there],
        postings=Lists(np.append(before[:-1][there], before[-1]), moved),
        counts=segment.counts[keep],
        held=Lists(_starts(np.diff(segment.held.starts)[alive]), segment.held.of(alive)),
    )


def _merged_postings(segments: Sequence[Segment]) -> tuple[Ints, Lists, NDArray[Any]]:
    """Return terms, postings and counts of the segments put one after the other."""
    terms = np.sort(np.concatenate([segment.terms for segment in segments]))
    terms = terms[first_places(terms)]
    at = [np.searchsorted(terms, segment.terms) for segment in segments]
    sizes = np.zeros(len(terms), dtype=np.int64)
    for places, segment in zip(at, segments, strict=True):
        sizes[places] += np.diff(segment.postings.starts)
    starts = _starts(sizes)
    rows = np.empty(starts[-1], dtype=np.int32)
    counts = np.empty(starts[-1], dtype=np.result_type(*(segment.counts.dtype for segment in segments)))
    free, base = starts[:-1].copy(), 0
    for places, segment in zip(at, segments, strict=True):
        own = np.diff(segment.postings.starts)
        target = _runs(free[places], own)
        rows[target] = segment.postings.values + np.int32(base)
        counts[target] = segment.counts
        free[places] += own
        base += len(segment.ids)
    return terms, Lists(starts, rows), counts


def first_places(ordered: NDArray[Any]) -> NDArray[np.int64]:
    """Return where each run of equal numbers begins."""
    begins = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=begins[1:])
    return np.flatnonzero(begins)


def _held(term_of: NDArray[np.int64], rows_of: NDArray[np.int64], count: int) -> Lists:
    span = int(term_of.max(initial=0)) + 1
    by_row = np.sort(rows_of * span + term_of)
    return Lists(_starts(np.bincount(rows_of, minlength=count)), (by_row % span).astype(np.int32))


def _starts(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.append(0, np.cumsum(sizes, dtype=np.int64))


def _runs(starts: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the numbers start, start + 1, … of each run, one run after the other."""
    ends = np.cumsum(sizes)
    places: NDArray[np.int64] = np.arange(int(sizes.sum())) + np.repeat(starts - (ends - sizes), sizes)
    return places
