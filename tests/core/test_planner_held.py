"""A model's plan, held to what the question shows: its names, its form, and the look-ups that it is sure to need."""

from typing import Any

import pytest

from core.asked import read_question
from core.entities import Entity, resolve_entities
from core.plan import DocumentSearch, Fallback, GraphQuery, QueryPlan, default_plan
from core.plan_check import PlanRules
from core.planner import Planned, with_evidence
from tests.core.corpus import ASTON, DMITRY, NOON, RAG, registry
from tests.core.test_planner import INTENTS, LOOK_UP, SEARCH, looked_up, written

LIKE_RAG = Entity("kafka", "Kafka", "technology", ("Кафка",))
MORE = registry(RAG, ASTON, DMITRY, LIKE_RAG)
HELD = PlanRules(INTENTS, MORE, min_confidence=0.5, max_tool_calls=3, max_tokens=600)


def held(question: str, near: Planned | None = None, **changes: Any) -> QueryPlan:
    """Return a model's plan as it is held to the question."""
    asked = read_question(question, resolve_entities(question, MORE), NOON)
    planned = Planned(QueryPlan.model_validate_json(written(**changes)), "model")
    return with_evidence(planned, asked, near or Planned(default_plan(question), "default"), HELD).plan


@pytest.mark.parametrize("question", ["Where were RAG and Kafka used?", "Где применялись RAG и Кафка?"])
def test_a_named_entity_is_not_dropped(question: str) -> None:
    """What the resolver found stays in the plan, and of two alike both are looked up."""
    plan = held(question, entities=[], tool_calls=[{**LOOK_UP, "also": None}])

    assert ("rag", "kafka") == plan.entities
    assert [("USAGE", "rag", None), ("USAGE", "kafka", None)] == looked_up(plan)


@pytest.mark.parametrize("question", ["Contacts of Dmitry", "Контакты Дмитрия"])
def test_a_sure_example_is_looked_up_beside_a_mere_search(question: str) -> None:
    """A model that only searches for what the structure answers is helped; its own search stays."""
    call = GraphQuery(intent="CONTACTS", entity_id="dmitry")
    near = Planned(QueryPlan(intents=("CONTACTS",), tool_calls=(call,)), "examples")

    plan = held(question, near, intents=["GENERAL_UNSTRUCTURED"], tool_calls=[{**SEARCH, "query": question}])

    assert ("CONTACTS",) == plan.intents
    assert (call, DocumentSearch(query=question)) == plan.tool_calls


@pytest.mark.parametrize("question", ["Where was RAG used?", "Где применял RAG?"])
def test_an_intent_without_its_look_up_is_looked_up_or_goes(question: str) -> None:
    """An intent that fits a named entity is looked up when nothing is; beside a look-up an intent without one goes."""
    searched = held(question, tool_calls=[{**SEARCH, "query": question}])
    padded = held(question, intents=["ANYTHING", "USAGE", "CONTACTS"], tool_calls=[{**LOOK_UP, "also": None}])

    assert [("USAGE", "rag", None)] == looked_up(searched) == looked_up(padded)
    assert ("USAGE",) == searched.intents == padded.intents


@pytest.mark.parametrize("question", ["How much is an audit?", "Сколько стоит аудит?"])
def test_a_search_for_something_else_is_joined_by_the_question(question: str) -> None:
    """A plan for another question does not replace the question's own words."""
    plan = held(question, intents=["GENERAL_UNSTRUCTURED"], tool_calls=[{**SEARCH, "query": "weather in Paris"}])

    assert [question, "weather in Paris"] == [one.query for one in plan.tool_calls if isinstance(one, DocumentSearch)]


