"""Who does what to whom, and which number belongs to whom: a claim may not swap them."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise

from core.proof.backing import Backing, same_name, same_root
from core.proof.coverage import follows
from core.proof.declined import Pair, exchanged, head_of
from core.proof.lexicon import light
from core.proof.numbers import amounts
from core.proof.opposites import opposites
from core.proof.segments import Segment, segments, whole_of
from core.proof.units import unit_of
from core.proof.words import Reading, Word, read
from core.text import analysed_as, sentences

_PREPOSITIONS = frozenset(
    "in on at for from with by after before during under over per within until since about into through via as of to than"
    " в во на за с со до от по из к при для о об у после перед через под над без".split()
)
_PASSIVE_EN = re.compile(
    r"\b(?:is|are|was|were|be|been|being|gets|got)\b(?: \w+){0,2} \w+(?:ed|en|wn|ne|de|ld|id|ught|un|ung|ade|t)\b"
)
_FROM = re.compile(r"\b(?:from|с|со|от)$")
_TO = re.compile(r"\b(?:to|до|till|until|по)$")
_INSTEAD = re.compile(r"\b(?:instead of|rather than|down from|up from|вместо|против)$")
# «Продавец», «продавцу»: a vowel that some forms of a noun do without.
_FLEETING = re.compile(r"[еоь]([цк])$")
_REACH = 16
_SHARING = 5
_KEPT = 0.6
_WAYS = frozenset(["", *"from to into of for из в до от на для с ко к".split()])


def fault_of_roles(text: str, backing: Backing) -> str | None:
    """Return what the claim attaches to another than its quotes do, or None."""
    claim = read(text)
    if fault := _turned_range(claim, backing.quoted) or _contrary(claim, backing.quoted):
        return fault
    for line in _lines(backing.quotes):
        quote = read(line)
        pairs = _pairs(claim, quote)
        swapped = (
            exchanged(pairs, claim, quote, _led_by)
            if analysed_as(line) == "ru" and _keeps(pairs, claim, quote)
            else None
        )
        swapped = (
            swapped or _around_a_verb(pairs, claim, quote) or _possessive(pairs) or _led_otherwise(pairs, claim, quote)
        )
        if swapped:
            return f"it swaps “{swapped[0].own.text}” and “{swapped[1].own.text}”"
    return _misattached(claim, backing)


@lru_cache(maxsize=1_024)
def _lines(quotes: str) -> tuple[str, ...]:
    """Return the lines of the quotes and, where a line has several, its sentences: what both say stands once in each."""
    lines = quotes.split("\n")
    told = [line[start:end] for line in lines for start, end in sentences(line)]
    # What each side of a semicolon says has its own doer.
    return tuple(dict.fromkeys([*lines, *told, *(part for one in told if ";" in one for part in one.split("; "))]))


def _pairs(claim: Reading, quote: Reading) -> list[Pair]:
    """Return the words that stand just once on both sides, in the claim's order."""
    mine, theirs = _once(claim), _once(quote)
    found = [Pair(word, theirs[stem]) for stem, word in mine.items() if stem in theirs]
    taken = {pair.other.start for pair in found}
    short = {_FLEETING.sub(r"\1", stem): word for stem, word in theirs.items() if word.start not in taken}
    for stem, word in mine.items():
        other = short.get(_FLEETING.sub(r"\1", stem)) if stem not in theirs else None
        if other and other.start not in taken:
            found.append(Pair(word, other))
            taken.add(other.start)
    for word in mine.values():
        if word.stem not in theirs and word.capital:
            other = next((one for one in theirs.values() if one.capital and same_name(word.low, one.low)), None)
            if other and other.start not in taken:
                found.append(Pair(word, other))
    return sorted(found, key=lambda pair: pair.own.start)[:_REACH]


def _keeps(pairs: Sequence[Pair], claim: Reading, quote: Reading) -> bool:
    """Return whether a claim keeps to the words of a line, in whatever forms."""
    return len(pairs) >= _KEPT * len(claim.content) or follows(claim, quote)


def _once(reading: Reading) -> dict[str, Word]:
    counts: dict[str, int] = {}
    for word in reading.words:
        counts[word.stem] = counts.get(word.stem, 0) + 1
    return {
        word.stem: word
        for word in reading.words
        if counts[word.stem] == 1 and (word.tells or word.kind == "ident") and not word.numeral
        if unit_of(word.low) is None and not word.dated
    }


def _led_otherwise(pairs: list[Pair], claim: Reading, quote: Reading) -> tuple[Pair, Pair] | None:
    """Return two names that have exchanged their prepositions: from A to B, from B to A."""
    named = [pair for pair in pairs if pair.own.capital or pair.own.kind == "ident" or not pair.own.text.isalpha()]
    for one, other in combinations(named, 2):
        mine = _led_by(one.own, claim), _led_by(other.own, claim)
        theirs = _led_by(one.other, quote), _led_by(other.other, quote)
        if mine == theirs[::-1] and mine[0] != mine[1] and set(mine) <= _WAYS:
            return one, other
    return None


