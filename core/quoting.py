"""The quoting mode: an answer made of the documents' own words, picked by evidence and by structure.

It needs no model. A unit (sentence, item, row) is weighed by its meaning's nearness to the question and by the rare
terms of the question that it and its surroundings hold; the structure around the best unit decides how much is quoted.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import zip_longest

from core.answer import Abstain, Draft, DraftClaim, Pointer
from core.asking import asked_for, holds
from core.context import AnswerContext
from core.facts import Fact, Part, Span
from core.merging import as_written, joined, part_like
from core.text import Untrusted, language_of, terms

# Weights: flat around these on both example suites and on XQuAD in both languages (footnote evaluate answers).
# ENOUGH answers 84 % of the answerable and refuses 88 % of the unanswerable questions of the handbook's suite, 95 and
# 82 % of the portfolio's, 97 and 97 % of English XQuAD with half of its articles held out.
W_MEANING, W_OWN, W_AROUND, W_CHUNK = 0.4, 0.35, 0.25, 0.25
ENOUGH, NEAR = 0.28, 0.22
# In another language only the meaning speaks: a cosine of 0.38 is enough (13 of 20 questions kept, 76 of 80 refused).
W_FOREIGN = 0.74
# Other passages are quoted beside the best one from this share of its score on: 81 facts of 110 instead of 76 at 0.85.
_ALSO = 0.75
_MAX_PASSAGES = 3
_MAX_WINDOW = 360
_MAX_NEAREST = 2
# Units that are tried before it is said that nothing of the sort asked for is there.
_MAX_TRIED = 8
# An item stands for its list when it holds this much more of the question than the others do.
_DISTINCTIVE = 0.15
_SUPERSEDED = 0.6
_FIELD = 0.6
_KEY = 12


@dataclass(frozen=True, slots=True)
class Unit:
    """One part of one numbered fact, with what it holds of the question, as shares of the question's weight."""

    number: int
    fact: Fact
    part: Part
    own: float
    around: float
    extra: float
    foreign: bool = False

    @property
    def words(self) -> str:
        """Its words."""
        return str(self.fact.words(self.part.span))

    @property
    def evidence(self) -> float:
        """How much speaks for it by itself, 0 to 1. A bare field is near to its page's title, whatever is asked."""
        meaning = self.part.similarity * (_FIELD if self.part.kind == "field" and not self.own else 1.0)
        words = W_MEANING * meaning + W_OWN * self.own + W_AROUND * self.around
        return max(words, W_FOREIGN * meaning) if self.foreign else words

    @property
    def score(self) -> float:
        """How much speaks for it, its passage's place in the search and a newer version of its page included."""
        return (self.evidence + W_CHUNK * self.fact.score) * (_SUPERSEDED if self.fact.source.superseded else 1.0)


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a list: the unit that is shown, and behind it those that say the same elsewhere."""

    units: tuple[Unit, ...]

    @property
    def group(self) -> str | None:
        """The heading under which it is listed."""
        return self.units[0].fact.group

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of its facts."""
        return frozenset(unit.number for unit in self.units)

    @property
    def keys(self) -> tuple[str, ...]:
        """What names it, wherever it stands: its words under its heading, then those of each that says the same."""
        said = (f"{unit.fact.group or ''}|{as_written(unit.words)}" for unit in self.units)
        return tuple(sha256(one.encode()).hexdigest()[:_KEY] for one in said)

    def is_seen(self, seen: frozenset[str]) -> bool:
        """Return whether the reader has been shown it."""
        return bool(seen) and not seen.isdisjoint(self.keys)


def draft_quotes(context: AnswerContext) -> Draft:
    """Return the draft made of quotes, or one that abstains when nothing comes near enough."""
    items = items_of(context)
    if not items:
        return Draft(abstain=Abstain(nearest_facts(context)))
    left = [item for item in items if not item.is_seen(context.seen)]
    kept = first_of(left, context)
    return Draft(claims=tuple(claim_of(item, context, kept) for item in kept), remaining=len(left) - len(kept))


def items_of(context: AnswerContext) -> list[Item]:
    """Return all items of the list that answers, in its order, each thing that is said once; none when nothing does."""
    units = _structural_units(context)
    ranked = [unit for unit in _ranked(context) if not unit.fact.structural]
    if ranked and ranked[0].evidence >= ENOUGH:
        units += _fitting(ranked, context)
    told = joined(units, lambda unit: unit.words, lambda _: 0, lambda unit: unit.fact.group)
    return [Item(tuple(cluster)) for cluster in told]


