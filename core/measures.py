"""How good a ranking is, judged by which documents are relevant: recall, reciprocal rank and nDCG.

Defined as in trec_eval 9 (`recall`, `recip_rank`, `ndcg_cut`): a document is relevant from grade 1 on; nDCG gains are
the grades themselves, discounted by log2(rank + 1) (Järvelin and Kekäläinen, 2002); what is not judged is not relevant.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import log2

Grades = Mapping[str, int]


def ranked(scores: Mapping[str, float]) -> list[str]:
    """Return the documents best first; of two with one score the one whose id sorts last comes first, as in trec_eval.

    So what an engine cannot tell apart is not ordered to its advantage.
    """
    return sorted(sorted(scores, reverse=True), key=lambda id_: -scores[id_])


def recall(depth: int, ranking: Sequence[str], grades: Grades) -> float:
    """Return which share of the relevant documents is among the first `depth`, 0 to 1; 0 when there are none."""
    relevant = {id_ for id_, grade in grades.items() if grade > 0}
    return len(relevant.intersection(ranking[:depth])) / len(relevant) if relevant else 0.0


def reciprocal_rank(depth: int, ranking: Sequence[str], grades: Grades) -> float:
    """Return 1 / the rank of the first relevant document, 0 when there is none among the first `depth`."""
    ranks = (rank for rank, id_ in enumerate(ranking[:depth], 1) if grades.get(id_, 0) > 0)
    return 1 / rank if (rank := next(ranks, 0)) else 0.0


def ndcg(depth: int, ranking: Sequence[str], grades: Grades) -> float:
    """Return the discounted gain of the first `depth` as a share of the best possible one, 0 to 1."""
    best = _gain(sorted((grade for grade in grades.values()), reverse=True)[:depth])
    return _gain([grades.get(id_, 0) for id_ in ranking[:depth]]) / best if best else 0.0


def _gain(grades: Sequence[int]) -> float:
    return sum(max(0, grade) / log2(rank + 1) for rank, grade in enumerate(grades, 1))


MEASURES: Mapping[str, Callable[[Sequence[str], Grades], float]] = {
    "recall@1": partial(recall, 1),
    "recall@5": partial(recall, 5),
    "recall@20": partial(recall, 20),
    "MRR@10": partial(reciprocal_rank, 10),
    "nDCG@10": partial(ndcg, 10),
}


def averages(runs: Sequence[tuple[Sequence[str], Grades]]) -> dict[str, float]:
    """Return each measure averaged over the questions, of which each counts alike; there is at least one."""
    return {name: sum(measure(*run) for run in runs) / len(runs) for name, measure in MEASURES.items()}
