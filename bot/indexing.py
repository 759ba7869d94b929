"""Indexing a folder: load, chunk, embed, build a new generation beside the live one, switch over at once."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters.loaders.corpus import Corpus, load_corpus
from adapters.search.lance import LanceIndex
from adapters.storage.catalog import Generation, SqlCatalog
from core.errors import ConfigError, IngestError
from core.ingest.chunk import Chunk, chunks_of
from core.ingest.document import Document
from core.ingest.domain import read_domain
from core.ingest.sync import Changes, compare
from core.ports import Embedder
from core.text import terms

# What the terms of a chunk are made by: a change of it makes every index stale.
ANALYZER = "en-ru-snowball/1"
_EMBED_AT_ONCE = 256

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What an index run did. `problems` are the documents that could not be read; the rest is indexed."""

    title: str
    documents: int
    chunks: int
    passages: int
    changes: Changes
    problems: tuple[IngestError, ...]
    rebuilt: bool


async def index_folder(
    folder: Path, catalog: SqlCatalog, index: LanceIndex, embedder: Embedder, progress: Progress
) -> IndexReport:
    """Return what was done to make the folder the live generation; nothing is rebuilt when nothing changed.

    Raises ConfigError when the folder is missing, holds no readable document or declares a wrong domain.
    """
    progress("Reading", 0, 1)
    corpus = await asyncio.to_thread(load_corpus, folder)
    domain = read_domain(corpus.domain)
    if not corpus.documents:
        raise ConfigError(_nothing_readable(folder, corpus.problems))
    live = await catalog.live()
    changes = compare(await catalog.digests(live.number) if live else {}, corpus.documents)
    if live and not changes.any and _same_make(live, folder, corpus, embedder):
        return _report(domain.title, corpus, changes, live.counts["chunks"], live.counts["passages"], rebuilt=False)
    chunks = [(document, chunk) for document in corpus.documents for chunk in chunks_of(document)]
    passages = await _embedded(chunks, embedder, progress)
    number = await catalog.begin(
        source=str(folder.resolve()),
        title=domain.title,
        embedder=embedder.id,
        dimension=embedder.dimension,
        analyzer=ANALYZER,
        domain=corpus.domain,
    )
    await index.build(number, passages, [_chunk_row(document, chunk) for document, chunk in chunks], embedder.dimension)
    await catalog.store(number, corpus.documents)
    counts = {"documents": len(corpus.documents), "chunks": len(chunks), "passages": len(passages)}
    await catalog.publish(number, counts)
    await _forget_older(live, catalog, index)
    return _report(domain.title, corpus, changes, len(chunks), len(passages), rebuilt=True)


def _same_make(live: Generation, folder: Path, corpus: Corpus, embedder: Embedder) -> bool:
    made = (live.embedder, live.analyzer, dict(live.domain), live.source)
    return made == (embedder.id, ANALYZER, dict(corpus.domain), str(folder.resolve()))


def _nothing_readable(folder: Path, problems: Sequence[IngestError]) -> str:
    first = f" The first problem: {problems[0]}." if problems else ""
    return f"{folder} holds no document that can be read.{first} Footnote reads Markdown, text, HTML, PDF and DOCX."


async def _embedded(
    chunks: Sequence[tuple[Document, Chunk]], embedder: Embedder, progress: Progress
) -> list[dict[str, Any]]:
    rows = [_passage_row(document, chunk, n) for document, chunk in chunks for n in range(len(chunk.passages))]
    texts = [row.pop("text") for row in rows]
    for start in range(0, len(texts), _EMBED_AT_ONCE):
        progress("Embedding", start, len(texts))
        vectors = await embedder.embed(texts[start : start + _EMBED_AT_ONCE])
        for row, vector in zip(rows[start : start + _EMBED_AT_ONCE], vectors, strict=True):
            row["vector"] = vector
    progress("Embedding", len(texts), len(texts))
    return rows


def _passage_row(document: Document, chunk: Chunk, n: int) -> dict[str, Any]:
    span = chunk.passages[n]
    return {
        "chunk_id": chunk.id,
        "doc_id": document.id,
        "kind": document.kind,
        "start": span.start,
        "end": span.end,
        "readers": sorted(document.readers),
        "text": span.within(document.text),
    }


def _chunk_row(document: Document, chunk: Chunk) -> dict[str, Any]:
    text = document.text[chunk.start : chunk.end]
    return {
        "id": chunk.id,
        "doc_id": document.id,
        "kind": document.kind,
        "tokens": " ".join(terms(f"{document.title}\n{' '.join(chunk.headings)}\n{text}")),
        "readers": sorted(document.readers),
    }


async def _forget_older(retired: Generation | None, catalog: SqlCatalog, index: LanceIndex) -> None:
    """Drop the generation before the one just retired: readers may still be in that one."""
    if retired and retired.number > 1:
        await index.drop(retired.number - 1)
        await catalog.drop(retired.number - 1)


def _report(
    title: str, corpus: Corpus, changes: Changes, chunks: int, passages: int, *, rebuilt: bool
) -> IndexReport:
    return IndexReport(title, len(corpus.documents), chunks, passages, changes, corpus.problems, rebuilt)
