"""How fast lexical search is beside rank-bm25's own scan, in one run, and what changing, saving and holding it costs.

python -m benchmarks.lexical [--chunks 10000 100000] [--queries 200] [--lance] [--json]
"""

import argparse
import asyncio
import gc
import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from rank_bm25 import BM25Okapi

from adapters.search.lance import LanceIndex
from adapters.search.lexical import LexicalIndex
from adapters.search.lexical_port import Row, Where
from benchmarks.figures import Figures, percentile, told

T = TypeVar("T")
TYPES = 120_000  # distinct words of the language; how often each occurs follows Zipf and Mandelbrot
TERMS = 120  # of a chunk, on average
PER_DOCUMENT = 10
TOP = 20
SCANS = 40  # queries that rank-bm25 answers too: one takes a third of a second at 100,000 chunks
CHANGES = 200


def main() -> None:
    """Print the figures for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--lance", action="store_true", help="measure LanceDB's full text over the same terms too")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = {f"{size} chunks": measured(size, options.queries, lance=options.lance) for size in options.chunks}
    print(json.dumps(figures) if options.json else "\n".join(told(figures)))


def measured(size: int, queries: int, *, lance: bool) -> Figures:
    """Return the figures of one corpus."""
    language = Language(np.random.default_rng(size))
    rows = list(language.rows(size))
    asked = [language.query(rows) for _ in range(queries)]
    taken, index = timed(lambda: LexicalIndex.of(rows))
    return {
        "build s": taken._asdict(),
        "memory MB": memory(index),
        **searching(index, rows, asked),
        **changing(index, language),
        **saving(index),
        **({"LanceDB": asyncio.run(in_lance(rows, asked))} if lance else {}),
    }


class Taken(NamedTuple):
    """The seconds that a call took: by the clock, and of the processor, which other work on the machine moves less."""

    wall: float
    cpu: float


class Language:
    """Makes chunks and questions of it; the same seed gives the same."""

    def __init__(self, random: np.random.Generator) -> None:
        self._random = random
        weights = 1 / (np.arange(TYPES) + 2.7)
        self._upto = np.cumsum(weights / weights.sum())
        self._words = np.array([f"слово{n}" if n % 2 else f"word{n}" for n in range(TYPES)], dtype=object)

    def rows(self, count: int, first: int = 0) -> Iterator[Row]:
        """Yield chunks, ten to a document, one document in seven for one of three groups alone."""
        for number in range(first, first + count):
            length = max(8, int(self._random.normal(TERMS, 30)))
            places = np.minimum(np.searchsorted(self._upto, self._random.random(length)), TYPES - 1)
            document = number // PER_DOCUMENT
            readers = frozenset([f"group{document % 3}"]) if document % 7 == 0 else frozenset[str]()
            kind = ("page", "policy", "how-to")[document % 3]
            yield Row(f"doc{document}#{number}", self._words[places].tolist(), f"doc{document}", kind, readers)

    def query(self, rows: Sequence[Row]) -> list[str]:
        """Return three to eight distinct terms of one chunk, frequent ones as often as they occur."""
        distinct = sorted(set(rows[int(self._random.integers(len(rows)))].terms))
        size = min(len(distinct), int(self._random.integers(3, 9)))
        return [distinct[n] for n in self._random.choice(len(distinct), size, replace=False)]


def searching(index: LexicalIndex, rows: Sequence[Row], asked: Sequence[list[str]]) -> Figures:
    """Return how long searches take, how much longer the full scan does, and whether both find the same."""
    where = Where(frozenset({"group1"}), kinds=frozenset({"page", "policy"}))
    index.find(asked[0], TOP, where)
    plain = [timed(partial(index.find, terms, TOP))[0] for terms in asked]
    narrowed = [timed(partial(index.find, terms, TOP, where))[0] for terms in asked]
    full, alike, apart, own, scans = BM25Okapi([list(row.terms) for row in rows]), 0, 0.0, [], []
    for terms in asked[:SCANS]:  # one after the other, so that a busy machine slows both
        seconds, scores = timed(partial(full.get_scores, terms))
        scans.append(seconds)
        seconds, found = timed(partial(index.find, terms, TOP))
        own.append(seconds)
        best = np.lexsort((np.arange(len(scores)), -scores))[: len(found)]
        alike += list(found) == [rows[place].id for place in best]
        apart = max(apart, float(np.abs(index.scores(terms) - scores).max()))
    return {
        "query ms": spread(plain),
        "query with a filter ms": spread(narrowed),
        "rank-bm25 scan ms": spread(scans),
        "times as fast": {name: of_scan / spread(own)[name] for name, of_scan in spread(scans).items()},
        "same top 20": alike / len(scans),
        "largest difference of a score": apart,
    }


async def in_lance(rows: Sequence[Row], asked: Sequence[list[str]]) -> Figures:
    """Return how long LanceDB takes by the clock: it works in threads of its own."""
    where = Where(frozenset({"group1"}), kinds=frozenset({"page", "policy"}))
    with tempfile.TemporaryDirectory() as folder:
        index = LanceIndex(folder, full_text=True)

        async def spent(call: Awaitable[object]) -> float:
            begun = time.perf_counter()
            await call
            return (time.perf_counter() - begun) * 1e3

        async def build() -> None:
            tables = await index.create(1, 1)
            for start in range(0, len(rows), 5_000):
                await index.change(tables, [], [], stored(rows[start : start + 5_000]))
            await index.settle(tables)

        built = await spent(build())
        lexical = index.lexical(await index.latest(1))
        await lexical.find(asked[0], TOP, where)
        plain = [await spent(lexical.find(terms, TOP, None)) for terms in asked]
        narrowed = [await spent(lexical.find(terms, TOP, where)) for terms in asked]
        weighed = [await spent(lexical.weights(terms, None)) for terms in asked]
        again = [[row._replace(id=f"new{n}#{row.id}") for row in rows[:PER_DOCUMENT]] for n in range(20)]
        added = [await spent(index.change(lexical.tables, [], [], stored(document))) for document in again]
        size = size_of(folder)
    named = {"query": plain, "query with a filter": narrowed, "weights": weighed, "add one document": added}
    return {
        "build s": built / 1e3,
        **{f"{name} ms": {"p50": percentile(ms, 0.5), "p95": percentile(ms, 0.95)} for name, ms in named.items()},
        "disk MB": size / 1e6,
    }


def stored(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the rows as an index run gives them."""
    return [{**row._asdict(), "n": 0, "day": 0, "tokens": " ".join(row.terms)} for row in rows]


