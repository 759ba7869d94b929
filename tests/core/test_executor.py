"""Running a plan: graph first, search as the fallback (R-9, R-10, R-11)."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from math import inf, nan
from typing import Any

import pytest

from core.calling import MOST_FACTS, AskedOnce, Tools
from core.conversation import Audience
from core.errors import SearchError
from core.executor import run_plan
from core.facts import Fact, FactsPayload, Part, Place, Span, ToolRun
from core.plan import DocumentSearch, Fallback, GraphQuery, Intent, QueryPlan
from core.ports import Found, SearchQuery
from core.text import Untrusted, terms
from tests.core.corpus import ASTON, EVERYBODY, LOTSMAN, RAG, fact, intent

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


class Stubborn(Shelf):
    """A graph that fails, hangs or answers, by the entity it is asked about."""

    def __init__(self, **fate: Sequence[Fact] | Exception | None) -> None:
        super().__init__((), [PASSAGE], rag=1.0)
        self._fate = fate

    async def query(self, call: GraphQuery, intent: Intent, audience: Audience) -> Sequence[Fact]:
        fate = self._fate[call.entity_id]
        if fate is None:
            await asyncio.Event().wait()
        if isinstance(fate, Exception):
            raise fate
        self.asked.append((call, audience))
        assert fate is not None
        return fate


def look_up(*entities: str) -> list[GraphQuery]:
    """Return a call for each entity."""
    return [GraphQuery(intent="USAGE", entity_id=one) for one in entities]


GONE = SearchError("the index is gone")


async def test_a_tool_that_fails_does_not_lose_the_others() -> None:
    """What one tool brings stands, and the record says what happened to the other."""
    payload = await run(plan(*look_up("rag", "kafka"), enabled=False), Stubborn(rag=[STRUCTURAL], kafka=GONE))

    assert (STRUCTURAL,) == payload.facts
    assert ([None, str(GONE)], (str(GONE),)) == ([one.problem for one in payload.runs], payload.problems)


async def test_a_tool_that_is_late_is_left_behind() -> None:
    """The step has its seconds; what is not there by then is tried and missing, and the fallback makes up for it."""
    payload = await run(plan(*look_up("rag", "kafka")), Stubborn(rag=[STRUCTURAL], kafka=None), seconds=0.05)

    assert {STRUCTURAL, PASSAGE} == set(payload.facts)
    assert [False, True, False] == [one.problem is not None for one in payload.runs]
    assert ("missing", ("kafka",)) == (payload.runs[-1].because, payload.missing)


@pytest.mark.parametrize("fate", [GONE, None])
async def test_nothing_found_because_of_a_failure_is_a_failure(fate: Exception | None) -> None:
    """That a tool failed is no proof that the documents hold nothing."""
    with pytest.raises(SearchError):
        await run(plan(*look_up("rag"), enabled=False), Stubborn(rag=fate), seconds=0.02)


async def test_what_is_no_failure_of_the_outside_is_not_hidden() -> None:
    """A mistake of ours is not recorded away."""
    with pytest.raises(ZeroDivisionError):
        await run(plan(*look_up("rag", "kafka")), Stubborn(rag=[STRUCTURAL], kafka=ZeroDivisionError()))


async def test_the_calls_of_a_plan_run_side_by_side() -> None:
    """Three calls that wait for each other are all made; their facts come in the plan's order."""
    barrier = asyncio.Barrier(3)

    class Meeting(Shelf):
        async def query(self, call: GraphQuery, intent: Intent, audience: Audience) -> Sequence[Fact]:
            await barrier.wait()
            return [fact(call.entity_id, doc=call.entity_id, structural=True)]

    payload = await run(plan(*look_up("c", "а", "b")), Meeting(), seconds=5)

    assert ["c", "а", "b"] == [str(one.text) for one in payload.facts]


async def test_one_call_twice_costs_one() -> None:
    """A plan that says one thing twice looks it up once."""
    shelf = Shelf([STRUCTURAL])
    payload = await run(plan(LOOK_UP, LOOK_UP), shelf)

    assert (1, 1, 1) == (len(shelf.asked), len(payload.runs), len(payload.facts))


