"""Dates, as much of them as is said: year, month, day, day of the week; ISO, dotted, in words, in both languages."""

import re
from dataclasses import dataclass
from functools import lru_cache

from core.proof.days import DATE_WORDS, DAYS, MONTHS, QUARTERS, RELATIVE
from core.proof.patterns import compiled
from core.proof.words import Reading

# Words that are a month or a day only where they are written like one, or beside a number.
_DOUBTFUL = frozenset("may mar march sun sat mon wed fri среды среда среде".split())
_MIDWEEK = frozenset("среда среды среде".split())
_NUMERIC = compiled(
    r"(?<![\d.,/-])(?:(?P<y1>(?:19|20)\d\d)-(?P<m1>0[1-9]|1[0-2])(?:-(?P<d1>[0-3]\d))?"
    r"|(?P<d2>[0-3]?\d)\.(?P<m2>0?[1-9]|1[0-2])\.(?P<y2>(?:19|20)?\d\d)"
    r"|(?P<d3>[0-3]?\d)/(?P<m3>0?[1-9]|1[0-2])/(?P<y3>(?:19|20)\d\d))(?![\d/-])"
)
_LAST_YEAR = 2100
_FIRST_YEAR = 1900
_LAST_DAY = 31
_CENTURY = 100
_PARTS = compiled(r"\d+")
_PARTS_OF_YEAR = ("квартал", "полугоди")
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "перв": 1, "втор": 2, "трет": 3, "четверт": 4}
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4}


@dataclass(frozen=True, slots=True)
class Date:
    """What is said of a date; 0 is what is not said. `quarter`: 1 to 4, 11 and 12 for halves of a year."""

    year: int = 0
    month: int = 0
    day: int = 0
    weekday: int = 0
    relative: int = 0
    quarter: int = 0
    shown: str = ""

    def held_by(self, other: "Date") -> bool:
        """Return whether the other date says all that this one says."""
        pairs = (
            (self.year, other.year),
            (self.month, other.month),
            (self.day, other.day),
            (self.weekday, other.weekday),
            (self.relative, other.relative),
            (self.quarter, other.quarter),
        )
        return all(own in {0, held} for own, held in pairs)

    def agrees(self, other: "Date") -> bool:
        """Return whether nothing that both say differs."""
        return all(
            not own or not held or own == held
            for own, held in ((self.year, other.year), (self.month, other.month), (self.day, other.day))
        )


@lru_cache(maxsize=256)
def dates(reading: Reading) -> tuple[Date, ...]:
    """Return the dates of a text; a year alone is one when it stands like a year."""
    found = [_numeric(match) for match in _NUMERIC.finditer(reading.low)]
    words = reading.words
    for place, word in enumerate(words):
        if word.kind not in {"word", "ident"} or not _may_date(word.low):
            continue
        if word.low in MONTHS and (word.low not in _DOUBTFUL or _written_as_date(reading, place)):
            found.append(_around_month(reading, place))
        elif word.low in DAYS and (word.low not in _DOUBTFUL or word.capital or _is_midweek(reading, place)):
            found.append(Date(weekday=DAYS[word.low], shown=word.text))
        elif word.low in RELATIVE:
            found.append(Date(relative=RELATIVE[word.low], shown=word.text))
        elif (quarter := _quarter(reading, place)) is not None:
            found.append(quarter)
    return tuple(found)


def _is_midweek(reading: Reading, place: int) -> bool:
    """Return whether «среда» stands like a day: behind a dash or «в», or beside another day or a time of day."""
    words = reading.words
    word = words[place]
    if word.low not in _MIDWEEK:
        return False
    beside = [*words[max(0, place - 2) : place], *words[place + 1 : place + 3]]
    before = reading.low[max(0, word.start - 3) : word.start]
    return (
        bool(re.search(r"[—–-]\s*$|[(]$", before))
        or any(one.low in DAYS and one.low not in _DOUBTFUL for one in beside)
        or bool(re.match(r",?\s(?:в |с |до |к )?\d\d?[:.]\d\d", reading.low[word.end : word.end + 12]))
    )


