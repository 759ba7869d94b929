"""A model that finds no answer: what it was not shown, what would be quoted, and what is offered instead."""

from dataclasses import replace

from core.answer import Abstain, Answer, Draft
from core.context import AnswerContext
from core.quoting import draft_quotes, nearest_facts


def as_read(draft: Draft, context: AnswerContext) -> Draft:
    """Return an abstention with what the model holds for nearest and what would be quoted.

    Where the model was not shown all facts, return the documents' own words: what it was not shown may
    hold the answer, and only what was read can be said not to.
    """
    if draft.unread:
        return replace(draft_quotes(context), unread=draft.unread)
    told = draft.abstain.nearest if draft.abstain else ()
    near = (*told, *(sorted(quoted_in(context)) or nearest_facts(context)))
    return replace(draft, abstain=Abstain(tuple(dict.fromkeys(near))))


def quoted_alone(draft: Draft, context: AnswerContext) -> frozenset[int]:
    """Return the numbers of the facts that a model which found no answer is to look at alone; none if it is believed.

    A small one often says that many facts hold no answer, and finds it when it sees those that would be quoted.
    """
    only = quoted_in(context) if draft.abstain and not draft.unread else frozenset()
    return only if len(only) < len(context.given) else frozenset()


def quoted_in(context: AnswerContext) -> frozenset[int]:
    """Return the numbers of the facts whose words would be quoted if no model wrote; none if nothing would."""
    shown = {number for number, _ in context.shown()}
    return frozenset(one.fact for claim in draft_quotes(context).claims for one in claim.evidence if one.fact in shown)


def with_unread(answer: Answer, draft: Draft, context: AnswerContext) -> Answer:
    """Return the answer with how many facts the model was not shown, and a note of it for whoever runs the bot."""
    if not draft.unread:
        return answer
    note = f"{draft.unread} of {len(context.given)} facts did not fit into what the answer model reads at once"
    return replace(answer, unread=draft.unread, problem="; ".join(filter(None, (answer.problem, note))))
