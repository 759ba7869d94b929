"""The quoting mode: an answer made of the documents' own words, picked by evidence and by structure.

It needs no model. A unit (sentence, item, row) is weighed by its meaning's nearness to the question and by the rare
terms of the question that it and its surroundings hold; the structure around the best unit decides how much is quoted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from hashlib import sha256
from itertools import zip_longest

from core.alike import same_heading, under_what_is_typed
from core.answer import Abstain, Draft, DraftClaim, Pointer
from core.asking import DOUBTFUL, Sort, counted_in, holds, is_polar, names_somebody
from core.bearing import names_it, sentences_of, tells_of_it
from core.carried import is_only_carried, of_the_new_name
from core.contents import contents_of
from core.context import AnswerContext
from core.counting import counted_first, says_how_many
from core.designated import is_of_another
from core.disputed import with_the_others
from core.evidence import ENOUGH, KEPT, NEAR, Unit, as_told, is_beside_a_term, ranked_units, units_of, value_of
from core.exhaustive import FIRST, all_of, asks_for_all
from core.facts import Fact, Part, Span
from core.fields import asked_field
from core.headed import counting_items, headed_list, lists_the_counted
from core.in_time import nearest_then, units_then
from core.merging import as_written, joined, part_like, told_of
from core.nested import with_children
from core.placing import placed
from core.polarity import denies_otherwise
from core.reasons import states_cause, told_cause
from core.specific import MOST_LACKING, adds_nothing, lacking
from core.spread import spread_list
from core.text import Untrusted, language_of, terms

# Other passages are quoted beside the best one from this share of its score on: 81 facts of 110 instead of 76 at 0.85.
_ALSO = 0.75
_MAX_PASSAGES = 3
# What is quoted beside the best passage may lack more of the question than that does: the rest stands there. A sentence
# with the value that is asked for must hold one of two words and more: what a jug costs is not told by another's price.
_MOST_LACKING_BESIDE, _MOST_LACKING_VALUE = 0.8, 0.48
_MAX_WINDOW = 360
_MAX_NEAREST = 2
# Units that are tried before it is said that nothing of the sort asked for is there.
_MAX_TRIED = 8
# An item stands for its list when it holds this much more of the question than the others do.
_DISTINCTIVE = 0.15
_KEY = 12
# What a look-up must hold if it is asked for: a list of what names a product does not tell when that comes out.
_VALUES: frozenset[Sort] = frozenset({"money", "duration", "moment", "clock", "phone", "email"})


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
    context = as_told(context)
    items = of_the_new_name(items_of(context), lambda item: item.units, context)
    if not items or is_only_carried((unit for item in items for unit in item.units), context):
        return Draft(abstain=Abstain(nearest_facts(context)))
    left = [item for item in items if not item.is_seen(context.seen)]
    kept = sorted(first_of(left, context), key=_by_authority)
    return Draft(claims=tuple(claim_of(item, context, kept) for item in kept), remaining=len(left) - len(kept))


@lru_cache(maxsize=KEPT)
def items_of(context: AnswerContext) -> tuple[Item, ...]:
    """Return all items of the list that answers, in its order, each thing that is said once; none when nothing does."""
    units = _of_structure(context) if _are_named(context) else []
    parts = [_answering_part(_asked_alone(text, terms_, context)) for text, terms_ in context.parts]
    units += [unit for part in parts for unit in part] if parts and all(parts) else _answering(context)
    told = joined(units, lambda unit: unit.words, lambda _: 0, _told_of)
    return tuple(Item(tuple(cluster)) for cluster in told)


def _by_authority(item: Item) -> int:
    """Return what puts the words of pages that somebody gave authority before those of the others, and no more."""
    return -max(unit.fact.source.authority for unit in item.units)


def _told_of(unit: Unit) -> tuple[str | None, str]:
    return (unit.fact.group, "") if unit.fact.structural else told_of(unit.fact, {unit.part.kind})


def _answering(context: AnswerContext) -> list[Unit]:
    """Return the units of what was searched for that answer; none when nothing comes near enough."""
    ranked = units_then([unit for unit in ranked_units(context) if not unit.fact.structural], context)
    if alike := same_heading(ranked, context):
        return alike
    ranked = under_what_is_typed(ranked, context)
    return with_children(_fitting(ranked, context), ranked, context.question)


def _answering_part(context: AnswerContext) -> list[Unit]:
    """Return the units that answer one of several parts; of a comparison of figures the best one, or its list."""
    found = _answering(context)
    return found[:1] if context.kind == "compare" and context.sort and not _is_one(found) else found


def _asked_alone(question: str, asked: frozenset[str], context: AnswerContext) -> AnswerContext:
    """Return the context as if only this part of its question had been asked."""
    weights = tuple((term, weight) for term, weight in context.weights if term in asked)
    sought = tuple(one for one in context.sought if one.name in asked)
    return replace(context, question=question, weights=weights, parts=(), sought=sought, lately=())


def first_of(items: Sequence[Item], context: AnswerContext) -> list[Item]:
    """Return the items to show first, in their order: as many as the limits allow, of each group about as many.

    Of passages that are all that is known of something, a few are read at first.
    """
    told_first = asks_for_all(context.question) and not (context.seen or context.structural)
    is_begun = told_first and all(item.units[0].part.kind == "paragraph" for item in items)
    groups: dict[str | None, list[int]] = {}
    for place, item in enumerate(items):
        groups.setdefault(item.group, []).append(place)
    shown = list(groups.values())[: context.max_groups]
    in_turn = [place for row in zip_longest(*shown) for place in row if place is not None]
    return [items[place] for place in sorted(in_turn[: FIRST if is_begun else context.max_items])]


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
    near = [unit.number for unit in ranked_units(context) if unit.evidence >= NEAR]
    return nearest_then(context) or tuple(dict.fromkeys(near))[:_MAX_NEAREST]


def bears_on(span: Span, fact: Fact, context: AnswerContext) -> bool:
    """Return whether the words of a fact at a span come near enough to the question to be shown without a comment."""
    if fact.structural:
        return True
    units = (unit for unit in units_of(context) if unit.fact is fact)
    touched = (unit for unit in units if unit.part.span.start < span.end and span.start < unit.part.span.end)
    return any(unit.evidence >= NEAR for unit in touched)


def _of_structure(context: AnswerContext) -> list[Unit]:
    """Return what was looked up; nothing where a value is asked for that none of it is."""
    looked_up = [(number, fact) for number, fact in enumerate(context.facts, 1) if fact.structural]
    found = [Unit(number, fact, part, 1.0, 0.0, 0.0) for number, fact in looked_up for part in fact.parts]
    sort = context.sort
    if sort and sort in _VALUES and not any(fits(unit, sort, context) for unit in found):
        return []
    return found


def _are_named(context: AnswerContext) -> bool:
    """Return whether what the documents' structure says holds each unknown name of the question, in its language."""
    names = {name for word in context.names for name in terms(word)[:1]}
    facts = [fact for fact in context.facts if fact.structural]
    if all(language_of(fact.text) != language_of(context.question) for fact in facts):
        return True
    said = ("\n".join([fact.source.title, *fact.place.headings, fact.text]) for fact in facts)
    return names <= {term for text in said for term in terms(text)}


