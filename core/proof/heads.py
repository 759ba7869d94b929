"""Whose somebody it is: the director's assistant is not the director, a brother of the patient is not the patient."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from core.proof.actors import is_actor
from core.proof.backing import Backing, is_kin, same_root
from core.proof.denials import akin
from core.proof.lexicon import light
from core.proof.patterns import compiled
from core.proof.segments import parts_of
from core.proof.words import Reading, Word, read
from core.text import stem

# Who somebody is to another, and whoever acts in the place of another.
_RELATIVES_EN = """
deputy assistant secretary successor predecessor aide adviser advisor representative delegate proxy lawyer attorney
solicitor agent spokesman spokeswoman spokesperson brother sister wife husband son daughter father mother parent uncle aunt
cousin nephew niece grandson granddaughter grandfather grandmother twin widow widower heir heiress fiance friend
colleague neighbour neighbor partner rival competitor opponent double substitute replacement stand-in carer nurse driver
bodyguard pupil student apprentice disciple subordinate boss teacher tutor coach manager guardian spouse relative child
"""
_RELATIVES_RU = """
заместитель зам помощник помощница ассистент ассистентка секретарь преемник преемница предшественник представитель делегат
адвокат юрист поверенный агент советник советница референт брат сестра жена муж сын дочь отец мать родитель дядя тетя
племянник племянница внук внучка дед дедушка бабушка близнец вдова вдовец наследник наследница жених невеста друг подруга
коллега сосед соседка партнер соперник конкурент противник двойник дублер водитель телохранитель ученик ученица
подчиненный начальник учитель тренер опекун супруг супруга родственник ребенок двоюродный
"""
# What makes somebody another one than the same word without it.
_INSTEAD = compiled(
    r"deputy|vice|assistant|associate|ex|former|would-be|shadow|pseudo|mock|step|фальшивый|бывш\w+|вице|экс|мнимый"
)
_OF, _TO = frozenset(["of"]), frozenset(["to", "for"])
_BE = frozenset("is are was were be been remains becomes became был была были будет стал стала".split())
_NEAR = 3
# Of a verb and the noun for who does it: помога, помощник.
_ROOT = 4
_BEFORE_HEAD = frozenset("the a an his her its their our your my".split())
_MAY_RELATE = compiled(r"'s\b|s'(?!\w)|\b(?:of|to|for)\b|[а-я]")
_ADJECTIVE = compiled(r"\b\w{1,40}(?:ого|его|ой|ей|их|ых|ьего|ьей)")
_GENITIVE = compiled(r"\b\w{1,40}[аяыиейовьуюм]")


class _Related(NamedTuple):
    """Somebody told as another one's: who is meant, and the other one by whom."""

    head: Word
    of: Word


def doubt_of_heads(text: str, backing: Backing) -> str | None:
    """Return that the claim says of somebody what its quotes say of his assistant, or the other way round."""
    claim = read(text)
    lost = _lost(claim, backing.quoted, claim)
    if lost is not None:
        return f"it says of “{lost.of.text}” what its quotes say of “{lost.head.text}”"
    added = _lost(backing.quoted, claim, backing.known, but=_predicated(claim))
    return f"it says of “{added.head.text}” what its quotes say of “{added.of.text}”" if added is not None else None


def _predicated(reading: Reading) -> frozenset[int]:
    """Return where those stand of whom it is said that somebody is one: Helen is Maria's manager."""
    found = set()
    for one in related(reading):
        first = min(one.head.start, one.of.start)
        near = [word for word in reading.words if word.start < first and word.clause == one.head.clause][-_NEAR:]
        if any(word.low in _BE for word in near) or "—" in reading.text[max(0, first - _NEAR) : first]:
            found.add(one.head.start)
    return frozenset(found)


def _lost(own: Reading, facing: Reading, known: Reading, but: frozenset[int] = frozenset()) -> _Related | None:
    """Return whom the first text names by himself where the other one, in its part that says the same, names his deputy."""
    for one in related(facing):
        if one.head.start in but:
            continue
        bare = [word for word in own.words if word.stem == one.of.stem and not word.own]
        if not bare or not _acts(bare[0], own) or _is_named_apart(one, facing) or _is_helped(bare[0], one, own):
            continue
        if any(akin(word.stem, one.head.stem) or is_kin(word.stem, one.head.stem) for word in known.content):
            continue
        part = next((words for words in parts_of(facing) if one.of in words), ())
        mine = {word.stem for word in own.content if word.stem not in light()} - {one.of.stem}
        if any(word.stem in mine for word in part):
            return one
    return None


