"""Making the rows of a part in this process: its chunks and passages, the terms in them, and vectors where none are."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adapters.search.lance import LanceIndex
from adapters.storage.catalog import SqlCatalog
from core.entities import Registry
from core.errors import IngestError, TextsRefused
from core.facts import Span
from core.ingest.chunk import Chunk, chunks_of, passages_in
from core.ingest.document import Document
from core.ingest.graph import with_names
from core.ingest.parts import PartOrder, PartRows
from core.ingest.rows import chunk_row, passage_row, to_embed
from core.ports import Embedder

_EMBED_AT_ONCE = 256

_Spot = tuple[Document, Chunk, Span]


class LocalMaker:
    """Makes rows here, with the embedder given; while one part is embedded the next is read and analysed."""

    at_once = 2

    def __init__(self, catalog: SqlCatalog, index: LanceIndex, embedder: Embedder) -> None:
        self._catalog = catalog
        self._index = index
        self._embedder = embedder

    async def make(self, order: PartOrder) -> PartRows:
        """Return the rows of the part. Raises ModelError, SearchError and StorageError."""
        stored = await self._catalog.documents(order.generation, order.documents)
        documents = with_names(stored, order.names.declared)
        spots, chunks = await asyncio.to_thread(_analysed, documents, order.names.registry)
        rows = [passage_row(*spot) for spot in spots]
        vectors: dict[str, Sequence[float]] = {}
        if order.known:
            vectors |= await self._index.vectors(order.known, order.documents)
        missing = {row["key"]: spot for row, spot in zip(rows, spots, strict=True) if row["key"] not in vectors}
        if order.known and missing:
            # A file that was moved has other ids and the same texts.
            vectors |= await self._index.vectors_by_key(order.known, missing)
            missing = {key: spot for key, spot in missing.items() if key not in vectors}
        made, refused = await self._embedded(missing)
        vectors |= made
        passages = tuple(row | {"vector": vectors[row["key"]]} for row in rows if row["key"] in vectors)
        problems = tuple(_refusals([row for row in rows if row["key"] in refused], refused))
        return PartRows(passages, tuple(chunks), len(made), problems)

    async def _embedded(self, missing: Mapping[str, _Spot]) -> tuple[dict[str, Sequence[float]], dict[str, str]]:
        """Return the vectors by their keys, and why there is none for some."""
        vectors: dict[str, Sequence[float]] = {}
        refused: dict[str, str] = {}
        for start in range(0, len(missing), _EMBED_AT_ONCE):
            keys = list(missing)[start : start + _EMBED_AT_ONCE]
            try:
                made = await self._embedder.embed([to_embed(*missing[key]) for key in keys])
                vectors |= zip(keys, made, strict=True)
            except TextsRefused as error:
                vectors |= {keys[place]: vector for place, vector in error.vectors.items()}
                refused |= {keys[place]: error.reason for place in error.places}
        return vectors, refused


def _refusals(rows: Sequence[dict[str, Any]], why: Mapping[str, str]) -> Iterator[IngestError]:
    """Yield a problem for each document of the rows, which are of passages that the encoder would not take."""
    for id_, count in Counter(row["doc_id"] for row in rows).items():
        reason = next(why[row["key"]] for row in rows if row["doc_id"] == id_)
        which = "one passage, which is found by its" if count == 1 else f"{count} passages, which are found by their"
        advice = f"shorten or reword {'it' if count == 1 else 'them'}, or choose another EMBEDDING_MODEL"
        yield IngestError(id_, f"the embedding model refused {which} words alone: {advice} ({reason})")


def _analysed(documents: Sequence[Document], registry: Registry) -> tuple[list[_Spot], list[dict[str, Any]]]:
    chunks = [(document, chunk) for document in documents for chunk in chunks_of(document)]
    spots = [(document, chunk, span) for document, chunk in chunks for span in passages_in(chunk, document)]
    return spots, chunk_rows(chunks, registry)


def chunk_rows(chunks: Sequence[tuple[Document, Chunk]], registry: Registry) -> list[dict[str, Any]]:
    """Return the rows of chunks of documents that have their names."""
    return [chunk_row(document, chunk, registry) for document, chunk in chunks]
