"""What one sentence says in two parts, each with a number, a day or a “must” of its own: a claim may not exchange these.

“Helen joined in 2015 and became director in 2019”, “£18 for guests and £25 for visitors”, “may check in from 15:00 and must
check out by 11:00”: each part is a predicate of the same thing, and only what it has for itself tells which is meant.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise, permutations, takewhile
from typing import NamedTuple

from core.proof.backing import Backing, held_of, same_root
from core.proof.given import GIVEN_NAMES
from core.proof.lexicon import meaning
from core.proof.numbers import Amount, amounts
from core.proof.quantifiers import reach_of
from core.proof.segments import leans
from core.proof.units import MONEY, PERIODS
from core.proof.words import SENTENCE, Reading, Word, read

_JOINS = frozenset("and but while whereas then и а но затем потом зато".split())
_BETWEEN = frozenset("between между".split())
_BOTH = frozenset("both оба обе обоих обеих".split())
_WITH = frozenset("and и".split()) | _BOTH
_LEADING = frozenset("in on at for from by to with until after before в на с со по до для у за при из от к".split())
_PARTICLES = frozenset("in out up down on off back over".split())
_MODALS = frozenset(["must", "may", "should"])
_YEAR = re.compile(r"(?:19|20)\d\d")
_ENOUGH, _REACH = 2, 4


class Part(NamedTuple):
    """A part of a sentence: its words of meaning in order, its marks with their kinds, and whether it has no verb of its own.

    `behind`: the words behind its first mark. `keys`: its words and its marks. `brief`: it begins with a number or a
    preposition, and so leaves its verb to the part before it. `lead`: the name or the word that it begins with.
    """

    words: tuple[str, ...]
    marks: frozenset[tuple[str, str]]
    behind: frozenset[str]
    keys: frozenset[str]
    brief: bool
    lows: frozenset[str]
    lead: frozenset[str]
    modal: frozenset[str]


def doubt_of_predicates(text: str, backing: Backing) -> str | None:
    """Return the number, day or duty that the claim tells with the words of another part of the sentence, or None."""
    plain = _has_twins(backing.quoted)
    every = [one for one in _sentences(backing.quoted, plain=plain) if len(one) >= _ENOUGH]
    if not every:
        return None
    asked = held_of(backing.granted.stems | backing.above.stems)
    known = frozenset(_key(word, plain=plain) for word in backing.quoted.words if asked.holds(word))
    for own in (part for sentence in _sentences(read(text), plain=plain) for part in sentence):
        for parts in every:
            for at, to in permutations(range(len(parts)), 2):
                subject = _subject(parts[min(at, to)], parts[max(at, to)])
                if doubt := _exchanged(own, parts[at], parts[to], subject, known) or (
                    at < to and _crossed(own, parts[at], parts[to], subject)
                ):
                    return doubt
    return None


def _exchanged(own: Part, here: Part, there: Part, subject: frozenset[str], known: frozenset[str]) -> str | None:
    """Return the mark of one part that the claim tells with the words of the other, or of both."""
    for mark, kind in sorted(own.marks & here.marks - there.marks):
        mine = {other for other, same in here.marks if same == kind}
        rivals = {other for other, same in there.marks if same == kind} - mine
        if not rivals or rivals & own.keys:
            continue
        theirs = _only(there, here, own) - subject - rivals
        alone = _only(here, there, own) - subject - mine
        if theirs and (not alone or not _WITH.isdisjoint(own.lows)):
            return f"it says “{mark}” of “{min(theirs)}…”, its quotes say it of another"
        left = here.behind - there.keys - mine
        is_plain = all(_kin([word], here.keys | there.keys) for word in own.words)
        is_of_all = there.brief and left and is_plain and not _kin(left, own.keys | known)
        if not theirs and (is_of_all or (not alone and not _BOTH.isdisjoint(own.lows))):
            return f"it says “{mark}” of all, its quotes of a part alone"
    return None


def _crossed(own: Part, one: Part, other: Part, subject: frozenset[str]) -> str | None:
    """Return what the claim puts together of the marks, or of the words, of two parts."""
    for kind in sorted({kind for _, kind in own.marks} - {"name"}):
        mine, first, second = ({mark for mark, same in part.marks if same == kind} for part in (own, one, other))
        if mine & first - second and mine & second - first and not mine >= first | second and mine <= first | second:
            return f"it says “{min(mine & first - second)}” and “{min(mine & second - first)}” of one thing"
    if one.modal == other.modal or not one.modal or not other.modal or own.modal not in {one.modal, other.modal}:
        return None
    first, second = ({word for word in part.words if word not in subject} for part in (one, other))
    mine = set(own.words)
    both = (first - second, second - first)
    if mine <= first | second | subject and all(mine & part and part - mine for part in both):
        return f"it says “{min(mine & both[0])}” and “{min(mine & both[1])}” of one thing"
    return None


def _only(one: Part, other: Part, own: Part) -> frozenset[str]:
    """Return what the claim has of one part that the other has not, in any form."""
    found = own.keys & one.keys - other.keys
    return frozenset(key for key in found if not _kin([key], other.keys))


def _kin(some: Iterable[str], held: Iterable[str]) -> bool:
    return any(one == other or (" " not in one and same_root(one, other)) for one in some for other in held)


def _subject(one: Part, other: Part) -> frozenset[str]:
    """Return what both parts are said of: what the first begins with, unless the other begins with its own and goes on alike."""
    shared = set(one.words) & set(other.words)
    if shared and one.words and other.words and not other.brief and not {one.words[0], other.words[0]} & shared:
        return frozenset()
    return one.lead


@lru_cache(maxsize=256)
def _has_twins(reading: Reading) -> bool:
    """Return whether the text tells apart by words what elsewhere means the same: guests and visitors."""
    stems = {word.stem for word in reading.words if word.spoken and word.says and not _is_modal(word.low)}
    return len(set(map(meaning, stems))) < len(stems)


def _key(word: Word, *, plain: bool) -> str:
    return word.stem if plain else meaning(word.stem)


@lru_cache(maxsize=256)
def _sentences(reading: Reading, *, plain: bool) -> tuple[tuple[Part, ...], ...]:
    if "|" in reading.text:  # the cells of a row
        return ()
    counted = {reading.words[one.place].start: one for one in amounts(reading) if not one.weak}
    every = (list(words) for _, words in groupby(reading.words, key=SENTENCE))
    return tuple(
        tuple(_part(part, counted, reading, plain=plain) for part in _parts(words, counted, reading)) for words in every
    )


def _parts(words: Sequence[Word], counted: dict[int, Amount], reading: Reading) -> Iterator[list[Word]]:
    """Yield the parts between commas, semicolons and what joins; one without a number or a modal joins the next or the last."""
    pieces: list[list[Word]] = [[]]
    for at, word in enumerate(words):
        joins = word.low in _JOINS and not any(one.low in _BETWEEN for one in words[max(0, at - _REACH) : at])
        if pieces[-1] and (joins or word.comma or ";" in reading.text[words[at - 1].end : word.start]):
            pieces.append([])
        pieces[-1].append(word)
    stems = [word.stem for word in words if word.spoken and word.says and not word.capital and not _is_modal(word.low)]
    again = {stem for stem in stems if stems.count(stem) > 1}
    held: list[Word] = []
    ready: list[list[Word]] = []
    for piece in pieces:
        if ready and not held and _is_mere_name(piece, counted):
            ready[-1] = ready[-1] + piece
            continue
        held = held + piece
        names = [word for word in held if word.capital and _is_name(word)]
        named = names and any(word.stem in again for word in held)
        if named or [word for word in held if word.start in counted] or _modals(held, reading):
            ready.append(held)
            held = []
    if any(leans(reading.low[part[0].start : part[-1].end].lstrip("; ")) for part in ready):
        ready, held = [], list(words)  # it goes on about what comes before: “otherwise it costs …”
    if held and ready:
        ready[-1] = ready[-1] + held
    elif held:
        ready.append(held)
    yield from ready


def _is_mere_name(piece: Sequence[Word], counted: dict[int, Amount]) -> bool:
    """Return whether a part is one more name of the row before it: “Visa and Mastercard”."""
    says_more = any(word.start in counted or (_tells(word) and not _is_name(word)) for word in piece)
    return not says_more and any(_is_name(word) and not word.dated for word in piece)


def _modals(words: Sequence[Word], reading: Reading) -> frozenset[str]:
    return reach_of(reading.low[words[0].start : words[-1].end]) & _MODALS


def _part(words: list[Word], counted: dict[int, Amount], reading: Reading, *, plain: bool) -> Part:
    content = [word for word in words if word.spoken and word.says and not _is_modal(word.low)]
    lead = _lead(content)
    modals = _modals(words, reading)
    marks = {(one.value, _kind(one)) for word in words if (one := counted.get(word.start))}
    marks |= {(word.stem, "day") for word in words if word.dated}
    marks |= {(word.stem, "name") for word in words if word.capital and _is_name(word) and word not in lead}
    marks |= {(modal, "modal") for modal in modals}
    first = next((word.start for word in words if word.start in counted or _is_modal(word.low)), words[-1].end)
    said = tuple(_key(word, plain=plain) for word in content)
    pairs = {f"{one.stem} {two.low}" for one, two in pairwise(words) if two.low in _PARTICLES and one.tells}
    behind = {_key(word, plain=plain) for word in content if word.start > first}
    behind |= {word.stem for word in words if word.dated and word.start > first}
    behind |= {one.value for start, one in counted.items() if first < start <= words[-1].start}
    opening = next((word for word in words if word.low not in _JOINS), words[0])
    brief = opening.kind in {"number", "sign"} or _is_modal(opening.low) or opening.low in _LEADING
    return Part(
        said,
        frozenset(marks),
        frozenset(behind),
        frozenset((*said, *(value for value, _ in marks))) | pairs,
        brief and not opening.opens,
        frozenset([word.low for word in words]),
        frozenset(_key(word, plain=plain) for word in lead),
        modals,
    )


def _lead(content: Sequence[Word]) -> list[Word]:
    """Return the word of meaning that a part begins with, with the names right behind it."""
    names = takewhile(lambda pair: pair[1].capital and pair[1].start == pair[0].end + 1, pairwise(content))
    return [*content[:1], *(name for _, name in names if content[0].capital)]


@lru_cache(maxsize=4_096)
def _is_modal(low: str) -> bool:
    return bool(reach_of(low) & _MODALS)


def _tells(word: Word) -> bool:
    return word.spoken and word.says and not _is_modal(word.low)


def _is_name(word: Word) -> bool:
    return word.kind == "word" and word.capital and word.tells and (not word.opens or word.low in GIVEN_NAMES)


def _kind(amount: Amount) -> str:
    if amount.unit in MONEY:
        return "money"
    if amount.unit in PERIODS:
        return "period"
    if _YEAR.fullmatch(amount.value) and amount.unit is None:
        return "year"
    return "time" if ":" in amount.value else amount.unit or "number"
