"""What admins ordered to be indexed is done by one of the copies of the bot, which shows them how it goes."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from bot.admin.index_words import BEGINNING, ended_reply, live_tasks
from bot.indexing import BUSY, IndexReport, Progress
from bot.patience import patiently
from bot.progress import Ended as RunEnded
from bot.progress import Step, progress_of
from bot.wiring import Stores
from core.delivery import Body, Part
from core.errors import BotError, ConfigError, IndexingStopped, PortError, whereabouts
from core.ingest.order import Ended, IndexOrder
from core.ingest.sync import Changes, compare
from core.phrases import phrase
from core.remedies import told_in, told_of
from core.reply import Tasks
from core.running import Platform, Replicas
from core.work import Place

log = logging.getLogger("footnote")

# What a button brings that stops an order, before the order's number.
STOP = "stop"
# The name under which one of several copies does what was ordered.
LEASE = "index orders"
# Seconds between looks for an order, and whether the one that is being done is to stop.
LOOK_EVERY = 1.0
# Seconds between two changes of the message at least: what edits may cost where answers are shown, too. One that has
# run for long changes more and more seldom.
EDIT_EVERY: Mapping[str, float] = {"slack": 3.0, "telegram": 4.0}
_SELDOM, _SELDOM_AT_MOST = 0.02, 30.0
# Seconds that a run gets to stop by itself, which it does after the passages that it works on.
_STOPS_WITHIN = 20.0


class Orders(Protocol):
    """The orders, shared by all copies; everything raises StorageError."""

    async def open(self) -> IndexOrder | None:
        """Return the order that has not ended."""

    async def begin(self, number: int, before: int) -> IndexOrder | None:
        """Return the order with the generation from which its changes count."""

    async def show(self, order: IndexOrder, body: Body) -> bool:
        """Let the order's message say this, unless it has ended."""

    async def end(self, order: IndexOrder, parts: tuple[Part, ...]) -> bool:
        """Note that the order has ended, with what its message says in the end."""


@dataclass(slots=True)
class _Seen:
    """How far the run is, as it was told last; None while another one comes first."""

    step: Step | None = BEGINNING
    shown: Tasks | None = None
    shown_at: float = field(default=-1e9)

    def tell(self, stage: str, done: int, total: int) -> None:
        """Take down how far it is; what could not be read stays known."""
        self.step = Step(stage, done, total, self.step.problems if self.step else 0)


