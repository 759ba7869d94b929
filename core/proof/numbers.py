"""Numbers with what they count, however they are written: 3 000 = 3,000; twenty-five = 25 = «двадцать пять»."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from core.proof.numerals import COMPOUND, JOINED, JOINED_UNITS, PLACES, VALUES
from core.proof.patterns import compiled
from core.proof.ranges import sharing
from core.proof.sorts import sort_of
from core.proof.units import FACTORS, MONEY, PERIODS, code_of, nation_of, unit_of
from core.proof.words import NUMERALS, Reading, Word

_GROUPED = compiled(r"\d{1,3}(?:[ ,]\d{3})+(?:[.,]\d{1,2})?")
_PLAIN = compiled(r"\d{1,24}(?:[.,]\d{1,24})?")
_TIME = compiled(r"(\d{1,2}):(\d{2})(?::\d{2})?")
_NOON = 12
_MAX_DIGITS = 24

_TEN, _TENS, _HUNDRED = 10, 20, 100
_WHOLE = 1e18  # what is larger is no longer exact
# “One” says too many other things to be a number by itself.
_SCALED = frozenset("cfсk")
_ONE = frozenset("one один одна одно одного одной одну одному одним".split())
_REACH, _YEAR = 3, 4
# A hyphen is a minus behind nothing or a blank, if no number stands there: “3 -5” is a range.
_BELOW = compiled(r"(?:^|(?<![\d%])[\s(\[:=|<>~≈\"«])[-–]$")
_NTH = compiled(r"(?:st|nd|rd|th)\b|-(?:й|м|го|я|е|ю|х|му|ый|ой|ая|ого)\b")
# Money by words that are other words too, so that they count only right behind a number.
_MONEY_BEHIND = {"won": "won", "som": "som", "soms": "som", "сум": "som", "сума": "som", "сом": "som", "сомов": "som", "сома": "som", "lev": "lev", "leu": "leu", "лев": "lev", "лева": "lev", "лей": "leu", "лея": "leu", "dram": "dram", "вон": "won", "лира": "lira"}  # fmt: skip


class Amount(NamedTuple):
    """A number: its value, the unit and the first words that it counts, and where it stands.

    `weak`: it may be no number at all (“one”). `shown` is how it is written, `said` with its unit. `sort` is what kind of
    the unit it is in, and `after` the place behind its words. `is_place`: it says the how-manieth, not how many.
    """

    value: str
    unit: str | None
    counted: tuple[str, ...]
    place: int
    shown: str
    weak: bool = False
    said: str = ""
    sort: str = ""
    after: int = 0
    is_place: bool = False


@lru_cache(maxsize=256)
def amounts(reading: Reading) -> tuple[Amount, ...]:
    """Return the numbers of a text in order."""
    found: list[Amount] = []
    words = reading.words
    place = 0
    while place < len(words):
        word = words[place]
        is_part = word.low in _PARTS and _part(words, place) is not None
        if (
            not (is_part or (word.low == "second" and _is_second(words, place)))
            and word.kind != "number"
            and (word.kind != "word" or not _is_numeral(word.low))
        ):
            place += 1
            continue
        of_word = _amounts_at(reading, place)
        found += of_word
        place = of_word[0].after
    return sharing(reading, found)


def _amounts_at(reading: Reading, place: int) -> list[Amount]:
    """Return the amounts that the number which begins at a word says."""
    words = reading.words
    part = _part(words, place)
    second = _is_second(words, place)
    values, after = ((part or "2",), place + 1) if part or second else _values(words, place)
    word, before = words[place], words[place - 1] if place else None
    joined, weak = _joined(word), after == place + 1 and word.low in _ONE
    nth = not part and (second or word.low in PLACES or _NTH.match(reading.low, words[after - 1].end) is not None)
    behind = after + (nth and not second and word.low not in PLACES)
    unit, counted, sort = (joined, (), "") if joined else _counted(reading, behind, before)
    minus = "-" if _is_below(reading, place) else ""
    values = values if part else tuple(minus + value if value != "0" else value for value in values)
    first = place - (before is not None and before.low in MONEY)
    last = after - 1 + (len(counted) if unit and first == place else 0)
    said = minus + reading.text[words[first].start : words[min(last, len(words) - 1)].end]
    shown = reading.text[word.start : words[after - 1].end]
    return [Amount(value, unit, counted, place, shown, weak, said, sort, after, nth) for value in values]


def _is_below(reading: Reading, place: int) -> bool:
    """Return whether a number is below nought: a minus or a hyphen stands before it, or before its sign of money."""
    words = reading.words
    first, before = words[place], words[place - 1] if place else None
    if before and before.low in {"minus", "минус"}:
        return not (place > 1 and words[place - 2].kind == "number")
    if before and before.kind == "sign" and before.low in MONEY:
        first = before
        if reading.low.startswith("-", before.end):
            return True
    return _BELOW.search(reading.low, max(0, first.start - 3), first.start) is not None


_ITS_OWN = frozenset("the their our your his her its my".split())


def _is_second(words: Sequence[Word], place: int) -> bool:
    """Return whether “second” says which one, and no time: the second floor."""
    if words[place].low != "second" or not place or place + 1 >= len(words):
        return False
    following = words[place + 1]
    return words[place - 1].low in _ITS_OWN and following.kind == "word" and following.tells


# Parts of a thing; some of these words also say which one, or a span of time.
_THIRD, _QUARTER = "0.333333", "0.25"
_PARTS = {
    **dict.fromkeys(("third", "треть", "трети"), _THIRD),
    **dict.fromkeys(("quarter", "четверть", "четверти", "четвертью"), _QUARTER),
}


def _part(words: Sequence[Word], place: int) -> str | None:
    """Return the value of a word for a part of a thing: a third, one third of, a quarter of the staff, треть команды."""
    low, before = words[place].low, words[place - 1].low if place else ""
    following = [word.low for word in words[place + 1 : place + 4]]
    if low == "third":
        is_part = before == "one" or (before == "a" and following[:1] in ([], ["of"]))
    elif low == "quarter":
        of_time = any(unit_of(word) in PERIODS or word.isdigit() for word in following[1:])
        is_part = before in {"a", "one"} and following[:1] == ["of"] and not of_time
    else:
        # «Две трети», «первая четверть», «четверть часа».
        numbered = before in VALUES or before.isdigit() or before in {"i", "ii", "iii", "iv"}
        is_part = not numbered and bool(following) and unit_of(following[0]) not in PERIODS
    return _PARTS.get(low) if is_part else None


@lru_cache(maxsize=4_096)
def _is_numeral(low: str) -> bool:
    """Return whether a number can begin with the folded word."""
    return low in VALUES or JOINED.fullmatch(low) is not None


def _values(words: Sequence[Word], place: int) -> tuple[tuple[str, ...], int]:
    """Return the number that begins at a word, in all its readings, and the place after it."""
    word = words[place]
    if word.kind == "number":
        return _digits(words, place)
    joined = JOINED.fullmatch(word.low)
    return ((COMPOUND[joined[1]],), place + 1) if joined else _spelt(words, place)


def _digits(words: Sequence[Word], place: int) -> tuple[tuple[str, ...], int]:
    word, after = words[place], place + 1
    if (time := _TIME.fullmatch(word.low)) is not None:
        return _clock(int(time[1]), int(time[2]), words, after)
    parts = _parts(word.low)
    if len(parts) > 1:
        return tuple(map(_shown, parts)), after
    [value] = parts
    half = _half_of_day(words, after)
    if half is not None:
        return (_shown(float(_noon(int(value), half))),), after + _width(words[after])
    factor, after = _factor(words, after)
    if factor == 1 and after < len(words) and words[after].low in {"and", "с"} and _is_half(words, after + 1):
        return (_shown(value + 0.5),), after + 2
    return (_shown(value * factor),), after


def _parts(raw: str) -> list[float]:
    """Return the numbers that a run of digits, points, commas and spaces is made of."""
    if len(raw) <= _MAX_DIGITS and _GROUPED.fullmatch(raw):
        return [float(re.sub(r"[ ,](?=\d{3})", "", raw).replace(",", "."))]
    if _PLAIN.fullmatch(raw):
        return [float(raw.replace(",", "."))]
    apart = raw.replace(", ", " ").split(" ")
    found = [piece for part in apart for piece in _pieces(part)]
    return [float(piece[:_MAX_DIGITS]) for piece in found] or [0.0]


def _pieces(part: str) -> list[str]:
    if len(part) <= _MAX_DIGITS and _GROUPED.fullmatch(part):
        return [part.replace(",", "")]
    return [part.replace(",", ".")] if _PLAIN.fullmatch(part) else re.findall(r"\d+", part)


def _clock(hours: int, minutes: int, words: Sequence[Word], after: int) -> tuple[tuple[str, ...], int]:
    half = _half_of_day(words, after)
    if half:
        hours, after = _noon(hours, half), after + _width(words[after])
    return ((_shown(float(hours)) if not minutes else f"{hours}:{minutes:02}"),), after


def _half_of_day(words: Sequence[Word], place: int) -> str | None:
    if place >= len(words):
        return None
    low = words[place].low
    following = words[place + 1].low if place + 1 < len(words) else ""
    if low in {"am", "pm"}:
        return low
    return {"a": "am", "p": "pm"}.get(low) if following == "m" else None


def _width(word: Word) -> int:
    """Return how many words “am” or “a.m.” is."""
    return 1 if len(word.low) > 1 else 2


def _noon(hours: int, half: str) -> int:
    return hours % _NOON + (_NOON if half == "pm" else 0)


def _spelt(words: Sequence[Word], place: int) -> tuple[tuple[str, ...], int]:
    """Return the number that a row of number words says: two hundred and five, двадцать пять, две тысячи."""
    total, current, at, last = 0.0, VALUES[words[place].low], place + 1, VALUES[words[place].low]
    while at < len(words) and words[at].kind == "word":
        low = words[at].low
        following = VALUES.get(words[at + 1].low) if at + 1 < len(words) else None
        if low == "hundred":
            current *= _HUNDRED
        elif low in FACTORS and low != "k":
            total, current = total + current * FACTORS[low], 0.0
        elif low in VALUES and _adds(last, VALUES[low]) and words[at].start - words[at - 1].end <= 1:
            current += VALUES[low]
        elif low == "and" and following is not None and last >= _HUNDRED and following < _HUNDRED:
            at += 1
            continue
        elif low in {"and", "с"} and _is_half(words, at + 1):
            return (_shown(total + current + 0.5),), at + 2
        else:
            break
        last = _HUNDRED if low == "hundred" else FACTORS.get(low, VALUES.get(low, 0.0))
        at += 1
    return (_shown(total + current),), at


def _adds(last: float, value: float) -> bool:
    return 1 <= value < last and (
        (_TENS <= last < _HUNDRED and value < _TEN) or (last >= _HUNDRED and value < _HUNDRED)
    )


def _is_half(words: Sequence[Word], place: int) -> bool:
    return any(
        words[at].low in {"half", "половиной"}
        for at in range(place, min(place + 2, len(words)))
        if at == place or words[place].low == "a"
    )


def _factor(words: Sequence[Word], place: int) -> tuple[float, int]:
    """Return what the words after a number multiply it by (2.5 million, €2.5m), and the place after them."""
    if place >= len(words):
        return 1, place
    word, before = words[place], words[place - 2].low if place > 1 else ""
    if word.low == "m" and before in MONEY and word.start == words[place - 1].end:
        return 10**6, place + 1
    if word.low == "k" and word.start != words[place - 1].end:
        return 1, place
    return (FACTORS[word.low], place + 1) if word.low in FACTORS else (1, place)


def _joined(word: Word) -> str | None:
    found = JOINED.fullmatch(word.low)
    return JOINED_UNITS.get(found[2]) if found else None


def _counted(reading: Reading, after: int, before: Word | None) -> tuple[str | None, tuple[str, ...], str]:
    """Return the unit of a number, from the sign before it or the words after it, the stems of these words, its sort."""
    words = reading.words
    unit, sort = _unit_before(reading, before, after)
    counted: list[str] = []
    for place in range(after, min(after + _REACH, len(words))):
        word = words[place]
        if named := _named(reading, place, after):
            return unit or named, (*counted, word.stem), sort if unit else sort_of(named, reading, place, after)
        if (
            word.kind == "number"
            or word.low in VALUES
            or word.low in _STOPS
            or word.sentence != words[after - 1].sentence
        ):
            break
        if word.clause != words[after].clause:
            break
        if word.low in {"pp", "пп", "п"}:
            return "percentage point", tuple(counted), ""
        counted.append(word.stem)
        named = unit_of(word.low) if word.low != "m" else None
        if named and not (word.low == "second" and before is not None and before.low == "the"):
            named = unit or _unit(named, words, place)
            return named, tuple(counted), sort if unit else sort_of(named, reading, place, after)
    return unit or _behind(reading.low, words[after - 1].end), tuple(counted), sort


def _behind(low: str, end: int) -> str | None:
    """Return the unit that a sign behind a number says, which is no word by itself."""
    sign = low[end : end + 2].lstrip()[:1]
    return {"‰": "per mille", "°": "degree"}.get(sign)


def _unit_before(reading: Reading, before: Word | None, after: int) -> tuple[str | None, str]:
    """Return the unit that stands before a number, and its sort: €5, HK$5, CHF 5."""
    if before is None or not (before.low in MONEY or before.text.isupper()):
        return None, ""
    unit = unit_of(before.low) if before.low in MONEY else code_of(before.text)
    place = next(at for at in range(after - 1, -1, -1) if reading.words[at] is before)
    return unit, sort_of(unit, reading, place, place) if unit else ""


def _named(reading: Reading, place: int, after: int) -> str | None:
    """Return the unit that a word names only where it stands right behind a number."""
    words, word = reading.words, reading.words[place]
    following = words[place + 1].low if place + 1 < len(words) else ""
    if place > after:
        return _MONEY_BEHIND.get(word.low) if place == after + 1 and nation_of(words[after].low) is not None else None
    if word.low == "per" and following in {"cent", "mille"}:
        return "%" if following == "cent" else "per mille"
    if word.low in _SCALED and reading.text.startswith("°", word.start - 1):
        return "degree"
    if word.low == "m" and reading.text[words[after - 1].end : word.start] == " ":
        return "metre"
    if word.low in {"workday", "workdays"}:
        return "day"
    return _MONEY_BEHIND.get(word.low) or (code_of(word.text) if word.text.isupper() else None)


def _unit(named: str, words: Sequence[Word], place: int) -> str:
    following = words[place + 1].low if place + 1 < len(words) else ""
    if named in {"%", "percentage"} and following.startswith(("point", "пункт")):
        return "percentage point"
    year = words[place].low == "г" and place and words[place - 1].low.isdigit() and len(words[place - 1].low) == _YEAR
    return "year" if year else named


_STOPS = frozenset(
    "in on at for from to by of and or per a an the with before after until is are was were if when that which who"
    " в во на за с со от до по из к и или для при о об у без не если когда что перед после как".split()
)


def _shown(value: float) -> str:
    value = round(value, 6)
    return str(int(value)) if value == int(value) and abs(value) < _WHOLE else repr(value)


def is_number_word(low: str) -> bool:
    """Return whether the folded word says a number."""
    return low in NUMERALS


def number_of(low: str) -> float | None:
    """Return the number that one folded word says, or None."""
    return float(low) if low.isdigit() and len(low) < _MAX_DIGITS else VALUES.get(low)
