"""A database that is away or full for a while: said as it is, nothing half done, and all well when it is back."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL, event, func, select, text

from adapters.storage.database import Database, open_database
from adapters.storage.inbox import SqlInbox
from adapters.storage.tables import outbox, turns
from core.errors import StorageError
from tests.adapters.storage.turns import ask, part, signed
from tests.postgres import Postgres

ROOT = Path(__file__).parents[3]
LONG = "очень длинный вопрос " * 500

# Fills a disk that has room for little, makes room, and goes on: in a process of its own, for the limit is a process's.
_FULL_DISK = """
import asyncio, resource, sys
from adapters.storage.database import open_database
from adapters.storage.inbox import SqlInbox
from core.errors import StorageError
from tests.adapters.storage.test_outages import counted, fill
async def main():
    database = open_database(sys.argv[1])
    await SqlInbox(database).counts()
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, unlimited[1]))
    stored, error = await fill(database)
    full = await counted(database)
    resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    more, _ = await fill(database, 3, first=1000)
    print(error.retry, full == (stored, stored), more, await counted(database) == (stored + 3, stored + 3))
    await database.close()
asyncio.run(main())
"""


async def fill(database: Database, limit: int = 500, first: int = 0) -> tuple[int, StorageError | None]:
    """Record long questions, each with its sign; return how many there was room for, and what was said then."""
    for number in range(limit):
        try:
            question = ask(LONG, thread=f"t{number}", message=str(first + number))
            assert await SqlInbox(database).record(question, signed(part(LONG)))
        except StorageError as error:
            return number, error
    return limit, None


async def counted(database: Database) -> tuple[int | None, int | None]:
    """Return how many questions and how many signs are stored."""
    async with database.reading() as connection:
        questions = await connection.scalar(select(func.count()).select_from(turns))
        return questions, await connection.scalar(select(func.count()).select_from(outbox))


@pytest.fixture
def url(postgres: Postgres) -> Iterator[URL]:
    """Give a PostgreSQL database that can go away without taking another one with it."""
    with postgres.database() as url:
        yield url


@pytest.fixture
async def remote(url: URL) -> AsyncIterator[Database]:
    """Give that database, opened."""
    database = open_database(url.render_as_string(hide_password=False))
    yield database
    await database.close()


async def test_a_server_may_go_and_come_back(postgres: Postgres, url: URL, remote: Database) -> None:
    """Until it is back each call says that it may work in a while, in words without an address; then all is there."""
    inbox = SqlInbox(remote)
    await inbox.record(ask("before"), signed(part("…")))
    postgres.go_away(url)
    for _ in range(3):
        with pytest.raises(StorageError, match=r"storage: the database did not do it \(\w+(, \w+)?\)") as failed:
            await inbox.record(ask("during", message="1"))
        assert failed.value.retry
    postgres.come_back(url)

    assert await inbox.record(ask("during", message="1"))
    assert (2, 0) == await inbox.counts()


async def test_a_start_while_nobody_is_let_in_may_be_tried_again(
    postgres: Postgres, url: URL, remote: Database
) -> None:
    """It is not taken for a database that does not exist, though the server names it in what it says."""
    postgres.go_away(url)
    with pytest.raises(StorageError, match=r": the database takes no connections just now$") as failed:
        await remote.prepare()
    postgres.come_back(url)
    await remote.prepare()

    assert failed.value.retry


async def test_connections_that_died_are_not_used(postgres: Postgres, url: URL, remote: Database) -> None:
    """A server that was started again between two calls is not noticed, however many connections there were."""
    inbox = SqlInbox(remote)
    await asyncio.gather(*(inbox.record(ask("?", message=str(n), thread=f"t{n}")) for n in range(8)))
    postgres.go_away(url)
    postgres.come_back(url)

    assert [(8, 0)] * 4 == await asyncio.gather(*(inbox.counts() for _ in range(4)))


async def test_what_was_under_way_when_the_server_went_is_undone(
    postgres: Postgres, url: URL, remote: Database
) -> None:
    """Half of a change is never kept, and the next one is made as if nothing had happened."""

    async def change() -> None:
        async with remote.writing() as connection:
            await connection.execute(text("INSERT INTO leases (name, holder) VALUES ('a', 'one')"))
            postgres.go_away(url)
            await connection.execute(text("INSERT INTO leases (name, holder) VALUES ('b', 'one')"))

    with pytest.raises(StorageError) as failed:
        await change()
    postgres.come_back(url)

    assert failed.value.retry
    async with remote.reading() as connection:
        assert await connection.scalar(text("SELECT count(*) FROM leases")) == 0


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
async def test_a_full_database_says_so_and_keeps_what_it_has(database: Database) -> None:
    """Nothing is half stored, what was there can be read, and with room again it goes on as it is."""
    pages = [100]

    def limit(connection: Any, *_: object) -> None:
        connection.execute(f"PRAGMA max_page_count={pages[0]}").close()

    event.listen(database._engine.sync_engine.pool, "checkout", limit)
    stored, error = await fill(database)
    full = await counted(database)
    pages[0] = 1_000_000
    again, _ = await fill(database, 3, first=1000)

    assert error is not None
    assert (True, "storage: the database did not do it (OperationalError, SQLITE_FULL)") == (error.retry, str(error))
    assert (stored > 0, (stored, stored)) == (True, full)
    assert (3, (stored + 3, stored + 3)) == (again, await counted(database))


@pytest.mark.skipif(sys.platform == "win32", reason="a process has no such limit there")
@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
async def test_a_full_disk_says_so_and_loses_nothing(place: str) -> None:
    """The same where the operating system refuses to write on."""
    command = (sys.executable, "-c", _FULL_DISK, place)
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=subprocess.PIPE)
    printed, _ = await process.communicate()

    assert "True True 3 True" == printed.decode().strip()


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
async def test_a_database_that_became_read_only_says_so(database: Database) -> None:
    """A disk that the system has remounted to read from alone is a failure of storage like others."""

    def protect(connection: Any, *_: object) -> None:
        connection.execute("PRAGMA query_only=ON").close()

    event.listen(database._engine.sync_engine.pool, "checkout", protect)
    with pytest.raises(StorageError, match="SQLITE_READONLY") as failed:
        await SqlInbox(database).record(ask("?"))
    event.remove(database._engine.sync_engine.pool, "checkout", protect)

    assert failed.value.retry
    assert (0, 0) == await SqlInbox(database).counts()