def _fitting(units: list[Unit], context: AnswerContext) -> list[Unit]:
    """Return the units to quote, of the best ones in which the sort of thing stands that is asked for; else none.

    No sum of money is no answer to "What does it cost?", however near its words are. A reason need not show. The list
    that is headed by what is asked comes first, or what pages of one kind say under its label.
    """
    sort = context.sort
    if sort == "number" and (counting := counting_items(units, context.question)):
        return counting
    for found_whole in (headed_list, spread_list, asked_field, contents_of):
        if listed := found_whole(units, context):
            return listed
    if sort in DOUBTFUL:
        return _reason(units, sort, context)
    found = with_the_others(_of_sort(units, units, sort, context), units, context)
    counted = counted_in(context.question) if sort == "number" else None
    if where := placed(units, found, context.question):
        found = _of_sort(where, units, sort, context) or found
    if not counted or _is_one(found):
        return found
    # "How many probes?" is answered by a number that stands beside probes, unless that holds less of the question.
    most = found[0].own + found[0].around if found else 0.0
    beside = [unit for unit in units if counted in unit.part.terms and unit.own + unit.around >= most]
    telling = [unit for unit in beside if says_how_many(unit.words, counted)]
    return _of_sort(telling, units, sort, context) or _of_sort(beside, units, sort, context) or found


def _reason(units: list[Unit], sort: Sort, context: AnswerContext) -> list[Unit]:
    """Return what tells why: what stands under a heading of causes, then what shows one; never the bare event."""
    every = [unit for unit in ranked_units(context) if not unit.fact.structural]
    if told := told_cause(units, every, context, _MAX_WINDOW):
        return told[: min(_MAX_PASSAGES, context.max_paragraphs)] if told[0].part.kind == "paragraph" else told
    near = [(unit, belonging(unit, units)) for unit in units if unit.evidence >= ENOUGH]
    for states in (partial(holds, sort=sort), states_cause):
        stating = [unit for unit, said in near if any(states(one.words) for one in said if not one.part.labels)]
        if told := _of_sort(stating, units, None, context):
            return told
    return []


