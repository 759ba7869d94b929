"""Look-ups of a planner that the question shows no sign of."""

from dataclasses import replace

import pytest

from core.asked import read_question
from core.doubting import supported
from core.entities import resolve_entities
from core.plan import default_plan
from core.planner import Planned
from tests.core.corpus import NAMES, NOON, intent
from tests.core.test_planner import LOOK_UP, looked_up
from tests.core.test_planner_held import held

STACK = intent("STACK", "section", examples=("Стек Лоцмана", "What is it written in?", "инструменты"))
RESULTS = intent("RESULTS", "section", examples=("Достижения", "What was achieved?", "итоги"))
OURS = (STACK, RESULTS, intent("ANY", examples=("Почему?", "Where is it?", "срок")))


def borne_out(question: str, **nearness: float) -> frozenset[str]:
    """Return which intents the question bears out."""
    asked = read_question(question, resolve_entities(question, NAMES), NOON)
    return supported(asked, nearness, OURS)


@pytest.mark.parametrize("question", ["Кто заказчик Лоцмана?", "Who is the client of Lotsman?"])
def test_an_intent_that_others_are_nearer_to_is_doubted(question: str) -> None:
    """Neither a word of it nor its nearness speaks for it; what is near enough, or searched for, is not doubted."""
    assert {"STACK", "ANY"} == borne_out(question, STACK=0.8, RESULTS=0.6)
    assert {"STACK", "RESULTS", "ANY"} == borne_out(question, STACK=0.8, RESULTS=0.75)
    assert {"ANY"} == borne_out(question, STACK=0.5, RESULTS=0.5)


@pytest.mark.parametrize("question", ["Какие итоги у Лоцмана?", "What was achieved in Lotsman?"])
def test_a_word_of_it_bears_it_out(question: str) -> None:
    """A word of its description or examples is enough, however far its examples are."""
    assert "RESULTS" in borne_out(question, STACK=0.9, RESULTS=0.1)


@pytest.mark.parametrize("declared", [{"headings": ("Тарифы",)}, {"keys": ("тарифы",)}])
def test_so_does_a_word_of_where_it_stands(declared: dict[str, tuple[str, ...]]) -> None:
    """A heading or a field under which it is looked up is called so."""
    asked = read_question("Какие тарифы?", (), NOON)

    assert {"RESULTS"} == supported(asked, {}, [replace(RESULTS, **declared)])
    assert frozenset() == supported(asked, {}, [RESULTS])


def test_the_kind_of_a_name_bears_nothing_out() -> None:
    """It stands in the place of every name, in the question as in the examples."""
    asked = read_question("Кто заказчик Лоцмана?", resolve_entities("Кто заказчик Лоцмана?", NAMES), NOON)

    assert frozenset() == supported(asked, {}, [replace(RESULTS, examples=("the project", "a project", "project"))])


def test_too_few_examples_are_no_ground_for_doubt() -> None:
    """An intent that a corpus has hardly described is left to the planner."""
    asked = read_question("Кто заказчик?", (), NOON)

    assert {"STACK"} == supported(asked, {}, [replace(STACK, examples=("Стек Лоцмана",))])


@pytest.mark.parametrize("question", ["What is the weather like with RAG?", "Какая погода у RAG?"])
def test_a_doubted_look_up_is_not_made(question: str) -> None:
    """The question's own words are searched for instead; unless nobody has looked, the planner is believed."""
    plan = {"tool_calls": [{**LOOK_UP, "also": None}], "intents": ["USAGE"]}
    near = Planned(default_plan(question), "default", supported=frozenset({"GENERAL_UNSTRUCTURED"}))

    doubted = held(question, near, **plan)

    assert ([], default_plan(question).tool_calls) == (looked_up(doubted), doubted.tool_calls)
    assert [("USAGE", "rag", None)] == looked_up(held(question, replace(near, supported=None), **plan))
