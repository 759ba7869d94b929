"""Names, in any of their forms and in either alphabet; identifiers, links and addresses to the letter."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from core.proof.alongside import alongside
from core.proof.backing import Backing, Vocabulary, same_name, shared_start
from core.proof.dates import is_numeric_date
from core.proof.given import GIVEN_NAMES
from core.proof.lexicon import is_known
from core.proof.namesakes import fault_of_namesakes, is_initial
from core.proof.units import unit_of
from core.proof.words import Reading, Word, read
from core.text import STOP_WORDS, analysed_as, clean, stem

_LETTERS, _DIGITS = re.compile(r"[^\W\d_]+"), re.compile(r"\d+")
_MIN_ACRONYM = 2
_ALIKE, _END, _SLIPS = 3, 2, 2
_VERBAL = re.compile(
    r"(?:ing|ed|ly|ть|ться|ти|ют|ют|ет|ит|ат|ят|ся|ли|ло|ный|ная|ное|ные|ного|ной|ных|ого|его|ое|ые|ий|ых)$"
)
_OPENERS = frozenset(
    "after before within during once until about between among after через после перед около среди между since thanks instead spent спустя благодаря вместо пока чтобы пусть внутри снаружи сначала потом теперь сейчас ныне прежде раньше ранее formerly previously earlier now currently nowadays".split()
)
_NAME = re.compile(r"(?<![.!?…:»”\"\n]\s)(?<!^)(?<!\n)\b[A-ZА-Я][^\W_]{1,60}|\b[A-ZА-Я]{2,20}\b")
_FULL_NAME = re.compile(r"\b[A-ZА-Я][^\W_]{1,60}(?= [A-ZА-Я][^\W_])")
_PLAIN_WORD = re.compile(r"\b[a-zа-я]{2,60}\b")
# Words with a capital that name nothing of their own.
_PLAIN = frozenset(
    "i i'm i'd i've mr mrs ms dr st ok q a p.s vs no o'clock utc am pm ai it yes english russian french german dutch her his hers its our ours your yours their theirs my mine him them us she he they we you herself himself itself themselves".split()
)


def fault_of_names(text: str, backing: Backing) -> str | None:
    """Return which name or identifier of the claim does not stand behind it."""
    claim = read(text)
    for word in claim.words:
        if word.kind in {"ident", "link"} and not is_numeric_date(word.low) and not _is_identified(word, backing):
            return f"“{word.text}” does not stand in its quotes"
    own = list(own_names(claim, backing, russian=analysed_as(text) == "ru"))
    for word in own:
        if is_backed(word, backing) or is_initial(word, claim, backing.known):
            continue
        if _stands_in(word, backing.granted) and not _displaced(claim, backing):
            continue
        return f"the name “{word.text}” does not stand in its quotes"
    return _substituted(claim, backing) or fault_of_namesakes(claim, backing)


def strangers(names: Iterable[str], known: str) -> tuple[str, ...]:
    """Return the names that the known words have in no form."""
    backing = Backing(known, "", "")
    return tuple(name for name in names if not any(is_backed(word, backing) for word in read(name).words))


def vocabulary_of(texts: Iterable[str]) -> Vocabulary:
    """Return which words the texts write as names and never as plain words, and which they write plain."""
    return _spelt_in(tuple(texts))


@lru_cache(maxsize=256)
def _spelt_in(texts: tuple[str, ...]) -> Vocabulary:
    parts = [_spelt(text) for text in texts]
    names = frozenset().union(*(part.names for part in parts))
    plain = frozenset().union(*(part.plain for part in parts))
    return Vocabulary(names - plain, plain)


@lru_cache(maxsize=1_024)
def _spelt(text: str) -> Vocabulary:
    bare = clean(text).replace("ё", "е").replace("Ё", "Е")
    names = {stem(word.lower()) for word in (*_NAME.findall(bare), *_FULL_NAME.findall(bare))}
    plain = {stem(word) for word in _PLAIN_WORD.findall(bare)}
    return Vocabulary(frozenset(names), frozenset(plain))


def _is_identified(word: Word, backing: Backing) -> bool:
    """Return whether an identifier stands in the documents, or in a question that names no other of its kind."""
    low = word.low
    if any(low == other.low for other in backing.known.words) or _stands_whole(low, backing.known.low):
        return True
    if low not in {other.low for other in backing.granted.words}:
        return False
    kind = _kind(low)
    return not any(kind == _kind(other.low) for other in backing.known.words if other.kind == "ident")


def _stands_whole(low: str, known: str) -> bool:
    """Return whether an identifier stands in a text as a whole, or as a part between signs: not `limit` of `limits`."""
    return low in known and re.search(rf"(?<!\w){re.escape(low)}(?!\w)", known) is not None


def _kind(identifier: str) -> str:
    """Return what identifiers of one kind have in common: INC-2041 and INC-A7 are incidents, 04-17 and 05-18 are alike."""
    letters = _LETTERS.match(identifier)
    return letters[0] if letters else _DIGITS.sub("0", identifier)


def _full_names(reading: Reading) -> Iterator[Word]:
    for word, following in zip(reading.words, reading.words[1:], strict=False):
        if word.capital and following.capital and word.kind == following.kind == "word" and adjoins(word, following):
            yield from (word, following)


def adjoins(word: Word, following: Word) -> bool:
    """Return whether two words follow each other in one sentence with at most a sign between them."""
    return following.start - word.end <= 1 and word.sentence == following.sentence


def own_names(reading: Reading, backing: Backing, *, russian: bool) -> Iterator[Word]:
    """Yield the words of a text that are names: by their capital, or, where a sentence opens, by what else is known."""
    full = {word.start for word in _full_names(reading)}
    for word in reading.words:
        if word.kind != "word" or word.low in _PLAIN or word.dated or not word.text.isalpha():
            continue
        if word.low in STOP_WORDS and not (
            word.text.isupper() and len(word.text) >= _MIN_ACRONYM and not reading.text.isupper()
        ):
            continue
        foreign = russian and word.text.isascii() and unit_of(word.low) is None
        if word.opens and word.capital and not (word.text.isupper() and len(word.text) > 1):
            marked = reading.text[max(0, word.start - 1) : word.start] == '"'
            known = marked or word.stem in backing.vocabulary.names or word.low in GIVEN_NAMES or foreign
            if known or (word.start in full and not is_known(word.stem) and word.stem not in backing.vocabulary.plain):
                yield word
        elif (word.capital or foreign) and not word.numeral and unit_of(word.low) is None:
            yield word


def is_backed(word: Word, backing: Backing) -> bool:
    """Return whether a name stands in the documents' words, in any form, in either alphabet, or shortened."""
    held = backing.documented
    if _stands_in(word, backing.known) or held.sounds_like(word):
        return True
    if not word.opens and not word.text.isupper() and word.stem in backing.vocabulary.plain and held.holds(word):
        return True
    if word.text.isupper() and len(word.text) >= _MIN_ACRONYM and _abbreviates(word.low, backing.known):
        return True
    return is_known(word.stem) and held.holds(word) and word.low not in GIVEN_NAMES


