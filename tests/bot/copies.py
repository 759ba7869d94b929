"""Copies of the bot that make an index together, over one PostgreSQL and one store, each embedder watched."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bot.index_run import Hand, indexed, indexer_of
from bot.indexing import IndexReport, collection_of
from bot.replica import Replica
from bot.settings import Settings
from bot.wiring import SharedIndex, Stores, opened, shared_index
from core.ingest.generation import Tables
from tests.adapters.search.shelf import Letters


class Watched(Letters):
    """Keeps the texts that were embedded; waits at each call while `hold` is not set."""

    def __init__(self, id_: str = "letters") -> None:
        self.id = id_
        self.texts: list[str] = []
        self.hold = asyncio.Event()
        self.hold.set()
        self.called = asyncio.Event()
        self.failure: Exception | None = None

    async def embed(self, texts: Sequence[str], purpose: str = "passage") -> list[list[float]]:
        self.called.set()
        await self.hold.wait()
        if self.failure:
            raise self.failure
        self.texts += texts
        return await super().embed(texts)


@dataclass
class Copy:
    """One copy: what it shares with the others, and what it does for index runs."""

    settings: Settings
    stores: Stores
    shared: SharedIndex
    embedder: Watched
    replica: Replica
    hand: Hand
    tasks: list["asyncio.Task[None]"] = field(default_factory=list)

    def start(self) -> None:
        """Lend a hand from now on, and beat."""
        self.tasks = [asyncio.create_task(self.replica.run()), asyncio.create_task(self.hand.run())]

    async def stop(self) -> None:
        """Stop as on SIGTERM: what is under way is left to others."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        if self.tasks:
            await self.shared.replicas.leave()
        self.tasks = []

    async def die(self) -> None:
        """Be gone as by kill -9: nothing more is done, no sign of life is given, and nothing is given back."""
        self.shared.parts.give_back = _nothing  # type: ignore[method-assign]
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.tasks = []

    async def buries(self, other: str) -> None:
        """Take another copy for dead, as after twelve seconds without a beat."""
        await self.replica._bury(other, "taken for dead")

    async def index(self, folder: Path) -> IndexReport:
        """Lead a run over the folder."""
        indexer = indexer_of(self.stores, self.settings, lambda *_: None)
        return await indexed(collection_of(folder), indexer, self.stores, self.settings)


@dataclass
class Office:
    """The database and the store that the copies share."""

    folder: Path
    known: dict[str, Any]

    @asynccontextmanager
    async def copy(self, embedder: Watched | None = None) -> AsyncIterator[Copy]:
        """Give a copy that does nothing yet."""
        settings = Settings(FOOTNOTE_DATA_DIR=self.folder / secrets.token_hex(4), **self.known)  # type: ignore[call-arg]
        embedder = embedder or Watched()
        async with opened(settings) as fresh:
            stores = replace(fresh, embedder=embedder)
            shared = shared_index(stores, settings, secrets.token_hex(4))
            replica = Replica(shared.replicas, shared.parts.take_over)
            hand = Hand(stores, shared, is_free=lambda: True, is_trusted=replica.is_trusted)
            made = Copy(settings, stores, shared, embedder, replica, hand)
            try:
                yield made
            finally:
                await made.stop()


async def _nothing(*_: object) -> None:
    pass


async def rows(stores: Stores) -> tuple[set[tuple[str, str]], dict[tuple[str, str, int], tuple[float, ...]]]:
    """Return the chunks of the live generation with their terms, and its vectors by place."""
    live = await stores.catalog.live()
    assert live
    chunks = {(str(row["id"]), str(row["tokens"])) for row in await stores.index.chunks(live.tables)}
    return chunks, await _vectors(stores, live.tables)


async def _vectors(stores: Stores, tables: Tables) -> dict[tuple[str, str, int], tuple[float, ...]]:
    table = await stores.index._store.table(f"passages_g{tables.base}", tables.passages)
    found = (await table.query().to_arrow()).to_pylist()
    assert len(found) == len({(row["chunk_id"], row["start"]) for row in found})
    return {(row["chunk_id"], row["key"], row["start"]): tuple(row["vector"]) for row in found}


def write_pages(folder: Path, count: int, word: str = "keys") -> None:
    """Write so many short pages in two languages, each of which names the one before it."""
    folder.mkdir(exist_ok=True)
    for n in range(count):
        name, text = (f"Room {n}", f"The {word} of room {n} hang beside room {n - 1}.") if n % 2 else (
            f"Комната {n}", f"Ключ {n} висит у комнаты {n - 1}. Его берёт дежурный.")  # fmt: skip
        (folder / f"{n:03}.md").write_text(f"# {name}\n\n{text}\n", "utf-8")
