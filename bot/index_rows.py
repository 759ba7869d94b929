"""Making the rows of a part in this process: its chunks and passages, the terms in them, and vectors where none are."""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from adapters.search.lance import LanceIndex
from adapters.storage.catalog import SqlCatalog
from bot.index_processes import Handed, Processes
from core.entities import Registry
from core.errors import IngestError, TextsRefused
from core.ingest.chunk import Chunk
from core.ingest.document import Document
from core.ingest.graph import with_names
from core.ingest.parts import PartOrder, PartRows
from core.ingest.rows import Row, chunk_row, rows_of
from core.ports import Embedder

_EMBED_AT_ONCE = 256

Vector = Sequence[float]


class LocalMaker:
    """Makes rows here, with the embedder given; while one part is embedded the next is read and analysed."""

    at_once = 2

    def __init__(
        self, catalog: SqlCatalog, index: LanceIndex, embedder: Embedder, processes: Processes | None = None
    ) -> None:
        self._catalog = catalog
        self._index = index
        self._embedder = embedder
        self._processes = processes or Processes(0)
        self._names: Handed[Registry] | None = None

    async def make(self, order: PartOrder) -> PartRows:
        """Return the rows of the part. Raises ModelError, SearchError and StorageError."""
        stored = await self._catalog.documents(order.generation, order.documents)
        documents = with_names(stored, order.names.declared)
        chunks, rows, texts = await self._processes.run(analysed, documents, self._handed(order.names.registry))
        vectors: dict[str, Vector] = {}
        if order.known:
            vectors |= await self._index.vectors(order.known, order.documents)
        missing = {key: text for key, text in texts.items() if key not in vectors}
        if order.known and missing:
            # A file that was moved has other ids and the same texts.
            vectors |= await self._index.vectors_by_key(order.known, missing)
            missing = {key: text for key, text in missing.items() if key not in vectors}
        made, refused = await self._embedded(missing)
        vectors |= made
        passages = tuple(row | {"vector": vectors[row["key"]]} for row in rows if row["key"] in vectors)
        problems = tuple(_refusals([row for row in rows if row["key"] in refused], refused))
        return PartRows(passages, tuple(chunks), len(made), problems)

    def _handed(self, registry: Registry) -> Handed[Registry]:
        """Return the names of the corpus, which are the same for all parts of a run, for another process."""
        if self._names is None or self._names.value is not registry:
            self._names = Handed(registry)
        return self._names

    async def _embedded(self, missing: Mapping[str, str]) -> tuple[dict[str, Vector], dict[str, str]]:
        """Return the vectors by their keys, and why there is none for some."""
        vectors: dict[str, Vector] = {}
        refused: dict[str, str] = {}
        for start in range(0, len(missing), _EMBED_AT_ONCE):
            keys = list(missing)[start : start + _EMBED_AT_ONCE]
            try:
                made = await self._embedder.embed([missing[key] for key in keys])
                vectors |= zip(keys, map(_packed, made), strict=True)
            except TextsRefused as error:
                vectors |= {keys[place]: _packed(vector) for place, vector in error.vectors.items()}
                refused |= {keys[place]: error.reason for place in error.places}
        return vectors, refused


def _packed(vector: Sequence[float]) -> Vector:
    """Return the numbers as they are stored: an eighth of a list of them, of which a part of a run has thousands."""
    return array("f", vector)


def _refusals(rows: Sequence[Row], why: Mapping[str, str]) -> Iterator[IngestError]:
    """Yield a problem for each document of the rows, which are of passages that the encoder would not take."""
    for id_, count in Counter(row["doc_id"] for row in rows).items():
        reason = next(why[row["key"]] for row in rows if row["doc_id"] == id_)
        which = "one passage, which is found by its" if count == 1 else f"{count} passages, which are found by their"
        advice = f"shorten or reword {'it' if count == 1 else 'them'}, or choose another EMBEDDING_MODEL"
        yield IngestError(id_, f"the embedding model refused {which} words alone: {advice} ({reason})")


def analysed(documents: Sequence[Document], names: Handed[Registry]) -> tuple[list[Row], list[Row], dict[str, str]]:
    """Return the rows of the documents' chunks, those of their passages, and the texts to embed by their keys."""
    chunks: list[Row] = []
    passages: list[Row] = []
    texts: dict[str, str] = {}
    for of_chunks, of_passages, to_embed in (rows_of(document, names.value) for document in documents):
        chunks += of_chunks
        passages += of_passages
        texts |= to_embed
    return chunks, passages, texts


def chunk_rows(chunks: Sequence[tuple[Document, Chunk]], registry: Registry) -> list[Row]:
    """Return the rows of chunks of documents that have their names."""
    return [chunk_row(document, chunk, registry) for document, chunk in chunks]
