"""How long a search takes, part by part, how exact it is, and how it stands beside other libraries' hybrid search.

python -m benchmarks.retrieval [--chunks 10000 100000] [--queries 200] [--dimension 512] [--lance] [--rivals] [--json]

The model that makes vectors is left out: vectors are drawn. Times are by the clock and, in brackets as `cpu`, of all
threads of the process, which other work on the machine moves less.
"""

import argparse
import asyncio
import json
import resource
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from adapters.search.hybrid import HybridSearch, where_of
from adapters.search.lance import LanceIndex
from adapters.search.lexical_port import Where
from benchmarks.figures import Figures, percentile, told
from benchmarks.retrieval_corpus import Asked, Documents
from core.conversation import Audience
from core.entities import Registry
from core.ingest.generation import Tables

T = TypeVar("T")
AUDIENCE = Audience("benchmark", frozenset({"group1"}))
DOCUMENTS_AT_ONCE = 500
EXACT = 40  # questions that the exact search answers too: it looks at every vector
CHANGED = 20


def main() -> None:
    """Print the figures for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--dimension", type=int, default=512)
    parser.add_argument("--lance", action="store_true", help="search words in LanceDB, not in memory")
    parser.add_argument("--rivals", action="store_true", help="ask other libraries the same questions")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = {f"{size} chunks": asyncio.run(measured(size, options)) for size in options.chunks}
    print(json.dumps(figures) if options.json else "\n".join(told(figures)))


@dataclass(frozen=True)
class Drawn:
    """An embedder whose vectors are known."""

    vectors: dict[str, list[float]]
    id: str = "drawn"
    dimension: int = 0

    async def prepare(self) -> None:
        """Do nothing."""

    async def embed(self, texts: Sequence[str], purpose: str = "passage") -> list[list[float]]:
        """Return the vectors of known questions."""
        del purpose
        return [self.vectors[text] for text in texts]


async def measured(size: int, options: argparse.Namespace) -> Figures:
    """Return the figures of one corpus."""
    documents = Documents(size, options.dimension)
    asked = documents.asked(options.queries)
    with tempfile.TemporaryDirectory() as folder:
        index = LanceIndex(folder, full_text=options.lance)
        built, tables = await built_with(index, documents, options.dimension)
        begun = memory()
        search = HybridSearch(index, tables, documents, Registry(), embedder_of(asked))
        loaded, _ = await timed(search.warm)
        figures = {
            **built,
            "load s": loaded.wall,
            **await searching(search, asked),
            **await exactness(search, asked),
            "memory MB": {"before": begun, "after the searches": memory(), "most while building": highest()},
            **await changing(search, documents),
            "quality": await quality(search, asked),
        }
    if options.rivals:
        from benchmarks.retrieval_rivals import beside

        figures |= beside(documents, asked, figures)
    return figures


class Taken(NamedTuple):
    """The seconds that a call took: by the clock, and of the processor in all threads."""

    wall: float
    cpu: float


async def timed(call: Callable[[], Awaitable[T]]) -> tuple[Taken, T]:
    """Return what the call took, and what it gave."""
    wall, cpu = time.perf_counter(), time.process_time()
    given = await call()
    return Taken(time.perf_counter() - wall, time.process_time() - cpu), given


async def built_with(index: LanceIndex, documents: Documents, dimension: int) -> tuple[Figures, Tables]:
    """Return the settled tables, and what writing and settling took."""
    ids = list(documents)

    async def write() -> Tables:
        tables = await index.create(1, dimension)
        for start in range(0, len(ids), DOCUMENTS_AT_ONCE):
            rows = await asyncio.to_thread(documents.rows, ids[start : start + DOCUMENTS_AT_ONCE])
            tables = await index.change(tables, (), *rows)
        return tables

    written, tables = await timed(write)
    settled, tables = await timed(lambda: index.settle(tables))
    again, _ = await timed(lambda: index.settle(tables))
    return {"write s": written._asdict(), "settle s": settled._asdict(), "settle again s": again._asdict()}, tables


def embedder_of(asked: Sequence[Asked]) -> Any:
    """Return what knows the vectors of the questions."""
    return Drawn({one.query.text: one.vector.tolist() for one in asked})


async def searching(search: HybridSearch, asked: Sequence[Asked]) -> Figures:
    """Return how long a search takes as a whole, and each part by itself."""
    lexical = await search._loaded()  # noqa: SLF001 - a part of the search, measured by itself
    where = where_of(asked[0].query, AUDIENCE)
    parts: dict[str, Callable[[Asked], Awaitable[object]]] = {
        "find": lambda one: search.find(one.query, AUDIENCE),
        "find again": lambda one: search.find(one.query, AUDIENCE),
        "both engines and fusion": lambda one: search.rank(one.query, AUDIENCE),
        "meaning": lambda one: search.index.nearest(search.tables, one.vector.tolist(), where, 200),
        "meaning, no filter": lambda one: search.index.nearest(search.tables, one.vector.tolist(), None, 200),
        "words": lambda one: lexical.find(one.query.text.split(), 40, where),
        "weights": lambda one: lexical.weights(one.query.text.split(), where),
    }
    figures = {}
    for one in asked[:10]:  # what is opened once is opened now
        await search.rank(one.query, AUDIENCE)
    for name, call in parts.items():
        taken = [(await timed(partial(call, one)))[0] for one in asked]
        figures[f"{name} ms"] = spread(taken)
    return figures


async def exactness(search: HybridSearch, asked: Sequence[Asked]) -> Figures:
    """Return how many of the ten truly nearest passages are found, and what finding them exactly takes."""
    table = await search.index._store.table("passages_g1", search.tables.passages)  # noqa: SLF001 - past the index
    figures: Figures = {}
    for name, where in (("", None), (" with a filter", where_of(asked[0].query, AUDIENCE))):
        shared, scans = 0, []
        for one in asked[:EXACT]:
            taken, exact = await timed(partial(_exact, table, one, where))
            scans.append(taken)
            found = await search.index.nearest(search.tables, one.vector.tolist(), where, 200)
            shared += len({near.chunk_id for near in found[:10]} & exact)
        figures[f"recall@10{name}"] = shared / (10 * len(scans))
        figures[f"exact search{name} ms"] = spread(scans)
    return figures


async def _exact(table: Any, one: Asked, where: Where | None) -> set[str]:
    from adapters.search.lance_filter import clauses

    query = table.query().nearest_to(one.vector).distance_type("cosine").bypass_vector_index()
    query = query.where(clauses(where)) if where else query
    rows = await query.select(["chunk_id", "_distance"]).limit(10).to_arrow()
    return set(rows["chunk_id"].to_pylist())


async def changing(search: HybridSearch, documents: Documents) -> Figures:
    """Return what it takes to write, settle and take over a generation in which one document changed."""
    passages, chunks = documents.rows(["d5"])
    writing, settling, taking = [], [], []
    tables, now = search.tables, search
    for _ in range(CHANGED):
        taken, tables = await timed(lambda: search.index.change(tables, ["d5"], passages, chunks))  # noqa: B023
        writing.append(taken)
        taken, tables = await timed(lambda: search.index.settle(tables))  # noqa: B023 - called at once
        settling.append(taken)
        now = now.changed(tables, documents, Registry(), ["d5"])
        taking.append((await timed(now.warm))[0])
    return {
        "write a changed document ms": spread(writing),
        "settle after it ms": spread(settling),
        "take over ms": spread(taking),
    }


async def quality(search: HybridSearch, asked: Sequence[Asked]) -> Figures:
    """Return how often the text that a question was made from is found."""
    found = [(await search.find(one.query, AUDIENCE)).facts for one in asked]
    return judged([[fact.chunk_id for fact in facts] for facts in found], asked)


def judged(found: Sequence[Sequence[str]], asked: Sequence[Asked]) -> Figures:
    """Return the share of questions whose answer comes first and among the first eight, and its mean 1/rank."""
    ranks = [ids.index(one.answer) + 1 if one.answer in ids else 0 for ids, one in zip(found, asked, strict=True)]
    return {
        "first": sum(rank == 1 for rank in ranks) / len(ranks),
        "of the first 8": sum(1 <= rank <= 8 for rank in ranks) / len(ranks),
        "mean 1/rank": sum(1 / rank for rank in ranks if rank) / len(ranks),
    }


def spread(taken: Sequence[Taken]) -> Figures:
    """Return the median and the 95th percentile, in milliseconds."""
    walls, cpus = [one.wall * 1e3 for one in taken], [one.cpu * 1e3 for one in taken]
    return {
        "p50": percentile(walls, 0.5),
        "p95": percentile(walls, 0.95),
        "cpu p50": percentile(cpus, 0.5),
        "cpu p95": percentile(cpus, 0.95),
    }


def memory() -> float:
    """Return the megabytes that the process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def highest() -> float:
    """Return the most megabytes that the process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


if __name__ == "__main__":
    main()
