"""Lexical search gives rank-bm25's own numbers."""

import time

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from adapters.search.bm25 import LexicalIndex, PostingsBM25

TERM = st.sampled_from(["rag", "aston", "проект", "отпуск", "день", "§rag", "inc-2041"])
CORPUS = st.lists(st.lists(TERM, max_size=8), min_size=1, max_size=12).filter(any)


def index(*tokens: str) -> LexicalIndex:
    """Return the index of chunks named 0, 1, … with these tokens."""
    return LexicalIndex([{"id": str(n), "tokens": text} for n, text in enumerate(tokens)])


@given(CORPUS, st.lists(TERM | st.just("nowhere"), max_size=6))
def test_scores_are_those_of_the_full_scan(corpus: list[list[str]], query: list[str]) -> None:
    """For any corpus and query the floats are the very same, repeated terms and empty chunks too."""
    expected = BM25Okapi(corpus).get_scores(query)

    assert np.array_equal(expected, PostingsBM25(corpus).get_scores(query))


@given(CORPUS, TERM)
def test_it_is_known_how_many_chunks_hold_a_term(corpus: list[list[str]], term: str) -> None:
    """A chunk counts once, however often it holds the term."""
    assert sum(term in tokens for tokens in corpus) == PostingsBM25(corpus).holding(term)


def test_the_best_chunk_comes_first() -> None:
    """Chunks come by score; of two alike the earlier one; those without any of the terms not at all."""
    found = index("отпуск день", "rag", "rag rag aston", "rag", "x", "y z", "w v").find(["rag", "aston"], None, 10)

    assert ["2", "1", "3"] == list(found)
    assert {"0", "1", "2"} == index("rag", "aston", "отпуск").find(["rag", "aston", "отпуск"], None, 10).keys()
    assert sorted(found.values(), reverse=True) == list(found.values())


def test_only_what_is_allowed_is_found_and_counts_for_the_limit() -> None:
    """Chunks that may not be read do not take the places of those that may."""
    rows = index("rag", "rag", "rag x", "y", "z", "w", "v", "u")

    assert ["2"] == list(rows.find(["rag"], {"2", "5"}, 1))
    assert ["0", "1"] == list(rows.find(["rag"], None, 2))
    assert [] == list(rows.find(["rag"], frozenset(), 5))


def test_an_empty_index_finds_nothing() -> None:
    """Without chunks, or with chunks that hold no term, nothing is found and nothing is rare."""
    assert [{}, {}] == [index(*tokens).find(["rag"], None, 5) for tokens in ((), ("", ""))]
    assert index().weights(["отпуск"]).keys() == {"отпуск"}


def test_rare_terms_weigh_more() -> None:
    """A term in few chunks weighs more than one in many; one in no chunk weighs the most; none weighs nothing."""
    weights = index("rag общий", "aston общий", "общий", "общий x").weights(["rag", "общий", "нигде"])

    assert weights["нигде"] == weights["rag"] > weights["общий"] > 0


def test_a_large_corpus_is_searched_at_once() -> None:
    """Fifty thousand chunks are scored in a tenth of a second: only the query's own postings are read."""
    rows = index(*(f"t{n % 5000} word{n % 7} общий" for n in range(50_000)))
    begun = time.process_time()

    found = rows.find(["t17", "word3"], None, 40)

    assert time.process_time() - begun < 0.1
    assert 40 == len(found)
