"""Until when the buckets of `core.rates` are refilled: one row each, in a database that all copies share."""

from collections.abc import Collection, Mapping
from datetime import datetime
from functools import cache

from sqlalchemy import Float, Insert, bindparam, case, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database, insert_in
from adapters.storage.tables import rates


async def used_of(connection: AsyncConnection, keys: Collection[str]) -> dict[str, float]:
    """Return until when each is refilled, in seconds since 1970; those that are full may be missing."""
    rows = await connection.execute(select(rates.c.key, rates.c.until).where(rates.c.key.in_(keys)))
    return {row.key: row.until for row in rows.all()}


async def use(database: Database, connection: AsyncConnection, uses: Mapping[str, float], now: datetime) -> None:
    """Let each be refilled so many seconds later; of several at once none is lost."""
    if uses:
        at = now.timestamp()
        # In one order everywhere: two that hold what the other waits for would wait for ever.
        rows = [{"its_key": key, "at": at, "first": at + uses[key], "seconds": uses[key]} for key in sorted(uses)]
        await connection.execute(_used(database.dialect), rows)


@cache
def _used(dialect: str) -> Insert:
    at, seconds = bindparam("at", type_=Float), bindparam("seconds", type_=Float)
    new = insert_in(dialect, rates).values(key=bindparam("its_key"), until=bindparam("first"))
    later = case((rates.c.until > at, rates.c.until), else_=at) + seconds
    return new.on_conflict_do_update(index_elements=["key"], set_={"until": later})


async def drop_full(connection: AsyncConnection, now: datetime) -> None:
    """Forget the buckets that are full again: they say no more than none."""
    await connection.execute(delete(rates).where(rates.c.until < now.timestamp()))
