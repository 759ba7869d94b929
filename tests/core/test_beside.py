"""What is said of the thing beside the one that is asked about is no answer, and what is said of it still is."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from core.asking import asking_terms
from core.facts import Fact, Part
from core.ingest.statements import Naming, namings_of, statements_of
from core.plan import Period
from core.quoting import draft_quotes
from core.text import terms
from core.when import period_in
from core.yearless import other_years
from tests.core.corpus import page
from tests.core.scenes import context, facts_of
from tests.core.test_headed import told, weighed

DEPOT = """# Depot

## Signals

Signal code 12 stands for a blocked track, 47 for a lost train. In thick fog Class B gives 20 seconds.

## Grades

From grade 4 up the night allowance is paid. Bay 2 holds six trams. Bay 5 holds nine trams.

## Prices

A driver seat cushion costs £80. A roof lamp costs £35.

## Leave

Conductors get 12 days of extra leave. Conductors renew their licence every two years.

## Steps

1. Stop the spare pump.
2. Call the foreman about the pump.

## Water

The spare pump stands in the cellar of shed 3.
"""
DEPO = """# Депо

## Сигналы

Код 12 означает занятый путь, 47 — потерянный поезд. В тумане класс Б даёт 20 секунд.

## Цены

Подушка сиденья стоит 900 рублей. Фонарь крыши стоит 350 рублей.

## Отпуск

Кондукторам дают 12 дней отпуска. Кондукторы продлевают допуск раз в два года.

## Порядок

1. Остановить запасной насос.
2. Позвать мастера к насосу.

## Вода

Запасной насос стоит в подвале цеха 3.
"""
TASKS = """# Minutes of 3 March

## Actions

