"""A message that may lean on earlier questions, read by a model: it says what the message is about, code checks it.

What a message is about must be words of the message or of an earlier question, and the question in full must be made of
words that the asker used. A reading that is not so is no reading.
"""

from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.conversation import Thread
from core.followup import Rewriting, in_full, recent
from core.leaning import is_general, opening_of, points_back
from core.ports import LanguageModel, ModelRequest
from core.prompts import rewriting_system, rewriting_user
from core.text import all_terms, terms

_MAX_TOKENS = 200
# A message lacks a few words; what brings more tells a tale of its own.
_MOST_ADDED = 5
# Of so many words that it adds, one may be nobody's.
_TIMES_SAID = 3


class Said(BaseModel):
    """What the model says: what the message is about, and the message in full."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    about: str = Field(min_length=1, max_length=100)
    question: str = Field(min_length=1, max_length=400)


async def rewrite(message: str, thread: Thread, model: LanguageModel) -> Rewriting | None:
    """Return the reading of the model if it holds, or None for one that does not. Raises ModelError.

    It reads what the asker said alone; where that is nothing, there is no reading.
    """
    thread = replace(thread, turns=tuple(turn for turn in thread.turns if turn.names is None))
    seen = recent(thread)
    if not seen.turns:
        return None
    request = ModelRequest(
        role="planner",
        system=rewriting_system(),
        user=rewriting_user(message, [turn.standalone for turn in seen.turns]),
        schema=Said.model_json_schema(),
        max_tokens=_MAX_TOKENS,
        name="Rewriting",
    )
    try:
        said = Said.model_validate_json((await model.complete(request)).text)
    except ValidationError:
        return None
    return proven(said, message, seen)


def proven(said: Said, message: str, thread: Thread) -> Rewriting | None:
    """Return the reading if it is made of what the asker said and still asks what the message asks, else None.

    It leans on the latest turn that holds what it is about, or else most of the words that it adds to the message.
    Should a word of it be nobody's, that turn is what counts: its question is put beside the message then.
    """
    asked, about, full = (_topics(text) for text in (message, said.about, said.question))
    added = full - asked
    if not _own(message) <= full or len(added) > _MOST_ADDED:
        return None
    if about and not added and _within(said.about, message):
        return Rewriting(message, None)
    unsaid = added - _said(thread)
    turn = next((turn for turn in reversed(thread.turns) if _within(said.about, turn.standalone)), None)
    if turn is not None and not about <= asked:
        return Rewriting(in_full(message, said.about) if unsaid or not about <= full else said.question, turn)
    if not added or len(added) < _TIMES_SAID * len(unsaid):
        return None
    leans_on = max(reversed(thread.turns), key=lambda turn: len(added & _topics(turn.standalone)))
    return Rewriting(in_full(message, leans_on.standalone) if unsaid else said.question, leans_on)


def _topics(text: str) -> set[str]:
    """Return the words that name a subject, as search terms."""
    return {term for term in terms(text) if not (is_general(term) or points_back(term))}


def _own(message: str) -> set[str]:
    """Return the words that the message must keep: "Sorry, I meant the lid" is about the lid."""
    return _topics(message) - set(terms(opening_of(message)))


def _said(thread: Thread) -> set[str]:
    return set().union(*(_topics(turn.standalone) for turn in thread.turns))


def _within(words: str, text: str) -> bool:
    """Return whether the words stand in the text next to each other, in whatever form."""
    return f" {' '.join(all_terms(words))} " in f" {' '.join(all_terms(text))} "
