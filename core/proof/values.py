"""The numbers, units, dates and periods of a claim, each beside those of its quotes. Conversion is not support."""

import re
from collections.abc import Iterable

from core.proof.backing import Backing, same_root
from core.proof.bounds import fault_of_bounds
from core.proof.dates import Date, dates, is_numeric_date, numbers_in
from core.proof.lexicon import light, meaning
from core.proof.measured import Texts, may_back, stands_in_code, told_as_less
from core.proof.numbers import Amount, amounts
from core.proof.often import fault_of_often
from core.proof.stretches import fault_of_stretches
from core.proof.units import MONEY, PERIODS, kind_of_day, unit_of
from core.proof.words import Reading, read

# What makes a span of time a rate, or a stretch: a day, per month, в год, за неделю.
_DIGITS = re.compile(r"\d+")
# “39 of the 46”: both numbers count the same.
_SHARE = re.compile(
    r"\d\s(?:\w+\s){0,3}(?:of|из)\s(?:the\s|all\s)?\d|\b(?:of|из)\s(?:the\s|all\s)?\d+\s(?:\w+,?\s){0,4}\d"
)
# The last quarter is not the last year.
_TURNING = ("последн", "прошл", "следующ", "текущ", "предыдущ")
_TIMING = frozenset(
    "last past previous next following current coming per within течение a an each every one в за на раз каждый каждую каждое каждые one".split()
)


def fault_of_values(text: str, backing: Backing) -> str | None:
    """Return which number, unit or date of the claim does not stand behind it: that the question supposes it is nothing."""
    return fault_of_readings(read(text), backing.known)


def fault_of_readings(claim: Reading, known: Reading) -> str | None:
    """Return which number, unit, date or bound the one text has that the other has not."""
    return (
        fault_of_numbers(claim, known)
        or _date(claim, known)
        or _period(claim, known)
        or _kind(claim, known)
        or fault_of_bounds(claim, known)
        or fault_of_stretches(claim, known)
        or fault_of_often(claim, known)
    )


def fault_of_numbers(claim: Reading, known: Reading) -> str | None:
    """Return which number, or number with its unit, the one text has that the other has not."""
    held, texts = amounts(known), Texts(claim, known)
    written = {digits for word in known.words if word.kind == "ident" for digits in _DIGITS.findall(word.low)}
    dated = {number for date in dates(known) for number in numbers_in(date)}
    dated |= _months(claim) & {str(date.month) for date in dates(known)}
    shares = _SHARE.search(known.low) or _SHARE.search(claim.low)
    for own in amounts(claim):
        if own.weak:
            if fault := _one(own, held):
                return fault
            continue
        same = [one for one in held if one.value == own.value]
        if not same:
            less = told_as_less(own, texts)
            same = [one for one in held if one.value == less]
        if not same and not (own.value in dated | written and stands_in_code(own, claim)):
            return _told(own, held)
        if same and not any(may_back(own, one, texts) for one in same):
            return _told(own, same)
        if same and not shares and (other := _counted_elsewhere(own, same, held)):
            return _told(own, [other])
    return None


def _months(claim: Reading) -> set[str]:
    """Return the months that the claim writes in digits, each as its number: 2026-03-31 is 31 March."""
    return {str(date.month) for date in dates(claim) if is_numeric_date(date.shown)}


def _one(own: Amount, held: Iterable[Amount]) -> str | None:
    """Return that what the claim counts as one is counted as another number."""
    other = [one for one in held if not one.weak and (own.unit == one.unit if own.unit else _share(own, one))]
    alike = [one for one in held if one.value == own.value]
    return _told(own, other) if other and not alike and own.counted else None


def _counted_elsewhere(own: Amount, same: list[Amount], held: Iterable[Amount]) -> Amount | None:
    """Return the other number of what the claim counts, when its own number counts something else in the quotes."""
    if not own.counted or own.unit or any(not one.counted or _share(own, one) for one in same):
        return None
    return next((one for one in held if one.value != own.value and not one.weak and _share(own, one)), None)


