"""Things that are asked for by what mentions them, or by what does not: the pages of one kind."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from core.calling import Tools
from core.conversation import Audience
from core.entities import Entity
from core.errors import SearchError
from core.executor import run_plan
from core.facts import Fact, FactsPayload, Place
from core.ingest.document import Document
from core.ingest.edges import Relation
from core.ingest.graph import CorpusGraph, build_graph, query_graph
from core.plan import ALL_PAGES, Fallback, GraphQuery, Intent, Period, QueryPlan, Shape
from core.ports import Found, SearchQuery
from core.text import Untrusted
from tests.core.corpus import ASTON, EVERYBODY, RAG, fact, intent, page
from tests.core.test_asked import KAFKA

USED = intent("USED", "mentions", of=("technology",))


def project(name: str, says: str, **known: Any) -> Document:
    """Return the page of a project."""
    return page(
        f"projects/{name.lower()}.md", f"# {name}\n\n{name} is a project. {says}", name, kind="project", **known
    )


PAGES = [
    project("Heron", "It is built on RAG and Kafka, for Aston."),
    project("Otter", "It is built on RAG."),
    project("Lynx", "It is built on Kafka, for Aston."),
    project("Newt", "It is for Aston."),
    project("Vole", "It is secret, for Aston.", readers=frozenset({"board"})),
    page("notes.md", "# Notes\n\nRAG is explained here.", "Notes"),
]
NAMES = [RAG, KAFKA, ASTON]
GRAPH = build_graph(PAGES, NAMES)


class Shelf:
    """The graph of some pages, and a search that finds one note."""

    def __init__(self, graph: CorpusGraph = GRAPH, note: str = "A note on RAG") -> None:
        self.graph, self.note = graph, note

    async def query(self, call: GraphQuery, intent: Intent, audience: Audience) -> Sequence[Fact]:
        return query_graph(self.graph, call, intent, audience)

    async def find(self, query: SearchQuery, audience: Audience) -> Found:
        return Found((fact(self.note, doc="notes.md"),), {"rag": 1.0})


class Failing(Shelf):
    """A graph that knows pages, and cannot say what mentions something."""

    async def query(self, call: GraphQuery, intent: Intent, audience: Audience) -> Sequence[Fact]:
        if intent.find in ("mentions", "ties"):
            raise SearchError("the graph is away", retry=True)
        return await super().query(call, intent, audience)


def used(*entities: str, also: str | None = None) -> tuple[GraphQuery, ...]:
    """Return a look-up of what mentions each of the entities."""
    return tuple(GraphQuery(intent="USED", entity_id=one, also=also) for one in entities)


async def run(plan: QueryPlan, audience: Audience = EVERYBODY, shelf: Shelf | None = None) -> FactsPayload:
    """Return what the plan finds."""
    shelf = shelf or Shelf()
    tools = Tools(
        shelf, shelf, {"USED": USED}, audience, entities=shelf.graph.registry.entities, named=frozenset({"rag"})
    )
    return await run_plan(plan, "Which projects?", tools)


def plan(*calls: GraphQuery, without: tuple[str, ...] = (), among: str | None = "project") -> QueryPlan:
    """Return a plan with these calls."""
    entities = tuple(call.entity_id for call in calls)
    return QueryPlan(intents=("USED",), entities=entities, tool_calls=calls, without=without, among=among)


def titles(payload: FactsPayload) -> list[str]:
    """Return the titles of the pages that were found, each once."""
    return list(dict.fromkeys(one.source.title for one in payload.facts))


async def test_mentions_are_narrowed_to_the_kind_asked_for() -> None:
    """Which projects mention it is no question about notes; then the pages are all there are of them."""
    payload = await run(plan(*used("rag")))

    assert (["Heron", "Otter"], True) == (titles(payload), payload.by_page)


@pytest.mark.parametrize("among", [None, "team"])
async def test_a_kind_that_nothing_is_of_narrows_nothing(among: str | None) -> None:
    """Where no page of the kind mentions it, or none is asked for, every page that does is shown, and none counted."""
    payload = await run(plan(*used("rag"), among=among))

    assert (["Notes", "Heron", "Otter"], False) == (titles(payload), payload.by_page)


async def test_what_is_of_another_kind_is_not_counted() -> None:
    """Where no page of a company mentions it, the projects that the corpus declares instead are no companies."""
    shelf = Shelf()
    within = replace(USED, within=("project",))
    tools = Tools(shelf, shelf, {"USED": within}, EVERYBODY, entities=GRAPH.registry.entities)
    payload = await run_plan(plan(*used("rag"), among="company"), "Which companies?", tools)

    assert (["Heron", "Otter"], False) == (titles(payload), payload.by_page)


@pytest.mark.parametrize(
    ("without", "also", "expected"),
    [
        (("rag",), None, ["Lynx", "Newt"]),
        (("rag", "kafka"), None, ["Newt"]),
        (("kafka",), "aston", ["Newt"]),
    ],
)
async def test_without_gives_all_others_of_the_kind(
    without: tuple[str, ...], also: str | None, expected: list[str]
) -> None:
    """What has nothing to do with a thing is told by its page, narrowed as the question is; nothing is searched for."""
    payload = await run(plan(*used(*without, also=also), without=without))

    assert (expected, 1.0, True) == (titles(payload), payload.coverage, payload.by_page)
    assert {"graph_query"} == {run.tool for run in payload.runs}


async def test_of_what_is_looked_up_besides_the_rest_is_left() -> None:
    """Which of those with RAG are without Kafka is asked of those with RAG alone."""
    assert ["Otter"] == titles(await run(plan(*used("kafka", "rag"), without=("kafka",))))


async def test_nothing_is_known_of_pages_that_may_not_be_read() -> None:
    """A closed project is among the others for its readers alone."""
    readers = replace(EVERYBODY, groups=frozenset({"board"}))

    assert ["Lynx", "Newt", "Vole"] == titles(await run(plan(*used("rag"), without=("rag",)), readers))


async def test_where_all_have_it_there_are_none_without() -> None:
    """No search brings back what is asked to be absent."""
    payload = await run(plan(*used("aston", "rag"), without=("aston", "rag")))

    assert (False, 2) == (payload.found, len([one for one in payload.runs if one.arguments.get("entity_id")]))


async def test_a_look_up_that_failed_proves_nothing_absent() -> None:
    """Where it could not be looked up what mentions it, no page is said to be without it."""
    with pytest.raises(SearchError):
        await run(
            plan(*used("rag"), without=("rag",)).model_copy(update={"fallback": Fallback(enabled=False)}),
            shelf=Failing(),
        )


async def test_what_is_to_be_absent_is_no_answer() -> None:
    """Where the others cannot be told, as no kind is asked for, those that have it are not told in their place."""
    payload = await run(plan(*used("rag"), without=("rag",), among=None))

    assert () == payload.facts


@pytest.mark.parametrize("note", ["Wren does not use RAG.", "В Крапивнике нет RAG."])
async def test_what_says_itself_that_it_is_absent_is_an_answer(note: str) -> None:
    """A passage that denies it is told, wherever it stands."""
    payload = await run(plan(*used("rag"), without=("rag",), among=None), shelf=Shelf(note=note))

    assert [("notes.md", note)] == [(one.source.doc_id, one.text) for one in payload.facts]


@pytest.mark.parametrize("heading", ["Not for projects", "Никогда не projects"])
async def test_what_stands_under_a_heading_that_says_no_is_an_answer(heading: str) -> None:
    """The heading denies for all that is under it, if it names what is asked for."""
    under = replace(fact("Trainers.", doc="notes.md"), place=Place((Untrusted(heading),)))

    class Headed(Shelf):
        async def find(self, query: SearchQuery, audience: Audience) -> Found:
            return Found((under,), {"rag": 1.0})

    payload = await run(plan(*used("rag"), without=("rag",), among=None), shelf=Headed())

    assert ["Trainers."] == [one.text for one in payload.facts]


async def test_nobody_counts_what_was_in_a_period() -> None:
    """Few pages say when they hold: what is found is shown, and not counted."""
    in_2024 = Period(since=date(2024, 1, 1), until=date(2024, 12, 31))
    counted = plan(*used("rag")).model_copy(update={"shape": Shape.COUNT, "period": in_2024})

    assert (True, False) == ((found := await run(counted)).found, found.by_page)


async def test_both_means_both_in_what_is_searched_for_too() -> None:
    """Where the structure ties nothing to both, a passage about one of them is no answer."""
    both = (
        GraphQuery(intent="USED", entity_id="rag", also="aston"),
        GraphQuery(intent="USED", entity_id="aston", also="rag"),
    )
    one = (GraphQuery(intent="USED", entity_id="rag", also="nobody"),)

    assert [False, True] == [(await run(plan(*calls), shelf=Empty())).found for calls in (both, one)]


class Empty(Shelf):
    """A graph that holds nothing."""

    async def query(self, call: GraphQuery, intent: Intent, audience: Audience) -> Sequence[Fact]:
        return ()


async def test_all_pages_of_a_kind() -> None:
    """Asked for all of them, or those of one name, each page tells by its first sentence what it is about."""
    everything, of_aston = (
        plan(GraphQuery(intent=ALL_PAGES, entity_id=one)).model_copy(update={"intents": (ALL_PAGES,)})
        for one in ("", "aston")
    )

    assert ["Heron", "Lynx", "Newt", "Otter"] == sorted(titles(await run(everything)))
    found = await run(of_aston)
    assert (["Heron", "Lynx", "Newt"], True) == (titles(found), found.by_page)
    assert "Heron is a project." == found.facts[0].text


@pytest.mark.parametrize(
    ("excluded", "expected"), [("aston", ["Otter"]), ("kafka", ["Newt", "Otter"]), ("heron", ["Lynx", "Newt", "Otter"])]
)
async def test_all_but_those_of_something(excluded: str, expected: list[str]) -> None:
    """What is none of the things asked for leaves out all that it has to do with; one of them but itself."""
    everything = plan(GraphQuery(intent=ALL_PAGES, entity_id="")).model_copy(
        update={"intents": (ALL_PAGES,), "exclude": (excluded,)}
    )
    heron = Entity("heron", "Heron", "project", page="projects/heron.md")
    shelf = Shelf(build_graph(PAGES, [*NAMES, heron]))

    assert expected == sorted(titles(await run(everything, shelf=shelf)))


async def test_where_it_cannot_be_told_what_is_left_out_nothing_is() -> None:
    """A list that may hold what is to be left out is none."""
    everything = plan(GraphQuery(intent=ALL_PAGES, entity_id="")).model_copy(update={"exclude": ("aston",)})

    with pytest.raises(SearchError):
        await run(everything, shelf=Failing())


@pytest.mark.parametrize(
    ("more", "named", "at_least"),
    [
        ([], [], False),
        ([page("projects/draft.md", "Nobody says what this is.", "Draft")], [], True),
        ([replace(page("projects/draft.md", "It is an invoice.", "Draft"), kind="invoice")], [], False),
        ([page("drafts/draft.md", "Nobody says what this is.", "Draft")], [], False),
        ([], [Entity("stoat", "Stoat", "project")], True),
    ],
)
async def test_there_may_be_more_than_there_are_pages(
    more: list[Document], named: list[Entity], *, at_least: bool
) -> None:
    """A page beside the others that does not say what it is may be one more, and so may a name without a page."""
    counted = plan(*used("rag")).model_copy(update={"shape": Shape.COUNT})

    assert at_least is (await run(counted, shelf=Shelf(build_graph([*PAGES, *more], [*NAMES, *named])))).at_least


async def test_what_a_declared_relation_ties_is_told_from_what_is_but_named() -> None:
    """The pages of a company are those that say so in their field, and not every page that speaks of it."""
    made_for = Relation("MADE_FOR", "project", "company", keys=("company",))
    tied = page("projects/kite.md", "company: Aston\n\n# Kite\n\nKite flies.", "Kite", kind="project")
    tied = replace(tied, blocks=(replace(tied.blocks[0], kind="field"), *tied.blocks[1:]))
    shelf = Shelf(build_graph([*PAGES, tied], NAMES, [made_for]))
    asked = plan(GraphQuery(intent=ALL_PAGES, entity_id="aston")).model_copy(update={"intents": (ALL_PAGES,)})

    assert ["Kite"] == titles(await run(asked, shelf=shelf))
