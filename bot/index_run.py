"""One index run over all copies of the bot: who leads it, who lends a hand, and who goes on when the leader is gone."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

from bot.index_parts import PartWorker, SharedMaker
from bot.index_place import is_shared
from bot.index_rows import LocalMaker
from bot.indexing import BUSY, Indexer, IndexReport, Lead, Progress
from bot.patience import patiently
from bot.replica import DEAD_AFTER, Replica
from bot.settings import Settings
from bot.wiring import SharedIndex, Stores, fits, shared_index
from core.errors import BotError, ConfigError, PortError, StorageError, whereabouts
from core.ingest.domain import read_domain
from core.ingest.names import digest_of, registry_of
from core.ingest.parts import CorpusNames, IndexPart, PartOrder
from core.ingest.rows import ANALYZER
from core.ingest.source import Collection
from core.work import LEFT

log = logging.getLogger("footnote")

# What only one copy may do: write an index.
LEADS = "index"
# Seconds between looks for a run whose leader is gone.
_LOOK_EVERY = 2.0
# Seconds between tries to get the lead, and after which the other one is taken to be alive in any case.
_WAIT, _PATIENCE = 0.5, 4 * DEAD_AFTER

_LOST = (
    "this copy showed no sign of life for too long, so others took it for dead; its index run goes on in another copy, "
    "or with the next footnote index"
)


def indexer_of(stores: Stores, settings: Settings, progress: Progress) -> Indexer:
    """Return what makes indexes in this process. Where the database is a file, it is to run inside `alone_in`."""
    made_by = (stores.catalog, stores.index, stores.embedder)
    return Indexer(*made_by, progress, alone=not settings.database_url, proposer=stores.proposer)


async def indexed(collection: Collection, indexer: Indexer, stores: Stores, settings: Settings) -> IndexReport:
    """Return what was done to make the collection the live generation, with the help of all copies of the bot.

    Raises as `Indexer.run`.
    """
    async with leading(stores, settings) as lead:
        return await indexer.run(collection, lead)


@asynccontextmanager
async def leading(stores: Stores, settings: Settings) -> AsyncIterator[Lead | None]:
    """Give the lead of an index run, in which all copies that share database and store take part.

    Without such a store it is made here, and there is none to give. Raises ConfigError when another copy has the lead.
    """
    if not is_shared(settings):
        yield None
        return
    # Before the first beat: to load takes seconds in which this copy could show no sign of life.
    await asyncio.to_thread(stores.index.warm)
    shared = shared_index(stores, settings, secrets.token_hex(8), guest=LEADS)
    replica = Replica(shared.replicas, shared.parts.take_over)
    hand = Hand(stores, shared, is_free=lambda: True, is_trusted=replica.is_trusted)
    maker, tasks = hand.lead(), list[asyncio.Task[None]]()
    try:
        await replica.register(alone=False)
        tasks.append(_beside(replica.run(), maker))
        await _taken(shared)
        # What a run before has ordered and not withdrawn is of a source as it was then.
        await shared.parts.withdraw(LEADS)
        tasks.append(_beside(hand.worker.run(), maker))
        yield Lead(maker)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(PortError):
            await _ended(shared)
        with suppress(PortError):
            await shared.replicas.leave()


def _beside(work: Coroutine[Any, Any, None], maker: SharedMaker) -> "asyncio.Task[None]":
    """Return the task that does this until it is cancelled; should it end by a defect, so does the run."""

    def over(task: "asyncio.Task[None]") -> None:
        if not task.cancelled() and (error := task.exception()):
            maker.fail(error)

    task = asyncio.create_task(work)
    task.add_done_callback(over)
    return task


class Hand:
    """What a copy does for index runs: it makes parts, and goes on with a run whose leader is gone.

    `is_free`: whether it has nothing better to do; `is_trusted`: whether the others take it for alive.
    """

    def __init__(
        self, stores: Stores, shared: SharedIndex, *, is_free: Callable[[], bool], is_trusted: Callable[[], bool]
    ) -> None:
        self._stores = stores
        self._shared = shared
        self._is_trusted = is_trusted
        self._led: SharedMaker | None = None
        self._names: tuple[tuple[int, str], CorpusNames] | None = None
        self.worker = PartWorker(
            parts=shared.parts,
            staging=shared.staging,
            maker=LocalMaker(stores.catalog, stores.index, stores.embedder),
            names=self._names_of,
            fits=(stores.embedder.id, ANALYZER),
            is_free=is_free,
            failed=self._failed,
        )

    async def run(self) -> None:
        """Lend a hand until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.worker.run())
            tasks.create_task(self._look())

    def lead(self) -> SharedMaker:
        """Return who makes the rows of a run that is led here: all copies."""
        digests: dict[int, str] = {}

        async def digest(order: PartOrder) -> str:
            if order.generation not in digests:
                corpus = await self._stores.catalog.names(order.generation)
                digests[order.generation] = await asyncio.to_thread(digest_of, corpus)
            return digests[order.generation]

        async def leads() -> None:
            """Return once it is sure that this copy leads. Raises StorageError when another one may by now."""
            while not self._is_trusted():
                maker.check()
                await asyncio.sleep(_WAIT)
            holder = await patiently(lambda: self._shared.replicas.holder(LEADS))
            if holder is None or holder[0] != self._shared.replicas.me:
                raise StorageError(_LOST)

        self._led = maker = SharedMaker(self._shared.parts, self._shared.staging, digest, leads)
        return maker

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            try:
                if await self._is_left():
                    await self._go_on()
                    await self._shared.replicas.release(LEADS)
            except BotError as error:
                log.warning("An index run could not be gone on with: %s; next try in %g s", error, _LOOK_EVERY)

    async def _is_left(self) -> bool:
        """Return whether a run lost its leader after everything was known that it needs, and this copy now leads it."""
        replicas = self._shared.replicas
        holder = await replicas.holder(LEADS)
        if holder and holder[0] != replicas.me:
            return False
        if holder:
            # Left from a try that the database did not let us end.
            await replicas.release(LEADS)
        building = await self._stores.catalog.building()
        if building is None or building.stopping or not fits(building, self._stores.embedder):
            return False
        return await self._shared.parts.is_under_way(building.number) and await replicas.lease(LEADS)

    async def _go_on(self) -> None:
        """Finish the run. A copy that is stopped leaves it to the next one, one that fails ends it.

        Raises StorageError while the database is away, which ends nothing.
        """
        log.info("An index run has lost its leader; it goes on here")
        stores = self._stores
        try:
            made_by = (stores.catalog, stores.index, stores.embedder)
            indexer = Indexer(*made_by, lambda *_: None, alone=True, proposer=stores.proposer)
            report = await indexer.finish(Lead(self.lead()))
            if report:
                log.info("The index run is complete: %s, %d documents", report.title, report.counts["documents"])
        except Exception as error:
            if isinstance(error, StorageError) and error.retry:
                raise
            log.warning("The index run has ended: %s", whereabouts(error))
        finally:
            self._led = None
        await _ended(self._shared)

    def _failed(self, error: Exception) -> None:
        if self._led:
            self._led.fail(error)

    async def _names_of(self, part: IndexPart) -> CorpusNames | None:
        """Return the names with which the part is to be made; None when the generation has others by now."""
        key = (part.generation, part.names)
        if self._names is None or self._names[0] != key:
            catalog = self._stores.catalog
            generation = await catalog.generation(part.generation)
            corpus = await catalog.names(part.generation)
            if generation is None or await asyncio.to_thread(digest_of, corpus) != part.names:
                return None
            declared = read_domain(generation.make.domain).entities
            self._names = key, CorpusNames(declared, await asyncio.to_thread(registry_of, corpus, declared))
        return self._names[1]


async def _taken(shared: SharedIndex) -> None:
    """Return once the lead is ours: a leader that died is found out by its silence. Raises ConfigError."""
    first: tuple[str, int] | None = None
    until = asyncio.get_running_loop().time() + _PATIENCE
    while not await shared.replicas.lease(LEADS):
        holder = await shared.replicas.holder(LEADS)
        lives = holder and first and holder[0] == first[0] and holder[1] not in {first[1], LEFT}
        if lives or asyncio.get_running_loop().time() > until:
            raise ConfigError(BUSY)
        first = first if holder and first and holder[0] == first[0] else holder
        await asyncio.sleep(_WAIT)


async def _ended(shared: SharedIndex) -> None:
    """Withdraw what was ordered, if it is ours; what is made and may be of use to the next run stays staged."""
    if await shared.parts.withdraw(LEADS):
        await shared.parts.forget()
        await shared.staging.keep(await shared.parts.names())
