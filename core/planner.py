"""Planning: a model proposes a plan, code checks it; without a model the nearest declared example decides."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import dist, hypot
from typing import Literal

from core.asked import Asked, read_question
from core.asking import parted
from core.doubting import supported
from core.entities import EntityMatch, Registry, resolve_entities
from core.errors import BadModelOutput
from core.kinds import kind_of
from core.plan import (
    ALL_PAGES,
    GENERAL,
    NO_KIND,
    WHOLE,
    DocumentSearch,
    Fallback,
    GraphQuery,
    Intent,
    Limits,
    QueryPlan,
    default_plan,
)
from core.plan_check import PlanRules, check_plan, plan_schema
from core.plan_form import calls_of, in_form
from core.ports import Embedder, LanguageModel, ModelRequest
from core.prompts import PlannerInput, planner_system, planner_user
from core.text import terms, words
from core.wholly import wholly

# Offline, an example must be this near and this much nearer than the next intent's; measured on both examples' suites.
MIN_SIMILARITY = 0.6
MIN_MARGIN = 0.05
# A question's word or two alone must be almost an example: "стек" of a project is, and its "budget" is not.
MIN_BRIEF = 0.75
# Two examples this near ask for the same.
_SAME = 0.95

PlannedBy = Literal["model", "examples", "default", "list"]


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan, who made it, and why that was not the model.

    `supported`: the intents that the question bears out; None where nobody looked. `otherwise`: the plan without a
    model, where that is another one.
    """

    plan: QueryPlan
    by: PlannedBy
    problem: str | None = None
    supported: frozenset[str] | None = None
    otherwise: "Planned | None" = None


async def plan_with_model(given: PlannerInput, rules: PlanRules, model: LanguageModel, tries: int = 2) -> Planned:
    """Return the model's plan if one of its tries is valid, each after the first told what was wrong, else the default.

    Raises ModelError when the model cannot be reached at all.
    """
    error = None
    for _ in range(tries):
        try:
            completion = await model.complete(_request(given, rules, error))
        except BadModelOutput as unreadable:
            error = unreadable.reason
            continue
        checked = check_plan(completion.text, rules, given)
        if isinstance(checked, QueryPlan):
            return Planned(checked, "model")
        error = checked
    return Planned(default_plan(given.question), "default", error)


def _request(given: PlannerInput, rules: PlanRules, error: str | None) -> ModelRequest:
    return ModelRequest(
        role="planner",
        system=planner_system(given),
        user=planner_user(given, error),
        schema=plan_schema(given.intents, given.doc_types),
        max_tokens=rules.max_tokens,
        name="QueryPlan",
    )


@dataclass(frozen=True, slots=True)
class IntentIndex:
    """The declared examples as vectors, each with its intent and its length.

    `kinds` are those of which most that has a name has a page, too; `named`: of which several have a name.
    """

    intents: tuple[Intent, ...]
    vectors: tuple[tuple[Intent, tuple[float, ...], float], ...]
    kinds: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()


async def index_intents(intents: tuple[Intent, ...], registry: Registry, embedder: Embedder) -> IntentIndex:
    """Return the intents' examples embedded, with names masked by their kind.

    What is said in general of where an answer may stand does not count where the corpus declares its place.
    """
    pairs = [(intent, _bare(text, registry, intents)) for intent in intents for text in intent.examples]
    vectors = await embedder.embed([text for _, text in pairs], "query") if pairs else []
    made = tuple((intent, tuple(v), hypot(*v)) for (intent, _), v in zip(pairs, vectors, strict=True))
    placed = [(vector, length) for intent, vector, length in made if intent.find != "search"]
    kept = tuple(
        (intent, vector, length)
        for intent, vector, length in made
        if intent.name != GENERAL or all(_dot(vector, length, *one) < _SAME for one in placed)
    )
    return with_kinds(IntentIndex(intents, kept), registry)


def with_kinds(index: IntentIndex, registry: Registry) -> IntentIndex:
    """Return the index with the kinds of what is known now, where its examples name the same kinds as before."""
    return replace(index, kinds=_kinds_of_pages(registry), named=_kinds_named(registry))


def _dot(one: Sequence[float], length: float, other: Sequence[float], other_length: float) -> float:
    return (length * length + other_length * other_length - dist(one, other) ** 2) / 2


