"""Whose the cited words are: a name counts for them only if their passage knows it, whoever has asked by that name.

Most pages have a page beside them about another thing of the same kind. What a page says of the Lyon office is not so
of the one in Porto because that is asked about, and that Porto is known elsewhere makes it no truer.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from core.proof.backing import Backing, Vocabulary, same_name
from core.proof.dates import is_date_word
from core.proof.given import GIVEN_NAMES
from core.proof.lexicon import light, meaning
from core.proof.names import adjoins, is_backed, own_names
from core.proof.numbers import is_number_word
from core.proof.words import Reading, Word, read
from core.text import analysed_as, sentences

# What stands in quotation marks is a name, whatever its words are.
_MARKED = re.compile(r'"([^"\n]{1,60})"')
# Sentences before the cited one in which what it speaks of is looked for.
_MOST_BEFORE = 12


class Named(NamedTuple):
    """A known thing that a question names: in the question's words, by all its names, and the page that is about it."""

    said: str
    names: tuple[str, ...] = ()
    page: str | None = None
    is_person: bool = False


class Passage(NamedTuple):
    """What is cited: its page, its words, what they stand under, and what stands before them."""

    page: str
    words: str
    over: str
    before: str = ""


class Naming(NamedTuple):
    """A question with the names in it that stand for something known, and those that do not (`strange`)."""

    question: str
    named: Sequence[Named]
    strange: Sequence[str]


