"""A generation under way: first all that it is to hold is stored, then its rows are written part by part, in order."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Collection, Coroutine, Iterable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from adapters.search.lance import LanceIndex
from adapters.storage.catalog import SqlCatalog
from bot.index_rows import chunk_rows
from bot.index_sweep import READING, Known, Progress
from core.entities import word_forms
from core.errors import IndexingStopped, IngestError
from core.ingest.chunk import chunks_of
from core.ingest.document import Document
from core.ingest.generation import Generation, ReadItem, Tables
from core.ingest.graph import with_names
from core.ingest.parts import CorpusNames, Maker, PartOrder, PartRows
from core.ingest.rows import in_parts

EMBEDDING, NAMING = "Embedding", "Naming"
# Seconds after which a build that waits for something long shows that it is alive, and hears that it is to stop.
_PULSE = 10.0
# Documents that are read together when names have changed.
_SHELF = 200

_T = TypeVar("_T")


class Build:
    """Fills one generation. `known`: tables that vectors may be taken from; `embedded`: vectors that had to be made.

    `refused`: documents with passages that the encoder would not take.
    """

    def __init__(
        self,
        stores: tuple[SqlCatalog, LanceIndex],
        generation: Generation,
        maker: Maker,
        known: Tables | None,
        progress: Progress,
    ) -> None:
        self.number = generation.number
        self.builder = generation.builder
        self.tables = generation.tables
        self.embedded = 0
        self.refused: list[IngestError] = []
        self._catalog, self._index = stores
        self._maker = maker
        self._known = known
        self._tell = progress
        self._progress: dict[str, Any] = {"stage": READING, "done": 0, "total": 0}

    async def take_in(
        self, read: Sequence[ReadItem], gone: Sequence[str], done: int, total: int, problems: int = 0
    ) -> None:
        """Store what items hold now, and how many could not be read. Raises IndexingStopped, and StorageError."""
        self._progress = {"stage": READING, "done": done, "total": total, "problems": problems}
        _go_on(await self._catalog.take_in(self.number, read, gone, self._progress, self.builder))

    async def write(self, names: CorpusNames, dimension: int, known: Known) -> None:
        """Bring the rows of the tables to what the generation, which is `known`, is to hold.

        Raises IndexingStopped and PortError.
        """
        await self._open(dimension)
        stale = await self._catalog.to_write(self.number)
        if gone := [id_ for id_, count, _ in stale if not count]:
            self.tables = await self._index.change(self.tables, gone, (), ())
        chunks = {id_: count for id_, count, _ in stale if count}
        replaced = {id_ for id_, count, written in stale if count and written}
        self._show(EMBEDDING, 0, sum(chunks.values()))
        await self._wrote(gone, 0)
        parts = enumerate(in_parts(chunks.items()))
        orders = (PartOrder(self.number, n, ids, self._known, names) for n, ids in parts)
        async for order, rows in self._made(orders):
            old = [id_ for id_ in order.documents if id_ in replaced]
            self.tables = await self._index.change(self.tables, old, rows.passages, rows.chunks)
            self.embedded += rows.embedded
            if rows.refused:
                self.refused += rows.refused
                await self._catalog.know(self.number, known.with_problems(rows.refused))
            await self._wrote(order.documents, sum(chunks[id_] for id_ in order.documents))

    async def rename(self, names: CorpusNames, ids: Sequence[str], forms: Collection[str] | None) -> None:
        """Put names that came or went into the rows of documents that did not change otherwise.

        `forms`: the words that such names begin with; None when it is not known which these are.
        """
        self._show(NAMING, 0, len(ids))
        for start in range(0, len(ids), _SHELF):
            shelf = ids[start : start + _SHELF]
            documents = with_names(await self._catalog.documents(self.number, shelf), names.declared)
            rows = await asyncio.to_thread(_rows_with, forms, documents, names)
            there = {row["id"]: row["tokens"] for row in await self._index.chunks(self.tables, {*_documents_of(rows)})}
            stale = {row["doc_id"] for row in rows if there.get(row["id"]) != row["tokens"]}
            if stale:
                fresh = [row for row in rows if row["doc_id"] in stale]
                self.tables = await self._index.replace_chunks(self.tables, stale, fresh)
            await self._wrote((), len(shelf))

    async def settle(self) -> None:
        """Make the tables quick to search: what is published is what was settled. Raises as `write`."""
        self.tables = await self._alive(asyncio.create_task(self._index.settle(self.tables)))
        await self._wrote((), 0)

    async def meanwhile(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Return what comes of the work, which keeps the build alive. Raises IndexingStopped and as the work does."""
        return await self._alive(asyncio.create_task(work))

    async def _open(self, dimension: int) -> None:
        if self.tables == Tables(self.number):
            self.tables = await self._index.create(self.number, dimension)
        else:
            self.tables = await self._index.restore(self.tables)

    async def _made(self, orders: Iterable[PartOrder]) -> AsyncIterator[tuple[PartOrder, PartRows]]:
        """Yield the orders with their rows, in order; some more are being made meanwhile."""
        under_way: deque[tuple[PartOrder, asyncio.Task[PartRows]]] = deque()
        try:
            for order in orders:
                under_way.append((order, asyncio.create_task(self._maker.make(order))))
                if len(under_way) > self._maker.at_once:
                    first, making = under_way.popleft()
                    yield first, await self._alive(making)
            while under_way:
                first, making = under_way.popleft()
                yield first, await self._alive(making)
        finally:
            for _, making in under_way:
                making.cancel()
            await asyncio.gather(*(making for _, making in under_way), return_exceptions=True)

    async def _alive(self, work: "asyncio.Task[_T]") -> _T:
        """Return what comes of the work; meanwhile others see that the build goes on."""
        try:
            while not work.done():
                await asyncio.wait((work,), timeout=_PULSE)
                if not work.done():
                    _go_on(await self._catalog.note(self.number, self._progress, self.builder))
            return work.result()
        finally:
            if not work.done():
                work.cancel()
                with suppress(asyncio.CancelledError):
                    await work

    async def _wrote(self, ids: Sequence[str], done: int) -> None:
        self._show(self._progress["stage"], self._progress["done"] + done, self._progress["total"])
        _go_on(await self._catalog.wrote(self.number, ids, self.tables, self._progress, self.builder))

    def _show(self, stage: str, done: int, total: int) -> None:
        self._progress = {**self._progress, "stage": stage, "done": done, "total": total}
        self._tell(stage, done, total)


def _go_on(goes_on: bool) -> None:  # noqa: FBT001 - it is what the catalogue returns
    if not goes_on:
        raise IndexingStopped


def _rows_with(
    forms: Collection[str] | None, documents: Sequence[Document], names: CorpusNames
) -> list[dict[str, Any]]:
    """Return the chunk rows of the documents in which one of the words stands."""
    concerned = [one for one in documents if forms is None or not word_forms(_words_of(one)).isdisjoint(forms)]
    return chunk_rows([(one, chunk) for one in concerned for chunk in chunks_of(one)], names.registry)


def _words_of(document: Document) -> str:
    columns = {name for block in document.blocks for name in block.labels}
    return "\n".join((document.title, *document.aliases, *columns, document.text))


def _documents_of(rows: Iterable[dict[str, Any]]) -> Iterable[str]:
    return (row["doc_id"] for row in rows)
