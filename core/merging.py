"""Facts that say the same are one with several sources; of two versions of a page the newer one speaks.

Near is not enough where a difference may matter: numbers, dates, bounds, names and negation must be the same.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from core.answer import Pointer
from core.checks import denies
from core.facts import Fact, Part, Source
from core.proof.values import fault_of_numbers, fault_of_readings
from core.proof.words import read
from core.text import normalise, terms

# Share of the content words that two texts must have in common to say the same: one word more among ten, none of eight
# exchanged for another. And the share that tells of the same matter in two versions of one page.
SAME, ALIKE = 0.9, 0.4
_LEAST_ALIKE = 3
# The share that statements of two pages must have in common to be of one matter.
_OF_ONE_MATTER = 0.75
# Passages of one title that are compared with its older versions.
MOST_OLDER = 12
# So many texts with a rare word in common are compared with a new one: bounded, whatever a corpus repeats.
_MOST_COMPARED = 50
# What is written in it must be the same: punctuation and white space may differ, a sign of money or a minus may not.
_SIGN = re.compile(r"\w+(?:[.,:'’/@&+-]\w+)*[+#%]*|[€$£₽%<>=±]|[-−](?=\d)")
_CAPITAL = re.compile(r"(?<=[\w,;:)»”\"] )[\"«“(]?([A-ZА-ЯЁ][\w-]*)|\b(\w*\d[\w.-]*)|\b([A-ZА-ЯЁ]{2,})\b")
# Words that carry no topic and yet turn a meaning round.
_TURNING = frozenset(
    """
    from to until till before after above below over under up down in out on off with only except all any some each
    every both either or and may must can should will would than more most less least if unless when own former
    от до после перед выше ниже свыше менее более меньше больше лишь только кроме все всех любой каждый оба или и либо
    может должен можно нужно если пока раньше позже бывший
    """.split()
)
_WORD = re.compile(r"[^\W\d_]+")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
# What a title begins or ends with that tells a version of a page from another, and no other matter.
_VERSION = (
    r"(?:new|old|updated|current|previous|former|revised|latest|archived?|нов(?:ый|ая|ое|ые)|стар(?:ый|ая|ое|ые)"
    r"|обновл[её]нн(?:ый|ая|ое|ые)|действующ(?:ий|ая|ее|ие)|актуальн(?:ый|ая|ое|ые)|прежн(?:ий|яя|ее|ие)|архив"
    r"|(?:нов|стар|действующ|прежн)(?:ая|яя) (?:редакция|версия)|(?:new|old|current|previous) (?:version|edition))"
)
_BEFORE = re.compile(rf"^[\s(\[]*{_VERSION}[\s)\]:—–-]+(?=\S)", re.IGNORECASE)
_AFTER = re.compile(rf"(?<=\S)[\s(\[,:—–-]+{_VERSION}[\s)\].]*$", re.IGNORECASE)

# What says nothing whole without the page that it stands on.
_FRAGMENTS = frozenset(("item", "row", "field"))

T = TypeVar("T")


class Comparable(Protocol):
    """What has an order among its like."""

    def __lt__(self, other: Any, /) -> bool:
        """Return whether this one is less."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two versions of a page that differ in what they say of one matter; each points to its numbered fact's words."""

    newer: Pointer
    older: Pointer


@dataclass(frozen=True, slots=True)
class _Said:
    """What a text says, as far as can be told by its words."""

    topics: tuple[str, ...]
    names: frozenset[str]
    turns: frozenset[str]

    @property
    def guard(self) -> tuple[frozenset[str], frozenset[str]]:
        """What must be the same."""
        return self.names, self.turns


def joined(
    items: Iterable[T], text: Callable[[T], str], worth: Callable[[T], Comparable], group: Callable[[T], object]
) -> list[list[T]]:
    """Return the items that say the same together, the worthiest of each first, in the order in which they first came.

    Items of different groups stay apart. The cost grows with their number, not with its square.
    """
    clusters: list[list[T]] = []
    exact: dict[tuple[object, str], int] = {}
    rare: dict[object, list[int]] = {}
    kept = list(items)
    counts = Counter(term for item in kept for term in set(_said(text(item)).topics))
    for item in kept:
        here, words = group(item), text(item)
        key = (here, as_written(words))
        place = exact.get(key)
        if place is None:
            keys = [(here, _said(words).guard, term) for term in _rarest(words, counts)]
            tried = dict.fromkeys(one for rare_key in keys for one in rare.get(rare_key, ())[:_MOST_COMPARED])
            place = next((one for one in tried if says_the_same(words, text(clusters[one][0]))), None)
            if place is None:
                place = len(clusters)
                clusters.append([])
                for rare_key in keys:
                    rare.setdefault(rare_key, []).append(place)
            exact[key] = place
        clusters[place].append(item)
    # max keeps the first of equals, so that the order in which things came decides and nothing else.
    return [_worthiest_first(cluster, worth) for cluster in clusters]


def _worthiest_first(cluster: list[T], worth: Callable[[T], Comparable]) -> list[T]:
    return sorted(cluster, key=worth, reverse=True) if len(cluster) > 1 else cluster


def _rarest(text: str, counts: Counter[str]) -> list[str]:
    """Return as many of the text's rarest words that a text which says the same must have one of them."""
    own = sorted(set(_said(text).topics), key=lambda term: (counts[term], term))
    return own[: len(own) - _least_common(len(own)) + 1]


