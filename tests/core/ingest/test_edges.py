"""Edges: what documents state, with the names of the corpus in it; declared relations; how both are asked for."""

import time

import pytest

from adapters.loaders.item import documents_in
from core.conversation import Audience
from core.entities import Entity
from core.errors import ConfigError
from core.ingest.corpus import CorpusGraph, build_graph, entities_of
from core.ingest.document import Document
from core.ingest.domain import read_domain
from core.ingest.edges import Relation
from core.ingest.graph import query_graph
from core.ingest.source import Item
from core.plan import GraphQuery, Intent
from tests.core.corpus import ASTON, DMITRY, EVERYBODY, LOTSMAN, RAG, intent, page

USES = Relation("USES", "project", "technology", headings=("Стек", "Stack"), keys=("tools",), columns=("Tool",))
DECLARED = (RAG, ASTON, LOTSMAN, DMITRY)
LOTSMAN_PAGE = page(
    "projects/lotsman.md",
    "# Лоцман\n\nПроект [Aston](../companies/aston.md), см. [[Глоссарий#RAG|слова]].\n\n## Стек\n\n- RAG — ответы\n"
    "- Zephyr\n\n## Люди\n\nВладелец: Дмитрий Соколов\n",
    "Лоцман",
    kind="project",
)
ASTON_PAGE = page("companies/aston.md", "Aston — компания.", "Aston", kind="company")
GLOSSARY = page("glossary.md", "**VPD**: vapour pressure deficit\n\n**Вахта**: смена в восемь часов", "Глоссарий")
TABLE = page(
    "tools.md", "| Project | Tool | Since |\n|---|---|---|\n| Лоцман | RAG | 2024 |\n| Other | Kafka | 2020 |", "T"
)


def said(graph: CorpusGraph, relation: str) -> list[tuple[str, str, str]]:
    """Return source, target and proof of every edge of the relation."""
    edges = (edge for each in graph.said.values() for edge in each.edges if edge.relation == relation)
    return [(edge.source, edge.target, edge.span.within(graph.documents[edge.doc_id].text)) for edge in edges]


def ask(call: Intent, entity: str, *documents: Document, groups: tuple[str, ...] = ()) -> list[tuple[str | None, str]]:
    """Return the facts that answer, each with the page that it is listed under."""
    graph = build_graph(documents, DECLARED, (USES,))
    facts = query_graph(
        graph, GraphQuery(intent=call.name, entity_id=entity), call, Audience("acme", frozenset(groups))
    )
    return [(fact.group, str(fact.text)) for fact in facts]


def test_links_lead_to_documents_and_prove_it() -> None:
    """A relative path and a name of a page become edges between documents; the label is the proof, or the anchor."""
    graph = build_graph([LOTSMAN_PAGE, ASTON_PAGE, GLOSSARY], DECLARED)

    assert [
        ("projects/lotsman.md", "companies/aston.md", "Aston"), ("projects/lotsman.md", "glossary.md", "слова"),
    ] == said(graph, "LINKS_TO")  # fmt: skip
    assert ["RAG"] == [edge.label for edge in graph.edges["glossary.md"]]


def test_people_are_who_they_are_known_as() -> None:
    """An owner who is an entity is that entity, of what the page is about."""
    assert [("lotsman", "dmitry", "Владелец: Дмитрий Соколов")] == said(build_graph([LOTSMAN_PAGE], DECLARED), "OWNER")


def test_circular_links_are_edges_like_others() -> None:
    """Pages that lead to each other, and to themselves, end."""
    a, b = page("a.md", "[b](b.md) [a](a.md)", "A"), page("b.md", "[a](a.md#x)", "B")

    assert [("a.md", "b.md", "b"), ("a.md", "a.md", "a"), ("b.md", "a.md", "a")] == said(
        build_graph([a, b], ()), "LINKS_TO"
    )


def loaded(name: str, content: str) -> Document:
    """Return the document that a file of this content is read as."""
    (document,) = documents_in(Item(name, content.encode()))
    assert isinstance(document, Document)
    return document


