"""Whether what is proven answers what is asked: a true sentence beside the point is no answer.

A model that finds nothing would rather quote what stands nearest than abstain. What it cites is held to what quoting
mode is held to: it stands where the question's names are spoken of, it holds what makes the question specific
and a thing of the sort that is asked for, and it says more than the question does.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.answer import Answer, Citation, Claim
from core.asking import DOUBTFUL, is_polar, parted
from core.bearing import names_it
from core.context import AnswerContext
from core.evidence import ENOUGH, NEAR, Unit, ranked_units, units_of
from core.exhaustive import asks_for_all
from core.proof.backing import Held
from core.proof.names import vocabulary_of
from core.proof.whose import knows_one, placed
from core.proof.words import read
from core.quoting import draft_quotes, fits, items_of
from core.specific import MOST_LACKING, adds_nothing, lacking
from core.text import normalise, sentences, terms
from core.verify import passage_of, verify

_MOST_NEAREST = 2
# What a model has chosen needs less evidence than what is picked by evidence alone: flat from 0.1 to 0.2.
_NEAR = 0.15
_SEVERAL = 2
# A claim stands for what is asked when it holds this much more of the question than one of another thing.
_DISTINCTIVE = 0.15
# What is pasted along ends a sentence, too.
_MARKS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")


def answers(claims: Sequence[Claim], context: AnswerContext) -> bool:
    """Return whether one of these verified claims answers the question, by what it cites.

    Several that each hold a little of it are together as far from it as each, unless it asks for several things. A
    message of somebody else, and a question whose answer is what no page says, are not judged by their words.
    """
    if context.brought or context.by_absence or not context.facts:
        return True
    if any(_answer((claim,), asked) for asked in _sentences(context) for claim in claims):
        return True
    return bool(context.parts) and _answer(claims, context)


def _sentences(context: AnswerContext) -> list[AnswerContext]:
    """Return the context as if only one sentence of the question had been asked, for each that asks something.

    The others tell why it is asked; where none has a question mark, any may ask.
    """
    question, before = parted(context.question)
    question = _MARKS.sub("\n", question)
    said = [question[start:end] for start, end in sentences(question)]
    if len(said) < _SEVERAL:
        return [context]
    asking = [one for one in said if one.rstrip().endswith("?")] or said
    found = [_of_sentence(f"{one} ({before})" if before else one, context) for one in asking]
    return [one for one in found if one.weights] or [context]


def _of_sentence(question: str, context: AnswerContext) -> AnswerContext:
    held, low = frozenset(terms(question)), normalise(question)
    weights = tuple((term, weight) for term, weight in context.weights if term in held)
    names = tuple(name for name in context.names if normalise(name) in low)
    return replace(context, question=question, weights=weights, names=names, parts=())


def _answer(claims: Sequence[Claim], context: AnswerContext) -> bool:
    """Return whether the claims taken together answer; lists and look-ups do where quoting mode would show them."""
    if _repeat(claims, context.question) or not _are_of_what_is_named(claims, context):
        return False
    cited = [citation for claim in claims for citation in claim.citations]
    quotable = (unit for item in items_of(context) for unit in item.units)
    listed = (unit for unit in quotable if unit.part.kind != "paragraph" or unit.fact.structural)
    if any(_is_cited(unit, cited) for unit in listed):
        return True
    quoted = [(unit, claim) for claim in claims for unit in units_of(context) if _is_cited(unit, claim.citations)]
    return _are_near([unit for unit, _ in quoted], context) and _hold(quoted, context)


def _are_of_what_is_named(claims: Sequence[Claim], context: AnswerContext) -> bool:
    """Return whether a passage that is cited knows one of the things that the question names, or it names none.

    What the documents' structure was asked for is what was named.
    """
    cited = dict.fromkeys(citation for claim in claims for citation in claim.citations)
    homes = (fact for one in cited for fact in context.holding(one.chunk_id, one.span)[:1])
    if not context.named or context.brought or context.by_absence or any(fact.structural for fact in homes):
        return True
    # Whoever asks may write a name as they like.
    vocabulary = vocabulary_of([fact.text for fact in context.facts])
    question = parted(context.question)[0]
    named = [one for one in context.named if one.said in question] or context.named
    return knows_one([passage_of(one, context) for one in cited], context.question, named, vocabulary)


def needed(claims: Sequence[Claim], context: AnswerContext, told: Sequence[Claim] = ()) -> tuple[Claim, ...]:
    """Return the claims that a sentence of the question needs, and those that were told; all where none is.

    A list has whatever was found, and so has what is summed up or compared. Else a claim goes that is far from the
    question, or says of another thing what one of the others says of that which is asked about.
    """
    several = context.lists or context.kind != "factual" or context.parts or asks_for_all(context.question)
    if len(claims) < _SEVERAL or several or context.brought or context.by_absence or context.structural:
        return tuple(claims)
    wanted = {id(claim) for asked in _sentences(context) for claim in _wanted(claims, asked)}
    return tuple(claim for claim in claims if id(claim) in wanted or claim in told) if wanted else tuple(claims)


def _wanted(claims: Sequence[Claim], context: AnswerContext) -> list[Claim]:
    units = list(units_of(context))
    cited = [(claim, [unit for unit in units if _is_cited(unit, claim.citations)]) for claim in claims]
    near = [(claim, own, _asked_in(own, context)) for claim, own in cited if not own or _are_near(own, context)]
    answering = [(claim, own, held) for claim, own, held in near if own and _answer((claim,), context)]
    return [
        claim
        for claim, own, held in near
        if all(own == units_ or not _is_of_another(claim, held, one, most, context) for one, units_, most in answering)
    ]


def _asked_in(units: Sequence[Unit], context: AnswerContext) -> frozenset[str]:
    """Return the terms of the question that the units or what stands over them hold."""
    held = frozenset[str]().union(*(unit.part.terms | unit.fact.around for unit in units))
    return frozenset(term for term, _ in context.weights if term in held)


def _is_of_another(
    claim: Claim, held: frozenset[str], other: Claim, most: frozenset[str], context: AnswerContext
) -> bool:
    """Return whether a claim has another word in the place of one of the question's that the other claim has there."""
    lacked, weights = most - held, dict(context.weights)
    if not held <= most or sum(weights[term] for term in lacked) < _DISTINCTIVE * sum(weights.values()):
        return False
    mine, theirs = placed(read(claim.text)), placed(read(other.text))
    shared = read(other.text).stems
    rivals = {side for word, sides in mine.items() if word.stem not in shared for side in enumerate(sides) if side[1]}
    asked = {side for word, sides in theirs.items() if word.stem in lacked for side in enumerate(sides) if side[1]}
    return bool(rivals & asked)


