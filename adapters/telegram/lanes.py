"""Work in order within a lane, in parallel across lanes."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from adapters.telegram.failures import whereabouts

log = logging.getLogger(__name__)

Work = Callable[[], Awaitable[None]]


class Lanes:
    """Runs what is added: one after another in a lane, at most `parallel` lanes at a time."""

    def __init__(self, parallel: int) -> None:
        self._slots = asyncio.Semaphore(parallel)
        self._last: dict[str, asyncio.Task[None]] = {}
        self._running: set[asyncio.Task[None]] = set()

    def add(self, lane: str, work: Work) -> None:
        """Start the work once everything added to the lane before it is done."""
        task = asyncio.create_task(self._run(work, self._last.get(lane)))
        self._last[lane] = task
        self._running.add(task)
        task.add_done_callback(lambda done: self._forget(lane, done))

    async def close(self, grace: float) -> None:
        """Return when nothing runs any more; what is not done after `grace` seconds is cancelled."""
        if self._running:
            await asyncio.wait(self._running, timeout=grace)
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def _run(self, work: Work, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.wait([before])
        async with self._slots:
            try:
                await work()
            except Exception as error:  # noqa: BLE001 - nobody waits for this task
                log.error("Telegram: a mistake of ours: %s", whereabouts(error))  # noqa: TRY400 - it may quote a message

    def _forget(self, lane: str, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if self._last.get(lane) is task:
            del self._last[lane]
