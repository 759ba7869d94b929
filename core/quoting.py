"""The quoting mode: an answer made of the documents' own words, picked by evidence and by structure.

It needs no model. A unit (sentence, item, row) is weighed by its meaning's nearness to the question and by the rare
terms of the question that it and its surroundings hold; the structure around the best unit decides how much is quoted.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.answer import Abstain, Draft, DraftClaim, Pointer
from core.context import AnswerContext
from core.facts import Fact, Part, Span
from core.text import Untrusted, language_of, terms

# Weights: flat around these on both example suites and on XQuAD in both languages (benchmarks/quoting).
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
# An item stands for its list when it holds this much more of the question than the others do.
_DISTINCTIVE = 0.15
_SUPERSEDED = 0.6
_FIELD = 0.6


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
    def evidence(self) -> float:
        """How much speaks for it by itself, 0 to 1. A bare field is near to its page's title, whatever is asked."""
        meaning = self.part.similarity * (_FIELD if self.part.kind == "field" and not self.own else 1.0)
        words = W_MEANING * meaning + W_OWN * self.own + W_AROUND * self.around
        return max(words, W_FOREIGN * meaning) if self.foreign else words

    @property
    def score(self) -> float:
        """How much speaks for it, its passage's place in the search and a newer version of its page included."""
        return (self.evidence + W_CHUNK * self.fact.score) * (_SUPERSEDED if self.fact.source.superseded else 1.0)


def draft_quotes(context: AnswerContext) -> Draft:
    """Return the draft made of quotes, or one that abstains when nothing comes near enough."""
    if context.structural:
        return _listed(_structural_units(context), context)
    units = _ranked(context)
    if not units or units[0].evidence < ENOUGH:
        return Draft(abstain=Abstain(nearest_facts(context)))
    return _listed(_expanded(units, context), context)


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
    return [Unit(n, f, part, 1.0, 0.0, 0.0) for n, f in enumerate(context.facts, 1) for part in f.parts]


def _listed(units: Sequence[Unit], context: AnswerContext) -> Draft:
    groups = list(dict.fromkeys(unit.fact.group for unit in units if unit.fact.group))[: context.max_groups]
    kept = [unit for unit in units if not unit.fact.group or unit.fact.group in groups][: context.max_items]
    several = len({unit.fact.source.doc_id for unit in kept}) > 1
    claims = tuple(_claim(unit, several=several) for unit in kept)
    return Draft(claims=claims, remaining=len(units) - len(kept))


def _claim(unit: Unit, *, several: bool) -> DraftClaim:
    words = unit.fact.words(unit.part.span)
    group = unit.fact.group or (unit.fact.source.title if several else None)
    columns = tuple(unit.part.labels) if len(unit.part.labels) == len(words.split(" | ")) else ()
    return DraftClaim(str(words), (Pointer(unit.number, str(words)),), group, verbatim=True, columns=columns)


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
