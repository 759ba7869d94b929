"""Planning: a model proposes a plan, code checks it; without a model the nearest declared example decides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from pydantic import ValidationError

from core.entities import EntityMatch, Registry, resolve_entities
from core.errors import BadModelOutput
from core.plan import DocumentSearch, GraphQuery, Intent, Limits, QueryPlan, default_plan
from core.ports import Embedder, LanguageModel, ModelRequest
from core.prompts import PlannerInput, planner_system, planner_user

# Offline, an example must be this near and this much nearer than the next intent's; measured on both examples' suites.
MIN_SIMILARITY = 0.72
MIN_MARGIN = 0.05

PlannedBy = Literal["model", "examples", "default"]


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan, who made it, and what it cost."""

    plan: QueryPlan
    by: PlannedBy
    tokens: int = 0
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class PlanRules:
    """What a plan is checked against."""

    intents: tuple[Intent, ...]
    registry: Registry
    min_confidence: float
    max_tool_calls: int
    max_tokens: int


async def plan_with_model(given: PlannerInput, rules: PlanRules, model: LanguageModel, tries: int = 2) -> Planned:
    """Return the model's plan if one of its tries is valid, each after the first told what was wrong, else the default.

    Raises ModelError when the model cannot be reached at all.
    """
    error, tokens = None, 0
    for _ in range(tries):
        try:
            completion = await model.complete(_request(given, rules, error))
        except BadModelOutput as unreadable:
            error = unreadable.reason
            continue
        tokens += completion.tokens
        checked = check_plan(completion.text, rules)
        if isinstance(checked, QueryPlan):
            return Planned(checked, "model", tokens)
        error = checked
    return Planned(default_plan(given.question), "default", tokens, error)


def _request(given: PlannerInput, rules: PlanRules, error: str | None) -> ModelRequest:
    return ModelRequest(
        role="planner",
        system=planner_system(given),
        user=planner_user(given, error),
        schema=_schema(),
        max_tokens=rules.max_tokens,
        name="QueryPlan",
    )


@cache
def _schema() -> Mapping[str, Any]:
    return QueryPlan.model_json_schema()


def check_plan(text: str, rules: PlanRules) -> QueryPlan | str:
    """Return the plan, or in one sentence what is wrong with it."""
    try:
        plan = QueryPlan.model_validate_json(text)
    except ValidationError as error:
        return "; ".join(f"{'.'.join(map(str, e['loc'])) or 'plan'}: {e['msg']}" for e in error.errors()[:3])
    known = {intent.name: intent for intent in rules.intents}
    wrong = [f"unknown intent {name!r}" for name in plan.intents if name not in known]
    wrong += [f"unknown entity {id_!r}" for id_ in plan.entities if id_ not in rules.registry.entities]
    for call in plan.tool_calls:
        wrong += _wrong_call(call, known, rules.registry)
    if len(plan.tool_calls) > rules.max_tool_calls:
        wrong.append(f"{len(plan.tool_calls)} tool calls, at most {rules.max_tool_calls} are allowed")
    if plan.confidence < rules.min_confidence:
        wrong.append(f"confidence {plan.confidence} is below {rules.min_confidence}")
    return "; ".join(wrong) if wrong else plan


def _wrong_call(call: GraphQuery | DocumentSearch, known: dict[str, Intent], registry: Registry) -> list[str]:
    if isinstance(call, DocumentSearch):
        return []
    wrong = [f"unknown entity {id_!r}" for id_ in (call.entity_id, call.also) if id_ and id_ not in registry.entities]
    if call.intent not in known:
        return [*wrong, f"unknown intent {call.intent!r} in graph_query"]
    intent = known[call.intent]
    if intent.find == "search":
        wrong.append(f"{call.intent} is not answered by graph_query")
    entity = registry.entities.get(call.entity_id)
    if entity and intent.of and entity.type not in intent.of:
        wrong.append(f"{call.intent} is asked of {', '.join(intent.of)}, but {call.entity_id} is a {entity.type}")
    return wrong


@dataclass(frozen=True, slots=True)
class IntentIndex:
    """The declared examples as vectors, each with its intent."""

    intents: tuple[Intent, ...]
    vectors: tuple[tuple[Intent, tuple[float, ...]], ...]


async def index_intents(intents: tuple[Intent, ...], registry: Registry, embedder: Embedder) -> IntentIndex:
    """Return the intents' examples embedded, with names masked by their kind."""
    pairs = [(intent, mask(text, resolve_entities(text, registry))) for intent in intents for text in intent.examples]
    vectors = await embedder.embed([text for _, text in pairs], "query") if pairs else []
    return IntentIndex(intents, tuple((intent, tuple(v)) for (intent, _), v in zip(pairs, vectors, strict=True)))


def mask(text: str, matches: Sequence[EntityMatch]) -> str:
    """Return the text with each name replaced by its kind, so that examples fit any name."""
    for match in sorted(matches, key=lambda m: -m.start):
        text = f"{text[: match.start]}{match.entity.type}{text[match.end :]}"
    return text


def plan_by_examples(
    question: str, matches: Sequence[EntityMatch], vector: Sequence[float], index: IntentIndex
) -> Planned:
    """Return the plan of the nearest declared intent that fits a named entity, else the default plan.

    `vector` is the embedding of the masked question. Near alone is not enough: the next intent must be further.
    """
    best: dict[str, tuple[float, Intent]] = {}
    for intent, example in index.vectors:
        near = _dot(vector, example)
        if near > best.get(intent.name, (-1.0, intent))[0]:
            best[intent.name] = (near, intent)
    ranked = sorted(best.values(), key=lambda pair: -pair[0])
    if not ranked or ranked[0][0] < MIN_SIMILARITY:
        return Planned(default_plan(question), "default")
    runner_up = ranked[1][0] if len(ranked) > 1 else 0.0
    intent = ranked[0][1]
    asked_of = next((m.entity.id for m in matches if not intent.of or m.entity.type in intent.of), None)
    if intent.find == "search" or asked_of is None or ranked[0][0] - runner_up < MIN_MARGIN:
        return Planned(default_plan(question), "default")
    return Planned(_structural(intent, asked_of, matches, ranked[0][0]), "examples")


def _structural(intent: Intent, entity: str, matches: Sequence[EntityMatch], confidence: float) -> QueryPlan:
    own_type = next(m.entity.type for m in matches if m.entity.id == entity)
    also = next((m.entity.id for m in matches if m.entity.id != entity and m.entity.type != own_type), None)
    call = GraphQuery(intent=intent.name, entity_id=entity, also=also if intent.find == "mentions" else None)
    return QueryPlan(
        intents=(intent.name,),
        entities=tuple(dict.fromkeys(m.entity.id for m in matches))[:6],
        tool_calls=(call,),
        limits=Limits(max_items=intent.limit),
        render_style=intent.style,
        confidence=round(min(confidence, 1.0), 3),
    )


def _dot(left: Sequence[float], right: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))
