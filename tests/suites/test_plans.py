"""500 planner outputs: whatever a model writes, a valid plan or the default comes of it, and no other call is made."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest

from core.asked import read_question
from core.calling import Tools
from core.conversation import Audience
from core.entities import resolve_entities
from core.executor import run_plan
from core.facts import Fact
from core.plan import GENERAL, DocumentSearch, GraphQuery, Intent, QueryPlan, default_plan
from core.plan_check import PlanRules
from core.planner import Planned, plan_with_model, with_evidence
from core.ports import Found, SearchQuery
from core.prompts import NamedEntity, PlannerInput
from tests.core.corpus import EVERYBODY, NAMES, intent
from tests.doubles.models import ScriptedModel
from tests.suites.make_plans import COUNT, FILE, HARMFUL, HARMLESS, lines

INTENTS = (
    intent("USAGE", "mentions", of=("technology",), within=("project",)),
    intent("CONTACTS", "section", of=("person",)),
    intent("ANYTHING", "overview"),
    intent(GENERAL),
)
RULES = PlanRules(INTENTS, NAMES, min_confidence=0.5, max_tool_calls=3, max_tokens=600)
NOON = datetime(2025, 11, 19, 12, tzinfo=UTC)


@cache
def cases() -> tuple[dict[str, Any], ...]:
    """Return the suite."""
    return tuple(json.loads(line) for line in FILE.read_text("utf-8").splitlines())


def told(case: dict[str, Any]) -> PlannerInput:
    """Return what the planner is told of a case."""
    known = (NAMES.entities[id_] for id_ in case["entities"])
    named = tuple(NamedEntity(one.id, one.name, one.type) for one in known)
    return PlannerInput(case["question"], named, None, INTENTS, ("person", "project", "technology"), 3)


class Door:
    """The tools as they are called: nothing that is not registered, not of its type or not asked for gets by."""

    def __init__(self, named: Sequence[str]) -> None:
        self.calls, self.named = 0, named

    async def query(self, call: GraphQuery, intent: Intent, audience: Audience) -> Sequence[Fact]:
        assert isinstance(call, GraphQuery)
        assert replace(intent, rather=()) in INTENTS
        assert intent.find != "search"
        assert call.entity_id in self.named
        assert call.also is None or call.also in self.named
        self.calls += 1
        return ()

    async def find(self, query: SearchQuery, audience: Audience) -> Found:
        assert isinstance(query.text, str)
        assert 0 < len(query.text) <= 500
        assert {*query.doc_types} <= {"person", "project", "technology"}
        assert isinstance(query.limit, int)
        assert 1 <= query.limit <= 20
        self.calls += 1
        return Found()


async def outcome(case: dict[str, Any]) -> tuple[Planned, Planned, int]:
    """Return the plan of the model's replies, the plan that is run, and how often the model was asked."""
    model = ScriptedModel(case["replies"])
    planned = await plan_with_model(told(case), RULES, model)
    asked = read_question(case["question"], resolve_entities(case["question"], NAMES), NOON)
    near = Planned(default_plan(case["question"]), "default")
    return planned, with_evidence(planned, asked, near, RULES), len(model.requests)


def keys(plan: QueryPlan) -> Iterator[list[str]]:
    """Yield each call of a plan in short."""
    for call in plan.tool_calls:
        if isinstance(call, GraphQuery):
            yield ["graph_query", call.intent, call.entity_id]
        else:
            yield ["document_search", call.query, ""]


def test_the_suite_is_what_its_recipes_make() -> None:
    """The file has 500 cases, of every recipe, in both languages, as the recipes write them."""
    kinds = Counter(case["kind"] for case in cases())

    assert COUNT == len(cases())
    assert {*HARMLESS, *HARMFUL} == set(kinds)
    assert list(cases()) == json.loads(json.dumps(list(lines())))
    assert {"first", "second", "default"} == {case["outcome"] for case in cases()}


@pytest.mark.parametrize("kind", [*HARMLESS, *HARMFUL])
async def test_every_reply_ends_in_a_valid_plan_or_the_default(kind: str) -> None:
    """What is harmless is taken at once, what is not is repaired once or gives the default; nothing is raised."""
    for case in (one for one in cases() if one["kind"] == kind):
        planned, _, asked = await outcome(case)

        made = {"first": ("model", 1), "second": ("model", 2), "default": ("default", 2)}[case["outcome"]]
        assert made == (planned.by, asked), (case["id"], planned.problem)
        if planned.by == "model":
            assert [key for key in case["calls"] if key not in list(keys(planned.plan))] == [], case["id"]
        else:
            assert default_plan(case["question"]) == planned.plan


@pytest.mark.parametrize("kind", [*HARMLESS, *HARMFUL])
async def test_only_registered_tools_with_typed_arguments_are_called(kind: str) -> None:
    """At the executor's door: known intents and entities, bounded queries, known kinds, no more calls than allowed."""
    for case in (one for one in cases() if one["kind"] == kind):
        _, held, _ = await outcome(case)
        door = Door(case["entities"])

        await run_plan(held.plan, case["question"], Tools(door, door, {one.name: one for one in INTENTS}, EVERYBODY))

        assert 1 <= len(held.plan.tool_calls) <= 3
        assert all(isinstance(call, GraphQuery | DocumentSearch) for call in held.plan.tool_calls)
        assert 1 <= door.calls <= 4  # the plan's, and the fallback
        assert held.plan == QueryPlan.model_validate_json(held.plan.model_dump_json(), strict=True)
