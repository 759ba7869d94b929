"""Comparisons: a claim may not turn one round, level it, or make the most of it.

A claim may say the same from the other side: that A is below B where its quotes say that B is above A.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from core.proof.backing import Backing, is_kin, same_root
from core.proof.comparisons import MAY_COMPARE, OF_ALL, Comparison, comparisons, sentences_of
from core.proof.degrees import ALIKE, LESS, MORE, compares, degree_of, is_utmost, key_of, scales_of, turned
from core.proof.words import Reading, Word, read

_UTMOST_RU = frozenset("самый самая самое самые самого самой самую самом самым самых наиболее".split())
# What a claim that says the same from the other side may say besides the words of its quotes.
_FUNCTION = frozenset(
    "the a an of in on at than as is are was were by compared comparison with to чем по сравнению с в на".split()
)
_SIMPLE = re.compile(r"[\w\s.,'\"«»()-]+")


def fault_of_comparing(text: str, backing: Backing) -> str | None:
    """Return what the claim compares otherwise than its quotes do, or None."""
    if not MAY_COMPARE.search(backing.quoted.low):
        return None
    claim = read(text)
    held = [one for one in comparisons(backing.quoted) if one.right]
    if not held:
        return None
    for own in comparisons(claim):
        beside = [(one, ways) for one in held if _comparable(own, one) and (ways := _facing(own, one))]
        if beside and not any(_follows(own, one, ways) for one, ways in beside):
            return f"it says “{own.shown}”, its quotes “{beside[0][0].shown}”"
    return _utmost(claim, backing.quoted, held)


def doubt_of_comparing(text: str, backing: Backing) -> str | None:
    """Return the two that the claim sets against each other though its quotes do not."""
    claim = read(text)
    if not MAY_COMPARE.search(claim.low):
        return None
    own = next((one for one in comparisons(claim) if one.left and one.right), None)
    if own is None:
        return None
    held = comparisons(backing.known)
    if any(_comparable(own, one) for one in held):
        return None
    return f"it says “{own.shown}”, and its quotes do not compare so"


def from_the_quotes_side(text: str, quotes: str) -> str:
    """Return the text with the sentences that say what a sentence of the quotes does from the other side told by that one.

    Only where nothing else is said: the same words, but for the one that compares.
    """
    if not MAY_COMPARE.search(text.lower()) or not _SIMPLE.fullmatch(text):
        return text
    claim, quote = read(text), read(quotes)
    told: list[str] = []
    changed = False
    for sentence, words in sentences_of(claim):
        other = _converse(sentence, words, claim, quote)
        of = next((theirs for number, theirs in sentences_of(quote) if number == other), None)
        changed = changed or of is not None
        reading, part = (quote, of) if of else (claim, words)
        stop = "." if of and told else ""
        told.append(f"{stop}{reading.text[part[0].start : part[-1].end]}")
    return ". ".join(told) + "." if changed else text


def _converse(sentence: int, words: Sequence[Word], claim: Reading, quote: Reading) -> int | None:
    """Return the sentence of the quotes that says just what this one does from the other side, or None."""
    own = [one for one in comparisons(claim) if one.sentence == sentence]
    if len(own) != 1 or not own[0].right:
        return None
    for one in comparisons(quote):
        alone = sum(other.sentence == one.sentence for other in comparisons(quote)) == 1
        strict = {own[0].relation, one.relation} == {MORE, LESS}
        if alone and strict and _comparable(own[0], one) and _facing(own[0], one) == -1:
            theirs = [word for number, of in sentences_of(quote) if number == one.sentence for word in of]
            if _says_no_more(words, theirs):
                return one.sentence
    return None


def _says_no_more(words: Sequence[Word], theirs: Sequence[Word]) -> bool:
    stems = {word.stem for word in theirs}
    lows = {word.low for word in theirs}
    return all(
        word.low in lows
        or word.low in _FUNCTION
        or compares(word.low)
        or degree_of(word.low) is not None
        or (
            word.tells and (word.stem in stems or bool(scales_of(word.low)) or any(is_kin(word.stem, s) for s in stems))
        )
        for word in words
    )


def _comparable(own: Comparison, other: Comparison) -> bool:
    """Return whether two comparisons are of the same thing: of prices, of how many rooms there are."""
    if own.what and other.what:
        return any(a == b or is_kin(a, b) or same_root(a, b) for a in own.what for b in other.what)
    if not own.scales and not other.scales:
        return False
    if ALIKE in {own.relation, other.relation} and not (own.scales and other.scales):
        return True
    return bool(own.scales & other.scales)


def _facing(own: Comparison, other: Comparison) -> int:
    """Return 1 if both compare in the same order, -1 if in the other, 0 if they are not of the same two."""
    left, right = own.left - own.right, own.right - own.left
    theirs, facing = other.left - other.right, other.right - other.left
    same, crossed = len(_both(right, facing)), len(_both(right, theirs)) + len(_both(left, facing))
    if right and facing:
        return 1 if same and same >= crossed - same else -1 if crossed else 1 if _both(left, theirs) else 0
    if not right and not left:
        return 0
    if facing and _part(left, facing) > _part(left, theirs):
        return -1
    if right and _part(right, theirs) > _part(right, facing):
        return -1
    return 1 if _both(left, theirs) or not theirs else 0


def _both(one: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    shared = one & other
    rest = other - shared
    return shared | {a for a in one - shared if any(is_kin(a, b) for b in rest)}


def _part(one: frozenset[str], other: frozenset[str]) -> float:
    return len(_both(one, other)) / len(other) if other else 0.0


def _follows(own: Comparison, other: Comparison, ways: int) -> bool:
    """Return whether a comparison follows from another one: at least as much from more."""
    said = own.relation if ways > 0 else turned(own.relation)
    weaker = {">=": {MORE, ALIKE}, "<=": {LESS, ALIKE}}.get(said, set())
    return other.relation == said or other.relation in weaker


def _utmost(claim: Reading, quote: Reading, held: Sequence[Comparison]) -> str | None:
    """Return that the claim makes the most of what its quotes put above one other."""
    own = _most(claim)
    if own is None or _most(quote) or re.search(r"\b(?:any|all|every|любо\w+|всех|всего)\b", quote.low):
        return None
    word, scales, what = own
    stems = {other.stem for other in claim.content}
    for one in held:
        alike = scales & one.scales or any(a == b or same_root(a, b) for a in what for b in one.what)
        if alike and stems & (one.left | one.right):
            return f"it says “{word}”, its quotes “{one.shown}”"
    return None


@lru_cache(maxsize=256)
def _most(reading: Reading) -> tuple[str, frozenset[str], frozenset[str]] | None:
    for at, word in enumerate(reading.words):
        following = reading.words[at + 1] if at + 1 < len(reading.words) else None
        if is_utmost(word.low):
            return word.text, frozenset(name for name, _ in scales_of(word.low)), frozenset([key_of(word.low)])
        led = word.low in _UTMOST_RU or (
            word.low in {"most", "least"} and at > 0 and reading.words[at - 1].low in {"the", "its", "our"}
        )
        if led and following is not None and following.tells:
            named = frozenset(name for name, _ in scales_of(following.low))
            return f"{word.text} {following.text}", named, frozenset([key_of(following.low)])
        if word.low in OF_ALL and at > 0 and compares(reading.words[at - 1].low):
            before = reading.words[at - 1].low
            return before, frozenset(name for name, _ in scales_of(before)), frozenset([key_of(before)])
    return None
