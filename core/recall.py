"""Answers that need not be made again: the same question, asked in full by the same audience on the same day."""

from collections import OrderedDict
from dataclasses import replace
from datetime import date
from typing import Protocol

from core.conversation import Audience, Question
from core.followup import FollowUpDecision, Standalone
from core.text import Language
from core.turn import Spent, TurnRecord

# Answers that are kept, the least recently used go first; each holds the passages that it was made from.
MOST = 500

_Key = tuple[str, Audience, date, Language]


class Recall:
    """The written answers over one generation of documents; another generation has another memory.

    Words count as they were written, but for white space: case carries meaning in codes and acronyms. The day counts,
    as "last week" is another one tomorrow. What leans on a thread, and what a model could not be asked for, is made
    anew each time.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._known: OrderedDict[_Key, TurnRecord] = OrderedDict()

    def find(self, question: Question, decision: FollowUpDecision) -> TurnRecord | None:
        """Return the record of the answer to this question, as if it had just been given at no cost, or None."""
        key = _key(question)
        known = self._known.get(key)
        if known is None or not is_whole(question, decision):
            return None
        self._known.move_to_end(key)
        return replace(known, question=question, decision=decision, spent=Spent())

    def keep(self, record: TurnRecord) -> None:
        """Remember the answer, if a model wrote it and all went well; a refusal is tried again."""
        answer = record.answer
        is_sound = answer.model != "quotes" and not (answer.is_refusal or answer.rejected or record.problems)
        if is_sound and is_whole(record.question, record.decision):
            self._known[_key(record.question)] = record
            while len(self._known) > self._most:
                self._known.popitem(last=False)


class Pins(Protocol):
    """The answers that a person has checked."""

    async def find(self, question: Question, decision: FollowUpDecision) -> TurnRecord | None:
        """Return the record of the checked answer to this question, made for it at no cost, or None. Never raises."""


class NoPins:
    """The port `Pins` where nobody has checked an answer."""

    async def find(self, question: Question, decision: FollowUpDecision) -> TurnRecord | None:
        """Return None."""
        del question, decision
        return None


def same_words(text: str) -> str:
    """Return a question's words so that the same question is equal: white space alone does not count."""
    return " ".join(text.split())


def _key(question: Question) -> _Key:
    return same_words(question.text), question.audience, question.asked_at.date(), question.language


def is_whole(question: Question, decision: FollowUpDecision) -> bool:
    """Return whether the question says by itself all that it means."""
    # A name that several go by means somebody else in another thread.
    return isinstance(decision, Standalone) and decision.question == question.text and not decision.means