| {who} | {what} |
|---|---|
| Tilda Marsh | {first} |
| Olaf Brandt | {second} |
"""


@pytest.mark.parametrize(
    "question",
    [
        "What does signal code 33 mean?",
        "How long does Class C give in thick fog?",
        "How many trams does bay 7 hold?",
        "How much does a driver seat belt cost?",
        "What is the price of a driver seat belt?",
        "How many days of extra leave do mechanics get?",
        "How often do mechanics renew their licence?",
        "Что означает код 33?",
        "Сколько секунд даёт класс Д в тумане?",
        "Сколько стоит обивка сиденья?",
        "Сколько дней отпуска дают механикам?",
        "Как часто механики продлевают допуск?",
    ],
)
def test_another_number_thing_or_person_tells_nothing(question: str) -> None:
    """Of code 33, bay 7, a seat belt and mechanics nothing stands there, though all other words do."""
    assert not _told(question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What does signal code 47 mean?", "lost train"),
        ("How long does Class B give in thick fog?", "20 seconds"),
        ("How many trams does bay 5 hold?", "nine trams"),
        ("Is the night allowance paid in grade 6?", "From grade 4 up"),
        ("How much does a driver seat cushion cost?", "£80"),
        ("How many days of extra leave do conductors get?", "12 days"),
        ("How many days of extra leave do employees get?", "12 days"),
        ("How often do conductors renew their licence?", "every two years"),
        ("Что означает код 47?", "потерянный поезд"),
        ("Сколько секунд даёт класс Б в тумане?", "20 секунд"),
        ("Сколько стоит подушка сиденья?", "900 рублей"),
        ("Сколько дней отпуска дают кондукторам?", "12 дней"),
        ("Сколько дней отпуска дают сотрудникам?", "12 дней"),
        ("Как часто кондукторы продлевают допуск?", "раз в два года"),
    ],
)
def test_the_very_one_still_answers(question: str, expected: str) -> None:
    """A bound such as “from grade 4 up” is for grade 6 as well, and whoever asks for all may be told of some."""
    assert expected in _told(question)


@pytest.mark.parametrize(
    ("question", "expected", "hidden"),
    [
        ("Where is the spare pump?", "cellar", "foreman"),
        ("Где запасной насос?", "в подвале", "мастера"),
    ],
)
def test_where_is_answered_by_a_place_and_not_by_steps(question: str, expected: str, hidden: str) -> None:
    """Steps that name a thing as often do not say where it is."""
    near = "Stop the spare" if _is_english(question) else "Остановить запасной"
    said = "\n".join(told(question, *_facts(question), near=near, lists=False))

    assert expected in said
    assert hidden not in said


@pytest.mark.parametrize(
    ("page_", "question"),
    [
        (
            TASKS.format(who="Who", what="What", first="fire drill", second="new tyres"),
            "Who is assigned the fire drill?",
        ),
        (
            TASKS.format(who="Кто", what="Что", first="учебная тревога", second="шины"),
            "Кто отвечает за учебную тревогу?",
        ),
    ],
)
def test_a_column_of_who_tells_who_is_in_charge(page_: str, question: str) -> None:
    """The row says no “responsible”: its column does."""
    assert [
        "Tilda Marsh" in one for one in told(question, *facts_of("minutes.md", page_), near="Tilda", lists=False)
    ] == [True]


@pytest.mark.parametrize("term", ["AOG (Aircraft on Ground)", "Aircraft on Ground (AOG)"])
def test_a_term_with_its_short_form_is_known_by_both_and_not_by_their_sum(term: str) -> None:
    """Else the sum of both would be found in the glossary, and neither of them."""
    glossary = page("glossary.md", f"# Glossary\n\n- **{term}**: an aircraft with a defect.\n")

    assert (Naming("Aircraft on Ground", "AOG"),) == namings_of(glossary, statements_of(glossary))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What was decided on 14 May?", [date(2025, 5, 14), date(2023, 5, 14)]),
        ("Что решили 14 мая?", [date(2025, 5, 14), date(2023, 5, 14)]),
        ("What was decided on 14 May 2026?", []),
        ("What was decided this month?", []),
        ("Что решили в прошлом году?", []),
    ],
)
def test_a_day_without_a_year_may_be_of_another_year(question: str, expected: list[date]) -> None:
    """The latest year of which the documents speak comes first; a year that was said is meant."""
    asked = period_in(question, datetime(2026, 11, 23, tzinfo=UTC))
    stated = [Period(since=date(year, 5, 14), until=date(year, 5, 14)) for year in (2023, 2025)]
    stated.append(Period(since=date(2024, 6, 1), until=date(2024, 6, 1)))
    assert asked is not None

    assert expected == [one.since for one in other_years(question, asked, stated)]


@pytest.mark.parametrize(
    ("title", "present", "question"),
    [
        ("Meeting of 14 May 2025", "Present: Tilda Marsh.", "Who was present on 14 May?"),
        ("Встреча 14 мая 2025 года", "Присутствовал: Олег Ним.", "Кто присутствовал 14 мая?"),
    ],
)
def test_minutes_of_last_year_answer_for_a_day_without_a_year(title: str, present: str, question: str) -> None:
    """Asked in November 2026, “14 May” finds the minutes of 14 May 2025 where there are none of 2026."""
    facts = facts_of("minutes.md", f"# {title}\n\n{present}\n")
    asked = weighed(question, *facts, near=present)
    given = context(
        *asked.facts,
        question=question,
        weights=asked.weights,
        period=period_in(question, datetime(2026, 11, 23, tzinfo=UTC)),
        asked_on=date(2026, 11, 23),
    )

    assert [present] == [claim.text for claim in draft_quotes(given).claims]


@pytest.mark.parametrize(
    ("question", "only_asks"),
    [
        ("What does PNR stand for?", "stand"),
        ("What does PNR mean?", "mean"),
        ("Что означает ПДО?", "означает"),
        ("Как расшифровывается ПДО?", "расшифровывается"),
    ],
)
def test_the_word_that_asks_for_a_meaning_weighs_nothing(question: str, only_asks: str) -> None:
    """A glossary says what a name stands for without it."""
    assert frozenset(terms(only_asks)) <= asking_terms(question)


def test_the_next_line_of_a_glossary_is_not_told_with_the_one_asked_for() -> None:
    """Where a term alone is asked for, what is of another one says nothing of it."""
    facts = facts_of("terms.md", "# Terms\n\nPNR: passenger name record.\n\nULD: unit load device.\n")
    found = weighed("What is PNR?", *facts, near="P")
    parts = [
        replace(fact, parts=tuple(replace(one, terms=one.terms | _term_of(fact, one)) for one in fact.parts))
        for fact in found.facts
    ]
    given = context(*parts, question="What is PNR?", weights=(("§term:pnr", 1.0),))

    assert ["PNR: passenger name record."] == [claim.text for claim in draft_quotes(given).claims]


def _term_of(fact: Fact, part: Part) -> frozenset[str]:
    return frozenset({"§term:pnr"} if "PNR" in fact.words(part.span) else ())


def _facts(question: str) -> tuple[Fact, ...]:
    return facts_of("depot.md", DEPOT) if _is_english(question) else facts_of("depo.md", DEPO)


def _told(question: str) -> str:
    return "\n".join(told(question, *_facts(question), lists=False))


def _is_english(question: str) -> bool:
    return question[0].isascii()
