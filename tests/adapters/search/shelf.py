"""A small index for tests: real LanceDB and BM25, and an embedder that counts letters."""

from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Any

from adapters.search.hybrid import HybridSearch
from adapters.search.lance import LanceIndex
from core.entities import Entity, Registry, make_registry
from core.ingest.document import Document
from core.ingest.graph import entities_of
from core.ingest.rows import rows_of as made_of
from core.text import normalise

Row = dict[str, Any]

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
    folder: Path,
    documents: Sequence[Document],
    declared: Sequence[Entity] = (),
    generation: int = 1,
    *,
    full_text: bool = False,
) -> HybridSearch:
    """Return the search over the documents, indexed as one generation in the folder."""
    index, embedder = LanceIndex(str(folder), full_text=full_text), Letters()
    registry = make_registry(entities_of(documents, declared))
    passages, rows = await rows_of(documents, registry)
    tables = await index.settle(await index.build(generation, passages, rows, embedder.dimension))
    return HybridSearch(index, tables, {document.id: document for document in documents}, registry, embedder)


async def rows_of(documents: Sequence[Document], registry: Registry) -> tuple[list[Row], list[Row]]:
    """Return the rows of the passages, each embedded by itself, and of the chunks."""
    passages, chunks = list[Row](), list[Row]()
    for document in documents:
        of_chunks, of_passages, _ = made_of(document, registry)
        vectors = await Letters().embed([document.text[row["start"] : row["end"]] for row in of_passages])
        chunks += of_chunks
        passages += [row | {"vector": vector} for row, vector in zip(of_passages, vectors, strict=True)]
    return passages, chunks
