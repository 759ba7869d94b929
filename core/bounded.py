"""How much of what was proven an answer tells: each thing once, what is asked, and no more than the plan allows."""

from collections.abc import Sequence
from dataclasses import replace

from core.answer import Answer, Claim
from core.context import AnswerContext
from core.exhaustive import asks_for_all
from core.proof.lexicon import meaning
from core.proof.words import read
from core.relevance import needed
from core.verify import claim_key, distinct

# “Under about 150 words”: an answer may be a fifth longer.
_ABOUT = 1.2


def bounded(answer: Answer, context: AnswerContext, told: Sequence[Claim] = ()) -> Answer:
    """Return the answer with as many of its claims as the plan allows; `over` says how many more there were.

    What was `told` while it was written stays. Statements beside the point are left out as such.
    """
    if answer.is_refusal:
        return answer
    claims, over = within_bounds(answer.claims, context, told=told)
    if claims == answer.claims:
        return answer
    kept = needed(answer.claims, context, told)
    beside = tuple(claim.text for claim in answer.claims if claim not in kept)
    return replace(answer, claims=claims, beside=(*answer.beside, *beside), over=over)


def within_bounds(
    claims: Sequence[Claim], context: AnswerContext, *, told: Sequence[Claim] = ()
) -> tuple[tuple[Claim, ...], int]:
    """Return the claims that are shown, in their order, and how many were left for another time."""
    every = _merged(needed(distinct(claims), context, told))
    first = [claim for claim in every if claim in told]
    groups = dict.fromkeys(claim.group for claim in first)
    said = sum(map(_length, first))
    for claim in (one for one in every if one not in told):
        groups.setdefault(claim.group)
        said += _length(claim)
        fits = not first or _is_free(context) or said <= _ABOUT * context.max_words
        if len(first) >= context.max_items or len(groups) > context.max_groups or not fits:
            break
        first.append(claim)
    return tuple(claim for claim in every if claim in first), len(every) - len(first)


def _is_free(context: AnswerContext) -> bool:
    """Return whether the number of words is not bounded: a list is as long as its items are."""
    return context.lists or context.structural or asks_for_all(context.question)


def _length(claim: Claim) -> int:
    return len(claim.text.split())


def _merged(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return the claims without those that say of the same words what one before them says, in another order."""
    kept: dict[object, Claim] = {}
    for claim in claims:
        cited = frozenset((one.source.doc_id, one.span.start, one.span.end) for one in claim.citations)
        said = frozenset(meaning(word.stem) for word in read(claim.text).content)
        key = (cited, said, claim.group) if claim.verdict == "supported" else claim_key(claim)
        kept.setdefault(key, claim)
    return tuple(kept.values())
