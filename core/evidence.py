"""What speaks for each sentence, item and row of the facts as the answer to a question, and which speak for it most."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from core.asking import names_somebody
from core.context import AnswerContext
from core.facts import Fact, Part, held_terms
from core.ingest.sounds import sound_of
from core.proof.backing import is_kin
from core.text import analysed_as, normalise, stem, terms, words

# Only then is the day on which a page was updated an answer; beside every quote it stands anyway.
_ASKS_FOR_A_DAY = re.compile(
    r"\b(?:when|dates?|day|latest|last|newest|recent\w*|current|old|how long ago|since|updated)\b"
    r"|\b(?:когда|дат[аыуе]|день|последн\w+|свеж\w+|давно|актуальн\w+|новейш\w+|обновл(?:ял|[её]н)\w*|обновил\w*"
    r"|с каких пор)\b"
)
# Weights: flat around these on both example suites and on XQuAD in both languages (footnote evaluate answers).
# ENOUGH answers 84 % of the answerable and refuses 88 % of the unanswerable questions of the handbook's suite, 95 and
# 82 % of the portfolio's, 97 and 97 % of English XQuAD with half of its articles held out.
W_MEANING, W_OWN, W_AROUND, W_CHUNK = 0.4, 0.35, 0.25, 0.25
ENOUGH, NEAR = 0.28, 0.22
# In another language only the meaning speaks: a cosine of 0.38 is enough (13 of 20 questions kept, 76 of 80 refused).
W_FOREIGN = 0.74
_SUPERSEDED = _EARLIER = 0.6
_FIELD = 0.6
# A form or another word of the same meaning speaks for a unit as much as this share of the word itself.
# It only decides whether there is an answer, not which: that a page says it in the asker's own words tells more.
_KIN = 0.4
# Letters that names must share to sound alike in two alphabets; their endings may differ.
_MIN_SOUND = 3
# How Russian family names end in all their cases: the stemmer takes them for cases of shorter words.
_FAMILY = re.compile(r"([а-я]+(?:ов|ев|ин|ын))(?:а|у|ым|ом|е|ой|ы|ых|ыми)?$")
_CYRILLIC = re.compile(r"[а-я]+(?:-[а-я]+)*")
_RUSSIAN, _TERM = "ru:", "§term:"
# How the front matter of a page says when it was changed (adapters/loaders/assemble.py).
_AGES = ("updated", "last updated")
# Contexts of which it is remembered what answers them: drafting, listing and checking ask for it in turn.
KEPT = 16


@dataclass(frozen=True, slots=True)
class Unit:
    """One part of one numbered fact, with what it holds of the question, as shares of the question's weight.

    `asked`: it is a field that holds the person asked for, as "Lead: Ines Carvalhal" is of "Who leads it?". `akin`: how
    much speaks for it that it says the question's words in another form, or by others of the same meaning.
    """

    number: int
    fact: Fact
    part: Part
    own: float
    around: float
    extra: float
    foreign: bool = False
    asked: bool = False
    akin: float = 0.0

    @property
    def words(self) -> str:
        """Its words."""
        return str(self.fact.words(self.part.span))

    @property
    def evidence(self) -> float:
        """How much speaks for it by itself, 0 to 1. A bare field is near to its page's title, whatever is asked."""
        return self._in_own_words + self.akin

    @property
    def _in_own_words(self) -> float:
        meaning = self.part.similarity * (_FIELD if self._is_bare else 1.0)
        words = W_MEANING * meaning + W_OWN * self.own + W_AROUND * self.around
        return max(words, W_FOREIGN * meaning + _KIN * W_OWN * self.own) if self.foreign else words

    @property
    def _is_bare(self) -> bool:
        return self.part.kind == "field" and not self.own and not self.asked

    @property
    def score(self) -> float:
        """How much speaks for it, its passage's place in the search and newer words of the same included."""
        return score_of(self._in_own_words, self.fact) * (_EARLIER if self.is_earlier else 1.0)

    @property
    def is_earlier(self) -> bool:
        """Whether a letter repeats it from an older one."""
        return self.part.kind == "earlier"


def score_of(evidence: float, fact: Fact) -> float:
    """Return how much speaks for words of the fact, with its place in the search and a newer version of its page."""
    return (evidence + W_CHUNK * fact.score) * (_SUPERSEDED if fact.source.superseded else 1.0)


@lru_cache(maxsize=KEPT)
def as_told(context: AnswerContext) -> AnswerContext:
    """Return the context as if what was brought had been asked, where nothing else says what to quote."""
    return replace(context, question=context.told, told="") if context.told else context


@lru_cache(maxsize=KEPT)
def ranked_units(context: AnswerContext) -> tuple[Unit, ...]:
    """Return the units of the documents that the question names, or of all, those that most speaks for first."""
    dated = context.sort == "moment" or _ASKS_FOR_A_DAY.search(normalise(context.question))
    told = [unit for unit in units_of(context) if dated or not _is_age(unit)]
    named = _about_what_is_named(told, context)
    return tuple(sorted(_of_the_letters(named), key=lambda unit: -unit.score))


def _is_age(unit: Unit) -> bool:
    """Return whether the unit is the field of its page that says when that was changed, as the evidence does anyway."""
    if unit.part.kind != "field":
        return False
    label = unit.words.partition(":")[0].casefold()
    return label in _AGES or value_of(unit.words).strip() == unit.fact.source.updated


