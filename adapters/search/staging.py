"""Staged rows in LanceDB: parts of an index that are made and not yet written, beside the index, where all can read."""

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from adapters.search.lance_store import library
from adapters.search.object_store import trouble
from core.errors import IngestError, SearchError
from core.ingest.parts import PartRows


class LanceStaging:
    """Rows of parts by name; each is a table of one row of its own, so that it is there as a whole or not at all.

    Tables and not objects: where LanceDB can write it can stage, with the same address and the same keys.
    """

    def __init__(self, address: str, options: Mapping[str, str] | None = None) -> None:
        self._address = f"{address}/parts"
        self._options = dict(options or {})
        self._connection: Any = None

    async def put(self, name: str, rows: PartRows) -> None:
        """Store the rows under the name, in place of what was there. Raises SearchError."""
        import pyarrow as pa

        head, vectors = _packed(rows)
        columns = {"head": pa.array([head], pa.large_binary()), "vectors": pa.array([vectors], pa.large_binary())}
        with _exchanging():
            await (await self._open()).create_table(name, pa.table(columns), mode="overwrite")

    async def get(self, name: str) -> PartRows | None:
        """Return what is stored under the name, or None when nothing is, or nothing whole: it is to be made again.

        The vectors are rows of numpy's float32, a tenth of what lists take. Raises SearchError when the store does not
        serve us.
        """
        with _exchanging():
            connection = await self._open()
        try:
            found = await (await connection.open_table(name)).query().to_arrow()
            return _unpacked(found["head"][0].as_py(), found["vectors"][0].as_py())
        except Exception as error:
            if away := trouble(error):
                raise away from error
            return None

    async def drop(self, name: str) -> None:
        """Remove what is stored under the name, if anything is. Raises SearchError."""
        with _exchanging():
            await (await self._open()).drop_table(name, ignore_missing=True)

    async def keep(self, names: Collection[str]) -> None:
        """Remove all but what is stored under these names. Raises SearchError."""
        for name in await self.names() - set(names):
            await self.drop(name)

    async def names(self) -> set[str]:
        """Return the names under which something is stored. Raises SearchError."""
        with _exchanging():
            return await self._listed()

    async def _listed(self) -> set[str]:
        connection = await self._open()
        names: set[str] = set()
        page = None
        while True:
            listed = await connection.list_tables(page_token=page)
            names |= set(listed.tables)
            page = listed.page_token
            if not page:
                return names

    async def _open(self) -> Any:
        if self._connection is None:
            self._connection = await library().connect_async(self._address, storage_options=self._options)
        return self._connection


def _packed(rows: PartRows) -> tuple[bytes, bytes]:
    import numpy as np

    plain = [{key: value for key, value in row.items() if key != "vector"} for row in rows.passages]
    head = {"passages": plain, "chunks": [dict(row) for row in rows.chunks], "embedded": rows.embedded}
    head["refused"] = [(one.path, one.reason) for one in rows.refused]
    vectors = np.asarray([row["vector"] for row in rows.passages], dtype="<f4")
    return json.dumps(head, ensure_ascii=False).encode("utf-8", "surrogatepass"), vectors.tobytes()


def _unpacked(head: bytes, vectors: bytes) -> PartRows:
    import numpy as np

    known = json.loads(head.decode("utf-8", "surrogatepass"))
    plain, embedded = known["passages"], known["embedded"]
    matrix = np.frombuffer(vectors, dtype="<f4").reshape(len(plain), -1) if plain else ()
    passages = tuple(row | {"vector": vector} for row, vector in zip(plain, matrix, strict=True))
    refused = tuple(IngestError(*one) for one in known.get("refused", ()))
    return PartRows(passages, tuple(known["chunks"]), embedded, refused)


@contextmanager
def _exchanging() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        said = f"a part of the index could not be exchanged ({type(error).__name__})"
        raise trouble(error) or SearchError(said, retry=True) from error
