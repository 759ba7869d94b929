"""Exact conversion: two weeks are 14 days, a year is 12 months, half is 50 % and a quarter 25 %, сутки are 24 hours.

A claim is judged in the measures of its quotes, so that its bounds and its words are compared as always. Working days are
no days, a month is no number of days.
"""

import re

from core.proof.numbers import Amount, amounts
from core.proof.units import unit_of
from core.proof.words import Reading, read

# How many of a smaller unit a larger one is, where that is exact.
_EXACT = {
    ("decade", "year"): 10,
    ("year", "quarter"): 4,
    ("year", "month"): 12,
    ("quarter", "month"): 3,
    ("half-year", "month"): 6,
    ("fortnight", "week"): 2,
    ("fortnight", "day"): 14,
    ("week", "day"): 7,
    ("day", "hour"): 24,
    ("hour", "minute"): 60,
    ("minute", "second"): 60,
    ("second", "millisecond"): 1_000,
    ("kilometre", "metre"): 1_000,
    ("metre", "centimetre"): 100,
    ("metre", "millimetre"): 1_000,
    ("centimetre", "millimetre"): 10,
    ("tonne", "kilogram"): 1_000,
    ("kilogram", "gram"): 1_000,
    ("gram", "milligram"): 1_000,
    ("litre", "millilitre"): 1_000,
}
_RATES = {**_EXACT, **{(small, large): 1 / rate for (large, small), rate in _EXACT.items()}}
_UNITS = frozenset(unit for pair in _EXACT for unit in pair)
# One of a unit, said without a number.
_ONE = re.compile(
    r"(?<![\w-])(?:(?:an?|one) (?P<en>decade|year|quarter|fortnight|week|day|hour|minute)(?!\w)"
    r"|(?P<ru>сутки|суток|неделю|неделя|недели|год|года|час|минуту|полугодие)(?!\w))"
)
_BARE = re.compile(r"\b(?:один|одна|одну|одни|одного|одной)\s$|\d\s$")
# Parts that are said in words, and how many per cent they are.
_SHARES = {"0.5": "50", "0.25": "25"}


def converted(text: str, known: Reading) -> str:
    """Return the text with its amounts in the measures of the known text, where they are exactly the same."""
    claim = read(text)
    own = amounts(claim)
    ones = _ones(claim)
    if not own and not ones:
        return text
    held = amounts(known)
    changes = [change for one in own if (change := _of_number(one, claim, held, known))]
    taken = [span for *span, _ in changes]
    changes += [change for one in ones if (change := _of_one(one, held)) and not _within(change[0], taken)]
    folded = claim.text
    for start, end, instead in sorted(changes, reverse=True):
        folded = f"{folded[:start]}{instead}{folded[end:]}"
    return folded if changes else text


_Change = tuple[int, int, str]


def _of_number(own: Amount, claim: Reading, held: tuple[Amount, ...], known: Reading) -> _Change | None:
    """Return what to write instead of the claim's number, or None where its own measure is that of its quotes."""
    start, last = claim.words[own.place].start, claim.words[own.after - 1].end
    if _percent(own) or (own.unit == "%" and own.value in _SHARES.values()):
        return _of_share(own, claim, held)
    if own.unit not in _UNITS or own.sort or own.is_place or ":" in own.shown or len(own.counted) != 1:
        return None
    end = claim.words[min(own.after, len(claim.words) - 1)].end
    if any(one.value == own.value and one.unit == own.unit for one in held) or end < last:
        return None
    for one in held:
        if one.unit != own.unit and not one.sort and not one.weak and _same(own, one):
            return start, end, f"{one.shown} {_word_behind(one, known)}"
    return _of_single(own, known, start, end)


def _same(own: Amount, other: Amount) -> bool:
    rate = _RATES.get((own.unit or "", other.unit or ""))
    return rate is not None and abs(_number(own) * rate - _number(other)) < 1e-9 * max(1.0, abs(_number(other)))


def _number(amount: Amount) -> float:
    return float(amount.value) if ":" not in amount.value else 0.0


def _word_behind(amount: Amount, reading: Reading) -> str:
    return reading.words[amount.after].text if amount.after < len(reading.words) else ""


def _of_single(own: Amount, known: Reading, start: int, end: int) -> _Change | None:
    """Return the known text's “a day” or «сутки» in the place of 24 hours."""
    for one in _ones(known):
        rate = _RATES.get((own.unit or "", unit_of(one["en"] or one["ru"]) or ""))
        if rate is not None and abs(_number(own) * rate - 1) < 1e-9:  # noqa: PLR2004 - equal but for rounding
            return start, end, one.group()
    return None


def _ones(reading: Reading) -> list[re.Match[str]]:
    found = _ONE.finditer(reading.low)
    return [one for one in found if one["en"] or not re.search(r"\d\s$", reading.low[: one.start()][-2:])]


def _of_one(one: re.Match[str], held: tuple[Amount, ...]) -> _Change | None:
    unit = unit_of(one["en"] or one["ru"])
    if any(other.unit == unit for other in held):
        return None
    for other in held:
        rate = _RATES.get((unit or "", other.unit or ""))
        if rate is not None and not other.sort and len(other.counted) == 1 and abs(rate - _number(other)) < 1e-9:  # noqa: PLR2004
            before = _BARE.search(one.string[: one.start()][-8:])
            start = one.start() - (len(before.group()) if before else 0)
            return start, one.end(), other.said
    return None


def _of_share(own: Amount, claim: Reading, held: tuple[Amount, ...]) -> _Change | None:
    start, end = claim.words[own.place].start, claim.words[own.after - 1].end
    if percent := _percent(own):
        share = next((one for one in held if one.value == percent and one.unit == "%"), None)
        return (start, end, share.said) if share else None
    part = next((one for one in held if _percent(one) == own.value), None)
    sign = claim.words[min(own.after, len(claim.words) - 1)].end
    return (start, sign, part.shown) if part and not any(one.value == own.value for one in held) else None


def _percent(amount: Amount) -> str | None:
    """Return how many per cent a part is that is said in a word; None for other amounts."""
    return _SHARES.get(amount.value) if amount.shown[:1].isalpha() else None


def _within(start: int, taken: list[list[int]]) -> bool:
    return any(first <= start < last for first, last in taken)