def _share(own: Amount, other: Amount) -> bool:
    return any(
        meaning(a) == meaning(b) or same_root(a, b) for a in own.counted for b in other.counted if a not in light()
    )


def _told(own: Amount, held: Iterable[Amount]) -> str:
    """Return the sentence that sets the claim's number beside the quote's of the same unit or thing."""
    near = next((one for one in held if own.unit == one.unit and (own.unit or _share(own, one))), None)
    near = near or next((one for one in held if one.value == own.value), None)
    if near is None:
        return f"the number {own.shown} does not stand in its quotes"
    return f"the quote says {near.said}, the claim {own.said}"


def _date(claim: Reading, known: Reading) -> str | None:
    held = dates(known)
    values = {one.value for one in amounts(known)}
    for own in dates(claim):
        if any(own.held_by(other) for other in held) or _gathered(own, held, values):
            continue
        near = next((other for other in held if bool(other.month) == bool(own.month) and other.weekday == 0), None)
        said = f"the quote says “{near.shown}”, the claim" if near and not own.weekday else "its quotes do not say"
        return f"{said} “{own.shown}”"
    return None


def _gathered(own: Date, held: tuple[Date, ...], values: set[str]) -> bool:
    """Return whether a date is put together of what the quotes say apart: 12 March, under a heading that says 2025."""
    if own.weekday or own.relative or own.quarter:
        whole = Date(own.year, own.month, own.day)
        parts = (Date(weekday=own.weekday), Date(relative=own.relative), Date(quarter=own.quarter))
        apart = all(any(part.held_by(other) for other in held) for part in parts)
        return apart and (whole == Date() or any(whole.held_by(other) for other in held)) and bool(held)
    agreeing = [other for other in held if own.agrees(other) and (other.month or other.year)]
    year = not own.year or str(own.year) in values or any(other.year == own.year for other in held)
    month = not own.month or any(other.month == own.month for other in agreeing)
    day = not own.day or any(other.day == own.day and other.month in {0, own.month} for other in agreeing)
    ranged = (
        bool(own.day) and str(own.day) in values and not any(other.month == own.month and other.day for other in held)
    )
    return year and month and (day or ranged)


def _period(claim: Reading, known: Reading) -> str | None:
    """Return the unit of time or money that only the claim speaks of: monthly is not yearly."""
    held = {unit for word in known.words if (unit := unit_of(word.low))} | {one.unit for one in amounts(known)}
    if any(date.year for date in dates(known)):
        held.add("year")
    for place, word in enumerate(claim.words):
        unit = unit_of(word.low)
        if unit is None or unit in held or (unit not in PERIODS and unit not in MONEY):
            continue
        before = claim.words[place - 1] if place else word
        timed = (
            unit in MONEY
            or before.low in _TIMING
            or before.low.startswith(_TURNING)
            or word.low.endswith("ly")
            or word.low.startswith("еже")
        )
        told = before.low == "per" or held & (MONEY if unit in MONEY else PERIODS)
        if word.kind == "sign" or (timed and len(word.low) > 1 and told):
            others = sorted(one for one in held if one and (one in MONEY if unit in MONEY else one in PERIODS))
            return f"it speaks of “{word.text}”, its quotes of {', '.join(others) or 'no such thing'}"
    return None


def _kind(claim: Reading, known: Reading) -> str | None:
    """Return that the claim speaks of calendar days where its quotes speak of working days, or the other way."""
    held = {kind for word in known.words if (kind := kind_of_day(word.low))}
    own = next(((word, kind) for word in claim.words if (kind := kind_of_day(word.low)) and kind not in held), None)
    facing = {"working": "calendar", "calendar": "working", "gross": "net", "net": "gross"}
    if own is None or facing[own[1]] not in held:
        return None
    return f"it says “{own[0].text}”, its quotes say {facing[own[1]]}"
