"""Time words of a question as days: dates, weeks, months, quarters, years and ranges, in English and in Russian."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Literal

from core.plan import Period
from core.text import Language, language_of, normalise

_Unit = Literal["day", "week", "month", "quarter", "year"]
_Reader = Callable[[re.Match[str], date], "_Days | None"]

_MONTHS = (
    r"january|jan|январ[ьяею]м?", r"february|feb|феврал[ьяею]м?", r"march|mar|март(?:а|е|у|ом)?",
    r"april|apr|апрел[ьяею]м?", r"may|ма[йяею]|маем", r"june|jun|июн[ьяею]м?", r"july|jul|июл[ьяею]м?",
    r"august|aug|август(?:а|е|у|ом)?", r"september|sept|sep|сентябр[ьяею]м?", r"october|oct|октябр[ьяею]м?",
    r"november|nov|ноябр[ьяею]м?", r"december|dec|декабр[ьяею]м?",
)  # fmt: skip
_UNITS: dict[_Unit, str] = {
    "day": r"days?|дн(?:я|ей|и)|день|сут(?:ки|ок)",
    "week": r"weeks?|недел(?:я|ю|и|е|ь|ей)",
    "month": r"months?|месяц(?:а|е|ев|ы|ем)?",
    "quarter": r"quarters?|квартал(?:а|е|ов|ы|ом)?",
    "year": r"years?|год(?:а|у|ом|ы|ов)?|лет",
}
_FIRST_TO_FOURTH = (
    r"1(?:st|[- ]?(?:й|го|м|ом))?|i|first|перв\w+", r"2(?:nd|[- ]?(?:й|го|м|ом))?|ii|second|втор\w+",
    r"3(?:rd|[- ]?(?:й|го|м|ом|ий))?|iii|third|трет\w+", r"4(?:th|[- ]?(?:й|го|м|ом))?|iv|fourth|четверт\w+",
)  # fmt: skip
_NUMBERS = (
    "one|a|an|один|одну|одна", "two|два|две|двух", "three|три|трех", "four|четыре", "five|пять", "six|шесть",
    "seven|семь", "eight|восемь", "nine|девять", "ten|десять", "eleven|одиннадцать", "twelve|двенадцать",
)  # fmt: skip
_MOST = 1_000  # of any unit: what is further back is no date

_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})\b\.?"
_UNIT = rf"(?P<unit>{'|'.join(_UNITS.values())})\b"
_NUMBER = rf"(?P<number>\d{{1,4}}|{'|'.join(_NUMBERS)})"
_ORDINAL = rf"(?P<ordinal>{'|'.join(_FIRST_TO_FOURTH)})"
# Four digits are a year only where nothing is counted or paid with them.
_YEAR = (
    r"(?P<year>(?:19|20)\d\d)(?:-?(?:й|м|го|е|х))?(?:\s*(?:гг?\b\.?|год(?:а|у|ом|ы|ов|ах)?\b))?(?![\w%€$])(?![.,:/]\d|-\d{1,3}(?!\d))"
    r"(?!\s+(?:to|до|по)\s+(?!(?:19|20)\d\d\b)\d)(?!\s*(?:%|€|\$|£|₽|euros?|eur|usd|dollars?|pounds?|rows?|lines?|items?|people|users?|messages?|documents?|"
    r"евро|руб|доллар|строк|человек|сообщен|документ|штук|пользовател|раз\b))"
)
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th|-?го|-?е|-?е)?"


@dataclass(frozen=True, slots=True)
class _Days:
    """The days of one time word, both included. `yearless`: the year was not said, so that it may be another."""

    first: date
    last: date
    yearless: bool = False


def period_in(text: str, asked_at: datetime) -> Period | None:
    """Return the days that the question speaks of, made absolute by when and where it was asked; None: of none.

    Weeks begin on Monday. A month or a day without a year is the latest that has begun ("in March"), or after "by" and
    "until" the first that has not ended. "The last three months" end today; "last month" is the calendar's. "Since"
    and "until" include what they name, "after" and "before" do not. Several are taken together. What is no date in the
    calendar is passed over.
    """
    folded = " ".join(normalise(text).split())
    today = asked_at.date()
    found = []
    for match in _TIME.finditer(folded):
        with suppress(OverflowError, ValueError):  # before the year 1 or after 9999
            found.append(_period_of(match, today))
    return _together([period for period in found if period])


def _together(found: list[Period]) -> Period | None:
    """Return one period that holds all the closed ones; open ones cut each other off."""
    closed = [one for one in found if one.since and one.until]
    if closed:
        return Period(
            since=min(one.since for one in closed if one.since), until=max(one.until for one in closed if one.until)
        )
    since = max((one.since for one in found if one.since), default=None)
    until = min((one.until for one in found if one.until), default=None)
    return _period(since, until)


def _period(since: date | None, until: date | None) -> Period | None:
    if (since is None and until is None) or (since and until and since > until):
        return None
    return Period(since=since, until=until)


def _period_of(match: re.Match[str], today: date) -> Period | None:
    if match["end"]:
        return _range(match["start"], match["end"], today)
    days, sign = _days_of(match["start"], today), match["sign"] or ""
    return _signed(days, sign, today) if days and (sign or _TELLS_ITSELF.fullmatch(match["start"])) else None


def _signed(days: _Days, sign: str, today: date) -> Period | None:
    """Return the days as the word before them says: since, after, before, until or in them."""
    if _AFTER.fullmatch(sign):
        return _period(_moved(days.last, "day", 1), None)
    if _BEFORE.fullmatch(sign):
        return _period(None, _moved(days.first, "day", -1))
    if _UNTIL.fullmatch(sign):
        return _period(None, _coming(days, today).last)
    return _period(days.first, None if _SINCE.fullmatch(sign) else days.last)


def _range(start: str, end: str, today: date) -> Period | None:
    """Return the days from one time word to another, which may say the month and year for both."""
    last = _days_of(end, today)
    if last is None:
        return None
    if start.isdigit() and len(start) < len("2000"):
        day = int(start)
        first = _Days(last.first.replace(day=day), last.first) if 0 < day <= last.first.day else None
    else:
        first = _days_of(start, today)
    if first and first.yearless:
        first = _with_year(first, last.first.year)
        first = _with_year(first, last.first.year - 1) if first and first.first > last.last else first
    return _period(first.first, last.last) if first else None


def _with_year(days: _Days, year: int) -> _Days | None:
    moved = year - days.first.year
    first, last = _dated(year, days.first.month, days.first.day), _dated(days.last.year + moved, days.last.month, 1)
    if first is None or last is None:
        return None
    whole_month = days.first.day == 1 and days.last != days.first
    return _whole("month", first) if whole_month else _Days(first, first)


def _coming(days: _Days, today: date) -> _Days:
    """Return the first that has not ended, if the year was left open."""
    if not days.yearless or days.last >= today:
        return days
    return _with_year(days, days.first.year + 1) or days


def _days_of(words: str, today: date) -> _Days | None:
    """Return the days of one time word; None for what is none, or not in the calendar. Raises as `date` does."""
    for pattern, reader in _READERS:
        match = pattern.fullmatch(words)
        if match:
            return reader(match, today)
    return None


def _iso(match: re.Match[str], _: date) -> _Days | None:
    day = _dated(int(match["y"]), int(match["m"]), int(match["d"]))
    return _Days(day, day) if day else None


def _day(match: re.Match[str], today: date) -> _Days | None:
    month, number = _nth(match["month"], _MONTHS), int(match["day"])
    if match["year"]:
        day = _dated(int(match["year"]), month, number)
        return _Days(day, day) if day else None
    days = [_dated(year, month, number) for year in (today.year, today.year - 1)]
    begun = [day for day in days if day and day <= today]
    return _Days(begun[0], begun[0], yearless=True) if begun else None


def _month(match: re.Match[str], today: date) -> _Days | None:
    month = _nth(match["month"], _MONTHS)
    if match["year"]:
        return _whole("month", date(int(match["year"]), month, 1))
    year = today.year if month <= today.month else today.year - 1
    return replace(_whole("month", date(year, month, 1)), yearless=True)


def _quarter(match: re.Match[str], today: date) -> _Days | None:
    number = int(match["q"] or 0) or _nth(match["ordinal"], _FIRST_TO_FOURTH)
    return _latest("quarter", 3 * number - 2, match["year"], today)


def _half(match: re.Match[str], today: date) -> _Days | None:
    number = int(match["h"] or 0) or _nth(match["ordinal"], _FIRST_TO_FOURTH)
    first = _latest("quarter", 6 * number - 5, match["year"], today) if number <= 2 else None  # noqa: PLR2004 - halves
    return _Days(first.first, _whole("quarter", _moved(first.first, "quarter", 1)).last) if first else None


def _latest(unit: _Unit, month: int, year: str | None, today: date) -> _Days:
    """Return what begins with the month in the year, or when none is said in the last year in which it has begun."""
    return _whole(unit, date(int(year) if year else today.year - (month > today.month), month, 1))


def _year(match: re.Match[str], _: date) -> _Days:
    return _whole("year", date(int(match["year"]), 1, 1))


def _relative(match: re.Match[str], today: date) -> _Days | None:
    """Return this, the last or the next one; of days but this one, as "next day delivery" is of any day."""
    unit = _unit(match["unit"])
    if unit == "day" and not match["this"]:
        return None
    step = 0 if match["this"] else -1 if match["last"] else 1
    return _whole(unit, _moved(_whole(unit, today).first, unit, step))


def _rolling(match: re.Match[str], today: date) -> _Days | None:
    number = _counted(match["number"] or "1")
    return _Days(_moved(today, _unit(match["unit"]), -number), today) if 0 < number <= _MOST else None


def _ago(match: re.Match[str], today: date) -> _Days | None:
    unit, number = _unit(match["unit"]), _counted(match["number"] or "1")
    return _whole(unit, _moved(today, unit, -number)) if 0 <= number <= _MOST else None


def _near(match: re.Match[str], today: date) -> _Days:
    day = today + timedelta(days=_NEAR_DAYS[match.group()])
    return _Days(day, day)


def _week_of(match: re.Match[str], today: date) -> _Days | None:
    day = _days_of(match["of"], today)
    return _whole("week", day.first) if day else None


def _whole(unit: _Unit, day: date) -> _Days:
    """Return the whole week, month, quarter or year that the day is in."""
    match unit:
        case "day":
            first = day
        case "week":
            first = day - timedelta(days=day.weekday())
        case "month":
            first = day.replace(day=1)
        case "quarter":
            first = day.replace(month=3 * ((day.month - 1) // 3) + 1, day=1)
        case "year":
            first = day.replace(month=1, day=1)
    return _Days(first, _moved(_moved(first, unit, 1), "day", -1))


def _moved(day: date, unit: _Unit, number: int) -> date:
    """Return the day so many units later; of a month that is shorter, the last day."""
    if unit in ("day", "week"):
        return day + timedelta(days=number * (7 if unit == "week" else 1))
    months = day.year * 12 + day.month - 1 + number * {"month": 1, "quarter": 3, "year": 12}[unit]
    for shorter in range(4):
        moved = _dated(months // 12, months % 12 + 1, day.day - shorter)
        if moved:
            return moved
    raise OverflowError


def _dated(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _unit(word: str) -> _Unit:
    return next(unit for unit, pattern in _UNITS.items() if re.fullmatch(pattern, word))


def _counted(word: str) -> int:
    return int(word) if word.isdigit() else _nth(word, _NUMBERS)


def _nth(word: str, patterns: tuple[str, ...]) -> int:
    """Return which of the patterns the word is, from 1."""
    return next(n for n, pattern in enumerate(patterns, 1) if re.fullmatch(pattern, word.rstrip(".")))


_NEAR_DAYS = {
    "today": 0, "yesterday": -1, "tomorrow": 1, "the day before yesterday": -2, "сегодня": 0, "вчера": -1,
    "позавчера": -2, "завтра": 1,
}  # fmt: skip
_OF_YEAR = rf"(?:,?\s+(?:of\s+|in\s+|в\s+)?{_YEAR})"
_THE_DAY = rf"(?:the\s+)?{_DAY}\s+(?:of\s+)?{_MONTH}{_OF_YEAR}?"
_DAY_EN = rf"{_MONTH}\s+{_DAY}(?!\d)(?:,?\s+{_YEAR})?"
_ISO = r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?!\d)"
_DOTTED = r"(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>(?:19|20)\d\d)(?!\d)"
_WHICH = (
    r"(?:the\s+)?(?:(?P<this>this|current|эт\w{1,3}|текущ\w{2,3})|(?P<last>last|previous|прошл\w{2,3}|предыдущ\w{2,3}|"
    r"минувш\w{2,3})|(?P<next>next|coming|следующ\w{2,3}|будущ\w{2,3}))"
)
_WEEK = r"(?:week\s+(?:of|from|beginning|starting)|недел\w{1,2}(?:\s+с)?)"
_HALF = r"(?:half(?:\s+of(?:\s+the\s+year)?)?|полугоди\w{1,2}|половин\w{1,2}(?:\s+года)?)"
_PAST = r"(?:the\s+)?(?:last|past|previous|последн\w{2,3}|прошедш\w{2,3}|предыдущ\w{2,3}|минувш\w{2,3})"
_PAST_ONE = r"(?:the\s+)?(?:past|последн\w{2,3}|прошедш\w{2,3})"


def _plain(pattern: str) -> str:
    """Return the pattern without names, so that several may stand in one."""
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)


_KINDS: tuple[tuple[str, _Reader], ...] = (
    (_ISO, _iso),
    (_DOTTED, _iso),
    (
        rf"(?:the\s+)?{_WEEK}\s+(?P<of>{'|'.join(map(_plain, (_ISO, _DOTTED, _THE_DAY, _DAY_EN)))})",
        _week_of,
    ),
    (_THE_DAY, _day),
    (_DAY_EN, _day),
    (rf"(?:the\s+)?(?:q(?P<q>[1-4])|{_ORDINAL}\s*(?:quarter|квартал\w{{0,2}}|кв\b\.?)){_OF_YEAR}?", _quarter),
    (
        rf"(?:the\s+)?(?:h(?P<h>[12])|{_ORDINAL}\s+{_HALF}){_OF_YEAR}?",
        _half,
    ),
    (rf"{_MONTH}{_OF_YEAR}?", _month),
    (rf"{_PAST}\s+{_NUMBER}\s+{_UNIT}", _rolling),
    (rf"{_PAST_ONE}(?P<number>)\s+{_UNIT}", _rolling),
    (rf"{_WHICH}\s+{_UNIT}", _relative),
    (rf"(?:{_NUMBER}\s+)?{_UNIT}\s+(?:ago|назад)", _ago),
    ("|".join(sorted(_NEAR_DAYS, key=len, reverse=True)), _near),
    (_YEAR, _year),
)
_READERS = tuple((re.compile(pattern), reader) for pattern, reader in _KINDS)
_ANY = "|".join(_plain(pattern) for pattern, _ in _KINDS)
# Words that are dates without "in" before them; "March", "May" and 2023 by themselves may be anything.
_TELLS_ITSELF = re.compile(
    "|".join(_plain(pattern) for pattern, reader in _KINDS if reader not in (_month, _year))
    + rf"|{_plain(_MONTH)}{_plain(_OF_YEAR)}|(?:19|20)\d\d(?:-?(?:й|м|го|х))?\s*(?:гг?\.?|год\w*)"
)
_SINCE = re.compile(r"since|from|starting(?: from| in| on)?|beginning(?: from| in| on)?|as of|со?|начиная со?")
_AFTER = re.compile(r"after|later than|позже|позднее|после")
_BEFORE = re.compile(r"before|prior to|earlier than|до|раньше|ранее")
_UNTIL = re.compile(r"until|till|by|through|up to|по|к|ко")
_WITHIN = r"in|during|on|of|for|over|within|throughout|at|за|во?|на|в течение|в период|in the course of"
_SIGNS = "|".join((*(one.pattern for one in (_SINCE, _AFTER, _BEFORE, _UNTIL)), _WITHIN, "between", "между"))
_TIME = re.compile(
    rf"(?<![\w.,/+-])(?:(?P<sign>{_SIGNS})\s+)?(?:(?P<start>{_ANY}|\d{{1,2}}(?=\s*[-–—]|\s+(?:to|and|по|до|и)\s))"
    rf"(?:(?:\s*[-–—]\s*|\s+(?:to|until|till|through|and|по|до|и)\s+)(?P<end>{_ANY}))?)(?![\w+])"
)
# What stands for a time by when the question was asked: "last year", «в прошлом квартале».
_OF_NOW = re.compile(_plain(rf"{_WHICH}\s+{_UNIT}"))
_BARE_YEAR = re.compile(rf"(?<![\w.,/+-])(?:{_plain(_YEAR)})")
_NO_DAY = datetime(1, 1, 1, tzinfo=UTC)
_CALENDAR: Mapping[Language, tuple[str, str]] = {
    "en": ("Q{} {}", "January February March April May June July August September October November December"),
    "ru": ("{} квартал {}", "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь"),
}


def days_stated(text: str) -> Period | None:
    """Return the days that a document's words speak of, by the years that they name; None where they name none."""
    folded = " ".join(normalise(text).split())
    years = [int(found.group()[:4]) for found in _BARE_YEAR.finditer(folded)]
    if not years:
        return None
    named = period_in(folded, _NO_DAY.replace(year=max(years), month=12, day=31))
    return named or Period(since=date(min(years), 1, 1), until=date(max(years), 12, 31))


