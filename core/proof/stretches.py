"""Pairs and dates as they are joined: Monday to Friday is not Monday and Friday, 2:3 not 3:2, until not from."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from core.proof.days import DAYS, MONTHS
from core.proof.numbers import Amount, amounts
from core.proof.patterns import compiled
from core.proof.ranges import Pair, pairs_of
from core.proof.words import Reading

Side = Literal["until", "since", "after", "on", "first", "last"]
Key = tuple[str, int, int]

_SCORE = compiled(r"(?<![\d.:/-])(\d{1,4})\s?[:–-]\s?(\d{1,4})(?![\d:]|[.,/-]\d)")
_UNTIL = compiled(
    r"(?:\bbefore|\buntil|\btill|\bby|\bup to|\bprior to|\b(?:no|not) later than|\bдо|\bк|\bко|\bне (?:позднее|позже|далее)|\bраньше|\bперед)"
    r"(?: (?:the|end of|the end of|конца|начала|noon on|midnight on))?\s$"
)
_SINCE = compiled(r"(?:\bfrom|\bsince|\bstarting(?: on| in| from)?|\bas of|\bс|\bсо|\bначиная со?|\bот|\bне ранее)(?: (?:the|конца|начала|late|early))?\s$")  # fmt: skip
_AFTER = compiled(r"(?:\bafter|\bпосле|\bпозже|\blater than)(?: (?:the|конца))?\s$")
_TO = compiled(r"\s?(?:-|–|—|\bto\b|\bthrough\b|\buntil\b|\btill\b|\bпо\b|\bдо\b)\s?(?:the )?")
_AND = compiled(r",?\s?(?:,|/|&|\band\b|\bor\b|\bи\b|\bили\b)\s?(?:on |in |во? )?")
_BETWEEN = compiled(r"\b(?:between|между)\s$")
# What ends at a day is so until that day; what is not so until then begins with it.
_ENDING = compiled(
    r"\b(?:end\w*|expir\w*|clos\w*|deadline|due|last|latest|stop\w*|finish\w*|runs? out|over|lapses?|истек\w*|законч\w*|заканч\w*|оконч\w*"
    r"|оканч\w*|срок\w*|крайн\w+|последн\w+|дедлайн\w*|закр\w+|заверш\w*|прекра\w+|конч\w+)\b"
)
# What begins at a day is so since then.
_BEGINNING = compiled(
    r"\b(?:beg[aiu]n\w*|start\w*|bec[ao]me\w*|join\w*|open\w*|launch\w*|introduc\w*|found(?:ed|s)|establish\w*|appoint\w*|mov(?:ed|es?)"
    r"|начин\w+|effect\w*|effective|force|valid|hired|took|takes?|bought|acquired|switch\w*|нача\w+|стал\w*|откры\w+|ввел\w*|введ\w+|вводит\w*|основа\w+"
    r"|вступ\w+|назнач\w+|перееха\w+|переш\w+|пришел|пришл\w|запу\w+|приня\w+|действ\w+|создан\w*|появ\w+)\b"
)
_DENYING = compiled(r"\b(?:not|no|never|closed|shut|unavailable|не|нет|нельзя|закрыт\w*|недоступ\w*)\b")
_FORMERLY = compiled(
    r"\b(?:was|were|had|used to|before|previously|formerly|from|earlier|initial\w*|origin\w*|once|old|former|start\w*|began|instead of|than|had been"
    r"|был\w*|раньше|ранее|прежде|прежн\w+|с|со|от|вместо|прошл\w+|стар\w+|начина\w+|исходн\w+|первоначальн\w*|чем)\b"
)
_WINDOW = 28
_YEAR = compiled(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
# The hours that have a name.
_TURNS_OF_DAY = {
    **dict.fromkeys("noon midday полдень полдня полудня полуднем".split(), 12),
    **dict.fromkeys("midnight полночь полночи полуночи".split(), 24),
}
_LINKS = frozenset("th st nd rd of го е the".split())


class Mention(NamedTuple):
    """A day, month, year or hour with a name of a text, where it stands, and on which side of it what is said lies."""

    key: Key
    start: int
    end: int
    side: Side


def fault_of_stretches(claim: Reading, known: Reading) -> str | None:
    """Return which date, pair or change the claim joins in another way than its quotes."""
    return _side(claim, known) or _pair(claim, known) or _score(claim, known) or _change(claim, known)


def _side(claim: Reading, known: Reading) -> str | None:
    own = mentions(claim)
    if not own:
        return None
    held = mentions(known)
    if not held or bool(_DENYING.search(claim.low)) != bool(_DENYING.search(known.low)):
        return None
    begins = _BEGINNING.search(known.low) is not None
    ends = _ENDING.search(claim.low) is not None and _ENDING.search(known.low) is None
    for one in own:
        sides = {other.side for other in held if _same(one.key, other.key)}
        if sides and not _allowed(one.side, sides, ends=ends, begins=begins):
            said = claim.text[one.start : one.end]
            return f"it says {_SAID[one.side]} {said}, its quotes {_SAID[min(sides)]}"
    return None


_SAID = {
    "until": "until",
    "since": "from",
    "after": "after",
    "on": "on",
    "first": "from",
    "last": "until",
}


def _allowed(side: Side, sides: set[Side], *, ends: bool, begins: bool) -> bool:
    """Return whether what lies on this side of a date may be what the quotes say of it."""
    if side in sides or ({"first", "last"} & sides and side == "on"):
        return True
    match side:
        case "on":
            return bool(sides & {"since"}) or (ends and bool(sides & {"until"}))
        case "until" | "last":
            return bool(sides & {"on", "until", "last"})
        case "since" | "first":
            return bool(sides & {"since", "after", "first"}) or (begins and "on" in sides)
        case "after":
            return bool(sides & {"since", "first"})


def _same(one: Key, other: Key) -> bool:
    return one[0] == other[0] and one[1] == other[1] and (0 in {one[2], other[2]} or one[2] == other[2])


@lru_cache(maxsize=256)
def mentions(reading: Reading) -> tuple[Mention, ...]:
    """Return the days, months and years of a text in order, each with its side."""
    found = list(_places(reading))
    told: list[Mention] = []
    for at, (key, start, end) in enumerate(found):
        before = reading.low[max(0, start - _WINDOW) : start]
        behind = found[at - 1] if at else None
        side = _side_of(before)
        if behind is not None and behind[0][0] == key[0] and _TO.fullmatch(reading.low, behind[2], start):
            told[-1] = told[-1]._replace(side="first")
            side = "last"
        told.append(Mention(key, start, end, side))
    return tuple(told)


def _side_of(before: str) -> Side:
    if _UNTIL.search(before):
        return "until"
    if _SINCE.search(before):
        return "since"
    return "after" if _AFTER.search(before) else "on"


def _places(reading: Reading) -> Iterator[tuple[Key, int, int]]:
    words = reading.words
    for at, word in enumerate(words):
        if word.kind == "number":
            yield from _years(reading, at)
        elif word.low in _TURNS_OF_DAY:
            yield ("time", _TURNS_OF_DAY[word.low], 0), word.start, word.end
        elif word.kind == "word" and word.dated and (word.capital or word.low not in _PLAIN):
            if word.low in DAYS:
                yield ("day", DAYS[word.low], 0), word.start, word.end
            elif word.low in MONTHS:
                first, day = _day_of(reading, at)
                yield ("month", MONTHS[word.low], day), words[first].start, word.end


_PLAIN = frozenset("may mar march sun sat mon wed fri среды среда среде".split())


def _years(reading: Reading, at: int) -> Iterator[tuple[Key, int, int]]:
    """Return the years among the numbers that are written as one: “2023 500 people”."""
    word = reading.words[at]
    for year in _YEAR.finditer(word.low):
        if any(one.value == year[0] and one.unit in {None, "year"} for one in amounts(reading) if one.place == at):
            yield ("year", int(year[0]), 0), word.start + year.start(), word.start + year.end()


def _day_of(reading: Reading, at: int) -> tuple[int, int]:
    """Return where the date of a month begins, and its day of the month."""
    words, before = reading.words, at - 1
    while before >= 0 and words[before].low in _LINKS:
        before -= 1
    if before >= 0 and words[before].kind == "number" and words[before].low.isdigit() and int(words[before].low) <= 31:  # noqa: PLR2004 - days of a month
        return before, int(words[before].low)
    after = words[at + 1] if at + 1 < len(words) else None
    day = int(after.low) if after and after.kind == "number" and len(after.low) <= 2 and after.low.isdigit() else 0  # noqa: PLR2004
    return at, day


def _pair(claim: Reading, known: Reading) -> str | None:
    """Return which two the claim lists where its quotes have all between them, or the other way round."""
    own = {**_joined_days(claim), **_joined_numbers(claim)}
    if not own:
        return None
    held = {**_joined_days(known), **_joined_numbers(known)}
    for key, joint in own.items():
        if held.get(key, joint) != joint:
            return f"it joins two by “{joint}”, its quotes by “{held[key]}”"
    return None


def _joined_days(reading: Reading) -> dict[tuple[str, str], str]:
    found = mentions(reading)
    joined: dict[tuple[str, str], str] = {}
    for one, other in pairwise(found):
        if one.key[0] != other.key[0]:
            continue
        if _TO.fullmatch(reading.low, one.end, other.start):
            joined[str(one.key), str(other.key)] = "to"
        elif _AND.fullmatch(reading.low, one.end, other.start):
            between = _BETWEEN.search(reading.low, max(0, one.start - _WINDOW), one.start)
            joined[str(one.key), str(other.key)] = "to" if between else "and"
    return joined


def _joined_numbers(reading: Reading) -> dict[tuple[str, str], str]:
    pairs = _pairs(reading)
    return {(one.first.value, one.second.value): one.joint for one in pairs if not one.changes and _counts(one)}


def _counts(pair: Pair) -> bool:
    return bool(pair.first.unit or pair.first.counted)


def _pairs(reading: Reading) -> tuple[Pair, ...]:
    return pairs_of(reading, amounts(reading))


def _score(claim: Reading, known: Reading) -> str | None:
    """Return the ratio or score that the claim turns round."""
    own = set(_SCORE.findall(claim.low))
    if not own:
        return None
    held = set(_SCORE.findall(known.low))
    turned = next(((one, other) for one, other in own - held if (other, one) in held and one != other), None)
    return f"the quote says {turned[1]}:{turned[0]}, the claim {turned[0]}:{turned[1]}" if turned else None


def _change(claim: Reading, known: Reading) -> str | None:
    """Return what the claim says to be so though by its quotes it was, before it changed."""
    changed = [pair for pair in _pairs(known) if pair.changes]
    if not changed or _FORMERLY.search(claim.low):
        return None
    gone = {pair.first.value: pair for pair in changed}
    values = [one.value for one in amounts(known)]
    for own in amounts(claim):
        if own.value in gone and values.count(own.value) == 1 and not _is_listed(own, claim):
            return f"the quote says {own.shown} was changed to {gone[own.value].second.said}"
    return None


def _is_listed(own: Amount, claim: Reading) -> bool:
    return any(own.place in {pair.first.place, pair.second.place} for pair in _pairs(claim))
