"""This process among those that share the database: it shows that it lives, and takes over from those that do not."""

import asyncio
import logging
import sys
import time
from collections.abc import Awaitable, Callable, Sequence

from core.errors import PortError
from core.running import Replicas
from core.work import LEFT

log = logging.getLogger("footnote")

# Seconds between signs of life, and without one after which a replica is taken for dead.
BEAT = 2.0
DEAD_AFTER = 12.0
# Seconds without a sign of our own after which we send nothing: others may think that we are dead.
CAREFUL_AFTER = DEAD_AFTER / 2
# Beats between looks for work that is held by nobody who is known.
_LOOK_EVERY = 10


def uptime() -> float:
    """Return seconds on a clock that never goes back, and goes on while the machine is suspended where one does."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == "linux" else time.monotonic()


class Replica:
    """Beats, and hands the work of replicas that are gone to `take_over`.

    A replica's death is judged by our own clock alone: its count has not moved for a while, while we could look.
    """

    def __init__(
        self,
        replicas: Replicas,
        take_over: Callable[[str], Awaitable[None]],
        workers: Callable[[], Awaitable[set[str]]] | None = None,
        elapsed: Callable[[], float] = uptime,
    ) -> None:
        self._replicas = replicas
        self._take_over = take_over
        self._workers = workers
        self._elapsed = elapsed
        self._alone = False
        self._count = 0
        self._copies = 1
        # When our latest sign of life was begun: the others may have seen it as early as that.
        self._last = elapsed()
        self._term = 0
        # The last count that each other one showed, and when we first saw it.
        self._seen: dict[str, tuple[int, float]] = {}
        self._is_to_adopt = False

    def is_trusted(self) -> bool:
        """Return whether every other replica still takes us for alive."""
        return self._alone or self._elapsed() - self._last < CAREFUL_AFTER

    def term(self) -> int | None:
        """Return the number of the time for which all others have taken us for alive, None when it may be over.

        What was ours in one term may be another's in the next: we may have been taken for dead in between.
        """
        return self._term if self.is_trusted() else None

    def copies(self) -> int:
        """Return how many replicas were alive at our last sign of life, this one among them."""
        return 1 if self._alone else self._copies

    async def register(self, *, alone: bool) -> None:
        """Show that we are here; `alone`: no other can be, so what any left behind is ours at once."""
        others = await self._beat()
        self._alone = alone
        if alone:
            for other, count in others.items():
                last = "stopped" if count == LEFT else "was cut short"
                await self._bury(other, f"The last run {last}; what it had begun goes on")
            await self._adopt()

    async def run(self) -> None:
        """Beat until cancelled; who is alone has nobody to show it to.

        What others left is taken over meanwhile: to wait for what they still hold is no reason to fall silent.
        """
        burials: asyncio.Task[None] | None = None
        try:
            while not self._alone:
                await asyncio.sleep(BEAT)
                gone = await self._look()
                if burials and burials.done():
                    burials.result()
                    burials = None
                if burials is None and (gone or self._is_to_adopt):
                    burials = asyncio.create_task(self._see_to(gone))
        finally:
            if burials:
                burials.cancel()
                await asyncio.wait([burials])

    async def hold_on(self) -> None:
        """Beat until cancelled, and take nothing over any more: whoever stops still shows what it has made."""
        while not self._alone:
            await self._look()
            await asyncio.sleep(BEAT)

    async def leave(self) -> None:
        """Say goodbye, so that what is left is taken over at once."""
        await self._replicas.leave()

    async def _beat(self) -> dict[str, int]:
        self._count += 1
        began = self._elapsed()
        counts = await self._replicas.beat(self._count)
        if self._elapsed() - self._last >= CAREFUL_AFTER:
            self._term += 1
        self._last = began
        others = {id_: count for id_, count in counts.items() if id_ != self._replicas.me}
        self._copies = 1 + sum(count != LEFT for count in others.values())
        return others

    async def _look(self) -> list[str]:
        """Beat, and return the others that are gone."""
        before = self._last
        try:
            counts = await self._beat()
        except PortError as error:
            # While we could not look, nobody's silence means anything.
            self._seen.clear()
            log.warning("This copy could not show that it is alive: %s", error)
            return []
        if self._elapsed() - before >= CAREFUL_AFTER:
            # We stood still ourselves, and maybe the whole machine did: silence meanwhile means nothing.
            self._seen.clear()
        self._is_to_adopt |= self._count % _LOOK_EVERY == 0
        return [other for other, count in counts.items() if self._is_gone(other, count)]

    async def _see_to(self, gone: Sequence[str]) -> None:
        try:
            for other in gone:
                await self._bury(other, "Another copy is gone; its work goes on here")
            if self._is_to_adopt:
                self._is_to_adopt = False
                await self._adopt()
        except PortError as error:
            log.warning("What a copy left could not be taken over yet: %s", error)

    async def _adopt(self) -> None:
        """Take over from those that were buried while they still worked: nobody else would ever ask for it."""
        holders = await self._replicas.strangers() | (await self._workers() if self._workers else set())
        # Asked for last: whoever came in between is among them.
        known = set(await self._replicas.beat(self._count))
        for stranger in holders - known:
            await self._bury(stranger, "Work of a copy that nobody knows any more goes on here")

    def _is_gone(self, other: str, count: int) -> bool:
        if count == LEFT:
            return True
        before = self._seen.get(other)
        if before is None or before[0] != count:
            self._seen[other] = (count, self._elapsed())
            return False
        return self._elapsed() - before[1] >= DEAD_AFTER

    async def _bury(self, other: str, words: str) -> None:
        """Take over, then forget: who dies between the two leaves it to the next one, and twice is harmless."""
        log.info(words)
        await self._take_over(other)
        await self._replicas.bury(other)
        self._seen.pop(other, None)
