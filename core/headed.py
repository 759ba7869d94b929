"""Lists as wholes: the list or table that stands under what a question asks for, however its items are worded.

An item seldom repeats what its heading has said: “spill kit” answers “What is in each van?” by where it stands alone.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from core.asked import SHOWS, thing_asked
from core.asking import is_polar
from core.checks import denies
from core.context import AnswerContext
from core.counting import counted_first, counted_thing, only_qualifies, says_how_many
from core.entities import is_name_term
from core.evidence import ENOUGH, W_MEANING, W_OWN, Unit, score_of
from core.facts import Fact
from core.heading_words import asking_for
from core.ingest.addresses import title_key
from core.proof.backing import Held
from core.proof.denials import is_denier
from core.proof.opposites import opposites
from core.proof.words import Word, read
from core.specific import MOST_LACKING, lacking
from core.text import normalise, sentences, stem, terms, words

# The page of a list must hold more of the question than this share: a heading by itself never outweighs a word that
# stands nowhere, so that “What do the horses eat?” is not answered by what the cows eat.
_OF_PAGE = 0.5


# “Do” and “Don’t” head what somebody is to do, and not.
_DO = re.compile(r"(?:things to )?do(?:s|(?: not|n['’]t)s?)?", re.IGNORECASE)
_ENDS_IN_DO = re.compile(r"\bdo\b\W*$")
# One thing is asked for: “the notice period” is none of a table of periods that says nothing of notice.
_ASKS_FOR_ONE = re.compile(
    r"\bwhat(?: is| was|['’]s) (?:the|our|your|my)\b|\b(?:какой|какая|какое) (?:у нас |был\w* )?[а-я]"
)
_HOW = re.compile(r"\W*(how|why|when|where|как|почему|зачем|когда|где)\b")
# Small words that may stand for anybody: “What you get” heads what volunteers get.
_WHOEVER = frozenset("i you we they he she it me us him her them my your our their the a an to do does".split())
_WAY = re.compile(r"(?:getting|how to (?:get|come|find)|finding|the way|directions)(?: (?:here|there|to us|us))?")
_ASKS_THE_WAY = re.compile(r"\bhow (?:do|does|can|could|would|will|to)\b.{0,20}?\b(?:get (?:to|there|here)|reach)\b")
# What a heading says only of the form of what stands under it: “Action items” are actions.
_FORM = "item items point points list overview summary thing things following пункт пункты список перечень обзор"
# “What it may be used for” is what it can be used for, and not what it must be.
_PERMITS = "may can could might можно может могут"
# “What not to do” is what is forbidden.
_DOING = "do doing делать"
_OBLIGES = re.compile(r"\b(?:must|should|shall|need|have to|has to|had to|нужно|надо|обязан\w*|долж\w+|следует)\b")


@dataclass(frozen=True, slots=True)
class _Headed:
    """The items of one section, in order, and how much speaks for them as the answer.

    `own`: the share of the question that stands above them; `typed`: what was typed says what they stand under, where
    a question before, or nothing that is searched for, says it too.
    """

    units: tuple[Unit, ...]
    declared: bool
    own: float
    evidence: float
    typed: bool = False

    @property
    def worth(self) -> tuple[bool, bool, float]:
        """What decides between two: what was typed goes before what is carried on from the question before."""
        return self.declared, self.typed, max(score_of(self.evidence, unit.fact) for unit in self.units)


def headed_list(units: Sequence[Unit], context: AnswerContext) -> list[Unit]:
    """Return all items of the list or table that stands under what is asked, in order; none where no list does.

    It is asked for by its heading, by what introduces it, or by a heading that the corpus declares for what is asked.
    Items that alone hold what is asked beyond that stand for all; where no list is asked for in so many words, such a
    one is no list to be told.
    """
    sort = context.sort
    if is_polar(context.question) or not (sort in (None, "person") or (context.lists and sort == "number")):
        return []
    found = [one for one in _headed(units, context) if one.evidence >= ENOUGH]
    if sort == "number":
        found = [one for one in found if lists_the_counted(one.units[0].fact, context.question)]
    if sort == "person":
        found = [one for one in found if one.own >= 1.0]
    best = max(found, key=lambda one: one.worth, default=None)
    if best is None or not (best.declared or best.typed or context.lists or _speaks_most(best, units)):
        return []
    if _ASKS_FOR_ONE.search(normalise(context.question)) and lacking(best.units, context) > MOST_LACKING:
        return []
    return _fitting(best, context)


def lists_the_counted(fact: Fact, question: str) -> bool:
    """Return whether the fact stands under a heading of the things whose number is asked for, and counts none itself.

    “Lemon cake” heads no lemons; “2 lemons” in its list says how many there are.
    """
    things, first = counted_thing(question), counted_first(question)
    above = (fact.source.title, *fact.place.headings)
    if first is None or not things <= fact.around.union(terms("\n".join(above))):
        return False
    said = (str(fact.words(part.span)) for part in fact.parts if part.kind in ("item", "row"))
    return not only_qualifies(first, above) and not any(says_how_many(words, first) for words in said)


def counting_items(units: Sequence[Unit], question: str) -> list[Unit]:
    """Return the items that count themselves what the question asks the number of, where all else it says stands."""
    things, first = counted_thing(question), counted_first(question)
    if first is None:
        return []
    items = (unit for unit in units if unit.part.kind in ("item", "row") and unit.evidence >= ENOUGH)
    found = [one for one in items if things <= one.part.terms | one.fact.around and says_how_many(one.words, first)]
    return sorted(found, key=lambda unit: (unit.number, unit.part.span.start))


def _speaks_most(listed: _Headed, units: Sequence[Unit]) -> bool:
    """Return whether more speaks for the list than for any passage but the one that introduces it."""
    lead = _lead_of(listed.units[0])
    others = (unit for unit in units if unit not in listed.units and not (lead and lead in unit.words))
    return all(listed.evidence >= unit.evidence for unit in others)


def _headed(units: Sequence[Unit], context: AnswerContext) -> list[_Headed]:
    sections: dict[_Section, list[Unit]] = {}
    for unit in units:
        if unit.part.kind in ("item", "row") and (section := _section_of(unit, context)):
            sections.setdefault(section, []).append(unit)
    held, opening = _held(units), openings(units)
    over = {section: _above(section, sections[section][0], opening) for section in sections}
    return [
        _weighed(section, members, over[section], context)
        for section, members in sections.items()
        if section.declared or _is_of_page(held[section.doc_id] | _said_by(over[section], context.question), context)
    ]


@dataclass(frozen=True, slots=True)
class _Section:
    """What stands under a heading of a document, or only one list of it."""

    doc_id: str
    headings: tuple[str, ...]
    series: int | None = None
    declared: bool = False


def _section_of(unit: Unit, context: AnswerContext) -> _Section | None:
    """Return the section or list of the unit that is asked for, the innermost one."""
    doc_id, path = unit.fact.source.doc_id, tuple(map(str, unit.fact.place.headings))
    keys = {key for one in context.sought if one.name in unit.fact.around for key in one.headings}
    for end in range(len(path), 0, -1):
        if title_key(path[end - 1]) in keys:
            return _Section(doc_id, path[:end], declared=True)
        if _is_asked(path[end - 1], context):
            return _Section(doc_id, path[:end])
    return _Section(doc_id, path, unit.part.series) if _is_asked(_lead_of(unit), context) else None


def _is_asked(heading: str, context: AnswerContext) -> bool:
    """Return whether the question says the heading, and something of it where it last says what it asks for."""
    return is_said(heading, context.question) and (not context.lately or _is_touched(heading, " ".join(context.lately)))


@lru_cache(maxsize=1_024)
def _is_touched(heading: str, said: str) -> bool:
    return not frozenset(terms(heading)).isdisjoint(terms(said))


@lru_cache(maxsize=1_024)
def is_said(heading: str, question: str) -> bool:
    """Return whether the question says all that the heading does, in whatever form, and denies it where that does.

    “What we do not pay” is not “What do we pay?”.
    """
    said, asked = frozenset(terms(heading)), frozenset(terms(question))
    if denies(heading) != denies(question) or _asks_otherwise(heading, question):
        return False
    if not said or _WAY.fullmatch(normalise(heading)):
        return _is_said_in_small_words(heading, question)
    if said <= asked:
        return True
    asks = read(question).stems
    form = _stems(_FORM if _OBLIGES.search(normalise(question)) else f"{_FORM} {_PERMITS}")
    form |= _stems(_DOING) if denies(heading) else frozenset()
    told = [word for word in read(heading).content if word.stem not in form]
    return bool(told) and all(is_denier(word) or _is_held(word, asks, question) for word in told)


def _is_said_in_small_words(heading: str, question: str) -> bool:
    """Return whether the question says a heading of small words alone: “What you get” heads “What do members get?”."""
    if _DO.fullmatch(heading):
        return _ENDS_IN_DO.search(question) is not None
    if _WAY.fullmatch(normalise(heading)):
        return _ASKS_THE_WAY.search(normalise(question)) is not None
    told = frozenset(words(normalise(heading))) - _WHOEVER
    return len(told) > 1 and told <= frozenset(words(normalise(question)))


def _asks_otherwise(heading: str, question: str) -> bool:
    """Return whether the heading answers how, or when, where something else is asked: “How to use it” for what for."""
    found = _HOW.match(normalise(heading))
    return found is not None and found[1] not in words(normalise(question))


def _is_held(word: Word, stems: frozenset[str], question: str) -> bool:
    """Return whether the word is among these; where it is asked what is not, by its opposite, too."""
    if Held(stems).holds(word) or not asking_for(word.stem).isdisjoint(stems):
        return True
    return denies(question) and not opposites(word.stem).isdisjoint(stems)


@cache
def _stems(said: str) -> frozenset[str]:
    return frozenset(map(stem, said.split()))


def _lead_of(unit: Unit) -> str:
    """Return the sentence that introduces the list of the unit, or nothing."""
    first = min(part.block for part in unit.fact.parts if part.series == unit.part.series)
    before = [part for part in unit.fact.parts if part.block == first - 1 and part.kind == "paragraph"]
    words = str(unit.fact.words(before[-1].span)) if before else ""
    spans = list(sentences(words))
    return words[slice(*spans[-1])] if spans and words.rstrip().endswith(":") else ""


def _held(units: Iterable[Unit]) -> dict[str, set[str]]:
    """Return the terms of each document."""
    held: dict[str, set[str]] = {}
    for unit in units:
        held.setdefault(unit.fact.source.doc_id, set()).update(unit.part.terms | unit.fact.around)
    return held


def _is_of_page(held: set[str], context: AnswerContext) -> bool:
    """Return whether a page holds enough of the question, and one of the things that it names, if it names any."""
    names = {term for term, _ in context.weights if is_name_term(term)}
    if names and names.isdisjoint(held):
        return False
    told = [(term, weight) for term, weight in context.weights if term not in SHOWS]
    total = sum(weight for _, weight in told)
    return sum(weight for term, weight in told if term in held) > _OF_PAGE * total


def openings(units: Iterable[Unit]) -> dict[str, str]:
    """Return how the page of each unit opens, where that was found: what stands above its first heading."""
    first: dict[str, Unit] = {}
    for unit in units:
        if unit.part.kind == "paragraph" and not unit.fact.place.headings:
            known = first.setdefault(unit.fact.source.doc_id, unit)
            if unit.part.span.start < known.part.span.start:
                first[unit.fact.source.doc_id] = unit
    return {doc_id: str(unit.fact.words(unit.part.span)) for doc_id, unit in first.items()}


def _weighed(section: _Section, members: Sequence[Unit], over: str, context: AnswerContext) -> _Headed:
    """Return the members with what speaks for them: what stands above a list, all of its items say."""
    weights = [(term, weight) for term, weight in context.weights if term not in SHOWS]
    total = sum(weight for _, weight in weights) or 1.0
    lead, said = _lead_of(members[0]), _said_by(over, context.question)
    above = members[0].fact.around.union(terms(lead), terms(over)) | said
    left = sum(weight for term, weight in weights if term not in above)
    own = 1.0 - left / total
    meaning = max(unit.part.similarity for unit in members)
    evidence = W_MEANING * meaning + W_OWN * (1.0 if section.declared else own)
    ordered = sorted(members, key=lambda unit: unit.part.span.start)
    typed = any(_is_typed(one, own, context) for one in (*section.headings[-1:], lead))
    return _Headed(tuple(ordered), section.declared, own, evidence, typed)


def _is_typed(heading: str, own: float, context: AnswerContext) -> bool:
    """Return whether what was typed says the heading: of a question of its own where no search term of it tells that.

    “Getting here” is what “How do I get to the centre?” asks for, of whose words only the centre is looked for.
    """
    if context.own:
        return is_said(heading, context.own)
    return own >= 1.0 and _is_said_in_small_words(heading, context.question)


def _above(section: _Section, unit: Unit, opening: Mapping[str, str]) -> str:
    """Return the heading of the section, what introduces the list of the unit, and how its page opens."""
    return "\n".join((*section.headings[-1:], _lead_of(unit), opening.get(section.doc_id, "")))


@lru_cache(maxsize=1_024)
def _said_by(above: str, question: str) -> frozenset[str]:
    """Return the terms of the question that stand above a list in another form, or by a word of the same meaning."""
    over, no = read(above).stems, denies(above) and denies(question)
    told = over.union(*map(asking_for, over))
    said = (word for word in read(question).words if word.kind == "word")
    return frozenset(one.stem for one in said if _is_held(one, told, question) or (no and is_denier(one)))


def _fitting(listed: _Headed, context: AnswerContext) -> list[Unit]:
    """Return the items to tell: all, or those that alone hold what is asked beyond what stands above them."""
    singled = [] if listed.declared else singled_out(listed.units, context)
    if not singled:
        return list(listed.units)
    return singled if context.lists else []


def singled_out(units: Sequence[Unit], context: AnswerContext) -> list[Unit]:
    """Return the items of a list that alone hold what is asked beyond what stands above them; none where all answer.

    A common word that one item happens to hold singles out nothing, and neither does the word for what is asked for:
    each of “Which diseases?” is one.
    """
    first = units[0]
    above = "\n".join([first.fact.source.title, *first.fact.place.headings, _lead_of(first)])
    told = (*terms(above), *terms(thing_asked(context.question)))
    left = frozenset(terms(context.question)).difference(told, SHOWS)
    if not left:
        return []
    names = {term for term, _ in context.weights if term.startswith("§") and term not in first.fact.around}
    names |= {term for name in context.names for term in terms(name)} | {one for one in left if _has_digit(one)}
    counts = [len(unit.part.terms & (left | names)) for unit in units]
    most = max(counts)
    holding = [unit for unit, count in zip(units, counts, strict=True) if count == most]
    few = most > 0 and len(holding) <= max(1, len(units) // 2)
    return holding if few and (len(holding) > 1 or holding[0].part.terms & names) else []


def _has_digit(term: str) -> bool:
    return any(char.isdigit() for char in term)
