"""What is seen of an answer in the making: shown at the platform's pace, and never once the answer is stored."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress

from core.conversation import AlreadyAnswered, Question, Thread
from core.delivery import Body, Later, Outcome, Part, Shown
from core.errors import whereabouts
from core.ports import Threads
from core.reply import RenderedReply
from core.telling import Step, Tell, after, shown
from core.turn import TurnRecord

log = logging.getLogger("footnote")

# Seconds before anything is told: most answers without a model are there by then, and nothing is spent on them.
FIRST_AFTER = 1.0
# Seconds between two states of a sign at least: nobody reads faster.
EVERY = 1.5
# Seconds after which a sign that passes by itself is shown again (a draft of Telegram's lasts thirty).
LASTS = 20.0

# Shows a body to whoever asked the question, once.
Show = Callable[[Question, Body], Awaitable[Outcome]]
Parts = Callable[[RenderedReply], Sequence[Part]]


class Sign:
    """Shows the latest of what it is told, as long as it is open and the platform takes it."""

    def __init__(self, question: Question, parts: Parts, show: Show) -> None:
        self._question = question
        self._parts = parts
        self._show = show
        self._language = question.language
        self._steps: tuple[Step, ...] = ()
        self._news = asyncio.Event()
        self._closed = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    def tell(self, step: Step) -> None:
        """Let this be shown next, in place of what was to be shown and has not been."""
        self._steps = after(self._steps, step)
        self._news.set()

    async def close(self) -> None:
        """Show nothing any more; return once nothing is on its way either."""
        self._closed.set()
        # Waited for, not awaited: who is cancelled here leaves it to end by itself.
        await asyncio.wait([self._task])

    async def _run(self) -> None:
        try:
            await self._show_all()
        except Exception as error:  # noqa: BLE001 - the answer does not depend on it
            log.warning("How an answer goes is not shown any more: %s", whereabouts(error))

    async def _show_all(self) -> None:
        pause, passes = FIRST_AFTER, False
        while not await _set_within(self._closed, pause):
            await self._told_or_closed(LASTS if passes else None)
            body = None if self._closed.is_set() else self._body()
            if body is None:
                return
            outcome = await self._show(self._question, body)
            match outcome:
                case Shown(message):
                    pause, passes = EVERY, message is None
                case Later(seconds):
                    pause = max(EVERY, seconds)
                    self._news.set()
                case _:
                    # From here on it is as if nothing were told.
                    return

    async def _told_or_closed(self, seconds: float | None) -> None:
        waits = [asyncio.ensure_future(event.wait()) for event in (self._news, self._closed)]
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
        self._news.clear()

    def _body(self) -> Body | None:
        """Return what is to be seen now; None once it is more than fits into one message."""
        if not self._steps:
            return None
        parts = self._parts(shown(self._steps, self._language))
        return parts[0].body if len(parts) == 1 else None


async def _set_within(event: asyncio.Event, seconds: float) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


class Closing:
    """The port `Threads` that closes the sign before the answer is stored: the answer is always seen last."""

    def __init__(self, threads: Threads, sign: Sign) -> None:
        self._threads = threads
        self._sign = sign

    async def open(self, question: Question) -> Thread | AlreadyAnswered:
        """Return the thread's earlier turns, or that nothing is to be said any more."""
        return await self._threads.open(question)

    async def close(self, question: Question, parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        """Store what came of the question and the messages that say it, once nothing else is on its way."""
        await self._sign.close()
        await self._threads.close(question, parts, record)


@asynccontextmanager
async def signed(question: Question, parts: Parts, show: Show, threads: Threads) -> AsyncIterator[tuple[Threads, Tell]]:
    """Give the threads in which the answer is stored, and what is to be told how it goes."""
    sign = Sign(question, parts, show)
    try:
        yield Closing(threads, sign), sign.tell
    finally:
        await sign.close()
