"""Why a document is found for a question or not: the question word by word, and the conclusion in a sentence."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.conclusion import conclusion, ordinal
from core.entities import asked_terms
from core.facts import FactsPayload, Span, ToolRun
from core.plan import DocumentSearch, GraphQuery, default_plan
from core.planner import Planned
from core.standing import AskedWord, Candidate, Listed, Placed, Standing, Term, Why, asked_words
from tests.core.corpus import NAMES, fact, page

DOCUMENT = page("a.md", "Leave is long.", "A", kind="policy")
BEST = Candidate(
    "c1", "a.md", (), Span(0, 14), frozenset({"leav"}), Placed(2, 4.0), Placed(1, 0.5), fused=Placed(1, 0.9)
)
FAR = replace(BEST, terms=frozenset(), by_words=None, by_meaning=Placed(None, 0.1), fused=None)
STANDING = Standing(
    query=DocumentSearch(query="How long is leave?"),
    terms=(Term("leav", 2.0, 5), Term("long", 3.0, 2), Term("zeppelin", 6.0, 0)),
    chunks=100,
    matched=0.5,
    by_words=Listed(40, 1.5),
    by_meaning=Listed(90, 0.2),
    fused=100,
    best=(BEST,),
    own=(BEST,),
)
SEARCHED = FactsPayload((fact("Other.", doc="b.md"), fact("Leave is long.")), 1.0, (ToolRun("document_search", {}, 2),))
ASKED = (AskedWord("how", ()), AskedWord("leaves", ("leav",)), AskedWord("zeppelins", ("zeppelin",)))
WHY = Why(ASKED, Planned(default_plan("How long is leave?"), "default"), SEARCHED, STANDING, frozenset(), DOCUMENT)
NOTHING = replace(SEARCHED, facts=(fact("Other.", doc="b.md"),))


@given(st.text("RAGЛоцманАстоне В? how days-3. ё\u0301İ", max_size=60))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_the_words_come_to_the_terms_that_search_looks_for(text: str) -> None:
    """Word by word, in both languages and with names, nothing is told that search does not do."""
    told = [term for word in asked_words(text, NAMES) for term in word.terms]

    assert sorted(asked_terms(text, NAMES)) == sorted(told)


def test_a_question_is_told_word_by_word() -> None:
    """Stop words are passed over, words have stems, and a name in any form is its entity."""
    told = [(word.words, word.terms) for word in asked_words("Где в Лоцмане дни отпуска?", NAMES)]

    assert [("где", ()), ("в", ()), ("Лоцмане", ("§lotsman",)), ("дни", ("ден",)), ("отпуска", ("отпуск",))] == told


@pytest.mark.parametrize(
    ("why", "words"),
    [
        (WHY, "Found: 2nd of 2 facts, because its best passage is 2nd by words (“leaves”) and 1st by meaning"),
        (replace(WHY, document=None), "Found: 2 facts, the first in 'b.md' and 1 more documents. No document says “"),
        (replace(WHY, document=None, payload=FactsPayload()), "Nothing is found. No document says “zeppelins”."),
        (
            replace(WHY, document=replace(DOCUMENT, readers=frozenset({"board"}))),
            "Not found: only board may read it, and the question was asked by somebody of no group. Try --group.",
        ),
        (
            replace(WHY, payload=NOTHING, standing=replace(STANDING, own=(replace(BEST, fused=Placed(12, 0.1)),))),
            "of 100 candidates, and only the best 8 become facts, with what stands around them. It lacks “long”: say",
        ),
        (
            replace(WHY, payload=NOTHING, standing=replace(STANDING, own=(FAR,))),
            "of it holds a word of the question; by meaning its likeness is 0.10, and that of the last candidate 0.2",
        ),
        (
            replace(
                WHY, payload=NOTHING, standing=replace(STANDING, query=DocumentSearch(query="x", doc_types=("team",)))
            ),
            "Not found: the plan looks only in documents of the kind team, and this one is of the kind policy.",
        ),
        (
            replace(
                WHY,
                payload=replace(NOTHING, runs=(ToolRun("graph_query", {}, 1),)),
                planned=Planned(
                    default_plan("x").model_copy(
                        update={"tool_calls": (GraphQuery(intent="USED", entity_id="rag"),)}
                    ),
                    "examples",
                ),
            ),
            "Not found: the question was taken for USED of rag, which the graph answered from other documents",
        ),
    ],
)  # fmt: skip
def test_the_conclusion_says_what_may_be_done(why: Why, words: str) -> None:
    """Each way to be found, or to be missed, in a sentence that somebody can act on."""
    assert words in conclusion(why)


def test_a_document_beside_what_was_found_is_told_so() -> None:
    """It came with the list or section around another passage, or from the graph; it may have no passage at all."""
    beside = replace(WHY, standing=replace(STANDING, own=(FAR,)))
    without = replace(WHY, standing=replace(STANDING, own=()))
    graph = replace(SEARCHED, facts=(replace(SEARCHED.facts[1], structural=True),))

    assert conclusion(beside).endswith("with the list or section around it.")
    assert conclusion(without).endswith("with the section or list around what was found.")
    assert "Found: 1st of 1 facts, from the graph, which was asked for nothing in it." == conclusion(
        replace(WHY, payload=graph)
    )
    assert "Not found: it has no passage that could be found." == conclusion(replace(without, payload=NOTHING))


def test_only_some_words_are_named() -> None:
    """Of many that are missing the rarest are told; groups are named; a score by words is compared with the last."""
    terms_ = tuple(Term(f"w{n}", float(n), 1) for n in range(7))
    far = replace(FAR, by_words=Placed(None, 0.5), by_meaning=None)
    why = replace(WHY, payload=NOTHING, standing=replace(STANDING, terms=terms_, own=(far,)))
    closed = replace(WHY, document=replace(DOCUMENT, readers=frozenset({"board"})), groups=frozenset({"hr"}))

    assert "It lacks “w6”, “w5”, “w4”, “w3” and 3 more" in conclusion(why)
    assert "by words its best passage scores 0.50, and the 40th best of all scores 1.50" in conclusion(why)
    assert "asked by a member of hr" in conclusion(closed)
    assert [True, False, False] == [Term("a", 1.0, held).is_rare(100) for held in (5, 6, 0)]


def test_places_are_said_as_people_say_them() -> None:
    """1st, 2nd, 3rd and 4th, but 11th to 13th."""
    assert ["1st", "2nd", "3rd", "4th", "11th", "13th", "21st", "112th"] == list(
        map(ordinal, (1, 2, 3, 4, 11, 13, 21, 112))
    )