def _kinds_of_pages(registry: Registry) -> frozenset[str]:
    """Return the kinds of which most that has a name has a page; of others no list of pages tells what there is."""
    known = [(kind_of(entity.type), entity.page is not None) for entity in registry.entities.values()]
    all_of, paged = Counter(kind for kind, _ in known), Counter(kind for kind, has_page in known if has_page)
    return frozenset(kind for kind, count in all_of.items() if 2 * paged[kind] > count) - {kind_of(NO_KIND)}


def _kinds_named(registry: Registry) -> frozenset[str]:
    """Return the kinds of which several things have a name and one a page: they are told by where they are named."""
    known = Counter(kind_of(entity.type) for entity in registry.entities.values())
    paged = {kind_of(entity.type) for entity in registry.entities.values() if entity.page}
    return frozenset(kind for kind, count in known.items() if count >= _SEVERAL and kind in paged) - {kind_of(NO_KIND)}


def _bare(example: str, registry: Registry, intents: Sequence[Intent]) -> str:
    return read_question(example, askable(resolve_entities(example, registry), intents), _ANY_TIME).bare


_ANY_TIME = datetime(2000, 1, 1, tzinfo=UTC)


def askable(matches: Sequence[EntityMatch], intents: Sequence[Intent]) -> tuple[EntityMatch, ...]:
    """Return the names but for those of mere pages, unless an intent is asked of pages.

    A page that is called "Contacts" would else hide what the question asks for.
    """
    looked_up = [intent for intent in intents if intent.find != "search"]
    pages = any(not intent.of or NO_KIND in (*intent.of, *intent.within) for intent in looked_up)
    return tuple(match for match in matches if pages or match.entity.type != NO_KIND)


def mask(text: str, matches: Sequence[EntityMatch]) -> str:
    """Return the text with each name replaced by its kind, so that examples fit any name."""
    for match in sorted(matches, key=lambda m: -m.start):
        text = f"{text[: match.start]}{match.entity.type}{text[match.end :]}"
    return text


@dataclass(frozen=True, slots=True)
class _Near:
    """The intent that a text is nearest to among those that fit the names in it, and how near."""

    intent: Intent
    similarity: float
    margin: float

    @property
    def is_sure(self) -> bool:
        return self.similarity >= MIN_SIMILARITY and self.margin >= MIN_MARGIN and self.intent.find != "search"


def plan_by_examples(
    asked: Asked, vectors: Sequence[Sequence[float]], index: IntentIndex, max_calls: int = 5
) -> Planned:
    """Return the plan of the nearest declared intents that fit the named entities, else the default plan.

    `vectors` are the embeddings of `asked.texts`. Near alone is not enough: the next intent must be further. When two
    parts of the question are near to intents of their own, all of these are looked up.
    """
    if whole_page := wholly(asked):
        return Planned(whole_page, "examples")
    own = vectors[1 : 1 + len(asked.parts)]
    parts = [_nearest(vector, part.about, index) for part, vector in zip(asked.parts, own, strict=True)]
    sure = [(near, part.about) for near, part in zip(parts, asked.parts, strict=True) if near and near.is_sure]
    if len({near.intent.name for near, _ in sure}) < _SEVERAL:
        whole = _sure_of_all(vectors[0], vectors[-1], asked, index)
        sure = [(whole, asked.about)] if whole else []
    opens = all(near.intent.find == "overview" for near, _ in sure)
    if opens and (call := _all_of_a_kind(asked, index)):
        plan = QueryPlan(intents=(ALL_PAGES,), entities=_entities(asked.about), tool_calls=(call,))
        return Planned(in_form(plan, asked, index.intents), "examples")
    if not sure:
        plan = default_plan(asked.question).model_copy(update={"entities": _entities(asked.about)})
        if searches := asked.searches[:max_calls]:
            plan = plan.model_copy(update={"tool_calls": tuple(DocumentSearch(query=one[:500]) for one in searches)})
        return Planned(in_form(plan, asked, index.intents), "default")
    return Planned(in_form(_structural(sure, asked, max_calls), asked, index.intents), "examples")


_SEVERAL = 2


def _sure_of_all(vector: Sequence[float], in_brief: Sequence[float], asked: Asked, index: IntentIndex) -> _Near | None:
    """Return the intent that the question as a whole, or what it asks for in brief, is surely near to."""
    whole = _nearest(vector, asked.about, index) if asked.bare else None
    if whole and whole.is_sure:
        return whole
    brief = _nearest(in_brief, asked.about, index) if asked.brief else None
    return brief if brief and brief.is_sure and brief.similarity >= MIN_BRIEF else None


