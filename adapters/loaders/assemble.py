"""What a reader found and what the source knows become one document: each statement in its place."""

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final
from unicodedata import normalize
from urllib.parse import quote, urlsplit

from adapters.loaders.closing import means_labels
from adapters.loaders.front_matter import Meta
from adapters.loaders.reading import Reading
from core.audience import folded
from core.errors import IngestError
from core.facts import Link, Span
from core.ingest.access import DRAFT
from core.ingest.document import Document
from core.ingest.pieces import Piece, lay_out, one_line, title_of
from core.ingest.source import Item

# Part of every digest: a new number makes every document new to the index.
LOADER_VERSION: Final = "12"
_UPDATED: Final = ("updated", "last_updated")
_REPLACED_BY: Final = "replaced_by"
_AUTHORITY: Final = re.compile(r"[0-9]")
_YES: Final = frozenset(("true", "yes", "да"))
_DRAFTS: Final = frozenset((DRAFT, "черновик"))
_OWN_PLACE: Final = frozenset(
    (
        *("title", "type", "aliases", "labels", "readers", *_UPDATED, "status", _REPLACED_BY, "link", "url"),
        *("authority", "draft"),
    )
)


def document_of(item: Item, reading: Reading, link_base: str | None) -> Document:
    """Return the document; what it says of itself stands above what the source says of it.

    Raises IngestError when it has no text, and when nobody may read it: neither is indexed.
    """
    meta = reading.meta
    title = _text(meta, "title") or one_line(item.title or "") or title_of(reading.pieces) or title_from(item.name)
    fields = {key: _text(meta, key) for key in meta if key not in _OWN_PLACE}
    text, blocks = lay_out((*_field_pieces(_shown(fields, meta), reading.pieces), *reading.pieces), title)
    if not text:
        raise IngestError(item.name, "has no text: write something into it or remove it")
    replaced_by = _text(meta, _REPLACED_BY) or None
    return Document(
        id=item.name,
        title=title,
        text=text,
        blocks=blocks,
        kind=_text(meta, "type") or item.kind or _folder_of(item.name) or "page",
        aliases=_many(meta, "aliases"),
        fields=fields,
        labels=_labels(meta),
        readers=_readers(item, frozenset(map(folded, _many(meta, "readers")))),
        updated=next(filter(None, (_text(meta, key) for key in _UPDATED)), item.updated),
        replaced_by=replaced_by,
        superseded=replaced_by is not None or _text(meta, "status").casefold() == "superseded",
        link=_link(meta, item, link_base),
        digest=digest_of(item),
        authority=int(said) if _AUTHORITY.fullmatch(said := _text(meta, "authority")) else 0,
    )


def _labels(meta: Meta) -> frozenset[str]:
    said = {normalize("NFC", label) for key in meta if means_labels(key) for label in _many(meta, key)}
    return frozenset(said | {DRAFT} if _is_draft(meta) else said)


def _is_draft(meta: Meta) -> bool:
    return _text(meta, "draft").casefold() in _YES or _text(meta, "status").casefold() in _DRAFTS


def _readers(item: Item, own: frozenset[str]) -> frozenset[str]:
    """Return who may read it: those whom the source and the document both allow; nobody named allows everybody."""
    source = frozenset(map(folded, item.readers))
    if not (source and own):
        return source | own
    if both := source & own:
        return both
    stated, given = ", ".join(sorted(own)), ", ".join(sorted(source))
    raise IngestError(
        item.name, f"nobody may read it: it names the readers {stated}, its source {given}; name a group of both"
    )


def digest_of(item: Item) -> str:
    """Return the digest of the bytes and of what the source says, so that changed readers make a changed document."""
    said = (item.title, item.updated, item.link, sorted(item.readers), *((item.kind,) if item.kind else ()))
    known = repr(said).encode() if any(said) else b""
    return sha256(b"\0".join((LOADER_VERSION.encode(), *((known,) if known else ()), item.data))).hexdigest()


def _shown(fields: Mapping[str, str], meta: Meta) -> Mapping[str, str]:
    """Return the fields that are read with the text: what says how old the document is can be asked for and quoted.

    The day of a letter is its date and not one more field.
    """
    dated = {key: _text(meta, key) for key in (*_UPDATED, _REPLACED_BY) if _text(meta, key)}
    return {**fields, **{key: value for key, value in dated.items() if not fields.get("date", "").startswith(value)}}


def _field_pieces(fields: Mapping[str, str], pieces: tuple[Piece, ...]) -> Iterator[Piece]:
    series = 1 + max((piece.series for piece in pieces if piece.series is not None), default=-1)
    for key, value in fields.items():
        shown = one_line(key.replace("_", " "))
        text = f"{shown[:1].upper()}{shown[1:]}: {one_line(value)}"
        link = Link(value, Span(len(shown) + 2, len(text)))
        yield Piece("field", text, series=series, links=(link,) if key == _REPLACED_BY else ())


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


def _link(meta: Meta, item: Item, link_base: str | None) -> str | None:
    """Return where a reader finds the page. It may say so itself, but not that it stands with somebody unknown.

    Known are the hosts of `link_base` and of the page's own source; where neither is given, its word is all there is.
    """
    known = item.link or (f"{link_base.rstrip('/')}/{quote(item.name)}" if link_base else None)
    stated = _text(meta, "link") or _text(meta, "url") or ""
    hosts = {_host(address) for address in (link_base, item.link) if address}
    is_address = stated.startswith(("https://", "http://"))
    return stated if is_address and (not hosts or _host(stated) in hosts) else known


def _host(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None
