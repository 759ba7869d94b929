"""Two of one kind: the server in Porto that backs up the one in Lyon is not the one that is backed up.

What is said of two things that one noun names is told apart by the words that stand with the noun alone.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from core.proof.backing import Backing, same_name, same_root
from core.proof.lexicon import meaning
from core.proof.names import is_verbal
from core.proof.units import unit_of
from core.proof.words import SENTENCE, Reading, Word, read

_LINKS = frozenset("in of at on for from with to by the a an в во на из от для при у с со".split())
_JOINS = frozenset("and or but while whereas и или а но than чем".split())
_REACH, _TWO = 3, 2


class Twins(NamedTuple):
    """Two things that one noun names, in their order: the noun twice, what each is told apart by, and what is between."""

    heads: tuple[Word, Word]
    first: frozenset[str]
    second: frozenset[str]
    between: tuple[Word, ...]
    passive: bool


def doubt_of_twins(text: str, backing: Backing) -> str | None:
    """Return which two things of a kind have changed places in the claim, or None."""
    own = twins(read(text))
    for one in own:
        for other in twins(backing.quoted) if own else ():
            if meaning(one.heads[0].stem) != meaning(other.heads[0].stem) or not _crossed(one, other):
                continue
            if _turned(one, other):
                return f"it exchanges two of “{one.heads[0].text}”: “{min(one.first)}” and “{min(one.second)}”"
    return None


def _crossed(one: Twins, other: Twins) -> bool:
    """Return whether the two stand in the other order."""
    turned = _alike(one.first, other.second) and _alike(one.second, other.first)
    return turned and not (_alike(one.first, other.first) or _alike(one.second, other.second))


def _turned(one: Twins, other: Twins) -> bool:
    """Return whether in the other order each does what the other one did, by the forms of the noun and the voice."""
    if not any(
        meaning(a.stem) == meaning(b.stem) or same_root(a.stem, b.stem) for a in one.between for b in other.between
    ):
        return False
    if one.heads[0].low.isascii():
        return one.passive == other.passive
    # In Russian each has its case with it wherever it stands.
    forms = [head.low for head in one.heads], [head.low for head in other.heads]
    return forms[0] == forms[1]


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return any(a == b or same_name(a, b) or meaning(a) == meaning(b) for a in one for b in other)


@lru_cache(maxsize=256)
def twins(reading: Reading) -> tuple[Twins, ...]:
    """Return the two things of one kind in each sentence that says what one does to the other."""
    stems = [word.stem for word in reading.words]
    return tuple(_found(reading)) if len(set(stems)) < len(stems) else ()


def _found(reading: Reading) -> Iterator[Twins]:
    for _, words in groupby(reading.words, key=SENTENCE):
        sentence = tuple(words)
        for at, to in _twice(sentence):
            between = [word for word in sentence[at + 1 : to] if word.says or word.tells]
            if any(word.low in _JOINS or (word.comma and not word.says) for word in sentence[at + 1 : to]):
                continue
            first, second = _told_by(at, sentence), _told_by(to, sentence)
            first, second = first - second, second - first
            rest = tuple(word for word in between if word.stem not in first | second)
            if first and second and rest:
                passive = any(word.low == "by" for word in sentence[at + 1 : to])
                yield Twins((sentence[at], sentence[to]), first, second, rest, passive)


def _twice(sentence: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """Yield the places of the nouns that a sentence has just twice."""
    places: list[list[int]] = []
    for at, word in enumerate(sentence):
        if word.kind != "word" or not word.tells or word.own or word.capital > word.opens or unit_of(word.low):
            continue
        if not word.low.isascii() and is_verbal(word):
            continue
        group = next((one for one in places if _is_form(word.stem, sentence[one[0]].stem)), None)
        if group is None:
            places.append([at])
        else:
            group.append(at)
    for found in places:
        if len(found) == _TWO:
            yield found[0], found[1]


def _is_form(one: str, other: str) -> bool:
    return one == other or (not one.isascii() and same_root(one, other))


def _told_by(at: int, sentence: Sequence[Word]) -> frozenset[str]:
    """Return what a noun is told apart by: a name, a number or a noun behind it, else the word before it."""
    found: set[str] = set()
    named = False
    for word in sentence[at + 1 : at + 1 + _REACH]:
        if word.clause != sentence[at].clause or word.low in _JOINS or word.comma or (named and not word.capital):
            break
        if word.low in _LINKS:
            continue
        led = sentence[at + 1].low in _LINKS or word.capital or word.kind == "number" or not word.low.isascii()
        if not led or _acts(word):
            break
        found.add(word.stem)
        named = word.capital
        if not named:
            break
    before = sentence[at - 1] if at and not found else None
    if before is not None and before.says and before.clause == sentence[at].clause and not _acts(before):
        found.add(before.stem)
    return frozenset(found)


def _acts(word: Word) -> bool:
    return not word.low.isascii() and is_verbal(word) and not word.low.endswith(("ый", "ий", "ой", "ая", "ое", "ые"))
