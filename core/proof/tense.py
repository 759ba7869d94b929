"""What was, is and will be: a claim may not move what its quotes say into another time."""

import re
from functools import lru_cache

from core.proof.alongside import alongside
from core.proof.backing import Backing
from core.proof.words import Reading, Word, read

_AUXILIARIES = {
    **dict.fromkeys("will shall going".split(), "future"),
    **dict.fromkeys("was were had did".split(), "past"),
    **dict.fromkeys("is are am be do does can may must should to being".split(), "present"),
}
_CONDITIONS = frozenset("if when once after before until while unless если когда пока после до кто".split())
_AUXILIARY_REACH = 4
# Who tells the same in other words may tell it in another tense, too.
_ALIKE = 0.5
_PAST_RU = re.compile(r"[а-я]{2,}(?:[аеиыоуя]л(?:а|о|и)?|[сзгкрб]л[аои]|шел|шл[аои])(?:ся|сь)?")
_NOT_PAST_RU = re.compile(
    r"(?:если|или|было|была|были|цел\w+|мал\w+|тепл\w+|стал[ьи]|дел[аои]?|чис[е]?л[аои]?|правил[ао])"
)
_PRESENT_RU = re.compile(r"[а-я]{2,}(?:ет|ют|ит|ят|ат|ут|ешь|ишь|ем|им|ете|ите)(?:ся|сь)?")
_NOT_PRESENT_RU = re.compile(r"[а-я]+(?:ент|тет|кет|ист|ант|рат|дат|кат|нтом|ием|ием|ним|ким|сим)")


def doubt_of_tense(text: str, backing: Backing) -> str | None:
    """Return the word that the claim puts into another time than its quotes do, or None."""
    return _moved(read(text), backing.quoted)


@lru_cache(maxsize=1_024)
def _moved(claim: Reading, quote: Reading) -> str | None:
    for beside in alongside(claim, quote):
        own, other, pairs, kept = beside
        for here, there in pairs if kept >= _ALIKE else ():
            said = _time(here, own)
            held = _time(there, other) if said else None
            if held and said != held and not _is_condition(here, own):
                return f"it tells of “{own[here].text}” as {said}, its quotes as {held}"
    return None


def _is_condition(place: int, sentence: tuple[Word, ...]) -> bool:
    clause = sentence[place].clause
    return any(one.low in _CONDITIONS for one in sentence[:place] if one.clause == clause)


def _time(place: int, sentence: tuple[Word, ...]) -> str | None:
    """Return the time that a word is told in, None where its form and the words before it do not tell."""
    word = sentence[place]
    if word.kind != "word":
        return None
    return _time_en(place, sentence) if word.low.isascii() else _time_ru(word.low)


def _time_en(place: int, sentence: tuple[Word, ...]) -> str | None:
    for before in reversed(sentence[max(0, place - _AUXILIARY_REACH) : place]):
        if before.clause != sentence[place].clause:
            break
        if before.low == "been":  # the perfect may be either
            return None
        if before.low in _AUXILIARIES:
            return _AUXILIARIES[before.low]
        if before.tells:
            break
    # “Its chair is …”: what it is said of.
    behind = sentence[place + 1].low if place + 1 < len(sentence) else ""
    return _AUXILIARIES[behind] if behind in {"was", "were", "is", "are"} else None


@lru_cache(maxsize=20_000)
def _time_ru(low: str) -> str | None:
    if _PAST_RU.fullmatch(low) and not _NOT_PAST_RU.fullmatch(low):
        return "past"
    if _PRESENT_RU.fullmatch(low) and not _NOT_PRESENT_RU.fullmatch(low):
        return "present or future"
    return None
