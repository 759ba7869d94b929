"""Reading the thread among people that a question was asked in: once, and kept with the question."""

from collections.abc import Mapping
from typing import Protocol

from bot.patience import patiently
from core.around import in_its_thread
from core.conversation import AlreadyAnswered, Question
from core.phrases import phrase
from core.render import say
from core.reply import RenderedReply
from core.running import Platform, Turns
from core.summons import has_a_question, is_about_us
from core.visiting import ReadsThreads


class Settling(Protocol):
    """Where a question is kept."""

    async def settle(self, question: Question) -> None:
        """Keep what the question was found to ask, and what stood around it."""


class Reader:
    """Reads threads on platforms that let us; what was read is stored first, so that a second try answers the same."""

    def __init__(self, inbox: Settling, threads: Turns, platforms: Mapping[str, Platform]) -> None:
        self._inbox = inbox
        self._threads = threads
        self._platforms = platforms

    async def read(self, question: Question) -> Question:
        """Return the question with what people had said in its thread. Raises PortError when it cannot be kept.

        A thread in which we have answered before is known without reading; it is read for what asks nothing by itself.
        """
        around = question.around
        if around is None or around.remarks is not None:
            return question
        platform = self._platforms[question.platform]
        wanted = not has_a_question(question.text) or await self._is_new(question)
        said = await platform.said_before(question) if wanted and isinstance(platform, ReadsThreads) else ()
        settled = in_its_thread(question, said)
        await patiently(lambda: self._inbox.settle(settled))
        return settled

    async def _is_new(self, question: Question) -> bool:
        thread = await self._threads.open(question)
        return not isinstance(thread, AlreadyAnswered) and not thread.turns


def without_words(question: Question) -> RenderedReply | None:
    """Return what is said to a mention alone that no thread gives a question to; None for what has words to answer."""
    if question.around is None or has_a_question(question.text) or is_about_us(question.text):
        return None
    language = question.language
    name = "mention_alone" if question.root in (None, question.message) else "thread_asks_nothing"
    name = "file_alone" if question.attached else name
    return say(phrase(name, language), language)