def first_of(items: Sequence[Item], context: AnswerContext) -> list[Item]:
    """Return the items to show first, in their order: as many as the limits allow, of each group about as many."""
    groups: dict[str | None, list[int]] = {}
    for place, item in enumerate(items):
        groups.setdefault(item.group, []).append(place)
    shown = list(groups.values())[: context.max_groups]
    in_turn = [place for row in zip_longest(*shown) for place in row if place is not None]
    return [items[place] for place in sorted(in_turn[: context.max_items])]


def claim_of(item: Item, context: AnswerContext, beside: Sequence[Item] = ()) -> DraftClaim:
    """Return the item in the document's own words, with all the places that say so; `beside`: what else is listed."""
    unit = item.units[0]
    several = len({one.units[0].fact.source.doc_id for one in beside}) > 1
    group = unit.fact.group or (unit.fact.source.title if several else None)
    columns = tuple(unit.part.labels) if len(unit.part.labels) == len(unit.words.split(" | ")) else ()
    pointers = [Pointer(one.number, one.words) for one in item.units]
    return DraftClaim(unit.words, also_said(pointers, context), group, verbatim=True, columns=columns)


def also_said(pointers: Sequence[Pointer], context: AnswerContext) -> tuple[Pointer, ...]:
    """Return the pointers, and behind them one to each other place that says the same."""
    found = list(pointers)
    for pointer in pointers:
        for _, number in (pair for pair in context.twins if pair[0] == pointer.fact):
            twin = context.numbered(number)
            if twin and (part := part_like(twin, pointer.quote)):
                found.append(Pointer(number, str(twin.words(part.span))))
    return tuple(dict.fromkeys(found))


def nearest_facts(context: AnswerContext) -> tuple[int, ...]:
    """Return the numbers of the facts to offer instead of an answer; none when all are far from the question."""
    near = [unit.number for unit in _ranked(context) if unit.evidence >= NEAR]
    return tuple(dict.fromkeys(near))[:_MAX_NEAREST]


def bears_on(span: Span, fact: Fact, context: AnswerContext) -> bool:
    """Return whether the words of a fact at a span come near enough to the question to be shown without a comment."""
    if fact.structural:
        return True
    units = (unit for unit in _units(context) if unit.fact is fact)
    touched = (unit for unit in units if unit.part.span.start < span.end and span.start < unit.part.span.end)
    return any(unit.evidence >= NEAR for unit in touched)


def _ranked(context: AnswerContext) -> list[Unit]:
    return sorted(_about_what_is_named(list(_units(context)), context), key=lambda unit: -unit.score)


def _structural_units(context: AnswerContext) -> list[Unit]:
    return [Unit(n, f, part, 1.0, 0.0, 0.0) for n, f in enumerate(context.facts, 1) if f.structural for part in f.parts]


def _units(context: AnswerContext) -> Iterable[Unit]:
    weights = dict(context.weights)
    total = sum(weights.values()) or 1.0
    asked_in = language_of(context.question)
    for number, fact in enumerate(context.facts, 1):
        for part in fact.parts:
            held = sum(weights.get(term, 0.0) for term in part.terms) / total
            near = _lead_terms(fact, part) | fact.around
            beside = sum(weights.get(term, 0.0) for term in near - part.terms) / total
            extra = sum(weights.get(term, 0.0) for term in part.terms - near) / total
            yield Unit(number, fact, part, held, beside, extra, language_of(fact.text) != asked_in)


def _about_what_is_named(units: list[Unit], context: AnswerContext) -> list[Unit]:
    """Return the units of the documents that hold most of the names in the question; none when one is nowhere.

    An unknown project is not any other project, and what a page says of Ines is no answer about Hanneke.
    """
    names = {name for word in context.names for name in terms(word)[:1]}
    held: dict[str, set[str]] = {}
    for unit in units:
        held.setdefault(unit.fact.source.doc_id, set()).update(unit.part.terms | unit.fact.around)
    if _is_foreign(units):
        return units
    if names - set().union(*held.values()):
        return []
    names |= {term for term, _ in context.weights if term.startswith("§")}
    share = {doc_id: len(names & terms_) for doc_id, terms_ in held.items()}
    most = max(share.values(), default=0)
    return [unit for unit in units if share[unit.fact.source.doc_id] == most] if context.names else units


def _is_foreign(units: list[Unit]) -> bool:
    return all(unit.foreign for unit in units)


def _lead_terms(fact: Fact, part: Part) -> frozenset[str]:
    """Return the terms of the paragraph that introduces the part's list or table."""
    if part.series is None:
        return frozenset()
    first = min(other.block for other in fact.parts if other.series == part.series)
    return frozenset(term for other in fact.parts if other.block == first - 1 for term in other.terms)


