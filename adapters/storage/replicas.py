"""The processes that share a database: who is alive, and who does what only one may do."""

from datetime import UTC, datetime

from sqlalchemy import Connection, delete, inspect, select, union, update

from adapters.storage.database import Database
from adapters.storage.index_tables import index_parts
from adapters.storage.tables import active, leases, outbox, replicas, turns, unsent
from core.work import LEFT


class SqlReplicas:
    """The replicas in a database; `me` is the one that asks."""

    def __init__(self, database: Database, me: str) -> None:
        self._database = database
        self.me = me

    async def beat(self, count: int) -> dict[str, int]:
        """Say that we are alive; return the count of every replica, ours among them."""
        row = {"id": self.me, "beat": count, "started_at": datetime.now(UTC)}
        mine = self._database.insert(replicas).values(row)
        async with self._database.writing() as connection:
            await connection.execute(mine.on_conflict_do_update(index_elements=["id"], set_={"beat": count}))
            rows = (await connection.execute(select(replicas.c.id, replicas.c.beat))).all()
        return {row.id: row.beat for row in rows}

    async def leave(self) -> None:
        """Say that we stop, so that others need not wait to be sure of it; what only we might do is free."""
        async with self._database.writing() as connection:
            await connection.execute(update(replicas).where(replicas.c.id == self.me).values(beat=LEFT))
            await connection.execute(delete(leases).where(leases.c.holder == self.me))

    async def bury(self, replica: str) -> None:
        """Forget a replica whose work has been taken over."""
        async with self._database.writing() as connection:
            await connection.execute(delete(leases).where(leases.c.holder == replica))
            await connection.execute(delete(replicas).where(replicas.c.id == replica))

    async def lease(self, name: str) -> bool:
        """Return whether we are the one that does this; we become it when nobody is."""
        new = self._database.insert(leases).values(name=name, holder=self.me).on_conflict_do_nothing()
        async with self._database.writing() as connection:
            await connection.execute(new)
            holder = await connection.scalar(select(leases.c.holder).where(leases.c.name == name))
        return holder == self.me

    async def release(self, name: str) -> None:
        """Let somebody else do this."""
        async with self._database.writing() as connection:
            await connection.execute(delete(leases).where(leases.c.name == name, leases.c.holder == self.me))

    async def holder(self, name: str) -> tuple[str, int] | None:
        """Return who does this now, with its count, which stands still when it is not among the replicas."""
        query = select(leases.c.holder, replicas.c.beat).outerjoin(replicas, replicas.c.id == leases.c.holder)
        async with self._database.reading() as connection:
            row = (await connection.execute(query.where(leases.c.name == name))).one_or_none()
        return (row.holder, row.beat or 0) if row else None

    async def strangers(self) -> set[str]:
        """Return who holds a question, a message, a part or a lease without being among the replicas any more."""
        holders = union(
            select(turns.c.taken_by).where(active(turns.c.state), turns.c.state == "working"),
            select(outbox.c.owner).where(unsent(outbox.c.state), outbox.c.state == "sending"),
            select(index_parts.c.taken_by).where(index_parts.c.state == "working"),
            select(leases.c.holder),
        ).subquery()
        [holder] = holders.c
        known = select(replicas.c.id)
        async with self._database.reading() as connection:
            found = (await connection.scalars(select(holder).where(holder.is_not(None), holder.not_in(known)))).all()
        return set(found)


class SqlGuest(SqlReplicas):
    """A process that is among the replicas while it does one thing that only one may do, and nothing else.

    It beats, and sees who is gone; but what a replica has left of questions and messages is for other replicas.
    """

    def __init__(self, database: Database, me: str, does: str) -> None:
        super().__init__(database, me)
        self._does = does

    async def bury(self, replica: str) -> None:
        """Free what we do if a replica that is gone did it."""
        async with self._database.writing() as connection:
            theirs = (leases.c.name == self._does, leases.c.holder == replica)
            await connection.execute(delete(leases).where(*theirs))

    async def leave(self) -> None:
        """Be forgotten: we leave nothing to be taken over."""
        async with self._database.writing() as connection:
            await connection.execute(delete(leases).where(leases.c.holder == self.me))
            await connection.execute(delete(replicas).where(replicas.c.id == self.me))


async def counts_of(database: Database) -> dict[str, int]:
    """Return the count of every replica, for who is none; nothing where the schema is older than replicas."""
    async with database.reading() as connection:
        if not await connection.run_sync(_knows_replicas):
            return {}
        rows = (await connection.execute(select(replicas.c.id, replicas.c.beat))).all()
    return {row.id: row.beat for row in rows}


def _knows_replicas(connection: Connection) -> bool:
    return inspect(connection).has_table(replicas.name)
