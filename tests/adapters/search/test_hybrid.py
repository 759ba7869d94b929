"""Search by meaning and by words, fused (R-11)."""

from dataclasses import fields, replace
from pathlib import Path

import pytest

from adapters.search.bringing import _as_near
from adapters.search.hybrid import HybridSearch
from core.answer import Draft, DraftClaim, Pointer
from core.context import build_context
from core.conversation import Audience
from core.errors import SearchError
from core.facts import Fact, FactsPayload, Part, Span
from core.ingest.generation import Tables
from core.plan import default_plan
from core.ports import SearchQuery
from core.text import Untrusted, terms
from core.verify import verify
from tests.adapters.search.shelf import shelve
from tests.core.corpus import EVERYBODY, RAG, page

FILLER = [
    page(f"filler/{n}.md", f"{word} {word} {word}.", word)
    for n, word in enumerate(["Quartz", "Jigsaw", "Fjord", "Гравий", "Щебень", "Хлопок", "Вольфрам", "Oxygen"])
]
LEAVE = page(
    "leave.md",
    "# Leave\n\n## Days\n\nEveryone gets 27 working days.\n\n## Transfer\n\nUntil March.",
    "Leave",
    kind="policy",
)
HOLIDAY = page(
    "отпуск.md", "# Отпуск\n\n## Дни\n\nКаждому положено 28 дней отпуска.\n\n## Перенос\n\nДо марта.", "Отпуск"
)
SALARY = page(
    "salary.md", "# Salary\n\nEveryone gets 27 working days of salary secrets.", "Salary", readers=frozenset({"hr"})
)
LIST = page(
    "stock.md",
    "# Stock\n\nWe keep these sorts:\n\n" + "\n".join(f"- sort {n}: {'abcdefghij'[n % 10] * 30}" for n in range(120)),
    "Stock",
)


async def found(search: HybridSearch, text: str, *groups: str, **query: object) -> list[Fact]:
    """Return the facts found for people of these groups, best first."""
    known = SearchQuery(text, **query)  # type: ignore[arg-type]
    return list((await search.find(known, Audience("acme", frozenset(groups)))).facts)


@pytest.fixture
async def search(tmp_path: Path) -> HybridSearch:
    """Give the search over a few documents in two languages."""
    return await shelve(tmp_path, [*FILLER, LEAVE, HOLIDAY, SALARY, LIST], [RAG])


@pytest.mark.parametrize(
    ("question", "expected"),
    [("How many working days?", "leave.md"), ("Сколько дней отпуска?", "отпуск.md"), ("fjord", "filler/2.md")],
)
async def test_the_document_that_says_it_comes_first(search: HybridSearch, question: str, expected: str) -> None:
    """A question is answered by the passage with its words and its meaning."""
    assert expected == (await found(search, question))[0].source.doc_id


async def test_a_fact_is_the_documents_own_text_at_its_place(search: HybridSearch) -> None:
    """Span, parts, heading and terms are those of the document."""
    fact = (await found(search, "Сколько дней отпуска?"))[0]

    assert "Каждому положено 28 дней отпуска." == fact.text == fact.span.within(HOLIDAY.text)
    assert ("Дни",) == fact.place.headings
    assert [fact.text] == [fact.words(part.span) for part in fact.parts]
    assert {*terms("Отпуск Дни")} <= fact.around
    assert {*terms("28 дней отпуска")} <= fact.parts[0].terms


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("# Trips\n\n## Meals\n\nLunch is paid.\n\nDinner is not paid.", "Dinner is not paid."),
        ("# Поездки\n\n## Еда\n\nОбед оплачивается.\n\nУжин не оплачивается.", "Ужин не оплачивается."),
    ],
)
async def test_what_stands_on_the_next_page_is_cited_from_there(tmp_path: Path, text: str, quote: str) -> None:
    """A section that goes on over the page is one fact; each quote of it has the number of its own page."""
    known = page("trips.pdf", text)
    *before, last = known.blocks
    printed = replace(known, blocks=(*(replace(one, page=3) for one in before), replace(last, page=4)))
    fact = (await found(await shelve(tmp_path, [*FILLER, printed]), quote))[0]
    context = build_context(quote, quote, FactsPayload((fact,)), default_plan(quote))
    answer = verify(Draft((DraftClaim(quote, (Pointer(1, quote),)),)), context)

    assert 3 == fact.place.page
    assert [replace(fact.place, page=4)] == [one.place for claim in answer.claims for one in claim.citations]


