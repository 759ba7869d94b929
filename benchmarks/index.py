"""Index runs: what they cost from the ground up, when nothing changed and when one paragraph did, and kill -9 of them.

python -m benchmarks.index [--documents N] [--texts N] [--kills N] [--json]

Times are given by the clock and of the processor alone, which other work on the machine changes less. With a stub in
place of the encoder the rest is measured; with the built-in encoder an index run is compared with the encoder alone on
the same texts, in one process, one after the other.
"""

import argparse
import asyncio
import json
import os
import random
import resource
import tempfile
import time
from array import array
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from zlib import crc32

from adapters.embedding.universal import UniversalEmbedder
from adapters.search.lance import LanceIndex
from adapters.storage.catalog import SqlCatalog
from adapters.storage.database import open_database
from benchmarks.index_corpus import SECTIONS, write_corpus
from benchmarks.index_kills import killed
from bot.allocator import share_what_is_freed
from bot.indexing import Indexer, IndexReport, collection_of
from core.ports import Embedder

Figures = dict[str, Any]


class Stub:
    """An embedder that costs nothing: vectors of the built-in one's length out of noise, no two texts alike."""

    id, dimension = "stub", UniversalEmbedder.dimension

    def __init__(self) -> None:
        chance = random.Random(1)  # noqa: S311 - the same every time, and nothing secret
        self._noise = array("f", (chance.gauss(0, 0.04) for _ in range(1_000_000)))

    async def prepare(self) -> None:
        """Do nothing."""

    async def embed(self, texts: Sequence[str], purpose: str = "passage") -> list[Sequence[float]]:  # noqa: ARG002
        """Return a vector for each text: a stretch of the noise, from a place that the text tells."""
        places = (crc32(text.encode()) % (len(self._noise) - self.dimension) for text in texts)
        return [self._noise[place : place + self.dimension] for place in places]


class Remembering:
    """The built-in encoder, which keeps the texts that it was given."""

    def __init__(self, encoder: UniversalEmbedder) -> None:
        self.id, self.dimension, self.texts = encoder.id, encoder.dimension, list[str]()
        self._encoder = encoder

    async def prepare(self) -> None:
        """Load the model."""
        await self._encoder.prepare()

    async def embed(self, texts: Sequence[str], purpose: str = "passage") -> list[list[float]]:  # noqa: ARG002
        """Return the encoder's vectors."""
        self.texts += texts
        return await self._encoder.embed(texts)


def main() -> None:
    """Measure, and print a line for each figure or one JSON object."""
    options = _options()
    share_what_is_freed()  # as `footnote index` does
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        # First of all: processes are forked, which wants nothing open.
        figures: Figures = {"kill -9": killed(folder / "kills", options.kills, options.seed)} if options.kills else {}
        if options.documents:
            figures |= asyncio.run(_with_a_stub(folder, options.documents, options.sections))
        if options.texts:
            figures["built-in encoder"] = asyncio.run(_with_the_encoder(folder / "encoder", options.texts))
    print(json.dumps(figures) if options.json else "\n".join(f"{name}: {value}" for name, value in figures.items()))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--documents", type=int, default=1_000, help="documents to index with a stub")
    parser.add_argument("--sections", type=int, default=SECTIONS, help="sections of a document, each a chunk")
    parser.add_argument("--texts", type=int, default=4_000, help="passages to embed with the built-in encoder")
    parser.add_argument("--kills", type=int, default=0, help="index runs to kill")
    parser.add_argument("--seed", type=int, default=11, help="of the changes and moments of the kills")
    parser.add_argument("--folder", type=Path, help="where to write, if not where temporary files are")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


@asynccontextmanager
async def _indexer(data: Path, embedder: Embedder) -> AsyncIterator[Indexer]:
    database = open_database(data / "footnote.db")
    await database.prepare()
    yield Indexer(SqlCatalog(database), LanceIndex(str(data / "index")), embedder, lambda *_: None, alone=True)
    await database.close()


async def _with_a_stub(folder: Path, documents: int, sections: int) -> Figures:
    """Return what runs cost over a folder: of everything, of nothing, and of one paragraph, unprepared and prepared."""
    write_corpus(folder / "docs", documents, sections)
    figures: Figures = {}
    async with _indexer(folder / "data", Stub()) as indexer:
        figures["everything anew"] = await _measured(_run(indexer, folder))
    async with _indexer(folder / "data", Stub()) as indexer:
        figures["unchanged, files young"] = await _measured(_run(indexer, folder))
        figures["unchanged"] = await _measured(_run(indexer, folder))
    for state in ("nothing known", "all known"):
        async with _indexer(folder / "data", Stub()) as indexer:
            if state == "all known":
                await indexer.remember()
            _change_a_paragraph(folder / "docs", state)
            figures[f"one paragraph changed, {state}"] = await _measured(_run(indexer, folder))
    whole, part = figures["everything anew"]["cpu s"], figures["one paragraph changed, nothing known"]["cpu s"]
    figures["times as cheap as anew"] = round(whole / part, 1)
    figures["peak memory MB"] = _most_memory(resource.RUSAGE_SELF)
    # Those beside it end before the index is settled, when this one holds most.
    figures["peak memory MB of a process beside it"] = _most_memory(resource.RUSAGE_CHILDREN)
    return figures


def _most_memory(whose: int) -> int:
    return resource.getrusage(whose).ru_maxrss // 1024


def _cpu() -> float:
    """Return the seconds of the processor that this process has taken, and those beside it that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _change_a_paragraph(folder: Path, words: str) -> None:
    path = folder / "000" / "page-00002.md"
    path.write_text(
        path.read_text("utf-8").replace("##", f"Here is {words} now. Nobody knew it before.\n\n##", 1), "utf-8"
    )


async def _run(indexer: Indexer, folder: Path) -> IndexReport:
    return await indexer.run(collection_of(folder / "docs"))


async def _measured(run: Awaitable[IndexReport]) -> Figures:
    wall, cpu = time.perf_counter(), _cpu()
    report = await run
    wall, cpu = time.perf_counter() - wall, _cpu() - cpu
    chunks = report.counts["chunks"]
    return {
        **report.counts,
        "embedded": report.embedded,
        "s": round(wall, 2),
        "cpu s": round(cpu, 2),
        **({"chunks/s": round(chunks / wall), "chunks/cpu s": round(chunks / cpu)} if report.changes.added else {}),
    }


async def _with_the_encoder(folder: Path, texts: int) -> Figures:
    """Return how much of its own pace the built-in encoder keeps in an index run."""
    encoder = Remembering(UniversalEmbedder(os.cpu_count() or 1))
    await encoder.prepare()
    write_corpus(folder / "first" / "docs", 2)
    async with _indexer(folder / "first" / "data", encoder) as indexer:
        await _run(indexer, folder / "first")  # what is loaded once is not counted
    encoder.texts = []
    write_corpus(folder / "docs", max(1, texts // 31))
    async with _indexer(folder / "data", encoder) as indexer:
        run = await _measured(_run(indexer, folder))
    given, encoder.texts = encoder.texts, []
    wall, cpu = time.perf_counter(), time.process_time()
    await encoder.embed(given)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {
        "run": run,
        "alone": {"texts": len(given), "s": round(wall, 2), "cpu s": round(cpu, 2)},
        "share of its own pace": {"s": round(wall / run["s"], 3), "cpu": round(cpu / run["cpu s"], 3)},
    }


if __name__ == "__main__":
    main()
