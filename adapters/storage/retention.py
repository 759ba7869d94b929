"""What is kept too long goes, a little at a time: conversations, messages, opinions, costs, the content of the log.

Every table that grows with use is bounded here or elsewhere; `tests/adapters/storage/test_retention.py` names them all.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Table, Text, and_, cast, delete, func, literal, or_, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.audit import erase
from adapters.storage.database import Database
from adapters.storage.index_tables import index_orders
from adapters.storage.rates import drop_full
from adapters.storage.tables import (
    active,
    admissions,
    audit,
    feedback,
    is_forgotten,
    messages,
    outbox,
    pins,
    spending,
    turns,
    unsent,
)

# Slack brings an event again for up to an hour, or a day where delayed events are on (docs.slack.dev/apis/events-api);
# Telegram keeps updates for 24 hours (core.telegram.org/bots/api, getting updates). What is known is not asked again.
RESENT = timedelta(days=2)
# Rows in one transaction: questions that come in meanwhile wait for no more than these.
AT_ONCE = 200
# What stands before the number of a checked answer in place of the question that it was given to.
_OF_NOBODY = "pin:"


class SqlRetention:
    """Removes what is older than a moment; everything raises StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def due(self, before: datetime | None, now: datetime) -> Mapping[str, int]:
        """Return how many rows of each kind are too old. `before` is None where they are kept for ever."""
        async with self._database.reading() as connection:

            async def count(table: Table, which: ColumnElement[bool]) -> int:
                return int(await connection.scalar(select(func.count()).select_from(table).where(which)) or 0)

            found = {"questions": await count(turns, _old_turns(before, now))}
            if before is not None:
                found |= {
                    "opinions": await count(feedback, feedback.c.at < before),
                    "costs": await count(spending, spending.c.day < before.date()),
                    "messages": await count(outbox, _old_messages(before)),
                    "orders": await count(index_orders, _old_orders(before)),
                    "strangers": await count(admissions, _old_strangers(before)),
                    "log": await count(audit, and_(_old_entries(before), audit.c.erased_at.is_(None))),
                }
        return found

    async def sweep(self, before: datetime | None, now: datetime) -> Mapping[str, int]:
        """Remove a batch of each kind, each in a transaction of its own; return how many rows that were."""
        gone = {"questions": await self._drop_turns(before, now)}
        async with self._database.writing() as connection:
            await drop_full(connection, now)
        if before is None:
            return gone
        async with self._database.writing() as connection:
            key = tuple_(feedback.c.question_id, feedback.c.version, feedback.c.person)
            aged = select(*key.clauses).where(feedback.c.at < before).limit(AT_ONCE)
            rows = (await connection.execute(aged)).all()
            await connection.execute(delete(feedback).where(key.in_([tuple(row) for row in rows])))
            gone["opinions"] = len(rows)
        async with self._database.writing() as connection:
            costs = await connection.execute(delete(spending).where(spending.c.day < before.date()))
            gone["costs"] = costs.rowcount
        gone["messages"] = await self._drop_messages(before)
        async with self._database.writing() as connection:
            # A checked answer is kept for all; who asked is nobody's any more when the question is gone.
            asked = select(turns.c.question_id).where(turns.c.question_id == pins.c.question_id).exists()
            linked = and_(pins.c.question_id.not_like(f"{_OF_NOBODY}%"), ~asked)
            nobodys = literal(_OF_NOBODY) + cast(pins.c.number, Text)
            await connection.execute(update(pins).where(linked).values(question_id=nobodys))
        async with self._database.writing() as connection:
            orders = await connection.execute(delete(index_orders).where(_old_orders(before)))
            gone["orders"] = orders.rowcount
            strangers = await connection.execute(delete(admissions).where(_old_strangers(before)))
            gone["strangers"] = strangers.rowcount
        async with self._database.writing() as connection:
            gone["log"] = await erase(self._database, connection, _old_entries(before), "retention", AT_ONCE)
        return gone

    async def _drop_turns(self, before: datetime | None, now: datetime) -> int:
        """Remove a batch of old questions; return how many.

        They are looked for where nobody waits, and looked at once more where it counts: one may be in use again.
        """
        old = _old_turns(before, now)
        async with self._database.reading() as connection:
            found = (await connection.scalars(select(turns.c.question_id).where(old).limit(AT_ONCE))).all()
        if not found:
            return 0
        async with self._database.writing() as connection:
            still = select(turns.c.question_id).where(turns.c.question_id.in_(found), old)
            ids = (await connection.scalars(still)).all()
            await drop_turns(connection, ids)
        return len(ids)

    async def _drop_messages(self, before: datetime) -> int:
        """Remove a batch of old messages that belong to no question; return how many."""
        old = _old_messages(before)
        async with self._database.reading() as connection:
            found = (await connection.scalars(select(outbox.c.id).where(old).limit(AT_ONCE))).all()
        if not found:
            return 0
        async with self._database.writing() as connection:
            still = select(outbox.c.id, outbox.c.question_id).where(outbox.c.id.in_(found), old)
            rows = (await connection.execute(still)).all()
            theirs = {row.question_id for row in rows}
            await connection.execute(delete(messages).where(messages.c.question_id.in_(theirs)))
            await connection.execute(delete(outbox).where(outbox.c.id.in_([row.id for row in rows])))
        return len(rows)


async def drop_turns(connection: AsyncConnection, ids: Sequence[str]) -> None:
    """Remove these questions with their messages and what was said of them; nothing of them may be on its way."""
    if ids:
        await connection.execute(delete(messages).where(messages.c.question_id.in_(ids)))
        await connection.execute(delete(outbox).where(outbox.c.question_id.in_(ids)))
        await connection.execute(delete(feedback).where(feedback.c.question_id.in_(ids)))
        await connection.execute(delete(turns).where(turns.c.question_id.in_(ids)))


def _old_messages(before: datetime) -> ColumnElement[bool]:
    asked = select(turns.c.question_id).where(turns.c.question_id == outbox.c.question_id).exists()
    return and_(outbox.c.changed_at < before, ~unsent(outbox.c.state), ~asked)


def _old_orders(before: datetime) -> ColumnElement[bool]:
    return index_orders.c.ended_at < before


def _old_strangers(before: datetime) -> ColumnElement[bool]:
    """Return who asked to be let in, and never was."""
    return and_(admissions.c.changed_at < before, admissions.c.state != "allowed")


def _old_turns(before: datetime | None, now: datetime) -> ColumnElement[bool]:
    """Return which turns nobody needs: of threads at rest for so long, and what is left of forgotten ones.

    A thread that is in use is kept whole: a new question there leans on the old ones.
    """
    forgotten = and_(is_forgotten(), turns.c.asked_at < now - RESENT)
    on_its_way = select(outbox.c.id).where(outbox.c.question_id == turns.c.question_id, unsent(outbox.c.state)).exists()
    if before is None:
        return and_(forgotten, ~on_its_way)
    later = turns.alias("later")
    in_use = select(later.c.question_id).where(
        later.c.thread == turns.c.thread, or_(later.c.asked_at >= before, active(later.c.state))
    )
    rested = and_(turns.c.asked_at < before, turns.c.state.in_(("done", "withdrawn", "copy")), ~in_use.exists())
    return and_(or_(rested, forgotten), ~on_its_way)


def _old_entries(before: datetime) -> ColumnElement[bool]:
    return and_(audit.c.at < before, audit.c.kind != "erasure")
