"""What all copies of the bot have said of late: each place has as many slots as it takes calls, each held for a while.

Whoever speaks takes a slot that nobody holds. So no stretch of time has more calls than slots, whoever makes them, and
what a copy held that died is free again by itself. The database's own clock counts: those of machines differ.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Delete,
    Float,
    Insert,
    Select,
    String,
    Text,
    bindparam,
    cast,
    delete,
    func,
    literal,
    or_,
    select,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database, insert_in
from adapters.storage.tables import rates
from core.errors import StorageError
from core.pacing import Limit

_PREFIX = "pace"
# Seconds beyond its time for which a slot may be held by the clock of a server before this one.
_AHEAD = 1.0
# Seconds until the next try where the database does not answer: nobody speaks uncounted.
_AWAY = 1.0
# Seconds: a slot that is about to be free is waited for, too.
_LEAST = 0.001


class SqlTally:
    """The port `Tally` in a database that the copies share."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self, name: str, limits: Sequence[Limit]) -> float:
        """Count one call and return 0, or count nothing and return the seconds until one has room in every limit."""
        try:
            async with self._database.writing() as connection:
                return await self._take(connection, name, limits)
        except StorageError:
            return _AWAY

    async def _take(self, connection: AsyncConnection, name: str, limits: Sequence[Limit]) -> float:
        taken = list[str]()
        for limit in limits:
            slot = await self._slot(connection, name, limit)
            if isinstance(slot, float):
                # What was taken of the other limits goes with the same commit, so that nobody ever sees it.
                for key in taken:
                    await connection.execute(_freed(), {"its_key": key})
                return slot
            taken.append(slot)
        return 0.0

    async def _slot(self, connection: AsyncConnection, name: str, limit: Limit) -> str | float:
        """Return the key of the slot that is ours from now on, or the seconds until there is one."""
        given = {"name": f"{_PREFIX} {name} {limit.seconds:g} ", "seconds": limit.seconds}
        dialect = self._database.dialect
        while True:
            key: str | None = await connection.scalar(_taken(dialect, limit.calls), given)
            if key is not None:
                return key
            held = (await connection.execute(_held(dialect, limit.calls), given)).one()
            # With fewer, another copy took the slot that we had chosen, and one of the others is free.
            if held.slots >= limit.calls:
                return max(float(held.wait), _LEAST)


@cache
def _taken(dialect: str, calls: int) -> Insert:
    """Return the statement that takes the first free slot; of two that choose the same one, the later gets none."""
    now, seconds = _now(dialect), bindparam("seconds", type_=Float)
    slots = union_all(*(select(literal(number).label("slot")) for number in range(calls))).subquery()
    key = _key(cast(slots.c.slot, String))
    taken = select(rates.c.key).where(rates.c.key == key, *_is_held(now, seconds)).exists()
    free = select(key, now + seconds).where(~taken).order_by(slots.c.slot).limit(1)
    new: Any = insert_in(dialect, rates).from_select(["key", "until"], free)
    over = or_(rates.c.until <= now, rates.c.until > now + seconds + _AHEAD)
    return new.on_conflict_do_update(  # type: ignore[no-any-return]
        index_elements=["key"], set_={"until": new.excluded.until}, where=over
    ).returning(rates.c.key)


@cache
def _held(dialect: str, calls: int) -> Select[Any]:
    """Return the statement that counts the slots which are held, and tells when the first of them is free."""
    now, seconds = _now(dialect), bindparam("seconds", type_=Float)
    keys = [_key(literal(str(number))) for number in range(calls)]
    counted = func.count().label("slots"), (func.min(rates.c.until) - now).label("wait")
    return select(*counted).where(rates.c.key.in_(keys), *_is_held(now, seconds))


@cache
def _freed() -> Delete:
    return delete(rates).where(rates.c.key == bindparam("its_key"))


def _key(slot: ColumnElement[str]) -> ColumnElement[str]:
    return bindparam("name", type_=Text).concat(slot)


def _is_held(now: ColumnElement[float], seconds: ColumnElement[float]) -> tuple[ColumnElement[bool], ...]:
    return rates.c.until > now, rates.c.until <= now + seconds + _AHEAD


def _now(dialect: str) -> ColumnElement[float]:
    """Return the database's time in seconds since 1970; to PostgreSQL, the one of this moment."""
    if dialect == "sqlite":
        return (func.julianday("now", type_=Float) - 2440587.5) * 86_400.0
    return cast(func.extract("epoch", func.clock_timestamp()), Float)