def _all_of_a_kind(asked: Asked, index: IntentIndex) -> GraphQuery | None:
    """Return the look-up of all pages of a kind, where a question asks for nothing but them, or those of one name."""
    names = dict.fromkeys(match.entity.id for match in asked.about)
    kinds = index.kinds if asked.counts or names else index.kinds | index.named
    if not asked.bare_thing or kind_of(asked.thing) not in kinds or asked.period or len(names) >= _SEVERAL:
        return None
    return GraphQuery(intent=ALL_PAGES, entity_id=next(iter(names), ""))


def _nearest(vector: Sequence[float], about: Sequence[EntityMatch], index: IntentIndex) -> _Near | None:
    """Return the nearest of the intents that are asked of one of the names, or are searched for."""
    ranked = sorted(_nearness(vector, about, index).values(), key=lambda pair: -pair[0])
    if not ranked:
        return None
    return _Near(ranked[0][1], ranked[0][0], ranked[0][0] - (ranked[1][0] if len(ranked) > 1 else 0.0))


def _nearness(
    vector: Sequence[float], about: Sequence[EntityMatch], index: IntentIndex
) -> dict[str, tuple[float, Intent]]:
    """Return the cosine to the nearest example of each of these intents."""
    kinds = {match.entity.type for match in about}
    length = hypot(*vector)
    best: dict[str, tuple[float, Intent]] = {}
    for intent, example, own in index.vectors:
        if intent.find != "search" and not (kinds.intersection(intent.of) if intent.of else kinds):
            continue
        near = _dot(vector, length, example, own)
        if near > best.get(intent.name, (-1.0, intent))[0]:
            best[intent.name] = (near, intent)
    return best


def borne_out(asked: Asked, vectors: Sequence[Sequence[float]], index: IntentIndex) -> frozenset[str]:
    """Return the intents that the question's words bear out, or its nearness as a whole, in a part or in brief."""
    nearest: dict[str, float] = {}
    for vector in vectors:
        for name, (near, _) in _nearness(vector, asked.about, index).items():
            nearest[name] = max(near, nearest.get(name, near))
    return supported(asked, nearest, index.intents)


def _structural(sure: Sequence[tuple[_Near, Sequence[EntityMatch]]], asked: Asked, max_calls: int) -> QueryPlan:
    calls = [call for near, about in sure for call in calls_of(near.intent, about)]
    first = sure[0][0].intent
    return QueryPlan(
        intents=tuple(dict.fromkeys(near.intent.name for near, _ in sure))[:3],
        entities=_entities(asked.about),
        tool_calls=tuple(dict.fromkeys(calls))[:max_calls],
        limits=Limits(max_items=max(near.intent.limit for near, _ in sure)),
        render_style=first.style,
        confidence=round(min(1.0, *(near.similarity for near, _ in sure)), 3),
    )


def _entities(about: Sequence[EntityMatch]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(match.entity.id for match in about))[:6]


def with_evidence(
    planned: Planned, asked: Asked, near: Planned, rules: PlanRules, carried: Sequence[str] = ()
) -> Planned:
    """Return the planner's plan, held to what is known of the question without it.

    No entity that the question names is dropped, and none is looked up that neither it nor the question before it
    (`carried`) names, nor what it shows no sign of asking; of two alike one is not looked up without the other. A plan
    that only searches is joined by the look-up of a sure example (`near`), or of its own intents where they fit; an
    intent that nothing looks up goes. A search for other words than the question's, or in some kinds of documents only,
    is joined by its own in all. Nothing is looked for or told less far than without a planner;
    of a thing that all is asked about, its whole page.
    """
    plan = in_form(planned.plan, asked, rules.intents)
    named = _entities(asked.about)
    if planned.by != "model":
        return replace(planned, plan=plan.model_copy(update={"entities": named}))
    if near.plan.intents == (WHOLE,):
        return replace(planned, plan=near.plan)
    calls = _called_for(plan, {*named, *_still_carried(asked, carried, rules)}, near.supported)
    calls = (*_looked_up(plan, calls, asked, near, rules), *calls)
    if not any(isinstance(call, GraphQuery) or _is_about(call, asked) for call in calls):
        calls = (default_plan(asked.question).tool_calls[0], *calls)
    calls = tuple(dict.fromkeys(map(_deep, calls)))[: rules.max_tool_calls]
    intents = _called(calls, plan, rules)
    held = plan.model_copy(
        update={
            "intents": intents,
            "fallback": Fallback(),
            "limits": _wide(plan.limits, [one.limit for one in rules.intents if one.name in intents], asked),
            "entities": tuple(dict.fromkeys((*named, *(one for one in plan.entities if one in carried))))[:6],
            "tool_calls": calls,
        }
    )
    return replace(planned, plan=in_form(held, asked, rules.intents))