def _repeat(claims: Sequence[Claim], question: str) -> bool:
    """Return whether the claims say but words of the question, which only a yes or a no does."""
    asked = Held(read(question).stems)
    said = (word for claim in claims for word in read(claim.text).words if word.kind != "sign")
    return not is_polar(question) and all(asked.holds(word) for word in said)


def _are_near(quoted: Sequence[Unit], context: AnswerContext) -> bool:
    """Return whether one of the units is near to the question, and stands where its names do.

    Of another language only the meaning tells, and where no sort of thing is asked for, nothing else will.
    """
    named = {unit.fact.source.doc_id for unit in ranked_units(context)}
    there = [unit for unit in quoted if unit.fact.source.doc_id in named]
    by_meaning = ENOUGH if context.sort is None else NEAR
    return any(unit.evidence >= (by_meaning if unit.foreign else _NEAR) for unit in there)


def _hold(quoted: Sequence[tuple[Unit, Claim]], context: AnswerContext) -> bool:
    """Return whether the units and what is told of them hold what sets the question apart, and what it asks for.

    A value must stand beside what it is the value of, on the page or in the claim: each sentence has its own.
    """
    told = [unit for unit, _ in quoted]
    said = "\n".join(dict.fromkeys(claim.text for _, claim in quoted))
    if adds_nothing(told, context.question) or not names_it(told, context.question):
        return False
    if lacking(told, context, said) > MOST_LACKING:
        return False
    sort = context.sort
    # A reason need not show; where it shows elsewhere, that is the answer.
    if sort is None or (sort in DOUBTFUL and not items_of(context)):
        return True
    return any(fits(unit, sort, context, claim.text) for unit, claim in quoted)


def to_the_point(answer: Answer, context: AnswerContext) -> Answer:
    """Return the answer if it answers; else the documents' own words that do, or what was proven as what is nearest."""
    if answer.claims and answers(answer.claims, context):
        return answer
    quotes, cited = verify(draft_quotes(context), context), [one for claim in answer.claims for one in claim.citations]
    quotes = _of_what_is_named(quotes, context)
    return replace(
        quotes,
        nearest=tuple(dict.fromkeys(cited if quotes.nearest and cited else quotes.nearest))[:_MOST_NEAREST],
        rejected=answer.rejected,
        beside=tuple(claim.text for claim in answer.claims),
        citing=answer.citing,
        not_entailed=answer.not_entailed,
    )


def of_what_is_named(quotes: Answer, context: AnswerContext) -> Answer:
    """Return the quotes without those whose passage knows none of the things that the question names.

    What a page says of the Lyon office answers nothing about the one in Porto. Where none is left they are what is
    nearest. Somebody's own pages need not name him.
    """
    return quotes if any(one.is_person for one in context.named) else _of_what_is_named(quotes, context)


def _of_what_is_named(quotes: Answer, context: AnswerContext) -> Answer:
    named = tuple(claim for claim in quotes.claims if _are_of_what_is_named((claim,), context))
    if len(named) == len(quotes.claims):
        return quotes
    if named:
        # A list goes on with what is of it alone, and that is not known before it is read.
        beside = (claim.text for claim in quotes.claims if claim not in named)
        return replace(quotes, claims=named, remaining=0, beside=(*quotes.beside, *beside))
    there = dict.fromkeys(one for claim in quotes.claims for one in claim.citations)
    return replace(quotes, claims=(), lead=None, is_refusal=True, nearest=tuple(there)[:_MOST_NEAREST], remaining=0)


def _is_cited(unit: Unit, cited: Iterable[Citation]) -> bool:
    span = unit.part.span
    same = (one.span for one in cited if one.chunk_id == unit.fact.chunk_id)
    return any(one.start < span.end and span.start < one.end for one in same)