@lru_cache(maxsize=4_096)
def _may_date(low: str) -> bool:
    return low in DATE_WORDS or low in RELATIVE or low in {"quarter", "half"} or low.startswith(_PARTS_OF_YEAR)


def is_date_word(low: str) -> bool:
    """Return whether the folded word names a month or a day of the week."""
    return low in DATE_WORDS


def is_numeric_date(low: str) -> bool:
    """Return whether the folded word is a date in digits."""
    return _NUMERIC.fullmatch(low) is not None


def numbers_in(found: Date) -> set[str]:
    """Return the numbers that the date holds, as they are written alone: a month only where it is in digits."""
    year = {str(found.year), str(found.year % _CENTURY)} if found.year else set()
    month = found.month if is_numeric_date(found.shown) else 0
    return year | {str(value) for value in (found.day, month) if value}


def _numeric(match: re.Match[str]) -> Date:
    held = match.groupdict()
    year, month, day = ((held[name + "1"] or held[name + "2"] or held[name + "3"] or "0") for name in "ymd")
    whole = int(year) + (2000 if len(year) == 2 else 0)  # noqa: PLR2004 - a year in two digits
    return Date(whole, int(month), int(day), shown=match.group())


def _written_as_date(reading: Reading, place: int) -> bool:
    word = reading.words[place]
    if not word.capital:
        return False
    before = reading.words[place - 1] if place else None
    after = reading.words[place + 1] if place + 1 < len(reading.words) else None
    beside = [one for one in (before, after) if one]
    if any(one.kind == "number" for one in beside) or (before and before.low in {"th", "st", "nd", "rd"}):
        return True
    return bool(before) and (not word.opens or word.low == "march")


def _around_month(reading: Reading, place: int) -> Date:
    """Return the month with the day before or after it, and the year after it."""
    words = reading.words
    month = MONTHS[words[place].low]
    day = year = 0
    first = last = place
    before = place - 1
    while before >= 0 and words[before].low in {"of", "th", "st", "nd", "rd", "the", "го", "е"}:
        before -= 1
    if before >= 0 and words[before].kind == "number" and 1 <= _last_number(words[before].low) <= _LAST_DAY:
        day, first = _last_number(words[before].low), before
    for at in range(place + 1, min(place + 4, len(words))):
        if words[at].kind == "number":
            for value in (int(part[:9]) for part in _PARTS.findall(words[at].low)):
                if _FIRST_YEAR <= value <= _LAST_YEAR:
                    year = year or value
                elif not day and at == place + 1 and 1 <= value <= _LAST_DAY:
                    day = value
            last = at if year or day else last
        elif words[at].low not in {"th", "st", "nd", "rd", "of"}:
            break
    return Date(year, month, day, shown=reading.text[words[first].start : words[last].end])


def _last_number(raw: str) -> int:
    return int(_PARTS.findall(raw)[-1][:9])


def _quarter(reading: Reading, place: int) -> Date | None:
    words = reading.words
    word = words[place]
    if word.low in QUARTERS:
        return Date(quarter=QUARTERS[word.low], shown=word.text)
    if not (word.low in {"quarter", "half"} or word.low.startswith(_PARTS_OF_YEAR)) or not place:
        return None
    before = words[place - 1]
    number = next((value for begin, value in _ORDINALS.items() if before.low.startswith(begin)), None)
    number = number or _ROMAN.get(before.low)
    if number is None and before.kind == "number" and place and before.low in {"1", "2", "3", "4"}:
        number = int(before.low)
    if number is None and before.low in {"й", "м", "го"} and place > 1 and words[place - 2].low in {"1", "2", "3", "4"}:
        number = int(words[place - 2].low)
    if number is None or (word.low == "half" and number > 2):  # noqa: PLR2004 - a year has two halves
        return None
    half = 10 if word.low == "half" or word.low.startswith("полугоди") else 0
    return Date(quarter=number + half, shown=f"{before.text} {word.text}")
