"""A transaction that stands still, or that holds what others wait for: nobody waits for it for long."""

import asyncio
from collections.abc import AsyncIterator

import psycopg
import pytest
from sqlalchemy import func, select, text

from adapters.storage import limits
from adapters.storage.database import Database, blocking_engine, close_engine, open_database
from adapters.storage.inbox import SqlInbox
from adapters.storage.tables import rates
from core.errors import StorageError
from tests.adapters.storage.turns import ask
from tests.postgres import Postgres

_ALLOWED = text("SHOW idle_in_transaction_session_timeout")


@pytest.fixture
async def remote(postgres: Postgres) -> AsyncIterator[Database]:
    """Give a PostgreSQL database of its own, opened."""
    with postgres.database() as url:
        database = open_database(url.render_as_string(hide_password=False))
        yield database
        await database.close()


async def test_a_copy_that_froze_within_a_transaction_holds_up_nobody_for_long(
    remote: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its machine is gone, or stands still: the server undoes what it began, and hears of it when it comes back."""
    monkeypatch.setattr(limits, "STILL", 0.5)
    frozen = open_database(remote.blocking_url())
    await SqlInbox(remote).record(ask("?"))

    async def taken_while_it_stands_still() -> None:
        async with frozen.writing() as connection:
            await frozen.in_turn(connection, "take")
            async with asyncio.timeout(5):
                assert await SqlInbox(remote).take(1, "other", ("telegram",))
            await connection.execute(select(1))

    with pytest.raises(StorageError) as failed:
        await taken_while_it_stands_still()
    await frozen.close()

    assert failed.value.retry


async def test_no_statement_waits_at_the_server_for_the_next_one(
    remote: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever froze between two of a pipeline would hold its locks for ever: to the server it is about to go on."""

    async def begins(_: object) -> None:
        raise AssertionError("a pipeline")

    monkeypatch.setattr(psycopg.AsyncPipeline, "__aenter__", begins)
    rows = [{"key": f"ключ {number}", "until": float(number)} for number in range(3)]
    async with remote.writing() as connection:
        await connection.execute(remote.insert(rates), rows)
        await connection.execute(rates.delete().where(rates.c.key == text(":its_key")), [{"its_key": "ключ 0"}] * 2)
    async with remote.reading() as connection:
        kept = await connection.scalar(select(func.count()).select_from(rates))

    assert 2 == kept


async def test_who_computes_in_a_transaction_may_take_longer(remote: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when an index is stored; the next transaction on the connection may not."""
    monkeypatch.setattr(limits, "STILL", 0.2)
    async with remote.writing(slow=True) as connection:
        await asyncio.sleep(0.5)
        allowed = [await connection.scalar(_ALLOWED)]
    async with remote.writing() as connection:
        allowed.append(await connection.scalar(_ALLOWED))

    assert ["2min", "200ms"] == allowed


async def test_a_lock_that_is_held_for_long_is_waited_for_again(
    remote: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says that it may work in a while, as whatever holds the lock is at work and will end."""
    monkeypatch.setattr(limits, "BLOCKED", 0.2)
    async with remote.writing() as holder:
        await remote.in_turn(holder, "take")
        with pytest.raises(StorageError, match="55P03") as failed:
            await SqlInbox(remote).take(1, "other", ("telegram",))

    assert failed.value.retry


def test_the_engine_of_durable_work_waits_no_longer(remote: Database) -> None:
    """Its transactions hold rows that others take over."""
    engine = blocking_engine(remote.blocking_url())
    with engine.connect() as connection:
        found = (connection.scalar(_ALLOWED), connection.scalar(text("SHOW lock_timeout")))
    engine.dispose()

    assert ("10s", "20s") == found


def test_a_connection_that_comes_back_after_the_end_is_closed(remote: Database) -> None:
    """A thread that was still at work when its engine was closed leaves nothing open at the server."""
    engine = blocking_engine(remote.blocking_url())
    with engine.connect() as late:
        own = late.connection.driver_connection
        close_engine(engine)
        closed = [own.closed]

    assert [False, True] == [*closed, own.closed]