class IndexOrders:
    """Does the order that is open, whoever of the copies took it in, and goes on with it after a restart.

    `index` indexes, and tells a `Progress` of it; `deliver` is called when there is something to show in a place.
    """

    def __init__(  # noqa: PLR0913 - its parts, each given by name
        self,
        *,
        orders: Orders,
        stores: Stores,
        replicas: Replicas,
        index: Callable[[Progress], Awaitable[IndexReport]],
        platforms: Mapping[str, Platform],
        deliver: Callable[[Place], None],
    ) -> None:
        self._orders = orders
        self._stores = stores
        self._replicas = replicas
        self._index = index
        self._platforms = platforms
        self._deliver = deliver
        self._called = asyncio.Event()

    def wake(self) -> None:
        """Look for an order now."""
        self._called.set()

    async def run(self) -> None:
        """Do what is ordered until cancelled; what is under way then is left to be gone on with."""
        while True:
            self._called.clear()
            try:
                order = await self._orders.open()
                if order and await self._replicas.lease(LEASE):
                    await self._see_to(order)
                    await self._replicas.release(LEASE)
            except PortError as error:
                log.warning("What was ordered to be indexed waits: %s", error)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._called.wait(), LOOK_EVERY)

    async def _see_to(self, order: IndexOrder) -> None:
        live = await self._stores.catalog.live()
        begun = await self._orders.begin(order.number, live.number if live else 0)
        if begun is None:
            return
        if begun.stopping:
            await self._end(begun, Ended("stopped", (datetime.now(UTC) - begun.asked_at).total_seconds()))
            return
        seen = _Seen()
        work = asyncio.create_task(self._indexed(seen))
        try:
            while not work.done():
                await self._tell(begun, seen)
                await asyncio.wait([work], timeout=LOOK_EVERY)
                begun = await self._as_it_stands(begun)
                if begun is None:
                    return
                if begun.stopping and not work.done():
                    await self._stopped(work)
            await self._end(begun, await self._ended(begun, work))
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    async def _as_it_stands(self, order: IndexOrder) -> IndexOrder | None:
        """Return the order as it is by now; None when another copy has it. While the database is away nobody does."""
        try:
            found = await self._orders.open()
            is_ours = found is not None and found.number == order.number and await self._replicas.lease(LEASE)
        except PortError:
            return order
        return found if is_ours else None

    async def _indexed(self, seen: _Seen) -> IndexReport:
        """Return what was done, once whatever else is being indexed has ended."""
        while True:
            try:
                return await self._index(seen.tell)
            except ConfigError as error:
                if str(error) != BUSY:
                    raise
            seen.step = None
            async for one in progress_of(self._stores.catalog):
                seen.step = one if isinstance(one, Step) else None
                if isinstance(one, RunEnded) and one.outcome == "stopped":
                    raise IndexingStopped
            await asyncio.sleep(LOOK_EVERY)

    async def _stopped(self, work: "asyncio.Task[IndexReport]") -> None:
        """Let the run stop; one that is only reading has nothing to leave behind, and ends at once."""
        with suppress(PortError):
            if await self._stores.catalog.stop():
                await asyncio.wait([work], timeout=_STOPS_WITHIN)
        work.cancel()
        await asyncio.wait([work])

    async def _tell(self, order: IndexOrder, seen: _Seen) -> None:
        """Let the message say how far it is, if that is news and it is time. Whatever fails is no matter to the run."""
        platform, now = self._platforms.get(order.platform), asyncio.get_running_loop().time()
        seconds = (datetime.now(UTC) - order.asked_at).total_seconds()
        pause = max(EDIT_EVERY.get(order.platform, 0.0), min(_SELDOM * seconds, _SELDOM_AT_MOST))
        if platform is None or now - seen.shown_at < pause:
            return
        tasks = live_tasks(seen.step, seconds, order.language)
        if tasks == seen.shown:
            return
        button = f"{STOP}:{order.number}", phrase("index_cancel", order.language)
        try:
            if await self._orders.show(order, platform.button(tasks, *button)):
                self._deliver((order.platform, order.place))
        except Exception as error:  # noqa: BLE001 - the run goes on, whatever is wrong with what is shown of it
            log.warning("How the index run goes could not be shown: %s", whereabouts(error))
        seen.shown, seen.shown_at = tasks, now

    async def _end(self, order: IndexOrder, ended: Ended) -> None:
        platform = self._platforms.get(order.platform)
        parts = platform.parts(ended_reply(ended, order.language)) if platform else ()
        await patiently(lambda: self._orders.end(order, parts))
        self._deliver((order.platform, order.place))

    async def _ended(self, order: IndexOrder, work: "asyncio.Task[IndexReport]") -> Ended:
        seconds = (datetime.now(UTC) - order.asked_at).total_seconds()
        if work.cancelled():
            return Ended("stopped", seconds)
        match work.exception():
            case None:
                return await self._done(order, work.result(), seconds)
            case IndexingStopped():
                return Ended("stopped", seconds)
            case BotError() as error:
                return Ended("failed", seconds, why=told_in(str(error), order.language))
            case defect:
                log.error("What was ordered to be indexed failed by a defect: %s", whereabouts(defect))
                return Ended("failed", seconds, why=whereabouts(defect))

    async def _done(self, order: IndexOrder, report: IndexReport, seconds: float) -> Ended:
        changes = await patiently(lambda: self._changes(order, report))
        return Ended(
            "published" if report.rebuilt or changes.any else "unchanged",
            seconds,
            changes,
            report.counts.get("documents", 0),
            report.counts.get("chunks", 0),
            tuple(told_of(problem, order.language) for problem in report.problems),
        )

    async def _changes(self, order: IndexOrder, report: IndexReport) -> Changes:
        """Return what changed since the order was begun, also by a run that was cut short and gone on with."""
        catalog = self._stores.catalog
        live = await catalog.live()
        if report.rebuilt or live is None or order.before in (None, live.number):
            return report.changes
        if order.before and await catalog.generation(order.before) is None:
            return report.changes
        before = await catalog.holdings(order.before) if order.before else ()
        now = await catalog.holdings(live.number)
        return compare({one.doc_id: one.digest for one in before}, {one.doc_id: one.digest for one in now})
