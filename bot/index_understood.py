"""Items of a source to documents as they are stored; a pure function of them, made wherever there is room for it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from adapters.loaders import Workers, documents_in
from adapters.loaders.formats import ARCHIVE, MAIL, is_risky
from adapters.loaders.guard import SHARED
from core.errors import IngestError
from core.ingest.access import Access, ruled
from core.ingest.chunk import CHUNKER_VERSION, chunk_count
from core.ingest.document import Document
from core.ingest.formats import suffix_of
from core.ingest.generation import Understood
from core.ingest.names import named
from core.ingest.source import Item


@dataclass(frozen=True, slots=True)
class Rules:
    """What holds for all items of a collection: where links lead, and who may read what."""

    link_base: str | None
    access: Access


# What came of an item: its documents, and what of it could not be read.
Found = tuple[tuple[Understood, ...], tuple[IngestError, ...]]


def understood_in(items: Sequence[Item], rules: Rules, workers: Workers = SHARED) -> list[Found]:
    """Return what is in each of the items; once the workers are closed, nothing of those that were still to come."""
    return [_understood_in(item, rules, workers) for item in items if not workers.closed]


def _understood_in(item: Item, rules: Rules, workers: Workers) -> Found:
    results = [under_rules(one, rules.access) for one in documents_in(item, rules.link_base, workers)]
    documents = (one for one in results if isinstance(one, Document))
    stamped = (replace(one, digest=stamp(one.digest, rules.link_base)) for one in documents)
    return tuple(map(understood, stamped)), tuple(one for one in results if isinstance(one, IngestError))


def is_plain(item: Item) -> bool:
    """Return whether the item can be read in any process: what may hang or crash has processes of its own."""
    return suffix_of(item.name) not in {ARCHIVE, MAIL} and not is_risky(item.name, len(item.data))


def understood(document: Document) -> Understood:
    """Return the document with what it adds to its corpus."""
    return Understood(document, named(document), chunk_count(document))


def under_rules(read: Document | IngestError, access: Access) -> Document | IngestError:
    """Return the document as the rules on who may read it have it, or that nobody may."""
    if isinstance(read, IngestError):
        return read
    try:
        given = ruled(read, access)
    except IngestError as error:
        return error
    if (given.readers, given.labels, given.authority) == (read.readers, read.labels, read.authority):
        return read
    other = () if given.authority == read.authority else (given.authority,)
    said = repr((sorted(given.readers), sorted(given.labels), *other))
    return replace(given, digest=sha256(f"{read.digest}\0{said}".encode()).hexdigest())


def stamp(digest: str, link_base: str | None) -> str:
    """Return the digest of all that a document and its chunks are made from."""
    return sha256(f"{digest}\0{link_base or ''}\0{CHUNKER_VERSION}".encode()).hexdigest()
