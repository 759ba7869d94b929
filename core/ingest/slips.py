"""Slips of the pen: the words that a misspelt one may be meant for, found without looking at all of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from rapidfuzz.distance import OSA

# Letters of a stem: from the first on a letter may be missing, doubled or swapped; from the second on also another.
MIN_LENGTH, _MIN_SWAP_LENGTH = 5, 8
_LONGEST_TYPO = 40
# Vowels that are spelt alike when they are not stressed.
_ALIKE = ({"а", "о"}, {"е", "и"}, {"е", "я"}, {"е", "э"}, {"i", "y"}, {"c", "k"})


@dataclass(slots=True)
class Slips:
    """The words of names with their stems, by what is left of each without one letter; sorted when first asked for."""

    words: frozenset[tuple[str, str]] = frozenset()
    _by_rest: dict[str, list[tuple[str, str]]] | None = field(default=None, compare=False, repr=False)

    def near(self, rest: str) -> Sequence[tuple[str, str]]:
        """Return the words, and their stems, that read so without one of their letters or as they are."""
        by_rest = self._by_rest
        if by_rest is None:
            by_rest = {}
            for word in sorted(self.words):
                for one in rests(word[0]):
                    by_rest.setdefault(one, []).append(word)
            self._by_rest = by_rest
        return by_rest.get(rest, ())


@lru_cache(maxsize=4_096)
def rests(word: str) -> tuple[str, ...]:
    """Return the word and what is left of it without one of its letters; nothing for short words and for codes."""
    if not MIN_LENGTH <= len(word) <= _LONGEST_TYPO or not word.isalpha():
        return ()
    return tuple(dict.fromkeys((word, *(word[:n] + word[n + 1 :] for n in range(len(word))))))


def is_slip(word: str, name: str) -> bool:
    """Return whether one is the other with a slip: a letter left out, doubled, swapped with its neighbour or mistaken.

    The first letter is right. In a short name a letter is only mistaken for one that sounds like it, and the last one
    is right too: sparkle is not Spark, leads are not Leeds.
    """
    if word[0] != name[0] or OSA.distance(word, name, score_cutoff=1) > 1:
        return False
    place = next((n for n, (a, b) in enumerate(zip(word, name, strict=False)) if a != b), min(len(word), len(name)))
    if len(word) == len(name) and sorted(word) != sorted(name):
        return min(len(word), len(name)) >= _MIN_SWAP_LENGTH or {word[place], name[place]} in _ALIKE
    if min(len(word), len(name)) >= _MIN_SWAP_LENGTH or len(word) == len(name):
        return True
    longer = max(word, name, key=len)
    return place < len(longer) - 1 or longer[-1] == longer[-2]
