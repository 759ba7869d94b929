"""The catalogue: generations of documents, one of them live, another perhaps being built beside it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any

from sqlalchemy import Row, delete, exists, false, select, update

from adapters.storage.contents import SqlContents, built, inherit, taken_from_us, touched, versions_of
from adapters.storage.index_tables import documents, generations, holdings
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
        never used twice, and its builder is one that nobody else has.
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
            "builder": token_hex(8),
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

    async def again(self, live: Generation) -> Generation | None:
        """Return a new generation that is to hold what the live one holds, in tables of its own; None as `begin`.

        Nothing of it is written yet.
        """
        begun = await self.begin(live.make, live.title)
        if begun is None:
            return None
        mine = holdings.c.generation == begun.number
        async with self._database.writing() as connection:
            await inherit(connection, begun.number, live.number)
            await connection.execute(update(holdings).where(mine).values(written=None))
        return begun

    async def take(self, building: Generation, *, anyway: bool = False) -> Generation | None:
        """Return the generation as ours to go on with; None when somebody has touched it since it was looked at.

        `anyway`: whoever touches it is not the one that builds any more. What the builder before still writes is
        refused from now on. The wish to stop that was seen was for that one; a later one stays.
        """
        seen = generations.c.touched_at.is_not_distinct_from(building.touched_at)
        mine = built(building.number, None) if anyway else (*built(building.number, None), seen)
        stopping = false() if building.stopping else generations.c.stopping
        taken = update(generations).where(*mine).values(
            touched_at=datetime.now(UTC), stopping=stopping, builder=token_hex(8)
        )  # fmt: skip
        async with self._database.writing() as connection:
            row = (await connection.execute(taken.returning(*generations.c))).one_or_none()
        return _generation(row) if row else None

    async def leave(self, generation: int, why: str = "", builder: str | None = None) -> None:
        """Note that nobody builds the generation any more, and why: the next one who wants to may go on at once.

        A run that is not its builder any more changes nothing.
        """
        mine = built(generation, builder)
        async with self._database.writing() as connection:
            progress = await connection.scalar(select(generations.c.progress).where(*mine))
            left = {"touched_at": None, "progress": {**(progress or {}), "ended": why}}
            await connection.execute(update(generations).where(*mine).values(left))

    async def generation(self, number: int) -> Generation | None:
        """Return the generation with this number."""
        return await self._one(generations.c.number == number)

    async def note(self, generation: int, progress: Mapping[str, Any], builder: str | None = None) -> bool:
        """Show how far the build is, and that it goes on; returns and raises as `take_in`."""
        async with self._database.writing() as connection:
            return await touched(connection, generation, progress, builder)

    async def name(self, generation: int, names: str, builder: str | None = None) -> None:
        """Note the digest of the names with which the rows are made from now on. Raises as `take_in`."""
        named = update(generations).where(*built(generation, builder)).values(names=names)
        async with self._database.writing() as connection:
            if not (await connection.execute(named)).rowcount:
                raise taken_from_us(generation)

    async def stop(self) -> bool:
        """Ask whoever builds a generation to stop; False when nobody does."""
        building = update(generations).where(generations.c.state == _BUILDING)
        async with self._database.writing() as connection:
            return bool((await connection.execute(building.values(stopping=True))).rowcount)

    async def publish(
        self, generation: int, counts: Mapping[str, int] | None = None, builder: str | None = None
    ) -> None:
        """Make this generation the live one and retire the one before, at once for every reader.

        With a builder only as long as it builds it. Raises StorageError.
        """
        published: dict[str, Any] = {"state": _LIVE, "published_at": datetime.now(UTC), "progress": {}}
        if counts is not None:
            published["counts"] = dict(counts)
        retire = update(generations).where(generations.c.state == _LIVE).values(state=_RETIRED)
        mine = built(generation, builder) if builder else (generations.c.number == generation,)
        publish = update(generations).where(*mine).values(published)
        async with self._database.writing() as connection:
            await connection.execute(retire)
            if (await connection.execute(publish)).rowcount != 1:
                raise taken_from_us(generation) if builder else StorageError(f"generation {generation} does not exist")

    async def all(self) -> tuple[Generation, ...]:
        """Return every generation that is kept: those that were published, in that order, then the one being built."""
        building = generations.c.state == _BUILDING
        query = select(generations).order_by(building, generations.c.published_at, generations.c.number)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return tuple(_generation(row) for row in rows)

    async def drop(self, generation: int, builder: str | None = None) -> None:
        """Forget a generation, with the documents that no other one holds; with a builder only while it builds it.

        Raises StorageError for the live one, and for one that another run builds.
        """
        mine = built(generation, builder) if builder else (generations.c.number == generation,)
        unused = delete(generations).where(*mine, generations.c.state != _LIVE)
        held = exists().where(holdings.c.doc_id == documents.c.doc_id, holdings.c.digest == documents.c.digest)
        async with self._database.writing() as connection:
            dropped = (await connection.execute(unused)).rowcount
            if dropped:
                await connection.execute(delete(documents).where(~held))
        if not dropped and (found := await self.generation(generation)):
            raise (
                StorageError(f"generation {generation} is live: publish another one before dropping it")
                if found.state == _LIVE
                else taken_from_us(generation)
            )

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
        builder=row.builder,
    )
