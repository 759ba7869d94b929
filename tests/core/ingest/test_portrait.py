"""A document as it was understood, and which document is meant by what somebody types."""

import pytest

from core.entities import Entity, make_registry, resolve_entities
from core.ingest.chunk import passages_in
from core.ingest.corpus import build_graph
from core.ingest.document import Document
from core.ingest.portrait import Several, how_matched, looked_up, portrait_of
from tests.core.corpus import ASTON, DMITRY, LOTSMAN, RAG, page

DECLARED = (RAG, ASTON, LOTSMAN, DMITRY)
LEAVE = page(
    "policies/annual-leave.md",
    "# Annual leave\n\nOwner: Dmitry\n\n## How much\n\nYou get 27 days. В Астоне их 28.\n\n"
    "- RAG is a project of [Aston](../companies/aston.md)\n",
    "Annual leave",
    aliases=("POL-03",),
)
OLD = page("policies/annual-leave-2023.md", "It was 24 days.", "Annual leave (2023)")
COMPANY = page("companies/aston.md", "Aston — компания.", "Компания Астон")
GRAPH = build_graph([LEAVE, OLD, COMPANY], DECLARED)


def test_a_document_shows_its_chunks_names_and_edges() -> None:
    """What is shown is what the index holds: every passage, every mention of the graph, every edge with its proof."""
    one = portrait_of(LEAVE, GRAPH)

    assert "en" == one.language
    assert [(), ("How much",)] == [chunk.headings for chunk in one.chunks]
    assert one.passages == sum(len(passages_in(chunk, one.document)) for chunk in one.chunks) >= 3
    assert {
        ("aston", "in another form", ("Астоне", "Aston")), ("rag", "as written", ("RAG",)),
        ("dmitry", "as written", ("Dmitry",)), ("policies/annual-leave.md", "as written", ()),
    } >= {(named.entity.id, named.how, named.words) for named in one.named}  # fmt: skip
    assert [("Annual leave", "OWNER", "Дмитрий Соколов", "Owner: Dmitry")] == [
        (tie.subject, tie.edge.relation, tie.object, tie.proof) for tie in one.ties if tie.edge.relation == "OWNER"
    ]
    assert ["Компания Астон"] == [tie.object for tie in one.ties if tie.edge.relation == "LINKS_TO"]


def test_every_mention_of_the_graph_is_shown_with_its_words() -> None:
    """No place is lost, and the words at each place are those that stand for the entity."""
    for document in GRAPH.documents.values():
        one = portrait_of(document, GRAPH)
        mentioned = {id_ for id_, _ in GRAPH.said[document.id].mentions}

        assert mentioned == {named.entity.id for named in one.named}
        for named in one.named:
            assert set(named.words) == {span.within(document.text) for span in named.places}


@pytest.mark.parametrize(
    ("words", "how"),
    [
        ("RAG", "as written"), ("Лоцмана", "in another form"), ("Лоцман", "as written"), ("lotsman", "as written"),
        ("Кафки", "as it sounds"), ("Lotsmann", "misspelt"),
    ],
)  # fmt: skip
def test_it_is_told_how_a_name_was_matched(words: str, how: str) -> None:
    """As it is known, in another form of the word, by its sound in the other alphabet, or with a slip."""
    (match,) = resolve_entities(words, make_registry((RAG, LOTSMAN, Entity("kafka", "Kafka", "technology"))))

    assert how == how_matched(match, words)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("policies/annual-leave.md", LEAVE), ("./policies/annual-leave.md", LEAVE), ("policies/annual-leave", LEAVE),
        ("annual-leave", LEAVE), ("ANNUAL LEAVE", LEAVE), ("pol-03", LEAVE), ("aston.md", COMPANY),
        ("компании Астон", COMPANY), ("leave-2023", OLD), ("(2023)", OLD),
    ],
)  # fmt: skip
def test_a_document_is_found_by_what_people_call_it(words: str, found: Document) -> None:
    """Its path, with or without suffix, its file name, its title in any form, an alias, or a part that only it has."""
    assert found is looked_up(words, GRAPH)


def test_what_is_not_clear_gives_a_choice() -> None:
    """A part of several names gives these; a misspelt name what is like it; nonsense nothing."""
    for words, exact in (("leave", True), ("anual laeve", False)):
        found = looked_up(words, GRAPH)
        assert isinstance(found, Several)
        assert (exact, {LEAVE.id, OLD.id}) == (found.exact, {one.id for one in found.documents})
    assert Several((), exact=False) == looked_up("", GRAPH)
    assert isinstance(looked_up("\x00" * 999, GRAPH), Several)
