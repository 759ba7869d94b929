"""Coverage: how much of what a claim says is held by the words behind it."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from core.proof.backing import Backing, Held, held_of
from core.proof.denials import denials, is_denying
from core.proof.lexicon import is_known, light
from core.proof.names import is_verbal
from core.proof.numbers import amounts
from core.proof.quantifiers import reach
from core.proof.units import unit_of
from core.proof.words import SENTENCE, Reading, Word, read

# Share of a sentence's weight that its quotes, what stands around them and the question must hold, and how many words
# in a row they need not hold, one less where the sentence ends.
MIN_COVERAGE = 0.42
MAX_RUN = 4
# A sentence of less weight than this says one thing: more of it must be held, else a verb of its own would pass.
# One sentence must hold it, too: words of several that have nothing to do with each other say anything. So it is with
# a sentence of any weight about somebody whom the question does not name. One that is a little longer may not be put
# together from several of theirs either.
_SHORT, _MIN_SHORT, _MIN_ONE = 3.5, 0.6, 0.7
_LONGER = 4.5
_LIGHT, _NUMBER = 0.3, 1.0
_FOLLOWING = 0.6


def fault_of_coverage(text: str, backing: Backing) -> str | None:
    """Return that a sentence says more than its quotes: a foreign one cannot hide among good ones."""
    claim = read(text)
    # That both deny the same has been seen to: then how they say it, or that one says the opposite, is no word more.
    denied = bool(denials(claim)), bool(denials(backing.quoted))
    is_aside = _is_about_another(claim, backing)
    if is_aside:
        backing = replace(backing, question="")
    for words, numbers in parted(claim):
        said = [word for word in words if not word.numeral and not word.dated]
        if all(denied):
            said = [word for word in said if not is_denying(word.low)]
        share, run = _held(said, numbers, backing.everything, opposed=any(denied))
        if share < _MIN_ONE:
            # How far it goes has been seen to: “recommended” is no word more than “should”.
            held = reach(backing.quoted)
            said = [word for word in said if backing.everything.holds(word) or not reach(read(word.low)) & held]
            share, run = _held(said, numbers, backing.everything, opposed=any(denied))
        weight = sum(map(weight_of, said)) + _NUMBER * min(numbers, 2)
        is_strict = is_aside or weight < _SHORT
        if share < (_MIN_SHORT if is_strict else MIN_COVERAGE) or run >= MAX_RUN:
            missing = [word.text for word in said if not backing.everything.holds(word)][:4]
            return f"it says more than its quotes ({', '.join(missing)})"
        if is_strict or weight < _LONGER:
            every = (_held(said, numbers, one, opposed=any(denied))[0] for one in backing.sentences)
            best = max(every, default=1.0)
            if best < (_MIN_ONE if is_strict else min(_MIN_ONE, share)):
                return "no sentence of its quotes says so: its words stand apart in them"
    return None


def _is_about_another(claim: Reading, backing: Backing) -> bool:
    """Return whether the claim names somebody, and nobody whom the question names: then its words are not of that one."""
    asked = held_of(
        frozenset(
            word.stem
            for word in backing.asked.words
            if (word.capital or word.kind == "ident") and _names(word, backing)
        )
    )
    own = [word for word in claim.words if (word.capital or word.kind == "ident") and _names(word, backing)]
    return bool(own and asked.stems) and not any(asked.holds(word) for word in own)


def _names(word: Word, backing: Backing) -> bool:
    is_name = word.capital and word.tells and (not word.opens or word.stem in backing.vocabulary.names)
    return word.kind == "ident" or (word.kind == "word" and is_name)


def fault_of_substitution(text: str, backing: Backing) -> str | None:
    """Return the word that stands where the quotes have another one between the same words: billing for orders."""
    own, held = read(text), backing.everything
    if not follows(own, backing.quoted):
        return None
    theirs = backing.quoted.words
    spots = {(_stem_at(theirs, at - 1), _stem_at(theirs, at + 1)): word for at, word in enumerate(theirs) if word.tells}
    mine = frozenset(word.stem for word in own.words)
    for at, word in enumerate(own.words):
        if not word.tells or word.stem in light() or is_known(word.stem) or held.holds(word) or word.dated:
            continue
        other = spots.get((_stem_at(own.words, at - 1), _stem_at(own.words, at + 1)))
        if other is None or (not word.low.isascii() and (is_verbal(other) or is_verbal(word))):
            continue
        if other.stem not in mine and not word.numeral and not unit_of(word.low):
            if reach(read(word.low)):
                continue
            return f"it says “{word.text}” where its quotes say “{other.text}”"
    return None


def follows(claim: Reading, quote: Reading) -> bool:
    """Return whether a claim keeps to the words of its quotes for the most part: then each word in them has its place."""
    return sum(word.stem in quote.stems for word in claim.content) >= _FOLLOWING * len(claim.content)


def _stem_at(words: tuple[Word, ...], place: int) -> str:
    return words[place].stem if 0 <= place < len(words) else ""


def held_share(words: list[Word], numbers: int, held: Held) -> float:
    """Return the share of the words' weight that is held, 1.0 of none."""
    return _held(words, numbers, held)[0]


def parted(reading: Reading) -> Iterator[tuple[list[Word], int]]:
    """Yield the content words of each sentence, and how many numbers it has."""
    places = [reading.words[amount.place].sentence for amount in amounts(reading) if not amount.weak]
    for sentence, words in groupby(reading.content, key=SENTENCE):
        yield list(words), places.count(sentence)


def _held(words: list[Word], numbers: int, held: Held, *, opposed: bool = False) -> tuple[float, int]:
    """Return the share of the weight that is held, numbers counted in as held, and the longest run that is not.

    With `opposed` a word is held by its opposite.

    A run at the end, where something is added to what is proven, counts as one longer than it is.
    """
    total = found = _NUMBER * min(numbers, 2)
    run = longest = 0
    for word in words:
        is_unit = unit_of(word.low) is not None
        weight = 1.0 if word.says and not is_unit else weight_of(word)
        known = held.holds(word) or (opposed and held.opposes(word))
        total += weight
        found += weight if known else 0
        if not is_unit:
            run = 0 if known else run + (weight == 1)
        longest = max(longest, run)
    return (found / total if total else 1.0), max(longest, run + (run >= MAX_RUN - 1))


def weight_of(word: Word) -> float:
    """Return how much a word counts: what says little by itself, less."""
    return _LIGHT if word.stem in light() or unit_of(word.low) else 1.0
