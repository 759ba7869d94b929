"""Lexical search: rank-bm25's own scores, read from postings instead of a scan over every chunk."""

import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi


class PostingsBM25(BM25Okapi):  # type: ignore[misc]
    """BM25Okapi over postings: `get_scores` gives the same floats as the full scan."""

    def __init__(self, corpus: Sequence[Sequence[str]]) -> None:
        super().__init__([list(tokens) for tokens in corpus])
        lengths = np.array(self.doc_len, dtype=np.float64)
        self._norm = self.k1 * (1 - self.b + self.b * lengths / self.avgdl)
        gathered: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        frequencies_of: list[dict[str, int]] = vars(self)["doc_freqs"]
        for place, frequencies in enumerate(frequencies_of):
            for term, count in frequencies.items():
                gathered[term][0].append(place)
                gathered[term][1].append(count)
        self._postings = {
            term: (np.array(places, dtype=np.int64), np.array(counts, dtype=np.float64))
            for term, (places, counts) in gathered.items()
        }
        self.doc_freqs: list[dict[str, int]] = []

    def get_scores(self, query: Sequence[str]) -> NDArray[np.float64]:
        """Return one score for each document, as rank-bm25 computes it."""
        scores = np.zeros(self.corpus_size)
        for term in query:
            if term in self._postings:
                places, counts = self._postings[term]
                gain = (self.idf.get(term) or 0) * (counts * (self.k1 + 1) / (counts + self._norm[places]))
                scores[places] += gain
        return scores

    def holding(self, term: str) -> int:
        """Return how many documents hold the term."""
        return len(self._postings[term][0]) if term in self._postings else 0


class LexicalIndex:
    """Chunk ids in order of lexical likeness, and how rare each term is."""

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self._ids = [str(row["id"]) for row in rows]
        tokens = [str(row["tokens"]).split() for row in rows]
        self._engine = PostingsBM25(tokens) if any(tokens) else None

    def find(self, terms: Sequence[str], allowed: Collection[str] | None, limit: int) -> dict[str, float]:
        """Return the best chunks that hold any of the terms, with scores above 0; ties in corpus order."""
        if self._engine is None:
            return {}
        scores = self._engine.get_scores(terms)
        order = np.lexsort((np.arange(len(scores)), -scores))
        found: dict[str, float] = {}
        for place in order:
            if scores[place] <= 0 or len(found) == limit:
                break
            if allowed is None or self._ids[place] in allowed:
                found[self._ids[place]] = float(scores[place])
        return found

    def weights(self, terms: Sequence[str]) -> dict[str, float]:
        """Return how rare each term is (BM25's smoothed idf); a term that no chunk holds is as rare as can be."""
        size = len(self._ids)
        held = {term: self._engine.holding(term) if self._engine else 0 for term in terms}
        return {term: math.log(1 + (size - max(n, 1) + 0.5) / (max(n, 1) + 0.5)) for term, n in held.items()}
