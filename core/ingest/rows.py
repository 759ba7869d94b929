"""The rows of an index: what is stored of a passage and of a chunk."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from core.entities import Registry, named_terms
from core.facts import Span
from core.ingest.chunk import Chunk, chunks_of
from core.ingest.document import Document
from core.ingest.graph import context_of

# Chunks that are stored together; what is stored is not made again after an interruption.
CHUNKS_AT_ONCE = 500


def in_parts(documents: Sequence[Document]) -> Iterator[tuple[list[Document], list[tuple[Document, Chunk]]]]:
    """Yield the documents with their chunks, at least CHUNKS_AT_ONCE of them at a time but for the last."""
    part: list[Document] = []
    chunks: list[tuple[Document, Chunk]] = []
    for document in documents:
        part.append(document)
        chunks += [(document, chunk) for chunk in chunks_of(document)]
        if len(chunks) >= CHUNKS_AT_ONCE:
            yield part, chunks
            part, chunks = [], []
    if part:
        yield part, chunks


def to_embed(document: Document, chunk: Chunk, span: Span) -> str:
    """Return a passage with what stands above it: by itself a sentence does not say what it is about.

    On the example suites this found 75 of 110 facts, passages by themselves 63, an average of both 65.
    """
    heading = f"{document.title} — {chunk.headings[-1]}" if chunk.headings else document.title
    return f"{heading}: {span.within(document.text)}"


def key_of(text: str) -> str:
    """Return what a text that was embedded is known by."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def passage_row(document: Document, chunk: Chunk, span: Span) -> dict[str, Any]:
    """Return the row of a passage, without its vector."""
    return {
        "key": key_of(to_embed(document, chunk, span)),
        "chunk_id": chunk.id,
        "doc_id": document.id,
        "kind": document.kind,
        "start": span.start,
        "end": span.end,
        "readers": sorted(document.readers),
    }


def chunk_row(document: Document, chunk: Chunk, registry: Registry) -> dict[str, Any]:
    """Return the row of a chunk: its terms, with those of the names in it and above it."""
    text = document.text[chunk.start : chunk.end]
    return {
        "id": chunk.id,
        "doc_id": document.id,
        "n": chunk.n,
        "kind": document.kind,
        "tokens": " ".join(named_terms(f"{context_of(document, chunk.headings)}\n{text}", registry)),
        "readers": sorted(document.readers),
    }