def meet(one: Period, other: Period) -> bool:
    """Return whether the two have a day in common."""
    first, last = (
        max(one.since or date.min, other.since or date.min),
        min(one.until or date.max, other.until or date.max),
    )
    return first <= last


def by_the_calendar(text: str, asked_at: datetime) -> str:
    """Return a question with "last year", "this quarter" and the like as the calendar calls them, for a search."""
    plain = " ".join(text.split())
    folded = normalise(plain)
    found = [match for match in _TIME.finditer(folded) if _OF_NOW.fullmatch(match["start"] or "")]
    found = [match for match in found if _has_begun(match["start"], asked_at.date())]
    if len(folded) != len(plain):
        return text
    for match in reversed(found):
        days, unit = _days_of(match["start"], asked_at.date()), _unit(match["start"].split()[-1])
        if days and (name := _called(days, unit, language_of(text))):
            plain = f"{plain[: match.start('start')]}{name}{plain[match.end('start') :]}"
    return plain if found else text


def _has_begun(words: str, today: date) -> bool:
    days = _days_of(words, today)
    return days is not None and days.first <= today


def _called(days: _Days, unit: _Unit, language: Language) -> str:
    quarter, months = _CALENDAR.get(language) or _CALENDAR["en"]
    match unit:
        case "year":
            return str(days.first.year)
        case "quarter":
            return quarter.format((days.first.month + 2) // 3, days.first.year)
        case "month":
            return f"{months.split()[days.first.month - 1]} {days.first.year}"
        case _:
            return ""