async def test_one_search_twice_costs_one() -> None:
    """Within a question the same words are looked for once, for the same readers."""
    shelf = Shelf((), [PASSAGE])
    once = AskedOnce(shelf)
    readers = (EVERYBODY, EVERYBODY, Audience("acme", frozenset({"hr"})))
    found = [await once.find(SearchQuery("отпуск"), one) for one in readers]

    assert (2, 3) == (len(shelf.asked), len([one for one in found if (PASSAGE,) == one.facts]))


async def test_a_plan_of_too_many_calls_is_cut_and_says_so() -> None:
    """Calls beyond what is allowed are not made, and the record names them."""
    shelf = Stubborn(a=[STRUCTURAL], b=[STRUCTURAL], c=[STRUCTURAL])
    payload = await run(plan(*look_up("a", "b", "c"), enabled=False), shelf, max_calls=2)

    assert (2, [True, True, False]) == (len(shelf.asked), [one.problem is None for one in payload.runs])


async def test_each_thing_that_was_asked_for_must_get_facts() -> None:
    """Of two that are compared one is in the structure: coverage is half, and the other is searched for."""
    shelf = Stubborn(rag=[STRUCTURAL], lotsman=())
    payload = await run(plan(*look_up("rag", "lotsman"), enabled=False), shelf)

    assert (0.5, ("lotsman",)) == (payload.coverage, payload.missing)
    assert "missing" == (await run(plan(*look_up("rag", "lotsman")), shelf)).runs[-1].because


async def test_what_the_user_names_beside_is_a_need_when_it_is_of_the_same_kind() -> None:
    """A plan that looks up one of "Kafka or RAG?" is half an answer; a person named beside is not missing."""
    kafka = replace(RAG, id="kafka", name="Kafka")
    known = {one.id: one for one in (RAG, kafka, LOTSMAN)}
    asked = plan(LOOK_UP, enabled=False).model_copy(update={"entities": ("rag", "kafka", "lotsman")})
    payload = await run(asked, Shelf([STRUCTURAL]), entities=known, named=frozenset(known))

    assert (0.5, ("kafka",)) == (payload.coverage, payload.missing)


async def test_an_intent_that_nobody_looked_up_is_missing() -> None:
    """A plan of two intents with a call for one of them has half of what it wants."""
    shelf = Shelf([STRUCTURAL])
    asked = plan(LOOK_UP, enabled=False).model_copy(update={"intents": ("USAGE", "OTHER")})
    tools = Tools(shelf, shelf, {"USAGE": intent("USAGE", "mentions"), "OTHER": intent("OTHER", "section")}, EVERYBODY)

    assert (0.5, ("OTHER",)) == ((found := await run_plan(asked, "?", tools)).coverage, found.missing)


async def test_what_several_look_ups_bring_stands_apart() -> None:
    """Facts about two entities are grouped by their pages."""
    shelf = Stubborn(rag=[fact("one", doc="А", structural=True)], kafka=[fact("two", doc="B", structural=True)])

    assert ["А", "B"] == [one.group for one in (await run(plan(*look_up("rag", "kafka")), shelf)).facts]


async def test_a_flood_of_facts_is_cut_and_counted() -> None:
    """A tool that returns a hundred thousand facts costs a bounded amount, and the record says what it returned."""
    payload = await run(plan(LOOK_UP), Shelf([STRUCTURAL] * 100_000))

    assert (MOST_FACTS, 100_000) == (len(payload.facts), payload.runs[0].found)
    assert 1 == len(payload.problems)


@pytest.mark.parametrize("score", [nan, inf, -inf])
async def test_a_score_that_is_no_number_counts_for_nothing(score: float) -> None:
    """Scores and weights stay comparable, whatever a search returns."""
    shelf = Shelf((), [replace(PASSAGE, score=score)], rag=nan, aston=1.0)
    payload = await run(plan(DocumentSearch(query="RAG"), enabled=False), shelf)

    assert (0.0, 1.0, {"aston": 1.0}) == (payload.facts[0].score, payload.coverage, payload.weights)


