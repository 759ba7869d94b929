"""Two things that one sentence says side by side: a claim may not make a third of half of each.

“The test failed on Monday and passed on Tuesday” does not say that it passed on Monday, nor does “the red button stops the
belt and the green one starts it” say that the red one starts it.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise, permutations
from typing import NamedTuple

from core.proof.actors import is_actor
from core.proof.backing import Backing, same_root
from core.proof.lexicon import meaning
from core.proof.words import SENTENCE, Reading, Word, read

_JOINS = frozenset("and but while whereas и а но зато".split())
_DETERMINERS = frozenset("the a an its their his her our your this that these those each every".split())
_OF = frozenset("of from for in at with из от для на в с".split())
_SUBORDINATE = frozenset("if unless when although because since если когда хотя поскольку пока чтобы".split())
# Behind it a part goes on with what the one before has said.
_LEANING = " — "
_OPENING = 3
_ALIKE = 2
_TWO = 2


class Part(NamedTuple):
    """What stands on one side: its words of meaning, those that it begins with, and its first word."""

    stems: frozenset[str]
    lead: frozenset[str]
    opening: Word


def doubt_of_joining(text: str, backing: Backing) -> str | None:
    """Return what the claim puts together of two parts of a sentence, leaving out what each of them has it with, or None."""
    claim = read(text)
    for own in _sentences(claim):
        said = _stems(own)
        if ";" in text or any(word.low in _JOINS or word.comma for word in own):
            continue
        for parts in _parted(backing.quoted):
            # Words of its own may say what the two parts have to do with each other.
            only = all(_held(stem, parts[0].stems | parts[1].stems) for stem in said)
            for one, other in permutations(parts, 2) if only else ():
                if doubt := _halves(said, one, other, first=parts[0]):
                    return doubt
    return None


def _halves(said: frozenset[str], one: Part, other: Part, first: Part) -> str | None:
    """Return a word of each part if the claim has some of what only one says, some of the other's, and all of neither."""
    alone, beside = _without(one.stems, other.stems), _without(other.stems, one.stems)
    of_one, of_other = _kept(alone, said), _kept(beside, said)
    if one is first and not _has_its_own(first, other):
        # Its beginning is the subject of both.
        of_one -= one.lead
    if other is first and not _has_its_own(first, one):
        of_other -= other.lead
    if not of_one or not of_other or not alone - _kept(alone, said) or not beside - _kept(beside, said):
        return None
    return f"it says “{min(of_one)}…” with “{min(of_other)}…”, which its quotes say each with something else"


def _has_its_own(first: Part, other: Part) -> bool:
    """Return whether the later part begins with a subject of its own: the green one, «зелёная» beside «красная»."""
    word, begun = other.opening, first.opening
    if word.low.isascii():
        return word.low in _DETERMINERS or word.capital
    return word.capital or (len(word.low) > _ALIKE and word.low[-_ALIKE:] == begun.low[-_ALIKE:])


def _without(stems: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    return frozenset(one for one in stems if not _held(one, others))


def _kept(stems: frozenset[str], said: frozenset[str]) -> frozenset[str]:
    return frozenset(one for one in stems if _held(one, said))


def _held(stem: str, stems: frozenset[str]) -> bool:
    return stem in stems or any(same_root(stem, one) for one in stems)


@lru_cache(maxsize=256)
def _parted(quote: Reading) -> tuple[tuple[Part, ...], ...]:
    """Return the sentences of two parts, neither a mere item of a list."""
    every = (tuple(_parts(words, quote)) for words in _sentences(quote))
    return tuple(parts for parts in every if len(parts) == _TWO)


def _parts(words: Sequence[Word], quote: Reading) -> Iterator[Part]:
    pieces: list[list[Word]] = [[]]
    for word in words:
        parted = word.comma or ";" in quote.text[pieces[-1][-1].end : word.start] if pieces[-1] else False
        if pieces[-1] and (parted or word.low in _JOINS):
            pieces.append([])
        if word.low not in _JOINS:
            pieces[-1].append(word)
    found = [piece for piece in pieces if piece]
    whole = quote.text[words[0].start : words[-1].end]
    # Behind a semicolon a part goes on with what the one before has said, unless each tells of somebody of its own.
    leans = (
        (";" in whole and not all(map(_acts, found)))
        or _LEANING in whole
        or any(word.low in _SUBORDINATE for word in words)
    )
    if not leans and all(len(_stems(piece)) >= _TWO for piece in found):
        for piece in found:
            yield Part(_stems(piece), frozenset(_lead(piece)), piece[0])


def _acts(piece: Sequence[Word]) -> bool:
    return any(is_actor(word.low) or (word.capital and not word.opens) for word in piece[:_OPENING])


def _lead(piece: Sequence[Word]) -> Iterator[str]:
    """Yield the first word of meaning, with its other names and what is said of it: photos from the archive."""
    said = [at for at, word in enumerate(piece) if word.says]
    yield _key(piece[said[0]])
    for before, at in pairwise(said):
        names = at == before + 1 and piece[at].capital and piece[before].capital
        if not (names or any(word.low in _OF for word in piece[before + 1 : at])):
            return
        yield _key(piece[at])


def _sentences(reading: Reading) -> Iterator[list[Word]]:
    return (list(words) for _, words in groupby(reading.words, key=SENTENCE))


def _stems(words: Sequence[Word]) -> frozenset[str]:
    return frozenset([meaning(word.stem) for word in words if word.says])


def _key(word: Word) -> str:
    return meaning(word.stem)
