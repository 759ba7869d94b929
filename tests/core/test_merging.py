"""Facts that say the same are one with several sources; of two versions of a page the newer one speaks."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answer import Pointer
from core.context import AnswerContext, build_context
from core.facts import Fact, FactsPayload, Part, Source, Span
from core.merging import joined, says_the_same
from core.phrases import phrase
from core.plan import default_plan
from core.quoting import draft_quotes, items_of
from core.render import render, text_of
from core.verify import verify, with_older
from tests.core.corpus import fact
from tests.core.scenes import NEARBY

SAME = [
    ("You get 27 working days of vacation.", "you get 27 working days of vacation"),
    ("A full-time employee gets 27 working days.", "Full-time employees get 27 working days"),
    ("Сотрудник получает 28 дней отпуска в год.", "Сотрудники получают 28 дней отпуска в год"),
    ("«Лоцман» — ассистент по базе знаний", "Лоцман - ассистент по базе знаний;"),
]
OTHER = [
    ("You get 20 days of leave.", "You get 25 days of leave."),
    ("Отпуск 20 дней.", "Отпуск 25 дней."),
    ("Notice is given at least 5 days ahead.", "Notice is given at most 5 days ahead."),
    ("Staff of Leiden may work from home on Mondays.", "Staff of Leiden may not work from home on Mondays."),
    ("Удалённая работа разрешена всем.", "Удалённая работа не разрешена всем."),
    ("Nuno manages Ines.", "Ines manages Nuno."),
    ("Анна руководит Борисом.", "Борис руководит Анной."),
    ("Claims are sent before the trip.", "Claims are sent after the trip."),
    ("Заявку подают до поездки.", "Заявку подают после поездки."),
    ("The fee is €40.", "The fee is $40."),
    ("It closes in March.", "It closes in May."),
    ("Everyone in Porto gets a card.", "Everyone in Leeds gets a card."),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_in_other_letters_is_the_same(one: str, other: str) -> None:
    """Case, punctuation, quotation marks and endings of words make no second fact."""
    assert says_the_same(one, other)
    assert says_the_same(other, one)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_differs_in_a_number_a_name_or_a_denial_is_not_the_same(one: str, other: str) -> None:
    """However alike the words are, another number, date, bound, name, order or a denial makes another fact."""
    assert not says_the_same(one, other)
    assert not says_the_same(other, one)


@given(st.lists(st.sampled_from([text for pair in SAME + OTHER for text in pair]), max_size=12))
def test_joining_loses_nothing(texts: list[str]) -> None:
    """Every text is in exactly one cluster, and those of a cluster say the same as its first."""
    clusters = joined(texts, str, lambda _: 0, lambda _: None)

    assert sorted(texts) == sorted(text for cluster in clusters for text in cluster)
    assert all(says_the_same(cluster[0], text) for cluster in clusters for text in cluster)


@given(st.lists(st.sampled_from([text for pair in SAME for text in pair]), max_size=8))
def test_no_two_clusters_say_the_same(texts: list[str]) -> None:
    """What an index of rare words finds is what comparing each with each would find."""
    firsts = [cluster[0] for cluster in joined(texts, str, lambda _: 0, lambda _: None)]

    assert not any(says_the_same(a, b) for place, a in enumerate(firsts) for b in firsts[place + 1 :])


def told(text: str, doc: str, *, structural: bool = True, score: float = 1.0, **source: str | int) -> Fact:
    """Return a fact of one sentence, by itself on a page."""
    part = Part(Span(0, len(text)), "paragraph", similarity=NEARBY)
    made = fact(text, doc=doc, parts=(part,), structural=structural, score=score)
    known = Source(doc, str(source.pop("title", doc)), **source)  # type: ignore[arg-type]
    return Fact(made.text, known, made.span, made.chunk_id, parts=made.parts, score=score, structural=structural)


def context(*facts: Fact, asked: str = "How many days?") -> AnswerContext:
    """Return the context of these facts."""
    return build_context(asked, asked, FactsPayload(facts), default_plan(asked))


def test_a_claim_cites_every_page_that_says_it() -> None:
    """Two pages that say the same are one bullet with two footnotes."""
    known = context(told("You get 27 days off.", "a.md"), told("you get 27 days off", "b.md"))
    [claim] = verify(draft_quotes(known), known).claims

    assert ["a.md", "b.md"] == sorted(citation.source.doc_id for citation in claim.citations)


def test_two_numbers_are_two_bullets() -> None:
    """Nothing is joined that differs in its number."""
    known = context(told("Отпуск 20 дней.", "a.md"), told("Отпуск 25 дней.", "b.md"), asked="Сколько дней?")

    assert ["Отпуск 20 дней.", "Отпуск 25 дней."] == [item.units[0].words for item in items_of(known)]


OLD = "A full-time employee receives 24 working days of vacation per calendar year."
NEW = "A full-time employee gets 27 working days of vacation per calendar year."


def test_the_newer_version_speaks_and_the_older_one_is_named() -> None:
    """Of two pages of one title the later one answers; what the earlier one says otherwise stands in a quiet line."""
    old = told(OLD, "old.md", title="Leave", updated="2023-01-01")
    new = told(NEW, "new.md", title="Leave", updated="2025-01-01")
    known = context(old, new)
    answer = with_older(verify(draft_quotes(known), known), known)

    assert [NEW] == [claim.text for claim in answer.claims]
    assert [(Pointer(1, NEW), Pointer(2, OLD))] == [(one.newer, one.older) for one in known.conflicts]
    assert phrase("older_says", "en", quote=OLD) in text_of(render(answer, known.style))
    assert ["new.md", "old.md"] == [source.title.replace("Leave", doc) for source, doc in _cited(answer)]


AUTHORITIES = [
    (OLD, NEW, 2, 0, "lesser_says", "en"),
    (OLD, NEW, 0, -1, "draft_says", "en"),
    ("Отпуск длится 24 рабочих дня в году.", "Отпуск длится 27 рабочих дней в году.", 2, 0, "lesser_says", "ru"),
]


@pytest.mark.parametrize(("right", "wrong", "more", "less", "sentence", "language"), AUTHORITIES)
def test_more_authority_speaks_though_it_is_older(
    right: str, wrong: str, more: int, less: int, sentence: str, language: Any
) -> None:
    """Who writes a page of the same title today does not stand above the one in force; what it says is named."""
    law = told(right, "law.md", title="Leave", updated="2023-01-01", authority=more)
    other = told(wrong, "other.md", title="Leave", updated="2025-01-01", authority=less)
    known = context(other, law, asked="Сколько дней длится отпуск?" if language == "ru" else "How many days?")
    answer = with_older(verify(draft_quotes(known), known), known)

    assert [right] == [claim.text for claim in answer.claims]
    assert phrase(sentence, language, quote=wrong) in text_of(render(answer, known.style))


def _cited(answer: object) -> list[tuple[Source, str]]:
    claims, older = answer.claims, answer.older  # type: ignore[attr-defined]
    return [(one.source, one.source.doc_id) for claim in claims for one in claim.citations] + [
        (one.source, one.source.doc_id) for one in older
    ]


def test_a_page_that_is_marked_as_replaced_is_not_even_mentioned() -> None:
    """Whoever marked it has settled which of the two holds."""
    known = context(told(OLD, "old.md", title="Leave (2023)", superseded=True), told(NEW, "new.md", title="Leave"))
    answer = with_older(verify(draft_quotes(known), known), known)

    assert ([NEW], ()) == ([claim.text for claim in answer.claims], answer.older)
    assert 1 == len(known.conflicts)


def test_reports_of_several_years_are_no_versions() -> None:
    """Pages whose titles differ in the year stand beside each other, unless one is marked as replaced."""
    known = context(
        told(OLD, "a.md", title="Report 2023", updated="2023-01-01"),
        told(NEW, "b.md", title="Report 2025", updated="2025-01-01"),
    )

    assert (2, ()) == (len(items_of(known)), known.conflicts)


def test_two_thousand_alike_are_joined_in_bounded_time() -> None:
    """A corpus that repeats itself with small differences takes no time that grows with its square."""
    texts = [f"The depot number {n} closes at {n} o'clock on the evening before a holiday" for n in range(2_000)]
    start = time.process_time()
    clusters = joined(texts, str, lambda _: 0, lambda _: None)

    assert 2_000 == len(clusters)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("title", "later", "old", "new", "asked"),
    [
        (
            "Парковка",
            "Парковка новая",
            "Парковка стоит 500 рублей в месяц.",
            "Парковка стоит 900 рублей в месяц.",
            "ru",
        ),
        ("Отпуск", "Отпуск", "Отпуск составляет 28 дней.", "Отпуск составляет 44 дня.", "ru"),
        ("Отпуск (архив)", "Отпуск", "Отпуск длится 28 дней в году.", "Отпуск длится 31 день в году.", "ru"),
        ("Travel", "New travel", "The travel allowance is 50 euros.", "The travel allowance is 70 euros.", "en"),
        ("Parking: old version", "Parking", "Parking costs 50 euros a month.", "Parking costs 1 euro a month.", "en"),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_versions_go_by_their_titles_but_for_new_and_old(
    title: str, later: str, old: str, new: str, asked: str, *, turned: bool
) -> None:
    """The later one speaks first whatever order they are found in, and in whatever form the unit stands."""
    pages = (
        told(old, "a.md", title=title, updated="2024-01-01"),
        told(new, "b.md", title=later, updated="2026-01-01"),
    )
    question = "Сколько это стоит или длится, сколько дней?" if asked == "ru" else "How much is it?"
    known = context(*(reversed(pages) if turned else pages), asked=question)

    assert [new] == [item.units[0].words for item in items_of(known)]
    assert [(new, old)] == [(one.newer.quote, one.older.quote) for one in known.conflicts]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Leave", "Sick leave"),
        ("Парковка", "Парковка у дома"),
        ("Spain", "Norway"),
        ("", "New"),
    ],
)
def test_other_titles_are_no_versions(one: str, other: str) -> None:
    """What they say stands side by side, as of two things."""
    known = context(
        told("The notice period is 14 days.", "a.md", title=one, updated="2024-01-01"),
        told("The notice period is 30 days.", "b.md", title=other, updated="2026-01-01"),
    )

    assert (2, ()) == (len(items_of(known)), known.conflicts)
