"""Passage vectors and chunk terms in LanceDB: a folder by default, any object store by its address."""

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from core.errors import SearchError
from core.ingest.generation import Tables

_BATCH = 2_000
# So many names stand in one filter at most.
_NAMES_AT_ONCE = 500


Row = dict[str, Any]


class LanceIndex:
    """The tables of each base: `passages_gN` (one vector for each passage) and `chunks_gN` (terms of each chunk).

    Every change makes a new version of a table; whoever reads an older one is not disturbed.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._connection: Any = None
        self._tables: dict[tuple[str, int | None], Any] = {}

    async def create(self, base: int, dimension: int) -> Tables:
        """Return empty tables for a base. Raises SearchError."""
        with _writing():
            connection = await self._open()
            for name, schema in (_passages(base, dimension), _chunks(base)):
                await connection.create_table(name, schema=schema, mode="overwrite")
                self._forget(name)
        return await self.latest(base)

    async def build(self, base: int, passages: Sequence[Row], chunks: Sequence[Row], dimension: int) -> Tables:
        """Return new tables for a base with these rows. Raises SearchError."""
        return await self.change(await self.create(base, dimension), (), passages, chunks)

    async def restore(self, tables: Tables) -> Tables:
        """Return the tables with their newest version made equal to the given one. Raises SearchError."""
        with _writing():
            for name, version in _named(tables):
                table = await (await self._open()).open_table(name)
                if version is not None and await table.version() != version:
                    await table.checkout(version)
                    await table.restore()
        return await self.latest(tables.base)

    async def latest(self, base: int) -> Tables:
        """Return the tables of the base in their newest versions. Raises SearchError."""
        with _reading():
            connection = await self._open()
            versions = [await (await connection.open_table(name)).version() for name, _ in _named(Tables(base))]
        return Tables(base, *versions)

    async def change(
        self,
        tables: Tables,
        gone: Collection[str],
        passages: Sequence[Row],
        chunks: Sequence[Row],
    ) -> Tables:
        """Return new versions of the newest tables: without the rows of some documents, with these rows after them.

        Raises SearchError.
        """
        with _writing():
            for (name, _), rows in zip(_named(tables), (passages, chunks), strict=True):
                await self._change(name, gone, rows)
        return await self.latest(tables.base)

    async def replace_chunks(self, tables: Tables, gone: Collection[str], chunks: Sequence[Row]) -> Tables:
        """Return the tables with other chunk rows for some documents, and the passages as they are."""
        name = f"chunks_g{tables.base}"
        with _writing():
            await self._change(name, gone, chunks)
            version = await (await (await self._open()).open_table(name)).version()
        return replace(tables, chunks=version)

    async def vectors(self, tables: Tables, doc_ids: Collection[str]) -> dict[str, list[float]]:
        """Return the vectors of the documents' passages by what was embedded, as its key. Raises SearchError."""
        found: dict[str, list[float]] = {}
        with _reading():
            table = await self._table(f"passages_g{tables.base}", tables.passages)
            for names in _in_parts(sorted(doc_ids)):
                query = table.query().where(f"doc_id IN ({_names(names)})").select(["key", "vector"])
                rows = await query.to_arrow()
                found |= dict(zip(rows["key"].to_pylist(), rows["vector"].to_pylist(), strict=True))
        return found

    async def nearest(self, tables: Tables, vector: Sequence[float], where: str | None, limit: int) -> list[Row]:
        """Return the nearest passages with their `_distance` (1 − cosine), nearest first. Raises SearchError."""
        with _reading():
            table = await self._table(f"passages_g{tables.base}", tables.passages)
            query = table.query().nearest_to(list(vector)).distance_type("cosine")
            if where:
                query = query.where(where)
            rows = await query.select(["chunk_id", "start", "end", "_distance"]).limit(limit).to_list()
            return list(rows)

    async def chunks(self, tables: Tables, doc_ids: Collection[str] | None = None) -> list[Row]:
        """Return the chunk rows of a generation, or of some documents, by document in order. Raises SearchError."""
        rows: list[Row] = []
        with _reading():
            table = await self._table(f"chunks_g{tables.base}", tables.chunks)
            if doc_ids is None:
                rows = (await table.query().to_arrow()).to_pylist()
            for names in _in_parts(sorted(doc_ids or ())):
                rows += (await table.query().where(f"doc_id IN ({_names(names)})").to_arrow()).to_pylist()
        # However the documents came and changed, they stand in one order.
        return sorted(rows, key=lambda row: (row["doc_id"], row["n"]))

    async def counts(self, tables: Tables) -> tuple[int, int]:
        """Return how many chunks and how many passages the tables hold. Raises SearchError."""
        with _reading():
            passages, chunks = [await (await self._table(*named)).count_rows() for named in _named(tables)]
        return chunks, passages

    async def holds(self, tables: Tables) -> bool:
        """Return whether both tables can be opened in these versions: their folder may have been lost."""
        try:
            for name, version in _named(tables):
                await self._table(name, version)
        except Exception:  # noqa: BLE001 - whatever is wrong with them, they are to be built again
            return False
        return True

    def warm(self) -> None:
        """Load the library now, so that the first search does not wait for it."""
        _library()

    async def drop(self, base: int) -> None:
        """Remove the tables of a base, if they are there. Raises SearchError."""
        try:
            connection = await self._open()
            for name, _ in _named(Tables(base)):
                await connection.drop_table(name, ignore_missing=True)
                self._forget(name)
        except Exception as error:
            raise SearchError(f"the old index could not be removed ({type(error).__name__})") from error

    async def _change(self, name: str, gone: Collection[str], rows: Sequence[Row]) -> None:
        import pyarrow as pa

        table = await (await self._open()).open_table(name)
        for names in _in_parts(sorted(gone)):
            await table.delete(f"doc_id IN ({_names(names)})")
        schema = await table.schema()
        for start in range(0, len(rows), _BATCH):
            await table.add(pa.Table.from_pylist(list(rows[start : start + _BATCH]), schema=schema))

    async def _table(self, name: str, version: int | None) -> Any:
        if (name, version) not in self._tables:
            table = await (await self._open()).open_table(name)
            if version is not None:
                await table.checkout(version)
            self._tables[name, version] = table
        return self._tables[name, version]

    def _forget(self, name: str) -> None:
        for known in [known for known in self._tables if known[0] == name]:
            del self._tables[known]

    async def _open(self) -> Any:
        if self._connection is None:
            self._connection = await _library().connect_async(self._address)
        return self._connection


