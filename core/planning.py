"""What planning needs of the outside, and what of it the planner is told and held to."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from typing import Protocol

from core.asked import Asked, read_question
from core.clarify import meant_by
from core.entities import EntityMatch, Unknown, resolve_entities, unknown_names
from core.followup import FollowUp, FollowUpDecision
from core.instead import plainly
from core.namesakes import as_meant, with_parts
from core.plan import default_plan
from core.plan_check import PlanRules
from core.plan_form import in_form
from core.planner import IntentIndex, Planned, askable, borne_out, plan_by_examples
from core.ports import Embedder, Knowledge, LanguageModel
from core.prompts import NamedEntity, PlannerInput
from core.when import by_the_calendar


class PlanOptions(Protocol):
    """The settings that shape a plan."""

    @property
    def plan_confidence(self) -> float:
        """The least confidence of a planner's plan."""

    @property
    def max_tool_calls(self) -> int:
        """The most calls of a plan."""

    @property
    def planner_max_tokens(self) -> int:
        """The most tokens that a planner may write."""


class Planning(Protocol):
    """What planning needs of the outside."""

    @property
    def model(self) -> LanguageModel:
        """The models."""

    @property
    def embedder(self) -> Embedder:
        """What makes vectors."""

    @property
    def knowledge(self) -> Knowledge:
        """What is known of names and kinds of question."""

    @property
    def intents(self) -> Callable[[], Awaitable[IntentIndex]]:
        """The declared examples."""

    @property
    def options(self) -> PlanOptions:
        """The settings."""


def names_said(text: str, known: Knowledge) -> tuple[EntityMatch, ...]:
    """Return the names in the text, a first or a last name that only one person has among them."""
    return with_parts(text, resolve_entities(text, known.registry), known.registry, known.namesakes)


def taken_up(
    decision: FollowUpDecision, asked: str, matches: tuple[EntityMatch, ...], known: Knowledge
) -> tuple[str, tuple[EntityMatch, ...]]:
    """Return the words that ask, and the names in them, each standing for the one that is meant.

    Where an earlier question is but taken up again, its words ask.
    """
    if isinstance(decision, FollowUp) and decision.again:
        asked, matches = decision.question, names_said(decision.question, known)
    return asked, as_meant(asked, matches, meant_by(decision), known.registry, known.namesakes)


def names_unknown(
    decision: FollowUpDecision, asked: str, matches: tuple[EntityMatch, ...], known: Knowledge
) -> Unknown:
    """Return the names that stand for no known entity: in what was typed, and in the question in full.

    With them go the names in that which stand for one.
    """
    typed, whole = unknown_names(asked, matches), decision.question
    if whole == asked:
        return Unknown(typed, typed, matches)
    said = names_said(whole, known)
    return Unknown(typed, unknown_names(whole, said), said)


def names_in(decision: FollowUpDecision, known: Knowledge) -> tuple[EntityMatch, ...]:
    """Return the names that the question in full asks about, a name of several standing for the one that is meant."""
    text = decision.question
    matches = as_meant(text, names_said(text, known), meant_by(decision), known.registry, known.namesakes)
    return askable(matches, known.intents)


async def nearest_plan(asked: Asked, ports: Planning) -> Planned:
    """Return the plan of the nearest declared examples, else the default. Raises ModelError."""
    vectors = await ports.embedder.embed(asked.texts, "query")
    index = await ports.intents()
    near = plan_by_examples(asked, vectors, index, ports.options.max_tool_calls)
    return replace(near, supported=borne_out(asked, vectors, index))


async def nearest_reading(decision: FollowUpDecision, ports: Planning, asked_at: datetime) -> tuple[Asked, Planned]:
    """Return how the question is read, and the plan of the nearest examples for it. Raises ModelError.

    A follow-up is read without what it has not taken over from the questions before it; where no example is near to
    that, none is what it asks for, however near its earlier questions are.
    """
    whole = (decision.instead if isinstance(decision, FollowUp) else None) or decision.question
    plain = plainly(whole, ports.knowledge) if isinstance(decision, FollowUp) else whole
    dated = by_the_calendar(plain, asked_at)
    asked = read_question(dated, names_in(replace(decision, question=dated), ports.knowledge), asked_at)
    near = await nearest_plan(asked, ports)
    if plain == whole or near.by == "examples":
        return asked, near
    asked, searched = unread(replace(decision, question=whole), ports, asked_at)
    plan = in_form(searched.plan, asked, ports.knowledge.intents)
    # A planner may still find that it asks for what was asked before: "And in 2023?".
    earlier = (await nearest_plan(asked, ports)).supported or frozenset()
    return asked, replace(searched, plan=plan, supported=earlier | (near.supported or frozenset()))


def unread(decision: FollowUpDecision, ports: Planning, asked_at: datetime) -> tuple[Asked, Planned]:
    """Return how the question is read where no examples can be asked for, and the default plan."""
    dated = by_the_calendar(decision.question, asked_at)
    asked = read_question(dated, names_in(replace(decision, question=dated), ports.knowledge), asked_at)
    return asked, Planned(default_plan(asked.question), "default")


def planner_input(decision: FollowUpDecision, matches: tuple[EntityMatch, ...], ports: Planning) -> PlannerInput:
    """Return all that the planner is told: of a follow-up also the question before it, and its names."""
    earlier = decision.carried if isinstance(decision, FollowUp) else None
    registry = ports.knowledge.registry
    carried = earlier.entities if earlier else ()
    named = [match.entity for match in askable(matches, ports.knowledge.intents)]
    named += [registry.entities[id_] for id_ in carried if id_ in registry.entities]
    return PlannerInput(
        # What an answer told is known to the planner by its listed name alone.
        question=(decision.typed if isinstance(decision, FollowUp) else None) or decision.question,
        entities=tuple(dict.fromkeys(NamedEntity(e.id, e.name, e.type) for e in named)),
        earlier_question=earlier.question if earlier else None,
        intents=ports.knowledge.intents,
        doc_types=ports.knowledge.doc_types,
        max_tool_calls=ports.options.max_tool_calls,
        relations=ports.knowledge.relations,
    )


def plan_rules(ports: Planning) -> PlanRules:
    """Return what a planner's plan is checked against."""
    options = ports.options
    return PlanRules(
        ports.knowledge.intents,
        ports.knowledge.registry,
        options.plan_confidence,
        options.max_tool_calls,
        options.planner_max_tokens,
    )