@pytest.mark.parametrize(
    ("question", "said", "expected"),
    [
        ("Где применял RAG?", {"shape": "COUNT"}, ("LIST", (), (), None)),
        ("Где применял RAG?", {"without": ["rag"], "exclude": ["rag"]}, ("LIST", (), (), None)),
        ("Which projects did not use RAG?", {}, ("LIST", (), ("rag",), None)),
        ("Nothing but RAG: where?", {"exclude": ["rag"]}, ("LIST", ("rag",), (), None)),
        ("Где применял RAG?", {"period": {"since": "2020-01-01"}}, ("LIST", (), (), None)),
        ("RAG, 2020?", {"period": {"since": "2020-01-01"}}, ("LIST", (), (), ("2020-01-01", None))),
        ("Где RAG в 2024?", {"period": {"since": "2020-01-01"}}, ("LIST", (), (), ("2024-01-01", "2024-12-31"))),
        ("Сколько проектов с RAG?", {"shape": "PLAIN"}, ("COUNT", (), (), None)),
    ],
)  # fmt: skip
def test_the_form_is_that_of_the_question(question: str, said: dict[str, Any], expected: tuple[Any, ...]) -> None:
    """Counts, dates and what is left out come from the words of the question, whatever a model says of them."""
    plan = held(question, tool_calls=[{**LOOK_UP, "also": None}], **said)

    days = plan.period and tuple(day and day.isoformat() for day in (plan.period.since, plan.period.until))
    assert expected == (plan.shape, plan.exclude, plan.without, days)


@pytest.mark.parametrize("question", ["Which projects use RAG but not Kafka?", "Где применял RAG, но не Kafka?"])
def test_what_is_to_be_absent_is_looked_up_by_what_names_it(question: str) -> None:
    """A look-up of what it is says nothing of who has it, and what is asked for is looked up whatever a model does."""
    opens = {**LOOK_UP, "intent": "ABOUT", "entity_id": "kafka", "also": None}
    plan = held(question, intents=["ABOUT"], tool_calls=[opens], without=["kafka"])

    assert [("USAGE", "rag", None), ("USAGE", "kafka", None)] == looked_up(plan)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which projects are not in Aston?", [("ALL_PAGES", "", None)]),
        ("Which projects of Dmitry are not in Aston?", [("ALL_PAGES", "dmitry", None)]),
        ("Что не вошло в Aston?", []),
    ],
)
def test_what_no_list_tells_of_is_not_looked_up_to_find_others(
    question: str, expected: list[tuple[str, str, str | None]]
) -> None:
    """Not in a company: all pages of the kind asked for, else a search; never the company's own page."""
    opens = {**LOOK_UP, "intent": "ABOUT", "entity_id": "aston", "also": None}

    assert expected == looked_up(held(question, intents=["ABOUT"], tool_calls=[opens]))


def test_what_is_left_out_is_not_looked_up() -> None:
    """«Кроме RAG»: the look-up of RAG goes, the other stays."""
    plan = held(
        "Где применял Kafka, кроме RAG?",
        tool_calls=[LOOK_UP | {"also": None}, {**LOOK_UP, "entity_id": "kafka", "also": None}],
    )

    assert [("USAGE", "kafka", None)] == looked_up(plan)


_NARROW = {
    "fallback": {"enabled": False, "when": "NO_RESULTS"},
    "limits": {"max_items": 1, "max_groups": 1, "max_paragraphs": 1},
}


def test_a_planner_cannot_look_less_far_than_nobody_would() -> None:
    """The fallback is on, a search goes as deep, and a search of some kinds alone is joined by one of all."""
    question = "Who approves travel to Aston?"
    narrow = {**SEARCH, "query": "approves travel", "doc_types": ["project"], "top_k": 1}
    plan = held(question, intents=["GENERAL_UNSTRUCTURED"], tool_calls=[narrow], **_NARROW)

    assert (DocumentSearch(query=question), DocumentSearch(query="approves travel", doc_types=("project",))) == (
        plan.tool_calls
    )
    assert (Fallback(), 10, 8) == (plan.fallback, plan.limits.max_items, plan.limits.max_groups)


@pytest.mark.parametrize(
    ("question", "most"),
    [("Contacts of Dmitry", 12), ("Name 1 of the contacts of Dmitry", 1), ("Контакты Дмитрия", 12)],
)
def test_a_list_is_as_long_as_declared_unless_the_question_says_how_long(question: str, most: int) -> None:
    """What an intent may list is not cut by a planner."""
    call = {"tool": "graph_query", "intent": "CONTACTS", "entity_id": "dmitry"}

    assert most == held(question, intents=["CONTACTS"], tool_calls=[call], **_NARROW).limits.max_items
