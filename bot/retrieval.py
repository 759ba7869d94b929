"""A collection searched as the bot searches: indexed in a folder of its own, every question asked of each engine."""

import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from adapters.search.hybrid import HybridSearch
from bot.indexing import Indexer, Progress, collection_of
from bot.knowledge import load
from bot.settings import Settings
from bot.wiring import Stores, opened
from core.beir import Collection, Record
from core.conversation import Audience
from core.errors import IngestError
from core.measures import averages, ranked
from core.ports import Embedder, SearchQuery

# Questions that are timed, one after the other; all of them are asked.
TIMED = 100
_EMBED_AT_ONCE = 256
_TITLE = 60
_ANYBODY = Audience("evaluation", frozenset())


@dataclass(frozen=True, slots=True)
class Findings:
    """How good each engine is, and how many milliseconds a question takes, by measure.

    `counts`: documents, chunks, passages and questions. `problems`: documents that could not be indexed.
    """

    counts: Mapping[str, int]
    engines: Mapping[str, Mapping[str, float]]
    milliseconds: Mapping[str, Mapping[str, float]]
    problems: tuple[IngestError, ...]


class _Remembering:
    """An embedder that knows the vectors of the questions already, so that many are made in one go."""

    def __init__(self, embedder: Embedder) -> None:
        self.id, self.dimension = embedder.id, embedder.dimension
        self._embedder = embedder
        self._known: dict[str, Sequence[float]] = {}

    async def prepare(self) -> None:
        await self._embedder.prepare()

    async def embed(
        self, texts: Sequence[str], purpose: Literal["passage", "query"] = "passage"
    ) -> Sequence[Sequence[float]]:
        if purpose == "query" and all(text in self._known for text in texts):
            return [self._known[text] for text in texts]
        return await self._embedder.embed(texts, purpose)

    async def learn(self, texts: Sequence[str], progress: Progress) -> None:
        distinct = list(dict.fromkeys(texts))
        for start in range(0, len(distinct), _EMBED_AT_ONCE):
            some = distinct[start : start + _EMBED_AT_ONCE]
            self._known |= zip(some, await self._embedder.embed(some, "query"), strict=True)
            progress("Embedding", start + len(some), len(distinct))


async def evaluate(collection: Collection, settings: Settings, progress: Progress) -> Findings:
    """Return how well the collection's questions find its documents, by the settings' embedder and engines.

    Nothing of the live index is touched. Raises ConfigError, ModelError and SearchError.
    """
    with tempfile.TemporaryDirectory(prefix="footnote-") as folder:
        # What is measured is the bot as it is set up, but for where it keeps its things.
        apart = {"data_dir": Path(folder) / "data", "database_url": None, "index_url": None}
        names = write_documents(collection.documents, Path(folder) / "documents")
        async with opened(settings.model_copy(update=apart)) as stores:
            indexer = Indexer(stores.catalog, stores.index, stores.embedder, progress, alone=True)
            report = await indexer.run(collection_of(Path(folder) / "documents"))
            made, milliseconds = await _measured(stores, collection, names, progress)
    counts = {**report.counts, "questions": len(collection.questions)}
    problems = [IngestError(f"document {names.get(one.path, one.path)!r}", one.reason) for one in report.problems]
    return Findings(counts, made, milliseconds, tuple(problems))


def write_documents(documents: Mapping[str, Record], folder: Path) -> dict[str, str]:
    """Return the id of each document by the name of the file that it was written to.

    A document without a title goes by how it begins, so that no file name is taken for one.
    """
    folder.mkdir()
    names = {f"{number}.txt": id_ for number, id_ in enumerate(documents)}
    for name, id_ in names.items():
        record = documents[id_]
        title = " ".join((record.title.strip() or record.text.strip()[:_TITLE]).split())
        (folder / name).write_text(f"{title}\n{'=' * max(3, len(title))}\n\n{record.text}", encoding="utf-8")
    return names


async def _measured(
    stores: Stores, collection: Collection, names: Mapping[str, str], progress: Progress
) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Return the measures of each engine, and the milliseconds that embedding and searching take."""
    live = await stores.catalog.live()
    assert live is not None, "the indexer publishes what it made"
    embedder = _Remembering(stores.embedder)
    search = (await load(live, replace(stores, embedder=embedder))).search
    assert isinstance(search, HybridSearch), "nothing else says what each engine found"
    await search.warm()
    homes = {str(row["id"]): names[row["doc_id"]] for row in await stores.index.chunks(live.tables)}
    texts = [question.text for question in collection.questions.values()]
    timed = texts[:: max(1, len(texts) // TIMED)]
    embedding = await _timed(lambda text: stores.embedder.embed([text], "query"), timed, progress)
    await embedder.learn(texts, progress)
    searching = await _timed(lambda text: search.find(SearchQuery(text), _ANYBODY), timed, progress)
    return await _judged(search, collection, homes, progress), {"embedding": embedding, "search": searching}


async def _judged(
    search: HybridSearch, collection: Collection, homes: Mapping[str, str], progress: Progress
) -> dict[str, dict[str, float]]:
    """Return the measures of each engine and of their fusion. `homes`: the document of each chunk."""
    runs: dict[str, list[tuple[list[str], Mapping[str, int]]]] = {"meaning": [], "words": [], "fused": []}
    for done, (id_, question) in enumerate(collection.questions.items(), 1):
        ranks = await search.rank(SearchQuery(question.text), _ANYBODY)
        for engine, scores in (("meaning", ranks.by_meaning), ("words", ranks.by_words), ("fused", ranks.fused)):
            runs[engine].append((ranked(best_of_each(scores, homes)), collection.grades[id_]))
        progress("Asking", done, len(collection.questions))
    return {engine: averages(run) for engine, run in runs.items()}


def best_of_each(scores: Mapping[str, float], homes: Mapping[str, str]) -> dict[str, float]:
    """Return for each document the score of its best chunk."""
    best: dict[str, float] = {}
    for chunk, score in scores.items():
        best[homes[chunk]] = max(score, best.get(homes[chunk], score))
    return best


async def _timed(
    call: Callable[[str], Awaitable[object]], texts: Sequence[str], progress: Progress
) -> dict[str, float]:
    """Return the median and the 95th percentile of the milliseconds that a call takes, one after the other."""
    taken = []
    for done, text in enumerate(texts, 1):
        begun = time.perf_counter()
        await call(text)
        taken.append((time.perf_counter() - begun) * 1e3)
        progress("Timing", done, len(texts))
    return {"p50": percentile(taken, 50), "p95": percentile(taken, 95)}


def percentile(numbers: Sequence[float], share: int) -> float:
    """Return the number that `share` of a hundred are not above (nearest rank); there is at least one number."""
    return sorted(numbers)[max(0, -(-len(numbers) * share // 100) - 1)]
