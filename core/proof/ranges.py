"""Numbers that stand together: “from 3 to 5 days” is a range of one unit, “fell from 20 to 15 euros” a change."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from core.proof.units import FACTORS, MONEY
from core.proof.words import Reading

if TYPE_CHECKING:
    from core.proof.numbers import Amount

Joint = Literal["to", "and"]

_TO = re.compile(
    r"\s?(?:[-–—…]|\.{2,3}|\bto\b|\bthrough\b|\buntil\b|\btill\b|\bдо\b)\s?(?:[a-z]{0,2}[€$£₽¥]\s?|-(?=$))?"
)
_AND = re.compile(r",?\s?(?:,|/|\band\b|\bor\b|\bи\b|\bили\b|\bлибо\b)\s?[€$£₽¥]?\s?")
_BETWEEN = re.compile(r"(?:\bbetween|\bмежду)\s[€$£₽¥]?$")
_FROM = re.compile(r"(?:\bfrom|\bот|\bс|\bсо)\s[€$£₽¥]?-?$")
_WITH = re.compile(r"(?:\bс|\bсо)\s$")
# What goes from one number to another goes through none of those between.
_CHANGING = re.compile(
    r"\b(?:rose|ris(?:e|es|en|ing)|fell|fall(?:s|en|ing)?|gr[eo]w(?:s|n|ing|th)?|drop\w*|declin\w*|decreas\w*|increas\w*|chang\w*"
    r"|rais\w*|lower\w*|reduc\w*|cut\w*|mov\w*|shift\w*|climb\w*|jump\w*|slip\w*|shr[aiu]nk\w*|went|goes|up|down|expand\w*|upgrad\w*"
    r"|вырос\w*|вырас\w*|раст[еу]\w*|рос(?:ла|ли|ло|т)?|упал\w*|паде\w*|пада\w*|сниз\w*|сниж\w*|повы[сш]\w*|увелич\w*|уменьш\w*"
    r"|сокра[тщ]\w*|подн\w+|опуст\w*|подорож\w*|подешев\w*|измен\w*|перен[ео]с\w*|расшир\w*)\b"
)
_WINDOW = 60
_LEAST, _NEAR = 1_000, 12


class Pair(NamedTuple):
    """Two numbers that stand beside each other. `changes`: the first was, the second is."""

    first: "Amount"
    second: "Amount"
    joint: Joint
    changes: bool


def sharing(reading: Reading, found: Sequence["Amount"]) -> tuple["Amount", ...]:
    """Return the amounts, those that stand together each in the unit that one of them says for both."""
    shared = list(found)
    for at in range(len(shared) - 2, -1, -1):
        joint = _joint(reading, shared[at], shared[at + 1])
        if joint is not None:
            shared[at], shared[at + 1] = _alike(reading, shared[at], shared[at + 1], joint)
    return tuple(shared)


def _joint(reading: Reading, one: "Amount", other: "Amount") -> Joint | None:
    if ":" in one.shown or ":" in other.shown:
        return None
    behind = one.after + len(one.counted)
    joint = _joint_behind(reading, one, other, one.after)
    return joint or (_joint_behind(reading, one, other, behind) if behind <= other.place else None)


def _joint_behind(reading: Reading, one: "Amount", other: "Amount", behind: int) -> Joint | None:
    end, start = reading.words[behind - 1].end, reading.words[other.place].start
    if not 0 < start - end <= _NEAR:
        return None
    between = reading.low[end:start]
    if _TO.fullmatch(between):
        return "to"
    if _AND.fullmatch(between) is None:
        return None
    first = reading.words[one.place].start
    return "to" if _BETWEEN.search(reading.low, max(0, first - _NEAR), first) else "and"


def _alike(reading: Reading, one: "Amount", other: "Amount", joint: Joint) -> tuple["Amount", "Amount"]:
    if one.unit is None and not one.counted and (other.unit or other.counted) and not _is_year(one.value):
        factor = FACTORS.get(reading.words[other.after - 1].low, 1)
        value = one.value
        if joint == "to" and factor > 1 and other.after > other.place + 1 and one.after == one.place + 1:
            value = _times(value, factor)
        return one._replace(value=value, unit=other.unit, counted=other.counted, sort=other.sort), other
    if joint == "to" and other.unit is None and one.unit in MONEY and not one.counted:
        following = reading.words[other.after] if other.after < len(reading.words) else None
        if following and following.low == "m" and following.start == reading.words[other.after - 1].end:
            one, other = (each._replace(value=_times(each.value, 10**6)) for each in (one, other))
            return one, other._replace(unit=one.unit, sort=one.sort, counted=(), after=other.after + 1)
        if not other.counted:
            return one, other._replace(unit=one.unit, sort=one.sort)
    return one, other


def _times(value: str, factor: float) -> str:
    """Return a number times what stands behind the other one of its range: from 4.1 to 5.3 million."""
    number = _number(value)
    if number is None or abs(number) >= _LEAST:
        return value
    product = round(number * factor, 6)
    return str(int(product)) if product == int(product) else repr(product)


def _number(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None


def _is_year(value: str) -> bool:
    return len(value) == 4 and value[:2] in {"18", "19", "20"} and value.isdigit()  # noqa: PLR2004 - of four digits


def pairs_of(reading: Reading, found: Sequence["Amount"]) -> tuple[Pair, ...]:
    """Return the numbers of a text that stand together, two by two."""
    pairs = []
    for one, other in pairwise(found):
        joint = _joint(reading, one, other)
        if joint is not None:
            pairs.append(Pair(one, other, joint, joint == "to" and _changes(reading, one)))
    return tuple(pairs)


def _changes(reading: Reading, one: "Amount") -> bool:
    start = reading.words[one.place].start
    before = reading.low[max(0, start - _WINDOW) : start]
    if _FROM.search(before) is None:
        return False
    clause = re.split(r"[;:\n]|[.!?]\s", before)[-1]
    return _CHANGING.search(clause) is not None


def _is_timed(reading: Reading, amount: "Amount") -> bool:
    """Return whether a number is an hour: 10 am, 10 every day, 10 daily."""
    words, after = reading.words, amount.after
    following = words[after].low if after < len(words) else ""
    daily = following in {"every", "each"} or following.endswith("ly") or following.startswith(("кажд", "еже"))
    return daily or words[after - 1].low in {"am", "pm"} or words[after - 2].low in {"a", "p"}


def is_quantity(reading: Reading, pair: Pair) -> bool:
    """Return whether a pair is a range of how much there is, neither of hours of the day nor of years or dates."""
    if pair.joint != "to" or pair.changes or not (pair.first.unit or pair.first.counted):
        return False
    if pair.first.unit != pair.second.unit or (pair.first.unit is None and pair.second.is_place):
        return False
    if _is_timed(reading, pair.second):
        return False
    start = reading.words[pair.first.place].start
    if _WITH.search(reading.low, max(0, start - 4), start):
        return False
    low, high = _number(pair.first.value), _number(pair.second.value)
    return low is not None and high is not None and low < high and not _is_year(pair.second.value)
