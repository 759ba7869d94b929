"""The work of an index run in parts: a few documents of a generation, and the rows that are made of them.

Who makes the rows does not matter, and neither does where: they follow from the generation, as the catalogue knows it,
and the ids of the documents alone. Only one process writes them.
"""

from dataclasses import dataclass
from typing import Any, Protocol

from core.entities import Entity, Registry
from core.errors import IngestError
from core.ingest.generation import Tables


@dataclass(frozen=True, slots=True)
class CorpusNames:
    """The names that a whole corpus goes by: what it declares, and all of them as a registry."""

    declared: tuple[Entity, ...]
    registry: Registry


@dataclass(frozen=True, slots=True)
class PartOrder:
    """Documents whose rows are wanted, by their ids: the catalogue has them, with the generation, before this is made.

    `known`: tables of an index made with the same encoder; the vector of what was embedded there is taken from it.
    `names` follow from the catalogue too: `registry_of(await catalog.names(generation), declared)`.
    """

    generation: int
    number: int
    documents: tuple[str, ...]
    known: Tables | None
    names: CorpusNames


@dataclass(frozen=True, slots=True)
class IndexPart:
    """An order for whoever makes it, in any process: `name` is that of its rows, `names` the digest of the corpus's."""

    name: str
    generation: int
    number: int
    documents: tuple[str, ...]
    known: Tables | None
    names: str


@dataclass(frozen=True, slots=True)
class PartRows:
    """The rows of a part: of its passages, with their vectors, and of its chunks.

    `embedded`: vectors made for it. `refused`: documents with passages that the encoder would not take; these have no
    row, and are found by their words alone.
    """

    passages: tuple[dict[str, Any], ...]
    chunks: tuple[dict[str, Any], ...]
    embedded: int
    refused: tuple[IngestError, ...] = ()


class Maker(Protocol):
    """Makes the rows of parts. `at_once`: so many orders keep it busy."""

    at_once: int

    async def make(self, order: PartOrder) -> PartRows:
        """Return the rows of the part. Raises ModelError, SearchError and StorageError."""
