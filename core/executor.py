"""Running a plan: its tools side by side, the fallback when they bring too little, and how much was covered."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite

from core.asking import may_answer
from core.conversation import Audience
from core.entities import Entity, make_registry, name_term, resolve_entities
from core.errors import PortError, SearchError
from core.facts import Because, Fact, FactsPayload, ToolRun
from core.kinds import is_kind, words_of_kind
from core.plan import ALL_PAGES, NO_KIND, DocumentSearch, GraphQuery, Intent, QueryPlan, Shape
from core.ports import Found, Graph, Search, SearchQuery
from core.text import terms

# Below this share of what was asked, the facts are too few and the fallback runs.
LOW_COVERAGE = 0.5
# The plan's own calls get this share of the step's seconds, the fallback what is left.
_OWN_SHARE = 0.7
# Facts of one call that are looked at: eighty presses of "more", and less than a tenth of a second of work.
MOST_FACTS = 2_000
# How long a call that is given up may take to notice.
_GRACE = 0.05

Call = GraphQuery | DocumentSearch


@dataclass(frozen=True, slots=True)
class Tools:
    """What a plan may call, and for whom; `max_calls` and `seconds` bound the step, but for one fallback.

    `named` are the entities that the user's own words name, `among` is the kind of thing that they ask for.
    """

    graph: Graph
    search: Search
    intents: Mapping[str, Intent]
    audience: Audience
    hierarchical: bool = False
    entities: Mapping[str, Entity] = field(default_factory=dict)
    named: frozenset[str] = frozenset()
    among: str | None = None
    max_calls: int = 5
    seconds: float = 10.0


class AskedOnce:
    """A search that looks for one thing once, however often one question asks for it."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._found: dict[tuple[SearchQuery, Audience], Found] = {}

    async def find(self, query: SearchQuery, audience: Audience) -> Found:
        """Return what was found, now or before. Raises SearchError."""
        known = self._found.get((query, audience))
        if known is None:
            known = self._found[query, audience] = await self._search.find(query, audience)
        return known


@dataclass(frozen=True, slots=True)
class _Brought:
    """What a tool found. `by_page`: all pages of the kind asked for that have it, and nothing else."""

    found: Found
    by_page: bool = False


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What came of one call; `failure` is set when it brought nothing because it could not."""

    call: Call
    run: ToolRun
    facts: tuple[Fact, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    failure: PortError | None = None
    by_page: bool = False


async def run_plan(plan: QueryPlan, question: str, tools: Tools) -> FactsPayload:
    """Return the facts of the plan's tools in its order, and with them those of its fallback when they are too few.

    A tool that fails or is late is recorded, and the others answer. Raises PortError when one failed and none found
    anything: that is no proof that there is nothing.
    """
    calls = tuple(dict.fromkeys(plan.tool_calls))
    own = tools.seconds * (_OWN_SHARE if plan.fallback.enabled else 1.0)
    tools = replace(tools, among=plan.among)
    outcomes = await _called(calls[: tools.max_calls], tools, own)
    if plan.without and (others := await _all_others(plan, outcomes, tools, own)) is not None:
        facts, runs = _facts(plan, others, tools), _runs(others, calls[tools.max_calls :])
        return FactsPayload(facts, 1.0, runs, by_page=True, at_least=_may_be_more(plan, tools))
    outcomes = [replace(one, facts=()) if _is_of_absent(one, plan) else one for one in outcomes]
    if headed := await _headed(question, outcomes, tools, own):
        outcomes = [*(replace(one, facts=()) for one in outcomes), headed]
    needs = _needs(plan, outcomes, tools)
    because = None if headed else _fallback_because(plan, outcomes, needs)
    last = DocumentSearch(query=question[:500] or "?")
    if because and not any(_searches_all(call, last) for call in calls[: tools.max_calls]):
        outcomes += [_with_both(plan, one) for one in await _called([last], tools, tools.seconds - own, because)]
    facts = _facts(plan, outcomes, tools)
    failures = [outcome.failure for outcome in outcomes if outcome.failure]
    if failures and not any(outcome.facts for outcome in outcomes):
        raise failures[0]
    runs = _runs(outcomes, calls[tools.max_calls :])
    missing = tuple(dict.fromkeys(name for (_, name), met in needs.items() if not met))
    # Few pages say when they hold, so that nobody can count those of a period.
    looked = [one for one in outcomes if isinstance(one.call, GraphQuery) and one.facts]
    by_page = bool(looked) and not (plan.period or missing) and all(one.by_page for one in looked)
    at_least = by_page and plan.shape is Shape.COUNT and _may_be_more(plan, tools)
    coverage, parts = _coverage(outcomes, needs), _parts_of(outcomes)
    return FactsPayload(facts, coverage, runs, _weights(outcomes), missing, by_page, parts, at_least)


def _parts_of(outcomes: Sequence[_Outcome]) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return what was searched for one after the other, where nothing was looked up and no search had to help out."""
    parts = [(one.call.query, frozenset(one.weights)) for one in outcomes if isinstance(one.call, DocumentSearch)]
    only = len(parts) == len(outcomes) > 1 and not any(one.run.fallback for one in outcomes)
    return tuple(parts) if only else ()


