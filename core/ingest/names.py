"""What the names of a corpus are made of, document by document, so that no text is needed to know them all."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from core.entities import Entity, Registry, make_registry
from core.ingest.corpus import entities_of_pages
from core.ingest.document import Document
from core.ingest.namings import named_in
from core.ingest.statements import Naming, namings_of, statements_of


@dataclass(frozen=True, slots=True)
class Named:
    """What a document adds to the names of its corpus: itself, without its text, and what it calls other things."""

    page: Document
    namings: tuple[Naming, ...] = ()


def named(document: Document) -> Named:
    """Return what the document adds. A pure function of the document."""
    page = Document(
        id=document.id,
        title=document.title,
        text="",
        blocks=(),
        kind=document.kind,
        aliases=document.aliases,
        superseded=document.superseded,
    )
    return Named(page, namings_of(document, statements_of(document)))


def registry_of(corpus: Iterable[Named], declared: Sequence[Entity]) -> Registry:
    """Return the registry of a corpus: equal to that of `entities_of` all its documents, by their ids in order."""
    ordered = sorted(corpus, key=lambda one: one.page.id)
    own = make_registry((*declared, *entities_of_pages((one.page for one in ordered), declared)))
    return make_registry(named_in((one.namings for one in ordered), own), own)


def digest_of(corpus: Iterable[Named]) -> str:
    """Return what tells the names of one corpus from those of another, whatever order they come in."""
    ordered = sorted(corpus, key=lambda one: one.page.id)
    return sha256("\0".join(map(repr, ordered)).encode("utf-8", "surrogatepass")).hexdigest()
