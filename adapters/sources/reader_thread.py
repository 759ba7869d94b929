"""A thread of its own for a reader that nobody here has written: it may hang, and holds nobody up then."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

_T = TypeVar("_T")
_Call = tuple[Callable[[], Any], "asyncio.Future[Any]"]


class ReaderThread:
    """Makes calls one after the other, all in one thread, as some clients demand.

    It is left to itself when its caller leaves, and when the process ends: a pool's threads would be waited for.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        Thread(target=self._work, name="reader", daemon=True).start()

    async def do(self, call: Callable[[], _T]) -> _T:
        """Return what comes of the call, or raise what it raises; a RuntimeError for what would end the process."""
        done: asyncio.Future[_T] = self._loop.create_future()
        self._calls.put((call, done))
        return await done

    def leave(self) -> None:
        """Let the thread end after the call under way."""
        self._calls.put(None)

    def _work(self) -> None:
        while asked := self._calls.get():
            call, done = asked
            try:
                found = call()
            # A future takes no StopIteration, and a reader that calls `exit()` is not to end the bot.
            except BaseException as error:  # noqa: BLE001
                is_usual = isinstance(error, Exception) and not isinstance(error, StopIteration)
                self._tell(done, done.set_exception, error if is_usual else RuntimeError(repr(error)))
            else:
                self._tell(done, done.set_result, found)

    def _tell(self, done: "asyncio.Future[Any]", how: Callable[[Any], None], what: Any) -> None:
        # The loop may be gone by now, and so may whoever waited.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(lambda: None if done.done() else how(what))