def _fitting(units: list[Unit], context: AnswerContext) -> list[Unit]:
    """Return the units to quote, of the best ones in which the sort of thing stands that is asked for; else none.

    No sum of money is no answer to "What does it cost?", however near its words are.
    """
    sort = asked_for(context.question)
    for place in range(min(_MAX_TRIED, len(units))):
        if units[place].evidence < ENOUGH:
            break
        quoted = _expanded(units[place:], context)
        fitting = [unit for unit in quoted if sort is None or holds(_told(unit), sort)]
        if fitting:
            return quoted if _is_one(quoted) else fitting
    return []


def _is_one(units: Sequence[Unit]) -> bool:
    """Return whether the units are one list or table, of which none is left out."""
    return len({(unit.fact.source.doc_id, unit.part.series) for unit in units}) == 1 and len(units) > 1


def _told(unit: Unit) -> str:
    """Return the unit's words with the names of its columns, without which a number of a table says little."""
    return " ".join([*unit.part.labels, unit.fact.words(unit.part.span)])


def _expanded(units: list[Unit], context: AnswerContext) -> list[Unit]:
    """Return the units to quote: what belongs with the best one; if that is one passage, others about as good too."""
    best, *others = units
    answer = _belonging(best, units)
    if len(answer) > 1:
        return answer
    passages = {_block(answer[0]): answer[0]}
    for unit in others:
        good = unit.score >= _ALSO * best.score and not _leads(unit)
        if good and len(passage := _belonging(unit, units)) == 1:
            passages.setdefault(_block(passage[0]), passage[0])
    return list(passages.values())[: min(_MAX_PASSAGES, context.max_paragraphs)]


def _belonging(unit: Unit, units: list[Unit]) -> list[Unit]:
    """Return what is quoted when the unit is: its list or table, what it introduces, or it with its neighbours."""
    if (series := _series_of(unit)) is not None:
        return _of_series(unit, series, units)
    if shown := _introduced(unit, units):
        return [shown]
    return [_window(unit) if unit.part.kind == "paragraph" else unit]


def _block(unit: Unit) -> tuple[str, int]:
    return unit.fact.source.doc_id, unit.part.block


def _window(unit: Unit) -> Unit:
    """Return the sentence with its neighbours in the paragraph, as many as fit: they say what it is about."""
    beside = [part for part in unit.fact.parts if part.block == unit.part.block]
    first = last = beside.index(unit.part)
    while True:
        wider = [(i, j) for i, j in ((first - 1, last), (first, last + 1)) if 0 <= i and j < len(beside)]
        fitting = [(i, j) for i, j in wider if beside[j].span.end - beside[i].span.start <= _MAX_WINDOW]
        if not fitting:
            break
        first, last = max(
            fitting, key=lambda ends: _worth(beside[ends[0]]) if ends[0] < first else _worth(beside[ends[1]])
        )
    span = Span(beside[first].span.start, beside[last].span.end)
    return replace(unit, part=replace(unit.part, span=span))


def _worth(part: Part) -> float:
    return part.similarity


def _series_of(unit: Unit) -> int | None:
    """Return the list or table that the unit belongs to, or that it introduces."""
    if unit.part.series is not None and unit.part.kind in ("item", "row"):
        return unit.part.series
    shown = _shown_by(unit)
    return shown.series if shown and shown.kind in ("item", "row") else None


def _introduced(unit: Unit, units: list[Unit]) -> Unit | None:
    """Return the code or quotation that the unit introduces with a colon."""
    shown = _shown_by(unit)
    return next((u for u in units if u.number == unit.number and u.part == shown), None)


def _shown_by(unit: Unit) -> Part | None:
    if not _leads(unit):
        return None
    return next((part for part in unit.fact.parts if part.block == unit.part.block + 1), None)


def _leads(unit: Unit) -> bool:
    """Return whether the unit only introduces what follows it."""
    return unit.fact.words(unit.part.span).rstrip().endswith(":")


def _of_series(best: Unit, series: int, units: list[Unit]) -> list[Unit]:
    """Return the items that alone hold what was asked, else the whole list in order."""
    members = [u for u in units if u.fact.source.doc_id == best.fact.source.doc_id and u.part.series == series]
    most = max(member.extra for member in members)
    holding = [member for member in members if member.extra >= most - 1e-9]
    least = min(member.extra for member in members)
    single = most - least >= _DISTINCTIVE and len(holding) <= max(1, len(members) // 2)
    return sorted(holding if single else members, key=lambda unit: unit.part.span.start)


def nearest_quote(fact: Fact) -> Untrusted:
    """Return the words of a fact that come nearest to the question: its best part."""
    best = max(fact.parts, key=lambda part: part.similarity, default=None)
    return fact.words(best.span) if best else fact.text
