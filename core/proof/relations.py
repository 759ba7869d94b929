"""When one thing is beside another: before, after or during it, the next day or the same, every day or on some."""

import re
from functools import lru_cache

from core.proof.alongside import alongside
from core.proof.backing import Backing
from core.proof.bounds import goes_beyond
from core.proof.patterns import compiled
from core.proof.words import Reading, Word, read

_BEFORE, _UNTIL, _AFTER, _DURING, _WHEN, _AT = "before", "until", "after", "during", "when", "at"
_RELATIONS = {
    **dict.fromkeys("before prior перед накануне прежде".split(), _BEFORE),
    **dict.fromkeys("until till до".split(), _UNTIL),
    **dict.fromkeys("after once following после спустя".split(), _AFTER),
    **dict.fromkeys("during while throughout время течение".split(), _DURING),
    **dict.fromkeys("when когда".split(), _WHEN),
    **dict.fromkeys("in on at в во".split(), _AT),
}
# What tells so only behind a stretch of time.
_LATER = {
    **dict.fromkeys("later afterwards позже позднее".split(), _AFTER),
    **dict.fromkeys("earlier beforehand раньше ранее".split(), _BEFORE),
}
_INNER = frozenset("время течение".split())
# Which of them do not go together; «до» is both “before” and “until”.
_APART = {
    _BEFORE: {_AFTER, _DURING, _WHEN},
    _UNTIL: {_AFTER, _DURING, _WHEN},
    _AFTER: {_BEFORE, _UNTIL, _DURING},
    _DURING: {_BEFORE, _UNTIL, _AFTER},
    _WHEN: {_BEFORE},
    _AT: set[str](),
}
# “… until it is signed, and a week after that”: the same thing stands in two relations.
_AGAIN = compiled(
    r"\b(before|after|until|following|до|после|перед) (?:it|that|this|them|which|него|нее|них|ней|этого|того|чего)\b(?!,? как)"
)
_YEAR = compiled(r"(?:19|20)\d\d")
_REACH = 4
_SHIFTS = {
    "next": compiled(r"\b(?:next|following|subsequent|tomorrow|следующ\w+|завтра)\b"),
    "previous": compiled(r"\b(?:previous|preceding|yesterday|day before|предыдущ\w+|прошл\w+|накануне|вчера)\b"),
}
_PART_OF_DAY = r"(?:day|days|morning|evening|night|afternoon|день|дня|утро|вечер|ночь)"
_EVERY = compiled(rf"\b(?:every|each|any|кажд\w+|люб\w+) {_PART_OF_DAY}\b|\bdaily\b|\bежедневно\b|\bкруглосуточно\b")
_OFTEN = compiled(
    rf"\b(?:every|each|any|all|per|a) (?:\w+ )?{_PART_OF_DAY}\b|\bdaily\b|\balways\b|\bat any (?:time|hour)\b"
    r"|\b(?:в|за) (?:день|сутки)\b|\bежедневн|\bкажд|\bлюб|\bвсегда\b|\bкруглосуточн|\bдне[мй]\b"
)
_TURN = compiled(r"\b(?:(?:every|each|кажд\w+) (\d+)|(?:once|раз) (?:every|в) \d+)")
_TURNS = compiled(
    r"\b(?:every|each|per|once|twice|times|repeat\w*|кажд\w*|раз|раза|еже\w+|повтор\w+|интервал\w*|период\w*|interval\w*|between|между)\b"
)


def doubt_of_relations(text: str, backing: Backing) -> str | None:
    """Return what the claim puts before, after or during a thing, or on a day, where its quotes put it otherwise."""
    claim = read(text)
    return _otherwise(claim, backing.quoted) or _shifted(claim.low, backing.known.low)


@lru_cache(maxsize=256)
def _otherwise(claim: Reading, quote: Reading) -> str | None:
    beyond, again = goes_beyond(quote), {_RELATIONS[found[1]] for found in _AGAIN.finditer(quote.low)}
    for own, other, pairs, _ in alongside(claim, quote):
        for here, there in pairs:
            for relation in () if beyond and own[here].kind == "number" else (_relation, _behind):
                said = relation(here, own)
                held = relation(there, other) if said and said not in again else None
                if said and held and _apart(said, held, own[here]):
                    return f"it says “{said} {own[here].text}”, its quotes “{held} {other[there].text}”"
    return None


def _apart(said: str, held: str, word: Word) -> bool:
    return held in _APART[said] or ({said, held} == {_UNTIL, _AT} and _YEAR.fullmatch(word.low) is not None)


def _relation(place: int, sentence: tuple[Word, ...]) -> str | None:
    """Return what leads a word in, if it tells when."""
    for at in range(place - 1, max(-1, place - 1 - _REACH), -1):
        before = sentence[at]
        found = _RELATIONS.get(before.low)
        if found and not (before.low in _INNER and sentence[at - 1].low not in {"в", "во"}):
            return found
        if before.clause != sentence[place].clause or before.says:
            return None
    return None


def _behind(place: int, sentence: tuple[Word, ...]) -> str | None:
    """Return what follows a word at once, if it tells when: a week before, неделю спустя."""
    low = sentence[place + 1].low if place + 1 < len(sentence) else ""
    found = _LATER.get(low) or _RELATIONS.get(low)
    return {_BEFORE: _BEFORE, _UNTIL: _BEFORE, _AFTER: _AFTER}.get(found or "")


def _shifted(own: str, known: str) -> str | None:
    """Return the day, or the turn, that the claim speaks of and its quotes do not: the next day, every day."""
    if (every := _EVERY.search(own)) and not _OFTEN.search(known):
        return f"it says “{every.group()}”, and its quotes do not"
    if (turn := _TURN.search(own)) and not _TURNS.search(known) and not re.search(rf"\b(?:of|по) {turn[1]}\b", known):
        return f"it says “{turn.group()}”, and its quotes do not"
    for shift in _SHIFTS.values():
        if (found := shift.search(own)) and not shift.search(known):
            return f"it says “{found.group()}”, and its quotes do not"
    return None
