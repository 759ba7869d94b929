"""The author: a question's reply, made and stored with the messages that say it."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from bot.answering import Bot, Recorded, reference
from bot.jobs import CheckpointedModel, PatientThreads
from bot.pinning import SHARED
from bot.reading import Reader, Settling, without_words
from bot.sharing import as_seen, not_shared
from bot.signs import Show, signed
from bot.stopping import stoppable
from core.conversation import AlreadyAnswered, Question, Thread
from core.delivery import Part
from core.joining import joins
from core.metering import Metered
from core.reply import RenderedReply
from core.running import Distant, Platform, Turns
from core.turn import Spent, TurnRecord
from core.unanswered import failed
from core.visiting import SpeaksAlone

log = logging.getLogger("footnote")

Alone = Callable[[Question, RenderedReply], Awaitable[None]]


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
        # What goes on after a start begins before anybody is connected.
        if isinstance(platform := self._platforms[question.platform], Distant):
            await platform.at_hand()
        question = await self._reader.read(question)
        if (remark := without_words(question)) is not None:
            return await self._threads.close(question, self._parts_for(question)(remark))
        recorded = Recorded(CheckpointedModel(self._bot.model_for(question.audience.tenant)), generation)
        parts = self._parts_for(question)
        if question.overheard:
            return await self._overheard(question, parts, recorded)
        if question.pressed and question.pressed.kind == "share":
            faithful = Faithful(self._threads, self._platforms[question.platform])
            return await self._bot.answer(question, parts, faithful, recorded)
        if self._show is None:
            return await self._bot.answer(question, parts, self._threads, recorded)
        async with signed(question, self._signs_for(question), self._show, self._threads) as (threads, tell):
            return await self._bot.answer(question, parts, threads, recorded, tell=tell)

    async def _overheard(
        self, question: Question, parts: Callable[[RenderedReply], tuple[Part, ...]], recorded: Recorded
    ) -> None:
        """Answer what nobody addressed to us, if it is for us; that there is no answer is for its writer alone."""
        goes_on = await self._threads.knows(question.thread)
        asked_before = goes_on and await self._threads.knows(question.thread, question.asker)
        if asked_before and joins(question.text, asked_before=True) == "surely":
            platform = self._platforms[question.platform]
            alone = platform.speak_alone if isinstance(platform, SpeaksAlone) else None
            return await self._bot.answer(question, parts, Discreet(self._threads, Spent(), alone), recorded)
        # To find out whether it is for us is paid for as well as an answer.
        meter = Metered(recorded.model)
        gate = Recorded(meter, recorded.generation)
        if (because := await self._bot.passed_over(question, gate, goes_on=goes_on)) is not None:
            return await self._threads.pass_over(question, because, meter.spent)
        return await self._bot.answer(question, parts, Discreet(self._threads, meter.spent), recorded)

    async def fail(self, question: Question, why: str) -> None:
        """Store the sentence that there is no answer this time, and log why under its reference."""
        log.error("No answer to %s", question.id)
        if question.overheard:
            reference(why)
            return await self._threads.pass_over(question, "trouble", Spent())
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
        because = "not everybody there may read what it was made from"
        await self._threads.pass_over(question, because, record.spent if record else Spent())
        if isinstance(self._platform, SpeaksAlone):
            await self._platform.speak_alone(question, not_shared(question, record))


class Discreet:
    """The port `Threads` for what was only overheard: an answer is seen, and nothing else ever is, nor kept.

    `gate`: what it cost to find out that it is for us. `alone`: tells who goes on with us, and nobody else, that there
    is none.
    """

    def __init__(self, threads: Turns, gate: Spent, alone: Alone | None = None) -> None:
        self._threads = threads
        self._gate = gate
        self._alone = alone

    async def open(self, question: Question) -> Thread | AlreadyAnswered:
        """Return the thread's earlier turns, or that nothing is to be said any more."""
        return await self._threads.open(question)

    async def close(self, question: Question, parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        """Store what came of the question and its messages where it was surely answered; else pass it over."""
        spent = self._gate + record.spent if record else self._gate
        if record is None or record.answer.is_refusal:
            await self._threads.pass_over(question, "no answer", spent)
            if record is not None and self._alone:
                await self._alone(question, replace(record.reply, actions=(), evidence=()))
        elif self._alone is None and record.answer.level == "low":
            await self._threads.pass_over(question, "unsure answer", spent)
        else:
            await self._threads.close(question, parts, replace(record, spent=spent))
