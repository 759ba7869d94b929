"""The author: a question's reply, made and stored with the messages that say it."""

import logging
from collections.abc import Callable, Mapping

from bot.answering import Bot, Recorded, reference
from bot.jobs import CheckpointedModel, PatientThreads
from core.conversation import Question
from core.delivery import Part
from core.pipeline import failed
from core.ports import Platform, Threads
from core.reply import RenderedReply

log = logging.getLogger("footnote")


class Author:
    """Answers questions inside durable runs."""

    def __init__(self, bot: Bot, threads: Threads, platforms: Mapping[str, Platform]) -> None:
        self._bot = bot
        self._threads = PatientThreads(threads)
        self._platforms = platforms

    async def answer(self, question: Question, generation: int) -> None:
        """Store the reply; `generation` is what the index was when the run began. Raises what is not foreseen."""
        recorded = Recorded(CheckpointedModel(self._bot.model), generation)
        await self._bot.answer(question, self._parts_for(question), self._threads, recorded)

    async def fail(self, question: Question, why: str) -> None:
        """Store the sentence that there is no answer this time, and log why under its reference."""
        log.error("No answer to %s", question.id)
        await self._threads.close(question, self._parts_for(question)(failed(question, reference(why))))

    def _parts_for(self, question: Question) -> Callable[[RenderedReply], tuple[Part, ...]]:
        platform = self._platforms[question.platform]

        def parts(reply: RenderedReply) -> tuple[Part, ...]:
            made = platform.parts(reply)
            if not made:
                raise ValueError("the reply has nothing to see in it")
            return made

        return parts
