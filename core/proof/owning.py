"""Who is somebody of whom: that Anna is the manager of Tom does not make Tom the manager of Anna.

English tells it by “of” and “'s”, Russian by the case of a name: «Анна — руководитель Тома».
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.proof.backing import Backing, held_of, same_name, same_root
from core.proof.names import is_verbal
from core.proof.words import Reading, Word, read

_OF = frozenset(["of", "to", "for"])
_ARTICLES = frozenset("the a an mr mrs ms dr".split())
_PREPOSITIONS = frozenset(
    "в во на за с со до от по из к ко при для о об у после перед через под над без между и а но или".split()
)
_NEAR = 3


class Owned(NamedTuple):
    """What somebody is, has or does, whose it is, and the others who are named with it."""

    role: Word
    whose: Word
    others: tuple[Word, ...]


def doubt_of_owning(text: str, backing: Backing) -> str | None:
    """Return who is in the claim what its quotes say that the other one is of him, or None."""
    claim, held = read(text), owned(backing.quoted)
    for one in owned(claim) if held else ():
        alike = [other for other in held if _akin(one.role, other.role)]
        if any(_is_same(one.whose, other.whose) for other in alike):
            continue
        for other in alike:
            if _among(other.whose, one.others) and _among(one.whose, other.others):
                return f"it says “{one.role.text}” of “{one.whose.text}”, its quotes of “{other.whose.text}”"
    return (_acting(claim, held) if held else None) or _being(claim, backing.quoted)


def _being(claim: Reading, quote: Reading) -> str | None:
    """Return who is in the quotes what the claim says that another is of him: «его помощник — Инна» for «помощник Инны»."""
    for one in owned(claim):
        for at, word in enumerate(quote.words[:-1]):
            following = quote.words[at + 1]
            is_one = word.stem == one.role.stem and following.capital and _is_same(following, one.whose)
            if is_one and "—" in quote.text[word.end : following.start] and following.low != one.whose.low:
                return f"it says “{one.role.text}” of “{one.whose.text}”, who is that by its quotes"
    return None


def _acting(claim: Reading, held: Sequence[Owned]) -> str | None:
    """Return who does in the claim what in its quotes the other one is to him: “Petrova assists Tom” for her assistant."""
    for one in held:
        if not one.role.low.isascii():
            continue
        for at, word in enumerate(claim.words):
            if word.capital or word.low == one.role.low or not same_root(word.stem, one.role.stem):
                continue
            before = [other for other in claim.words[max(0, at - _NEAR) : at] if other.clause == word.clause]
            behind = [other for other in claim.words[at + 1 : at + 1 + _NEAR] if other.clause == word.clause]
            if any(other.low in {"by", "is", "was", "are", "were"} for other in (*before[-1:], *behind[:1])):
                continue
            if _among(one.whose, before) and any(_among(other, behind) for other in one.others):
                return f"it says that “{one.whose.text}” {word.text}, its quotes say it of another"
    return None


def _akin(one: Word, other: Word) -> bool:
    return one.stem == other.stem or held_of(frozenset([other.stem])).holds(one)


def _is_same(one: Word, other: Word) -> bool:
    return one.stem == other.stem or same_name(one.low, other.low)


def _among(word: Word, others: Sequence[Word]) -> bool:
    return any(_is_same(word, other) for other in others)


@lru_cache(maxsize=256)
def owned(reading: Reading) -> tuple[Owned, ...]:
    """Return what a text tells as somebody's, with the names that its sentence has besides."""
    found = []
    for role, whose in _pairs(reading.words):
        # Some names are small words, too: «Том».
        named = [word for word in reading.words if word.sentence == role.sentence and word.capital]
        others = tuple(word for word in named if word is not whose and not _goes_with(word, whose, named))
        if others:
            found.append(Owned(role, whose, others))
    return tuple(found)


def _goes_with(word: Word, whose: Word, named: Sequence[Word]) -> bool:
    """Return whether a name is another part of the same one: Марка Данна."""
    first, last = sorted((word, whose), key=lambda one: one.start)
    between = [one for one in named if first.start < one.start < last.start]
    return last.start - first.end <= 1 + sum(one.end - one.start + 1 for one in between)


def _pairs(words: Sequence[Word]) -> Iterator[tuple[Word, Word]]:
    for at, word in enumerate(words):
        if word.kind != "word":
            continue
        following = [one for one in words[at + 1 : at + 1 + _NEAR] if one.sentence == word.sentence]
        if not following:
            continue
        if word.own and word.capital:
            role = next((one for one in following if one.tells and not one.capital), None)
            if role is not None:
                yield role, word
        elif word.capital and not word.opens:
            continue
        elif word.low.isascii():
            rest = [one for one in following[1:] if one.low not in _ARTICLES]
            if word.tells and following[0].low in _OF and rest and _is_name(rest[0]):
                yield word, rest[0]
        elif (
            _is_name(following[0]) and not following[0].comma and following[0].start - word.end <= 1 and _is_noun(word)
        ):
            yield word, following[0]


def _is_noun(word: Word) -> bool:
    return word.tells and word.low not in _PREPOSITIONS and (not is_verbal(word) or word.low.endswith("тель"))


def _is_name(word: Word) -> bool:
    return word.kind == "word" and word.capital and word.tells and not word.dated
