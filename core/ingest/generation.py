"""A generation: one complete index, as what it was made of and where its rows lie."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from core.errors import IngestError
from core.ingest.document import Document
from core.ingest.names import Named

State = Literal["building", "live", "retired"]


@dataclass(frozen=True, slots=True)
class Tables:
    """Where the rows of a generation lie: the tables of a base, each in one of its versions.

    A generation that changes little takes its parent's tables and adds versions to them; the parent's stay as they are.
    None: whatever the table holds.
    """

    base: int
    passages: int | None = None
    chunks: int | None = None


@dataclass(frozen=True, slots=True)
class Make:
    """By what a generation was made: with another make nothing of the one before can be taken over.

    `domain` is what the corpus declares of itself.
    """

    source: str
    embedder: str
    dimension: int
    analyzer: str
    domain: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Generation:
    """One index, complete when it was published; `parent` is the one that it was made from, if it took much over.

    `names`: the digest of the names of the corpus with which its rows were made. `builder`: the run that builds it, or
    did; another one that goes on with it is another builder, and what the one before still writes is refused.
    """

    number: int
    state: State
    title: str
    make: Make
    tables: Tables
    counts: Mapping[str, int]
    parent: int | None = None
    published_at: datetime | None = None
    progress: Mapping[str, Any] = field(default_factory=dict)
    touched_at: datetime | None = None
    stopping: bool = False
    names: str | None = None
    builder: str | None = None


@dataclass(frozen=True, slots=True)
class Holding:
    """A document that a generation is to hold, by its digest, and the item of its source that it is made of.

    `written`: the digest of the document whose rows lie in the tables, if there are any. In a generation that was
    published both are the same; while it is built, no digest means that the rows are to go.
    """

    doc_id: str
    digest: str
    item: str
    written: str | None = None


@dataclass(frozen=True, slots=True)
class KnownItem:
    """An item of a source as it was read: its sign then, the digest of all that its documents are made from.

    An item without documents is known, too, so that it is not read again; `problems`: what could not be read in it.
    """

    name: str
    sign: str
    digest: str
    problems: tuple[IngestError, ...] = ()


@dataclass(frozen=True, slots=True)
class Understood:
    """A document, what it adds to the names of its corpus, and how many chunks it has."""

    document: Document
    names: Named
    chunks: int


@dataclass(frozen=True, slots=True)
class ReadItem:
    """An item that was read, and all the documents in it."""

    item: KnownItem
    documents: tuple[Understood, ...] = ()
