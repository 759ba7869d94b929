"""Measures of a ranking, against values worked out by hand from trec_eval's definitions."""

from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.measures import MEASURES, averages, ndcg, ranked, recall, reciprocal_rank

GRADES = {"a": 2, "b": 1, "в": 3, "d": 0, "e": -1}


def test_recall_is_the_share_of_the_relevant_that_was_found() -> None:
    """Grades of 0 and below are not relevant, and one place more can find one document more."""
    assert [0.0, 1 / 3, 2 / 3, 1.0] == [recall(depth, ["d", "a", "b", "x", "в"], GRADES) for depth in (1, 2, 3, 5)]


def test_reciprocal_rank_is_that_of_the_first_relevant() -> None:
    """Only the first relevant document counts, and only above the depth."""
    ranking = ["x", "e", "b", "a"]

    assert [0.0, 1 / 3, 1 / 3] == [reciprocal_rank(depth, ranking, GRADES) for depth in (2, 3, 10)]


def test_ndcg_gains_the_grades_and_discounts_by_rank() -> None:
    """(1/log2 2 + 0 + 3/log2 4) / (3/log2 2 + 2/log2 3 + 1/log2 4): grades as they are, not as powers of two."""
    best = 3 + 2 / log2(3) + 1 / 2

    assert (1 + 3 / 2) / best == pytest.approx(ndcg(10, ["b", "x", "в", "d", "e"], GRADES))
    assert 1.0 == pytest.approx(ndcg(10, ["в", "a", "b"], GRADES))
    assert 1 / 3 == pytest.approx(ndcg(1, ["b", "в"], GRADES))


def test_the_best_ranking_of_a_cut_is_cut_too() -> None:
    """With more relevant documents than places, filling all places is the best that can be done."""
    grades = {str(number): 1 for number in range(30)}

    assert 1.0 == pytest.approx(ndcg(10, [str(number) for number in range(10)], grades))
    assert 20 / 30 == recall(20, [str(number) for number in range(30)], grades)


def test_documents_with_one_score_stand_by_id_backwards() -> None:
    """What the engine cannot tell apart is ordered as trec_eval orders it."""
    assert ["b", "в", "c", "a"] == ranked({"a": 0.1, "b": 0.9, "c": 0.1, "в": 0.1})


def test_nothing_found_and_nothing_relevant_are_worth_nothing() -> None:
    """No measure divides by what is not there."""
    assert [0.0] * 10 == [
        measure(*run) for measure in MEASURES.values() for run in (([], GRADES), (["a"], {"a": 0, "b": -1}))
    ]


def test_each_question_counts_alike() -> None:
    """A question with many relevant documents weighs no more than one with a single one."""
    found = averages([(["a"], {"a": 1}), (["x"], {"a": 1, "b": 1, "c": 1})])

    assert dict.fromkeys(MEASURES, 0.5) == found


@settings(derandomize=True)
@given(st.permutations("abcdefвгде"), st.dictionaries(st.sampled_from("abcdefвгде"), st.integers(-1, 3)))
def test_every_measure_is_a_share_and_the_ideal_order_has_all(ranking: list[str], grades: dict[str, int]) -> None:
    """Each lies between 0 and 1; ranking by the grades themselves is never beaten."""
    ideal = sorted(ranking, key=lambda id_: -grades.get(id_, 0))

    for measure in MEASURES.values():
        assert 0.0 <= measure(ranking, grades) <= measure(ideal, grades) <= 1.0 + 1e-12
