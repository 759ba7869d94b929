"""Days of a question that named no year: they are those of the year of which the documents speak.

“On 14 May” asked in November may be this May or that of the minutes on file. The year of the calendar is taken first;
where no page speaks of it, the latest one of which a page does.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime

from core.plan import Period
from core.when import days_stated, meet, period_in

# A relative word, as “this month” or “last year”, is another time on these two days; a date without a year is not.
_TWO_DAYS = ((8, 15), (12, 31))


def other_years(question: str, period: Period, stated: Iterable[Period]) -> Iterable[Period]:
    """Yield the same days in each year of which something is stated that meets them, the latest first.

    Nothing for days whose year was said, or that are counted from the day of asking.
    """
    if not _is_yearless(question):
        return
    told = list(stated)
    years = {day.year for one in told for day in (one.since, one.until) if day}
    for year in sorted(years, reverse=True):
        moved = _in_year(period, year)
        if moved and any(meet(one, moved) for one in told):
            yield moved


def _is_yearless(question: str) -> bool:
    if days_stated(question) is not None:
        return False
    found = [period_in(question, datetime(2024, month, day, tzinfo=UTC)) for month, day in _TWO_DAYS]
    days = {_days(one) for one in found}
    return len(days) == 1 and days.isdisjoint({(None, None), ((1, 1), (12, 31))})


def _days(period: Period | None) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    since, until = (period.since, period.until) if period else (None, None)
    return (since.month, since.day) if since else None, (until.month, until.day) if until else None


def _in_year(period: Period, year: int) -> Period | None:
    """Return the period with its last day in the year; none where that day is not in its calendar."""
    if not (period.since and period.until):
        return None
    try:
        until = period.until.replace(year=year)
        return Period(
            since=date(year - period.until.year + period.since.year, period.since.month, period.since.day), until=until
        )
    except ValueError:
        return None
