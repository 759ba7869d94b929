"""What the quotes say of one thing, told of another of theirs: each word of the claim stands there, but apart."""

import re
from bisect import bisect
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache
from itertools import chain, combinations, groupby, pairwise, permutations
from typing import NamedTuple

from core.proof.backing import Backing, same_root
from core.proof.dates import is_date_word
from core.proof.denials import denials
from core.proof.given import GIVEN_NAMES
from core.proof.lexicon import meaning
from core.proof.modes import says_the_same
from core.proof.numbers import Amount, amounts
from core.proof.segments import cuts_of, is_whole, leans
from core.proof.units import MONEY, PERIODS, kind_of_day
from core.proof.words import SENTENCE, Reading, Word, read
from core.text import stem

_ENOUGH, _BRIEF, _MIDDLING, _LONGEST = 2, 3, 4, 6
# “Between 10:00 and 15:00” is one thing.
_RANGE, _REACH = re.compile(r"\b(?:between|между)\b[^,;]*\s(?:and|и)\s$"), 48
_ADDS = re.compile(r"\b(?:and|or|и|или)\s+(?:in|on|at|from|в|во|на|из|с|со)\s")
# As many letters before and behind a part's beginning tell whether “and at” stands there.
_AND = 5
_AMOUNTS = frozenset(["money", "period", "time", "%", "number", "bytes"])
_WEEKDAYS = ("weekend", "weekday", "выходн", "будн")


class Piece(NamedTuple):
    """A part of a sentence, or a whole one: its words in order, its values with their kinds, whether it leans on another.

    `keys`: its words and its values, and the amounts of the part before it that it goes on about. `adds`: it is one
    more place or time of what the part before says, so that its end may be said of both: “and at Joker in 2024 with …”.
    """

    words: tuple[str, ...]
    values: frozenset[tuple[str, str]]
    leans: bool
    keys: frozenset[str]
    adds: bool = False


def doubt_of_mixing(text: str, backing: Backing) -> str | None:
    """Return the word or the value that the claim tells of another thing than its quotes do, or None.

    What comes later in the quotes may go on about what came before, and not the other way round.
    """
    parts, lines = _parts(read(text)), _lines(backing.quotes)
    levels = [held for held in (_parts(backing.quoted), _sentences(backing.quoted)) if len(held) >= _ENOUGH]
    if not levels and len(lines) < _ENOUGH:
        return None
    above = frozenset(map(meaning, backing.above.stems))
    checks = (_of_another, _begun_otherwise, _crossed)
    faults = (check(own, held, above) for held in levels for own in parts for check in checks)
    apart = (_apart(own, lines, above) for own in parts)
    doubt = next(filter(None, chain(faults, apart)), None)
    return None if doubt and denials(read(text)) and says_the_same(read(text), backing) else doubt


def names_or_numbers(text: str, but: Collection[str] = ()) -> bool:
    """Return whether the text names somebody, a number or a day, but for some numbers."""
    return any(value not in but for piece in _sentences(read(text)) for value, _ in piece.values)


def _apart(own: Piece, lines: Sequence[Piece], above: frozenset[str]) -> str | None:
    """Return two values of a part of the claim, a name and a sum, say, which no line has both of: each has its own."""
    known = [(value, kind, [at for at, line in enumerate(lines) if value in line.keys]) for value, kind in own.values]
    single = [(value, kind, at[0]) for value, kind, at in known if len(at) == 1 and value not in above]
    for (one, its, here), (other, kind, there) in combinations(sorted(single, key=lambda found: found[2]), 2):
        if here != there and its != kind and not lines[there].leans:
            return f"it says “{one}” and “{other}” of one thing, its quotes say them of two"
    return None