async def test_a_near_passage_is_known_by_its_similarity(search: HybridSearch) -> None:
    """The passage that is the question is as similar as can be."""
    fact = (await found(search, "Everyone gets 27 working days."))[0]

    assert 1.0 == pytest.approx(fact.parts[0].similarity, abs=1e-5)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("请使用VPN连接公司网络。", "VPN"),
        ("회사에서는 VPN을 씁니다.", "VPN은?"),
        ("每个员工都要缴纳税金。", "税"),
        ("हिन्दी में लिखना", "हिन्दी"),
        ("เอกสารภาษีเงินได้", "ภาษี"),
        ("كِتَابٌ جَدِيد", "كتاب"),
    ],
    ids=ascii,
)
async def test_words_of_any_script_are_found(tmp_path: Path, text: str, question: str) -> None:
    """By the word itself, and not by similarity alone: its terms are those of the page that says it."""
    search = await shelve(tmp_path, [*FILLER, page("any.md", f"# Any\n\n{text}", "Any")])
    fact = (await found(search, question))[0]

    assert "any.md" == fact.source.doc_id
    assert {*terms(question)} <= fact.parts[0].terms


async def test_how_rare_each_word_is(search: HybridSearch) -> None:
    """Each term of the question is weighed once, a name as one term, stop words not at all."""
    weights = (await search.find(SearchQuery("What is the RAG and РАГ zebra zebras?"), EVERYBODY)).weights

    assert {"§rag", "zebra"} == weights.keys()


@pytest.mark.parametrize(
    "question", ["salary secrets", "Everyone gets 27 working days of salary secrets.", "секреты salary"]
)
@pytest.mark.parametrize("hierarchical", [False, True])
async def test_nobody_finds_what_they_may_not_read(search: HybridSearch, question: str, *, hierarchical: bool) -> None:
    """A restricted document is found by neither engine, alone or with its section, whoever else asks."""
    for groups in ((), ("sales",), ("HR",), ("hr' OR '1'='1",), ("'); --",)):
        facts = await found(search, question, *groups, limit=20, hierarchical=hierarchical)
        assert "salary.md" not in {fact.source.doc_id for fact in facts}


async def test_readers_are_given_it(search: HybridSearch) -> None:
    """A group that may read a document finds it."""
    assert "salary.md" == (await found(search, "salary secrets", "hr"))[0].source.doc_id


async def test_kinds_and_documents_narrow_the_search(search: HybridSearch) -> None:
    """Only the kinds and the documents asked for are searched, by both engines."""
    kinds = await found(search, "Сколько дней отпуска?", doc_types=("policy",), limit=20)
    documents = await found(search, "working days", doc_ids=("отпуск.md",), limit=20)

    assert ({"leave.md"}, {"отпуск.md"}) == (
        {fact.source.doc_id for fact in kinds},
        {fact.source.doc_id for fact in documents},
    )


async def test_a_long_list_comes_whole_and_in_order(search: HybridSearch) -> None:
    """The chunk in the middle of a list brings all of the list, in reading order, none of it worth less."""
    facts = [
        fact for fact in await found(search, "sort 60: aaaaaaaaaaaaaaa", limit=1) if fact.source.doc_id == "stock.md"
    ]

    items = [str(fact.words(part.span)) for fact in facts for part in fact.parts if part.kind == "item"]
    assert LIST.text.splitlines()[1:] == items
    assert len(facts) > 1
    assert 1 == len({fact.score for fact in facts})


async def test_a_long_list_stays_whole_in_the_context(search: HybridSearch) -> None:
    """No piece of the best list is taken for noise."""
    question = "sort 60: aaaaaaaaaaaaaaa"
    facts = await found(search, question)

    context = build_context(question, question, FactsPayload(tuple(facts)), default_plan(question))

    kept = [part for fact in context.facts for part in fact.parts if part.kind == "item"]
    assert 120 == len(kept)


async def test_a_passage_can_bring_its_section(tmp_path: Path) -> None:
    """In hierarchical mode the whole section comes, in reading order; other sections stay away.

    Else they come along, and count for less than what was found.
    """
    long = "\n\n".join(f"Шаг {n}. " + "Подробное описание этого шага. " * 12 for n in range(6))
    guide = page("guide.md", f"Вступление.\n\n## Шаги\n\n{long}\n\n## Other\n\nQuartz zebra.", "Guide")
    search = await shelve(tmp_path, [*FILLER, guide])

    whole = await found(search, "Шаг 3 описание", limit=1, hierarchical=True)
    alone = await found(search, "Шаг 3 описание", limit=1)

    assert {("Шаги",)} == {fact.place.headings for fact in whole}
    assert [f"Шаг {n}." for n in range(6)] == [
        line[:6] for fact in whole for line in fact.text.splitlines() if line.startswith("Шаг")
    ]
    assert {(), ("Шаги",), ("Other",)} == {fact.place.headings for fact in alone}
    assert all(fact.score < alone[0].score for fact in alone[1:])