def strangers_to(passages: Sequence[Passage], text: str, asking: Naming, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the words of the question's names that none of the passages knows.

    What the claim writes as a name is one, however the question writes it.
    """
    question, named, strange = asking
    asked = read(question)
    unknown = [_known_nowhere(one, passages, vocabulary) for one in named]
    lost = [word for words in unknown for word in words]
    said = {word.low for one in named for word in read(one.said).words}
    others = [word for one in strange for word in read(one).words if word.tells]
    others += [word for one in _MARKED.findall(asked.text) for word in read(one).words]
    others += _written_as_names(text, asked, vocabulary)
    lost += [word for word in others if word.low not in said and not _is_known((word,), passages, vocabulary)]
    return tuple(dict.fromkeys(word.low for word in lost))


def knows_one(passages: Sequence[Passage], question: str, named: Sequence[Named], vocabulary: Vocabulary) -> bool:
    """Return whether the passages know one of the things that the question names, or it names none.

    A title of plain words, “Visitors”, is no name unless it is written as one.
    """
    asked = {word.low for word in read(question).words if word.capital and not word.opens}
    proper = [
        one for one in named if any(word.low in asked or word.stem in vocabulary.names for word in _telling(one.said))
    ]
    # A name that opens the question may be one as well.
    return not proper or not all(_known_nowhere(one, passages, vocabulary) for one in named)


def doubt_of_whose(text: str, backing: Backing) -> str | None:
    """Return the name of which the claim is told though its quotes say it of another, or of nothing that they name."""
    claim = read(text)
    if backing.strange:
        held = backing.documented
        for word in claim.words:
            is_lost = word.kind != "sign" and (word.tells or word.capital) and _is_one_of(word, backing.strange)
            if is_lost and not (word.tells and held.holds(word)):
                return f"its quotes do not say this of “{word.text}”"
    return _displaced(text, claim, backing)


def _known_nowhere(one: Named, passages: Sequence[Passage], vocabulary: Vocabulary) -> tuple[Word, ...]:
    """Return the words of a name that no passage knows; none where one knows the thing, by whatever name."""
    if one.page is not None and any(one.page == passage.page for passage in passages):
        return ()
    for name in dict.fromkeys((one.said, *one.names)):
        words = _telling(name)
        if words and _is_known(words, passages, vocabulary, is_person=one.is_person):
            return ()
    own = _telling(one.said)
    lost = tuple(word for word in own if not _is_known((word,), passages, vocabulary))
    proper = tuple(word for word in lost if word.capital)
    return proper if proper and len(lost) < len(own) else lost


def _telling(name: str) -> tuple[Word, ...]:
    """Return the words of a name that tell it from others, all of one that has but small words: «Про»."""
    words = tuple(word for word in read(name).words if word.kind != "sign")
    return tuple(word for word in words if word.tells) or words


def _is_known(
    words: Sequence[Word],
    passages: Sequence[Passage],
    vocabulary: Vocabulary,
    *,
    is_person: bool = False,
) -> bool:
    """Return whether a passage says these words: where they are cited, over it, or of what it goes on about."""

    def says(quotes: str, over: str) -> bool:
        backing = Backing(quotes, over, "", vocabulary)
        held = [word for word in words if _says(word, backing)]
        return len(held) == len(words) or (is_person and _is_alone(words[-1], words, backing.known))

    people = is_person or any(word.low in GIVEN_NAMES for word in words)
    return any(
        says(one.words, one.over) or _goes_on(one.before, lambda line: says(line, ""), vocabulary, people=people)
        for one in passages
    )


def _says(word: Word, backing: Backing) -> bool:
    if not word.tells:
        return any(word.low == one.low and one.capital for one in backing.known.words)
    return is_backed(word, backing)


def _is_alone(word: Word, own: Sequence[Word], known: Reading) -> bool:
    """Return whether somebody's last name stands by itself there: “Alves” may be Rui Alves, “Anna Alves” is not."""
    words = known.words
    for at, one in enumerate(words):
        if not same_name(one.low, word.low) or not one.capital:
            continue
        beside = (*words[max(0, at - 1) : at], *words[at + 1 : at + 2])
        near = (other for other in beside if other.capital and (adjoins(other, one) or adjoins(one, other)))
        if all(any(same_name(other.low, mine.low) for mine in own) for other in near):
            return word.low not in GIVEN_NAMES
    return False


def _goes_on(before: str, says: Callable[[str], bool], vocabulary: Vocabulary, *, people: bool) -> bool:
    """Return whether what stands before speaks of it, and of no other thing of its kind since."""
    lines = [before[start:end] for start, end in sentences(before)][-_MOST_BEFORE:]
    for line in reversed(lines):
        if says(line):
            return True
        reading = read(line)
        if any(_is_rival(word, reading, vocabulary, people=people) for word in reading.words):
            return False
    return False


def _is_rival(word: Word, reading: Reading, vocabulary: Vocabulary, *, people: bool) -> bool:
    """Return whether a word names something of the kind that is asked for: somebody, or something that is nobody."""
    if word.kind == "ident":
        return not people
    if word.kind != "word" or not (word.capital and word.tells) or is_date_word(word.low) or is_number_word(word.low):
        return False
    if word.opens and not (word.stem in vocabulary.names or word.low in GIVEN_NAMES):
        return False
    return _is_person(word, reading) is people


def _is_person(word: Word, reading: Reading) -> bool:
    at = reading.words.index(word)
    beside = (*reading.words[max(0, at - 1) : at], *reading.words[at + 1 : at + 2])
    near = (one for one in beside if one.capital and (adjoins(one, word) or adjoins(word, one)))
    return any(one.low in GIVEN_NAMES for one in (word, *near))


def _written_as_names(text: str, asked: Reading, vocabulary: Vocabulary) -> Iterator[Word]:
    """Yield the words of the question that the claim writes as names."""
    backing = Backing("", "", "", vocabulary)
    for name in own_names(read(text), backing, russian=analysed_as(text) == "ru"):
        yield from (word for word in asked.words if word.kind == "word" and same_name(word.low, name.low))


def _is_one_of(word: Word, names: Sequence[str]) -> bool:
    return any(same_name(word.low, name) for name in names)


def _displaced(text: str, claim: Reading, backing: Backing) -> str | None:
    """Return the name of the quotes in whose place the claim has one that they have not, but what stands over them has."""
    russian = analysed_as(text) == "ru"
    quoted = Backing(backing.quotes, "", "", backing.vocabulary)
    own = [word for word in own_names(claim, backing, russian=russian) if not is_backed(word, quoted)]
    if not own:
        return None
    said = Backing(text, "", "", backing.vocabulary)
    mine, theirs = placed(claim), placed(backing.quoted)
    for word in own:
        people, (before, after) = _is_person(word, claim), mine.get(word, ("", ""))
        for other in backing.quoted.words:
            if not _is_rival(other, backing.quoted, backing.vocabulary, people=people) or is_backed(other, said):
                continue
            there = theirs.get(other, ("", ""))
            if (before and before == there[0]) or (after and after == there[1]):
                return f"its quotes say it of “{other.text}”, and not of “{word.text}”"
    return None


def placed(reading: Reading) -> dict[Word, tuple[str, str]]:
    """Return for each word that says something what the words beside it mean, of those in its sentence that do."""
    words = [word for word in reading.words if word.kind != "sign" and (word.tells and word.stem not in light())]
    found: dict[Word, tuple[str, str]] = {}
    for at, word in enumerate(words):
        before, after = words[at - 1] if at else None, words[at + 1] if at + 1 < len(words) else None
        found[word] = (
            meaning(before.stem) if before and before.sentence == word.sentence else "",
            meaning(after.stem) if after and after.sentence == word.sentence else "",
        )
    return found