def _is_helped(word: Word, one: _Related, own: Reading) -> bool:
    """Return whether a verb tells what somebody is to another one, who stands behind it: «помогает Петровой»."""
    place = own.words.index(word)
    before = own.words[max(0, place - 2) : place]
    return any(same_root(verb.stem, one.head.stem) or verb.stem[:_ROOT] == one.head.stem[:_ROOT] for verb in before)


def _is_named_apart(one: _Related, reading: Reading) -> bool:
    """Return whether the other one stands in the text by himself, too: the principal and her secretary."""
    others = {pair.of.start for pair in related(reading)}
    return any(word.stem == one.of.stem and word.start not in others for word in reading.words)


def _acts(word: Word, reading: Reading) -> bool:
    """Return whether no preposition leads a word in: it may be the one who acts."""
    place = reading.words.index(word)
    near = reading.words[max(0, place - 2) : place]
    return not any(one.low in _PREPOSITIONS and one.clause == word.clause for one in near)


_PREPOSITIONS = frozenset(
    "in on at for from with to of about against without через к ко с со у о об от для без из при за в во на".split()
)


@lru_cache(maxsize=256)
def related(reading: Reading) -> tuple[_Related, ...]:
    """Return who is told in a text as somebody of another one."""
    return tuple(_found(reading)) if _MAY_RELATE.search(reading.low) or _INSTEAD.search(reading.low) else ()


def _found(reading: Reading) -> Iterator[_Related]:
    words = reading.words
    for at, word in enumerate(words):
        following = words[at + 1 : at + 4]
        if word.kind != "word" or not following or following[0].sentence != word.sentence:
            continue
        if (
            _INSTEAD.fullmatch(word.low)
            and following[0].start - word.end <= 1
            and _is_person(following[0], words, at + 1)
        ):
            yield _Related(word, following[0])
        elif word.own or reading.text[word.end - 1 : word.end + 1] == "s'":
            head = next((one for one in following[:3] if _is_head(one.low)), None)
            if head is not None and head.clause == word.clause:
                yield _Related(head, word)
        elif _is_head(word.low):
            of = _of_whom(word, following) if word.low.isascii() else _genitive(word, following)
            if of is not None:
                yield _Related(word, of)


def _is_person(word: Word, words: Sequence[Word], at: int) -> bool:
    return is_actor(word.low) or word.capital or (at + 1 < len(words) and is_actor(words[at + 1].low))


def _of_whom(word: Word, following: Sequence[Word]) -> Word | None:
    """Return whose somebody is in English: the lawyer of the tenant, an assistant to the director."""
    if following[0].low not in _OF | _TO:
        return None
    rest = [one for one in following[1:] if one.low not in _BEFORE_HEAD]
    return rest[0] if rest and rest[0].tells and rest[0].sentence == word.sentence else None


def _genitive(word: Word, following: Sequence[Word]) -> Word | None:
    """Return whose somebody is in Russian: помощник судьи, адвокат бывшего директора."""
    for one in following[:3]:
        if one.low.isascii() or one.comma or one.clause != word.clause or one.low in _PREPOSITIONS or not one.tells:
            return None
        if _ADJECTIVE.fullmatch(one.low) and not is_actor(one.low) and not one.capital:
            continue
        is_one = is_actor(one.low) or one.capital or one.low in _ANIMATE or _is_head(one.low)
        return one if is_one and _GENITIVE.fullmatch(one.low) else None
    return None


_ANIMATE = frozenset("судьи мэра министра президента главы короля".split())


@lru_cache(maxsize=4_096)
def _is_head(low: str) -> bool:
    return (low if low.isascii() else stem(low)) in _relatives() or low.rstrip("s") in _relatives()


@cache
def _relatives() -> frozenset[str]:
    return frozenset([*_RELATIVES_EN.split(), *map(stem, _RELATIVES_RU.split())])
