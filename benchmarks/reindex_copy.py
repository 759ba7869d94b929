"""One process of `benchmarks.reindex`: it leads an index run, or lends a hand as `footnote run` does, until killed."""

import argparse
import asyncio
import hashlib
import secrets
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from bot.index_run import Hand, indexed, indexer_of
from bot.indexing import Indexer, collection_of
from bot.replica import Replica
from bot.settings import Settings, read_settings
from bot.wiring import Stores, opened, shared_index
from core.ingest import rows
from core.ports import Embedder

# So many texts are one request to a provider.
_REQUEST = 64


class Paid:
    """An embedder that notes each text that it was paid for; by itself it takes a fixed time for each request."""

    def __init__(self, journal: Path, latency: float, real: Embedder | None) -> None:
        self._journal = journal
        self._latency = latency
        self._real = real
        self.id = real.id if real else "fixed-latency"
        self.dimension = real.dimension if real else 32

    async def prepare(self) -> None:
        """Load what there is to load."""
        if self._real:
            await self._real.prepare()
            self.dimension = self._real.dimension

    async def embed(
        self, texts: Sequence[str], purpose: Literal["passage", "query"] = "passage"
    ) -> Sequence[Sequence[float]]:
        """Return the vectors, which follow from the texts alone."""
        digests = [hashlib.sha256(text.encode()).digest() for text in texts]
        with self._journal.open("a", encoding="ascii") as journal:
            journal.writelines(f"{digest.hex()}\n" for digest in digests)
        if self._real:
            return await self._real.embed(texts, purpose)
        await asyncio.sleep(self._latency * -(-len(texts) // _REQUEST))
        return [[byte / 255 for byte in digest] for digest in digests]


async def main() -> None:
    """Do what the arguments say."""
    given = _arguments()
    rows.CHUNKS_AT_ONCE = given.part
    settings = read_settings()
    async with opened(settings) as fresh:
        real = fresh.embedder if given.encoder == "built-in" else None
        stores = replace(fresh, embedder=Paid(given.journal, given.latency, real))
        await stores.embedder.prepare()
        stores.index.warm()
        await {"alone": _alone, "lead": _lead, "help": _help}[given.role](stores, settings, given.folder)


async def _alone(stores: Stores, _: Settings, folder: Path) -> None:
    _started()
    await Indexer(stores.catalog, stores.index, stores.embedder, lambda *_: None).run(collection_of(folder))


async def _lead(stores: Stores, settings: Settings, folder: Path) -> None:
    _started()
    await indexed(collection_of(folder), indexer_of(stores, settings, lambda *_: None), stores, settings)


async def _help(stores: Stores, settings: Settings, _: Path) -> None:
    shared = shared_index(stores, settings, secrets.token_hex(8))
    replica = Replica(shared.replicas, shared.parts.take_over)
    await replica.register(alone=False)
    _started()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(replica.run())
        tasks.create_task(Hand(stores, shared, is_free=lambda: True, is_trusted=replica.is_trusted).run())


def _started() -> None:
    """Say that we are ready, and wait for the word to begin."""
    print("ready", flush=True)
    sys.stdin.readline()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("role", choices=("alone", "lead", "help"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("journal", type=Path)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--part", type=int, default=100)
    parser.add_argument("--encoder", default="fixed")
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main())
