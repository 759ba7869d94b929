"""Facts that were found and that a model was not shown, because its window does not hold them."""

from dataclasses import replace

from core.answer import Abstain, Answer, Draft
from core.context import AnswerContext
from core.quoting import draft_quotes, nearest_facts


def as_read(draft: Draft, context: AnswerContext) -> Draft:
    """Return an abstention with the nearest facts; where the model was not shown all of them, the documents' own words.

    What it was not shown may hold the answer, and only what was read can be said not to.
    """
    if draft.unread:
        return replace(draft_quotes(context), unread=draft.unread)
    return draft if draft.abstain and draft.abstain.nearest else replace(draft, abstain=Abstain(nearest_facts(context)))


def with_unread(answer: Answer, draft: Draft, context: AnswerContext) -> Answer:
    """Return the answer with how many facts the model was not shown, and a note of it for whoever runs the bot."""
    if not draft.unread:
        return answer
    note = f"{draft.unread} of {len(context.given)} facts did not fit into what the answer model reads at once"
    return replace(answer, unread=draft.unread, problem="; ".join(filter(None, (answer.problem, note))))
