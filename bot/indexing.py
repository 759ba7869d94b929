"""Indexing a folder: load, chunk, embed, build a new generation beside the live one, switch over at once."""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from adapters.loaders.corpus import DOMAIN, Corpus, load_corpus
from adapters.search.lance import LanceIndex
from adapters.storage.catalog import Generation, SqlCatalog
from core.entities import Registry, make_registry, named_terms
from core.errors import ConfigError, IngestError
from core.facts import Span
from core.ingest.chunk import Chunk, chunks_of
from core.ingest.document import Document
from core.ingest.domain import read_domain
from core.ingest.graph import context_of, entities_of, with_names
from core.ingest.sync import Changes, compare
from core.ports import Embedder

# What the terms of a chunk are made by: a change of it makes every index stale.
ANALYZER = "en-ru-snowball-names/3"
_EMBED_AT_ONCE = 256

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What an index run did.

    `counts`: documents, chunks and passages; `problems`: documents that could not be read, the rest is indexed.
    """

    title: str
    counts: Mapping[str, int]
    changes: Changes
    problems: tuple[IngestError, ...]
    rebuilt: bool


async def index_folder(
    folder: Path, catalog: SqlCatalog, index: LanceIndex, embedder: Embedder, progress: Progress
) -> IndexReport:
    """Return what was done to make the folder the live generation; nothing is rebuilt when nothing changed or was lost.

    Raises ConfigError when the folder is missing, holds no readable document or declares a wrong domain.
    """
    source = os.path.realpath(folder)  # noqa: ASYNC240 — one look at a local folder
    progress("Reading", 0, 1)
    corpus = await asyncio.to_thread(load_corpus, folder)
    _check_domain_was_read(corpus.problems)
    domain = read_domain(corpus.domain)
    if not corpus.documents:
        raise ConfigError(_nothing_readable(folder, corpus.problems))
    corpus = replace(corpus, documents=with_names(corpus.documents, domain.entities))
    registry = make_registry(entities_of(corpus.documents, domain.entities))
    live = await catalog.live()
    changes = compare(await catalog.digests(live.number) if live else {}, corpus.documents)
    is_same = live and not changes.any and _same_make(live, source, corpus, embedder)
    if live and is_same and await index.holds(live.number):
        return IndexReport(domain.title, live.counts, changes, corpus.problems, rebuilt=False)
    chunks = [(document, chunk) for document in corpus.documents for chunk in chunks_of(document)]
    passages = await _embedded(chunks, embedder, progress)
    number = await catalog.begin(
        source=source,
        title=domain.title,
        embedder=embedder.id,
        dimension=embedder.dimension,
        analyzer=ANALYZER,
        domain=corpus.domain,
    )
    await index.build(
        number, passages, [_chunk_row(document, chunk, registry) for document, chunk in chunks], embedder.dimension
    )
    await catalog.store(number, corpus.documents)
    counts = {"documents": len(corpus.documents), "chunks": len(chunks), "passages": len(passages)}
    await catalog.publish(number, counts)
    await _forget_older(live, catalog, index)
    return IndexReport(domain.title, counts, changes, corpus.problems, rebuilt=True)


def _same_make(live: Generation, source: str, corpus: Corpus, embedder: Embedder) -> bool:
    made = (live.embedder, live.analyzer, dict(live.domain), live.source)
    return made == (embedder.id, ANALYZER, dict(corpus.domain), source)


def _check_domain_was_read(problems: Sequence[IngestError]) -> None:
    """Raise ConfigError when the domain could not be read: without it the new index would know less than the old."""
    for problem in problems:
        if problem.path == DOMAIN:
            raise ConfigError(f"{' '.join(str(problem).split())}. Correct that and index again.")


def _nothing_readable(folder: Path, problems: Sequence[IngestError]) -> str:
    first = f" The first problem: {problems[0]}." if problems else ""
    return f"{folder} holds no document that can be read.{first} Footnote reads Markdown, text, HTML, PDF and DOCX."


async def _embedded(
    chunks: Sequence[tuple[Document, Chunk]], embedder: Embedder, progress: Progress
) -> list[dict[str, Any]]:
    rows = [_passage_row(document, chunk, span) for document, chunk in chunks for span in chunk.passages]
    texts = [
        f"{_heading(document, chunk)}: {span.within(document.text)}"
        for document, chunk in chunks
        for span in chunk.passages
    ]
    for start in range(0, len(rows), _EMBED_AT_ONCE):
        progress("Embedding", start, len(rows))
        vectors = await embedder.embed(texts[start : start + _EMBED_AT_ONCE])
        for row, vector in zip(rows[start:], vectors, strict=False):
            row["vector"] = vector
    progress("Embedding", len(rows), len(rows))
    return rows


def _heading(document: Document, chunk: Chunk) -> str:
    """Return what stands before a passage when it is embedded: by itself a sentence does not say what it is about.

    On the example suites this found 75 of 110 facts, passages by themselves 63, an average of both 65.
    """
    return f"{document.title} — {chunk.headings[-1]}" if chunk.headings else document.title


def _passage_row(document: Document, chunk: Chunk, span: Span) -> dict[str, Any]:
    return {
        "chunk_id": chunk.id,
        "doc_id": document.id,
        "kind": document.kind,
        "start": span.start,
        "end": span.end,
        "readers": sorted(document.readers),
    }


def _chunk_row(document: Document, chunk: Chunk, registry: Registry) -> dict[str, Any]:
    text = document.text[chunk.start : chunk.end]
    return {
        "id": chunk.id,
        "doc_id": document.id,
        "kind": document.kind,
        "tokens": " ".join(named_terms(f"{context_of(document, chunk.headings)}\n{text}", registry)),
        "readers": sorted(document.readers),
    }


async def _forget_older(retired: Generation | None, catalog: SqlCatalog, index: LanceIndex) -> None:
    """Drop all generations before the one just retired, unfinished ones too: readers may still be in that one."""
    for number in await catalog.before(retired.number) if retired else ():
        await catalog.drop(number)
        await index.drop(number)
