"""What was so and what is so now, or first and later: a claim may not exchange them.

“The archive was formerly in Bonn and is now in Mainz” does not say that it is now in Bonn.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Literal, NamedTuple

from core.proof.backing import Backing, Held, held_of, same_name
from core.proof.words import SENTENCE, Reading, Word, read

When = Literal["then", "now"]

_SIGNS: dict[str, When] = {
    **dict.fromkeys("formerly previously earlier originally initially first раньше ранее прежде сначала вначале".split(), "then"),
    **dict.fromkeys("now nowadays currently today later afterwards теперь сейчас ныне сегодня потом затем".split(), "now"),
}  # fmt: skip
_PAIRS: dict[tuple[str, str], When] = {
    ("used", "to"): "then",
    ("at", "first"): "then",
    ("at", "present"): "now",
    ("these", "days"): "now",
    ("в", "настоящее"): "now",
}
_JOINS = frozenset("and but while whereas и а но".split())
_SMALL = frozenset("время moment".split())
# “First class”, «раньше всех»: what stands behind makes something else of the word.
_NO_SIGN = frozenset("class floor name aid prize place than чем всех срока".split())


class Part(NamedTuple):
    """A part of a sentence, and when it is so."""

    when: When
    words: tuple[Word, ...]


def doubt_of_time_past(text: str, backing: Backing) -> str | None:
    """Return what the claim says to be so now though its quotes say that it was, or the other way round."""
    own = parts_by_time(read(text))
    held = parts_by_time(backing.quoted) if own else ()
    if len({part.when for part in held}) < 2:  # noqa: PLR2004 - then and now
        return None
    for part in own:
        alike, others = _alone(part.when, held)
        moved = next((word for word in part.words if _stands(word, others) and not _stands(word, alike)), None)
        if moved is not None and not any(_stands(word, alike) and not _stands(word, others) for word in part.words):
            return f"it tells of “{moved.text}” as of what {_TOLD[part.when]}, its quotes do not"
    return None


_TOLD = {"then": "was", "now": "is"}


def tells_now(claim: Reading, quote: Reading) -> bool:
    """Return whether a claim tells something that its quotes say to be so now, beside what was so once."""
    own, held = parts_by_time(claim), parts_by_time(quote)
    both = len({part.when for part in held}) > 1
    return both and any(
        any(_stands(word, alike) and not _stands(word, others) for word in part.words)
        for part in own
        for alike, others in [_alone(part.when, held)]
    )


def _alone(when: When, held: Sequence[Part]) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Return the words that are told of a time, and those of the other."""
    alike = tuple(word for part in held if part.when == when for word in part.words)
    others = tuple(word for part in held if part.when != when for word in part.words)
    return alike, others


def _stands(word: Word, words: tuple[Word, ...]) -> bool:
    return _held(words).holds(word) or (
        word.capital and any(other.capital and same_name(word.low, other.low) for other in words)
    )


@lru_cache(maxsize=256)
def _held(words: tuple[Word, ...]) -> Held:
    return held_of(frozenset(word.stem for word in words))


@lru_cache(maxsize=256)
def parts_by_time(reading: Reading) -> tuple[Part, ...]:
    """Return the parts of a text that say when they are so: then or now."""
    if _FIRST.isdisjoint(reading.lows):
        return ()
    return tuple(_found(reading))


_FIRST = frozenset((*_SIGNS, *(one for one, _ in _PAIRS)))


def _found(reading: Reading) -> Iterator[Part]:
    for _, words in groupby(reading.words, key=SENTENCE):
        when: When | None = None
        for part in _parts(list(words)):
            when = _when(part) or when
            if when:
                yield Part(when, tuple(word for word in part if word.says and word.low not in _SIGNS | _OTHERS))


_OTHERS = dict.fromkeys(_SMALL | frozenset(["used", "present"]))


def _parts(words: Sequence[Word]) -> Iterator[list[Word]]:
    """Yield the words between commas and what joins; one that says nothing of its own goes with the next."""
    part: list[Word] = []
    for word in words:
        parted = word.comma or word.low in _JOINS or (part and word.clause != part[-1].clause)
        if parted and (any(one.says and one.low not in _SIGNS for one in part)) and not _is_dashed(part, word):
            yield part
            part = []
        part.append(word)
    if part:
        yield part


def _is_dashed(part: Sequence[Word], word: Word) -> bool:
    """Return whether only a dash parts a word from those before it: «сейчас — 35 евро»."""
    return (
        not word.comma and word.low not in _JOINS and len([one for one in part if one.says]) <= 1 and not word.capital
    )


def _when(part: Sequence[Word]) -> When | None:
    for at, word in enumerate(part):
        following = part[at + 1].low if at + 1 < len(part) else ""
        if found := _PAIRS.get((word.low, following)):
            return found
        if (found := _SIGNS.get(word.low)) and following not in _NO_SIGN and not word.low.isdigit():
            return found
    return None
