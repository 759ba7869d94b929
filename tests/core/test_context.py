"""From what was found to what an answer may use (R-12)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.context import AnswerContext, build_context
from core.facts import Fact, FactsPayload
from core.plan import DocumentSearch, Limits, QueryPlan, Style, default_plan
from tests.core.corpus import fact


def context(*facts: Fact, asked: str = "Where was RAG used?") -> AnswerContext:
    """Return the context of these facts."""
    return build_context(asked, asked, FactsPayload(facts), default_plan(asked))


def texts(*facts: Fact) -> list[str]:
    """Return the texts that an answer may use, in order."""
    return [str(one.text) for one in context(*facts).facts]


def test_the_best_passage_comes_first() -> None:
    """Passages are ordered by their score."""
    assert ["лучший", "second"] == texts(fact("second", score=0.6), fact("лучший", score=0.9))


def test_what_is_far_from_the_best_is_noise() -> None:
    """A passage with a small share of the best score is left out."""
    assert ["best"] == texts(fact("best", score=1.0), fact("noise", score=0.3))


def test_equal_texts_are_one_fact() -> None:
    """The same words, however written, are listed once, for the better page."""
    kept = context(fact("Ещё  день", doc="a", score=0.7), fact("еще  ДЕНЬ", doc="b", score=0.9)).facts

    assert ["b"] == [one.source.doc_id for one in kept]


def test_equal_texts_in_two_groups_are_two_facts() -> None:
    """What is said of two things is said twice."""
    facts = [fact("RAG", group=group, structural=True) for group in ("Лоцман", "Sufler")]

    assert ["RAG", "RAG"] == texts(*facts)


def test_of_an_old_and_a_new_page_the_new_one_speaks() -> None:
    """A replaced page does not take the place of the page with the same words that holds today."""
    kept = context(fact("27 days", doc="old", score=1.0, superseded=True), fact("27 days", doc="new", score=0.9)).facts

    assert ["new"] == [one.source.doc_id for one in kept]


@pytest.mark.parametrize("structural", [True, False])
def test_a_replaced_page_speaks_only_when_nothing_else_does(*, structural: bool) -> None:
    """Beside a page that holds today a replaced one is silent; alone it speaks."""
    old = fact("25 дней", superseded=True, score=1.0, structural=structural)
    new = fact("27 дней", score=1.0, structural=structural)

    assert ["27 дней"] == texts(old, new)
    assert ["25 дней"] == texts(old)


def test_the_graphs_facts_stand_alone_in_their_own_order() -> None:
    """A structural answer is complete: nothing that search found is mixed in, and the documents' order stays."""
    facts = (fact("first", structural=True), fact("search", score=9.0), fact("второй", structural=True, score=2.0))

    assert ["first", "второй"] == texts(*facts)
    assert context(*facts).structural


def test_a_structural_fact_outweighs_the_same_words_from_search() -> None:
    """Whichever tool ran first, no item of a structural list is lost."""
    assert context(fact("Kafka", score=0.9), fact("Kafka", structural=True)).structural


def test_no_facts() -> None:
    """Nothing found is an empty context."""
    assert ([], False) == (texts(), context().structural)


@pytest.mark.parametrize(("asked", "expected"), [("Where is it?", "en"), ("А где это?", "ru")])
def test_the_language_is_that_of_the_users_own_words(asked: str, expected: str) -> None:
    """A follow-up that carries a question in another language is answered in the language it was asked in."""
    known = build_context(f"{asked} (Where was RAG used? Где применял?)", asked, FactsPayload(), default_plan(asked))

    assert expected == known.language


@pytest.mark.parametrize(("kind", "words"), [("factual", 150), ("compare", 150), ("summary", 300)])
def test_the_plan_shapes_the_answer(kind: str, words: int) -> None:
    """Style, limits and length come from the plan; rare terms come in a stable order."""
    plan = QueryPlan.model_validate(
        {
            "intents": ("A",),
            "tool_calls": (DocumentSearch(query="x"),),
            "answer_style": kind,
            "render_style": "TABLE",
            "limits": Limits(max_items=4, max_groups=2, max_paragraphs=1),
        }
    )

    known = build_context("x", "x", FactsPayload(weights={"rag": 2.0, "aston": 1.0}), plan)

    assert (Style.TABLE, 4, 2, 1, words) == (
        known.style, known.max_items, known.max_groups, known.max_paragraphs, known.max_words,
    )  # fmt: skip
    assert (("aston", 1.0), ("rag", 2.0)) == known.weights


_FACTS = st.builds(
    fact,
    st.sampled_from(["one", "ONE", "два", "three"]),
    doc=st.sampled_from("ab"),
    superseded=st.booleans(),
    structural=st.booleans(),
    score=st.floats(0, 1),
    group=st.sampled_from([None, "g"]),
)


@given(st.lists(_FACTS, max_size=8))
def test_something_found_is_something_to_say(facts: list[Fact]) -> None:
    """Whatever was found, at least one fact is left, none is new, and none stands twice."""
    kept = context(*facts).facts

    assert bool(facts) == bool(kept)
    assert all(one in facts for one in kept)
    assert len(kept) == len({(one.group, one.text.lower()) for one in kept})