def _facts(plan: QueryPlan, outcomes: Sequence[_Outcome], tools: Tools) -> tuple[Fact, ...]:
    return _but_for(plan.exclude, (fact for outcome in outcomes for fact in outcome.facts), tools)


def _with_both(plan: QueryPlan, outcome: _Outcome) -> _Outcome:
    """Return what was found in the documents that name both, where things that have to do with both were looked up."""
    pairs = {(call.entity_id, call.also) for call in plan.tool_calls if isinstance(call, GraphQuery)}
    both = {name_term(one) for one, other in pairs if other and (other, one) in pairs}
    held: dict[str, set[str]] = {}
    for fact in outcome.facts:
        held.setdefault(fact.source.doc_id, set()).update(fact.around, *(part.terms for part in fact.parts))
    facts = tuple(fact for fact in outcome.facts if both <= held[fact.source.doc_id])
    return replace(outcome, facts=facts)


def _runs(outcomes: Sequence[_Outcome], left: Sequence[Call]) -> tuple[ToolRun, ...]:
    return (*(outcome.run for outcome in outcomes), *map(_not_called, left))


def _is_of_absent(outcome: _Outcome, plan: QueryPlan) -> bool:
    """Return whether it looked up what is asked to be absent: never an answer by itself."""
    return isinstance(outcome.call, GraphQuery) and outcome.call.entity_id in plan.without


async def _all_others(
    plan: QueryPlan, outcomes: Sequence[_Outcome], tools: Tools, seconds: float
) -> list[_Outcome] | None:
    """Return what has nothing to do with the entities that the plan leaves out, or None when that cannot be told.

    It is what else was looked up, or all pages of the kind asked for, but for the pages that mention one of these.
    """
    left_out = [one for one in outcomes if _is_of_absent(one, plan)]
    told = {one.call.entity_id for one in left_out if isinstance(one.call, GraphQuery) and not one.failure}
    if told != set(plan.without):
        return None
    others = [one for one in outcomes if isinstance(one.call, GraphQuery) and one not in left_out]
    if not others and plan.among:
        also = next((one.call.also for one in left_out if isinstance(one.call, GraphQuery)), None)
        others = await _called([GraphQuery(intent=ALL_PAGES, entity_id="", also=also)], tools, seconds)
    if not any(one.facts for one in others):
        return None
    gone = {fact.source.doc_id for one in left_out for fact in one.facts}
    kept = (replace(one, facts=tuple(f for f in one.facts if f.source.doc_id not in gone)) for one in others)
    return [*(replace(one, facts=()) for one in left_out), *kept]


async def _called(
    calls: Sequence[Call], tools: Tools, seconds: float, because: Because | None = None
) -> list[_Outcome]:
    """Return what came of the calls, made side by side, in their order; who is not done in time is given up."""
    tasks = [asyncio.create_task(_found_by(call, tools)) for call in calls]
    try:
        _, late = await asyncio.wait(tasks, timeout=seconds)
    finally:
        for task in tasks:
            task.add_done_callback(_heard)
            task.cancel()
    if late:
        await asyncio.wait(late, timeout=_GRACE)
    outcomes = [
        _outcome(call, task if task not in late else None, because) for call, task in zip(calls, tasks, strict=True)
    ]
    return _grouped(outcomes)


def _heard(task: asyncio.Task[_Brought]) -> None:
    """Take note of how a call that was given up has ended, so that nobody complains of it."""
    if not task.cancelled():
        task.exception()


async def _found_by(call: Call, tools: Tools) -> _Brought:
    if isinstance(call, GraphQuery):
        return await _looked_up(call, _intent_of(call, tools), tools)
    query = SearchQuery(call.query, call.doc_types, limit=call.top_k, hierarchical=tools.hierarchical)
    return _Brought(await tools.search.find(query, tools.audience))


def _intent_of(call: GraphQuery, tools: Tools) -> Intent:
    if call.intent != ALL_PAGES:
        return tools.intents[call.intent]
    return Intent(ALL_PAGES, "all pages of a kind", find="pages", within=(tools.among or "",))


