"""What a reader of one format gives back, and the text formats' readers."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from adapters.loaders import front_matter
from adapters.loaders.closing import check_fields
from adapters.loaders.decoding import decode
from adapters.loaders.front_matter import Meta, meta_of
from core.errors import IngestError
from core.ingest import markdown, plaintext
from core.ingest.header import without_header
from core.ingest.markdown_dialects import plain_markdown
from core.ingest.pieces import Piece

BRACKETS_LIMIT: Final = 500
# Each line may be a heading or an item, and then takes about a kilobyte and a twentieth of a millisecond.
LINES_LIMIT: Final = 300_000
_BRACKETS = re.compile(r"[\[\]]|\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Reading:
    """The pieces of a document, what it says about itself, and what of it could not be read, each with the remedy."""

    pieces: tuple[Piece, ...]
    meta: Meta = field(default_factory=dict)
    unread: tuple[str, ...] = ()


Reader = Callable[[bytes, str], Reading]


def read_markdown(data: bytes, path: str) -> Reading:
    """Return a Markdown file as a reader sees it."""
    meta, text = front_matter.split(_lines(data, path), path)
    return Reading(markdown_pieces(text, path), meta)


def markdown_pieces(text: str, path: str) -> tuple[Piece, ...]:
    """Return the pieces of Markdown in whichever of its dialects. Raises IngestError when it would take too long."""
    _check_brackets(text, path)
    return markdown.pieces_of(plain_markdown(text))


def _lines(data: bytes, path: str) -> str:
    """Return the text; raises IngestError when it has too many lines for a document."""
    text = decode(data, path)
    if text.count("\n") > LINES_LIMIT:
        raise IngestError(path, f"has more than {LINES_LIMIT:,} lines: split it")
    return text


def _check_brackets(text: str, path: str) -> None:
    """Raise IngestError for a paragraph in which more are open than anybody closes.

    For each of them the parser looks for its end in all the rest: 100 kB of them take it half a minute.
    """
    depth = 0
    for mark in _BRACKETS.findall(text):
        depth = depth + 1 if mark == "[" else max(0, depth - 1) if mark == "]" else 0
        if depth > BRACKETS_LIMIT:
            raise IngestError(path, f"has a paragraph with more than {BRACKETS_LIMIT} open brackets: close them")


def read_text(data: bytes, path: str) -> Reading:
    """Return a plain text file; its header lines count as front matter."""
    meta, text = front_matter.split(_lines(data, path), path, is_headed=True)
    header, pieces = without_header(plaintext.pieces_of(text))
    check_fields(header, path)
    return Reading(pieces, {**meta_of(header), **meta})
