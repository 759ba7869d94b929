"""Numbers with what they count, however they are written: 3 000 = 3,000; twenty-five = 25 = «двадцать пять»."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.proof.units import FACTORS, MONEY, unit_of
from core.proof.words import Reading, Word

_GROUPED = re.compile(r"\d{1,3}(?:[ ,]\d{3})+(?:[.,]\d{1,2})?")
_PLAIN = re.compile(r"\d{1,24}(?:[.,]\d{1,24})?")
_TIME = re.compile(r"(\d{1,2}):(\d{2})(?::\d{2})?")
_NOON = 12
_MAX_DIGITS = 24

_SMALL = """
0 zero ноль нуля нулю
1 one один одна одно одного одной одну одному одним
2 two два две двух двум двумя двое двоих вдвоем
3 three три трех трем тремя трое троих
4 four четыре четырех четырем четырьмя четверо четверых
5 five пять пяти пятью пятеро
6 six шесть шести шестью шестеро
7 seven семь семи семью семеро
8 eight восемь восьми восемью
9 nine девять девяти девятью
10 ten десять десяти десятью
11 eleven одиннадцать одиннадцати
12 twelve двенадцать двенадцати dozen дюжина
13 thirteen тринадцать тринадцати
14 fourteen четырнадцать четырнадцати
15 fifteen пятнадцать пятнадцати
16 sixteen шестнадцать шестнадцати
17 seventeen семнадцать семнадцати
18 eighteen восемнадцать восемнадцати
19 nineteen девятнадцать девятнадцати
20 twenty двадцать двадцати
30 thirty тридцать тридцати
40 forty сорок сорока
50 fifty пятьдесят пятидесяти
60 sixty шестьдесят шестидесяти
70 seventy семьдесят семидесяти
80 eighty восемьдесят восьмидесяти
90 ninety девяносто девяноста
100 сто ста
200 двести двухсот двумстам
300 триста трехсот
400 четыреста четырехсот
500 пятьсот пятисот
600 шестьсот шестисот
700 семьсот семисот
800 восемьсот восьмисот
900 девятьсот девятисот
0.5 half половина половину половины половиной halves
1.5 полтора полторы полутора
2 twice double вдвое дважды удвоенный удвоенная удвоенную двукратный двойной двойная двойную двойном
3 thrice triple втрое трижды
"""
_ORDINAL_STEMS = """
2 втор 4 четверт 5 пят 6 шест 7 седьм 8 восьм 9 девят 10 десят 11 одиннадцат 12 двенадцат 13 тринадцат 14 четырнадцат
15 пятнадцат 16 шестнадцат 17 семнадцат 18 восемнадцат 19 девятнадцат 20 двадцат 30 тридцат 40 сороков 50 пятидесят
""".split()
_ORDINALS = """
3 third 4 fourth 5 fifth 6 sixth 7 seventh 8 eighth 9 ninth 10 tenth 11 eleventh 12 twelfth 15 fifteenth 20 twentieth
3 третий 3 третья 3 третье 3 третьего 3 третьей 3 третьему 3 третьем 3 третью 3 третьи 3 третьих 3 третьим 3 третьими
""".split()
_COMPOUNDS = """
2 двух 3 трех 4 четырех 5 пяти 6 шести 7 семи 8 восьми 9 девяти 10 десяти 12 двенадцати 15 пятнадцати 20 двадцати
30 тридцати 40 сорока 50 пятидесяти 60 шестидесяти 90 девяносто
""".split()
_ENDINGS = "ый ой ая ое ого ому ым ом ую ые ых ыми".split()
# Two-week, двухнедельный: what a number is written together with.
_JOINED = re.compile(
    rf"({'|'.join(sorted(_COMPOUNDS[1::2], key=len, reverse=True))})(недельн|дневн|месячн|часов|минутн|летн|кратн|процентн|разов)\w*"
)
_JOINED_UNITS = dict(
    zip(
        "недельн дневн месячн часов минутн летн процентн".split(),
        "week day month hour minute year %".split(),
        strict=True,
    )
)
_COMPOUND = dict(zip(_COMPOUNDS[1::2], _COMPOUNDS[0::2], strict=True))


def _small_words() -> Iterator[tuple[str, float]]:
    for line in _SMALL.strip().splitlines():
        value, *words = line.split()
        yield from ((word, float(value)) for word in words)
    for value, begin in zip(_ORDINAL_STEMS[0::2], _ORDINAL_STEMS[1::2], strict=True):
        yield from ((begin + ending, float(value)) for ending in _ENDINGS)
    yield from ((word, float(value)) for value, word in zip(_ORDINALS[0::2], _ORDINALS[1::2], strict=True))


_VALUES = dict(_small_words())
_TEN, _TENS, _HUNDRED = 10, 20, 100
_WHOLE = 1e18  # what is larger is no longer exact
# “One” says too many other things to be a number by itself.
_ONE = frozenset("one один одна одно одного одной одну одному одним".split())
_REACH, _YEAR = 3, 4
_CODES = frozenset("eur usd rub gbp".split())


class Amount(NamedTuple):
    """A number: its value, the unit and the first words that it counts, and where it stands.

    `weak`: it may be no number at all (“one”). `shown` is how it is written, `said` with its unit.
    """

    value: str
    unit: str | None
    counted: tuple[str, ...]
    place: int
    shown: str
    weak: bool = False
    said: str = ""


@lru_cache(maxsize=1_024)
def amounts(reading: Reading) -> tuple[Amount, ...]:
    """Return the numbers of a text in order."""
    found: list[Amount] = []
    words = reading.words
    place = 0
    while place < len(words):
        word = words[place]
        if word.kind != "number" and (word.kind != "word" or not _is_numeral(word.low)):
            place += 1
            continue
        values, after = _values(words, place)
        shown = reading.text[words[place].start : words[after - 1].end]
        before = words[place - 1] if place else None
        joined = _joined(words[place])
        unit, counted = (joined, ()) if joined else _counted(words, after, before)
        weak = after == place + 1 and words[place].low in _ONE
        first = place - (before is not None and before.low in MONEY)
        last = after - 1 + (len(counted) if unit and first == place else 0)
        said = reading.text[words[first].start : words[min(last, len(words) - 1)].end]
        found += [Amount(value, unit, counted, place, shown, weak, said) for value in values]
        place = after
    return tuple(found)


@lru_cache(maxsize=20_000)
def _is_numeral(low: str) -> bool:
    """Return whether a number can begin with the folded word."""
    return low in _VALUES or _JOINED.fullmatch(low) is not None


def _values(words: Sequence[Word], place: int) -> tuple[tuple[str, ...], int]:
    """Return the number that begins at a word, in all its readings, and the place after it."""
    word = words[place]
    if word.kind == "number":
        return _digits(words, place)
    joined = _JOINED.fullmatch(word.low)
    return ((_COMPOUND[joined[1]],), place + 1) if joined else _spelt(words, place)


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
        return (_shown(float(_noon(int(value), half))),), after + 1
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
        hours, after = _noon(hours, half), after + 1
    return ((_shown(float(hours)) if not minutes else f"{hours}:{minutes:02}"),), after


def _half_of_day(words: Sequence[Word], place: int) -> str | None:
    if place >= len(words):
        return None
    low = words[place].low
    following = words[place + 1].low if place + 1 < len(words) else ""
    if low in {"am", "pm"}:
        return low
    return {"a": "am", "p": "pm"}.get(low) if following == "m" else None


def _noon(hours: int, half: str) -> int:
    return hours % _NOON + (_NOON if half == "pm" else 0)


def _spelt(words: Sequence[Word], place: int) -> tuple[tuple[str, ...], int]:
    """Return the number that a row of number words says: two hundred and five, двадцать пять, две тысячи."""
    total, current, at, last = 0.0, _VALUES[words[place].low], place + 1, _VALUES[words[place].low]
    while at < len(words) and words[at].kind == "word":
        low = words[at].low
        following = _VALUES.get(words[at + 1].low) if at + 1 < len(words) else None
        if low == "hundred":
            current *= _HUNDRED
        elif low in FACTORS and low != "k":
            total, current = total + current * FACTORS[low], 0.0
        elif low in _VALUES and _adds(last, _VALUES[low]) and words[at].start - words[at - 1].end <= 1:
            current += _VALUES[low]
        elif low == "and" and following is not None and last >= _HUNDRED and following < _HUNDRED:
            at += 1
            continue
        elif low in {"and", "с"} and _is_half(words, at + 1):
            return (_shown(total + current + 0.5),), at + 2
        else:
            break
        last = _HUNDRED if low == "hundred" else FACTORS.get(low, _VALUES.get(low, 0.0))
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
    found = _JOINED.fullmatch(word.low)
    return _JOINED_UNITS.get(found[2]) if found else None


def _counted(words: Sequence[Word], after: int, before: Word | None) -> tuple[str | None, tuple[str, ...]]:
    """Return the unit of a number, from the sign before it or the words after it, and the stems of these words."""
    counted: list[str] = []
    unit = unit_of(before.low) if before and (before.low in MONEY or before.low in _CODES) else None
    for place in range(after, min(after + _REACH, len(words))):
        word = words[place]
        if word.kind == "number" or word.low in _VALUES or word.low in _STOPS or word.clause != words[after].clause:
            break
        if word.low in {"pp", "пп", "п"}:
            return "percentage point", tuple(counted)
        counted.append(word.stem)
        named = unit_of(word.low)
        if named and not (word.low == "second" and before is not None and before.low == "the"):
            return unit or _unit(named, words, place), tuple(counted)
    return unit, tuple(counted)


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
    return str(int(value)) if value == int(value) and abs(value) < _WHOLE else repr(round(value, 6))


def is_number_word(low: str) -> bool:
    """Return whether the folded word says a number."""
    return low in _VALUES or low in FACTORS