def _of_sort(tried: list[Unit], units: list[Unit], sort: Sort | None, context: AnswerContext) -> list[Unit]:
    """Return what is quoted for the first unit tried with which a thing of the sort is quoted; else nothing.

    What lacks the words that make the question specific is passed over, however near its other words are.
    """
    for best in [unit for unit in tried if unit.evidence >= ENOUGH][:_MAX_TRIED]:
        quoted, own = _expanded(best, units, context), belonging(best, units)
        if is_first := _says_first(best, sort, quoted, context):
            own = [best, *own]
        if lacking(own, context) > MOST_LACKING or _says_nothing(own, context) or is_of_another(own, context):
            continue
        if not _is_one(quoted):
            quoted = [unit for unit in quoted if unit in own or not _is_far(unit, context)]
        fitting = [unit for unit in quoted if sort is None or fits(unit, sort, context)]
        if is_first:
            return [best, *quoted]
        if fitting:
            return quoted if _is_one(quoted) else fitting
    return []


def _is_far(unit: Unit, context: AnswerContext) -> bool:
    return lacking([unit], context) > _MOST_LACKING_BESIDE or not names_it([unit], context.question)


def _says_nothing(units: Sequence[Unit], context: AnswerContext) -> bool:
    """Return whether the units say but what the question says, or the opposite of what it asks for."""
    asked = context.question
    return adds_nothing(units, asked) or denies_otherwise(units, asked) or not names_it(units, asked)


def _says_first(unit: Unit, sort: Sort | None, quoted: Sequence[Unit], context: AnswerContext) -> bool:
    """Return whether what introduces a list says itself what is asked: "up to 20 days a year, provided that:".

    How many things a list of them holds is said in front of it.
    """
    says = holds(unit.words, sort) if sort else is_polar(context.question)
    first = counted_first(context.question) if sort == "number" else None
    is_counted = (
        first is not None and lists_the_counted(unit.fact, context.question) and not says_how_many(unit.words, first)
    )
    return says and _leads(unit) and unit not in quoted and not is_counted


def fits(unit: Unit, sort: Sort, context: AnswerContext, said: str = "") -> bool:
    """Return whether a thing of the sort stands in the unit: of a field in its value, as "Team: Firmware" is nobody.

    `said` is what is told of it.
    """
    if sort == "person" and unit.part.kind == "field":
        return names_somebody(value_of(unit.words))
    asked, units = context.question, ((one, _told(one)) for one in sentences_of(unit))
    told = [one for one, words in units if holds(words, sort, asked) and tells_of_it(one, words, sort, asked)]
    return any(lacking([one], context, said) <= _MOST_LACKING_VALUE for one in told)


def _is_one(units: Sequence[Unit]) -> bool:
    """Return whether the units are one list or table, of which none is left out."""
    lists = {(unit.fact.source.doc_id, unit.part.series) for unit in units}
    return len(lists) == 1 and len(units) > 1 and units[0].part.series is not None


def _told(unit: Unit) -> str:
    """Return the unit's words with its heading and the names of its columns: what its words are, they may say alone."""
    return "\n".join([*unit.fact.place.headings[-1:], *unit.part.labels, unit.fact.words(unit.part.span)])


def _expanded(best: Unit, units: list[Unit], context: AnswerContext) -> list[Unit]:
    """Return the units to quote: what belongs with the best one; if that is one passage, others about as good too."""
    answer = belonging(best, units)
    if len(answer) > 1:
        return answer
    if asks_for_all(context.question):
        return all_of(units, _MAX_WINDOW)
    passages = {_block(answer[0]): answer[0]}
    for unit in units[units.index(best) + 1 :]:
        good = unit.score >= _ALSO * best.score and not _leads(unit) and not is_beside_a_term(unit, context)
        if good and len(passage := belonging(unit, units)) == 1:
            passages.setdefault(_block(passage[0]), passage[0])
    return list(passages.values())[: min(_MAX_PASSAGES, context.max_paragraphs)]


def belonging(unit: Unit, units: list[Unit]) -> list[Unit]:
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
    """Return the words of a fact that come nearest to the question: its best part, what only leads to others last."""
    best = max(
        fact.parts, key=lambda part: (not fact.words(part.span).rstrip().endswith(":"), part.similarity), default=None
    )
    return fact.words(best.span) if best else fact.text
