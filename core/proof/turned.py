"""What follows from what: “the lift stops if the door is open” does not say that the door is open if the lift stops."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from core.proof.backing import Backing, Held, held_of
from core.proof.denials import is_denying
from core.proof.units import unit_of
from core.proof.words import SENTENCE, Reading, Word, read

# What leads in the part that the other one is said on: what it depends on, its reason, its aim, what it comes after or before.
_LEADING = {
    "if": ("if", "when", "whenever", "provided", "once", "если", "когда", "при условии", "как только", "коли"),
    "because": ("because", "since", "потому", "поскольку", "так как", "из-за того", "ибо"),
    "so that": ("so that", "in order", "чтобы"),
    "after": ("after", "после"),
    "before": ("before", "until", "перед", "пока"),
}
_KINDS = {sign: kind for kind, signs in _LEADING.items() for sign in signs}
_BESIDE = frozenset("only just even then that is are только лишь даже то что".split())
_LEAST = 2
_TIMES = frozenset(["after", "before"])


class Depending(NamedTuple):
    """A sentence in two parts: the kind of what leads one of them in, that part, and what is said on it."""

    kind: str
    on: tuple[Word, ...]
    told: tuple[Word, ...]


def doubt_of_turning(text: str, backing: Backing) -> str | None:
    """Return what the claim makes depend on what depends on it in the quotes, or None."""
    own = dependings(read(text))
    held = dependings(backing.quoted) if own else ()
    for one in own:
        alike = [other for other in held if other.kind == one.kind]
        if any(_turned(one, other) for other in alike) and not any(_straight(one, other) for other in alike):
            shown = " ".join(word.text for word in one.on[:4])
            return f"it says so on “{shown}…”, which in its quotes depends on the rest"
    return None


def _turned(own: Depending, other: Depending) -> bool:
    """Return whether the claim depends on what the quotes tell, and tells what it depends on in them."""
    inside, outside = _shared(own.on, other.told, other.on)
    return inside > _LEAST * outside and _shared(own.told, other.on, other.told)[0] > 0


def _straight(own: Depending, other: Depending) -> bool:
    inside, outside = _shared(own.on, other.on, other.told)
    return inside > _LEAST * outside


def _shared(mine: Sequence[Word], facing: Sequence[Word], rest: Sequence[Word]) -> tuple[int, int]:
    """Return how many words stand in the one part of the quotes alone, and how many in the other alone."""
    theirs, others = _held(tuple(facing)), _held(tuple(rest))
    inside = sum(1 for word in mine if theirs.holds(word) and not others.holds(word))
    return inside, sum(1 for word in mine if others.holds(word) and not theirs.holds(word))


@lru_cache(maxsize=256)
def _held(words: tuple[Word, ...]) -> Held:
    return held_of(frozenset(word.stem for word in words))


@lru_cache(maxsize=256)
def dependings(reading: Reading) -> tuple[Depending, ...]:
    """Return the sentences of a text that say one thing on another."""
    if _FIRST.isdisjoint(reading.lows):
        return ()
    return tuple(_found(reading))


_FIRST = frozenset(sign.split()[0].split("-")[0] for sign in _KINDS)


def _found(reading: Reading) -> Iterator[Depending]:
    for _, words in groupby(reading.words, key=SENTENCE):
        sentence = tuple(words)
        signs = [(at, sign) for at in range(len(sentence)) if (sign := _sign_at(at, sentence))]
        if not signs:
            continue
        # “Before leaving” or “because of illness” may stand within either part of what depends on an “if”.
        at, sign = next((one for one in signs if _KINDS[one[1]] == "if"), signs[0])
        first = at + len(sign.replace("-", " ").split())
        end = _end(first, sentence)
        on = _telling(sentence[first:end])
        told = _telling((*sentence[:at], *sentence[end:]))
        timed = _KINDS[sign] in _TIMES and (
            sum(word.says for word in told) < _LEAST or all(word.kind == "number" or unit_of(word.low) for word in on)
        )
        if on and told and not timed:
            yield Depending(_KINDS[sign], on, told)


def _sign_at(at: int, sentence: Sequence[Word]) -> str | None:
    """Return what leads a part in at a place, the longer of two."""
    low = sentence[at].low
    pair = f"{low} {sentence[at + 1].low}" if at + 1 < len(sentence) else ""
    return next((sign for sign in (pair, pair.replace(" ", "-", 1), low) if sign in _KINDS), None)


def _end(first: int, sentence: Sequence[Word]) -> int:
    """Return where a part ends: at a comma that stands behind some of it, with the sentence else."""
    told = False
    for place in range(first, len(sentence)):
        if told and (sentence[place].comma or sentence[place].clause != sentence[place - 1].clause):
            return place
        told = told or (sentence[place].tells and sentence[place].low not in _BESIDE)
    return len(sentence)


def _telling(words: Sequence[Word]) -> tuple[Word, ...]:
    return tuple(
        word
        for word in words
        if word.kind in {"number", "ident"} or (word.tells and word.low not in _BESIDE and not is_denying(word.low))
    )
