"""Which pages hold something to read, by Content-Type and suffix."""

from collections.abc import Mapping
from typing import Final

from core.ingest.formats import READ, suffix_of

HTML: Final = ".html"
TEXT: Final = ".txt"
MARKDOWN: Final = ".md"

# Formats by their media types (iana.org/assignments/media-types), as servers name them.
_BY_TYPE: Final[Mapping[str, str]] = {
    "text/html": HTML,
    "application/xhtml+xml": HTML,
    "text/plain": TEXT,
    "text/markdown": MARKDOWN,
    "text/x-markdown": MARKDOWN,
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "application/pdf": ".pdf",
    "application/x-pdf": ".pdf",
    "application/json": ".json",
    "application/jsonl": ".jsonl",
    "application/x-ndjson": ".jsonl",
    "application/x-ipynb+json": ".ipynb",
    "application/yaml": ".yaml",
    "application/x-yaml": ".yaml",
    "text/yaml": ".yaml",
    "message/rfc822": ".eml",
    "application/zip": ".zip",
    "application/x-zip-compressed": ".zip",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "application/vnd.ms-excel.sheet.macroenabled.12": ".xlsm",
}
_OTHER_NAMES: Final[Mapping[str, str]] = {".htm": HTML, ".markdown": MARKDOWN, ".mdx": MARKDOWN, ".yml": ".yaml"}
# Said of files that the server knows nothing about.
_UNSURE = frozenset(("", "application/octet-stream", "binary/octet-stream", "application/force-download"))
# What a server calls by these names may be any of the others.
_WITHIN: Final[Mapping[str, frozenset[str]]] = {
    "text/plain": frozenset((MARKDOWN, ".csv", ".tsv", ".json", ".jsonl", ".ipynb", ".yaml", ".eml")),
    "application/json": frozenset((".jsonl", ".ipynb")),
}


def same_format(one: str, other: str) -> bool:
    """Return whether two suffixes, such as .htm and .html, stand for one format."""
    return _OTHER_NAMES.get(one, one) == _OTHER_NAMES.get(other, other)


def suffix_for(content_type: str, path: str) -> str | None:
    """Return the suffix of what a server sends as this type from this path, None when it is nothing to read."""
    kind, own = content_type.partition(";")[0].strip().lower(), suffix_of(path)
    if kind in _UNSURE:
        return own if own in READ else None
    if _OTHER_NAMES.get(own, own) in _WITHIN.get(kind, ()):
        return own
    return _BY_TYPE.get(kind)