async def test_a_replaced_page_says_so(tmp_path: Path) -> None:
    """A superseded page is found, and marked, for the context to leave it behind."""
    old = page("leave-2023.md", "# Leave\n\nEveryone gets 25 working days.", "Leave 2023", superseded=True)
    question = "How many working days?"

    facts = await found(await shelve(tmp_path, [*FILLER, LEAVE, old]), question)

    context = build_context(question, question, FactsPayload(tuple(facts)), default_plan(question))
    assert {"leave-2023.md"} == {fact.source.doc_id for fact in facts if fact.source.superseded}
    assert "leave-2023.md" not in {fact.source.doc_id for fact in context.facts}


async def test_one_document_can_be_searched(tmp_path: Path) -> None:
    """An index of a single passage finds it by meaning, though no word of it is rare."""
    facts = await found(await shelve(tmp_path, [page("a.md", "Да, RAG.")]), "Где RAG?")

    assert ["Да, RAG."] == [fact.text for fact in facts]


@pytest.mark.parametrize("question", ["?", "", "the", "🙂", "'; DROP", "\x00", "слово " * 2_000])
async def test_anything_can_be_searched_for(search: HybridSearch, question: str) -> None:
    """No question is too strange; at most as many chunks as asked for, and what continues them."""
    assert len([fact for fact in await found(search, question, limit=3) if fact.source.doc_id != "stock.md"]) <= 3


async def test_it_can_be_loaded_before_it_is_needed(search: HybridSearch) -> None:
    """Loading early changes nothing that is found."""
    await search.warm()

    assert "filler/2.md" == (await found(search, "fjord"))[0].source.doc_id


async def test_without_an_index_the_error_says_what_to_do(tmp_path: Path) -> None:
    """Searching a generation that is not there is a SearchError."""
    built = await shelve(tmp_path, FILLER)
    absent = HybridSearch(built.index, Tables(7), {}, built.registry, built.embedder)

    with pytest.raises(SearchError, match="footnote index"):
        await absent.find(SearchQuery("fjord"), EVERYBODY)


@pytest.mark.parametrize(
    ("question", "doc", "beside"),
    [("How many working days?", "leave.md", "Until March."), ("Сколько дней отпуска?", "отпуск.md", "До марта.")],
)
async def test_the_rest_of_the_best_page_comes_along(
    search: HybridSearch, question: str, doc: str, beside: str
) -> None:
    """What a page says of the matter may stand under another heading; a long page brings a few places more."""
    facts = await found(search, question, limit=1)

    assert {doc} == {fact.source.doc_id for fact in facts}
    assert facts[0].score > facts[-1].score > 0
    assert beside in [fact.text for fact in facts]


def test_a_part_keeps_all_but_its_nearness() -> None:
    """What the question changes of a part is how near it is; every other field stays, also one that is new."""
    part = Part(Span(1, 9), "row", 3, 2, (Untrusted("Price"),), 0.2, frozenset({"price"}), 7)

    assert {one.name for one in fields(Part) if getattr(part, one.name) == one.default} == set()
    assert replace(part, similarity=0.7) == _as_near(part, 0.7)
    assert part is _as_near(part, 0.2)


@pytest.mark.parametrize("question", ["How many working days?", "Сколько дней отпуска?", "everyone gets days", "sort"])
async def test_what_is_closed_moves_nothing_that_others_are_shown(tmp_path: Path, question: str) -> None:
    """The same facts with the same scores, and words that are as rare, as if the closed pages were not there."""
    pages = [*FILLER, LEAVE, HOLIDAY, LIST]
    closed = [
        page(
            f"closed/{n}.md", "Everyone gets working days, дней отпуска.\n\nEvery sort.", "", readers=frozenset({"hr"})
        )
        for n in range(30)
    ]
    alone = await shelve(tmp_path / "alone", pages)
    mixed = await shelve(tmp_path / "mixed", [*closed, *pages])
    before, after = [await one.find(SearchQuery(question), EVERYBODY) for one in (alone, mixed)]

    assert [(one.chunk_id, one.score) for one in before.facts] == [(one.chunk_id, one.score) for one in after.facts]
    assert before.weights == after.weights
    assert (await mixed.find(SearchQuery(question), Audience("acme", frozenset({"hr"})))).weights != after.weights
