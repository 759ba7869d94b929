"""By how much a thing changes, and to what: grew by 15 % is not grew to 15 %, на 200 рублей is not до 200 рублей."""

import re
from functools import lru_cache

from core.proof.backing import Backing
from core.proof.numbers import amounts
from core.proof.words import Reading, Word, read

BY, TO = "by", "to"
_CHANGES = re.compile(
    r"\b(?:r[io]se[ns]?|rising|gr[eo]w(?:n|s|ing|th)?|f[ae]ll(?:s|en|ing)?|dropp?(?:ed|s|ing)?|(?:in|de)creas(?:e[ds]?|ing)"
    r"|reduc(?:e[ds]?|ing|tion)|rais(?:e[ds]?|ing)|lower(?:ed|s|ing)?|cut(?:s|ting)?|shr[aiu]nk\w*|climb(?:ed|s|ing)?"
    r"|declin(?:e[ds]?|ing)|jump(?:ed|s|ing)?|slipp?(?:ed|s)?|extend(?:ed|s|ing)?|shorten(?:ed|s|ing)?|expand(?:ed|s)?"
    r"|chang(?:e[ds]?|ing)|gain(?:ed|s)?|went (?:up|down)|up|down"
    r"|вы?рос\w*|возр[ао]с\w*|раст[её]т|растут|вырастет|вырастут|рост\w*|пад[ае]\w*|упа[лд]\w*|сни[жз]\w*|повы[сш]\w*|пони[жз]\w*"
    r"|увелич\w*|уменьш\w*|сокра[тщ]\w*|подня\w*|подорож\w*|подешев\w*|продл\w*|расшир\w*|опусти\w*|измен\w*|прибав\w*)\b"
)
_MAY_CHANGE = re.compile(r"\b(?:by|to|на|до)\b")
_WAYS = {"by": BY, "to": TO, "на": BY, "до": TO}
_BETWEEN = frozenset(
    "about around almost nearly roughly only just another a an exactly over some more than около почти примерно"
    " лишь только еще целых более чем".split()
)
_REACH, _FAR = 5, 90


def fault_of_changing(text: str, backing: Backing) -> str | None:
    """Return the number that the claim changes a thing by where its quotes change it to that, or the other way round."""
    if not _MAY_CHANGE.search(backing.quoted.low) or not _CHANGES.search(backing.quoted.low):
        return None
    held = _changes(backing.quoted)
    for value, (way, shown) in _changes(read(text)).items():
        if value in held and held[value][0] != way:
            return f"it says “{shown}”, its quotes “{held[value][1]}”"
    return None


@lru_cache(maxsize=256)
def _changes(reading: Reading) -> dict[str, tuple[str, str]]:
    """Return for each number that a change is by, or to, which of the two it is; not one that is both."""
    found: dict[str, tuple[str, str]] = {}
    both: set[str] = set()
    for amount in amounts(reading):
        word = reading.words[amount.place]
        way = _way(amount.place, reading)
        if way is None:
            continue
        if amount.value in found and found[amount.value][0] != way:
            both.add(amount.value)
        found[amount.value] = way, f"{way} {word.text}"
    return {value: one for value, one in found.items() if value not in both}


def _way(place: int, reading: Reading) -> str | None:
    """Return what leads a number in, if a change does: grew by 5, «выросла до 5»; one right behind its verb is “by”."""
    words = reading.words
    own = words[place]
    near = reading.low[max(0, own.start - _FAR) : own.start]
    if not _CHANGES.search(near):
        return None
    for at in range(place - 1, max(-1, place - 1 - _REACH), -1):
        word = words[at]
        if word.sentence != own.sentence:
            return None
        if word.kind == "sign" or word.low in _BETWEEN:
            continue
        if word.low in _WAYS:
            return None if _limits(at, words) else _WAYS[word.low]
        return BY if _CHANGES.fullmatch(word.low) and at == place - 1 - _signs(place, words) else None
    return None


def _limits(at: int, words: tuple[Word, ...]) -> bool:
    """Return whether “to” or «до» is half of a limit or of a range: up to 5, from 3 to 5, на до 5."""
    before = words[at - 1] if at else None
    return before is not None and (before.low in {"up", "по", "на"} and words[at].low in {"to", "до"})


def _signs(place: int, words: tuple[Word, ...]) -> int:
    return 1 if place and words[place - 1].kind == "sign" else 0
