"""Time words as days: units and their edges, ranges and open ends, the asker's own day, and what is no date."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.plan import Period
from core.when import period_in

NOON = datetime(2025, 11, 19, 12, 0, tzinfo=UTC)  # a Wednesday


def days(text: str, asked_at: datetime = NOON) -> tuple[str | None, str | None] | None:
    """Return the period of a question as two dates in ISO's form."""
    found = period_in(text, asked_at)
    return found and (found.since and found.since.isoformat(), found.until and found.until.isoformat())


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("What was done in 2023?", "2023-01-01", "2023-12-31"),
        ("Что сделано в 2023 году?", "2023-01-01", "2023-12-31"),
        ("Отчёт за 2024-2025 гг.", "2024-01-01", "2025-12-31"),
        ("What happened in March?", "2025-03-01", "2025-03-31"),
        ("What happened in December?", "2024-12-01", "2024-12-31"),
        ("Что было в ноябре?", "2025-11-01", "2025-11-30"),
        ("Что было в мае 2024?", "2024-05-01", "2024-05-31"),
        ("in February 2024", "2024-02-01", "2024-02-29"),
        ("в феврале 2025 года", "2025-02-01", "2025-02-28"),
        ("Q4 2024", "2024-10-01", "2024-12-31"),
        ("in the third quarter of 2025", "2025-07-01", "2025-09-30"),
        ("в первом квартале 2025 года", "2025-01-01", "2025-03-31"),
        ("во II квартале 2025", "2025-04-01", "2025-06-30"),
        ("in H1 2025", "2025-01-01", "2025-06-30"),
        ("во втором полугодии 2024 года", "2024-07-01", "2024-12-31"),
        ("on 11 November 2025", "2025-11-11", "2025-11-11"),
        ("November 11, 2025", "2025-11-11", "2025-11-11"),
        ("11 ноября 2025 года", "2025-11-11", "2025-11-11"),
        ("on December 31", "2024-12-31", "2024-12-31"),
        ("2025-11-11", "2025-11-11", "2025-11-11"),
        ("11.11.2025", "2025-11-11", "2025-11-11"),
        ("in the week of 11 November 2025", "2025-11-10", "2025-11-16"),
        ("на неделе с 11 ноября 2025", "2025-11-10", "2025-11-16"),
        ("today", "2025-11-19", "2025-11-19"),
        ("позавчера", "2025-11-17", "2025-11-17"),
        ("this week", "2025-11-17", "2025-11-23"),
        ("на прошлой неделе", "2025-11-10", "2025-11-16"),
        ("last month", "2025-10-01", "2025-10-31"),
        ("в прошлом квартале", "2025-07-01", "2025-09-30"),
        ("next quarter", "2026-01-01", "2026-03-31"),
        ("в этом году", "2025-01-01", "2025-12-31"),
        ("in the last 3 months", "2025-08-19", "2025-11-19"),
        ("за последние две недели", "2025-11-05", "2025-11-19"),
        ("за последний год", "2024-11-19", "2025-11-19"),
        ("two weeks ago", "2025-11-03", "2025-11-09"),
        ("3 месяца назад", "2025-08-01", "2025-08-31"),
        ("год назад", "2024-01-01", "2024-12-31"),
    ],
)
def test_a_time_word_is_the_whole_of_what_it_names(text: str, since: str, until: str) -> None:
    """A year, quarter, month, week or day is said by its first and last day; without a year it is the latest begun."""
    assert (since, until) == days(text)


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("since March", "2025-03-01", None),
        ("с марта", "2025-03-01", None),
        ("начиная с 2024 года", "2024-01-01", None),
        ("since yesterday", "2025-11-18", None),
        ("after 2023", "2024-01-01", None),
        ("после 5 марта", "2025-03-06", None),
        ("before 2023", None, "2022-12-31"),
        ("до июня 2025", None, "2025-05-31"),
        ("until March 2025", None, "2025-03-31"),
        ("by March", None, "2026-03-31"),
        ("from 2021 to 2023", "2021-01-01", "2023-12-31"),
        ("с 2021 по 2023 год", "2021-01-01", "2023-12-31"),
        ("2021–2023", "2021-01-01", "2023-12-31"),
        ("between March and May 2024", "2024-03-01", "2024-05-31"),
        ("между мартом и июнем", "2025-03-01", "2025-06-30"),
        ("from November to February", "2024-11-01", "2025-02-28"),
        ("с 3 по 10 марта", "2025-03-03", "2025-03-10"),
        ("3–10 March 2025", "2025-03-03", "2025-03-10"),
        ("с 1 сентября по 15 октября", "2025-09-01", "2025-10-15"),
        ("in 2023 and 2024", "2023-01-01", "2024-12-31"),
        ("since November 2024, until March 2025", "2024-11-01", "2025-03-31"),
    ],
)
def test_ranges_and_open_ends(text: str, since: str | None, until: str | None) -> None:
    """Since and until include what they name, after and before do not; the end of a range says what its start lacks."""
    assert (since, until) == days(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "?", "When may I fly premium economy?", "How many days a week may I work from home?", "on which day?",
        "Do I get more leave after five years with the company?", "Сколько дней отпуска?", "Как быстро отвечают?",
        "in 2000 rows", "for 2000 euros", "на 2000 рублей", "from 2000 to 18000 messages", "с 3 000 до 18 000 строк",
        "What was the root cause of INC-2041?", "Canopy 5.2", "v2.3.1", "on 2025-02-30", "31 February 2025", "в Q5",
        "32 марта", "the March outage", "before 09:30", "room 2024b", "the last 3 items", "last 0 days",
        "next day delivery", "my last day", "на следующий день",
        "last 9999 years", "3000 years ago", "Мартини", "мая", "second opinion", "2041",
    ],
)  # fmt: skip
def test_what_is_no_date_is_none(text: str) -> None:
    """Amounts, versions, codes, names and days that no calendar has are passed over."""
    assert days(text) is None


