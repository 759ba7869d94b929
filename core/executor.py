"""Running a plan: its tools in order, the fallback when they bring too little, and how much was covered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.conversation import Audience
from core.facts import Fact, FactsPayload, ToolRun
from core.plan import DocumentSearch, GraphQuery, Intent, QueryPlan
from core.ports import Graph, Search, SearchQuery

# Below this share of what was asked, the facts are too few and the fallback runs.
LOW_COVERAGE = 0.5


@dataclass(frozen=True, slots=True)
class Tools:
    """What a plan may call, and for whom."""

    graph: Graph
    search: Search
    intents: Mapping[str, Intent]
    audience: Audience
    hierarchical: bool = False


async def run_plan(plan: QueryPlan, question: str, tools: Tools) -> FactsPayload:
    """Return the facts of the plan's tools, or with them those of its fallback when they cover too little."""
    payload = FactsPayload()
    for call in plan.tool_calls:
        payload = await _with_call(payload, call, tools)
    covered = _coverage(payload)
    needed = plan.fallback.enabled and (
        not payload.found or (plan.fallback.when == "LOW_COVERAGE" and covered < LOW_COVERAGE)
    )
    if needed and not _searched(payload, question):
        payload = await _with_call(payload, DocumentSearch(query=question[:500] or "?"), tools, fallback=True)
    return FactsPayload(payload.facts, _coverage(payload), payload.runs, payload.weights)


async def _with_call(
    payload: FactsPayload, call: GraphQuery | DocumentSearch, tools: Tools, *, fallback: bool = False
) -> FactsPayload:
    facts, weights = await _facts(call, tools)
    arguments = {key: str(value) for key, value in call.model_dump(exclude={"tool"}).items() if value}
    run = ToolRun(call.tool, arguments, len(facts), fallback)
    return FactsPayload(
        (*payload.facts, *facts), payload.coverage, (*payload.runs, run), {**payload.weights, **weights}
    )


async def _facts(call: GraphQuery | DocumentSearch, tools: Tools) -> tuple[Sequence[Fact], Mapping[str, float]]:
    if isinstance(call, GraphQuery):
        return await tools.graph.query(call, tools.intents[call.intent], tools.audience), {}
    query = SearchQuery(call.query, call.doc_types, limit=call.top_k, hierarchical=tools.hierarchical)
    found = await tools.search.find(query, tools.audience)
    return found.facts, found.weights


def _searched(payload: FactsPayload, question: str) -> bool:
    return any(run.tool == "document_search" and run.arguments.get("query") == question[:500] for run in payload.runs)


def _coverage(payload: FactsPayload) -> float:
    """Return 1 when the graph answered, else the share of the question's rare terms that the facts hold."""
    if any(fact.structural for fact in payload.facts):
        return 1.0
    total = sum(payload.weights.values())
    if not payload.facts or not total:
        return 0.0
    held = held_terms(payload.facts)
    return sum(weight for term, weight in payload.weights.items() if term in held) / total


def held_terms(facts: Sequence[Fact]) -> frozenset[str]:
    """Return the search terms that the facts hold, with those of their titles and headings."""
    return frozenset(
        term for fact in facts for terms in (fact.around, *(part.terms for part in fact.parts)) for term in terms
    )
