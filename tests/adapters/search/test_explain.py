"""Why a search finds what it finds: what is told is what the search itself does."""

from pathlib import Path

import pytest

from adapters.search.explain import explain
from core.conversation import Audience
from core.plan import DocumentSearch
from core.ports import SearchQuery
from tests.adapters.search.shelf import shelve
from tests.adapters.search.test_hybrid import FILLER, HOLIDAY, LEAVE, SALARY
from tests.core.corpus import EVERYBODY

QUESTIONS = ("How many working days does everyone get?", "Сколько дней отпуска положено?", "zeppelin", "Fjord")


@pytest.mark.parametrize("question", QUESTIONS)
async def test_the_best_are_those_that_the_search_gives(tmp_path: Path, question: str) -> None:
    """In their order, with ranks that grow and scores that do not, in both languages."""
    search = await shelve(tmp_path, [LEAVE, HOLIDAY, SALARY, *FILLER])
    found = await search.find(SearchQuery(question), EVERYBODY)
    told = await explain(search, DocumentSearch(query=question), EVERYBODY)

    assert [fact.chunk_id for fact in found.facts] == [one.chunk_id for one in told.best][: len(found.facts)]
    assert dict(found.weights) == {term.term: term.weight for term in told.terms}
    ranks = [one.fused.rank for one in told.best if one.fused and one.fused.rank]
    assert ranks == sorted(ranks)
    assert 1 == ranks[0]
    assert "salary.md" not in {one.doc_id for one in told.best}


async def test_terms_are_counted_over_what_one_may_read(tmp_path: Path) -> None:
    """How many chunks hold a term is told of those that the asker may read, none for one that is nowhere."""
    search = await shelve(tmp_path, [LEAVE, HOLIDAY, SALARY, *FILLER])
    told = await explain(search, DocumentSearch(query="working days quartz zeppelin"), EVERYBODY)

    people = Audience("acme", frozenset({"hr"}))
    whole = await explain(search, DocumentSearch(query="working days quartz zeppelin salary"), people)
    closed = await explain(search, DocumentSearch(query="secrets"), EVERYBODY)

    assert {"work": 1, "day": 1, "§filler/0.md": 1, "zeppelin": 0} == {term.term: term.held for term in told.terms}
    assert (2, 2) == tuple(term.held for term in whole.terms if term.term in ("work", "day"))
    assert (12, 13) == (told.chunks, whole.chunks)
    assert [0] == [term.held for term in closed.terms]


async def test_a_document_is_told_of_wherever_it_stands(tmp_path: Path) -> None:
    """Its own chunks come with their places in the whole ranking; who may not read it has no place for it."""
    search = await shelve(tmp_path, [LEAVE, HOLIDAY, SALARY, *FILLER])
    call = DocumentSearch(query="How many working days?")
    told = await explain(search, call, EVERYBODY, LEAVE)
    closed = await explain(search, call, EVERYBODY, SALARY)
    opened = await explain(search, call, Audience("acme", frozenset({"hr"})), SALARY)

    assert told.own[0] == next(one for one in told.best if one.doc_id == "leave.md")
    assert {"leave.md"} == {one.doc_id for one in told.own}
    assert [None] == [one.fused for one in closed.own]
    assert closed.own[0].by_words
    assert (None, opened.own[0].by_words.score if opened.own[0].by_words else 0) == (
        closed.own[0].by_words.rank,
        closed.own[0].by_words.score,
    )
    assert opened.own[0].fused
    narrow = await explain(search, replace_kinds(call, "policy"), EVERYBODY, HOLIDAY)
    assert {None} == {one.fused for one in narrow.own}


def replace_kinds(call: DocumentSearch, kind: str) -> DocumentSearch:
    """Return the call for documents of a kind alone."""
    return call.model_copy(update={"doc_types": (kind,)})
