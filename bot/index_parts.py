"""The parts of an index run, made by all copies of the bot: ordered by one, taken by any, staged where all can read."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Protocol

from bot.patience import patiently
from core.errors import BotError, IndexingStopped, PortError, SearchError, StorageError, whereabouts
from core.ingest.parts import CorpusNames, IndexPart, Maker, PartOrder, PartRows

log = logging.getLogger("footnote")

# Seconds between looks whether a part is made.
_LOOK_EVERY = 0.3
# Seconds between looks for parts to make, while there are none.
_IDLE = 1.0
# Seconds between looks whether what is being made is still wanted.
_CHECK_EVERY = 1.0
# Seconds that a copy leaves parts to others after it could not make one.
_AFTER_FAILURE = 5.0
# So many times a part is made whose rows are not to be found afterwards.
_TIMES = 3


class Parts(Protocol):
    """The orders, shared by all copies; everything raises StorageError."""

    async def order(self, order: PartOrder, names: str) -> tuple[IndexPart, bool]:
        """Put an order among those that wait; return the part, and whether it was made before."""

    async def made_of(self, generation: int) -> Mapping[str, str] | None:
        """Return under which names the parts of a generation are staged that are made; None when it is to stop."""

    async def lost(self, part: IndexPart) -> None:
        """Let a part be made again whose staged rows are gone."""

    async def take(self, embedder: str, analyzer: str) -> IndexPart | None:
        """Return a part that is now ours to make, None when there is none for such an embedder and analyzer."""

    async def is_wanted(self, part: IndexPart) -> bool:
        """Return whether the part is still ours to make."""

    def staged(self, part: IndexPart) -> str:
        """Return the name under which we stage the part: another copy that makes it, too, has another one."""

    async def made(self, part: IndexPart) -> bool:
        """Note that the rows are staged; False when the part is not ours to make any more."""

    async def give_back(self, part: IndexPart) -> None:
        """Let a part that is ours wait for somebody else."""


class Staging(Protocol):
    """Where made rows lie until they are written; everything raises SearchError."""

    async def put(self, name: str, rows: PartRows) -> None:
        """Store the rows as a whole."""

    async def get(self, name: str) -> PartRows | None:
        """Return the rows, or None when they are not there."""

    async def drop(self, name: str) -> None:
        """Remove the rows."""


class SharedMaker:
    """The `Maker` of the one process that writes: it orders, and hands on what any copy has staged.

    Orders come one after the other: with the order n all before n − `at_once` are written, and are not staged any more.
    `leads` returns once it is sure that no other process writes, or raises.
    """

    # So many parts are under way or wait to be written; each of the copies makes one or two at a time.
    at_once = 8

    def __init__(
        self,
        parts: Parts,
        staging: Staging,
        names: Callable[[PartOrder], Awaitable[str]],
        leads: Callable[[], Awaitable[None]],
    ) -> None:
        self._parts = parts
        self._staging = staging
        self._names = names
        self._leads = leads
        self._failure: BaseException | None = None
        self._turn = asyncio.Lock()
        self._looked = 0.0
        self._made: Mapping[str, str] = {}
        # By the numbers of the orders, what was handed on and is still staged.
        self._staged: dict[int, str] = {}

    async def make(self, order: PartOrder) -> PartRows:
        """Return the rows of the part, whoever makes them. Raises IndexingStopped, PortError, and `fail`'s error."""
        part, before = await self._parts.order(order, await self._names(order))
        await self._tidy(order.number)
        for _ in range(_TIMES):
            name = await self._until_made(part)
            rows = await patiently(partial(self._staging.get, name))
            if rows is not None:
                await self._leads()
                self._staged[order.number] = name
                return replace(rows, embedded=0) if before else rows
            log.warning("A part of an index is not staged any more, and is made again")
            before = False
            await self._parts.lost(part)
            self._looked = 0.0
        raise SearchError("what is staged beside the index cannot be read again: check the object store of INDEX_URL")

    def fail(self, error: BaseException) -> None:
        """Let the run end with an error: the process that writes cannot make a part, or not lead any more."""
        self._failure = error

    def check(self) -> None:
        """Raise what the run is to end with, if it is to."""
        if self._failure:
            raise self._failure

    async def _until_made(self, part: IndexPart) -> str:
        """Return the name under which the part is staged."""
        while (name := await self._made_as(part)) is None:
            self.check()
            await asyncio.sleep(_LOOK_EVERY)
        return name

    async def _made_as(self, part: IndexPart) -> str | None:
        """Return the name under which the part is staged, if it is made; all that wait look together."""
        async with self._turn:
            if time.monotonic() - self._looked >= _LOOK_EVERY:
                made = await patiently(lambda: self._parts.made_of(part.generation))
                if made is None:
                    raise IndexingStopped
                await self._leads()
                self._made, self._looked = made, time.monotonic()
        return self._made.get(part.name)

    async def _tidy(self, number: int) -> None:
        for written in [one for one in self._staged if one < number - self.at_once]:
            # What stays is removed at the end of the run.
            with suppress(PortError):
                await self._staging.drop(self._staged.pop(written))


