"""A question in a thread among people: what they had said helps to understand it, and may be what is asked.

Their words are untrusted, cut and few: they help to decide what "it" stands for, and are looked for. No model reads
them as the asker's: one that answers has them between marks, one that plans not at all. They are never an instruction,
and never a fact.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Literal

from core.context import AnswerContext
from core.conversation import Question, Thread, Turn
from core.entities import Registry, resolve_entities
from core.followup import FollowUp, FollowUpDecision
from core.gist import gist
from core.leaning import signs_of
from core.phrases import TONGUES, phrase
from core.remarks import Around, Remark
from core.summons import has_a_question
from core.text import Untrusted, clean, terms

# What goes with a question: the thread's first message, which says what it is about, and the latest ones.
MOST = 6
MAX_CHARS = 300
# Of an app's message, which may be a whole form.
MOST_BROUGHT = 2_000
# Whoever mentions us in a thread speaks of it, however old it is; what is older counts as said so long before.
_LATELY = timedelta(minutes=30)


def has_words(text: str) -> bool:
    """Return whether there is anything to read in it."""
    return any(char.isalnum() for char in text)


def asks(text: str) -> bool:
    """Return whether the words ask something, as far as their form shows it."""
    return "?" in text or signs_of(text).asks


def is_only_whether(text: str) -> bool:
    """Return whether the words say no more than "is this true?", and so nothing of what it is about."""
    return _PLAIN.issuperset(terms(text))


# What we ask ourselves of words that were brought without any of the asker's own.
BESIDE: tuple[Literal["is_it_true", "about_this"], ...] = ("is_it_true", "about_this")
_PLAIN = frozenset(term for language in TONGUES for name in BESIDE for term in terms(phrase(name, language)))


def asking(question: Question) -> Question:
    """Return the question with the part of its words alone that asks; what a button offered asks as a whole."""
    if question.pressed and question.pressed.kind != "share":
        return question
    return replace(question, text=gist(question.text))


def in_its_thread(question: Question, said: Sequence[Remark]) -> Question:
    """Return the question with what people had said in its thread, oldest first.

    Without a question of its own ("@bot" alone, or "@bot any idea?") it asks the thread's latest one, or else its first
    message; it keeps its words when the thread holds none. What an app wrote is looked for, and brought along as
    somebody else's words: no model reads it as the asker's.
    """
    worded = [remark for remark in said if has_a_question(remark.text)]
    spoken = question.around.spoken if question.around else None
    if has_a_question(question.text) or not worded:
        return replace(question, around=Around(_kept(worded), spoken))
    asked = [number for number, remark in enumerate(worded) if asks(remark.text)]
    meant = asked[-1] if asked else 0
    around = Around(_kept(worded[:meant]), spoken)
    if worded[meant].by_app:
        words = clean(worded[meant].text)[:MOST_BROUGHT]
        return replace(question, text=words, around=replace(around, brought=Untrusted(words)))
    return replace(question, text=worded[meant].text, around=around)


def with_remarks(thread: Thread, question: Question, registry: Registry) -> Thread:
    """Return the thread as if what people had said there, before anybody asked us, were earlier questions."""
    remarks = question.around.remarks if question.around else None
    if not remarks:
        return thread
    earliest = question.asked_at - _LATELY
    said = (_turn(replace(remark, at=max(remark.at, earliest)), registry) for remark in remarks)
    return replace(thread, turns=(*said, *thread.turns))


def brought(question: Question) -> Untrusted | None:
    """Return somebody else's words that the asker sent along, for the question to be about."""
    return question.around.brought if question.around else None


def sought(question: Question) -> str:
    """Return what is looked for: the question's words, and those that its asker brought along.

    It goes where no model reads it as the asker's: into search, and into what the question is found to name.
    """
    words = brought(question)
    if words and is_only_whether(question.text):
        return clean(words)
    return f"{question.text}\n{clean(words)}" if words and words != question.text else question.text


def held_apart(context: AnswerContext, question: Question, decision: FollowUpDecision | None = None) -> AnswerContext:
    """Return the context with the asker's own words as the question, and those of others that it is about beside it.

    Then nothing that somebody else wrote is taken for asked, neither by a model nor by the proof of its claims. Only
    where the asker says nothing of what it is about, quotes are chosen by it.
    """
    words = brought(question)
    if isinstance(decision, FollowUp) and decision.own is not None:
        told = decision.question if decision.again else ""
        return replace(context, question=decision.own, brought=Untrusted(decision.carried.question), told=told)
    if words is None:
        return context
    told = str(clean(words)) if is_only_whether(question.text) else ""
    return replace(context, question=question.text, language=question.language, brought=words, told=told)


def _kept(remarks: Sequence[Remark]) -> tuple[Remark, ...]:
    few = remarks if len(remarks) <= MOST else [remarks[0], *remarks[1 - MOST :]]
    return tuple(replace(remark, text=clean(remark.text)[:MAX_CHARS]) for remark in few)


def _turn(remark: Remark, registry: Registry) -> Turn:
    named = {match.entity.id: match.entity.name for match in resolve_entities(remark.text, registry)}
    names = tuple(named.values())
    asked = gist(remark.text)
    return Turn(asked, asked, tuple(named), answered=False, asked_at=remark.at, names=names)
