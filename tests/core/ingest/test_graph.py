"""The graph of a corpus: pages, sections, fields and mentions (R-10), and who may read them."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.conversation import Audience
from core.entities import Entity
from core.facts import Fact, Place
from core.ingest.document import Block, Document
from core.ingest.graph import build_graph, context_of, entities_of, query_graph, with_names
from core.plan import GraphQuery, Intent
from core.text import Untrusted
from tests.core.corpus import ASTON, DMITRY, EVERYBODY, LOTSMAN, RAG, intent, page

ABOUT = intent("ABOUT", "overview")
USAGE = intent("USAGE", "mentions")
IN_PROJECTS = intent("USAGE", "mentions", within=("project",))
RESULTS = intent("RESULTS", "section", headings=("Достижения", "Results"))
CONTACTS = intent("CONTACTS", "section", headings=("Контакты",))
OWNER = intent("OWNER", "field", keys=("reviewed_by", "owner"))
DECLARED = (RAG, ASTON, LOTSMAN, DMITRY)

LOTSMAN_PAGE = page(
    "projects/lotsman.md",
    "# Лоцман\n\nЛоцман — проект Aston. Помогает искать.\n\nВ Лоцмане применён RAG. Позже RAG ускорили, RAG хорош. "
    "Ещё раз RAG.\n\n## Стек\n\n- RAG\n\n## Достижения\n\nКоротко:\n\n- быстрее вдвое\n- 2,1 млн рублей\n",
    "Лоцман",
    kind="project",
)
HUMMINGBIRD = page(
    "projects/hummingbird.md",
    "# Hummingbird\n\nHummingbird is an app.\n\n## Results\n\nFewer crashes.\n\n## Stack\n\n- RAG\n- Kafka\n",
    "Hummingbird",
    kind="project",
)
BLOG = page("blog.md", "# Blog\n\nRAG is a way to answer.", "Blog")


def ask(
    call: Intent, entity: str, *documents: Document, also: str | None = None, groups: tuple[str, ...] = (),
    declared: tuple[Entity, ...] = DECLARED,
) -> tuple[Fact, ...]:  # fmt: skip
    """Return the facts that the documents' structure gives to people of these groups."""
    graph = build_graph(documents, declared)
    query = GraphQuery(intent=call.name, entity_id=entity, also=also)
    return query_graph(graph, query, call, Audience("acme", frozenset(groups)))


def texts(*given_: Any, **options: Any) -> list[str]:
    """Return the texts of the facts."""
    return [str(fact.text) for fact in ask(*given_, **options)]


def test_mentions_are_whole_sentences_by_page() -> None:
    """Where a thing is named: at most two sentences of each page, under the page's title, each once."""
    facts = ask(USAGE, "rag", LOTSMAN_PAGE, BLOG)

    assert [
        ("Blog", "RAG is a way to answer."),
        ("Лоцман", "В Лоцмане применён RAG."),
        ("Лоцман", "Позже RAG ускорили, RAG хорош."),
    ] == [(fact.group, fact.text) for fact in facts]


def test_an_item_speaks_where_no_sentence_does() -> None:
    """A page that only lists a thing is found by the item."""
    assert [("Hummingbird", "RAG")] == [(fact.group, fact.text) for fact in ask(USAGE, "rag", HUMMINGBIRD)]


def test_mentions_can_be_limited_to_kinds_of_page() -> None:
    """An intent that asks for projects is not answered by a blog."""
    assert {"Лоцман", "Hummingbird"} == {
        fact.group for fact in ask(IN_PROJECTS, "rag", LOTSMAN_PAGE, HUMMINGBIRD, BLOG)
    }


def test_a_second_entity_keeps_only_the_pages_that_name_it() -> None:
    """«Где применял RAG?» → «А какие проекты в Aston?» leaves the projects that name Aston."""
    assert {"Лоцман"} == {fact.group for fact in ask(USAGE, "rag", LOTSMAN_PAGE, HUMMINGBIRD, also="aston")}


def test_every_fact_is_the_documents_own_text_at_its_place() -> None:
    """A fact's span cuts its text from the document, with the headings above it; it is an answer as a whole."""
    for fact in (*ask(USAGE, "rag", LOTSMAN_PAGE), *ask(RESULTS, "lotsman", LOTSMAN_PAGE)):
        assert fact.span.within(LOTSMAN_PAGE.text) == fact.text
        assert fact.structural
        assert [fact.span] == [part.span for part in fact.parts]
    assert Place((Untrusted("Достижения"),)) == fact.place


def test_a_section_is_its_complete_list() -> None:
    """Every item under the heading is a fact, in order; the words that introduce the list are not."""
    assert ["быстрее вдвое", "2,1 млн рублей"] == texts(RESULTS, "lotsman", LOTSMAN_PAGE)


