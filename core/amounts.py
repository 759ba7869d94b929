"""Numbers, units, dates and bounds, however they are written: 3 000 = 3,000; five = 5 = пять; 2021-03 = March 2021."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from core.text import normalise

_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?:[ ,\u2009]\d{3})+(?![\d])")
_DECIMAL = re.compile(r"(?<=\d),(?=\d)")
_PADDED = re.compile(r"(?<![\d.:])0+(?=\d)|(?<=\d):00(?![\d:])")
_ONE = r"\d+(?:[.:]\d+)*"
_NUMBER = re.compile(rf"{_ONE}(?:[-/–]{_ONE})*")
_SPLIT = re.compile(r"[-/–]")
_DOTTED_DATE = re.compile(r"\d{1,2}\.(\d{1,2})\.\d{2,4}")
_ISO_MONTH = re.compile(r"(?<!\d)\d{4}-(\d{2})(?!\d)")

# Number words; “one” and “second” say too many other things. After the bar: a stem that takes an adjective's endings.
_WORDS = """
2 two два две двух двум двумя двое двоих | втор
3 three third три трех трем тремя трое троих третий третья третье третьего третьей третьему третьем |
4 four fourth четыре четырех четырем четырьмя четверо | четверт
5 five fifth пять пяти пятью | пят
6 six sixth шесть шести шестью | шест
7 seven seventh семь семи | седьм
8 eight eighth восемь восьми восемью | восьм
9 nine ninth девять девяти девятью | девят
10 ten tenth десять десяти десятью | десят
11 eleven eleventh одиннадцать одиннадцати | одиннадцат
12 twelve twelfth двенадцать двенадцати | двенадцат
15 fifteen пятнадцать пятнадцати | пятнадцат
20 twenty двадцать двадцати | двадцат
30 thirty тридцать тридцати | тридцат
40 forty сорок сорока | сороков
50 fifty пятьдесят пятидесяти |
100 hundred сто ста |
"""
_ENDINGS = "ый ой ая ое ого ому ым ом ую ые ых".split()


def _number_words() -> Iterator[tuple[str, str]]:
    for line in _WORDS.strip().splitlines():
        plain, _, stems = line.partition("|")
        digits, *words = plain.split()
        yield from ((word, digits) for word in words)
        yield from ((stem + ending, digits) for stem in stems.split() for ending in _ENDINGS)


_DIGITS = dict(_number_words())
_WORD = re.compile(rf"\b(?:{'|'.join(_DIGITS)})\b")

# What may stand before or after a number and change its worth.
_UNITS = {
    "€": r"€|eur|euros?|евро",
    "$": r"\$|usd|dollars?|доллар\w*",
    "£": r"£|gbp|pounds?|фунт\w*",
    "₽": r"₽|rub|rou?bles?|руб\w*",
    "%": r"%|percent|per cent|процент\w*",
    "millisecond": r"ms|milliseconds?|мс|миллисекунд\w*",
    "second": r"sec|seconds?|сек|секунд\w*",
    "minute": r"min|minutes?|мин|минут\w*",
    "hour": r"hours?|час(?:а|у|ом|е|ы|ов|ам|ами|ах)?",
    "day": r"days?|день|дн(?:я|ю|ем|е|и|ей|ям|ями|ях)|сут\w+",
    "week": r"weeks?|недел\w+",
    "month": r"months?|месяц\w*",
    "year": r"years?|год(?:а|у|ом|е|ы|ов|ам|ами|ах)?|лет",
    "thousand": r"thousand|тыс|тысяч\w*",
    "million": r"m|million|млн|миллион\w*",
    "billion": r"bn|billion|млрд|миллиард\w*",
}
_UNIT = "|".join(f"(?P<u{place}>{pattern})(?!\\w)" for place, pattern in enumerate(_UNITS.values()))
_AFTER = re.compile(rf"[ -]?(?:{_UNIT}|[^\W\d_]{{1,30}} (?:{_UNIT.replace('?P<u', '?P<v')}))")
_MONEY = "€$£₽"

_MONTHS = (
    r"Jan(?:uary)?\b|янв(?:ар[яьеюи]\w*)?\b",
    r"Feb(?:ruary)?\b|фев(?:рал[яьеюи]\w*)?\b",
    r"Mar(?:ch)?\b|март[аеу]?\b",
    r"Apr(?:il)?\b|апрел[яьеюи]\w*",
    r"(?<=\d )May\b|May(?= \d)|(?<=[Ii]n )May\b|ма[йяею]\b",
    r"June?\b|июн[яьеюи]\w*",
    r"July?\b|июл[яьеюи]\w*",
    r"Aug(?:ust)?\b|август[аеу]?\b",
    r"Sept?(?:ember)?\b|сентябр[яьеюи]\w*",
    r"Oct(?:ober)?\b|октябр[яьеюи]\w*",
    r"Nov(?:ember)?\b|ноябр[яьеюи]\w*",
    r"Dec(?:ember)?\b|декабр[яьеюи]\w*",
)
_DAYS = (
    r"Mondays?\b|понедельник\w*",
    r"Tuesdays?\b|вторник\w*",
    r"Wednesdays?\b|сред(?:у|ам)\b",
    r"Thursdays?\b|четверг\w*",
    r"Fridays?\b|пятниц\w*",
    r"Saturdays?\b|суббот\w*",
    r"Sundays?\b|воскресен\w*",
)
_DATED = [re.compile(rf"\b(?:{pattern})") for pattern in (*_MONTHS, *_DAYS)]

# “No more than 5” is an upper bound, not a denial. First how a text may bound a number, then what else backs that.
_MOST = (
    r"at most|up to|(?:no|not) (?:more|later|longer|greater) than|maximum(?: of)?"
    r"|не (?:более|больше|позднее|позже|дольше|свыше)|максимум"
)
_LEAST = (
    r"at least|minimum(?: of)?|(?<!no )(?<!not )(?:more|longer|greater) than|over|above|exceeding"
    r"|(?:no|not) (?:less|fewer|earlier) than|не (?:менее|меньше|ранее|раньше)"
    r"|минимум|(?<!не )(?:более|больше|свыше|дольше)"
)
_MOST_TOO = r"within|until|under|below|(?:less|fewer) than|before|by|до|менее|меньше|в течение|в пределах"
# Fourteen days ahead at the latest is at least fourteen days ahead.
_LEAST_TOO = r"from|beyond|after|exceeds?|no later than|от|с|после|превыша\w+|не (?:позднее|позже)"
_BOUNDED = rf"(?: [^\W\d]\w{{0,30}}){{0,2}} [{_MONEY}]?({_ONE})"
_BOUNDS = {
    "most": (re.compile(rf"\b(?:{_MOST}){_BOUNDED}"), re.compile(rf"\b(?:{_MOST}|{_MOST_TOO}){_BOUNDED}")),
    "least": (re.compile(rf"\b(?:{_LEAST}){_BOUNDED}"), re.compile(rf"\b(?:{_LEAST}|{_LEAST_TOO}){_BOUNDED}")),
}
_BOUND_WORDS = re.compile(rf"\b(?:{_MOST}|{_LEAST}|not only|не только)\b")


def alien_number(text: str, held: str) -> str | None:
    """Return the first number, or number with its unit, in the text that the other text does not hold."""
    known = _held(_amounts(held))
    for number, unit in _amounts(text):
        parts = _SPLIT.split(number)
        if number not in known and not (len(parts) > 1 and all(part in known for part in parts)):
            return number
        units = known.get(number, frozenset())
        if unit and units and unit not in units:
            return f"{number} {unit}"
    return None


def alien_date(text: str, held: str) -> str | None:
    """Return the first month or day of the week in the text that the other text does not hold."""
    known = _dates(held)
    known |= {int(month) - 1 for pattern in (_ISO_MONTH, _DOTTED_DATE) for month in pattern.findall(held)}
    said = ((place, pattern.search(text)) for place, pattern in enumerate(_DATED))
    return next((found.group() for place, found in said if found and place not in known), None)


def alien_bound(text: str, held: str) -> str | None:
    """Return “most” or “least” when the text bounds a number so and the other text does not."""
    said, known = _prepared(text), _prepared(held)
    return next(
        (name for name, (own, backing) in _BOUNDS.items() if set(own.findall(said)) - set(backing.findall(known))), None
    )


def is_date(word: str) -> bool:
    """Return whether the word names a month or a day of the week."""
    return any(pattern.fullmatch(word) for pattern in _DATED)


def without_bounds(text: str) -> str:
    """Return the folded text with its bounds (“no more than”, «не позднее») taken out."""
    return _BOUND_WORDS.sub(" ", text)


def _amounts(text: str) -> Iterator[tuple[str, str | None]]:
    """Yield each number of the text with the unit that belongs to it, if any."""
    prepared = _prepared(text)
    for found in _NUMBER.finditer(prepared):
        before = prepared[max(0, found.start() - 2) : found.start()].strip()[-1:]
        after = _AFTER.match(prepared, found.end())
        yield found.group(), before if before and before in _MONEY else _unit_of(after)


def _unit_of(found: re.Match[str] | None) -> str | None:
    if found is None:
        return None
    place = next(int(name[1:]) for name, words in found.groupdict().items() if words is not None)
    return list(_UNITS)[place]


def _held(amounts: Iterable[tuple[str, str | None]]) -> dict[str, frozenset[str]]:
    """Return the numbers, those inside ranges and dates too, with the units that each stands with."""
    held: dict[str, frozenset[str]] = {}
    for number, unit in amounts:
        parts = number.split(".") if _DOTTED_DATE.fullmatch(number) else _SPLIT.split(number)
        for part in {number, *(part.lstrip("0") or "0" for part in parts), *parts}:
            held[part] = held.get(part, frozenset()) | ({unit} if unit else frozenset())
    return held


@lru_cache(maxsize=256)
def _prepared(text: str) -> str:
    """Return the text folded, its number words as digits, without thousands' separators and leading zeros."""
    worded = _WORD.sub(lambda found: _DIGITS[found.group()], normalise(text))
    single = _GROUPED.sub(lambda found: re.sub(r"\D", "", found.group()), worded)
    return _PADDED.sub("", _DECIMAL.sub(".", single))


def _dates(text: str) -> set[int]:
    return {place for place, pattern in enumerate(_DATED) if pattern.search(text)}
