"""Russian nouns by their endings: which of two forms is the one of who acts, and who has exchanged it with whom."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.proof.backing import same_root
from core.proof.patterns import compiled
from core.proof.words import Reading, Word

_CONSONANT = compiled(r"[бвгджзклмнпрстфхцчшщйь]$")
_NO_NOUN = compiled(r"(?:ся|[еиюая]т|л[аои]?|ть|ия|ие|ии|ию|[ыи]х|[ыи]м|[ыо]й|ое|ые|ая|ую|ого|ему)$")
_AGENT = compiled(r"(?:ом|ем|ой|ей|ою|ею|ами|ями|ью|ым|им|ыми|ими)$")
_PASSIVE = compiled(r"(?:ся|сь|(?:ан|ен|ят|ыт|ит)(?:а|о|ы)?)$")
_OBLIQUE = compiled(r"[аяуюеи]$|ом$|ем$|ым$")
# Surnames that end as the genitive of many things does, and are declined as nouns but for «Петровым».
_SURNAME = compiled(r"\b[а-я]{2,40}(?:ов|ев|ин|ын)")
_OF_SURNAME = frozenset(["а", "у", "ым", "е"])
# First names that end as a verb or an adjective does: Михаил, Дмитрий.
_FIRST = compiled(r"\b[а-я]{2,40}(?:ил|ал|ий|ей)")
_AFTER_FIRST = compiled(r"(?:[аяуюе]|ом|ем|ия|ию|ием|ии)")
_VOICED = re.compile(r"(?:ся|сь|нн?(?:а|о|ы)?|[ыи]т(?:а|о|ы)?)$")
_MIN = 3


class Pair(NamedTuple):
    """A word of the claim and the only word of the quote that it can be."""

    own: Word
    other: Word


def exchanged(
    pairs: Iterable[Pair], claim: Reading, quote: Reading, leads: Callable[[Word, Reading], str]
) -> tuple[Pair, Pair] | None:
    """Return two Russian nouns that have exchanged the case of the one who acts."""
    free = [
        _by_head(pair, claim, quote) for pair in pairs if not leads(pair.own, claim) and not leads(pair.other, quote)
    ]
    lost = [pair for pair in free if is_nominative(pair.other, pair.own)]
    won = [pair for pair in free if is_nominative(pair.own, pair.other)]
    passive = _is_passive(claim), _is_passive(quote)
    for one in lost:
        for other in won:
            if one is other:
                continue
            told_so = _AGENT.search(one.own.low) and passive[0]
            was_told_so = _AGENT.search(other.other.low) and passive[1]
            if not told_so and not was_told_so:
                return one, other
    return _by_voice(free, claim, quote) if passive[0] or passive[1] else None


def _by_voice(free: Sequence[Pair], claim: Reading, quote: Reading) -> tuple[Pair, Pair] | None:
    """Return two of whom one stays who the sentence is about though only one side is in the passive."""
    if not _turns_passive(claim, quote):
        return None
    for one in free:
        forms = (one.own.low, one.other.low)
        acting = next((low for low in forms if _AGENT.search(low)), None)
        facing = forms[0] if acting == forms[1] else forms[1]
        if acting is None or _AGENT.search(facing) or facing in _plain_of(acting):
            continue
        stays = (
            pair for pair in free if pair is not one and pair.own.low == pair.other.low and _may_be_plain(pair.own)
        )
        if other := next(stays, None):
            return other, one
    return None


def _turns_passive(claim: Reading, quote: Reading) -> bool:
    """Return whether one side has the verb of the other in the passive."""
    return any(
        _is_voiced(one.low) and not _is_voiced(other.low) and _is_of(one.stem, other.stem)
        for own, facing in ((claim, quote), (quote, claim))
        for one in own.content
        for other in facing.content
        if not one.capital and not one.low.isascii()
    )


def _is_of(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return same_root(one, other) or (len(short) >= _MIN and long.startswith(short))


@lru_cache(maxsize=20_000)
def _is_voiced(low: str) -> bool:
    return _VOICED.search(low) is not None and not low.endswith(("ит", "ыт"))


@lru_cache(maxsize=4_096)
def _plain_of(low: str) -> frozenset[str]:
    """Return what an instrumental may be of: Громов of Громовым, Лебедева of Лебедевой."""
    base = _AGENT.sub("", low)
    if low.endswith(("ой", "ей", "ою", "ею", "ью")):
        return frozenset([f"{base}а", f"{base}я", f"{base}ь"])
    return frozenset([base, f"{base}ь", f"{base}й", f"{base}о", f"{base}е", f"{base}ы", f"{base}и"])


def _may_be_plain(word: Word) -> bool:
    low = word.low
    return word.kind == "word" and not low.isascii() and bool(_CONSONANT.search(low) or low[-1] in "ая")


def _by_head(pair: Pair, claim: Reading, quote: Reading) -> Pair:
    """Return a name in quotation marks as the noun before it, which takes its case: компания «Заря»."""
    own, other = head_of(pair.own, claim), head_of(pair.other, quote)
    return Pair(own, other) if own and other and own.stem == other.stem else pair


@lru_cache(maxsize=256)
def head_of(word: Word, reading: Reading) -> Word | None:
    """Return the noun right before a name in quotation marks, or None."""
    if reading.text[max(0, word.start - 1) : word.start] != '"':
        return None
    place = reading.words.index(word)
    before = reading.words[place - 1] if place else None
    near = before is not None and word.start - before.end <= _MIN and before.kind == "word" and not before.low.isascii()
    return before if near else None


def _is_passive(reading: Reading) -> bool:
    return any(_PASSIVE.search(word.low) for word in reading.content)


def is_nominative(one: Word, other: Word) -> bool:
    """Return whether the first of two forms of a noun is the one of who acts, and the second is not."""
    a, b = one.low, other.low
    if a == b or a.isascii():
        return False
    is_first = not (one.opens and other.opens) and _declines_first(a, b)
    if (one.capital and other.capital and (is_first or _declines(a, b))) or (a.endswith("ия") and b == f"{a[:-1]}ю"):
        return True
    if _NO_NOUN.search(a) or _NO_NOUN.search(b):
        return False
    if _CONSONANT.search(a) and not a.endswith(("ей", "ой", "ий", "ый", "ов", "ев", "ть", "им", "ым")):
        return b.startswith(a.rstrip("йь")[: max(3, len(a) - 2)]) and bool(_OBLIQUE.search(b))
    if a[-1] in "ая":
        return (b[:-1] == a[:-1] and b[-1] in "ыиуюе") or (b[:-2] == a[:-1] and b[-2:] in {"ой", "ей"})
    return False


@lru_cache(maxsize=4_096)
def _declines(a: str, b: str) -> bool:
    """Return whether the second form of a man's name is a declined one of the first."""
    if _SURNAME.fullmatch(a) and b.startswith(a):
        return b[len(a) :] in _OF_SURNAME
    if a.endswith(("ский", "цкий")):
        return (b[:-3] == a[:-2] and b[-3:] in {"ого", "ому"}) or (b[:-2] == a[:-2] and b.endswith("им"))
    return False


@lru_cache(maxsize=4_096)
def _declines_first(a: str, b: str) -> bool:
    """Return whether the second form is a declined one of a first name that ends as other words do: Мария, Михаил."""
    if a.endswith("ия"):
        return b[:-1] == a[:-1] and b[-1] in "июе"
    if not _FIRST.fullmatch(a):
        return False
    bare = a[:-2] if a.endswith(("ий", "ей")) else a
    rest = b.removeprefix(bare)
    return b.startswith(bare) and _AFTER_FIRST.fullmatch(rest) is not None