def test_a_section_without_a_list_is_its_paragraphs() -> None:
    """Where nothing is listed the text of the section answers; a declared heading in any language fits."""
    assert ["Fewer crashes."] == texts(RESULTS, "projects/hummingbird.md", HUMMINGBIRD)


def test_a_page_without_the_section_gives_nothing() -> None:
    """No other page speaks for a project that has its own."""
    assert [] == texts(CONTACTS, "lotsman", LOTSMAN_PAGE, page("x.md", "Лоцман\n\n## Контакты\n\n- tel"))


def test_a_section_of_something_without_a_page_is_on_a_page_that_names_it() -> None:
    """The first page that has the section and names the person answers."""
    empty = page("a.md", "Дмитрий здесь.")
    first, second = (page(f"{n}.md", f"Дмитрий.\n\n## Контакты\n\n- номер {n}") for n in "12")

    assert ["номер 1"] == texts(CONTACTS, "dmitry", empty, first, second)


def test_a_page_titled_so_comes_before_pages_that_name_somebody() -> None:
    """For a person the page called «Контакты» is where contacts are."""
    other = page("1.md", "Дмитрий.\n\n## Контакты\n\n- старый")
    titled = page("contacts.md", "## Контакты\n\n- dmitry@sokolov.example", "Контакты")
    about = page("about.md", "Дмитрий — инженер.", "Дмитрий")

    declared = (Entity("dmitry", "Дмитрий", "person", page="about.md"),)
    assert ["dmitry@sokolov.example"] == texts(CONTACTS, "dmitry", about, other, titled, declared=declared)


def test_an_overview_is_the_opening_of_the_page() -> None:
    """The paragraphs before the first section, not the whole page."""
    assert ["Hummingbird is an app."] == texts(ABOUT, "projects/hummingbird.md", HUMMINGBIRD)
    assert 4 == len(texts(ABOUT, "long.md", page("long.md", "\n\n".join(f"Абзац {n}." for n in range(9)))))


@pytest.mark.parametrize("call", [ABOUT, OWNER, CONTACTS])
def test_something_without_a_page_has_no_overview(call: Intent) -> None:
    """What is only named, and nowhere described, has no opening, fields or sections."""
    assert [] == texts(call, "rag", LOTSMAN_PAGE)


def test_a_page_of_lists_has_no_overview() -> None:
    """Without a paragraph there is no opening."""
    assert [] == texts(ABOUT, "l.md", page("l.md", "- раз\n- two"))


def test_fields_are_found_by_their_keys() -> None:
    """A field is named by its key in any case, with or without underscores."""
    text = "Reviewed by: Анна\nOwner: Platform\nStatus: done\nOwner: not a field"
    starts = [0, 18, 34, 47]
    blocks = tuple(
        Block("field" if n < 3 else "paragraph", start, end)
        for n, (start, end) in enumerate(zip(starts, [17, 33, 46, len(text)], strict=True))
    )
    known = Document(id="f.md", title="F", text=text, blocks=blocks)

    assert ["Reviewed by: Анна", "Owner: Platform"] == texts(OWNER, "f.md", known)


def test_a_search_is_not_the_graphs_to_answer() -> None:
    """An intent that is answered by search finds nothing here."""
    assert [] == texts(intent("GENERAL"), "rag", LOTSMAN_PAGE)


def test_a_heading_can_be_a_mention() -> None:
    """A section named after a thing mentions it; shown as text."""
    [fact] = ask(USAGE, "rag", page("h.md", "## RAG\n\nПоиск и ответ."))

    assert ("RAG", "paragraph") == (fact.text, fact.parts[0].kind)


SECRET = page("secret.md", "RAG is for Dmitry.\n\n## Контакты\n\n- секрет", "Secret", readers=frozenset({"hr"}))


@pytest.mark.parametrize("call", [USAGE, ABOUT, CONTACTS, OWNER])
@pytest.mark.parametrize("entity", ["rag", "secret.md", "dmitry"])
def test_nobody_is_given_what_they_may_not_read(call: Intent, entity: str) -> None:
    """A restricted page is silent for every intent and entity, its own too."""
    assert [] == texts(call, entity, SECRET)
    assert [] == texts(call, entity, SECRET, groups=("sales", "HR", "hr' OR '1'='1"))


def test_readers_are_given_it() -> None:
    """A restricted page speaks to a group that may read it."""
    assert ["RAG is for Dmitry."] == texts(USAGE, "rag", SECRET, groups=("hr",))


def test_a_page_that_is_not_readable_stands_in_nobodys_way() -> None:
    """Where the first page with a section is restricted, the next one that may be read answers."""
    open_ = page("z.md", "Дмитрий.\n\n## Контакты\n\n- открытый")

    assert ["открытый"] == texts(CONTACTS, "dmitry", SECRET, open_)
    assert ["секрет"] == texts(CONTACTS, "dmitry", SECRET, open_, groups=("hr",))