@pytest.mark.parametrize(
    ("text", "asked_at", "since", "until"),
    [
        ("last week", datetime(2026, 1, 3, tzinfo=UTC), "2025-12-22", "2025-12-28"),
        ("this week", datetime(2026, 1, 3, tzinfo=UTC), "2025-12-29", "2026-01-04"),
        ("в прошлом квартале", datetime(2026, 1, 1, tzinfo=UTC), "2025-10-01", "2025-12-31"),
        ("last month", datetime(2026, 1, 31, tzinfo=UTC), "2025-12-01", "2025-12-31"),
        ("в прошлом месяце", datetime(2024, 3, 31, tzinfo=UTC), "2024-02-01", "2024-02-29"),
        ("in the last 1 month", datetime(2025, 3, 31, tzinfo=UTC), "2025-02-28", "2025-03-31"),
        ("за последний год", datetime(2024, 2, 29, tzinfo=UTC), "2023-02-28", "2024-02-29"),
        ("next year", datetime(2024, 2, 29, tzinfo=UTC), "2025-01-01", "2025-12-31"),
        ("on 29 February", datetime(2025, 3, 1, tzinfo=UTC), "2024-02-29", "2024-02-29"),
        ("since January", datetime(2026, 1, 1, tzinfo=UTC), "2026-01-01", None),
    ],
)
def test_the_edges_of_years_quarters_and_months(
    text: str, asked_at: datetime, since: str | None, until: str | None
) -> None:
    """Weeks begin on Monday and reach over the new year; a shorter month ends on its own last day."""
    assert ((since, until) if since or until else None) == days(text, asked_at)


@pytest.mark.parametrize(
    ("hours", "today"), [(-8, "2025-12-31"), (0, "2025-12-31"), (3, "2026-01-01"), (14, "2026-01-01")]
)
@pytest.mark.parametrize("text", ["today", "сегодня"])
def test_today_is_where_the_question_was_asked(text: str, hours: int, today: str) -> None:
    """At one moment it is another day, and another year, in another time zone."""
    moment = datetime(2025, 12, 31, 22, 30, tzinfo=UTC).astimezone(timezone(timedelta(hours=hours)))

    assert (today, today) == days(text, moment)
    assert (f"{today[:4]}-01-01", f"{today[:4]}-12-31") == days("this year", moment)


_WORDS = st.sampled_from(
    "in on since from to by before after until between and last past next this the of 3 31 0 2024 1999 99999 may March "
    "Q3 H1 week month quarter year years days ago today с по до после за в во прошлом последние марта мае квартал "
    "недели назад вчера - – . , 29 February 2025-13-40 31.02.2024 третьем".split()
)


@given(st.lists(_WORDS, max_size=12).map(" ".join) | st.text(max_size=60), st.dates(date(1, 1, 1), date(9999, 12, 31)))
@settings(derandomize=True, deadline=None, max_examples=300)
def test_any_text_on_any_day_is_a_period_or_none(text: str, day: date) -> None:
    """Whatever the words and the day, nothing is raised, and a period never ends before it begins."""
    found = period_in(text, datetime(day.year, day.month, day.day, tzinfo=UTC))

    assert found is None or isinstance(found, Period)


@pytest.mark.parametrize("text", ["1" * 4_000, "in " * 1_300, "from 2021 to " * 300, "last 1 " * 570, "с 1 по " * 570])
def test_hostile_text_takes_no_time(text: str) -> None:
    """Nothing in the patterns goes back and forth over a long text."""
    start = datetime.now(UTC)
    period_in(text, NOON)

    assert timedelta(seconds=1) > datetime.now(UTC) - start
