"""The author: a question's reply, made and stored with the messages that say it."""

import logging
from collections.abc import Callable, Mapping, Sequence

from bot.answering import Bot, Recorded, reference
from bot.jobs import CheckpointedModel, PatientThreads
from bot.pinning import SHARED
from bot.reading import Reader, Settling, without_words
from bot.sharing import as_seen, not_shared
from bot.signs import Show, signed
from bot.stopping import stoppable
from core.conversation import AlreadyAnswered, Question, Thread
from core.delivery import Part
from core.reply import RenderedReply
from core.running import Platform, Turns
from core.turn import TurnRecord
from core.unanswered import failed
from core.visiting import SpeaksAlone

log = logging.getLogger("footnote")


class Author:
    """Answers questions inside durable runs; `show` lets it be seen how an answer goes, if that is wanted.

    `people`: the channel where questions without an answer are handed on.
    """

    def __init__(  # noqa: PLR0913 - its parts, each given by name
        self,
        *,
        bot: Bot,
        threads: Turns,
        platforms: Mapping[str, Platform],
        inbox: Settling,
        people: str | None = None,
        show: Show | None = None,
    ) -> None:
        self._bot = bot
        self._threads = PatientThreads(threads)
        self._reader = Reader(inbox, self._threads, platforms)
        self._platforms = platforms
        self._people = people
        self._show = show

    async def answer(self, question: Question, generation: int) -> None:
        """Store the reply; `generation` is what the index was when the run began. Raises what is not foreseen."""
        question = await self._reader.read(question)
        if (remark := without_words(question)) is not None:
            return await self._threads.close(question, self._parts_for(question)(remark))
        recorded = Recorded(CheckpointedModel(self._bot.model_for(question.audience.tenant)), generation)
        parts = self._parts_for(question)
        if question.overheard:
            if (because := await self._bot.passed_over(question, recorded)) is not None:
                return await self._threads.pass_over(question, because)
            return await self._bot.answer(question, parts, Discreet(self._threads), recorded)
        if question.pressed and question.pressed.kind == "share":
            faithful = Faithful(self._threads, self._platforms[question.platform])
            return await self._bot.answer(question, parts, faithful, recorded)
        if self._show is None:
            return await self._bot.answer(question, parts, self._threads, recorded)
        async with signed(question, self._signs_for(question), self._show, self._threads) as (threads, tell):
            return await self._bot.answer(question, parts, threads, recorded, tell=tell)

    async def fail(self, question: Question, why: str) -> None:
        """Store the sentence that there is no answer this time, and log why under its reference."""
        log.error("No answer to %s", question.id)
        if question.overheard:
            reference(why)
            return await self._threads.pass_over(question, "trouble")
        return await self._threads.close(question, self._parts_for(question)(failed(question, reference(why))))

    def _signs_for(self, question: Question) -> Callable[[RenderedReply], tuple[Part, ...]]:
        """Return what makes the messages that tell how it goes, which can be stopped."""
        parts, platform = self._parts_for(question), self._platforms[question.platform]
        return lambda reply: stoppable(parts(reply), question, platform)

    def _parts_for(self, question: Question) -> Callable[[RenderedReply], tuple[Part, ...]]:
        platform = self._platforms[question.platform]

        def parts(reply: RenderedReply) -> tuple[Part, ...]:
            made = platform.parts(as_seen(question, reply, self._people))
            if not made:
                raise ValueError("the reply has nothing to see in it")
            return made

        return parts


class Faithful:
    """The port `Threads` for what is shared: the very answer that its asker saw is seen by all, or nothing is.

    Where not all who read there may read what it was made from, its asker alone is told so, and what the others would
    be answered.
    """

    def __init__(self, threads: Turns, platform: Platform) -> None:
        self._threads = threads
        self._platform = platform

    async def open(self, question: Question) -> Thread | AlreadyAnswered:
        """Return the thread's earlier turns, or that nothing is to be said any more."""
        return await self._threads.open(question)

    async def close(self, question: Question, parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        """Store the answer with its messages if it is the one that is shared; else pass it over, and tell why."""
        if record is not None and record.planned_by == SHARED:
            await self._threads.close(question, parts, record)
            return
        await self._threads.pass_over(question, "not everybody there may read what it was made from")
        if isinstance(self._platform, SpeaksAlone):
            await self._platform.speak_alone(question, not_shared(question, record))


class Discreet:
    """The port `Threads` for what was only overheard: an answer is seen, and nothing else ever is, nor kept."""

    def __init__(self, threads: Turns) -> None:
        self._threads = threads

    async def open(self, question: Question) -> Thread | AlreadyAnswered:
        """Return the thread's earlier turns, or that nothing is to be said any more."""
        return await self._threads.open(question)

    async def close(self, question: Question, parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        """Store what came of the question and its messages where it was surely answered; else pass it over."""
        if record is None or record.answer.is_refusal:
            await self._threads.pass_over(question, "no answer")
        elif record.answer.level == "low":
            await self._threads.pass_over(question, "unsure answer")
        else:
            await self._threads.close(question, parts, record)
