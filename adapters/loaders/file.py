"""One file to one document: the reader by its suffix, the front matter into its places."""

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final
from unicodedata import category
from urllib.parse import quote

from adapters.loaders.docx import read_docx
from adapters.loaders.front_matter import Meta
from adapters.loaders.html import read_html
from adapters.loaders.pdf import read_pdf
from adapters.loaders.reading import Reader, Reading, read_markdown, read_text
from core.errors import IngestError
from core.ingest.document import Document
from core.ingest.pieces import Piece, lay_out, one_line, title_of

# Part of every digest: a new number makes every document new to the index.
LOADER_VERSION: Final = "2"
SIZE_LIMIT: Final = 50_000_000
READERS: Final[Mapping[str, Reader]] = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".txt": read_text,
    ".html": read_html,
    ".htm": read_html,
    ".pdf": read_pdf,
    ".docx": read_docx,
}
_ADVICE: Final[Mapping[tuple[str, ...], str]] = {
    (".doc", ".odt", ".rtf", ".pages"): ".docx",
    (".ppt", ".pptx", ".odp", ".key"): ".pdf",
    (".xls", ".xlsx", ".ods", ".csv", ".tsv"): "a table in .md or .html",
}
_OWN_PLACE = frozenset(
    (
        "title",
        "type",
        "aliases",
        "labels",
        "readers",
        "updated",
        "last_updated",
        "status",
        "replaced_by",
        "link",
        "url",
    ),
)


def load_file(path: Path, folder: Path, link_base: str | None = None) -> Document:
    """Return the document in the file; raises `IngestError` with its path below the folder and what to do."""
    name = name_of(path, folder)
    suffix = path.suffix.lower()
    reader = READERS.get(suffix)
    if reader is None:
        raise IngestError(name, f"no reader for {suffix or 'files without a suffix'}: {_advice(suffix)}")
    data = _bytes(path, name)
    reading = reader(data, name)
    digest = sha256(LOADER_VERSION.encode() + b"\0" + data).hexdigest()
    return _document(name, reading, digest, link_base)


def name_of(path: Path, folder: Path) -> str:
    """Return the path below the folder with forward slashes."""
    name = path.relative_to(folder).as_posix()
    if any(category(char) in ("Cc", "Cs") for char in name):
        shown = name.encode("unicode_escape").decode("ascii")
        raise IngestError(shown, "its name has characters that cannot be shown: rename it")
    return name


def _advice(suffix: str) -> str:
    better = next((advice for known, advice in _ADVICE.items() if suffix in known), ", ".join(sorted(READERS)))
    return f"save it as {better}, or move it out of the folder"


def _bytes(path: Path, name: str) -> bytes:
    try:
        size = path.stat().st_size
        data = path.read_bytes() if size <= SIZE_LIMIT else b""
    except OSError as error:
        raise IngestError(name, f"cannot be read ({error.strerror}): check that it exists and may be read") from error
    if size > SIZE_LIMIT:
        raise IngestError(name, f"has {size:,} bytes, more than {SIZE_LIMIT:,}: split it")
    if not data.strip():
        raise IngestError(name, "is empty: write something into it or remove it")
    return data


def _document(name: str, reading: Reading, digest: str, link_base: str | None) -> Document:
    meta = reading.meta
    title = _text(meta, "title") or title_of(reading.pieces) or title_from(name)
    fields = {key: _text(meta, key) for key in meta if key not in _OWN_PLACE}
    text, blocks = lay_out((*_field_pieces(fields, reading.pieces), *reading.pieces), title)
    if not text:
        raise IngestError(name, "has no text: write something into it or remove it")
    replaced_by = _text(meta, "replaced_by") or None
    return Document(
        id=name,
        title=title,
        text=text,
        blocks=blocks,
        kind=_text(meta, "type") or _folder_of(name) or "page",
        aliases=_many(meta, "aliases"),
        fields=fields,
        labels=frozenset(_many(meta, "labels")),
        readers=frozenset(_many(meta, "readers")),
        updated=_text(meta, "updated") or _text(meta, "last_updated") or None,
        replaced_by=replaced_by,
        superseded=replaced_by is not None or _text(meta, "status").casefold() == "superseded",
        link=_link(meta, name, link_base),
        digest=digest,
    )


def _field_pieces(fields: Mapping[str, str], pieces: tuple[Piece, ...]) -> Iterator[Piece]:
    series = 1 + max((piece.series for piece in pieces if piece.series is not None), default=-1)
    for key, value in fields.items():
        shown = one_line(key.replace("_", " "))
        yield Piece("field", f"{shown[:1].upper()}{shown[1:]}: {one_line(value)}", series=series)


def _text(meta: Meta, key: str) -> str:
    value = meta.get(key, "")
    return one_line(value if isinstance(value, str) else ", ".join(value))


def _many(meta: Meta, key: str) -> tuple[str, ...]:
    value = meta.get(key, ())
    parts = value.split(",") if isinstance(value, str) else value
    return tuple(dict.fromkeys(text for part in parts if (text := one_line(part))))


def title_from(name: str) -> str:
    """Return a file name as a title: `how-to/reset_vpn-access.md` reads "Reset vpn access"."""
    words = re.sub(r"[-_\s]+", " ", Path(name).stem).strip()
    return words[:1].upper() + words[1:] if words else name


def _folder_of(name: str) -> str:
    return Path(name).parent.name


def _link(meta: Meta, name: str, link_base: str | None) -> str | None:
    stated = _text(meta, "link") or _text(meta, "url")
    if stated.startswith(("https://", "http://")):
        return stated
    return f"{link_base.rstrip('/')}/{quote(name)}" if link_base else None
