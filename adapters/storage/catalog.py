"""The catalogue: generations of documents, one of them live, and the documents as they were understood."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Row, delete, exists, insert, literal, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database
from adapters.storage.tables import documents, generations, holdings
from core.errors import StorageError
from core.ingest.document import Document
from core.ingest.generation import Generation, Holding, Make, Tables

_BUILDING, _LIVE, _RETIRED = "building", "live", "retired"
_BATCH = 100


class SqlCatalog:
    """The generations in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def live(self) -> Generation | None:
        """Return the generation that readers use, or None when nothing has been published."""
        return await self._one(generations.c.state == _LIVE)

    async def building(self) -> Generation | None:
        """Return the generation that is being built, or was when its process ended; there is at most one."""
        return await self._one(generations.c.state == _BUILDING)

    async def retired(self) -> Generation | None:
        """Return the generation that was live last before this one, if it is still kept."""
        return await self._one(generations.c.state == _RETIRED)

    async def begin(self, make: Make, title: str, *, parent: Generation | None = None) -> Generation | None:
        """Return a new generation beside the live one, or None when one is being built already.

        With a parent it holds what that one holds, in the same tables; else nothing, in tables of its own. A number is
        never used twice.
        """
        now = datetime.now(UTC)
        row = {
            "state": _BUILDING,
            "source": make.source,
            "title": title,
            "embedder": make.embedder,
            "dimension": make.dimension,
            "analyzer": make.analyzer,
            "domain": dict(make.domain),
            "created_at": now,
            "touched_at": now,
            "counts": {},
            "parent": parent.number if parent else None,
        }
        new = self._database.insert(generations).values(row).on_conflict_do_nothing().returning(generations.c.number)
        async with self._database.writing() as connection:
            number = await connection.scalar(new)
            if number is None:
                return None
            tables = parent.tables if parent else Tables(number)
            mine = update(generations).where(generations.c.number == number)
            await connection.execute(mine.values(base=tables.base, **_versions(tables)))
            if parent:
                await connection.execute(_inherited(number, parent.number))
        return await self.generation(number)

    async def take(self, building: Generation) -> bool:
        """Return whether the generation is ours to go on with: nobody has touched it since it was looked at."""
        seen = (
            generations.c.touched_at.is_(None)
            if building.touched_at is None
            else (generations.c.touched_at == building.touched_at)
        )
        mine = (generations.c.number == building.number, generations.c.state == _BUILDING, seen)
        taken = update(generations).where(*mine).values(touched_at=datetime.now(UTC), stopping=False)
        async with self._database.writing() as connection:
            return bool((await connection.execute(taken)).rowcount)

    async def leave(self, generation: int) -> None:
        """Note that nobody builds the generation any more, so that the next one who wants to may go on at once."""
        mine = (generations.c.number == generation, generations.c.state == _BUILDING)
        async with self._database.writing() as connection:
            await connection.execute(update(generations).where(*mine).values(touched_at=None))

    async def generation(self, number: int) -> Generation | None:
        """Return the generation with this number."""
        return await self._one(generations.c.number == number)

    async def store(
        self,
        generation: int,
        kept: Sequence[tuple[Document, Holding]],
        removed: Sequence[str],
        tables: Tables,
        progress: Mapping[str, Any],
    ) -> bool:
        """Store at once that these documents are in the generation, and these ids are not, in its tables as they are.

        Returns False when the build is to stop. Raises StorageError when the generation is not being built any more.
        """
        async with self._database.writing() as connection:
            await self._keep(connection, generation, kept)
            if removed:
                gone = (holdings.c.generation == generation, holdings.c.doc_id.in_(removed))
                await connection.execute(delete(holdings).where(*gone))
            return await _touched(connection, generation, progress, **_versions(tables))

    async def note(self, generation: int, progress: Mapping[str, Any]) -> bool:
        """Show how far the build is, and that it goes on; False when it is to stop."""
        async with self._database.writing() as connection:
            return await _touched(connection, generation, progress)

    async def stop(self) -> bool:
        """Ask whoever builds a generation to stop; False when nobody does."""
        building = update(generations).where(generations.c.state == _BUILDING)
        async with self._database.writing() as connection:
            return bool((await connection.execute(building.values(stopping=True))).rowcount)

    async def publish(self, generation: int, counts: Mapping[str, int] | None = None) -> None:
        """Make this generation the live one and retire the one before, at once for every reader."""
        published: dict[str, Any] = {"state": _LIVE, "published_at": datetime.now(UTC), "progress": {}}
        if counts is not None:
            published["counts"] = dict(counts)
        retire = update(generations).where(generations.c.state == _LIVE).values(state=_RETIRED)
        publish = update(generations).where(generations.c.number == generation).values(published)
        async with self._database.writing() as connection:
            await connection.execute(retire)
            if (await connection.execute(publish)).rowcount != 1:
                raise StorageError(f"generation {generation} does not exist")

    async def documents(self, generation: int, ids: Sequence[str] | None = None) -> tuple[Document, ...]:
        """Return the generation's documents, or those of them with these ids, by their ids in order."""
        same = (documents.c.doc_id == holdings.c.doc_id, documents.c.digest == holdings.c.digest)
        query = select(documents.c.body).join_from(holdings, documents, same[0] & same[1])
        query = query.where(holdings.c.generation == generation).order_by(holdings.c.doc_id)
        if ids is not None:
            query = query.where(holdings.c.doc_id.in_(ids))
        async with self._database.reading() as connection:
            bodies = (await connection.scalars(query)).all()
        return tuple(_documents().validate_python(body) for body in bodies)

    async def holdings(self, generation: int) -> tuple[Holding, ...]:
        """Return what the generation holds, by the ids of the documents in order."""
        query = select(holdings.c.doc_id, holdings.c.digest, holdings.c.item, holdings.c.item_digest)
        query = query.where(holdings.c.generation == generation).order_by(holdings.c.doc_id)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return tuple(Holding(*row) for row in rows)

    async def all(self) -> tuple[Generation, ...]:
        """Return every generation that is kept: those that were published, in that order, then the one being built."""
        building = generations.c.state == _BUILDING
        query = select(generations).order_by(building, generations.c.published_at, generations.c.number)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return tuple(_generation(row) for row in rows)

    async def drop(self, generation: int) -> None:
        """Forget a generation, with the documents that no other one holds. Raises StorageError for the live one."""
        unused = delete(generations).where(generations.c.number == generation, generations.c.state != _LIVE)
        held = exists().where(holdings.c.doc_id == documents.c.doc_id, holdings.c.digest == documents.c.digest)
        async with self._database.writing() as connection:
            dropped = (await connection.execute(unused)).rowcount
            if dropped:
                await connection.execute(delete(documents).where(~held))
        if not dropped and (found := await self.generation(generation)) and found.state == _LIVE:
            raise StorageError(f"generation {generation} is live: publish another one before dropping it")

    async def _one(self, wanted: Any) -> Generation | None:
        latest = (generations.c.published_at.desc(), generations.c.number.desc())
        query = select(generations).where(wanted).order_by(*latest).limit(1)
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).one_or_none()
        return _generation(row) if row else None

    async def _keep(
        self, connection: AsyncConnection, generation: int, kept: Sequence[tuple[Document, Holding]]
    ) -> None:
        body = self._database.insert(documents).on_conflict_do_nothing()
        mine = self._database.insert(holdings)
        changed = {name: mine.excluded[name] for name in ("digest", "item", "item_digest")}
        held = mine.on_conflict_do_update(index_elements=["generation", "doc_id"], set_=changed)
        for start in range(0, len(kept), _BATCH):
            batch = kept[start : start + _BATCH]
            await connection.execute(body, [_body(document, holding) for document, holding in batch])
            await connection.execute(held, [_row(generation, holding) for _, holding in batch])


