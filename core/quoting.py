"""The quoting mode: an answer made of the documents' own words, picked by evidence and by structure.

It needs no model. A unit (sentence, item, row) is weighed by its meaning's nearness to the question and by the rare
terms of the question that it and its surroundings hold; the structure around the best unit decides how much is quoted.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.answer import Abstain, Draft, DraftClaim, Pointer
from core.context import AnswerContext
from core.facts import Fact, Part
from core.text import Untrusted, terms

# Weights and limits: fitted on half of tests/suites (see benchmarks/quoting) and checked on the other half.
W_MEANING, W_OWN, W_AROUND = 0.5, 0.35, 0.25
ENOUGH, NEAR = 0.5, 0.42
_ALSO = 0.93
_MAX_SENTENCES = 3
_MAX_NEAREST = 2
_DISTINCTIVE = 0.12


@dataclass(frozen=True, slots=True)
class Unit:
    """One part of one numbered fact, with what it holds of the question, as shares of the question's weight."""

    number: int
    fact: Fact
    part: Part
    own: float
    around: float
    score: float


def draft_quotes(context: AnswerContext) -> Draft:
    """Return the draft made of quotes, or one that abstains when nothing comes near enough."""
    if context.structural:
        return _listed(_structural_units(context), context)
    units = sorted(_units(context), key=lambda unit: -unit.score)
    if not units or units[0].score < NEAR:
        return Draft(abstain=Abstain())
    if units[0].score < ENOUGH:
        return Draft(abstain=Abstain(nearest=tuple(dict.fromkeys(unit.number for unit in units[:_MAX_NEAREST]))))
    return _listed(_expanded(units, context), context)


def _structural_units(context: AnswerContext) -> list[Unit]:
    return [Unit(n, f, part, 1.0, 0.0, 1.0) for n, f in enumerate(context.facts, 1) for part in f.parts]


def _listed(units: Sequence[Unit], context: AnswerContext) -> Draft:
    kept = units[: context.max_items]
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
    for number, fact in enumerate(context.facts, 1):
        around = set(terms(f"{fact.source.title} {' '.join(fact.place.headings)}"))
        for part in fact.parts:
            own = set(terms(f"{' '.join(part.labels)} {fact.words(part.span)}"))
            near = _lead_terms(fact, part) | around
            held = sum(weights.get(term, 0.0) for term in own) / total
            beside = sum(weights.get(term, 0.0) for term in near - own) / total
            score = W_MEANING * part.similarity + W_OWN * held + W_AROUND * beside
            yield Unit(number, fact, part, held, beside, score * (0.6 if fact.source.superseded else 1.0))


def _lead_terms(fact: Fact, part: Part) -> set[str]:
    """Return the terms of the paragraph that introduces the part's list or table."""
    if part.series is None:
        return set()
    first = min(other.block for other in fact.parts if other.series == part.series)
    return {term for other in fact.parts if other.block == first - 1 for term in terms(fact.words(other.span))}


def _expanded(units: list[Unit], context: AnswerContext) -> list[Unit]:
    """Return the units to quote: what belongs with the best one, then others that are about as good."""
    best = units[0]
    if series := _series_of(best):
        return _of_series(best, series, units)
    if best.part.kind == "paragraph":
        alike = [u for u in units if u.part.kind == "paragraph" and u.score >= _ALSO * best.score]
        chosen = alike[: min(_MAX_SENTENCES, context.max_paragraphs)]
        return _in_reading_order(chosen or [best])
    return [best]


def _series_of(unit: Unit) -> int | None:
    """Return the list or table that the unit belongs to, or that it introduces."""
    if unit.part.series is not None and unit.part.kind in ("item", "row"):
        return unit.part.series
    if unit.fact.words(unit.part.span).rstrip().endswith(":"):
        return next((p.series for p in unit.fact.parts if p.block == unit.part.block + 1), None)
    return None


def _of_series(best: Unit, series: int, units: list[Unit]) -> list[Unit]:
    """Return the items that alone hold what was asked, else the whole list in order."""
    members = [u for u in units if u.fact.source.doc_id == best.fact.source.doc_id and u.part.series == series]
    most = max(member.own for member in members)
    holding = [member for member in members if member.own >= most - 1e-9]
    least = min(member.own for member in members)
    single = most - least >= _DISTINCTIVE and len(holding) <= max(1, len(members) // 2)
    return sorted(holding if single else members, key=lambda unit: unit.part.span.start)


def _in_reading_order(units: list[Unit]) -> list[Unit]:
    order = {unit.fact.source.doc_id: place for place, unit in reversed(list(enumerate(units)))}
    return sorted(units, key=lambda unit: (order[unit.fact.source.doc_id], unit.part.span.start))


def nearest_quote(fact: Fact) -> Untrusted:
    """Return the words of a fact that come nearest to the question: its best part."""
    best = max(fact.parts, key=lambda part: part.similarity, default=None)
    return fact.words(best.span) if best else fact.text
