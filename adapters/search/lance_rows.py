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

    columns = {name: [row.get(name, _SHARED.get(name)) for row in rows] for name in schema.names if name != "vector"}
    columns["readers"] = list(map(labels_of, columns["readers"]))
    arrays = {name: pa.array(values, schema.field(name).type) for name, values in columns.items()}
    if "vector" in schema.names:
        size = schema.field("vector").type.list_size
        # Rows of numbers in a buffer are taken as they are.
        numbers = np.array([row["vector"] for row in rows], dtype=np.float32).reshape(len(rows), size)
        arrays["vector"] = pa.FixedSizeListArray.from_arrays(numbers.reshape(-1), size)
    return pa.table(arrays, schema=schema)


def read(table: Any) -> list[Row]:
    """Return the rows of a table that was read, as they were before they were stored."""
    return [row | {"readers": readers_of(row["readers"])} for row in table.to_pylist()]


def matrix_of(column: Any) -> Any:
    """Return the vectors of a table that was read, as rows of numpy's float32: a tenth of what lists take."""
    return column.combine_chunks().flatten().to_numpy().reshape(-1, column.type.list_size)