async def _touched(
    connection: AsyncConnection, generation: int, progress: Mapping[str, Any], **versions: int | None
) -> bool:
    mine = (generations.c.number == generation, generations.c.state == _BUILDING)
    changed = {"progress": dict(progress), "touched_at": datetime.now(UTC), **versions}
    touched = update(generations).where(*mine).values(changed).returning(generations.c.stopping)
    stopping: bool | None = await connection.scalar(touched)
    if stopping is None:
        raise StorageError(f"generation {generation} is not being built any more: another index run took its place")
    return not stopping


def _inherited(generation: int, parent: int) -> Any:
    theirs = select(
        literal(generation), holdings.c.doc_id, holdings.c.digest, holdings.c.item, holdings.c.item_digest
    ).where(holdings.c.generation == parent)
    return insert(holdings).from_select(["generation", "doc_id", "digest", "item", "item_digest"], theirs)


def _versions(tables: Tables) -> dict[str, int | None]:
    return {"passages_version": tables.passages, "chunks_version": tables.chunks}


@lru_cache(maxsize=1)
def _documents() -> TypeAdapter[Document]:
    return TypeAdapter(Document)


def _body(document: Document, holding: Holding) -> dict[str, Any]:
    body = _documents().dump_python(document, mode="json", exclude_defaults=True)
    return {"doc_id": holding.doc_id, "digest": holding.digest, "body": body}


def _row(generation: int, holding: Holding) -> dict[str, Any]:
    return {
        "generation": generation,
        "doc_id": holding.doc_id,
        "digest": holding.digest,
        "item": holding.item,
        "item_digest": holding.item_digest,
    }


def _generation(row: Row[Any]) -> Generation:
    return Generation(
        number=row.number,
        state=row.state,
        title=row.title,
        make=Make(row.source, row.embedder, row.dimension, row.analyzer, row.domain),
        tables=Tables(row.base or row.number, row.passages_version, row.chunks_version),
        counts=row.counts,
        parent=row.parent,
        published_at=row.published_at,
        progress=row.progress,
        touched_at=row.touched_at,
        stopping=row.stopping,
    )
