"""A claim that keeps to the words of its quotes: a word of its own among theirs is a change, and is doubted."""

import re
from collections.abc import Sequence
from functools import cache

from core.proof.alongside import Beside, alongside
from core.proof.backing import Backing, Held, held_of
from core.proof.bounds import bounds
from core.proof.denials import is_adverse, is_denying
from core.proof.names import is_verbal
from core.proof.quantifiers import reach
from core.proof.units import unit_of
from core.proof.words import Reading, Word, read
from core.text import stem

# From this on even a Russian verb is one exchanged for another, and not a way to say it.
_SAME = 0.85
_PARTICIPLE = re.compile(r"[а-я]{4,}(?:[ае]н|[иыяо]т)(?:а|о|ы)?$")
# Verbs that only carry the noun beside them: support runs until June, the check takes place in May.
_CARRYING = """
run runs last lasts take takes place apply applies continue hold held remain occur happen proceed
идти идет идут длиться длится действовать действует проводиться проводится проводят производиться производится происходить
происходит осуществляться осуществляется выполняться выполняется
"""
_NOBODY = frozenset("nobody none never никто никому никого никем никакой никакая никакую никакие никогда".split())
_LIMITS = (frozenset(["most"]), frozenset(["least"]))
_MEASURES = frozenset(
    "long more most less least later earlier longer shorter minimum maximum max min"
    " больше более меньше менее позже позднее раньше ранее дольше минимум максимум минимально максимально".split()
)


def doubt_of_following(text: str, backing: Backing) -> str | None:
    """Return what a claim has among words of its quotes and they have not, or the bound of a number that it leaves out."""
    claim = read(text)
    above = held_of(backing.above.stems if backing.asks_whether else backing.above.stems | backing.granted.stems)
    for beside in alongside(claim, backing.quoted):
        if beside.close and (doubt := _of_its_own(beside, above) or _unbounded(beside, claim, backing.quoted)):
            return doubt
    return None


def _of_its_own(beside: Beside, above: Held) -> str | None:
    matched = {place for place, _ in beside.pairs}
    theirs = held_of(frozenset(word.stem for word in beside.other))
    for place, word in enumerate(beside.own):
        if word.kind != "word" or not word.says or place in matched or _is_measure(word, beside.own[:place]):
            continue
        if not word.low.isascii() and (is_verbal(word) or _PARTICIPLE.search(word.low)) and beside.kept < _SAME:
            continue
        if word.low not in _NOBODY and (is_denying(word.low) or theirs.opposes(word)):
            continue
        if (above.holds(word) or theirs.holds(word)) and not _replaces(place, beside):
            continue
        if word.stem in _carrying() or (is_adverse(word.stem) and any(is_adverse(one) for one in theirs.stems)):
            continue
        return f"its quotes do not say “{word.text}” there"
    return None


@cache
def _carrying() -> frozenset[str]:
    return frozenset(map(stem, _CARRYING.split()))


def _replaces(place: int, beside: Beside) -> bool:
    """Return whether behind the same word the quotes have another one, which the claim has not."""
    partners = dict(beside.pairs)
    before = next((partners.get(at) for at in range(place - 1, -1, -1) if beside.own[at].says), None)
    if before is None:
        return False
    behind = next((at for at in range(before + 1, len(beside.other)) if beside.other[at].says), None)
    return behind is not None and behind not in partners.values() and beside.other[behind].kind == "word"


def _is_measure(word: Word, before: Sequence[Word]) -> bool:
    """Return whether a word says how much, how far or may it be: other checks know these in other words, too."""
    counts = any(one.kind == "number" or one.numeral for one in before[-2:])
    return (
        word.numeral
        or word.low in _MEASURES
        or (counts and unit_of(word.low) is not None)
        or bool(reach(read(word.low)))
    )


def _unbounded(beside: Beside, claim: Reading, quote: Reading) -> str | None:
    """Return the number that is a limit in the quotes and none in the claim."""
    said, held = bounds(claim), bounds(quote)
    for word in (beside.own[place] for place, _ in beside.pairs):
        if word.kind == "number" and said.get(word.low) == frozenset([""]) and held.get(word.low) in _LIMITS:
            return f"its quotes bound “{word.text}”, and it does not"
    return None
