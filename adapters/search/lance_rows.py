"""Rows as LanceDB keeps them: the columns of both tables, and the way there and back."""

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.search.lance_filter import labels_of, readers_of

Row = dict[str, Any]
_SHARED = {"kind": "", "language": "", "day": 0}


def passage_schema(dimension: int) -> Any:
    """Return the columns of the passages, with vectors of so many numbers."""
    import pyarrow as pa

    own = [("chunk_id", pa.string()), ("start", pa.int32()), ("end", pa.int32()), ("key", pa.string())]
    return pa.schema([*own, *_attributes(), ("vector", pa.list_(pa.float32(), dimension))])


def chunk_schema() -> Any:
    """Return the columns of the chunks; the terms stand in `tokens`, parted by spaces."""
    import pyarrow as pa

    return pa.schema([("id", pa.string()), ("n", pa.int32()), ("tokens", pa.string()), *_attributes()])


def _attributes() -> list[tuple[str, Any]]:
    import pyarrow as pa

    text = pa.string()
    return [("doc_id", text), ("kind", text), ("language", text), ("readers", pa.list_(text)), ("day", pa.int32())]


def stored(rows: Sequence[Mapping[str, Any]], schema: Any) -> Any:
    """Return the rows as a table; what a row does not say of its kind, language and day is not known."""
    import numpy as np
    import pyarrow as pa

    plain = [{**_SHARED, **row, "readers": labels_of(row["readers"]), "vector": None} for row in rows]
    if "vector" not in schema.names:
        return pa.Table.from_pylist(plain, schema=schema)
    place, column = schema.get_field_index("vector"), schema.field("vector")
    table = pa.Table.from_pylist(plain, schema=schema.remove(place))
    numbers = np.array([row["vector"] for row in rows], dtype=np.float32).reshape(len(rows), column.type.list_size)
    vectors = pa.FixedSizeListArray.from_arrays(numbers.reshape(-1), column.type.list_size)
    return table.add_column(place, column, vectors)


def read(table: Any) -> list[Row]:
    """Return the rows of a table that was read, as they were before they were stored."""
    return [row | {"readers": readers_of(row["readers"])} for row in table.to_pylist()]
