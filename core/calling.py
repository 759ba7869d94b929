"""The calls of a plan: made side by side within their time, each with what came of it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite

from core.conversation import Audience
from core.entities import Entity
from core.errors import PortError, SearchError
from core.facts import Because, Fact, ToolRun
from core.kinds import is_kind
from core.plan import ALL_PAGES, TIES, WHOLE, DocumentSearch, GraphQuery, Intent
from core.ports import Found, Graph, Search, SearchQuery

# Facts of one call that are looked at: eighty presses of "more", and less than a tenth of a second of work.
MOST_FACTS = 2_000
# How long a call that is given up may take to notice.
_GRACE = 0.05

Call = GraphQuery | DocumentSearch


@dataclass(frozen=True, slots=True)
class Tools:
    """What a plan may call, and for whom; `max_calls` and `seconds` bound the step, but for what helps out.

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
class Outcome:
    """What came of one call; `failure` is set when it brought nothing because it could not."""

    call: Call
    run: ToolRun
    facts: tuple[Fact, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    failure: PortError | None = None
    by_page: bool = False


async def called(calls: Sequence[Call], tools: Tools, seconds: float, because: Because | None = None) -> list[Outcome]:
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
        return await _looked_up(call, intent_of(call, tools), tools)
    query = SearchQuery(call.query, call.doc_types, limit=call.top_k, hierarchical=tools.hierarchical)
    return _Brought(await tools.search.find(query, tools.audience))


def intent_of(call: GraphQuery, tools: Tools) -> Intent:
    """Return the intent of a look-up; nobody declares those that code alone asks for."""
    if call.intent == ALL_PAGES:
        return Intent(ALL_PAGES, "all pages of a kind", find="pages", within=(tools.among or "",))
    if call.intent == WHOLE:
        return Intent(WHOLE, "all that its page says", find="whole")
    return Intent(TIES, "what has to do with it", find="ties") if call.intent == TIES else tools.intents[call.intent]


async def _looked_up(call: GraphQuery, intent: Intent, tools: Tools) -> _Brought:
    """Return what the structure holds; of mentions those on pages of the kind asked for, if there are any."""
    asked = replace(intent, rather=(tools.among,)) if tools.among else intent
    facts = tuple(await tools.graph.query(call, asked, tools.audience))
    of_a_kind = intent.find in ("mentions", "pages") and all(is_of(fact.kind, tools.among) for fact in facts)
    return _Brought(Found(facts), by_page=of_a_kind and bool(facts))


def is_of(kind: str, asked: str | None) -> bool:
    """Return whether a page of the kind is one of those asked for."""
    return bool(kind and asked) and (kind == asked or is_kind(asked or "", kind))


def _outcome(call: Call, task: asyncio.Task[_Brought] | None, because: Because | None) -> Outcome:
    """Return what came of a call that is done, or of none that was in time. What is no PortError is raised."""
    failure: PortError | None = None
    if task is None:
        failure = SearchError("it took too long to look this up; ask again", retry=True)
    if task is not None and isinstance(error := task.exception(), PortError):
        failure = error
    run = ToolRun(call.tool, _arguments(call), 0, because is not None, because, str(failure) if failure else None)
    if task is None or failure:
        return Outcome(call, run, failure=failure)
    found, by_page = task.result().found, task.result().by_page
    facts = tuple(map(_sound, found.facts[:MOST_FACTS]))
    left = len(found.facts) - len(facts)
    problem = f"{call.tool} found {len(found.facts)} facts; the last {left} were left out" if left else None
    weights = {term: weight for term, weight in found.weights.items() if isfinite(weight) and weight >= 0}
    run = replace(run, found=len(found.facts), problem=problem)
    return Outcome(call, run, facts, weights, by_page=by_page and not left)


def _arguments(call: Call) -> dict[str, str]:
    return {key: str(value) for key, value in call.model_dump(exclude={"tool"}).items() if value}


def _sound(fact: Fact) -> Fact:
    """Return the fact with a score that can be compared."""
    return fact if isfinite(fact.score) else replace(fact, score=0.0)


def not_called(call: Call) -> ToolRun:
    """Return the record of a call for which there was no room."""
    return ToolRun(call.tool, _arguments(call), 0, problem="not called: the plan has more calls than are allowed")


def _grouped(outcomes: list[Outcome]) -> list[Outcome]:
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
