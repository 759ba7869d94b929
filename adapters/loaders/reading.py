"""What a reader of one format gives back, and the text formats' readers."""

from collections.abc import Callable
from dataclasses import dataclass, field

from adapters.loaders import front_matter
from adapters.loaders.decoding import decode
from adapters.loaders.front_matter import Meta, meta_of
from core.ingest import markdown, plaintext
from core.ingest.header import without_header
from core.ingest.pieces import Piece


@dataclass(frozen=True, slots=True)
class Reading:
    """The pieces of a document and what it says about itself."""

    pieces: tuple[Piece, ...]
    meta: Meta = field(default_factory=dict)


Reader = Callable[[bytes, str], Reading]


def read_markdown(data: bytes, path: str) -> Reading:
    """Return a Markdown file as a reader sees it."""
    meta, text = front_matter.split(decode(data, path), path)
    return Reading(markdown.pieces_of(text), meta)


def read_text(data: bytes, path: str) -> Reading:
    """Return a plain text file; its header lines count as front matter."""
    meta, text = front_matter.split(decode(data, path), path)
    header, pieces = without_header(plaintext.pieces_of(text))
    return Reading(pieces, {**meta_of(header), **meta})
