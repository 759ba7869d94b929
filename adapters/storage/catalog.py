"""The catalogue: generations of documents, one of them live, another perhaps being built beside it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row, delete, exists, select, update

from adapters.storage.contents import SqlContents, inherit, touched, versions_of
from adapters.storage.tables import documents, generations, holdings
from core.errors import StorageError
from core.ingest.generation import Generation, Make, Tables

_BUILDING, _LIVE, _RETIRED = "building", "live", "retired"


class SqlCatalog(SqlContents):
    """The generations in a database, and what each holds."""

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
            await connection.execute(mine.values(base=tables.base, **versions_of(tables)))
            if parent:
                await inherit(connection, number, parent.number)
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

    async def leave(self, generation: int, why: str = "") -> None:
        """Note that nobody builds the generation any more, and why: the next one who wants to may go on at once."""
        mine = (generations.c.number == generation, generations.c.state == _BUILDING)
        async with self._database.writing() as connection:
            progress = await connection.scalar(select(generations.c.progress).where(*mine))
            left = {"touched_at": None, "progress": {**(progress or {}), "ended": why}}
            await connection.execute(update(generations).where(*mine).values(left))

    async def generation(self, number: int) -> Generation | None:
        """Return the generation with this number."""
        return await self._one(generations.c.number == number)

    async def note(self, generation: int, progress: Mapping[str, Any]) -> bool:
        """Show how far the build is, and that it goes on; False when it is to stop."""
        async with self._database.writing() as connection:
            return await touched(connection, generation, progress)

    async def name(self, generation: int, names: str) -> None:
        """Note the digest of the names with which the rows are made from now on."""
        mine = (generations.c.number == generation, generations.c.state == _BUILDING)
        async with self._database.writing() as connection:
            await connection.execute(update(generations).where(*mine).values(names=names))

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
        names=row.names,
    )
