"""The catalogue: generations of documents, one of them live, and the documents as they were understood."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Row, delete, insert, select, update

from adapters.storage.database import Database
from adapters.storage.tables import documents, generations
from core.errors import StorageError
from core.ingest.document import Document

_BUILDING, _LIVE, _RETIRED = "building", "live", "retired"
_BATCH = 100


@dataclass(frozen=True, slots=True)
class Generation:
    """One complete index: what it was built from and by. `domain` is what the corpus declares of itself."""

    number: int
    source: str
    title: str
    embedder: str
    dimension: int
    analyzer: str
    published_at: datetime
    counts: Mapping[str, int]
    domain: Mapping[str, Any]


class SqlCatalog:
    """The generations in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def live(self) -> Generation | None:
        """Return the generation that readers use, or None when nothing has been published."""
        query = select(generations).where(generations.c.state == _LIVE)
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).one_or_none()
        return _generation(row) if row else None

    async def begin(  # noqa: PLR0913 - each is a column, and given by name
        self, *, source: str, title: str, embedder: str, dimension: int, analyzer: str, domain: Mapping[str, Any]
    ) -> int:
        """Return the number of a new generation, beside the live one; a number is never used twice."""
        row = {
            "state": _BUILDING,
            "source": source,
            "title": title,
            "embedder": embedder,
            "dimension": dimension,
            "analyzer": analyzer,
            "created_at": datetime.now(UTC),
            "counts": {},
            "domain": dict(domain),
        }
        async with self._database.writing() as connection:
            number: int = (await connection.scalars(insert(generations).returning(generations.c.number), row)).one()
        return number

    async def store(self, generation: int, stored: Sequence[Document]) -> None:
        """Keep the documents, in batches; one that is there already is replaced."""
        new = self._database.insert(documents)
        upsert = new.on_conflict_do_update(
            index_elements=["generation", "doc_id"],
            set_={"digest": new.excluded.digest, "body": new.excluded.body},
        )
        for start in range(0, len(stored), _BATCH):
            rows = [_row(generation, document) for document in stored[start : start + _BATCH]]
            async with self._database.writing() as connection:
                await connection.execute(upsert, rows)

    async def publish(self, generation: int, counts: Mapping[str, int]) -> None:
        """Make this generation the live one and retire the one before, at once for every reader."""
        published = {"state": _LIVE, "published_at": datetime.now(UTC), "counts": dict(counts)}
        retire = update(generations).where(generations.c.state == _LIVE).values(state=_RETIRED)
        publish = update(generations).where(generations.c.number == generation).values(published)
        async with self._database.writing() as connection:
            await connection.execute(retire)
            if (await connection.execute(publish)).rowcount != 1:
                raise StorageError(f"generation {generation} does not exist")

    async def documents(self, generation: int) -> tuple[Document, ...]:
        """Return the generation's documents by their ids in order, each equal to the one that was stored."""
        query = select(documents.c.body).where(documents.c.generation == generation).order_by(documents.c.doc_id)
        async with self._database.reading() as connection:
            bodies = (await connection.scalars(query)).all()
        return tuple(_documents().validate_python(body) for body in bodies)

    async def digests(self, generation: int) -> dict[str, str]:
        """Return the digest of each document of the generation by the document's id."""
        query = select(documents.c.doc_id, documents.c.digest).where(documents.c.generation == generation)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return {row.doc_id: row.digest for row in rows}

    async def before(self, generation: int) -> tuple[int, ...]:
        """Return the numbers of the generations begun before this one."""
        query = select(generations.c.number).where(generations.c.number < generation)
        async with self._database.reading() as connection:
            return tuple((await connection.scalars(query)).all())

    async def drop(self, generation: int) -> None:
        """Forget a generation with its documents. Raises StorageError for the live one."""
        unused = delete(generations).where(generations.c.number == generation, generations.c.state != _LIVE)
        async with self._database.writing() as connection:
            dropped = (await connection.execute(unused)).rowcount
        if not dropped and await self._is_live(generation):
            raise StorageError(f"generation {generation} is live: publish another one before dropping it")

    async def _is_live(self, generation: int) -> bool:
        live = await self.live()
        return live is not None and live.number == generation


@lru_cache(maxsize=1)
def _documents() -> TypeAdapter[Document]:
    return TypeAdapter(Document)


def _row(generation: int, document: Document) -> dict[str, Any]:
    body = _documents().dump_python(document, mode="json", exclude_defaults=True)
    return {"generation": generation, "doc_id": document.id, "digest": document.digest, "body": body}


def _generation(row: Row[Any]) -> Generation:
    return Generation(
        number=row.number,
        source=row.source,
        title=row.title,
        embedder=row.embedder,
        dimension=row.dimension,
        analyzer=row.analyzer,
        published_at=row.published_at,
        counts=row.counts,
        domain=row.domain,
    )
