"""What every implementation of the port `Graph` keeps."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from adapters.graph.memory import MemoryGraph
from core.conversation import Audience
from core.ingest.edges import Relation
from core.plan import GraphQuery
from core.ports import Graph
from tests.core.corpus import EVERYBODY, RAG, intent, page

USAGE = intent("USAGE", "mentions")
LOOK_UP = GraphQuery(intent="USAGE", entity_id="rag")
LOTSMAN = page("lotsman.md", "В Лоцмане применён RAG.", "Лоцман")
HUMMINGBIRD = page("hummingbird.md", "Hummingbird uses RAG.", "Hummingbird")
SECRET = page("secret.md", "RAG is what we sell next year.", "Secret", readers=frozenset({"board"}))
STACK = page("stack.md", "## Стек\n\n- RAG\n- Kafka", "Маяк", kind="project")
USES = Relation("USES", "project", "technology", headings=("Стек",))
Made = Callable[..., Graph]


@pytest.fixture(params=[MemoryGraph], ids=["memory"])
def made(request: pytest.FixtureRequest) -> Made:
    """Make a graph of some documents and declared entities."""
    kind: Made = request.param
    return kind


async def test_facts_come_complete_and_in_order(made: Made) -> None:
    """Every page that names the entity, in the order of the documents' ids, each an answer as a whole."""
    facts = await made([LOTSMAN, HUMMINGBIRD], [RAG]).query(LOOK_UP, USAGE, EVERYBODY)

    assert ["Hummingbird uses RAG.", "В Лоцмане применён RAG."] == [fact.text for fact in facts]
    assert all(fact.structural for fact in facts)


async def test_an_audience_is_given_what_it_may_read(made: Made) -> None:
    """A restricted page speaks to its readers alone."""
    graph = made([LOTSMAN, SECRET], [RAG])

    told = [
        {fact.source.doc_id for fact in await graph.query(LOOK_UP, USAGE, Audience("acme", frozenset(groups)))}
        for groups in ((), ("sales", "Board"), ("board",))
    ]
    assert [{"lotsman.md"}, {"lotsman.md"}, {"lotsman.md", "secret.md"}] == told


async def test_pages_of_a_kind_open_for_those_who_may_read_them(made: Made) -> None:
    """All of a kind, or those that name the entity, each by its first sentence; a replaced page is none of them."""
    pages = [
        page("heron.md", "# Heron\n\nHeron is ours. It uses RAG.", "Heron", kind="project"),
        page("otter.md", "# Otter\n\nOtter is theirs.", "Otter", kind="project"),
        page("old.md", "# Old\n\nOld uses RAG.", "Old", kind="project", superseded=True),
        replace(SECRET, kind="project"),
        LOTSMAN,
    ]
    kind = intent("ALL", "pages", within=("проекты",))

    told = [
        [fact.text for fact in await made(pages, [RAG]).query(GraphQuery(intent="ALL", entity_id=id_), kind, EVERYBODY)]
        for id_ in ("", "rag")
    ]
    assert [["Heron is ours.", "Otter is theirs."], ["Heron is ours."]] == told


async def test_many_may_ask_at_once(made: Made) -> None:
    """Questions that come together before the graph is built get the same answer."""
    graph = made([LOTSMAN], [RAG])

    first, *others = await asyncio.gather(*(graph.query(LOOK_UP, USAGE, EVERYBODY) for _ in range(5)))

    assert [first] * 4 == others


async def test_no_documents_no_facts(made: Made) -> None:
    """An empty corpus knows nothing of anything."""
    assert [] == list(await made([], [RAG]).query(LOOK_UP, USAGE, EVERYBODY))


async def test_a_declared_relation_is_asked_for_by_its_name(made: Made) -> None:
    """Both ends of an edge are given the passage that proves it, a cited fact like any other."""
    tools = intent("TOOLS", "field", keys=("USES",))
    graph = made([STACK, LOTSMAN], [RAG], [USES])

    told = [
        [
            (fact.text, fact.source.doc_id)
            for fact in await graph.query(GraphQuery(intent="TOOLS", entity_id=id_), tools, EVERYBODY)
        ]
        for id_ in ("stack.md", "rag")
    ]
    assert [[("RAG", "stack.md"), ("Kafka", "stack.md")], [("RAG", "stack.md")]] == told
