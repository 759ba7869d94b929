"""What a planner's plan did not bring: the question looked up as it would be without a model, and quoted."""

from dataclasses import replace
from typing import NamedTuple

from core.answer import Answer
from core.context import AnswerContext
from core.facts import FactsPayload
from core.planner import Planned


class Looked(NamedTuple):
    """A plan, what it brought, and the context that was made of it."""

    planned: Planned
    payload: FactsPayload
    context: AnswerContext


def tells_more(quotes: Answer, shown: AnswerContext) -> bool:
    """Return whether quotes answer, with words that whoever found no answer had not been shown."""
    cited = [one for claim in quotes.claims for one in claim.citations]
    return any(
        not any(fact.chunk_id == one.chunk_id and fact.span.contains(one.span) for fact in shown.given) for one in cited
    )


def taking_over(quotes: Answer, held: Answer) -> Answer:
    """Return the quotes with what is to be told of the answer that they stand in for."""
    problem = "; ".join(filter(None, (held.problem, quotes.problem))) or None
    return replace(
        quotes,
        rejected=held.rejected,
        beside=held.beside,
        citing=held.citing,
        not_entailed=held.not_entailed,
        unread=held.unread,
        problem=problem,
    )


def both(first: Looked, again: Looked) -> Looked:
    """Return the second look-up with the tools of both."""
    return again._replace(payload=replace(again.payload, runs=(*first.payload.runs, *again.payload.runs)))