def test_front_matter_says_what_replaced_a_page_and_when_it_changed() -> None:
    """The page that took its place, by path or by name, or its name where it is nowhere; the day; with the field."""
    old = loaded("p/old.md", "---\nupdated: 2023-02-01\nreplaced_by: p/new.md\n---\nOld words")
    older = loaded("p/старый.md", "---\ntitle: Старый\nlast_updated: 01.02.2022\nreplaced-by: Новый отпуск\n---\nСлова")
    oldest = loaded("p/x.md", "---\nreplaced_by: Something lost\n---\nWords")
    new = loaded("p/new.md", "---\ntitle: Leave\naliases: [Новый отпуск]\n---\nNew words")
    graph = build_graph([old, older, oldest, new], ())

    assert [
        ("p/old.md", "p/new.md", "Replaced by: p/new.md"), ("p/x.md", "Something lost", "Replaced by: Something lost"),
        ("p/старый.md", "p/new.md", "Replaced by: Новый отпуск"),
    ] == said(graph, "REPLACED_BY")  # fmt: skip
    assert [
        ("p/old.md", "2023-02-01", "Updated: 2023-02-01"), ("p/старый.md", "2022-02-01", "Last updated: 01.02.2022"),
    ] == said(graph, "DATED")  # fmt: skip
    assert [] == said(graph, "LINKS_TO")
    assert graph.said == build_graph([old, older, oldest], ()).changed((), [new], ()).said


def test_links_in_html_are_links() -> None:
    """In raw HTML inside Markdown and in web pages; the label proves it, and menus lead nowhere."""
    raw = loaded("a.md", '# A\n\nSee <a href="b.html#Rules">the rules</a>.\n\n<div><a href="c.md">Отпуск</a></div>\n')
    web = loaded("b.html", '<title>B</title><nav><a href="c.md">menu</a></nav><p>Read <a href="./a.md">A</a></p>')
    graph = build_graph([raw, web, page("c.md", "words", "C")], ())

    assert [("a.md", "b.html", "the rules"), ("a.md", "c.md", "Отпуск"), ("b.html", "a.md", "A")] == said(
        graph, "LINKS_TO"
    )
    assert ["Rules", "A"] == [edge.label for edge in graph.edges["b.html"]]


def test_who_gets_letters_is_a_contact() -> None:
    """A mail link is a contact of what the page is about: the person whom its label names, else its words."""
    wiki = page("projects/lotsman.md", "Пишите [Дмитрию](mailto:d@x.example) или <desk@x.example>.", kind="project")

    assert [("lotsman", "dmitry", "Дмитрию"), ("lotsman", "desk@x.example", "desk@x.example")] == said(
        build_graph([wiki], DECLARED), "CONTACT"
    )


def test_a_declared_relation_is_found_in_lists_fields_and_columns() -> None:
    """The entity that an item, value or cell names, or its words; of a row's first cell where that fits."""
    text = "Tools: RAG, Redis"
    field = page("f.md", text, "F", kind="project")
    blocks = (*(type(one)("field", one.start, one.end) for one in field.blocks),)
    graph = build_graph([LOTSMAN_PAGE, TABLE, Document("f.md", "F", text, blocks, "project")], DECLARED, (USES,))

    assert [
        ("f.md", "rag", text), ("f.md", "Redis", text), ("lotsman", "rag", "RAG — ответы"),
        ("lotsman", "Zephyr", "Zephyr"), ("lotsman", "rag", "Лоцман | RAG | 2024"),
    ] == said(graph, "USES")  # fmt: skip


def test_a_relation_is_asked_for_from_both_ends() -> None:
    """What a project uses, and where a thing is used: each passage once, under its page."""
    uses = intent("TOOLS", "field", keys=("USES",))

    assert [("Лоцман", "RAG — ответы"), ("Лоцман", "Zephyr"), ("T", "Лоцман | RAG | 2024")] == ask(
        uses, "lotsman", LOTSMAN_PAGE, TABLE
    )
    assert [("Лоцман", "RAG — ответы"), ("T", "Лоцман | RAG | 2024")] == ask(uses, "rag", LOTSMAN_PAGE, TABLE)


def test_a_relation_on_a_restricted_page_is_for_its_readers() -> None:
    """An edge is as open as the page that states it."""
    secret = page("s.md", "## Stack\n\n- RAG", "S", kind="project", readers=frozenset({"board"}))
    uses = intent("TOOLS", "field", keys=("USES",))

    assert [] == ask(uses, "rag", secret)
    assert [("S", "RAG")] == ask(uses, "rag", secret, groups=("board",))


def test_what_has_no_page_is_explained_where_it_is_defined() -> None:
    """The overview of a term is its entry in the glossary, under its short and its full name."""
    entities = {entity.name: entity.id for entity in entities_of([GLOSSARY], ())}
    graph = build_graph([GLOSSARY], ())
    about = intent("ABOUT", "overview")

    for name, entry in (
        ("vapour pressure deficit", "VPD: vapour pressure deficit"),
        ("Вахта", "Вахта: смена в восемь часов"),
    ):
        facts = query_graph(graph, GraphQuery(intent="ABOUT", entity_id=entities[name]), about, EVERYBODY)
        assert [entry] == [fact.text for fact in facts]