def _around_a_verb(pairs: list[Pair], claim: Reading, quote: Reading) -> tuple[Pair, Pair] | None:
    """Return two words that stand on the other sides of a third than in the quote, while the voice is the same."""
    russian = analysed_as(quote.text) == "ru"
    for left, right in combinations(pairs, 2):
        if left.own.clause != right.own.clause or left.other.clause != right.other.clause:
            continue
        if left.other.start < right.other.start:
            continue
        if russian and not (_is_undeclined(left, claim, quote) and _is_undeclined(right, claim, quote)):
            continue
        if not russian and not (_may_act(left) and _may_act(right)):
            continue
        if _led_by(left.own, claim) or _led_by(right.other, quote):
            continue
        if _led_by(right.own, claim) != _led_by(left.other, quote):
            continue
        pivots = [
            pair
            for pair in pairs
            if left.own.start < pair.own.start < right.own.start
            and right.other.start < pair.other.start < left.other.start
            and not pair.own.capital
            and not _is_possessed(pair, left, right)
        ]
        if pivots and _passive(claim, pivots[0].own) == _passive(quote, pivots[0].other):
            return left, right
    return None


def _is_possessed(pivot: Pair, left: Pair, right: Pair) -> bool:
    """Return whether a side tells by a noun, as somebody's, what the other tells by a verb: her assistant, assists her."""
    here, there = left.own.own, right.other.own
    return here != there and pivot.own.low != pivot.other.low


def _is_undeclined(pair: Pair, claim: Reading, quote: Reading) -> bool:
    """Return whether nothing but its place tells if a name acts: in Latin letters, or in quotation marks."""
    if pair.own.text.isascii() and pair.other.text.isascii():
        return True
    own, other = head_of(pair.own, claim), head_of(pair.other, quote)
    marked = all(
        text[start - 1 : start] == '"' for text, start in ((claim.text, pair.own.start), (quote.text, pair.other.start))
    )
    same = (own.low if own else None) == (other.low if other else None)
    return marked and same and (own is None or own.low[-1] not in "ауюяыие")


def _may_act(pair: Pair) -> bool:
    """Return whether a word may be the one who acts by its form alone."""
    return not pair.own.low.endswith(("ly", "ing", "ed")) and pair.own.stem not in light()


@lru_cache(maxsize=256)
def _led_by(word: Word, reading: Reading) -> str:
    """Return the preposition that leads a word in, or nothing: then it may be the one who acts."""
    place = next(at for at, one in enumerate(reading.words) if one.start == word.start)
    for before in reversed(reading.words[max(0, place - 3) : place]):
        if before.clause != word.clause or before.comma:
            return ""
        if before.low in _PREPOSITIONS:
            return before.low
        if not before.low.isascii() and (before.dated or unit_of(before.low)):
            return ""  # «в мае Козлов»: what the preposition leads in ends there
    return ""


def _passive(reading: Reading, pivot: Word) -> bool:
    near = reading.low[max(0, pivot.start - 24) : pivot.end]
    return bool(_PASSIVE_EN.search(near)) or (
        bool(re.search(r"(?:ся|сь|[её]н[аоы]?|ан[аоы]?)$", pivot.low)) and not pivot.low.isascii()
    )


def _possessive(pairs: list[Pair]) -> tuple[Pair, Pair] | None:
    lost = [pair for pair in pairs if pair.other.own and not pair.own.own]
    won = [pair for pair in pairs if pair.own.own and not pair.other.own]
    return (lost[0], won[0]) if lost and won else None


def _turned_range(claim: Reading, quote: Reading) -> str | None:
    """Return that the claim goes from B to A where the quote goes from A to B."""
    own, held = _ends(claim), _ends(quote)
    for value, end in own.items():
        if (
            value in held
            and held[value] != end
            and any(
                other != value and held.get(other) == end and own[other] == held[value]
                for other in own
                if other in held
            )
        ):
            return f"it goes {end} {value}, its quotes go {held[value]} {value}"
    return None


def _contrary(claim: Reading, quote: Reading) -> str | None:
    """Return the word right before a number that means the opposite of the one before it in the quotes."""
    own, held = _led(claim), _led(quote)
    for value, word in own.items():
        if held.get(value, "") in opposites(word) and _ends(claim).get(value) != "to":
            return f"it says “{word}… {value}”, its quotes “{held[value]}… {value}”"
    return None


@lru_cache(maxsize=256)
def _led(reading: Reading) -> dict[str, str]:
    """Return for each number the stem of the last word of meaning before it."""
    found: dict[str, str] = {}
    for amount in amounts(reading):
        before = reversed(reading.words[max(0, amount.place - 4) : amount.place])
        found[amount.value] = next((word.stem for word in before if word.spoken), "")
    return found


