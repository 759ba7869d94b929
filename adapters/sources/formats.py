"""Which files and pages hold something to read, by suffix and by Content-Type."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

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
    "application/yaml": ".yaml",
    "application/x-yaml": ".yaml",
    "text/yaml": ".yaml",
    "message/rfc822": ".eml",
    "application/zip": ".zip",
    "application/x-zip-compressed": ".zip",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
}
_OTHER_NAMES: Final[Mapping[str, str]] = {".htm": HTML, ".xhtml": HTML, ".markdown": MARKDOWN, ".yml": ".yaml"}
READABLE: Final = frozenset(_BY_TYPE.values()) | frozenset(_OTHER_NAMES)
# Said of files that the server knows nothing about.
_UNSURE = frozenset(("", "application/octet-stream", "binary/octet-stream", "application/force-download"))
# What a server calls plain text may be any of these.
_WRITTEN = frozenset((MARKDOWN, ".csv", ".tsv", ".json", ".yaml", ".eml"))


def suffix_of(name: str) -> str:
    """Return the suffix in lower case, with its dot; nothing for a name without one."""
    return PurePosixPath(name).suffix.lower()


def same_format(one: str, other: str) -> bool:
    """Return whether two suffixes, such as .htm and .html, stand for one format."""
    return _OTHER_NAMES.get(one, one) == _OTHER_NAMES.get(other, other)


def suffix_for(content_type: str, path: str) -> str | None:
    """Return the suffix of what a server sends as this type from this path, None when it is nothing to read."""
    kind, own = content_type.partition(";")[0].strip().lower(), suffix_of(path)
    if kind in _UNSURE:
        return own if own in READABLE else None
    if kind == "text/plain" and _OTHER_NAMES.get(own, own) in _WRITTEN:
        return own
    return _BY_TYPE.get(kind)