class PartWorker:
    """Makes parts that wait, a few at a time, with the maker of this process.

    `fits`: the embedder and analyzer here, other parts are not for us; `is_free`: whether there is nothing better to
    do; `failed`: hears of a part that could not be made here, which then waits for others.
    """

    def __init__(  # noqa: PLR0913 - its parts, each given by name
        self,
        *,
        parts: Parts,
        staging: Staging,
        maker: Maker,
        names: Callable[[IndexPart], Awaitable[CorpusNames | None]],
        fits: tuple[str, str],
        is_free: Callable[[], bool],
        failed: Callable[[Exception], None],
    ) -> None:
        self._parts = parts
        self._staging = staging
        self._maker = maker
        self._names = names
        self._fits = fits
        self._is_free = is_free
        self._failed = failed

    async def run(self) -> None:
        """Make parts until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            # As many as are under way where one process makes all: one waits to be written while others are made.
            for _ in range(self._maker.at_once + 1):
                tasks.create_task(self._work())

    async def _work(self) -> None:
        while True:
            pause = 0.0
            try:
                part = await self._parts.take(*self._fits) if self._is_free() else None
                if part:
                    await self._make(part)
                else:
                    pause = _IDLE
            except PortError as error:
                log.warning("Parts of an index wait: %s", error)
                pause = _AFTER_FAILURE
            await asyncio.sleep(pause)

    async def _make(self, part: IndexPart) -> None:
        """Make and stage one part; whatever prevents it, the part is not lost."""
        try:
            rows = await self._rows(part)
            if rows is None:
                await self._parts.give_back(part)
                # Should it be ours again at once, this would never end.
                await asyncio.sleep(_IDLE)
                return
            name = self._parts.staged(part)
            await patiently(lambda: self._staging.put(name, rows))
            if not await patiently(lambda: self._parts.made(part)):
                await self._staging.drop(name)
        except asyncio.CancelledError:
            await asyncio.shield(self._given_back(part))
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, another copy may be able to
            await self._given_back(part)
            if not (isinstance(error, StorageError) and error.retry):
                self._failed(error)
            log.warning("A part of an index is left to others: %s", whereabouts(error))
            await asyncio.sleep(_AFTER_FAILURE)

    async def _rows(self, part: IndexPart) -> PartRows | None:
        """Return the rows, or None when they are not wanted any more."""
        names = await self._names(part)
        if names is None:
            return None
        order = PartOrder(part.generation, part.number, part.documents, part.known, names)
        making = asyncio.create_task(self._maker.make(order))
        try:
            while not making.done():
                await asyncio.wait((making,), timeout=_CHECK_EVERY)
                if not making.done() and not await self._is_wanted(part):
                    return None
            return making.result()
        finally:
            making.cancel()
            await asyncio.gather(making, return_exceptions=True)

    async def _is_wanted(self, part: IndexPart) -> bool:
        try:
            return await self._parts.is_wanted(part)
        except PortError:
            # What is paid for is not given up because the database is away for a moment.
            return True

    async def _given_back(self, part: IndexPart) -> None:
        with suppress(BotError):
            await self._parts.give_back(part)