def _named(tables: Tables) -> tuple[tuple[str, int | None], tuple[str, int | None]]:
    return (f"passages_g{tables.base}", tables.passages), (f"chunks_g{tables.base}", tables.chunks)


def _passages(base: int, dimension: int) -> tuple[str, Any]:
    import pyarrow as pa

    text, number = pa.string(), pa.int32()
    fields = [("chunk_id", text), ("doc_id", text), ("kind", text), ("start", number), ("end", number)]
    readers = pa.field("readers", pa.list_(text))
    vector = ("vector", pa.list_(pa.float32(), dimension))
    return f"passages_g{base}", pa.schema([*fields, readers, ("key", text), vector])


def _chunks(base: int) -> tuple[str, Any]:
    import pyarrow as pa

    text, number = pa.string(), pa.int32()
    fields = [("id", text), ("doc_id", text), ("n", number), ("kind", text), ("tokens", text)]
    return f"chunks_g{base}", pa.schema([*fields, pa.field("readers", pa.list_(text))])


@contextmanager
def _writing() -> Iterator[None]:
    try:
        yield
    except SearchError:
        raise
    except Exception as error:
        raise SearchError(f"the index could not be written ({type(error).__name__})") from error


@contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except SearchError:
        raise
    except Exception as error:
        raise SearchError(
            f"the index could not be read ({type(error).__name__}); build it again with: footnote index"
        ) from error


def _library() -> Any:
    os.environ.setdefault("LANCEDB_LOG", "error")  # its writer warns of every new table
    import lancedb

    return lancedb


def _in_parts(names: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(names), _NAMES_AT_ONCE):
        yield names[start : start + _NAMES_AT_ONCE]


def readable_by(groups: frozenset[str], doc_types: Sequence[str], doc_ids: Sequence[str]) -> str:
    """Return the filter for what people of these groups may read, in the kinds and documents asked for.

    Names are quoted; a quotation mark in one is doubled, so that no name can end the string early.
    """
    allowed = "array_length(readers) IS NULL OR array_length(readers) = 0"
    if groups:
        allowed += f" OR array_has_any(readers, [{_names(sorted(groups))}])"
    clauses = [f"({allowed})"]
    clauses += [f"kind IN ({_names(doc_types)})"] if doc_types else []
    clauses += [f"doc_id IN ({_names(doc_ids)})"] if doc_ids else []
    return " AND ".join(clauses)


def _names(names: Sequence[str]) -> str:
    return ", ".join("'" + name.replace("'", "''") + "'" for name in names)