async def _looked_up(call: GraphQuery, intent: Intent, tools: Tools) -> _Brought:
    """Return what the structure holds; of mentions those on pages of the kind asked for, if there are any."""
    asked = replace(intent, rather=(tools.among,)) if tools.among else intent
    facts = tuple(await tools.graph.query(call, asked, tools.audience))
    of_a_kind = intent.find in ("mentions", "pages") and all(_is_of(fact.kind, tools.among) for fact in facts)
    return _Brought(Found(facts), by_page=of_a_kind and bool(facts))


def _is_of(kind: str, asked: str | None) -> bool:
    return bool(kind and asked) and (kind == asked or is_kind(asked or "", kind))


def _may_be_more(plan: QueryPlan, tools: Tools) -> bool:
    """Return whether there may be more things of the kind asked for than pages of it.

    One of them has no page, or beside their pages lies one that does not say what it is, but for its folder's name.
    """
    known = list(tools.entities.values())
    types = {kind for kind in {one.type for one in known} if _is_of(kind, plan.among)}
    folders = {one.page.rpartition("/")[0] for one in known if one.type in types and one.page}
    unsaid = {(folder, kind) for folder in folders for kind in (NO_KIND, folder.rpartition("/")[2])}
    beside = {(one.page.rpartition("/")[0], one.type) for one in known if one.page and one.type not in types}
    return bool(unsaid & beside) or any(one.type in types for one in known if one.page is None)


def _outcome(call: Call, task: asyncio.Task[_Brought] | None, because: Because | None) -> _Outcome:
    """Return what came of a call that is done, or of none that was in time. What is no PortError is raised."""
    failure: PortError | None = None
    if task is None:
        failure = SearchError("it took too long to look this up; ask again", retry=True)
    if task is not None and isinstance(error := task.exception(), PortError):
        failure = error
    run = ToolRun(call.tool, _arguments(call), 0, because is not None, because, str(failure) if failure else None)
    if task is None or failure:
        return _Outcome(call, run, failure=failure)
    found, by_page = task.result().found, task.result().by_page
    facts = tuple(map(_sound, found.facts[:MOST_FACTS]))
    left = len(found.facts) - len(facts)
    problem = f"{call.tool} found {len(found.facts)} facts; the last {left} were left out" if left else None
    weights = {term: weight for term, weight in found.weights.items() if isfinite(weight) and weight >= 0}
    run = replace(run, found=len(found.facts), problem=problem)
    return _Outcome(call, run, facts, weights, by_page=by_page and not left)


def _arguments(call: Call) -> dict[str, str]:
    return {key: str(value) for key, value in call.model_dump(exclude={"tool"}).items() if value}


def _sound(fact: Fact) -> Fact:
    """Return the fact with a score that can be compared."""
    return fact if isfinite(fact.score) else replace(fact, score=0.0)


def _not_called(call: Call) -> ToolRun:
    return ToolRun(call.tool, _arguments(call), 0, problem="not called: the plan has more calls than are allowed")


def _grouped(outcomes: list[_Outcome]) -> list[_Outcome]:
    """Return the outcomes; where several looked something up, each one's facts stand under what they are about."""
    told = [outcome for outcome in outcomes if isinstance(outcome.call, GraphQuery) and outcome.facts]
    asked_of = {outcome.call.entity_id for outcome in told if isinstance(outcome.call, GraphQuery)}
    if len(told) <= 1:
        return outcomes
    by_title = len(asked_of) > 1
    return [
        replace(one, facts=tuple(_under(fact, by_title=by_title) for fact in one.facts)) if one in told else one
        for one in outcomes
    ]


def _under(fact: Fact, *, by_title: bool) -> Fact:
    headings = fact.place.headings
    return replace(fact, group=fact.group or (fact.source.title if by_title or not headings else str(headings[-1])))


def _but_for(excluded: Sequence[str], facts: Iterable[Fact], tools: Tools) -> tuple[Fact, ...]:
    """Return the facts but for those from a page of an excluded entity, and for items of the structure that name it."""
    left_out = [tools.entities[name] for name in excluded if name in tools.entities]
    if not left_out:
        return tuple(facts)
    pages, names = {entity.page for entity in left_out}, make_registry(left_out)
    return tuple(
        fact
        for fact in facts
        if fact.source.doc_id not in pages and not (fact.structural and resolve_entities(fact.text, names, typos=False))
    )


