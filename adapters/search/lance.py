"""Passage vectors and chunk terms in LanceDB: a folder by default, any object store by its address."""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from adapters.search.lance_filter import clauses, one_of
from adapters.search.lance_ledger import Ledger, holders
from adapters.search.lance_lexical import LanceLexical
from adapters.search.lance_rows import Row, chunk_schema, matrix_of, passage_schema, read, stored
from adapters.search.lance_settle import PROBED, forget_before, has_words, settle_chunks, settle_passages
from adapters.search.lance_store import Disturbed, LanceStore, failing, library, reading, step, undisturbed, writing
from adapters.search.lexical_port import Where
from adapters.search.object_store import trouble
from core.ingest.generation import Tables

_PASSAGES, _CHUNKS = "passages_g{}", "chunks_g{}"
_BATCH = 2_000
# So many names stand in one filter at most.
_NAMES_AT_ONCE = 500


class Near(NamedTuple):
    """A passage near to a vector: its chunk and document, where it stands, and its `distance`, 1 less the cosine."""

    chunk_id: str
    doc_id: str
    start: int
    end: int
    distance: float


class LanceIndex:
    """The tables of each base: `passages_gN` (one vector for each passage) and `chunks_gN` (terms of each chunk).

    Every change makes a new version of a table; whoever reads an older one is not disturbed. With `full_text` the
    chunks can be searched by words too, where they lie, and `terms_gN` counts their terms.
    """

    def __init__(self, address: str, options: Mapping[str, str] | None = None, *, full_text: bool = False) -> None:
        self._store = LanceStore(address, options)
        self.full_text = full_text

    async def create(self, base: int, dimension: int) -> Tables:
        """Return empty tables for a base. Raises SearchError."""
        with writing():
            await self._store.create(_PASSAGES.format(base), passage_schema(dimension))
            chunks = await self._store.create(_CHUNKS.format(base), chunk_schema())
            await self._ledger(base).drop()
            if self.full_text:
                await self._ledger(base).begin({}, await chunks.version())
        return await self.latest(base)

    async def build(self, base: int, passages: Sequence[Row], chunks: Sequence[Row], dimension: int) -> Tables:
        """Return new tables for a base with these rows. Raises SearchError."""
        return await self.change(await self.create(base, dimension), (), passages, chunks)

    async def restore(self, tables: Tables) -> Tables:
        """Return new versions of the tables that are equal to the given ones. Raises SearchError."""
        versions = []
        with writing():
            for name, version in _named(tables):
                table = await self._store.newest(name)
                if version is not None and await table.version() != version:
                    await table.checkout(version)
                    await table.restore()
                versions.append(int(await table.version()))
            restored = Tables(tables.base, *versions)
            if tables.chunks is not None and await self._ledger(tables.base).is_there():
                await self._ledger(tables.base).take_back(tables.chunks, versions[1])
        return restored

    async def latest(self, base: int) -> Tables:
        """Return the tables of the base in their newest versions. Raises SearchError."""
        with reading():
            versions = [await (await self._store.newest(name)).version() for name, _ in _named(Tables(base))]
        return Tables(base, *versions)

    async def change(
        self, tables: Tables, gone: Collection[str], passages: Sequence[Row], chunks: Sequence[Row]
    ) -> Tables:
        """Return new versions of the tables: without the rows of some documents, with these rows after them.

        They are to be the newest ones: what else was written is taken back. Raises SearchError.
        """

        async def changed(those: Tables) -> Tables:
            table = await self._store.left(_PASSAGES.format(those.base), those.passages)
            await self._change(table, gone, passages)
            return Tables(those.base, int(await table.version()), await self._change_chunks(those, gone, chunks))

        return await undisturbed(changed, self.restore, tables)

    async def replace_chunks(self, tables: Tables, gone: Collection[str], chunks: Sequence[Row]) -> Tables:
        """Return the tables with other chunk rows for some documents, and the passages as they are; as `change`."""

        async def changed(those: Tables) -> Tables:
            return replace(those, chunks=await self._change_chunks(those, gone, chunks))

        return await undisturbed(changed, self.restore, tables)

    async def settle(self, tables: Tables) -> Tables:
        """Return the tables made quick to search, to be published; the rows stay the same, as in `change`.

        Large tables get indices once; after that little is done when little was changed. Whoever reads another
        version is not disturbed. Raises SearchError.
        """
        return await undisturbed(self._settled, self.restore, tables)

    async def _settled(self, tables: Tables) -> Tables:
        passages, chunks = [await self._store.left(*named) for named in _named(tables)]
        before = [await passages.count_rows(), await chunks.count_rows()]
        await settle_passages(passages)
        await settle_chunks(chunks, full_text=self.full_text)
        if self.full_text and not await self._ledger(tables.base).is_there():
            rows = await chunks.query().select(["tokens"]).to_arrow()
            held = await asyncio.to_thread(holders, rows["tokens"].to_pylist())
            await self._ledger(tables.base).begin(held, await chunks.version())
        if before != [await passages.count_rows(), await chunks.count_rows()]:
            raise Disturbed
        return Tables(tables.base, int(await passages.version()), int(await chunks.version()))

    async def forget_versions(self, base: int, keep: Collection[Tables]) -> None:
        """Remove what is older than all of the kept generations of a base, once it is much. Raises SearchError.

        Reads files that nobody may be changing: call it after a generation is published, not while one is built.
        """
        kept = [tables for tables in keep if tables.base == base]
        with writing():
            for template, field in ((_PASSAGES, "passages"), (_CHUNKS, "chunks")):
                versions = [version for tables in kept if (version := getattr(tables, field)) is not None]
                if versions and len(versions) == len(kept):
                    await forget_before(await self._store.newest(template.format(base)), min(versions))
            chunks = [tables.chunks for tables in kept if tables.chunks is not None]
            if chunks and await self._ledger(base).is_there():
                await self._ledger(base).fold(min(chunks))

    async def ready(self, tables: Tables) -> bool:
        """Return whether the tables can be searched as this index searches: by words too, if it is to."""
        if not self.full_text:
            return True
        with reading():
            chunks = await self._store.table(_CHUNKS.format(tables.base), tables.chunks)
            return await has_words(chunks) and await self._ledger(tables.base).is_there()

    def lexical(self, tables: Tables) -> LanceLexical:
        """Return the search by words where the chunks lie."""
        return LanceLexical(self._store, tables)

    async def vectors(self, tables: Tables, doc_ids: Collection[str]) -> dict[str, Sequence[float]]:
        """Return the vectors of the documents' passages by what was embedded, as its key. Raises SearchError."""
        return await self._vectors(tables, "doc_id", doc_ids)

    async def vectors_by_key(self, tables: Tables, keys: Collection[str]) -> dict[str, Sequence[float]]:
        """Return the vectors of what was embedded anywhere, by its key, as far as there are any. Raises SearchError."""
        return await self._vectors(tables, "key", keys)

    async def _vectors(self, tables: Tables, column: str, values: Collection[str]) -> dict[str, Sequence[float]]:
        found: dict[str, Sequence[float]] = {}
        with reading():
            table = await self._store.table(_PASSAGES.format(tables.base), tables.passages)
            for some in _in_parts(sorted(values)):
                rows = await table.query().where(one_of(column, some)).select(["key", "vector"]).to_arrow()
                found |= zip(rows["key"].to_pylist(), matrix_of(rows["vector"]), strict=True)
        return found

    async def nearest(self, tables: Tables, vector: Sequence[float], where: Where | None, limit: int) -> list[Near]:
        """Return the nearest passages, nearest first. Raises SearchError.

        In large tables the distance is right to about a hundredth, and one of a hundred of the nearest may be missed.
        """
        with reading():
            table = await self._store.table(_PASSAGES.format(tables.base), tables.passages)
            query = table.query().nearest_to(list(vector)).distance_type("cosine").nprobes(PROBED)
            query = query.select([*Near._fields[:-1], "_distance"]).limit(limit)
            if where is not None:
                query = query.where(clauses(where))
            # With a filter LanceDB looks into all parts as soon as it may look into more than these.
            rows = None if where and where.narrows else await query.to_arrow()
            if rows is None or (where and rows.num_rows < limit):
                rows = await query.maximum_nprobes(0).to_arrow()
        return list(map(Near._make, zip(*(rows[name].to_pylist() for name in rows.column_names), strict=True)))

    async def chunks(self, tables: Tables, doc_ids: Collection[str] | None = None) -> list[Row]:
        """Return the chunk rows of a generation, or of some documents, by document in order. Raises SearchError."""
        rows: list[Row] = []
        with reading():
            table = await self._store.table(_CHUNKS.format(tables.base), tables.chunks)
            if doc_ids is None:
                rows = read(await table.query().to_arrow())
            for names in _in_parts(sorted(doc_ids or ())):
                rows += read(await table.query().where(one_of("doc_id", names)).to_arrow())
        # However the documents came and changed, they stand in one order.
        return await asyncio.to_thread(sorted, rows, key=lambda row: (row["doc_id"], row["n"]))

    async def counts(self, tables: Tables) -> tuple[int, int]:
        """Return how many chunks and how many passages the tables hold. Raises SearchError."""
        with reading():
            passages, chunks = [await (await self._store.table(*named)).count_rows() for named in _named(tables)]
        return chunks, passages

    async def holds(self, tables: Tables) -> bool:
        """Return whether both tables can be opened in these versions: their folder may have been lost.

        Raises SearchError when their store does not serve us, which says nothing of them.
        """
        try:
            for name, version in _named(tables):
                await self._store.table(name, version)
        except Exception as error:
            if away := trouble(error):
                raise away from error
            return False
        return True

    def warm(self) -> None:
        """Load the library now, so that the first search does not wait for it."""
        library()

    async def drop(self, base: int) -> None:
        """Remove the tables of a base, if they are there. Raises SearchError."""
        with failing("the old index could not be removed"):
            for name, _ in _named(Tables(base)):
                await self._store.drop(name)
            await self._ledger(base).drop()

    async def _change_chunks(self, tables: Tables, gone: Collection[str], rows: Sequence[Row]) -> int:
        """Return the version after the change; how many chunks hold each term is noted, where that is counted."""
        chunks = await self._store.left(_CHUNKS.format(tables.base), tables.chunks)
        ledger = self._ledger(tables.base)
        counted = await ledger.is_there()
        delta = holders(row["tokens"] for row in rows) if counted else Counter[str]()
        for names in _in_parts(sorted(gone)) if counted else ():
            there = await chunks.query().where(one_of("doc_id", names)).select(["tokens"]).to_arrow()
            delta.subtract(holders(there["tokens"].to_pylist()))
        await self._change(chunks, gone, rows)
        version = int(await chunks.version())
        if counted:
            await ledger.note(delta, version)
        return version

    async def _change(self, table: Any, gone: Collection[str], rows: Sequence[Row]) -> None:
        for names in _in_parts(sorted(gone)):
            await step(table, table.delete(one_of("doc_id", names)))
        schema = await table.schema()
        for start in range(0, len(rows), _BATCH):
            await step(table, table.add(await asyncio.to_thread(stored, rows[start : start + _BATCH], schema)))

    def _ledger(self, base: int) -> Ledger:
        return Ledger(self._store, base)


def _named(tables: Tables) -> tuple[tuple[str, int | None], tuple[str, int | None]]:
    return (_PASSAGES.format(tables.base), tables.passages), (_CHUNKS.format(tables.base), tables.chunks)


def _in_parts(names: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(names), _NAMES_AT_ONCE):
        yield names[start : start + _NAMES_AT_ONCE]
