"""Names that hold each other or are nearly alike: Pro and Pro Max, York and New York, А. and Б. Смирнов."""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from core.proof.actors import is_actor
from core.proof.backing import Backing, same_name, same_root
from core.proof.segments import parts_of
from core.proof.words import Reading, Word

# What stands behind the name of a thing and makes it another one, and what stands before the name of a place.
_TIERS = frozenset(
    """
    pro max plus lite ultra mini air premium enterprise business advanced extra xl se junior senior kids elite gold silver
    platinum turbo express deluxe starter home student beta alpha preview nano micro light slim fold flip cloud server
    плюс макс про лайт ультра мини премиум экстра бизнес эконом люкс комфорт лайтс стандарт бета турбо экспресс золото
    """.split()
)
_PLACES = frozenset(
    """
    new san santa saint st los las el la port north south east west upper lower great little old fort mount rio cape
    нижний верхний великий новый старый северный южный западный восточный малый большой нью сан лос северная южная новая
    старая нижняя верхняя великая великие нижние верхние западная восточная северное южное новое старое
    """.split()
)
_MARKED = re.compile(r'"([^"\n]{2,40})"')
_MAX_MARKED = 4
_INITIAL = re.compile(
    r"\b([A-ZА-Я])\.(?: ?([A-ZА-Я])\.)? ?([A-ZА-Я][^\W\d_]+)|\b([A-ZА-Я][^\W\d_]+) ([A-ZА-Я])\.(?: ?[A-ZА-Я]\.)?"
)
_SURE = 3
_SHE_ACTS = re.compile(r"\b\w{1,40}(?:[её]т|ит|[её]тся|ится|ла|лась|на|та)")
_SURNAME = re.compile(r"\b\w{2,40}(?:ов|ев|ин|ова|ева|ина|ский|ская)")
_DOES = re.compile(r"\b\w{1,40}(?:[её]т|ит|[её]тся|ится|ла|лась)")


class _Initials(NamedTuple):
    """A surname with the first letter of its first name."""

    first: str
    surname: str
    shown: str


def fault_of_namesakes(claim: Reading, backing: Backing) -> str | None:
    """Return the name of the claim that the documents have only as part of another one, or of somebody else."""
    known = backing.known
    return (
        _part_of_a_longer(claim, known)
        or _marked_part(claim, known)
        or _put_together(claim, known)
        or _other_initial(claim, known)
        or _other_gender(claim, backing.quoted)
    )


def _part_of_a_longer(claim: Reading, known: Reading) -> str | None:
    """Return the name that the claim cuts short: Pro of Pro Max, York of New York."""
    for at, word in enumerate(known.words):
        tier = word.capital and word.low in _TIERS and at > 0 and _adjoins(known, at - 1) and _is_name(known, at - 1)
        place = (
            word.capital
            and word.low in _PLACES
            and at + 1 < len(known.words)
            and _adjoins(known, at)
            and _is_name(known, at + 1)
        )
        if not tier and not place:
            continue
        core = known.words[at - 1] if tier else known.words[at + 1]
        step = 1 if tier else -1
        own = [
            spot for spot, one in enumerate(claim.words) if _alike(one, core) and (one.capital or one.kind != "word")
        ]
        if not own or any(_at(claim, spot + step, word) for spot in own):
            continue
        bare = {
            one.start for spot, one in enumerate(known.words) if _alike(one, core) and not _at(known, spot + step, word)
        }
        if bare and not _told_of_the_longer(claim, known, word, bare):
            continue
        longer = f"{core.text} {word.text}" if tier else f"{word.text} {core.text}"
        return f"it says “{claim.words[own[0]].text}”, its quotes “{longer}”"
    return None


def _told_of_the_longer(claim: Reading, known: Reading, word: Word, bare: AbstractSet[int]) -> bool:
    """Return whether a number of the claim stands only where the longer name does: Pro costs 20 and Pro Max 30."""
    parts = parts_of(known)
    for number in (one.low for one in claim.words if one.kind == "number"):
        there = [part for part in parts if any(one.low == number for one in part)]
        if there and all(word in part and not any(one.start in bare for one in part) for part in there):
            return True
    return False


def _at(reading: Reading, place: int, word: Word) -> bool:
    return 0 <= place < len(reading.words) and _alike(reading.words[place], word)


def _alike(one: Word, other: Word) -> bool:
    return (
        one.low == other.low
        or one.stem == other.stem
        or (one.capital and other.capital and same_name(one.low, other.low))
    )


def _adjoins(reading: Reading, place: int) -> bool:
    one, following = reading.words[place], reading.words[place + 1]
    return following.start - one.end <= 1 and one.sentence == following.sentence


def _is_name(reading: Reading, place: int) -> bool:
    word = reading.words[place]
    return (word.capital and (word.tells or word.low in _TIERS)) or word.kind in {"ident", "number"}


def _marked_part(claim: Reading, known: Reading) -> str | None:
    """Return the name in quotation marks that is only the beginning or the end of one of the documents."""
    if '"' not in claim.text or '"' not in known.text:
        return None
    held = _marked(known)
    for own in _marked(claim):
        if any(_same(own, other) for other in held):
            continue
        longer = next((other for other in held if len(other) > len(own) and _within(own, other)), None)
        if longer is not None:
            return f"it says “{' '.join(own)}”, its quotes “{' '.join(longer)}”"
    return None


