"""Part A and part B, room 12 and room 14: what is told apart by a letter or a number alone keeps it."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.proof.alongside import alongside
from core.proof.backing import Backing
from core.proof.units import unit_of
from core.proof.words import Word, read

_LETTER = 1


def doubt_of_labels(text: str, backing: Backing) -> str | None:
    """Return the letter or number of a thing in whose place the nearest sentence of the quotes has another, or None."""
    for beside in alongside(read(text), backing.quoted):
        own = list(_labelled(beside.own))
        held = list(_labelled(beside.other)) if own else []
        for noun, label in own:
            theirs = [other for one, other in held if one.stem == noun.stem]
            if theirs and all(other.low != label.low for other in theirs):
                return f"it says “{noun.text} {label.text}”, its quotes “{noun.text} {theirs[0].text}”"
    return None


def _labelled(words: Sequence[Word]) -> Iterator[tuple[Word, Word]]:
    """Yield the nouns right behind which a single letter stands, or a number that counts nothing, each with it."""
    for at, (noun, label) in enumerate(pairwise(words)):
        adjoins = label.start - noun.end == 1 and noun.kind == "word" and noun.tells and unit_of(noun.low) is None
        if not adjoins or noun.clause != label.clause:
            continue
        if (label.kind == "word" and len(label.text) == _LETTER and label.capital and label.text != "I") or (
            label.kind == "number" and label.low.isdigit() and _counts_nothing(at + 1, words)
        ):
            yield noun, label


def _counts_nothing(at: int, words: Sequence[Word]) -> bool:
    """Return whether no noun stands behind a number: it names what is before it."""
    following = words[at + 1] if at + 1 < len(words) else None
    return following is not None and not following.comma and following.kind == "word" and not following.tells