def _needs(plan: QueryPlan, outcomes: Sequence[_Outcome], tools: Tools) -> dict[tuple[str, str], bool]:
    """Return what the plan is to find, as intent and name, and whether the documents' structure held it.

    Each look-up is a need; so is an entity that the user names, of the same kind as one looked up ("A or B?"), and an
    intent that the structure could answer and nobody asked.
    """
    made = [(one.call, bool(one.facts)) for one in outcomes if isinstance(one.call, GraphQuery)]
    needs: dict[tuple[str, str], bool] = {}
    for call, met in made:
        needs[call.intent, call.entity_id] = met or needs.get((call.intent, call.entity_id), False)
    called = {name for call, _ in made for name in (call.entity_id, call.also)}
    kinds = {tools.entities[call.entity_id].type for call, _ in made if call.entity_id in tools.entities}
    for name in plan.entities:
        if name in tools.named - called and name in tools.entities and tools.entities[name].type in kinds:
            needs["", name] = False
    asked = {call.intent for call, _ in made}
    for name in plan.intents if made else ():
        if name not in asked and name in tools.intents and tools.intents[name].find != "search":
            needs[name, name] = False
    return needs


def _fallback_because(
    plan: QueryPlan, outcomes: Sequence[_Outcome], needs: Mapping[tuple[str, str], bool]
) -> Because | None:
    if not plan.fallback.enabled:
        return None
    if not any(outcome.facts for outcome in outcomes):
        return "nothing"
    if plan.fallback.when == "NO_RESULTS":
        return None
    if not all(needs.values()):
        return "missing"
    return "little" if _coverage(outcomes, needs) < LOW_COVERAGE else None


async def _headed(question: str, outcomes: Sequence[_Outcome], tools: Tools, seconds: float) -> _Outcome | None:
    """Return what else a looked-up page says, where that is nearer to the question than what was found.

    A place is headed by all that was asked: "Which projects at Aston?" is near to "What is Aston?" by its form, and the
    page's list of projects is what it asks for. Or only other places hold the sort of thing asked for: "How many people
    work at Aston?" asks for a number.
    """
    looked = [outcome for outcome in outcomes if outcome.facts]
    pages = {fact.source.doc_id for outcome in looked for fact in outcome.facts}
    about = [call for outcome in looked if isinstance(call := outcome.call, GraphQuery)]
    if len(about) != 1 or len(looked) != 1 or len(pages) != 1 or _intent_of(about[0], tools).find != "section":
        return None
    known = _known_of(tools.entities.get(about[0].entity_id))
    told = [frozenset(terms(" ".join(map(str, fact.place.headings)))) for fact in looked[0].facts]
    asked = frozenset(terms(question)) - known
    if not asked or any(asked <= headings for headings in told):
        return None
    [searched] = await _called([DocumentSearch(query=question[:500])], tools, seconds, "headed")
    asked = frozenset(term for term, weight in searched.weights.items() if weight > 0) - known
    own = tuple(fact for fact in searched.facts if fact.source.doc_id in pages)
    facts = tuple(fact for fact in own if asked <= fact.around)
    if not facts and not may_answer(question, looked[0].facts) and may_answer(question, own):
        facts = own
    if not facts or not asked or any(asked <= headings for headings in told):
        return None
    return replace(searched, facts=facts, run=replace(searched.run, found=len(facts)))


def _known_of(entity: Entity | None) -> frozenset[str]:
    """Return the search terms of the entity's names and of what it is called by its kind."""
    if entity is None:
        return frozenset()
    return frozenset(terms(" ".join(entity.names))) | words_of_kind(entity.type)


def _searches_all(call: Call, last: DocumentSearch) -> bool:
    """Return whether the call has looked for what the fallback would, and in all documents."""
    return isinstance(call, DocumentSearch) and call.model_copy(update={"top_k": last.top_k}) == last


def _coverage(outcomes: Sequence[_Outcome], needs: Mapping[tuple[str, str], bool]) -> float:
    """Return the share of the needs that were met; what the structure lacks counts as far as search held its words."""
    words = _words_held(outcomes)
    met = sum(needs.values())
    return (met + (len(needs) - met) * words) / len(needs) if needs else words


def _words_held(outcomes: Sequence[_Outcome]) -> float:
    """Return the share of the question's rare terms that the facts hold."""
    facts, weights = [fact for outcome in outcomes for fact in outcome.facts], _weights(outcomes)
    total = sum(weights.values())
    if not facts or not total:
        return 0.0
    held = held_terms(facts)
    return sum(weight for term, weight in weights.items() if term in held) / total


def _weights(outcomes: Sequence[_Outcome]) -> dict[str, float]:
    return {term: weight for outcome in outcomes for term, weight in outcome.weights.items()}


def held_terms(facts: Sequence[Fact]) -> frozenset[str]:
    """Return the search terms that the facts hold, with those of their titles and headings."""
    return frozenset(
        term for fact in facts for terms in (fact.around, *(part.terms for part in fact.parts)) for term in terms
    )