def _stands_in(word: Word, reading: Reading) -> bool:
    return word.stem in reading.stems or any(same_name(word.low, other.low) for other in reading.words)


def _abbreviates(low: str, reading: Reading) -> bool:
    initials = "".join(word.low[0] if word.capital else "·" for word in reading.words if word.kind == "word")
    plain = "".join(word.low[0] for word in reading.words if word.kind == "word")
    return low in initials or (len(low) > _MIN_ACRONYM and low in plain)


def _displaced(claim: Reading, backing: Backing) -> bool:
    """Return whether the quotes name somebody whom the claim does not: then a name of the question takes a place."""
    own = [word for word in claim.words if word.capital]
    return any(
        word.low in GIVEN_NAMES and not any(same_name(word.low, other.low) for other in own)
        for word in backing.quoted.words
        if word.capital
    )


def _is_name(word: Word, backing: Backing) -> bool:
    """Return whether a word that opens a sentence is a name: a first name, in quotation marks, or one elsewhere."""
    marked = backing.quoted.text[max(0, word.start - 1) : word.start] == '"'
    return marked or word.low in GIVEN_NAMES or word.stem in backing.vocabulary.names


def is_verbal(word: Word) -> bool:
    """Return whether a word has the ending of a verb or an adverb, which no name has."""
    return bool(_VERBAL.search(word.low))


def _is_misspelt(word: Word, backing: Backing) -> bool:
    """Return whether a word is nearly a name of the quotes, with other letters inside: Johnson for Johnston."""
    held = backing.known
    if word.stem in held.stems:
        return False
    return any(
        _is_slip(word.low, other.low) and not is_known(other.stem) and other.stem not in backing.vocabulary.plain
        for other in held.words
        if other.capital
    )


@lru_cache(maxsize=4_096)
def _is_slip(one: str, other: str) -> bool:
    """Return whether two words differ in one or two letters inside."""
    if one[:_ALIKE] != other[:_ALIKE] or one[-_END:] != other[-_END:] or same_name(one, other):
        return False
    long = max(len(one), len(other))
    start = shared_start(one, other)
    end = shared_start(one[: start - 1 : -1], other[: start - 1 : -1])
    return start + end >= long - _SLIPS


def _substituted(claim: Reading, backing: Backing) -> str | None:
    """Return the word that opens the claim in the place of a name of the quotes."""
    first = next((word for word in claim.words if word.kind == "word"), None)
    if (
        first is None
        or not first.tells
        or first.low in _PLAIN
        or not first.capital
        or is_known(first.stem)
        or first.stem in backing.vocabulary.plain
    ):
        return None
    if is_verbal(first) or first.low in _OPENERS or first.dated or first.numeral:
        return None
    if _is_misspelt(first, backing):
        return f"the name “{first.text}” does not stand in its quotes"
    if backing.everything.holds(first) or is_backed(first, backing):
        return None
    own = [word for word in claim.words if word.capital]
    # What other sentences of theirs name has no place in this one.
    near = [word for beside in alongside(claim, backing.quoted) for word in beside.other] or backing.quoted.words
    missing = (
        word
        for word in near
        if word.kind == "word" and word.capital and word.tells and word.stem not in backing.vocabulary.plain
        if not word.opens or _is_name(word, backing)
        if not is_known(word.stem) and not word.dated
        if not any(same_name(word.low, other.low) for other in own)
    )
    return f"the name “{first.text}” does not stand in its quotes" if next(missing, None) else None