def _least_common(size: int) -> int:
    return max(1, int(-(-SAME * size // 1)))


def says_the_same(one: str, other: str) -> bool:
    """Return whether the texts differ in nothing but their wording: the same words, or nearly, in the same order."""
    if as_written(one) == as_written(other):
        return True
    left, right = _said(one), _said(other)
    if left.guard != right.guard or _common(left.topics, right.topics) < SAME or not _in_one_order(left, right):
        return False
    return denies(one) == denies(other) and not _differ_in_amounts(one, other)


def _differ_in_amounts(one: str, other: str) -> bool:
    left, right = read(one), read(other)
    return bool(fault_of_readings(left, right) or fault_of_readings(right, left))


def _common(one: Sequence[str], other: Sequence[str]) -> float:
    left, right = set(one), set(other)
    return len(left & right) / len(left | right) if left and right else 0.0


def _in_one_order(one: _Said, other: _Said) -> bool:
    """Return whether what they have in common stands in one order: who leads whom is not the other way round."""
    common = set(one.topics) & set(other.topics)
    return [term for term in one.topics if term in common] == [term for term in other.topics if term in common]


@lru_cache(maxsize=1_024)
def as_written(text: str) -> str:
    """Return the text but for case, punctuation, quotation marks and white space."""
    return " ".join(_SIGN.findall(normalise(text)))


@lru_cache(maxsize=1_024)
def _said(text: str) -> _Said:
    found = terms(text)
    names = {normalise(name) for groups in _CAPITAL.findall(text) for name in groups if name}
    turns = _TURNING.intersection(_WORD.findall(normalise(text)))
    return _Said(tuple(found), frozenset(terms(" ".join(sorted(names)))), turns)


def told_of(fact: Fact, kinds: Iterable[str]) -> tuple[str | None, str]:
    """Return what a fact's words belong to: its group, and where they are no sentences, the page they stand on.

    “Maria Lopez, lead” says of another project something else on each project's page. Versions of a page are one.
    """
    return fact.group, _titled(fact.source.title) if _FRAGMENTS.issuperset(kinds) else ""


def is_older(one: Source, other: Source) -> bool:
    """Return whether the first is an older version of the other: replaced, and its title the same but for a year.

    Where neither is marked as replaced, the title must be the same, but for “new” and the like; then the one of less
    authority is, and of two of one authority that of an earlier date.
    """
    if one.doc_id == other.doc_id or other.superseded:
        return False
    if one.superseded:
        return _titled(one.title) == _titled(other.title)
    if one.authority != other.authority:
        return one.authority < other.authority and _named_alike(one, other)
    dated = one.updated and other.updated and one.updated < other.updated
    return bool(dated) and _named_alike(one, other)


def _named_alike(one: Source, other: Source) -> bool:
    return _unmarked(one.title) == _unmarked(other.title)


@lru_cache(maxsize=4_096)
def _unmarked(title: str) -> str:
    """Return the title as it is compared, without a word that says which version it is: «Парковка (новая)»."""
    return as_written(_AFTER.sub("", _BEFORE.sub("", title)))


def _titled(title: str) -> str:
    return as_written(_YEAR.sub(" ", title))


def outdated(facts: Sequence[Fact]) -> frozenset[str]:
    """Return the documents among those of the facts that contradict a newer version of themselves."""
    by_title: dict[str, list[Fact]] = {}
    for fact in facts:
        by_title.setdefault(_unmarked(fact.source.title), []).append(fact)
    found: set[str] = set()
    for alike in by_title.values():
        if len({fact.source.doc_id for fact in alike}) > 1:
            old = [one for one in alike if any(is_older(one.source, other.source) for other in alike)][:MOST_OLDER]
            found.update(old[each.older.fact].source.doc_id for each in conflicts_of(alike[:MOST_OLDER], old, 0))
    return frozenset(found)


def conflicts_of(newer: Sequence[Fact], older: Sequence[Fact], first: int) -> Iterator[Conflict]:
    """Yield what the older facts say otherwise than a newer version of their page, the nearest words of each once.

    The newer facts are numbered from 1, the older ones from `first` on.
    """
    for number, old in enumerate(older, first):
        versions = [(n, fact) for n, fact in enumerate(newer, 1) if is_older(old.source, fact.source)]
        for part in old.parts:
            words = str(old.words(part.span))
            found = [(_alike(words, str(new.words(one.span))), n, new, one) for n, new in versions for one in new.parts]
            nearest = max(found, key=lambda each: each[0], default=None)
            if nearest and nearest[0] >= ALIKE:
                said = str(nearest[2].words(nearest[3].span))
                if _contradict(words, said):
                    yield Conflict(Pointer(nearest[1], said), Pointer(number, words))


def disputes(one: str, other: str) -> bool:
    """Return whether two statements say the same but for their numbers: of one matter they cannot both hold."""
    same_names = {name for name in _said(one).names if name.isalpha()} == {n for n in _said(other).names if n.isalpha()}
    return same_names and _alike(one, other) >= _OF_ONE_MATTER and _contradict(one, other)


def _alike(one: str, other: str) -> float:
    """Return how much two statements have in common but for their numbers."""
    left, right = (
        {term for term in _said(text).topics if not any(char.isdigit() for char in term)} for text in (one, other)
    )
    return len(left & right) / len(left | right) if len(left & right) >= _LEAST_ALIKE else 0.0


def _contradict(one: str, other: str) -> bool:
    left, right = read(one), read(other)
    return denies(one) != denies(other) or bool(fault_of_numbers(left, right) and fault_of_numbers(right, left))


def part_like(fact: Fact, text: str) -> Part | None:
    """Return the part of the fact that says the same as the text."""
    return next((part for part in fact.parts if says_the_same(str(fact.words(part.span)), text)), None)
