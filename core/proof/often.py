"""How often a thing is done: twice a week, every two weeks and every week are three things."""

import re
from functools import lru_cache

from core.proof.numbers import number_of
from core.proof.patterns import compiled
from core.proof.stretches import mentions
from core.proof.units import PERIODS, unit_of
from core.proof.words import Reading

_UNIT = r"[^\W_]{1,24}(?: [^\W_]{1,24}){0,2}"
_TIMES = compiled(
    rf"\b(?:(?P<word>once|twice|thrice|дважды|трижды)|(?P<count>[^\W_]{1, 24}) (?:times|раза?)|(?P<raz>раз))(?: (?:only|just|лишь|только))?"
    rf" (?:in |за |в )?(?P<unit>{_UNIT})"
)
_EVERY = compiled(rf"\b(?:every|each|кажд\w{{2,3}}) (?P<unit>{_UNIT})")
_ADVERB = compiled(
    r"\b(?P<unit>daily|weekly|fortnightly|monthly|quarterly|yearly|annually|hourly|еже(?:час|днев|недель|месяч|кварталь|год)\w+)\b"
)
_MAY = compiled(r"\b(?:every|each|once|twice|thrice|times|daily|hourly|\w+ly)\b|кажд|еже|раз|дважды|трижды")
_COUNTS = {"once": 1.0, "раз": 1.0, "twice": 2.0, "дважды": 2.0, "thrice": 3.0, "трижды": 3.0}
_OTHER = frozenset("other second второй вторую второе вторые".split())
_PASSED = frozenset(
    "a an per every each каждый каждую каждое каждые full whole calendar working рабочий рабочих".split()
)
_FORTNIGHT = 2.0

Often = tuple[float, float, str]


def fault_of_often(claim: Reading, known: Reading) -> str | None:
    """Return that the claim says a thing to be done as often as its quotes do not, in the same unit of time."""
    own = _often(claim)
    if not own or len(mentions(claim)) > 1:
        return None
    held = _often(known)
    for one in own:
        same = {other for other in held if other[2] == one[2]}
        if same and one not in same:
            return f"it says how often otherwise than its quotes ({one[2]})"
    return None


@lru_cache(maxsize=256)
def _often(reading: Reading) -> frozenset[Often]:
    """Return how often things are done by a text: so many times in so many of a unit of time."""
    if _MAY.search(reading.low) is None:
        return frozenset()
    found: set[Often] = set()
    low = reading.low
    for match in _TIMES.finditer(low):
        found |= _of(match["unit"], _counted(match))
    for match in _EVERY.finditer(_TIMES.sub(" ", low)):
        found |= _of(match["unit"], 1.0)
    for match in _ADVERB.finditer(low):
        found |= _of(match["unit"], 1.0)
    return frozenset(found)


def _counted(match: re.Match[str]) -> float:
    word = match["word"] or match["raz"]
    return _COUNTS[word] if word else number_of(match["count"]) or 1.0


def _of(words: str, count: float) -> set[Often]:
    """Return so many times in the span of time that the words begin with: a week, two weeks, every other week."""
    number = 1.0
    for word in words.split(" "):
        unit = unit_of(word)
        if unit in PERIODS and word not in _OTHER:
            return {(count, number * _FORTNIGHT, "week") if unit == "fortnight" else (count, number, unit or "")}
        if word in _OTHER:
            number = _FORTNIGHT
        elif (said := number_of(word)) is not None:
            number = said
        elif word not in _PASSED:
            break
    return set()
