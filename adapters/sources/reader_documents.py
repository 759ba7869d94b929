"""A document of LlamaIndex as an item: its metadata, which every reader writes in its own words, in ours."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any, Final, Literal
from unicodedata import category
from uuid import UUID

from adapters.sources.dates import day_of
from adapters.sources.formats import MARKDOWN, TEXT
from adapters.sources.names import fit, marked
from core.ingest.formats import READ, suffix_of
from core.ingest.source import Item

# The words of the readers in the llama-index repository, the surest first; in lower case, with underscores.
_WHICH: Final = ("file_path", "path", "page_id", "document_id", "doc_id", "id", "url", "source_url", "link")
_TITLE: Final = ("title", "page_title", "document_title", "subject", "name")
_FILE: Final = ("file_name", "filename", "file_path", "path")
_LINK: Final = ("url", "link", "page_url", "web_url", "webviewlink", "html_url", "source_url", "permalink", "source")
_UPDATED: Final = (
    *("last_modified_date", "last_modified", "last_modified_at", "modified_at", "modified_time", "last_edited_time"),
    *("updated_at", "updated", "last_updated", "date", "created_at", "creation_date"),
)
_PART: Final = ("page_label", "page_number", "page", "sheet_name", "row")
_FORMATTED: Final = frozenset((".md", ".markdown", ".mdx", ".html", ".htm"))
_STEM_CHARS: Final = 80
# Random ids have version 4: they are new in every run.
_RANDOM: Final = 4


@dataclass(frozen=True, slots=True)
class Told:
    """A document as its reader gave it; `identity` tells it, or the file that it is a part of, from all others."""

    text: str
    identity: str
    metadata: Mapping[str, object] = field(default_factory=dict)


def told_by(document: Any) -> Told:
    """Return what the document says. Raises TypeError or AttributeError when it has no text."""
    get = getattr(document, "get_content", None)
    text = get() if callable(get) else document.text
    if not isinstance(text, str):
        raise TypeError(f"its text is {type(text).__name__}")
    given = getattr(document, "metadata", None)
    words = given if isinstance(given, Mapping) else {}
    metadata = {str(key).lower().replace(" ", "_").replace("-", "_"): value for key, value in words.items()}
    return Told(text, f"{_identity(document, metadata, text)}\n{_said(metadata, _PART)}", metadata)


def item_of(told: Told, number: int, suffix: Literal[".md", ".txt"] | None, readers: frozenset[str]) -> Item:
    """Return the document as an item; `number` counts those of the same identity before it.

    Its name is made of its title or file and a mark of its identity, so that it is the same in every run.
    """
    title = _said(told.metadata, _TITLE)
    file = _said(told.metadata, _FILE).replace("\\", "/")
    link = next((text for text in _all(told.metadata, _LINK) if text.startswith(("https://", "http://"))), None)
    part = _said(told.metadata, _PART)
    stem = title or PurePosixPath(file).stem or "document"
    return Item(
        name=marked(_fit(stem) + (suffix or _suffix(told.metadata, file)), f"{told.identity}\n{number}"),
        data=told.text.encode("utf-8", "replace"),
        link=link,
        title=(f"{title}, {part}" if part else title) or None,
        updated=next((day for key in _UPDATED if (day := day_of(told.metadata.get(key)))), None),
        readers=readers,
    )


def _identity(document: Any, metadata: Mapping[str, object], text: str) -> str:
    """Return what names the document in every run: of its own words, its id unless that is random, or all it says."""
    if said := _said(metadata, _WHICH) or _said(metadata, _FILE):
        return said
    for id_ in (getattr(document, name, None) for name in ("id_", "doc_id")):
        if isinstance(id_, str) and id_ and not _is_random(id_):
            return id_
    # Some write the place here, and some the name of the service, which is the same for all.
    if "/" in (source := _said(metadata, ("source",))):
        return source
    return sha256(text.encode("utf-8", "replace")).hexdigest()


def _is_random(id_: str) -> bool:
    try:
        return UUID(id_).version == _RANDOM
    except ValueError:
        return False


def _suffix(metadata: Mapping[str, object], file: str) -> str:
    """Return .txt for what comes from a file that has no headings to keep, .md for all that is written as pages."""
    own = suffix_of(file)
    plain = own in READ - _FORMATTED or str(metadata.get("file_type", "")) == "text/plain"
    return TEXT if plain else MARKDOWN


def _said(metadata: Mapping[str, object], keys: tuple[str, ...]) -> str:
    return next(iter(_all(metadata, keys)), "")


def _all(metadata: Mapping[str, object], keys: tuple[str, ...]) -> list[str]:
    values = (metadata.get(key) for key in keys)
    texts = (str(value) for value in values if isinstance(value, str | int) and not isinstance(value, bool))
    return [text for found in texts if (text := " ".join(found.split()))]


def _fit(stem: str) -> str:
    return "".join("-" if char in "/\\:" or category(char) == "Zs" else char for char in fit(stem))[:_STEM_CHARS]
