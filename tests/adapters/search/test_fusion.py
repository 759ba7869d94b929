"""Two ranked lists made one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.search.fusion import LEXICAL_WEIGHT, fuse, fused, pooled, share_of
from adapters.search.lexical import LexicalIndex
from adapters.search.lexical_memory import MemoryLexical
from adapters.search.lexical_port import Row

_SHARES = st.dictionaries(st.sampled_from("abcde"), st.floats(0, 1), max_size=5)
_SCORES = st.dictionaries(st.sampled_from("abcde"), st.floats(-2, 50), max_size=5)


@settings(derandomize=True)
@given(_SHARES, _SCORES, _SHARES)
def test_fusion_keeps_everything_within_bounds(
    by_meaning: dict[str, float], by_words: dict[str, float], matched: dict[str, float]
) -> None:
    """Every chunk of either list is scored, between 0 and 1, the best 1 unless nothing speaks for any."""
    scores = fuse(by_meaning, by_words, matched)

    assert by_meaning.keys() | by_words.keys() == scores.keys()
    assert all(0.0 <= score <= 1.0 for score in scores.values())
    assert not any(scores.values()) or max(scores.values()) == 1.0


@settings(derandomize=True)
@given(_SHARES, _SCORES)
def test_where_no_word_is_matched_meaning_decides(by_meaning: dict[str, float], by_words: dict[str, float]) -> None:
    """Words that a chunk does not hold do not change the order by meaning."""
    scores = fuse(by_meaning, by_words, {})

    ranked = sorted(by_meaning, key=lambda id_: -scores[id_])
    assert [by_meaning[id_] for id_ in ranked] == pytest.approx(sorted(by_meaning.values(), reverse=True))


def test_words_vote_by_what_they_match() -> None:
    """A chunk that holds all of the question beats one that is near; one that holds a tenth of it does not."""
    by_meaning, by_words = {"near": 0.6, "far": 0.2}, {"far": 3.0}

    all_of_it, a_tenth = fuse(by_meaning, by_words, {"far": 1.0}), fuse(by_meaning, by_words, {"far": 0.1})

    near = (1 - LEXICAL_WEIGHT) * (0.6 - 0.2) / (1 - 0.2)
    assert {"near": pytest.approx(near / LEXICAL_WEIGHT), "far": 1.0} == all_of_it
    assert {"near": 1.0, "far": pytest.approx(LEXICAL_WEIGHT / 10 / near)} == a_tenth


def test_the_nearest_of_far_passages_is_not_near() -> None:
    """How near the nearest seems follows how near it is, not that it is the nearest of its list."""
    matched = {"said": 0.4}
    off, close = {"a": 0.12, "said": 0.1}, {"a": 0.8, "said": 0.1}

    best_of = [fuse(by_meaning, {"said": 2.0}, matched) for by_meaning in (off, close)]

    assert ["said", "a"] == [max(scores, key=scores.__getitem__) for scores in best_of]


def test_a_chunk_that_only_words_find_is_found() -> None:
    """A chunk outside the nearest passages has what its words give."""
    scores = fuse({"a": 0.9, "b": 0.1}, {"код": 5.0}, {"код": 1.0})

    assert ["a", "код", "b"] == sorted(scores, key=lambda id_: -scores[id_])


def test_nothing_found_is_nothing_fused() -> None:
    """Two empty lists are an empty list."""
    assert {} == fuse({}, {}, {})


def test_a_chunk_is_as_near_as_its_nearest_passage() -> None:
    """Of several passages of one chunk the most similar counts; chunks stay in the order in which they come."""
    assert {"b": 0.9, "a": 0.8} == pooled([("b", 0.7), ("a", 0.8), ("b", 0.9)])


def test_evidence_is_the_share_of_rare_terms_that_is_held() -> None:
    """A rare term that is held says more than a frequent one; a question without terms says nothing."""
    assert 0.75 == share_of({"редкое": 3.0, "often": 1.0}, {"редкое", "elsewhere"})
    assert 0.0 == share_of({}, {"редкое"})


async def test_each_chunk_has_its_own_evidence() -> None:
    """Of two chunks with one score the one that holds more of the question's rare words comes first."""
    rows = [Row("one", ["отпуск", "отпуск"]), Row("both", ["отпуск", "leave"]), *(Row(n, [n]) for n in "abcdefgh")]
    lexical = MemoryLexical(LexicalIndex.of(rows))

    scores = await fused({}, {"one": 2.0, "both": 2.0}, lexical, {"отпуск": 1.0, "leave": 3.0})

    assert {"one": 0.25, "both": 1.0} == scores
