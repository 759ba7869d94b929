"""What a refusal says of what was searched: how many documents that its readers may read, and what came nearest."""

from collections.abc import Iterator
from dataclasses import replace

from core.answer import Answer
from core.conversation import Audience
from core.facts import FactsPayload
from core.phrases import number, phrase
from core.ports import Knowledge
from core.reply import plain
from core.text import Untrusted

_MOST_TITLES, _MAX_TITLE = 2, 80


def with_searched(answer: Answer, payload: FactsPayload, knowledge: Knowledge, audience: Audience) -> Answer:
    """Return a refusal with what was searched for it, in a quiet line; any other answer as it is.

    Only what all who read the answer may read counts: nobody learns that there is more.
    """
    readable = knowledge.readable(audience) if answer.is_refusal else 0
    if readable <= 0:
        return answer
    count, language = number(f"{readable:,}", answer.language), answer.language
    titles = [] if answer.nearest else list(_nearest(payload))
    if titles:
        named = ", ".join(phrase("searched_title", language, title=title) for title in titles)
        said = phrase("searched_nearest", language, count=count, titles=named)
    else:
        said = phrase("searched", language, count=count)
    return replace(answer, notice=f"{answer.notice} {said}" if answer.notice else said)


def _nearest(payload: FactsPayload) -> Iterator[str]:
    """Yield the titles of what shares a word with the question, the nearest first."""
    asked = set(payload.weights)
    seen: dict[str, None] = {}
    for fact in payload.facts:
        held = fact.around.union(*(part.terms for part in fact.parts))
        title = plain(Untrusted(fact.source.title)).strip()
        if held & asked and title and title not in seen and len(seen) < _MOST_TITLES:
            seen[title] = None
            yield title if len(title) <= _MAX_TITLE else title[: _MAX_TITLE - 1].rsplit(" ", 1)[0] + "…"