async def test_what_is_excluded_is_left_out() -> None:
    """Of "all but X" neither X's page nor an item that names it, in either alphabet; the others stay."""
    facts = [fact(text, doc=text, structural=True) for text in ("Тендер-Аналитик", "Lotsman, a search", "о Лоцмане")]
    facts.append(fact("its own page", doc=str(LOTSMAN.page), structural=True))
    asked = plan(LOOK_UP).model_copy(update={"exclude": ("lotsman",)})
    payload = await run(asked, Shelf(facts), entities={"lotsman": LOTSMAN})

    assert ["Тендер-Аналитик"] == [str(one.text) for one in payload.facts]


ABOUT = GraphQuery(intent="ABOUT", entity_id="aston")
WHAT_IT_IS = fact("Aston builds systems.", structural=True, place=Place((Untrusted("О компании, About"),)))


async def headed(question: str, heading: str, *, doc: str = "a.md") -> FactsPayload:
    """Return what is found for a question that is near to "What is Aston?", where a place has this heading."""
    place = fact("Heron, Лоцман", doc=doc, around=frozenset(terms(f"Aston {heading}")))
    shelf = Shelf([WHAT_IT_IS], [place], **dict.fromkeys(terms(question), 1.0))
    about = {"ABOUT": intent("ABOUT", "section")}
    tools = Tools(shelf, shelf, about, EVERYBODY, entities={"aston": ASTON})
    return await run_plan(QueryPlan(intents=("ABOUT",), tool_calls=(ABOUT,), fallback=Fallback()), question, tools)


@pytest.mark.parametrize(
    ("question", "heading"), [("Which projects at Aston?", "Projects"), ("Какие проекты были в Астоне?", "Проекты")]
)
async def test_a_place_with_just_that_heading_is_what_was_asked_for(question: str, heading: str) -> None:
    """What a page says under the very words of the question answers it, not the section that it resembles."""
    payload = await headed(question, heading)

    assert ["Heron, Лоцман"] == [str(one.text) for one in payload.facts]
    assert "headed" == payload.runs[-1].because


@pytest.mark.parametrize(
    ("question", "heading", "doc"),
    [
        ("Tell me about Aston", "Projects", "a.md"),
        ("Что это за компания Астон?", "Проекты", "a.md"),
        ("Какие награды у Астона?", "Проекты", "a.md"),
        ("Что в Астоне о компании?", "О компании", "a.md"),
        ("Which projects at Aston?", "Projects", "another.md"),
    ],
)
async def test_what_was_looked_up_stays_where_no_heading_says_more(question: str, heading: str, doc: str) -> None:
    """A name and its kind head the whole page, and another page's headings are not asked about."""
    payload = await headed(question, heading, doc=doc)

    assert (WHAT_IT_IS,) == payload.facts[:1]
    assert all(one.because != "headed" for one in payload.runs)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many engineers work at Aston?", "There are 40 engineers."),
        ("Сколько инженеров в Астоне?", "В компании 40 инженеров."),
        ("Who is in charge at Aston?", "Director: Ines Carvalhal"),
        ("Why was Aston founded?", "Why we did it"),
    ],
)
async def test_another_place_of_the_page_answers_if_it_alone_holds_the_sort_of_thing(question: str, said: str) -> None:
    """What a company is does not say how many work there, even where a year stands in it; unless nothing else does."""
    about = fact("Aston has built systems since 2014.", structural=True, place=Place((Untrusted("About"),)))
    tools_of = {"ABOUT": intent("ABOUT", "section")}
    asked = QueryPlan(intents=("ABOUT",), tool_calls=(ABOUT,), fallback=Fallback())
    found = []
    for text in (said, "Nothing of the sort."):
        place = Place((Untrusted(text),))
        other = fact(text, span=Span(50, 50 + len(text)), place=place)
        shelf = Shelf([about], [other], **dict.fromkeys(terms(question), 1.0))
        tools = Tools(shelf, shelf, tools_of, EVERYBODY, entities={"aston": ASTON})
        found.append([str(one.text) for one in (await run_plan(asked, question, tools)).facts])

    assert [[said], [str(about.text)]] == [each[:1] for each in found]