def size_of(folder: str) -> int:
    """Return the bytes of all files in the folder."""
    return sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())


def changing(index: LexicalIndex, language: Language) -> Figures:
    """Return what it costs to add a document, to replace one and to merge, and how long a search takes meanwhile."""
    adding, replacing, merging, searches = [], [], [], []
    size, terms = len(index), next(language.rows(1)).terms[:5]
    for number in range(CHANGES):
        coming = list(language.rows(PER_DOCUMENT, size + number * PER_DOCUMENT))
        adding.append(timed(lambda: index.changed([], coming)))  # noqa: B023 - called at once
        index = adding[-1][1]
        again = [row._replace(terms=row.terms[::-1]) for row in coming]
        replacing.append(timed(lambda: index.changed([row.id for row in again], again)))  # noqa: B023 - called at once
        index = replacing[-1][1]
        searches.append(timed(lambda: index.find(terms, TOP))[0])  # noqa: B023 - called at once
        if number % 50 == 49 and index.wants_merging:
            seconds, index = timed(index.merged)
            merging.append(seconds)
    return {
        "add one document ms": spread([seconds for seconds, _ in adding]),
        "replace one document ms": spread([seconds for seconds, _ in replacing]),
        "query between changes ms": spread(searches),
        "merge ms": spread(merging),
    }


def saving(index: LexicalIndex) -> Figures:
    """Return how long writing and reading take and how large the file is."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lexical.npz"
        saved, _ = timed(lambda: index.save(path))
        loaded, _ = timed(lambda: LexicalIndex.load(path))
        return {"save s": saved._asdict(), "load s": loaded._asdict(), "file MB": path.stat().st_size / 1e6}


def memory(index: LexicalIndex) -> Figures:
    """Return what the arrays take, and what the words and ids do."""
    tables, segments = index._tables, index._segments  # noqa: SLF001 - nobody else needs to know
    strings = [*tables.terms, *tables.docs, *(id_ for segment in segments for id_ in segment.ids)]
    holders: list[Any] = [
        tables.terms,
        tables.docs,
        *(x for segment in segments for x in (segment.ids, segment.places)),
    ]
    numbers = len(tables.terms) + sum(len(segment.ids) for segment in segments)
    words = sum(map(sys.getsizeof, [*strings, *holders])) + numbers * sys.getsizeof(1 << 20)
    return {"arrays": index.bytes() / 1e6, "words and ids": words / 1e6}


def timed(call: Callable[[], T]) -> tuple[Taken, T]:
    """Return what the call took, and what it gave."""
    gc.disable()
    wall, cpu = time.perf_counter(), time.thread_time()
    given = call()
    taken = Taken(time.perf_counter() - wall, time.thread_time() - cpu)
    gc.enable()
    return taken, given


def spread(taken: Sequence[Taken]) -> Figures:
    """Return the median and the 95th percentile, in milliseconds: as a clock saw it, and of the processor alone."""
    walls, cpus = [one.wall * 1e3 for one in taken], [one.cpu * 1e3 for one in taken]
    return {
        "p50": percentile(walls, 0.5),
        "p95": percentile(walls, 0.95),
        "cpu p50": percentile(cpus, 0.5),
        "cpu p95": percentile(cpus, 0.95),
    }


if __name__ == "__main__":
    main()
