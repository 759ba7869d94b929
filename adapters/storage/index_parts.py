"""The parts of an index run, shared by all copies of the bot: who makes which, and which are made."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, delete, exists, select, update

from adapters.storage.database import Database
from adapters.storage.index_tables import generations, holdings, index_parts
from adapters.storage.tables import leases
from core.ingest.generation import Tables
from core.ingest.parts import IndexPart, PartOrder

_SHOWN = tuple(index_parts.c[name] for name in ("name", "generation", "number", "documents", "known", "names"))
_WAITING, _WORKING, _MADE, _KEPT = "waiting", "working", "made", "kept"


class SqlParts:
    """The parts in a database; `me` is the copy that asks. Everything raises StorageError."""

    def __init__(self, database: Database, me: str) -> None:
        self._database = database
        self._me = me

    async def order(self, order: PartOrder, names: str) -> tuple[IndexPart, bool]:
        """Put the order among those that wait, unless it is there; return the part, and whether it was made before.

        Its name follows from all that the rows are made from: `names` is the digest of those of the corpus.
        """
        mine = (holdings.c.generation == order.generation, holdings.c.doc_id.in_(order.documents))
        query = select(holdings.c.doc_id, holdings.c.digest).where(*mine)
        async with self._database.writing() as connection:
            digests = sorted(tuple(row) for row in await connection.execute(query))
            name = (
                f"g{order.generation}-{sha256(json.dumps([names, order.documents, digests]).encode()).hexdigest()[:24]}"
            )
            part = IndexPart(name, order.generation, order.number, order.documents, order.known, names)
            await connection.execute(self._database.insert(index_parts).values(_row(part)).on_conflict_do_nothing())
            # What was kept of a run that was stopped counts again.
            kept = (index_parts.c.name == name, index_parts.c.state == _KEPT)
            await connection.execute(update(index_parts).where(*kept).values(state=_MADE))
            state = await connection.scalar(select(index_parts.c.state).where(index_parts.c.name == name))
        return part, state == _MADE

    async def made_of(self, generation: int) -> Mapping[str, str] | None:
        """Return under which names the parts of the generation are staged that are made; None when it is to stop."""
        made = (index_parts.c.generation == generation, index_parts.c.state == _MADE)
        query = select(index_parts.c.name, index_parts.c.taken_by).where(*made)
        stopping = select(generations.c.stopping).where(generations.c.number == generation)
        async with self._database.reading() as connection:
            found = {name: _staged(name, maker) for name, maker in await connection.execute(query)}
            return None if await connection.scalar(stopping) else found

    async def take(self, embedder: str, analyzer: str) -> IndexPart | None:
        """Return the first part that waits, now ours to make; None when there is none for the embedder and analyzer.

        Nobody is given a part of a run that is to stop.
        """
        if not await self._any(index_parts.c.state == _WAITING):
            return None
        alike = (generations.c.embedder == embedder, generations.c.analyzer == analyzer)
        going = (generations.c.state == "building", generations.c.stopping.is_(False))
        first = (
            select(index_parts.c.name)
            .join(generations, generations.c.number == index_parts.c.generation)
            .where(index_parts.c.state == _WAITING, *alike, *going)
            .order_by(index_parts.c.number)
            .limit(1)
            .with_for_update(skip_locked=True, of=index_parts)
        )
        ours = update(index_parts).where(index_parts.c.name == first.scalar_subquery())
        ours = ours.values(state=_WORKING, taken_by=self._me)
        async with self._database.writing() as connection:
            row = (await connection.execute(ours.returning(*_SHOWN))).one_or_none()
        return _part(row) if row else None

    def staged(self, part: IndexPart) -> str:
        """Return the name under which we stage the part: another copy that makes it, too, has another one."""
        return _staged(part.name, self._me)

    async def made(self, part: IndexPart) -> bool:
        """Note that the rows of the part are staged by us; False when it is not ours to make any more."""
        return await self._becomes(and_(index_parts.c.name == part.name, self._is_ours()), state=_MADE)

    async def give_back(self, part: IndexPart) -> None:
        """Let a part that is ours wait for somebody else."""
        await self._becomes(and_(index_parts.c.name == part.name, self._is_ours()), state=_WAITING, taken_by=None)

    async def take_over(self, replica: str) -> None:
        """Let the parts wait that a copy which is gone was making."""
        theirs = and_(index_parts.c.taken_by == replica, index_parts.c.state == _WORKING)
        await self._becomes(theirs, state=_WAITING, taken_by=None)

    async def is_wanted(self, part: IndexPart) -> bool:
        """Return whether the part is still ours to make."""
        return await self._any(and_(index_parts.c.name == part.name, self._is_ours(), ~_stopping()))

    async def lost(self, part: IndexPart) -> None:
        """Let a part be made again whose staged rows are gone."""
        made = and_(index_parts.c.name == part.name, index_parts.c.state == _MADE)
        await self._becomes(made, state=_WAITING, taken_by=None)

    async def is_under_way(self, generation: int) -> bool:
        """Return whether parts of the generation were ordered by a run that has not ended by itself."""
        return await self._any(and_(index_parts.c.generation == generation, index_parts.c.state != _KEPT))

    async def withdraw(self, lease: str) -> bool:
        """End the orders: nobody makes any more; what is made is kept for the next run of the same generation.

        Returns False, and leaves them, when we do not have the lease, which nobody can take from us meanwhile.
        """
        ours = select(leases.c.name).where(leases.c.name == lease, leases.c.holder == self._me).with_for_update()
        async with self._database.writing() as connection:
            if await connection.scalar(ours) is None:
                return False
            await connection.execute(
                delete(index_parts).where(index_parts.c.state != _MADE, index_parts.c.state != _KEPT)
            )
            await connection.execute(update(index_parts).values(state=_KEPT))
        return True

    async def forget(self) -> None:
        """Forget the parts of generations that are not being built any more."""
        building = select(generations.c.number).where(generations.c.state == "building")
        async with self._database.writing() as connection:
            await connection.execute(delete(index_parts).where(index_parts.c.generation.not_in(building)))

    async def names(self) -> set[str]:
        """Return the names under which parts may be staged."""
        query = select(index_parts.c.name, index_parts.c.taken_by).where(index_parts.c.taken_by.is_not(None))
        async with self._database.reading() as connection:
            return {_staged(*row) for row in await connection.execute(query)}

    def _is_ours(self) -> ColumnElement[bool]:
        return and_(index_parts.c.taken_by == self._me, index_parts.c.state == _WORKING)

    async def _becomes(self, which: ColumnElement[bool], **values: Any) -> bool:
        async with self._database.writing() as connection:
            return bool((await connection.execute(update(index_parts).where(which).values(values))).rowcount)

    async def _any(self, which: ColumnElement[bool]) -> bool:
        async with self._database.reading() as connection:
            return bool(await connection.scalar(select(exists().where(which))))


def _staged(name: str, maker: str) -> str:
    return f"{name}-{maker}"


def _stopping() -> ColumnElement[bool]:
    return exists().where(generations.c.number == index_parts.c.generation, generations.c.stopping.is_(True))


def _row(part: IndexPart) -> dict[str, Any]:
    known = part.known and asdict(part.known)
    return asdict(part) | {"documents": list(part.documents), "known": known, "state": _WAITING}


def _part(row: Row[Any]) -> IndexPart:
    known = Tables(**row.known) if row.known else None
    return IndexPart(row.name, row.generation, row.number, tuple(row.documents), known, row.names)
