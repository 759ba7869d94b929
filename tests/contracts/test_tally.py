"""What copies of the bot say in one place, counted in the database that they share."""

import asyncio
import time
from bisect import bisect_right
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import Float, column, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database, open_database
from adapters.storage.tables import rates
from adapters.storage.tally import SqlTally
from core.errors import StorageError
from core.pacing import Limit

BURST = Limit(3, 0.6)
SLOW = Limit(4, 60.0)


@pytest.fixture(params=[2, 3])
async def copies(place: str, request: pytest.FixtureRequest) -> AsyncIterator[list[SqlTally]]:
    """Give the tally of two and of three copies, each with connections of its own."""
    databases = [open_database(place) for _ in range(request.param)]
    yield [SqlTally(database) for database in databases]
    for database in databases:
        await database.close()


async def test_any_copy_may_use_the_whole_burst(copies: list[SqlTally]) -> None:
    """Whichever speaks first; after that nobody does, and each is told when it may."""
    burst = [await copies[0].take("slack C1", [SLOW]) for _ in range(SLOW.calls)]
    waits = [await copy.take("slack C1", [SLOW]) for copy in copies]

    assert [0.0] * SLOW.calls == burst
    assert all(50 < wait <= SLOW.seconds for wait in waits)
    assert await copies[-1].take("slack C2", [SLOW]) == 0.0


async def test_together_they_never_say_more_than_one_would(copies: list[SqlTally]) -> None:
    """All at once and again and again: no stretch of time has more calls, and none is wasted for long."""
    made, end = list[float](), time.monotonic() + 4 * BURST.seconds

    async def speak(copy: SqlTally) -> None:
        while time.monotonic() < end:
            wait = await copy.take("slack C1", [BURST])
            if wait == 0:
                made.append(time.monotonic())
            await asyncio.sleep(wait)

    await asyncio.gather(*(speak(copy) for copy in copies for _ in range(3)))

    made.sort()
    # A call is noted here a moment after it was counted there.
    early = BURST.seconds - 0.15
    assert max(bisect_right(made, at + early) - number for number, at in enumerate(made)) <= BURST.calls
    assert len(made) >= 2 * BURST.calls


async def test_all_at_once_get_as_many_as_there_are(copies: list[SqlTally]) -> None:
    """Those that choose the same slot do not lose it both: the later looks for another."""
    waits = await asyncio.gather(*(copy.take("slack C1", [SLOW]) for copy in copies for _ in range(6)))

    assert SLOW.calls == waits.count(0.0)


async def test_what_was_said_is_over_in_time(copies: list[SqlTally]) -> None:
    """Also what a copy said that has died since: nobody has to let go of it."""
    for _ in range(BURST.calls):
        assert await copies[0].take("slack C1", [BURST]) == 0.0
    assert 0 < await copies[1].take("slack C1", [BURST]) <= BURST.seconds
    await asyncio.sleep(BURST.seconds)

    assert [0.0] * BURST.calls == [await copies[1].take("slack C1", [BURST]) for _ in range(BURST.calls)]


async def test_a_call_needs_room_in_every_limit(copies: list[SqlTally]) -> None:
    """And takes nothing of one where another is full."""
    few, many = Limit(2, 60.0), Limit(4, 90.0)
    first = [await copies[0].take("telegram -5", [many, few]) for _ in range(5)]

    assert [0.0, 0.0] == first[:2]
    assert all(0 < wait <= 60 for wait in first[2:])
    assert [0.0, 0.0] == [await copies[1].take("telegram -5", [many]) for _ in range(2)]
    assert await copies[1].take("telegram -5", [many]) > 60


async def test_a_clock_that_was_ahead_keeps_nobody_silent(database: Database) -> None:
    """What is held for longer than anything is was written by a server whose clock was wrong."""
    tally = SqlTally(database)
    for _ in range(SLOW.calls):
        await tally.take("slack C1", [SLOW])
    async with database.writing() as connection:
        await connection.execute(update(rates).values(until=rates.c.until + 1e6))

    assert [0.0] * SLOW.calls == [await tally.take("slack C1", [SLOW]) for _ in range(SLOW.calls)]
    assert await tally.take("slack C1", [SLOW]) > 50


async def test_the_databases_clock_counts(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy whose own clock is an hour ahead speaks no sooner."""
    tally = SqlTally(database)
    for _ in range(SLOW.calls):
        await tally.take("slack C1", [SLOW])
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 3600)

    assert 50 < await tally.take("slack C1", [SLOW]) <= SLOW.seconds
    async with database.reading() as connection:
        until = (await connection.scalars(select(func.max(column("until", Float))).select_from(rates))).one()
    assert 50 < until - now <= SLOW.seconds + 5


@asynccontextmanager
async def away(_: Database) -> AsyncIterator[AsyncConnection]:
    """Stand in for a database that does not answer."""
    raise StorageError("the database does not answer")
    yield  # the signs of a generator


async def test_where_the_database_does_not_answer_nobody_speaks(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They wait a second, and say nothing that is not counted."""
    monkeypatch.setattr(Database, "writing", away)

    assert await SqlTally(database).take("slack C1", [BURST]) == 1.0
