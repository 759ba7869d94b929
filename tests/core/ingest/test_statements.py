"""What a document states by its form, each statement with the span that proves it."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ingest.acronyms import acronyms_in, full_name
from core.ingest.document import Block, Document
from core.ingest.statements import (
    ALIAS,
    BUILT_IN,
    DATED,
    DEFINES,
    HAS,
    LISTS,
    Naming,
    Statement,
    namings_of,
    statements_of,
)  # fmt: skip
from tests.core.corpus import page


def stated(markdown: str, *relations: str, title: str = "Page") -> list[tuple[str, ...]]:
    """Return relation, subject, object and label of what the Markdown states of these relations."""
    found = statements_of(page("a.md", markdown, title))
    return [(one.relation, one.subject, one.object, one.label) for one in found if one.relation in relations]


@pytest.mark.parametrize(
    ("text", "full", "short"),
    [
        ("The Data Protection Officer (DPO) decides.", "Data Protection Officer", "DPO"),
        ("Our Fernlink Gateway (FLG) is new.", "Fernlink Gateway", "FLG"),
        ("Искусственный интеллект (ИИ) помогает.", "Искусственный интеллект", "ИИ"),
        ("Это Федеральная налоговая служба (ФНС).", "Федеральная налоговая служба", "ФНС"),
        ("применён RAG (Retrieval-Augmented Generation): бот", "Retrieval-Augmented Generation", "RAG"),
        ("the Terms of Service (ToS)", "Terms of Service", "ToS"),
        ("Key Performance Indicators (KPIs) matter", "Key Performance Indicators", "KPI"),
    ],
)
def test_a_short_form_is_told_with_its_full_name(text: str, full: str, short: str) -> None:
    """Full Name (FN) and FN (Full Name), in both languages; both stand where it says."""
    ((found, form, start, end),) = acronyms_in(text)

    assert (full, short) == (found, form)
    assert {full, short} <= {text[start:end].replace(f" ({short})", ""), full, short}
    assert full in text[start:end]
    assert short in text[start:end]


@pytest.mark.parametrize(
    "text",
    [
        "It is closed (OK).", "Founded in Leiden (NL).", "See the table (A1).", "by mail (FAQ) or phone", "(DPO)",
        "Жду ответа (ASAP).", "the Officer. (DPO)", "He said so (NASA).", "Version two (V2) of it", "x (" * 500,
        "the protection of data by an officer of ours (DPO)", "IT (see the table below)",
    ],
)  # fmt: skip
def test_brackets_are_not_always_short_forms(text: str) -> None:
    """What does not spell the words before it stands for something else."""
    assert [] == list(acronyms_in(text))


@given(st.text("AaBb бВ(). -", max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_text_gives_short_forms_that_stand_in_it(text: str) -> None:
    """Whatever is written, both names are words of the text."""
    for full, short, start, end in acronyms_in(text):
        assert full in text[start:end]
        assert short in text[start:end]


def test_letters_that_change_their_number_spell_nothing() -> None:
    """İ in lower case is two characters: places would not fit."""
    assert full_name("IA", "İ Agency") is None


def test_definitions_of_a_glossary() -> None:
    """Bold terms anywhere; in a glossary plain ones, and its tables too. A short form explained is a short form."""
    assert [
        (DEFINES, "Buddy", "a colleague", ""), (DEFINES, "Shift", "eight hours", ""),
        (DEFINES, "IC", "incident commander, on call", ""), (ALIAS, "incident commander", "IC", ""),
    ] == stated("**Buddy**: a colleague\n\n- Shift — eight hours\n- IC: incident commander, on call", DEFINES, ALIAS,
                title="Glossary")  # fmt: skip
    assert [(DEFINES, "Смена", "восемь часов", "Термин")] == stated(
        "| Термин | Значение |\n|---|---|\n| Смена | восемь часов |", DEFINES
    )
    assert [
        (DEFINES, "DPO", "Data Protection Officer", "Abbreviation"), (ALIAS, "Data Protection Officer", "DPO", ""),
    ] == stated("| Abbreviation | M |\n|---|---|\n| DPO | Data Protection Officer |", DEFINES, ALIAS)  # fmt: skip
    assert [(DEFINES, "Смена", "восемь часов", "")] == stated("## Словарь\n\nСмена: восемь часов", DEFINES)
    assert [(DEFINES, "Term", "what it means", "")] == stated("Term\n: what it means", DEFINES)
    assert [] == stated("Shift — eight hours\n\n- note: read it", DEFINES)


def test_a_glossary_names_its_terms() -> None:
    """Terms of a glossary are names, a bold word elsewhere is not; a term that is a short form is named once."""
    glossary = page("g.md", "**IC**: incident commander\n\n**Buddy**: a colleague", "Terms and abbreviations")
    other = page("o.md", "**Buddy**: a colleague", "Other")

    assert (Naming("incident commander", "IC"), Naming("Buddy")) == namings_of(glossary, statements_of(glossary))
    assert () == namings_of(other, statements_of(other))


def test_people_and_dates() -> None:
    """Owners in fields and lines, several of them, without what stands behind their names; dates in one form."""
    fields = ("Owner: Anna Petrova, Boris Lind and Ян Ким", "Start: 2024-03", "Конец: 01.02.2025", "Team: Apps")
    lines = (
        "Владелец: Анна Петрова <anna@example.org>", "Last updated: 2025-02-24", "Lead: six people",
        "Обновлено 20 августа 2025 года. Текст.", "Updated: whenever we can",
    )  # fmt: skip
    text = "\n".join((*fields, *lines))
    starts = [0, *(n + 1 for n, char in enumerate(text) if char == "\n")]
    ends = [*(start - 1 for start in starts[1:]), len(text)]
    kinds = ["field"] * len(fields) + ["paragraph"] * 5
    blocks = tuple(Block(kind, *span) for kind, *span in zip(kinds, starts, ends, strict=True))  # type: ignore[arg-type]

    found = statements_of(Document("a.md", "A", text, blocks))

    assert [
        ("OWNER", "Anna Petrova"), ("OWNER", "Boris Lind"), ("OWNER", "Ян Ким"), ("DATED", "2024-03"),
        ("DATED", "2025-02-01"), ("OWNER", "Анна Петрова"), ("DATED", "2025-02-24"), ("DATED", "2025-08-20"),
    ] == [(one.relation, one.object) for one in found]  # fmt: skip
    assert "Обновлено 20 августа 2025 года." == found[-1].span.within(text)


def test_a_row_relates_its_first_cell_to_the_others() -> None:
    """Each further cell under a label is something that the first has; empty ones say nothing."""
    assert [(HAS, "Fern", "12", "Seats"), (HAS, "Fern", "screen", "Что есть")] == stated(
        "| Room | Seats | Что есть | |\n|---|---|---|---|\n| Fern | 12 | screen | x |\n| | 3 | y | |", HAS
    )


def test_items_stand_under_their_heading_and_item() -> None:
    """The parent of a nested item is the item above it; a paragraph or heading ends the list."""
    document = page(
        "a.md", "## Правила\n\n- a\n  - b\n    - c\n\n    more of c\n\n    > said\n  - d\n- e\n\ntext\n\n- f", "A"
    )

    found = [one for one in statements_of(document) if one.relation == LISTS]

    names = {one.block: one.object for one in found}
    assert [("a", None), ("b", "a"), ("c", "b"), ("d", "a"), ("e", None), ("f", None)] == [
        (one.object, names.get(one.parent) if one.parent is not None else None) for one in found
    ]
    assert {"Правила"} == {one.label for one in found}


def test_code_states_nothing() -> None:
    """A listing is not read for definitions or owners."""
    assert () == statements_of(page("a.md", "```\nOwner: Anna\n- item (IT)\n```", "Glossary"))


@pytest.mark.parametrize(
    "markdown",
    [
        "\n\n".join(f"{'#' * (1 + n % 6)} Heading {n}\n\ntext" for n in range(1_000)),
        "| Term | Meaning |\n|---|---|\n" + "\n".join(f"| t{n} | means {n} |" for n in range(10_000)),
        "\n".join(f"{'  ' * (n % 20)}- item {n}" for n in range(10_000)),
        "# " + "word " * 2_000 + "\n\nOwner: " + "a, " * 5_000,
        "A (B) " * 5_000 + "Full Name (FN) " * 500,
        "**" + "x" * 10_000 + "**: " + "y" * 10_000,
    ],
    ids=["headings", "table", "list", "title", "brackets", "term"],
)
def test_hostile_documents_are_read_in_time(markdown: str) -> None:
    """A thousand headings, tables and lists of ten thousand lines, endless names: seconds, not minutes."""
    document = page("glossary.md", markdown, "Glossary")
    begun = time.process_time()

    found = statements_of(document)
    namings_of(document, found)

    assert time.process_time() - begun < 5


@given(st.text("Ab:(). -—\n|*#б1", max_size=120))
@settings(max_examples=300, deadline=None)
def test_any_document_states_what_stands_in_it(markdown: str) -> None:
    """Whatever is written, a statement's span lies in its block."""
    document = page("a.md", markdown, "Terms")

    for one in statements_of(document):
        assert one.relation in BUILT_IN
        assert document.blocks[one.block].span.contains(one.span)
        assert one.span.start < one.span.end


def test_statements_compare_by_what_they_say() -> None:
    """A document that did not change states the same."""
    document = page("a.md", "Updated: 2025-01-02. See [b](b.md).", "A")

    assert statements_of(document) == statements_of(document)
    assert {DATED, "LINKS_TO"} == {one.relation for one in statements_of(document)}
    assert isinstance(statements_of(document)[0], Statement)
