"""rank-bm25's weights from counts: what a term is worth, without the corpus in hand."""

import math

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

# From this share of the rows on, going over all of them is quicker than picking out those that hold the term.
_DENSE = 8


def average_idf_of(size: int, histogram: NDArray[np.int64]) -> float:
    """Return the average idf over every distinct term of `size` rows.

    `histogram[n]` says how many terms are held by n rows, and these have the same idf.
    """
    held = np.flatnonzero(histogram[1:]) + 1
    idf = np.log(size - held + 0.5) - np.log(held + 0.5)
    return float(idf @ histogram[held] / histogram[held].sum()) if len(held) else 0.0


class Okapi(BM25Okapi):  # type: ignore[misc]
    """BM25Okapi, with rank-bm25's own k1, b and epsilon, of `size` rows that hold `length` terms together."""

    def __init__(self, size: int, length: int, average_idf: float) -> None:
        super().__init__([[""]])
        self.corpus_size = size
        self.avgdl = length / size if length else 1.0
        self.average_idf = average_idf

    def idf_of(self, held: int) -> float:
        """Return the idf of a term in so many rows; a negative one is replaced by epsilon times the average."""
        idf = math.log(self.corpus_size - held + 0.5) - math.log(held + 0.5)
        return idf if idf >= 0 else float(self.epsilon * self.average_idf)

    def norms(self, lengths: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return for rows of these lengths what saturates the count of a term in them."""
        norms: NDArray[np.float64] = self.k1 * (1 - self.b + self.b * lengths / self.avgdl)
        return norms

    def add(
        self,
        scores: NDArray[np.float64],
        idf: float,
        rows: NDArray[np.int32],
        counts: NDArray[np.uint32],
        norms: NDArray[np.float64],
    ) -> None:
        """Add to the scores what a term brings to the rows that hold it."""
        if len(rows) * _DENSE > len(scores):
            full = np.zeros(len(scores))
            full[rows] = counts
            bottom = full + norms
            full *= self.k1 + 1
            full /= bottom
            full *= idf
            scores += full
        else:
            often = counts.astype(np.float64)
            scores[rows] += idf * (often * (self.k1 + 1) / (often + norms[rows]))
