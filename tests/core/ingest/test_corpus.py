"""Snapshots of the graph: a few changed documents make the next one, equal to one built anew."""

import time
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.entities import Entity, make_registry
from core.ingest.corpus import CorpusGraph, build_graph, entities_of
from core.ingest.document import Document
from core.ingest.edges import Relation
from tests.core.corpus import ASTON, DMITRY, LOTSMAN, RAG, page

USES = Relation("USES", "project", "technology", headings=("Stack",), keys=("tools",), columns=("Tool",))
LINES = (
    "В Лоцмане применён RAG.", "Aston grows. Kafka too.", "See [one](one.md), [[Второй]] and [far](sub/far.md#top).",
    "The Quality Board (QB) decides.", "QB meets on Mondays.", "Экспертный совет (ЭС) решает. Совет и ЭС.",
    "**Buddy**: a colleague.", "Дмитрий Соколов ведёт. Owner: Dmitry", "## Stack\n\n- RAG\n- Kafka\n  - nested",
    "## Glossary\n\n**Canary**: a first share.\n\nUpdated: 2025-02-01", "| Tool | Since |\n|---|---|\n| RAG | 2024 |",
    "A canary and a buddy in Stack.", "[by title](Первый)", "[by alias](<первая страница>)", "One, Второй, Far.",
)  # fmt: skip
NAMES = ("one.md", "two.md", "sub/far.md", "sub/index.md", "glossary.md")
TITLES = ("Первый", "Второй", "Far (FR)", "Glossary", "Kafka", "Buddy")
DECLARED = ((RAG, ASTON, LOTSMAN, DMITRY), (RAG, Entity("kafka", "Kafka", "technology", page="one.md")), (RAG,))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Return a small page with names, links, short forms and terms in it."""
    text = "\n\n".join(draw(st.lists(st.sampled_from(LINES), max_size=4)))
    aliases = draw(st.sampled_from([(), ("первая страница",), ("QB",)]))
    return page(
        draw(st.sampled_from(NAMES)), text, draw(st.sampled_from(TITLES)), aliases=aliases,
        kind=draw(st.sampled_from(["project", "page"])), superseded=draw(st.booleans()),
    )  # fmt: skip


def distinct(found: Sequence[Document]) -> list[Document]:
    """Return the documents, the last of each id."""
    return list({document.id: document for document in found}.values())


def known(graph: CorpusGraph) -> tuple[object, ...]:
    """Return everything that a graph can be asked."""
    return (
        list(graph.documents.items()), graph.mentions, graph.edges, graph.registry, graph.pages, graph.addresses,
        graph.said, {key: ids for shelf in graph.words.values() for key, ids in shelf.items()},
    )  # fmt: skip


@given(
    st.lists(documents(), max_size=5).map(distinct),
    st.lists(
        st.tuples(
            st.sets(st.sampled_from(NAMES), max_size=2),
            st.lists(documents(), max_size=2).map(distinct),
            st.sampled_from(DECLARED),
            st.sampled_from([None, (), (USES,)]),
        ),
        min_size=1,
        max_size=3,
    ),
)
@settings(max_examples=100, deadline=None)
def test_a_changed_graph_equals_a_fresh_one(
    first: list[Document],
    steps: list[tuple[set[str], list[Document], tuple[Entity, ...], tuple[Relation, ...] | None]],
) -> None:
    """However documents, names and relations come and go, the snapshot is what building it anew would give."""
    graph = build_graph(first, DECLARED[0], (USES,))
    for removed, added, declared, relations in steps:
        before = known(graph)
        following = graph.changed(removed, added, declared, relations)

        fresh = build_graph(tuple(following.documents.values())[::-1], declared, following.relations)
        assert known(fresh) == known(following)
        assert before == known(graph)
        graph = following


@given(st.lists(documents(), max_size=4).map(distinct))
@settings(max_examples=50, deadline=None)
def test_questions_and_documents_know_the_same_names(found: list[Document]) -> None:
    """The registry of the graph is that of the entities that the documents and the corpus name."""
    assert make_registry(entities_of(found, DECLARED[0])) == build_graph(found, DECLARED[0]).registry


def test_a_new_name_is_found_where_it_stood_before() -> None:
    """A page that is added makes its name known in pages that did not change."""
    graph = build_graph([page("a.md", "We use Kafka.", "A")], ())

    following = graph.changed((), [page("kafka.md", "A log.", "Kafka")], ())

    assert ["a.md"] == [mention.doc_id for mention in following.mentions["kafka.md"]]
    assert "kafka.md" not in graph.mentions


def test_a_link_is_mended_by_the_page_that_it_missed() -> None:
    """A link to a page that is not there yet leads to it as soon as it comes, and no longer when it goes."""
    graph = build_graph([page("a.md", "See [b](b.md) or [[Вторая]].", "A")], ())

    both = graph.changed((), [page("b.md", "Text.", "Вторая")], ())

    assert ["b.md", "b.md"] == [edge.target for edge in both.edges["a.md"]]
    assert {} == both.changed(["b.md"], (), ()).edges


def test_documents_stand_in_one_order() -> None:
    """Documents stand in the order of their ids, whichever of them came first or was read again."""
    a, b = page("a.md", "RAG.", "A"), page("c.md", "RAG.", "C")

    graph = build_graph([b, a], [RAG]).changed(
        ["a.md"], [page("b.md", "RAG.", "B"), replace(a, superseded=True)], [RAG]
    )

    assert ["a.md", "b.md", "c.md"] == [mention.doc_id for mention in graph.mentions["rag"]]


def test_what_did_not_change_is_shared() -> None:
    """A paragraph without names in it costs one document: what is known of the others is the same object."""
    graph = build_graph([page(f"{n}.md", f"RAG {n}", f"Page {n}") for n in range(3)], [RAG])

    following = graph.changed((), [page("1.md", "RAG again", "Page 1")], [RAG])

    assert graph.registry is following.registry
    assert graph.said["2.md"] is following.said["2.md"]


@pytest.mark.parametrize("count", [600])
def test_one_paragraph_does_not_cost_the_corpus(count: int) -> None:
    """Reading one document again takes a small part of reading all of them."""
    pages = [
        page(f"{n}.md", f"Aston builds thing {n}. В Лоцмане RAG.\n\n- item {n}", f"Page {n}") for n in range(count)
    ]
    begun = time.process_time()
    graph = build_graph(pages, DECLARED[0])
    built = time.process_time()

    graph.changed((), [page("5.md", "Aston builds something else. RAG.", "Page 5")], DECLARED[0])

    assert (time.process_time() - built) * 10 < built - begun