def test_a_page_is_an_entity_of_its_own() -> None:
    """Each page that no declared entity is the page of can be asked about; a superseded one cannot."""
    old = page("old.md", "было", superseded=True)

    found = list(entities_of((LOTSMAN_PAGE, BLOG, old), DECLARED))

    assert [*DECLARED, Entity("blog.md", "Blog", "page", (), "blog.md")] == found


@pytest.mark.parametrize(
    ("title", "aliases"),
    [
        ("Single Sign-On (SSO)", ("x", "Single Sign-On", "SSO")),
        ("Налог (НДС)", ("x", "Налог", "НДС")),
        ("Отчёт ()", ("x",)),
        ("(черновик)", ("x",)),
        ("Отпуск (2025", ("x", "Отпуск", "2025")),
        ("Plain", ("x",)),
    ],
)
def test_a_short_form_in_brackets_is_another_name(title: str, aliases: tuple[str, ...]) -> None:
    """A title with a short form in brackets names the page by both."""
    [entity] = entities_of((page("a.md", "да", title, aliases=("x",)),), ())

    assert aliases == entity.aliases


def test_pages_are_found_by_the_names_of_what_they_are_about() -> None:
    """A page gains the declared names of its entity, each once, after its own."""
    [lotsman, blog] = with_names((LOTSMAN_PAGE, BLOG), DECLARED)

    assert (("Лоцман", "Lotsman"), ()) == (lotsman.aliases, blog.aliases)
    assert "Лоцман Лоцман Lotsman Стек" == context_of(lotsman, ("Стек",))


@pytest.mark.parametrize("name", ["a\tb.md", "отчёт\u2028.md", "\x07.md", "'; DROP TABLE.md", "𝕏 🙂.md"])
def test_a_page_may_have_any_name(name: str) -> None:
    """Control characters and quotes in a page's name hinder nothing."""
    assert ["Да, RAG."] == texts(USAGE, "rag", page(name, "Да, RAG."))
    assert ["Да, RAG."] == texts(ABOUT, name, page(name, "Да, RAG."))


_MARKDOWN = st.lists(
    st.sampled_from(
        [
            "# RAG",
            "## Контакты",
            "- RAG",
            "| RAG | a |\n|---|---|\n| b | Aston |",
            "Дмитрий и RAG. Да.",
            "",
            "```\nRAG\n```",
        ]
    ),
    max_size=8,
).map("\n\n".join)


@given(st.lists(_MARKDOWN, max_size=3), st.sampled_from([USAGE, ABOUT, RESULTS, CONTACTS, OWNER]))
def test_any_documents_can_be_asked(sources: list[str], call: Intent) -> None:
    """Whatever a page looks like, facts are its own words, and readers change nothing but who is given them."""
    documents = [page(f"{n}.md", text, readers=frozenset({"hr"} if n else ())) for n, text in enumerate(sources)]
    graph = build_graph(documents, DECLARED)
    for entity in graph.registry.entities:
        query = GraphQuery(intent=call.name, entity_id=entity)
        facts = query_graph(graph, query, call, EVERYBODY)
        assert all(fact.span.within(graph.documents[fact.source.doc_id].text) == fact.text for fact in facts)
        assert {"0.md"} >= {fact.source.doc_id for fact in facts}


TIES = intent("TIES", "ties")


def test_what_has_to_do_with_a_thing() -> None:
    """Every page that names it, and of what its own page names, but for what that says no to."""
    tower = replace(LOTSMAN, id="tower", name="Tower", aliases=(), page="tower.md")
    hill = replace(LOTSMAN, id="hill", name="Hill", aliases=(), page="hill.md")
    rag = replace(RAG, page="rag.md")
    own = page("rag.md", "# RAG\n\nIt is used in Tower. It was not used in Hill.", "RAG")
    pages = (own, page("tower.md", "# Tower\n\nHigh.", "Tower"), page("hill.md", "# Hill\n\nGreen.", "Hill"), BLOG)
    found = ask(TIES, "rag", *pages, declared=(rag, tower, hill))

    assert ["blog.md", "rag.md", "tower.md"] == [fact.source.doc_id for fact in found]


def test_a_closed_page_ties_nothing() -> None:
    """What stands on a page that may not be read is not known, and neither is the page."""
    tower = replace(LOTSMAN, id="tower", name="Tower", aliases=(), page="tower.md")
    own = page("rag.md", "# About it\n\nIt is used in Tower.", "About it", readers=frozenset({"board"}))
    pages, declared = (own, page("tower.md", "# Tower\n\nHigh.", "Tower")), (replace(RAG, page="rag.md"), tower)

    assert [[], ["rag.md", "tower.md"]] == [
        [fact.source.doc_id for fact in ask(TIES, "rag", *pages, declared=declared, groups=groups)]
        for groups in ((), ("board",))
    ]
