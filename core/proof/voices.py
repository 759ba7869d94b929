"""Who acts and who is acted upon, when one side tells it in the active voice and the other in the passive."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.proof.backing import Backing, same_name
from core.proof.lexicon import light, meaning
from core.proof.units import unit_of
from core.proof.words import Reading, Word, read

_MAY_BE_PASSIVE = re.compile(r"\bby\b")
_BE = frozenset("is are was were be been being gets got get isn aren wasn weren".split())
_IRREGULAR = frozenset(
    "built bought brought caught taught sold told held led made paid sent met won lost found left kept cut put set hit shut read"
    " run done seen said hurt struck fed bound beaten".split()
)
_PARTICIPLE = re.compile(r"\b\w{1,40}(?:ed|en|wn|ne|ung|unk)")
_STOPS = frozenset(
    "in on at for from with to of as after before during under over per within until since about than".split()
)
_ENDS = frozenset("in on at for from with to as after before during since because when which who that by".split())
_REACH, _FROM_VERB = 6, 3


class Act(NamedTuple):
    """One deed as told in the passive: what is done, to whom, and by whom."""

    deed: Word
    upon: tuple[Word, ...]
    by: tuple[Word, ...]


def fault_of_voice(text: str, backing: Backing) -> str | None:
    """Return who acts in the claim and is acted upon in its quotes, or the other way round, where their voices differ."""
    claim, quote = read(text), backing.quoted
    for own, other in ((claim, quote), (quote, claim)):
        if not _MAY_BE_PASSIVE.search(own.low):
            continue
        for act in _acts(own):
            beside = [one for one in _done(act.deed, other) if one[0] or one[1]]
            if beside and not _agrees(act, beside) and _acts_like(act, other) is None:
                for before, after in beside:
                    if _share(act.upon, before, act.by) and (_share(act.by, after, act.upon) or not after):
                        return f"it swaps “{act.by[-1].text}” and “{act.upon[-1].text}”"
    return None


def _agrees(act: Act, beside: Sequence[tuple[tuple[Word, ...], tuple[Word, ...]]]) -> bool:
    """Return whether the active voice says the same somewhere: the one who acts stands before the verb."""
    return any(_share(act.by, before, act.upon) and not _share(act.by, after, act.upon) for before, after in beside)


def _acts_like(act: Act, other: Reading) -> Act | None:
    """Return the same deed of the other side if that tells it in the passive, too."""
    return next((one for one in _acts(other) if _is_deed(one.deed, act.deed)), None)


def _is_deed(one: Word, other: Word) -> bool:
    return one.stem == other.stem or meaning(one.stem) == meaning(other.stem)


def _share(one: Sequence[Word], other: Sequence[Word], rival: Sequence[Word]) -> bool:
    """Return whether two name the same, by a word that does not stand for the other one of the deed."""
    alone = [word for word in one if not any(_alike(word, foe) for foe in rival)]
    return any(_alike(word, mate) for word in alone for mate in other)


def _alike(one: Word, other: Word) -> bool:
    return one.stem == other.stem or (one.capital and other.capital and same_name(one.low, other.low))


@lru_cache(maxsize=256)
def _acts(reading: Reading) -> tuple[Act, ...]:
    """Return what is done to somebody by somebody."""
    return tuple(_found_acts(reading.words)) if _MAY_BE_PASSIVE.search(reading.low) else ()


def _found_acts(words: Sequence[Word]) -> Iterator[Act]:
    for word in words:
        if word.low != "by":
            continue
        clause = [one for one in words if one.sentence == word.sentence]
        place = clause.index(word)
        deed = next(
            (one for one in range(place - 1, max(-1, place - 1 - _REACH), -1) if _is_participle(one, clause)), None
        )
        by = _named(_until_stop(clause[place + 1 :]))
        if deed is None or not by or by[0].dated or by[0].low.endswith("ing"):
            continue
        upon = _named(_before(clause, deed))
        if upon:
            yield Act(clause[deed], tuple(upon), tuple(by))


def _is_participle(place: int, words: Sequence[Word]) -> bool:
    word = words[place]
    if word.kind != "word" or word.capital or not (_PARTICIPLE.fullmatch(word.low) or word.low in _IRREGULAR):
        return False
    # “Found by Ivan and fixed by Petr”: the second one goes without.
    led = place + 1 < len(words) and words[place + 1].low == "by"
    return led or any(one.low in _BE for one in words[max(0, place - _FROM_VERB) : place])


def _before(words: Sequence[Word], place: int) -> list[Word]:
    """Return what stands before a verb in its part of the sentence, what a preposition leads in apart."""
    found: list[Word] = []
    for word in words[:place]:
        if word.clause != words[place].clause:
            continue
        if word.comma:
            found = []
        found.append(word)
    heads: list[Word] = []
    led = is_over = False
    for word in found:
        if led and is_over:  # in March Northwind sued: what the preposition leads in ends with the date
            led = False
        led = word.low in _STOPS or (led and word.low not in _BE)
        is_over = word.dated or unit_of(word.low) is not None
        if not led:
            heads.append(word)
    return heads or found


def _until_stop(words: Sequence[Word]) -> list[Word]:
    """Return what stands behind a word until a preposition, a comma or another clause."""
    found: list[Word] = []
    for word in words:
        if word.low in _ENDS or (found and (word.comma or word.clause != found[-1].clause)):
            break
        found.append(word)
    return found


def _named(words: Sequence[Word]) -> list[Word]:
    return [
        word
        for word in words
        if word.kind in {"word", "ident"} and (word.tells or (word.capital and not word.opens)) and word.low not in _BE
        if unit_of(word.low) is None and not word.numeral
        if word.stem not in light() or word.capital
    ]


def _done(deed: Word, reading: Reading) -> Iterator[tuple[tuple[Word, ...], tuple[Word, ...]]]:
    """Yield for each active form of a deed what stands before it and what behind it."""
    for at, word in enumerate(reading.words):
        if not _is_deed(word, deed) or word.own:
            continue
        if any(one.low in _BE for one in reading.words[max(0, at - _FROM_VERB) : at] if one.clause == word.clause):
            continue
        clause = [one for one in reading.words if one.sentence == word.sentence]
        place = clause.index(word)
        before, after = _named(_before(clause, place)), _named(_until_stop(clause[place + 1 :]))
        if before:
            yield tuple(before), tuple(after)