def _begun_otherwise(own: Piece, held: Sequence[Piece], above: frozenset[str]) -> str | None:
    """Return what the claim puts in the place of what a part of the quotes begins with, and another part, too."""
    mine, own_first = own.keys, own.words[:1]
    for here in held:
        if here.leans or not (own_first and here.words) or here.words[0] in mine or here.words[0] in above:
            continue
        shared = mine & here.keys
        values = {value for value, kind in here.values & own.values if kind in _AMOUNTS}
        if len(shared) + len(values) < _ENOUGH or any(len(mine & one.keys) > len(shared) for one in held):
            continue
        for there in (piece for piece in held if len(here.words) <= _MIDDLING >= len(piece.words)):
            is_first = there is not here and own_first == there.words[:1]
            if (
                is_first
                and own_first[0] not in here.keys | above
                and len(shared - there.keys) + len(values - there.keys) >= _ENOUGH
            ):
                return f"it says of “{own_first[0]}…” what its quotes say of “{here.words[0]}…”"
    return None


def _crossed(own: Piece, held: Sequence[Piece], above: frozenset[str]) -> str | None:
    """Return the word that stands beside a word in the claim, where each of two parts has another one beside its own."""
    mine = frozenset(own.words)
    for here, there in pairwise(held):
        if _is_brief(here) and _is_brief(there) and not here.keys & there.keys:
            one, other = here.keys - above, there.keys - above
            if one & mine and one - mine and other & mine and other - mine:
                return f"it says “{min(one & mine)}… {min(other & mine)}”, and its quotes say neither of the other"
    for here, there in permutations([piece for piece in held if len(piece.words) <= _LONGEST], 2):
        alone = mine & here.keys - there.keys - above - _modal()
        if not any(not any(same_root(word, other) for other in there.keys) for word in alone):
            continue
        for pivot in (mine & frozenset(here.words) & frozenset(there.words)) - _modal():
            sides = _beside(pivot, there)
            for side, (word, left) in enumerate(zip(_beside(pivot, own), _beside(pivot, here), strict=True)):
                # In English a word behind another is not what it is before it.
                is_there = word in (sides[side : side + 1] if word.isascii() else sides)
                is_moved = word and word not in here.keys and word not in above
                if is_there and is_moved and left and left not in there.keys | mine:
                    return f"it says “{pivot}… {word}” of another than its quotes do"
    return None


@cache
def _modal() -> frozenset[str]:
    return frozenset(meaning(stem(word)) for word in "may must should может должен нужно".split())


def _is_brief(piece: Piece) -> bool:
    """Return whether a part says hardly more than one thing of another: “the timers are erased”."""
    return _ENOUGH <= len(piece.words) <= _BRIEF and not piece.values and not piece.leans


def _beside(word: str, piece: Piece) -> tuple[str, str]:
    """Return the words right before and right behind a word."""
    at = piece.words.index(word)
    return piece.words[at - 1] if at else "", (*piece.words, "")[at + 1]


def _of_another(own: Piece, held: Sequence[Piece], above: frozenset[str]) -> str | None:
    """Return the value that the claim tells with the words of a part that has another value of its kind."""
    mine = own.keys
    for value, kind in own.values:
        at = [place for place, piece in enumerate(held) if (value, kind) in piece.values]
        if len(at) != 1 or len(held[at[0]].words) > _LONGEST:
            continue
        here = held[at[0]]
        before = frozenset().union(*(piece.keys for piece in held[: at[0]]))
        for place, there in enumerate(held):
            rivals = {other for other, same in there.values if same == kind} - here.keys
            goes_on = place == at[0] + 1 and (there.adds or (kind == "name" and there.leans))
            is_long = len(there.words) > _LONGEST
            if place == at[0] or is_long or not rivals or rivals & mine or goes_on:
                continue
            theirs = (mine & there.keys) - here.keys - above
            theirs -= before if place > at[0] else frozenset()
            alone = here.keys - there.keys - above - {other for other, same in here.values if same == kind}
            if theirs and (place > at[0] or (alone and not alone & mine)):
                return f"it says “{value}” of “{min(theirs)}…”, its quotes say it of another"
    return None


