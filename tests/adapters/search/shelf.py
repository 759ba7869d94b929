"""A small index for tests: real LanceDB and BM25, and an embedder that counts letters."""

from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Any

from adapters.search.hybrid import HybridSearch
from adapters.search.lance import LanceIndex
from core.entities import Entity, make_registry, named_terms
from core.ingest.chunk import chunks_of
from core.ingest.document import Document
from core.ingest.graph import context_of, entities_of
from core.text import normalise

LETTERS = "abcdefghijklmnopqrstuvwxyzабвгдежзийклмнопрстуфхцчшщъыьэюя0123456789"


class Letters:
    """An embedder in which texts of the same letters are near: fast, and alike every time."""

    id, dimension = "letters", len(LETTERS) + 1

    async def prepare(self) -> None:
        pass

    async def embed(self, texts: Sequence[str], purpose: str = "passage") -> list[list[float]]:
        return [self._vector(normalise(text)) for text in texts]

    def _vector(self, text: str) -> list[float]:
        counts = [float(text.count(letter)) for letter in LETTERS] + [0.01]
        length = sqrt(sum(count * count for count in counts))
        return [count / length for count in counts]


async def shelve(
    folder: Path, documents: Sequence[Document], declared: Sequence[Entity] = (), generation: int = 1
) -> HybridSearch:
    """Return the search over the documents, indexed as one generation in the folder."""
    index, embedder = LanceIndex(str(folder)), Letters()
    registry = make_registry(entities_of(documents, declared))
    passages: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    for document in documents:
        known = {"doc_id": document.id, "kind": document.kind, "readers": sorted(document.readers)}
        for chunk in chunks_of(document):
            text = f"{context_of(document, chunk.headings)}\n{document.text[chunk.start : chunk.end]}"
            rows.append({"id": chunk.id, "n": chunk.n, "tokens": " ".join(named_terms(text, registry)), **known})
            vectors = await embedder.embed([span.within(document.text) for span in chunk.passages])
            passages += [
                {"chunk_id": chunk.id, "start": span.start, "end": span.end, "key": "", "vector": vector, **known}
                for span, vector in zip(chunk.passages, vectors, strict=True)
            ]
    tables = await index.build(generation, passages, rows, embedder.dimension)
    return HybridSearch(index, tables, {document.id: document for document in documents}, registry, embedder)
