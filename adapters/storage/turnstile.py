"""One writer at a time, and those whom somebody waits for first."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turnstile:
    """Lets one in at a time, in the order of arrival; who comes with `first` passes those who came without."""

    def __init__(self) -> None:
        self._taken = False
        self._first: deque[asyncio.Future[None]] = deque()
        self._others: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def passing(self, *, first: bool) -> AsyncIterator[None]:
        """Wait for our turn, and hold it while inside."""
        await self._enter(self._first if first else self._others)
        try:
            yield
        finally:
            self._leave()

    async def _enter(self, line: "deque[asyncio.Future[None]]") -> None:
        if not self._taken:
            self._taken = True
            return
        turn = asyncio.get_running_loop().create_future()
        line.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            # The turn may have come in the very moment of leaving the line.
            if turn.done() and not turn.cancelled():
                self._leave()
            raise

    def _leave(self) -> None:
        for line in (self._first, self._others):
            while line:
                turn = line.popleft()
                if not turn.done():
                    turn.set_result(None)
                    return
        self._taken = False