def test_a_short_form_is_one_more_name_of_what_is_known() -> None:
    """A page's title written out with its short form gives the page that name; the other way round too."""
    board = page("board.md", "Text.", "Quality Board")
    rag = page(
        "x.md", "The Quality Board (QB) met. RAG (Random Access Group) is known. Новая Рабочая Группа (НРГ).", "X"
    )

    graph = build_graph([board, rag, page("y.md", "QB decides. НРГ тоже.", "Y")], (RAG,))

    assert ["x.md", "y.md"] == [mention.doc_id for mention in graph.mentions["board.md"]]
    assert "y.md" in {mention.doc_id for mention in graph.mentions["term:нов-рабоч-групп"]}


def test_what_is_too_long_is_no_name() -> None:
    """A term of a whole paragraph names nothing, and a long cell stays what it says."""
    term, cell = "слово" * 20, "RAG " * 60
    graph = build_graph(
        [page("g.md", f"| Термин | Что |\n|---|---|\n| {term} | x |\n| A | {cell} |\n| ★ | y |", "G")], (RAG,)
    )

    assert [(term, "x"), ("term:a", cell.strip()), ("★", "y")] == [edge[:2] for edge in said(graph, "HAS")]
    assert {"rag", "g.md"} == set(graph.registry.entities) - {"term:a"}


def test_an_intent_may_name_a_relation() -> None:
    """`find: relation` with the names of relations is checked on reading and looks up their edges."""
    domain = read_domain(
        {
            "relations": [{"name": "USES", "from": "project", "to": "technology", "headings": ["Стек"]}],
            "intents": [
                {"name": "TOOLS", "description": "tools", "find": "relation", "relations": ["USES", "OWNER"]},
            ],
        }
    )

    assert (Relation("USES", "project", "technology", ("Стек",)),) == domain.relations
    assert ("field", ("USES", "OWNER")) == (domain.intents[0].find, domain.intents[0].keys)


@pytest.mark.parametrize(
    ("relations", "intent_", "problem"),
    [
        ([{"name": "uses", "keys": ["a"]}], {}, "relations.0.name"),
        ([{"name": "USES"}], {}, "relations.0: USES stands nowhere"),
        ([{"name": "LINKS_TO", "keys": ["a"]}], {}, "relations.0: LINKS_TO is taken"),
        ([{"name": "USES", "keys": ["a"]}] * 2, {}, "relations.1: USES is taken"),
        ([], {"find": "relation"}, "intents.0: find: relation and relations"),
        ([], {"relations": ["OWNER"]}, "intents.0: find: relation and relations"),
        ([], {"find": "relation", "relations": ["USES"]}, "intents.0: no relation 'USES', only"),
    ],
)
def test_a_wrong_relation_is_named_with_its_cure(
    relations: list[dict[str, object]], intent_: dict[str, object], problem: str
) -> None:
    """A relation that is taken, stands nowhere or is not declared: the entry and what to do are told."""
    raw = {"relations": relations, "intents": [{"name": "TOOLS", "description": "tools", **intent_}] if intent_ else []}

    with pytest.raises(ConfigError, match="index again") as error:
        read_domain(raw)
    assert problem in str(error.value)


def test_a_table_of_ten_thousand_rows_is_a_graph_in_time() -> None:
    """Every row and item is an edge, in seconds; asking for one of them takes no time."""
    rows = "\n".join(f"| Тема {n} | RAG | {n} |" for n in range(10_000))
    items = "\n".join(f"- item {n} in Aston" for n in range(10_000))
    big = page("big.md", f"| Topic | Tool | N |\n|---|---|---|\n{rows}\n\n## Stack\n\n{items}", "Big", kind="project")
    begun = time.process_time()

    graph = build_graph([big], DECLARED, (USES,))

    assert time.process_time() - begun < 15
    assert len(said(graph, "HAS")) == 20_000
    assert len(said(graph, "LISTS")) == 10_000


def test_a_subject_of_a_row_that_is_known_is_that_entity() -> None:
    """The first cell of a row names whose value the others are."""
    known = (Entity("fern", "Fern", "room"),)
    graph = build_graph([page("r.md", "| Room | Seats |\n|---|---|\n| Fern | 12 |", "R")], known)

    assert [("fern", "12", "Fern | 12")] == said(graph, "HAS")
