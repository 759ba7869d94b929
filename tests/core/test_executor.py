"""Running a plan: graph first, search as the fallback (R-9, R-10, R-11)."""

from collections.abc import Sequence
from typing import Any

import pytest

from core.conversation import Audience
from core.executor import Tools, run_plan
from core.facts import Fact, FactsPayload, Part, Span, ToolRun
from core.plan import DocumentSearch, Fallback, GraphQuery, Intent, QueryPlan
from core.ports import Found, SearchQuery
from tests.core.corpus import fact, intent

LOOK_UP = GraphQuery(intent="USAGE", entity_id="rag")
STRUCTURAL = fact("В Лоцмане применён RAG", structural=True)
PASSAGE = fact("RAG at Aston", around=frozenset({"aston"}), parts=(Part(Span(0, 3), "item", terms=frozenset({"rag"})),))


class Shelf:
    """A graph and a search that find what a test puts there, for whom it is told."""

    def __init__(self, structural: Sequence[Fact] = (), passages: Sequence[Fact] = (), **weights: float) -> None:
        self._structural, self._found = tuple(structural), Found(tuple(passages), weights)
        self.asked: list[tuple[Any, Audience]] = []

    async def query(self, call: GraphQuery, intent: Intent, audience: Audience) -> Sequence[Fact]:
        self.asked.append((call, audience))
        return self._structural

    async def find(self, query: SearchQuery, audience: Audience) -> Found:
        self.asked.append((query, audience))
        return self._found


def plan(*calls: GraphQuery | DocumentSearch, **fallback: Any) -> QueryPlan:
    """Return a plan with these calls."""
    return QueryPlan(intents=("USAGE",), tool_calls=calls, fallback=Fallback(**fallback))


async def run(known: QueryPlan, shelf: Shelf, question: str = "Где применял RAG?", **options: Any) -> FactsPayload:
    """Return what the plan found on the shelf."""
    tools = Tools(shelf, shelf, {"USAGE": intent("USAGE", "mentions")}, Audience("acme", frozenset({"hr"})), **options)
    return await run_plan(known, question, tools)


async def test_what_the_graph_answers_needs_no_search() -> None:
    """A structural answer covers the question: the fallback rests."""
    payload = await run(plan(LOOK_UP), Shelf([STRUCTURAL], [PASSAGE]))

    assert ((STRUCTURAL,), 1.0) == (payload.facts, payload.coverage)
    assert (ToolRun("graph_query", {"intent": "USAGE", "entity_id": "rag"}, 1),) == payload.runs


@pytest.mark.parametrize("when", ["NO_RESULTS", "LOW_COVERAGE"])
async def test_nothing_found_brings_the_fallback(when: str) -> None:
    """When the graph is silent, the documents are searched for the question's own words."""
    payload = await run(plan(LOOK_UP, when=when), Shelf((), [PASSAGE], rag=1.0))

    assert ((PASSAGE,), 1.0) == (payload.facts, payload.coverage)
    assert [("graph_query", False), ("document_search", True)] == [(one.tool, one.fallback) for one in payload.runs]
    assert "Где применял RAG?" == payload.runs[1].arguments["query"]


async def test_a_fallback_that_is_switched_off_stays_off() -> None:
    """Without a fallback nothing found is nothing found."""
    payload = await run(plan(LOOK_UP, enabled=False), Shelf((), [PASSAGE]))

    assert (False, 0.0, 1) == (payload.found, payload.coverage, len(payload.runs))


@pytest.mark.parametrize(("when", "runs"), [("NO_RESULTS", 1), ("LOW_COVERAGE", 2)])
async def test_too_little_found_brings_the_fallback_when_asked_for(when: str, runs: int) -> None:
    """Facts that hold less than half of what was asked are too few for LOW_COVERAGE, enough for NO_RESULTS."""
    payload = await run(plan(DocumentSearch(query="RAG"), when=when), Shelf((), [PASSAGE], rag=1.0, kafka=9.0))

    assert runs == len(payload.runs)


async def test_the_same_search_is_not_made_twice() -> None:
    """A plan that has searched for the question has nothing to fall back on."""
    shelf = Shelf()

    await run(plan(DocumentSearch(query="Где применял RAG?")), shelf)

    assert ["Где применял RAG?"] == [query.text for query, _ in shelf.asked]


async def test_tools_run_in_order_and_their_facts_add_up() -> None:
    """The facts of all calls are kept, in the order of the calls."""
    payload = await run(plan(DocumentSearch(query="x", top_k=3), LOOK_UP), Shelf([STRUCTURAL], [PASSAGE]))

    assert (PASSAGE, STRUCTURAL) == payload.facts
    assert [{"query": "x", "top_k": "3"}, {"intent": "USAGE", "entity_id": "rag"}] == [
        dict(one.arguments) for one in payload.runs
    ]


async def test_coverage_is_the_share_of_rare_words_that_the_facts_hold() -> None:
    """A fact holds the terms of its parts, its title and its headings; rare terms weigh more."""
    payload = await run(
        plan(DocumentSearch(query="x"), enabled=False), Shelf((), [PASSAGE], rag=2.0, aston=1.0, kafka=1.0)
    )

    assert 0.75 == payload.coverage


async def test_without_a_word_to_look_for_nothing_is_covered() -> None:
    """A question of stop words covers nothing, whatever is found."""
    assert 0.0 == (await run(plan(DocumentSearch(query="x"), enabled=False), Shelf((), [PASSAGE]))).coverage


async def test_every_tool_is_told_for_whom() -> None:
    """Graph, search and fallback get the audience; a search gets its kinds, its number and its mode."""
    shelf = Shelf()

    await run(plan(LOOK_UP, DocumentSearch(query="отпуск", doc_types=("policy",), top_k=3)), shelf, hierarchical=True)

    assert [Audience("acme", frozenset({"hr"}))] * 3 == [audience for _, audience in shelf.asked]
    assert SearchQuery("отпуск", ("policy",), limit=3, hierarchical=True) == shelf.asked[1][0]


@pytest.mark.parametrize(("question", "query"), [("слово " * 1_000, ("слово " * 1_000)[:500]), ("", "?")])
async def test_the_fallback_takes_any_question(question: str, query: str) -> None:
    """An endless question is searched for in part, an empty one as a question mark."""
    payload = await run(plan(LOOK_UP), Shelf(), question)

    assert query == payload.runs[-1].arguments["query"]
