"""Passage vectors and chunk terms in LanceDB: a folder by default, any object store by its address."""

import os
from collections.abc import Sequence
from typing import Any

from core.errors import SearchError

_BATCH = 2_000


class LanceIndex:
    """The tables of generations: `passages_gN` (one vector for each passage) and `chunks_gN` (terms of each chunk)."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._connection: Any = None
        self._tables: dict[str, Any] = {}

    async def build(
        self, generation: int, passages: Sequence[dict[str, Any]], chunks: Sequence[dict[str, Any]], dimension: int
    ) -> None:
        """Write both tables of a generation. Raises SearchError."""
        import pyarrow as pa

        readers = pa.field("readers", pa.list_(pa.string()))
        text, number = pa.string(), pa.int32()
        passage_schema = pa.schema(
            [
                ("chunk_id", text),
                ("doc_id", text),
                ("kind", text),
                ("start", number),
                ("end", number),
                readers,
                ("vector", pa.list_(pa.float32(), dimension)),
            ]
        )
        chunk_schema = pa.schema([("id", text), ("doc_id", text), ("kind", text), ("tokens", text), readers])
        try:
            connection = await self._open()
            for name, rows, schema in (
                (f"passages_g{generation}", passages, passage_schema),
                (f"chunks_g{generation}", chunks, chunk_schema),
            ):
                table = await connection.create_table(name, schema=schema, mode="overwrite")
                self._tables.pop(name, None)
                for start in range(0, len(rows), _BATCH):
                    await table.add(pa.Table.from_pylist(list(rows[start : start + _BATCH]), schema=schema))
        except Exception as error:
            raise SearchError(f"the index could not be written ({type(error).__name__})") from error

    async def nearest(
        self, generation: int, vector: Sequence[float], where: str | None, limit: int
    ) -> list[dict[str, Any]]:
        """Return the nearest passages with their `_distance` (1 − cosine), nearest first. Raises SearchError."""
        try:
            table = await self._table(f"passages_g{generation}")
            query = table.query().nearest_to(list(vector)).distance_type("cosine")
            if where:
                query = query.where(where)
            rows = await query.select(["chunk_id", "start", "end", "_distance"]).limit(limit).to_list()
            return list(rows)
        except Exception as error:
            raise SearchError(
                f"the index could not be read ({type(error).__name__}); build it again with: footnote index"
            ) from error

    async def chunks(self, generation: int) -> list[dict[str, Any]]:
        """Return the chunk rows of a generation, in order. Raises SearchError."""
        try:
            table = await self._table(f"chunks_g{generation}")
            return list((await table.query().to_arrow()).to_pylist())
        except Exception as error:
            raise SearchError(
                f"the index could not be read ({type(error).__name__}); build it again with: footnote index"
            ) from error

    async def holds(self, generation: int) -> bool:
        """Return whether both tables of a generation can be opened: their folder may have been lost."""
        try:
            for name in (f"passages_g{generation}", f"chunks_g{generation}"):
                await self._table(name)
        except Exception:  # noqa: BLE001 - whatever is wrong with them, they are to be built again
            return False
        return True

    def warm(self) -> None:
        """Load the library now, so that the first search does not wait for it."""
        _library()

    async def drop(self, generation: int) -> None:
        """Remove the tables of a generation, if they are there. Raises SearchError."""
        try:
            connection = await self._open()
            for name in (f"passages_g{generation}", f"chunks_g{generation}"):
                await connection.drop_table(name, ignore_missing=True)
                self._tables.pop(name, None)
        except Exception as error:
            raise SearchError(f"the old index could not be removed ({type(error).__name__})") from error

    async def _table(self, name: str) -> Any:
        if name not in self._tables:
            self._tables[name] = await (await self._open()).open_table(name)
        return self._tables[name]

    async def _open(self) -> Any:
        if self._connection is None:
            self._connection = await _library().connect_async(self._address)
        return self._connection


def _library() -> Any:
    os.environ.setdefault("LANCEDB_LOG", "error")  # its writer warns of every new table
    import lancedb

    return lancedb


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
