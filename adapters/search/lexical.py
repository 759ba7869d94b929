"""Lexical search in memory: rank-bm25's scores over postings, in snapshots that share what did not change."""

import math
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate, islice
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from adapters.search.lexical_counting import Counted, Counting, Mask
from adapters.search.lexical_okapi import Okapi, average_idf_of
from adapters.search.lexical_port import Row, Where
from adapters.search.lexical_segment import Segment, first_places, joined, segment_of
from adapters.search.lexical_store import compacted, read, write
from adapters.search.lexical_tables import DOC, Tables, fits

_BLOCK = 8_192  # rows turned into postings at a time: bounds what building needs beside the index
_SMALL = 512  # rows that `changed` may join on its way: about a millisecond
# Filters remembered by a snapshot, a byte a row each: at least and at most so many, and between them so many bytes.
_FEWEST_MASKS, _MOST_MASKS, _MASK_BYTES = 32, 512, 32 * 1024**2
EVERYBODYS = Where(frozenset())  # what everybody may read
_SAMPLE = 32  # every so many-th score tells how high the best ones are at least


class LexicalIndex:
    """One snapshot of an index: never changed, safe to be read by any number of threads.

    Corpus order is the order in which live rows were added. Make snapshots with `of`, `load`, `changed` and `merged`;
    one writer at a time makes the next of a line of snapshots, while readers use the one they have.
    """

    def __init__(
        self,
        tables: Tables,
        segments: Sequence[Segment],
        held: NDArray[np.int32],
        histogram: NDArray[np.int64],
    ) -> None:
        self._tables = tables
        self._segments = tuple(segment for segment in segments if segment.live.any()) or (segment_of([], tables),)
        self._held = held
        self._histogram = histogram
        self._bases = [0, *accumulate(len(segment.ids) for segment in self._segments)]
        self._live: Mask = np.concatenate([segment.live for segment in self._segments])
        self._size = int(np.count_nonzero(self._live))
        lengths = np.concatenate([segment.lengths for segment in self._segments])
        length = int(lengths[self._live].sum(dtype=np.int64))
        self._whole = Counted(Okapi(self._size, length, average_idf_of(self._size, histogram)))
        self._norms = self._whole.okapi.norms(lengths)
        self._counting = Counting(self._segments, self._bases, lengths)
        self._masks: OrderedDict[Where, Mask] = OrderedDict()
        self._masking = Lock()

    @classmethod
    def of(cls, rows: Iterable[Row]) -> "LexicalIndex":
        """Return the index of the rows. Raises ValueError when two have the same id."""
        tables, segments = Tables(), list[Segment]()
        for block in _blocks(rows):
            segment = segment_of(block, tables)
            _refuse_known(segment, segments)
            segments.append(segment)
        return cls._counted(tables, joined(segments) if segments else segment_of([], tables))

    @classmethod
    def load(cls, path: Path) -> "LexicalIndex":
        """Return the index that was saved. Raises SearchError when the file is not a whole index of this format."""
        return cls._counted(*read(path))

    @classmethod
    def _counted(cls, tables: Tables, segment: Segment) -> "LexicalIndex":
        held = np.zeros(len(tables.terms), dtype=np.int32)
        held[segment.terms] = np.diff(segment.postings.starts)
        return cls(tables, [segment], held, np.bincount(held, minlength=1))

    def save(self, path: Path) -> None:
        """Write the live rows as one file; what was there before stays until the new one is whole."""
        write(path, *compacted(self._tables, self._segments))

    def __len__(self) -> int:
        return self._size

    def __contains__(self, id_: object) -> bool:
        return isinstance(id_, str) and any(segment.place(id_) is not None for segment in self._segments)

    def changed(self, removed_ids: Iterable[str], added_rows: Iterable[Row]) -> "LexicalIndex":
        """Return the snapshot without some rows and with others at the end; unknown ids to remove are passed over.

        Costs what the change needs and a pass over one number a row and a term, never a pass over the postings.
        Raises ValueError when an added id is there twice, or is there already and not removed.
        """
        segments, gone = self._without(frozenset(removed_ids))
        coming = segment_of(list(added_rows), self._tables)
        _refuse_known(coming, segments)
        held, histogram = self._recounted(gone, coming)
        return LexicalIndex(self._tables, _tidied([*segments, coming]), held, histogram)

    def _without(self, ids: Collection[str]) -> tuple[list[Segment], NDArray[np.int32]]:
        """Return the segments with these rows dead, and the distinct terms of each of the rows."""
        segments: list[Segment] = []
        gone = [np.zeros(0, dtype=np.int32)]
        for segment in self._segments:
            places = [place for id_ in ids if (place := segment.place(id_)) is not None]
            if places:
                gone.append(segment.held.of(np.array(places)))
            segments.append(segment.without(places) if places else segment)
        return segments, np.concatenate(gone)

    def _recounted(self, gone: NDArray[np.int32], coming: Segment) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return how many rows hold each term after the change, and how many terms are held by how many rows."""
        before = np.zeros(max(len(self._tables.terms), len(self._held)), dtype=np.int32)
        before[: len(self._held)] = self._held
        after = before.copy()
        np.subtract.at(after, gone, 1)
        after[coming.terms] += np.diff(coming.postings.starts).astype(np.int32)
        touched = np.sort(np.concatenate([gone, coming.terms]))
        touched = touched[first_places(touched)]
        highest = max(len(self._histogram) - 1, int(after[touched].max(initial=0)))
        histogram = np.zeros(highest + 1, dtype=np.int64)
        histogram[: len(self._histogram)] = self._histogram
        np.subtract.at(histogram, before[touched], 1)
        np.add.at(histogram, after[touched], 1)
        return after, histogram

    @property
    def wants_merging(self) -> bool:
        """Return whether `merged` would make later searches cheaper."""
        return self._wasteful() or any(len(group) > 1 for group in _groups(self._segments))

    def merged(self) -> "LexicalIndex":
        """Return the same rows in fewer segments, at most one for each doubling of the size.

        Costs up to a pass over all postings (a second at 100,000 rows): call it in a worker thread, with no other
        change of this snapshot meanwhile. Called now and then, it passes over each row a logarithmic number of times.
        """
        if self._wasteful():
            return LexicalIndex._counted(*compacted(self._tables, self._segments))
        groups = _groups(self._segments)
        segments = [joined(group) if len(group) > 1 else group[0] for group in groups]
        return LexicalIndex(self._tables, segments, self._held, self._histogram)

    def _wasteful(self) -> bool:
        """Return whether a third of the rows is dead, or more than half of the terms are."""
        dead_terms = len(self._tables.terms) - int(np.count_nonzero(self._held))
        return 3 * self._size < 2 * len(self._live) or 2 * dead_terms > len(self._tables.terms)

    def scores(self, terms: Sequence[str]) -> NDArray[np.float64]:
        """Return one score for each live row in corpus order, as rank-bm25 computes it over these rows."""
        return self._scored(terms, self._whole)[0][self._live]

    def _scored(self, terms: Sequence[str], counted: Counted) -> tuple[NDArray[np.float64], Mask]:
        """Return a score for each row, and which rows hold any of the terms; dead rows have both too."""
        scores = np.zeros(len(self._live))
        unclear = np.zeros(len(self._live), dtype=np.bool_)
        norms = self._norms if counted.mask is None else counted.okapi.norms(self._counting.lengths)
        for term in terms:
            code = self._tables.terms.get(term)
            held = 0 if code is None else self._count(code, counted)
            if code is None or not held:
                continue
            idf = counted.okapi.idf_of(held)
            for base, segment in zip(self._bases, self._segments, strict=False):
                rows, counts = segment.holding(code)
                if not len(rows):
                    continue
                there = slice(base, base + len(segment.ids))
                counted.okapi.add(scores[there], idf, rows, counts, norms[there])
                if idf <= 0:  # a term of half the rows scores 0, and in a tiny corpus a frequent one less
                    unclear[there][rows] = True
        return scores, (scores != 0) | unclear

    def find(
        self, terms: Sequence[str], limit: int, allowed: Where | Mask | Collection[str] | None = None
    ) -> dict[str, float]:
        """Return the best rows that hold any of the terms, best first, ties in corpus order, with their scores.

        `allowed`: a filter, the mask that `rows_where` of this snapshot gave, or ids; None allows every row. With a
        filter scores count, of the rows, those that its groups may read, and with all else every row.
        """
        scores, matched = self._scored(terms, self._counted_for(allowed))
        matched &= self._mask(allowed)
        best = _best(scores, matched, limit)
        return {self._id(int(row)): float(scores[row]) for row in best}

    def rows_where(self, where: Where) -> Mask:
        """Return which rows of this snapshot the filter lets through, dead ones never; not to be written to."""
        with self._masking:
            known = self._masks.get(where)
            if known is None:
                fitting = [fits(where, self._tables, segment.attributes) for segment in self._segments]
                known = np.concatenate(fitting) & self._live
                known.setflags(write=False)
                self._masks[where] = known
            self._masks.move_to_end(where)
            if len(self._masks) > min(max(_FEWEST_MASKS, _MASK_BYTES // max(len(known), 1)), _MOST_MASKS):
                self._masks.popitem(last=False)
            return known

    def _mask(self, allowed: Where | Mask | Collection[str] | None) -> Mask:
        if allowed is None:
            return self._live
        if isinstance(allowed, Where):
            return self.rows_where(allowed)
        if isinstance(allowed, np.ndarray):
            if allowed.shape != self._live.shape:
                raise ValueError("the mask is of another snapshot: ask `rows_where` of the one that is searched")
            return allowed & self._live
        mask = np.zeros(len(self._live), dtype=np.bool_)
        mask[[row for id_ in allowed if (row := self._row(id_)) is not None]] = True
        return mask

    def _counted_for(self, allowed: Where | Mask | Collection[str] | None) -> Counted:
        """Return what scores count: with a filter all that its groups may read, also what else it leaves out."""
        if not isinstance(allowed, Where):
            return self._whole
        everybodys = self.rows_where(EVERYBODYS)
        if np.count_nonzero(everybodys) == self._size:
            return self._whole
        return self._counting.of(allowed.groups, self.rows_where(Where(allowed.groups)), everybodys)

    def weights(self, terms: Sequence[str], where: Where | None = None) -> dict[str, float]:
        """Return how rare each term is among what the filter's groups may read (BM25's smoothed idf).

        A term that no row holds is as rare as can be.
        """
        counted = self._counted_for(where)
        size = max(int(counted.okapi.corpus_size), 1)
        held = {term: max(self.holding(term, counted), 1) for term in terms}
        return {term: math.log(1 + (size - n + 0.5) / (n + 0.5)) for term, n in held.items()}

    def size(self, where: Where | None = None) -> int:
        """Return how many live rows there are, with a filter of those that its groups may read."""
        return int(self._counted_for(where).okapi.corpus_size)

    def holding(self, term: str, counted: Counted | None = None) -> int:
        """Return how many live rows hold the term, of those that are counted."""
        code = self._tables.terms.get(term)
        return 0 if code is None else self._count(code, counted or self._whole)

    def terms_in(self, ids: Collection[str], terms: Collection[str]) -> dict[str, frozenset[str]]:
        """Return for each of the rows that there is which of the terms it holds."""
        codes = {self._tables.terms.get(term): term for term in terms}
        held: dict[str, frozenset[str]] = {}
        for segment in self._segments:
            for id_ in ids:
                if (place := segment.place(id_)) is not None:
                    own = segment.held.of(np.array([place])).tolist()
                    held[id_] = frozenset(codes[code] for code in own if code in codes)
        return held

    def ids_of(self, doc_ids: Collection[str]) -> list[str]:
        """Return the live rows of these documents, in corpus order."""
        wanted = [code for doc_id in doc_ids if (code := self._tables.docs.get(doc_id)) is not None]
        return [
            segment.ids[place]
            for segment in self._segments
            for place in np.flatnonzero(np.isin(segment.attributes[DOC], wanted) & segment.live).tolist()
        ]

    def document_of(self, id_: str) -> str:
        """Return the document of a live row. Raises KeyError when there is no such row."""
        for segment in self._segments:
            place = segment.place(id_)
            if place is not None:
                return self._tables.doc_named(int(segment.attributes[DOC, place]))
        raise KeyError(id_)

    def bytes(self) -> int:
        """Return the memory of the arrays; words and ids, kept once each, come on top."""
        own = (self._held, self._histogram, self._live, self._norms)
        return sum(segment.bytes() for segment in self._segments) + sum(array.nbytes for array in own)

    def _count(self, code: int, counted: Counted) -> int:
        if counted.mask is not None:
            return self._counting.holding(code, counted.mask)
        return int(self._held[code]) if code < len(self._held) else 0

    def _row(self, id_: str) -> int | None:
        for base, segment in zip(self._bases, self._segments, strict=False):
            place = segment.place(id_)
            if place is not None:
                return base + place
        return None

    def _id(self, row: int) -> str:
        number = bisect_right(self._bases, row) - 1
        return self._segments[number].ids[row - self._bases[number]]


def _best(scores: NDArray[np.float64], matched: Mask, limit: int) -> NDArray[np.intp]:
    """Return the places of the best scores among the matched, best first, ties by place; not all are sorted."""
    if limit <= 0:
        return np.zeros(0, dtype=np.intp)
    sample = scores[::_SAMPLE][matched[::_SAMPLE]]
    if len(sample) >= limit:  # the limit-th best of a part is at most the limit-th best of all
        matched = matched & (scores >= np.partition(sample, len(sample) - limit)[len(sample) - limit])
    places = np.flatnonzero(matched)
    found = scores[places]
    if len(places) > limit:
        least = np.partition(found, len(found) - limit)[len(found) - limit]
        places, found = places[found >= least], found[found >= least]
    return places[np.lexsort((places, -found))][:limit]


def _refuse_known(coming: Segment, segments: Sequence[Segment]) -> None:
    for segment in segments:
        for id_ in coming.ids:
            if segment.place(id_) is not None:
                raise ValueError(
                    f"chunk {id_!r} is in the index already: remove it in the same change to replace it, "
                    "or give the new one an id of its own"
                )


def _tidied(segments: list[Segment]) -> list[Segment]:
    """Return the segments with small ones at the end joined, each row about once for each doubling."""
    while len(segments) > 1 and _worth_joining(len(segments[-2].ids), len(segments[-1].ids)):
        segments[-2:] = [joined(segments[-2:])]
    return segments


def _worth_joining(size: int, following: int) -> bool:
    return size < 2 * following and size + following <= _SMALL


def _groups(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Return neighbours to be joined, such that each group has at least twice the live rows of the next."""
    groups: list[list[Segment]] = []
    for segment in segments:
        groups.append([segment])
        while len(groups) > 1 and _size(groups[-2]) < 2 * _size(groups[-1]):
            groups[-2:] = [groups[-2] + groups[-1]]
    return groups


def _size(group: Iterable[Segment]) -> int:
    return sum(segment.size for segment in group)


def _blocks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    rest = iter(rows)
    while block := list(islice(rest, _BLOCK)):
        yield block