@lru_cache(maxsize=256)
def _marked(reading: Reading) -> tuple[tuple[str, ...], ...]:
    found = (tuple(name.lower().split()) for name in _MARKED.findall(reading.text))
    return tuple(name for name in found if 0 < len(name) <= _MAX_MARKED)


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    return len(one) == len(other) and all(
        a == b or same_name(a, b) or same_root(a, b) for a, b in zip(one, other, strict=True)
    )


def _within(one: Sequence[str], other: Sequence[str]) -> bool:
    return _same(one, other[: len(one)]) or _same(one, other[-len(one) :])


def _put_together(claim: Reading, known: Reading) -> str | None:
    """Return the full name of which the documents have both halves, each only with another one: Marco Lopez."""
    for one, other in _full(claim):
        theirs = _full(known)
        if any(_alike(one, a) and _alike(other, b) for a, b in theirs):
            continue
        with_first = [b for a, b in theirs if _alike(one, a)]
        with_last = [a for a, b in theirs if _alike(other, b)]
        alone = any(_alike(word, one) and not any(a is word or b is word for a, b in theirs) for word in known.words)
        if with_first and with_last and not alone:
            return f"the name “{one.text} {other.text}” does not stand in its quotes"
    return None


@lru_cache(maxsize=256)
def _full(reading: Reading) -> tuple[tuple[Word, Word], ...]:
    """Return the names of two words that a text has."""
    return tuple(_found_full(reading))


def _found_full(reading: Reading) -> Iterator[tuple[Word, Word]]:
    for at in range(len(reading.words) - 1):
        one, other = reading.words[at], reading.words[at + 1]
        both = one.kind == other.kind == "word" and one.capital and other.capital and not one.text.isupper()
        if both and _adjoins(reading, at) and not one.own and one.tells and not one.dated:
            yield one, other


def _other_initial(claim: Reading, known: Reading) -> str | None:
    """Return the initial that is none of somebody with this surname in the documents: А. Смирнов for Б. Смирнов."""
    if "." not in claim.text:
        return None
    for own in _initials(claim):
        held = [one.first for one in _initials(known) if same_name(one.surname, own.surname)]
        held += [a.low[0] for a, b in _full(known) if same_name(b.low, own.surname)]
        held += [b.low[0] for a, b in _full(known) if same_name(a.low, own.surname)]
        if held and own.first not in held and not _stand_beside(own, known):
            return f"“{own.shown}” does not stand in its quotes"
    return None


def _stand_beside(own: _Initials, known: Reading) -> bool:
    """Return whether a letter stands behind a word as its label: plan A, with no full stop, too."""
    return any(
        one.low == own.surname and other.low == own.first
        for one, other in zip(known.words, known.words[1:], strict=False)
    )


def is_initial(word: Word, claim: Reading, known: Reading) -> bool:
    """Return whether a letter is the initial of somebody whose first name the documents have in full."""
    if len(word.text) > 1:
        return False
    surnames = [one.surname for one in _initials(claim) if one.first == word.low]
    return any(
        first.low[0] == word.low and same_name(last.low, surname)
        for surname in surnames
        for one, other in _full(known)
        for first, last in ((one, other), (other, one))
    )


@lru_cache(maxsize=256)
def _initials(reading: Reading) -> tuple[_Initials, ...]:
    found = []
    for one in _INITIAL.finditer(reading.text):
        first, surname = (one[1], one[3]) if one[1] else (one[5], one[4])
        found.append(_Initials(first.lower(), surname.lower(), one.group()))
    return tuple(found)


def _other_gender(claim: Reading, quote: Reading) -> str | None:
    """Return the Russian name that is a woman's in the claim and a man's in its quotes, or the other way round."""
    for own in claim.words:
        if not own.capital or own.low.isascii() or own.kind != "word" or len(own.low) <= _SURE:
            continue
        for other in quote.words:
            pair = own.low, other.low
            if other.capital and (_is_couple(*pair) or _is_couple(*pair[::-1])) and not _stands(own, quote):
                hers = (own, claim) if own.low[-1] in "ая" else (other, quote)
                if _is_she(*hers):
                    return f"the name “{own.text}” does not stand in its quotes"
    return None


def _stands(word: Word, reading: Reading) -> bool:
    return any(word.low == other.low for other in reading.words)


@lru_cache(maxsize=4_096)
def _is_couple(his: str, hers: str) -> bool:
    """Return whether two names differ as a man's and a woman's do: Александр and Александра, Евгений and Евгения."""
    return hers == f"{his}а" or (his.endswith("ий") and hers == f"{his[:-1]}я")


def _is_she(word: Word, reading: Reading) -> bool:
    """Return whether a form that may be a woman's name or a man's in the genitive is hers: she does something."""
    words = reading.words
    place = words.index(word)
    start = end = place
    while start > 0 and words[start - 1].capital and not words[start - 1].opens and _adjoins(reading, start - 1):
        start -= 1
    while end + 1 < len(words) and words[end + 1].capital and _adjoins(reading, end):
        end += 1
    before = words[start - 1] if start and words[start - 1].sentence == word.sentence else None
    after = words[end + 1] if end + 1 < len(words) and words[end + 1].sentence == word.sentence else None
    if before is None:
        return after is not None and (_SHE_ACTS.fullmatch(after.low) is not None or after.start - words[end].end > 1)
    subject = [one for one in words[:start] if one.clause == word.clause and one is not before]
    return _DOES.fullmatch(before.low) is not None and not any(_may_do(one) for one in subject)


def _may_do(word: Word) -> bool:
    """Return whether a word before the verb may be who acts: then a name behind it is no nominative."""
    return is_actor(word.low) or (word.capital and (not word.opens or _SURNAME.fullmatch(word.low) is not None))
