"""Generations in memory: what a catalogue and an index keep of them, as far as answering reads it."""

import itertools
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from adapters.search.lance import Near
from adapters.search.lexical_port import Where
from core.conversation import Question, Thread
from core.delivery import Part
from core.entities import make_registry
from core.errors import SearchError
from core.ingest.document import Document
from core.ingest.domain import read_domain
from core.ingest.generation import Generation, Holding, Make, Tables
from core.ingest.graph import entities_of, with_names
from core.ingest.rows import ANALYZER
from core.ports import Entailment
from core.turn import TurnRecord
from tests.adapters.search.shelf import Letters, Row, rows_of


class Forgetful:
    """Threads without a past, in which nothing is stored."""

    async def open(self, question: Question) -> Thread:
        return Thread(question.thread)

    async def close(self, question: Question, parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        pass

    async def told_of(self, question_id: str) -> None:
        """Nothing is stored of any question."""


class Unpinned:
    """A database that has no checked answers, and nothing else that answering reads."""

    @asynccontextmanager
    async def reading(self) -> AsyncIterator["Unpinned"]:
        """Give what is asked."""
        yield self

    async def execute(self, _: object) -> "Unpinned":
        """Find nothing."""
        return self

    def all(self) -> list[Any]:
        """Return nothing."""
        return []


@dataclass
class Kept:
    """One generation, whole."""

    generation: Generation
    documents: Mapping[str, Document]
    passages: list[Row]
    chunks: list[Row]


@dataclass
class Shelves:
    """A catalogue and an index in one. `read`: the documents that were asked for; `number`: the live generation."""

    number: int = 0
    kept: dict[int, Kept] = field(default_factory=dict)
    read: list[str] = field(default_factory=list)
    embedder: Letters = field(default_factory=Letters)
    threads: Forgetful = field(default_factory=Forgetful)
    database: Unpinned = field(default_factory=Unpinned)
    reranker: None = None
    proposer: None = None
    entailment: Entailment | None = None
    full_text: bool = False
    _numbers: Any = field(default_factory=lambda: itertools.count(1))

    @property
    def catalog(self) -> "Shelves":
        return self

    @property
    def index(self) -> "Shelves":
        return self

    async def publish(self, documents: Sequence[Document], domain: Mapping[str, Any] | None = None) -> Generation:
        """Make these the live generation, with rows as an index run makes them."""
        number, declared = next(self._numbers), read_domain(domain or {})
        named = with_names(sorted(documents, key=lambda one: one.id), declared.entities)
        passages, chunks = await rows_of(named, make_registry(entities_of(named, declared.entities)))
        make = Make("pages", Letters.id, Letters.dimension, ANALYZER, domain or {})
        made = Generation(number, "live", declared.title, make, Tables(number), {}, published_at=datetime.now(UTC))
        self.kept[number] = Kept(made, {one.id: one for one in documents}, passages, chunks)
        self.number = number
        return made

    def drop(self, number: int) -> None:
        """Forget a generation, with its tables."""
        del self.kept[number]

    async def live(self) -> Generation | None:
        return self.kept[self.number].generation if self.number else None

    async def holdings(self, number: int) -> tuple[Holding, ...]:
        known = self.kept[number].documents if number in self.kept else {}
        return tuple(Holding(one.id, one.digest, one.id, one.digest) for one in known.values())

    async def documents(self, number: int, ids: Sequence[str] | None = None) -> tuple[Document, ...]:
        self.read += ids or ()
        known = self.kept[number].documents if number in self.kept else {}
        return tuple(one for id_, one in known.items() if ids is None or id_ in ids)

    async def chunks(self, tables: Tables, doc_ids: Collection[str] | None = None) -> list[Row]:
        rows = self._of(tables).chunks
        return [row for row in rows if doc_ids is None or row["doc_id"] in doc_ids]

    async def nearest(self, tables: Tables, vector: Sequence[float], where: Where | None, limit: int) -> list[Near]:
        found = [
            Near(row["chunk_id"], row["doc_id"], row["start"], row["end"], 1.0 - _cosine(vector, row["vector"]))
            for row in self._of(tables).passages
        ]
        return sorted(found, key=lambda near: (near.distance, near.chunk_id, near.start))[:limit]

    def _of(self, tables: Tables) -> Kept:
        if tables.base not in self.kept:
            raise SearchError("the index could not be read (FileNotFoundError)")
        return self.kept[tables.base]


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
