"""A generation: one complete index, as what it was made of and where its rows lie."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

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
    """One index, complete when it was published; `parent` is the one that it was made from, if it took much over."""

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


@dataclass(frozen=True, slots=True)
class Holding:
    """A document that a generation holds, by its digest, and the item of its source that it was made of."""

    doc_id: str
    digest: str
    item: str
    item_digest: str