def _looked_up(
    plan: QueryPlan,
    calls: Sequence[GraphQuery | DocumentSearch],
    asked: Asked,
    near: Planned,
    rules: PlanRules,
) -> list[GraphQuery | DocumentSearch]:
    """Return the look-ups that the plan should make, its own first: for each name of a kind, or where it has none."""
    known = {intent.name: intent for intent in rules.intents}
    graph = [call for call in calls if isinstance(call, GraphQuery)]
    if graph:
        return [one for call in graph for one in (call, *_siblings(call, asked))]
    if near.by == "examples":
        return list(near.plan.tool_calls)
    own = (name for name in plan.intents if near.supported is None or name in near.supported)
    return [call for name in own for call in calls_of(known[name], asked.about)]


def _called(calls: Sequence[GraphQuery | DocumentSearch], plan: QueryPlan, rules: PlanRules) -> tuple[str, ...]:
    """Return the intents that the calls look up, and those that the planner meant to search for beside a look-up."""
    looked_up = [call.intent for call in calls if isinstance(call, GraphQuery)]
    both = {call.tool for call in plan.tool_calls} == {call.tool for call in calls}
    searched = [one.name for one in rules.intents if both and one.find == "search" and one.name in plan.intents]
    return tuple(dict.fromkeys((*looked_up, *searched)))[:3] or (GENERAL,)


def _still_carried(asked: Asked, carried: Sequence[str], rules: PlanRules) -> list[str]:
    """Return the carried entities but for those in whose place the follow-up itself names another of their kind."""
    own = [match.entity for match in asked.about if match.end <= len(parted(asked.question)[0])]
    kinds = set() if asked.compares or asked.both else {one.type for one in own}
    known = rules.registry.entities
    return [id_ for id_ in carried if id_ in known and (known[id_].type not in kinds or known[id_] in own)]


def _called_for(
    plan: QueryPlan, named: set[str], supported: frozenset[str] | None
) -> tuple[GraphQuery | DocumentSearch, ...]:
    """Return the calls but for look-ups of what nobody named or asked, or of what is to be left out."""
    kept: list[GraphQuery | DocumentSearch] = []
    for call in plan.tool_calls:
        if isinstance(call, DocumentSearch):
            kept.append(call)
        elif supported is not None and call.intent not in supported:
            continue
        elif call.entity_id in ("", *named) and call.entity_id not in plan.exclude:
            kept.append(call if call.also in named else call.model_copy(update={"also": None}))
    return tuple(kept)


def _siblings(call: GraphQuery, asked: Asked) -> list[GraphQuery]:
    """Return the same look-up for the question's other entities of the same kind."""
    kinds = {match.entity.id: match.entity.type for match in asked.about}
    alike = [id_ for id_, kind in kinds.items() if kind == kinds.get(call.entity_id)]
    return [call.model_copy(update={"entity_id": id_}) for id_ in alike if id_ != call.also]


def _deep(call: GraphQuery | DocumentSearch) -> GraphQuery | DocumentSearch:
    """Return the call; a search brings at least what one brings that nobody planned."""
    return call.model_copy(update={"top_k": max(call.top_k, _DEPTH)}) if isinstance(call, DocumentSearch) else call


_DEPTH = DocumentSearch(query="?").top_k


def _wide(limits: Limits, declared: Sequence[int], asked: Asked) -> Limits:
    """Return the limits, none under what is usual or declared, unless the question itself says how many it wants."""
    least = Limits()
    if str(limits.max_items) in words(asked.question):
        return limits
    items, groups = max(limits.max_items, least.max_items, *declared), max(limits.max_groups, least.max_groups)
    return limits.model_copy(update={"max_items": items, "max_groups": groups})


def _is_about(call: DocumentSearch, asked: Asked) -> bool:
    """Return whether the search has a word or a name of the question in it, and looks everywhere."""
    if call.doc_types:
        return False
    names = " ".join(name for match in asked.about for name in match.entity.names)
    return bool(set(terms(call.query)) & set(terms(f"{asked.question} {names}")))
