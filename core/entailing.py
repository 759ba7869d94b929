"""A second opinion on what the rules let through: an entailment model refuses claims, and never proves one."""

import asyncio
from collections.abc import Collection
from dataclasses import replace

from core.answer import Answer, Claim, Rejection
from core.context import AnswerContext
from core.errors import PortError
from core.ports import Entailment
from core.proof.replies import replying
from core.verify import cited_by, distinct, in_its_quotes, is_said

# How long one answer waits for it; a reader waits for the answer meanwhile.
SECONDS = 5.0
# More likely than not. A claim that is wrongly refused gives way to its quote, which costs the wording and no truth.
THRESHOLD = 0.5

_REASON = "what it says does not follow from its quotes"


async def entailed(answer: Answer, context: AnswerContext, model: Entailment, threshold: float) -> Answer:
    """Return the answer without the claims that the model does not hold for entailed by their quotes.

    The quotes that bear on the question take a refused claim's place; without any it is dropped. Words of a document
    are not judged. Raises PortError when the model fails or takes too long.
    """
    pairs = {claim: pair for claim in answer.claims if (pair := _pair(claim, context))}
    if not pairs:
        return answer
    try:
        likely = await asyncio.wait_for(model.entailed(tuple(pairs.values())), SECONDS)
    except TimeoutError:
        raise PortError("entailment", f"it took over {SECONDS:g} s", retry=True) from None
    held = {claim for claim, chance in zip(pairs, likely, strict=True) if chance >= threshold}
    refused = pairs.keys() - held
    return _without(refused, answer, context) if refused else answer


def _pair(claim: Claim, context: AnswerContext) -> tuple[str, str] | None:
    """Return what stands behind a claim, under its headings, and what it says; None for words of a document."""
    cited = cited_by(claim, context)
    text, _ = replying(claim.text, context.question)
    if claim.verdict == "quoted" or is_said(text, "\n".join(one.citation.quote for one in cited)):
        return None
    lines = (line for one in cited for line in (" — ".join(one.under), str(one.citation.quote)))
    return "\n".join(dict.fromkeys(lines)), text


def _without(refused: Collection[Claim], answer: Answer, context: AnswerContext) -> Answer:
    """Return the answer with quotes in place of the refused claims; its lead, which introduced them, goes with them."""
    told = {claim: in_its_quotes(claim, context) for claim in refused}
    claims = distinct(one for claim in answer.claims if (one := told.get(claim, claim)))
    dropped = tuple(claim for claim in answer.claims if claim in told and told[claim] is None)
    citing = replace(
        answer.citing,
        supported=answer.citing.supported - len(refused),
        needed=answer.citing.needed - sum(len(claim.citations) for claim in refused),
    )
    return replace(
        answer,
        claims=claims,
        lead=None,
        is_refusal=not claims,
        rejected=(*answer.rejected, *(Rejection(claim.text, _REASON) for claim in dropped)),
        citing=citing,
        not_entailed=len(refused),
    )