@lru_cache(maxsize=256)
def _ends(reading: Reading) -> dict[str, str]:
    """Return for each number that begins or ends a change which of the two it does."""
    found: dict[str, str] = {}
    for amount in amounts(reading):
        before = reading.low[max(0, reading.words[amount.place].start - 14) : reading.words[amount.place].start].rstrip(
            " €$£₽"
        )
        if _FROM.search(before) or _INSTEAD.search(before):
            found[amount.value] = "from"
        elif _TO.search(before):
            found[amount.value] = "to"
    return found


def _misattached(claim: Reading, backing: Backing) -> str | None:
    """Return what the claim says of one subject while its quotes, which set two side by side, say it of the other."""
    for one, other in _pairs_of(backing.quoted):
        for own in segments(claim):
            every = own.said | own.values
            about = [a for a, b in ((one, other), (other, one)) if every & (a.subject - b.subject)]
            if len(about) != 1:
                continue
            facing = other if about[0] is one else one
            told = own.values & (facing.values - about[0].values - facing.subject)
            if not own.values and not own.said & (about[0].said - facing.said - about[0].subject):
                told = frozenset() if about[0].elliptic else own.said & (facing.said - about[0].said - facing.subject)
                told = frozenset(stem for stem in told if not any(same_root(stem, other) for other in about[0].said))
            if told and not own.values & (about[0].values - facing.values - about[0].subject):
                return f"it says “{min(told)}” of “{min(every & about[0].subject)}…”, its quotes say it of another"
    return _across_the_limit(claim, backing.quoted) or _shared_out(claim, backing.known)


def _across_the_limit(claim: Reading, quote: Reading) -> str | None:
    """Return who the claim puts on the other side of a limit: A up to 500, and B above that amount."""
    for one, following in pairwise(segments(quote)):
        is_rest = following.otherwise and one.side and not following.side
        other = following._replace(side={"below": "beyond", "beyond": "below"}[one.side]) if is_rest else following
        if not other.leans or {one.side, other.side} != {"below", "beyond"}:
            continue
        for own in (*segments(claim), *([whole_of(claim)] if other.otherwise else [])):
            about = [a for a, b in ((one, other), (other, one)) if own.said & (a.subject - b.subject)]
            about = (
                [other] if own.said & (other.subject - one.said) or own.values & (other.values - one.values) else about
            )
            if len(about) == 1 and own.values & one.values and own.side not in {"", about[0].side}:
                return f"it says “{own.side} {min(own.values & one.values)}” of another than its quotes do"
    return None


def _shared_out(claim: Reading, known: Reading) -> str | None:
    """Return the number that is a part in the claim and a whole in the quotes: 19 of 31, not 31 of 19."""
    own, held = _shares(claim), _shares(known)
    for value, role in own.items():
        facing = {other for other, kind in held.items() if kind == role}
        if facing and value not in facing and value in {one.value for one in amounts(known)}:
            return f"it makes {value} the {role}, where its quotes have {min(facing)}"
    return None


@lru_cache(maxsize=256)
def _shares(reading: Reading) -> dict[str, str]:
    found: dict[str, str] = {}
    for amount in amounts(reading):
        before = [word.low for word in reading.words[max(0, amount.place - 2) : amount.place]]
        after = " ".join(word.low for word in reading.words[amount.place + 1 : amount.place + 3])
        if re.match(r"(?:of|из) (?:them|which|whom|них|которых)", after) or before[-2:] in (
            ["of", "which"],
            ["из", "которых"],
        ):
            found[amount.value] = "part"
        elif not _counts(reading, amount.place):
            continue
        elif before[-1:] in (["of"], ["из"]) or before[-2:] in (["of", "the"], ["of", "all"]):
            found[amount.value] = "whole"
    return found


def _counts(reading: Reading, place: int) -> bool:
    """Return whether another number stands near a number: 19 of 31, 19 vans of the 31, of 31 vans 19."""
    return any(0 < abs(one.place - place) <= _SHARING for one in amounts(reading))


def _pairs_of(quote: Reading) -> list[tuple[Segment, Segment]]:
    """Return neighbouring parts that say the same kind of thing of different subjects."""
    parts = segments(quote)
    found = []
    for one, other in pairwise(parts):
        alike = one.units & other.units or (one.said - one.subject) & (other.said - other.subject)
        named = _named_by(one, quote) and _named_by(other, quote)
        apart = one.subject - other.subject and other.subject - one.subject
        if apart and (alike or named) and not other.leans:
            found.append((one, other))
    return found


def _named_by(part: Segment, reading: Reading) -> bool:
    return any(word.stem in part.subject and word.capital and not word.opens for word in reading.words)
