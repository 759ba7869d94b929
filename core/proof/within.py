"""Within and out of, in and off: the small word that puts a thing on the other side."""

from collections.abc import Sequence
from functools import lru_cache

from core.proof.alongside import Beside, alongside
from core.proof.backing import Backing
from core.proof.names import is_verbal
from core.proof.words import Reading, Word, read

_INSIDE, _OUTSIDE = "inside", "outside"
# What leads a thing in as within it, or as out of it; of two words first.
_SIDES: dict[tuple[str, ...], str] = {
    **dict.fromkeys([("within",), ("inside",), ("in",), ("on",), ("under",)], _INSIDE),
    **dict.fromkeys(
        [("out", "of"), ("outside",), ("outside", "of"), ("beyond",), ("off",), ("away", "from")], _OUTSIDE
    ),
    **dict.fromkeys([("внутри",), ("в",), ("во",), ("на",), ("под",), ("в", "пределах"), ("в", "рамках")], _INSIDE),
    **dict.fromkeys([("вне",), ("снаружи",), ("за", "пределами"), ("за", "пределы"), ("за", "рамками")], _OUTSIDE),
}
# What does so of a place alone: за территорией, за зданием, never за столом.
_BEHIND = frozenset("территорией зданием оградой забором порогом воротами городом".split())
_BOUNDS = frozenset("пределах пределами пределы пределов рамках рамками рамок".split())
_DETERMINERS = frozenset("the a an its their our his her this that each any all".split())
_ELSEWHERE = frozenset("elsewhere otherwise other others остальных других прочих иначе".split())
_REACH = 3


def doubt_of_sides(text: str, backing: Backing) -> str | None:
    """Return the thing that the claim is within and its quotes are out of, or the other way round."""
    claim = read(text)
    if not _has_sides(claim) or not _has_sides(backing.quoted):
        return None
    for beside in alongside(claim, backing.quoted):
        pairs = [*beside.pairs, *_small(beside)]
        for here, there in pairs:
            said = side_of(here, beside.own)
            held = side_of(there, beside.other) if said else None
            if said and held and said != held and not _is_told_too(said, there, beside):
                return f"it says that it is {said} “{beside.own[here].text}”, its quotes {held}"
    return None


def _is_told_too(side: str, place: int, beside: Beside) -> bool:
    """Return whether a sentence speaks of a thing from that side, too: “free in the euro area, 1.5% outside it”.

    Then the claim may say what it says there, and nothing that it says of the other side alone.
    """
    sentence = beside.other
    if any(side_of(at, sentence) == side for at, one in enumerate(sentence) if one.stem == sentence[place].stem):
        return True
    out = next((at for at in range(len(sentence)) if _is_out(at, sentence)), None) if side == _OUTSIDE else None
    if out is None:
        return False
    clause = sentence[out].clause
    here, there = (
        {one.start for one in sentence if one.says and one.clause == number and one.low not in _FIRST}
        for number in (sentence[place].clause, clause)
    )
    told = beside.matched - {sentence[place].start}
    return not (told & here - there) or bool(told & there - here)


def _is_out(at: int, sentence: Sequence[Word]) -> bool:
    return any(_SIDES.get(sign) == _OUTSIDE or sign[0] in _ELSEWHERE for sign in _signs_at(at, sentence))


def _signs_at(at: int, sentence: Sequence[Word]) -> tuple[tuple[str, ...], ...]:
    return (sentence[at].low,), tuple(word.low for word in sentence[at : at + 2])


@lru_cache(maxsize=256)
def _has_sides(reading: Reading) -> bool:
    return not _FIRST.isdisjoint(reading.lows)


_FIRST = frozenset(sign[0] for sign in _SIDES) | {"за"}


def _small(beside: Beside) -> list[tuple[int, int]]:
    """Return the places of the nouns that both have and that say little by themselves: stock, service, limits."""
    own = [at for at, word in enumerate(beside.own) if word.kind == "word" and word.tells and not word.says]
    return [
        (at, to)
        for at in own
        for to, word in enumerate(beside.other)
        if word.stem == beside.own[at].stem and word.tells and not word.says
    ]


def side_of(place: int, sentence: Sequence[Word]) -> str | None:
    """Return on which side of a thing something is, by the word that leads it in."""
    word = sentence[place]
    if word.kind != "word" or (not word.low.isascii() and word.low not in _BOUNDS and is_verbal(word)):
        return None
    for at in range(place - 1, max(-1, place - 1 - _REACH), -1):
        if side := _side_at(at, sentence, word):
            return side
        before = sentence[at]
        if before.clause != word.clause or before.comma or before.low not in _DETERMINERS | _BOUNDS:
            return None
    return None


def _side_at(at: int, sentence: Sequence[Word], word: Word) -> str | None:
    """Return the side that the word at a place tells, with the one behind or before it."""
    low = sentence[at].low
    led = _SIDES.get((sentence[at - 1].low, low)) if at else None
    if low == "за":
        return _OUTSIDE if word.low in _BEHIND | _BOUNDS else None
    return led or _SIDES.get((low, sentence[at + 1].low)) or _SIDES.get((low,))
