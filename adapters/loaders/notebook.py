"""Jupyter notebooks: their texts and code, and what the code printed."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from adapters.loaders.decoding import decode
from adapters.loaders.reading import LINES_LIMIT, Reading, markdown_pieces
from core.errors import IngestError
from core.ingest.pieces import Piece
from core.text import clean

# What is printed beyond this is a log.
_PRINTED: Final = 4_000


def read_notebook(data: bytes, path: str) -> Reading:
    """Return a notebook as a reader sees it; of what code gave only what is text."""
    text = decode(data, path)
    if text.count("\n") + text.count("\\n") > 2 * LINES_LIMIT:
        raise IngestError(path, f"has more than {LINES_LIMIT:,} lines: split it")
    try:
        book = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise IngestError(path, f"is not a notebook ({error}): save it again from Jupyter") from error
    cells = book.get("cells") if isinstance(book, dict) else None
    if not isinstance(cells, list):
        raise IngestError(path, "is not a notebook of version 4: open it in Jupyter and save it again")
    known = [cell for cell in cells if isinstance(cell, dict)]
    return Reading(tuple(piece for cell in known for piece in _pieces(cell, path)))


def _pieces(cell: Mapping[str, Any], path: str) -> Iterator[Piece]:
    source = _text(cell.get("source"))
    match cell.get("cell_type"):
        case "markdown":
            yield from markdown_pieces(source, path)
        case "code":
            yield Piece("code", clean(source).strip("\n").rstrip())
            outputs = cell.get("outputs")
            for output in outputs if isinstance(outputs, list) else ():
                if isinstance(output, dict) and (shown := clean(_printed(output)).strip()):
                    yield Piece("code", shown[:_PRINTED])


def _printed(output: Mapping[str, Any]) -> str:
    data = output.get("data")
    return _text(data.get("text/plain")) if isinstance(data, dict) else _text(output.get("text"))


def _text(source: object) -> str:
    """Return a text of a notebook, which is written as one or line by line."""
    lines = source if isinstance(source, list) else [source]
    # JSON can spell halves of characters, which nothing can store.
    return "".join(line for line in lines if isinstance(line, str)).encode("utf-8", "ignore").decode()
