"""What sort of a unit an amount is in: working days, square metres, degrees Celsius, a country's dollars."""

import re
from collections.abc import Sequence

from core.proof.units import MONEY, kind_of_day, nation_of
from core.proof.words import Reading, Word

_PER = {"h": "hour", "hour": "hour", "ч": "hour", "час": "hour", "s": "second", "second": "second", "с": "second", "секунду": "second"}  # fmt: skip
_SQUARE = re.compile(r"(?:square|sq|кв|квадратн\w*)")
_CUBIC = re.compile(r"(?:cubic|cu|куб|кубическ\w*)")
_LENGTHS = frozenset("kilometre metre centimetre millimetre mile foot inch yard".split())
# Days off are of the kind that one has off.
_OFF = re.compile(r"off|leaves?|vacation|holidays?|отпуск\w*|отгул\w*|выходн\w+")
_SCALES = {"c": "celsius", "с": "celsius", "celsius": "celsius", "f": "fahrenheit", "fahrenheit": "fahrenheit"}
_DOLLARS = {"a": "au", "au": "au", "c": "ca", "ca": "ca", "hk": "hk", "nz": "nz", "s": "sg", "mx": "mx", "r": "br"}
_NEAR = 2


def sort_of(unit: str, reading: Reading, place: int, first: int) -> str:
    """Return the sort of the unit that the word at a place names; the number's words end before `first`."""
    words = reading.words
    word = words[place]
    if unit == "day":
        return _days(words, place, first)
    if unit in _LENGTHS:
        return _size(reading, place, first)
    if unit == "mph":
        return "per hour"
    if unit == "degree":
        return _scale(words, place)
    if unit in MONEY:
        return _country(words, place, first) if word.kind != "sign" else _before_sign(words, place)
    return ""


def _days(words: Sequence[Word], place: int, first: int) -> str:
    near = words[first : place + 2]
    if any(kind_of_day(one.low) == "working" for one in near):
        return "working"
    return "any" if any(_OFF.fullmatch(one.low) for one in words[first : place + 4]) else ""


def _size(reading: Reading, place: int, first: int) -> str:
    words = reading.words
    before = words[place - 1].low if place > first else ""
    if _SQUARE.fullmatch(before):
        return "square"
    if _CUBIC.fullmatch(before):
        return "cubic"
    following = [one.low for one in words[place + 1 : place + 3]]
    if following and following[0] in {"per", "an", "a", "в"}:
        following = following[1:]
    elif not reading.text.startswith("/", words[place].end):
        return ""
    return f"per {_PER[following[0]]}" if following and following[0] in _PER else ""


def _scale(words: Sequence[Word], place: int) -> str:
    near = [words[place].low, *(one.low for one in words[place + 1 : place + 2])]
    for low in near:
        if low in _SCALES:
            return _SCALES[low]
        if low.startswith(("цельси", "фаренгейт")):
            return "celsius" if low.startswith("цельси") else "fahrenheit"
    return ""


def _country(words: Sequence[Word], place: int, first: int) -> str:
    near = [words[place], *words[max(first, place - _NEAR) : place], *words[place + 1 : place + 2]]
    return next((nation for one in near if (nation := nation_of(one.low)) is not None), "")


def _before_sign(words: Sequence[Word], place: int) -> str:
    before = words[place - 1] if place else None
    return _DOLLARS.get(before.low, "") if before and before.end == words[place].start else ""