def units_of(context: AnswerContext) -> Iterable[Unit]:
    """Return the units of all facts, in their order."""
    weights, total = context.weights, sum(weight for _, weight in context.weights) or 1.0
    asked_in = analysed_as(context.question)
    kin = _kin(context)
    person = context.sort == "person"
    names = frozenset(term for name in context.names for term in terms(name))
    for number, fact in enumerate(context.facts, 1):
        foreign, leads = analysed_as(fact.text) != asked_in, _lead_terms(fact)
        for part in fact.parts:
            near = fact.around | leads.get(part.series, frozenset())
            held = part.terms | _heard(names, part.terms) if foreign and names else part.terms
            own = sum(weight for term, weight in weights if term in held)
            beside = sum(weight for term, weight in weights if term in near and term not in held)
            extra = sum(weight for term, weight in weights if term in held and term not in near)
            asked = person and part.kind == "field" and names_somebody(value_of(fact.words(part.span)))
            akin = _akin(part.terms, near, kin) / total
            yield Unit(number, fact, part, own / total, beside / total, extra / total, foreign, asked, akin)


def is_beside_a_term(unit: Unit, context: AnswerContext) -> bool:
    """Return whether a term alone is asked for, and the unit, as the line under it in a glossary, is of another."""
    return not unit.own and all(term.startswith(_TERM) for term, _ in context.weights)


def _heard(names: frozenset[str], held: frozenset[str]) -> frozenset[str]:
    """Return the names that sound as a word does that is held in another alphabet: «Париж» is Paris."""
    return frozenset(name for name in names if any(_sounds_as(name, one) for one in held))


@lru_cache(maxsize=4_096)
def _sounds_as(name: str, other: str) -> bool:
    if name.isascii() == other.isascii():
        return False
    short, long = sorted((sound_of(name), sound_of(other)), key=len)
    return long.startswith(short) and len(short) >= _MIN_SOUND and len(long) - len(short) <= len(short) // 2


def _kin(context: AnswerContext) -> list[tuple[str, frozenset[str], float]]:
    """Return each term of the question with the other terms of the facts that say the same, and its weight."""
    said = [term for term in held_terms(context.facts) if term.isalpha()]
    found = ((term, frozenset(one for one in said if is_kin(term, one)), weight) for term, weight in context.weights)
    return [(term, kin, weight) for term, kin, weight in found if kin]


def _akin(held: frozenset[str], near: frozenset[str], kin: Iterable[tuple[str, frozenset[str], float]]) -> float:
    """Return how much speaks for a part that it says words of the question by others of the same meaning."""
    found = 0.0
    for term, others, weight in kin:
        if term not in held and term not in near:
            found += weight * (W_OWN if others & held else W_AROUND if others & near else 0.0)
    return _KIN * found


def _of_the_letters(units: list[Unit]) -> list[Unit]:
    """Return the units without what a letter repeats of older ones, where it answers in its own words."""
    own = {unit.fact.source.doc_id for unit in units if _is_own(unit) and unit.evidence >= ENOUGH}
    return [unit for unit in units if not (unit.is_earlier and unit.fact.source.doc_id in own)]


def _is_own(unit: Unit) -> bool:
    return not unit.is_earlier and unit.part.kind != "field"


def _about_what_is_named(units: list[Unit], context: AnswerContext) -> list[Unit]:
    """Return the units of the documents that hold most of the names in the question; none when one is nowhere.

    An unknown project is not any other project, and what a page says of Ines is no answer about Hanneke.
    """
    names = {name for word in context.names for name in _name_keys(word)}
    in_russian = any(name.startswith(_RUSSIAN) for name in names)
    held: dict[str, set[str]] = {}
    for unit in units:
        said = held.setdefault(unit.fact.source.doc_id, set())
        said.update(unit.part.terms | unit.fact.around, _russian_keys(unit.fact) if in_russian else ())
    if _is_foreign(units):
        return units
    if names - set().union(*held.values()):
        return []
    names |= {term for term, _ in context.weights if term.startswith("§")}
    share = {doc_id: len(names & terms_) for doc_id, terms_ in held.items()}
    most = max(share.values(), default=0)
    return [unit for unit in units if share[unit.fact.source.doc_id] == most] if context.names else units


def _name_keys(name: str) -> tuple[str, ...]:
    """Return what a name of the question is compared by: its first term, in Russian the same in all its cases."""
    first = words(normalise(name))[:1]
    return (_russian_key(first[0]),) if first and _CYRILLIC.fullmatch(first[0]) else tuple(terms(name)[:1])


def _russian_keys(fact: Fact) -> Iterable[str]:
    said = "\n".join((fact.source.title, *fact.place.headings, fact.text))
    return (_russian_key(word) for word in _CYRILLIC.findall(normalise(said)))


@lru_cache(maxsize=4_096)
def _russian_key(word: str) -> str:
    """Return one sign for a name in all its cases: «Петров» is «Петрова», and is not «Пётр», of which it is made."""
    family = _FAMILY.match(word)
    return _RUSSIAN + (family[1] if family else stem(word))


def _is_foreign(units: list[Unit]) -> bool:
    return all(unit.foreign for unit in units)


def _lead_terms(fact: Fact) -> dict[int | None, frozenset[str]]:
    """Return, for each list or table of the fact, the terms of the paragraph that introduces it."""
    first: dict[int, int] = {}
    for part in fact.parts:
        if part.series is not None:
            first[part.series] = min(first.get(part.series, part.block), part.block)
    return {
        series: frozenset(term for part in fact.parts if part.block == block - 1 for term in part.terms)
        for series, block in first.items()
    }


def value_of(field: str) -> str:
    """Return what a field says without its name."""
    return field.partition(":")[2]
