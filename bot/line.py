"""The line: questions are answered in turn, those of a thread in order, so many at a time in each process."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import replace
from typing import Protocol

from bot.jobs import run_id
from bot.patience import patiently
from core.conversation import Question
from core.errors import PortError, whereabouts
from core.running import Inbox, Platform
from core.work import Place

log = logging.getLogger("footnote")

# Seconds between looks for questions that nobody in this process knows of.
SWEEP = 1.0
# Seconds that a question stays in the line at least: nobody promises that the messages of a thread come in order.
SETTLE = 0.1
# Seconds between checks that what is said to be worked on really is.
CHECK_EVERY = 20.0


class Runs(Protocol):
    """Durable runs, each started once by its id."""

    async def start(self, id_: str, question_id: str, version: int, generation: int) -> None:
        """Start a run unless one with this id has ever been started."""

    async def is_over(self, id_: str) -> bool | None:
        """Return whether the run has ended in whatever way; None when there has been none."""

    async def revive(self) -> None:
        """Let runs go on that are said to be under way here, and are not."""


class Line:
    """Hands questions to durable runs, at most `parallel` at a time, and is what they run.

    `answer` stores the reply to a question, or raises; `fail` stores that there is none; `done` hears of the end.
    `door` returns a question once it may be answered; nothing of it is begun before that, and none of `parallel` waits.
    `rests`: whether a platform lets nothing be shown in a place just now.
    """

    def __init__(  # noqa: PLR0913 - its parts, each given by name
        self,
        *,
        inbox: Inbox,
        platforms: Mapping[str, Platform],
        replica: str,
        parallel: int,
        answer: Callable[[Question, int], Awaitable[None]],
        fail: Callable[[Question, str], Awaitable[None]],
        generation: Callable[[], Awaitable[int]],
        done: Callable[[Question], None],
        door: Callable[[Question], Awaitable[Question | None]] | None = None,
        rests: Callable[[Place], Awaitable[bool]] | None = None,
    ) -> None:
        self._inbox = inbox
        self._platforms = platforms
        self._replica = replica
        self._parallel = parallel
        self._answer = answer
        self._fail = fail
        self._generation = generation
        self._done = done
        self._door = door or _anybody
        self._rests = rests
        self._slots = asyncio.Semaphore(parallel)
        self._called = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        # When the latest of what came has settled, on the loop's clock.
        self._settled = 0.0
        # The runs that count against the limit; None: handed over, and not begun here yet.
        self._runs: dict[str, asyncio.Task[None] | None] = {}
        # The questions of those, as they were when they were taken.
        self._taken: dict[str, Question] = {}
        # Those that were taken, and are waited for until it is known whether they may be answered.
        self._at_door: dict[str, asyncio.Task[None]] = {}

    def wake(self) -> None:
        """See to the line once what came just now has settled."""
        loop = asyncio.get_running_loop()
        self._settled = loop.time() + SETTLE
        if self._timer is None:
            self._timer = loop.call_at(self._settled, self._see_to_it)

    def _see_to_it(self) -> None:
        self._called.set()
        loop = asyncio.get_running_loop()
        # What came while the timer ran has not settled yet.
        self._timer = loop.call_at(self._settled, self._see_to_it) if self._settled > loop.time() else None

    @property
    def working(self) -> int:
        """How many runs this process has under way."""
        return len(self._runs)

    async def run(self, runs: Runs) -> None:
        """Hand out questions until cancelled."""
        checked = 0.0
        now = asyncio.get_running_loop().time
        while True:
            try:
                await self._hand_out(runs)
                if now() - checked >= CHECK_EVERY:
                    checked = now()
                    await self._check(runs)
            except PortError as error:
                log.warning("Questions wait: %s", error)
            await self._pause()

    async def answered(self, question_id: str, version: int, generation: int) -> None:
        """Answer a question: the body of a durable run, which begins anew after a crash."""
        id_ = run_id(question_id, version)
        self._runs[id_] = asyncio.current_task()
        try:
            async with self._slots:
                question = self._taken.pop(id_, None)
                if question is None:
                    question = await patiently(lambda: self._inbox.question(question_id, version))
                if question is not None:
                    await self._reply(question, generation)
                    self._done(question)
        finally:
            self._forget(id_)
            self._called.set()

    async def finish(self, seconds: float) -> int:
        """Give the runs under way some time, then leave them to whoever takes them up; return how many those are."""
        waiting = list(self._at_door.values())
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        tasks = [task for task in self._runs.values() if task]
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)
        left = [task for task in tasks if not task.done()]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        return len(left)

    async def _reply(self, question: Question, generation: int) -> None:
        try:
            platform = self._platforms[question.platform]
            async with platform.working(question) if await self._may_be_seen(question) else nullcontext():
                await self._answer(question, generation)
        except Exception as error:  # noqa: BLE001 - whatever it is, the asker is told
            await self._fail(question, whereabouts(error))

    async def _may_be_seen(self, question: Question) -> bool:
        """Return whether a sign may say that we are at it: a mere courtesy, so that where that is not known it may not.

        Nobody is to see that we look into what was only overheard; and where a platform takes nothing just now, as it
        may have told another copy or the process before this one, a call would make that last longer.
        """
        if question.overheard:
            return False
        try:
            return self._rests is None or not await self._rests((question.platform, question.place))
        except PortError:
            return False

    async def _hand_out(self, runs: Runs) -> None:
        free = self._parallel - len(self._runs)
        if free <= 0:
            return
        generation = await self._generation()
        taken = await self._inbox.take(free, self._replica, tuple(self._platforms), SETTLE)
        for one in taken:
            if one.at_door:
                self._at_door[run_id(one.id, one.version)] = asyncio.create_task(self._let_in(runs, one))
                self._called.set()
            else:
                await self._start(runs, one, generation)

    async def _let_in(self, runs: Runs, one: Question) -> None:
        """Start the run of a question once it may be answered; one that may not has none."""
        try:
            if question := await self._door(one):
                await self._start(runs, question, await patiently(self._generation))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is taken up again
            log.warning("%s waits at the door: %s", one.id, whereabouts(error))
        finally:
            self._at_door.pop(run_id(one.id, one.version), None)
            self._called.set()

    async def _start(self, runs: Runs, one: Question, generation: int) -> None:
        id_ = run_id(one.id, one.version)
        if self._runs.setdefault(id_, None) is None:
            self._taken[id_] = one
        try:
            await runs.start(id_, one.id, one.version, generation)
        except Exception as error:  # noqa: BLE001 - the engine's database has many ways to be away
            self._forget(id_)
            log.warning("A question goes back into the line: %s", whereabouts(error))
            await patiently(lambda: self._inbox.give_back(one.id, one.version, self._replica))

    async def _check(self, runs: Runs) -> None:
        """Put right what a crash in the wrong moment left: a question taken by us, or a run, that nobody works on."""
        taken = {run_id(one.id, one.version): one for one in await self._inbox.working(self._replica)}
        for id_ in [id_ for id_, task in self._runs.items() if task is None and id_ not in taken]:
            self._forget(id_)
        for id_, one in taken.items():
            if self._runs.get(id_) is None and id_ not in self._at_door:
                await self._try_to_put_right(runs, one, id_)
        await runs.revive()

    async def _try_to_put_right(self, runs: Runs, one: Question, id_: str) -> None:
        try:
            await self._put_right(runs, one, id_)
        except PortError:
            raise
        except Exception as error:  # noqa: BLE001 - a defect in one question is not to end the work on all others
            log.warning("%s cannot be put right: %s", one.id, whereabouts(error))

    async def _put_right(self, runs: Runs, one: Question, id_: str) -> None:
        over = await runs.is_over(id_)
        if over is None:
            # It was taken, and the answer of the database was lost before the run could be started.
            await self._inbox.give_back(one.id, one.version, self._replica)
        if over is not False:
            self._forget(id_)
        if over and (question := await self._inbox.question(one.id, one.version)):
            await self._fail(question, "its run ended without a reply")
            self._done(question)

    def _forget(self, id_: str) -> None:
        self._runs.pop(id_, None)
        self._taken.pop(id_, None)

    async def _pause(self) -> None:
        """Wait until somebody calls, or it is time to look for what others have left."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SWEEP):
                await self._called.wait()
        self._called.clear()


async def _anybody(question: Question) -> Question:
    return replace(question, at_door=False)