@lru_cache(maxsize=256)
def _parts(reading: Reading) -> tuple[Piece, ...]:
    if "|" in reading.text:  # the cells of a row are no parts of a sentence
        return ()
    cuts = sorted(cut for cut in cuts_of(reading) if not _RANGE.search(reading.low, max(0, cut - _REACH), cut))
    parts: list[list[Word]] = []
    for part in _cut(reading.words, cuts):
        if parts and parts[-1][-1].sentence == part[0].sentence and not (_is_whole(part) and _is_whole(parts[-1])):
            parts[-1] += part
        else:
            parts.append(part)
    return _pieces(parts, reading)


def _cut(words: Sequence[Word], cuts: Sequence[int]) -> list[list[Word]]:
    """Return the words of each sentence between the places at which it is cut."""
    found: list[list[Word]] = []
    last = (-1, -1)
    for word in words:
        key = word.sentence, bisect(cuts, word.start)
        if key == last:
            found[-1].append(word)
        else:
            found.append([word])
        last = key
    return found


def _is_whole(part: list[Word]) -> bool:
    """Return whether a part says something, and is no mere name in a row of names: “Anna Berg, Boris Klein and …”."""
    return is_whole(part) and any(
        word.kind in {"number", "ident"} or (word.tells and not _is_name(word)) for word in part
    )


@lru_cache(maxsize=256)
def _sentences(reading: Reading) -> tuple[Piece, ...]:
    return _pieces((list(words) for _, words in groupby(reading.words, key=SENTENCE)), reading)


@lru_cache(maxsize=1_024)
def _lines(quotes: str) -> tuple[Piece, ...]:
    readings = map(read, quotes.split("\n"))
    return tuple(
        piece for reading in readings for piece in _pieces([list(reading.words)] * bool(reading.words), reading)
    )


def _pieces(parts: Iterable[list[Word]], reading: Reading) -> tuple[Piece, ...]:
    counted = {reading.words[one.place].start: one for one in amounts(reading) if not one.weak}
    found: list[Piece] = []
    for part in parts:
        piece = _piece(part, counted, reading)
        if piece.leans and found:  # “above that amount”: the amount is its own, too
            piece = piece._replace(keys=piece.keys | {value for value, kind in found[-1].values if kind in _AMOUNTS})
        found.append(piece)
    return tuple(found)


def _piece(part: list[Word], counted: dict[int, Amount], reading: Reading) -> Piece:
    full = {word.start for word in _full_names(part)}
    names = {word.start: word.stem for word in part if word.start in full or (word.capital and _is_name(word))}
    values = {(one.value, _kind(one)) for word in part if (one := counted.get(word.start))}
    values |= {(stem, "name") for stem in names.values()}
    values |= {(word.stem, "day") for word in part if _is_day(word.low)}
    words = tuple(
        [
            meaning(word.stem)
            for word in part
            if word.spoken and word.says and word.start not in names and not _is_day(word.low)
        ]
    )
    keys = frozenset([*words, *[value for value, _ in values]])
    start = part[0].start
    adds = _ADDS.search(reading.low, max(0, start - _AND), start + _AND) is not None
    return Piece(words, frozenset(values), leans(reading.low[start : part[-1].end]), keys, adds)


def _is_name(word: Word) -> bool:
    named = word.capital and word.tells and (not word.opens or word.low in GIVEN_NAMES)
    return word.kind == "word" and named and word.spoken


def _full_names(part: list[Word]) -> list[Word]:
    """Return the words that open a sentence with a capital and have another one behind them: a first name."""
    pairs = pairwise(part)
    return [
        one
        for one, other in pairs
        if one.opens and one.capital and one.tells and _is_name(other) and other.start == one.end + 1
    ]


@lru_cache(maxsize=20_000)
def _is_day(low: str) -> bool:
    is_day = is_date_word(low) or low.startswith(_WEEKDAYS) or kind_of_day(low) in {"working", "calendar"}
    return is_day or (low.endswith("ly") and low[:-2] in PERIODS)


def _kind(amount: Amount) -> str:
    if amount.unit in MONEY:
        return "money"
    if amount.unit in PERIODS:
        return "period"
    if amount.unit and amount.unit.endswith("byte"):
        return "bytes"
    return "time" if ":" in amount.value else amount.unit or "number"
