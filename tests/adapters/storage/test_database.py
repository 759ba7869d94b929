"""Opening a database: what is made, what is refused and what a failure says."""

import asyncio
import gc
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event, select, text
from sqlalchemy.util import await_only

from adapters.storage.database import Database, blocking_engine, close_engine, database_url, open_database
from adapters.storage.inbox import SqlInbox
from core.errors import ConfigError, StorageError
from tests.adapters.storage.turns import ask
from tests.postgres import Postgres

LETTER = "a letter to my mother" * 100
ROOT = Path(__file__).parents[3]
PREPARE = """
import asyncio, sys
from adapters.storage.database import open_database
async def main():
    database = open_database(sys.argv[1])
    await database.prepare()
    await database.close()
asyncio.run(main())
print("alembic" in sys.modules)
"""


async def _prepare(path: Path) -> None:
    database = open_database(path)
    try:
        await database.prepare()
    finally:
        await database.close()


def _make(path: Path, text: str = "") -> None:
    path.parent.mkdir(parents=True)
    path.write_text(text)


def _text(path: Path) -> str:
    return path.read_text()


def _query(path: Path, statement: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return connection.execute(statement).fetchall()


async def test_a_new_database_is_made_with_its_folder(path: Path) -> None:
    """The first start needs no preparation by the operator; the second finds it done."""
    await _prepare(path)
    await _prepare(path)

    assert _query(path, "PRAGMA journal_mode") == [("wal",)]
    assert _query(path, "SELECT count(*) FROM turns") == [(0,)]


async def test_a_path_may_hold_any_character(tmp_path: Path) -> None:
    """A folder's name is a name and never part of a URL."""
    path = tmp_path / "100% ours? да #1" / "footnote.db"
    await _prepare(path)

    assert path.is_file()


async def test_a_start_with_nothing_to_do_loads_no_alembic(path: Path) -> None:
    """Alembic costs more than the rest of the storage together: only an upgrade pays for it."""
    await _prepare(path)

    command = (sys.executable, "-c", PREPARE, str(path))
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=subprocess.PIPE)
    printed, _ = await process.communicate()
    assert printed.strip() == b"False"


async def test_processes_may_start_together(path: Path) -> None:
    """Of several replicas on an empty database one makes the schema, and all of them start."""
    command = (sys.executable, "-c", PREPARE, str(path))
    started = [await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=subprocess.DEVNULL) for _ in range(3)]

    assert [await process.wait() for process in started] == [0, 0, 0]


async def test_a_newer_schema_is_refused(path: Path) -> None:
    """An older Footnote does not write into a database whose rules it does not know, and says what to do."""
    await _prepare(path)
    _query(path, "UPDATE alembic_version SET version_num = '9999'")

    with pytest.raises(ConfigError, match=r"'9999' of a newer Footnote.*Install the newer version"):
        await _prepare(path)


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """A wrong setting is named with its place."""
    file = tmp_path / "file"
    file.write_text("in the way")

    with pytest.raises(ConfigError, match=r"file/data/footnote.db.*FOOTNOTE_DATA_DIR"):
        await _prepare(file / "data" / "footnote.db")


async def test_a_folder_in_place_of_the_database_is_refused(path: Path) -> None:
    """What cannot be opened is a wrong setting."""
    _make(path / "inside")

    with pytest.raises(ConfigError, match="FOOTNOTE_DATA_DIR"):
        await _prepare(path)


async def test_a_file_that_is_no_database_is_refused_and_kept(path: Path) -> None:
    """Somebody's file is not overwritten."""
    _make(path, LETTER)

    with pytest.raises(ConfigError, match="FOOTNOTE_DATA_DIR"):
        await _prepare(path)
    assert _text(path) == LETTER


async def test_a_database_that_somebody_keeps_locked_is_no_wrong_setting(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What passes by itself is a failure of the storage, after some patience."""
    monkeypatch.setattr("adapters.storage.database._PATIENCE", 0.05)
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="SQLITE_BUSY"):
            await _prepare(path)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Give a folder that everybody can see."""
    with tempfile.TemporaryDirectory(prefix="footnote-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder) / "data"
        (Path(folder) / "data").chmod(0o755)


@contextmanager
def _as_somebody() -> Iterator[None]:
    """Be a user to whom permissions apply: root may write everywhere."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are of another kind there")
@pytest.mark.parametrize("part", ["file", "folder"])
async def test_a_place_that_is_only_readable_is_refused(open_folder: Path, part: str) -> None:
    """The bot would start and then lose every question."""
    path = open_folder / "footnote.db"
    await _prepare(path)
    place, mode = (path, 0o444) if part == "file" else (open_folder, 0o555)
    place.chmod(mode)

    with _as_somebody(), pytest.raises(ConfigError, match="FOOTNOTE_DATA_DIR"):
        await _prepare(path)


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_a_url_needs_no_driver(scheme: str) -> None:
    """What a provider shows can be taken as it is; which driver serves it is not the operator's business."""
    url = database_url(f"{scheme}://user:p%40ss@host:5433/name?sslmode=require")

    assert ("postgresql+psycopg", "p@ss", "host", 5433) == (url.drivername, url.password, url.host, url.port)
    assert "sqlite+aiosqlite" == database_url("sqlite:///footnote.db").drivername


@pytest.mark.parametrize(
    "url",
    [
        "postgresql+nonsense://user:hunter2@myhost/name",
        "postgresql+asyncpg://user:hunter2@myhost/name",
        "mysql://user:hunter2@myhost/name",
        "nonsense://user:hunter2@myhost/name",
        "postgresql://user:hunter2@myhost:port/name",
        "postgresql:user:hunter2@myhost/name",
        "://user:hunter2@myhost",
        "://",
    ],
)
def test_a_url_that_cannot_be_used_is_refused(url: str) -> None:
    """The refusal names the setting, says how to write it, and shows neither the password nor the host."""
    with pytest.raises(ConfigError, match=r"`DATABASE_URL`.*postgresql://user:password@host/name") as refused:
        open_database(url)

    shown = "".join(traceback.format_exception(refused.value)[-1:])
    assert not re.search("hunter2|myhost", shown + str(refused.value))


@given(
    scheme=st.sampled_from(["postgresql", "postgres", "postgresql+psycopg", "mysql", "", "sqlite", "x"]),
    middle=st.text(max_size=12),
    end=st.sampled_from(["@myhost/name", "@myhost:5432/name", "@[::1/name", "@myhost:x/name", "/", "?a=b&c", ""]),
)
def test_no_url_is_quoted_in_a_refusal(scheme: str, middle: str, end: str) -> None:
    """Whatever was written, it is usable or refused in the same words."""
    said = ""
    try:
        url = database_url(f"{scheme}://user:hunter2{middle}{end}")
    except ConfigError as refused:
        said = str(refused)

    assert said.startswith("`DATABASE_URL` is not usable") or url.drivername.endswith(("+psycopg", "+aiosqlite"))
    assert "hunter2" not in said


async def test_a_server_that_is_not_there_is_named_without_its_secrets() -> None:
    """A start that finds no server fails in a way that may pass, and says where it looked and not as whom."""
    database = open_database("postgresql://someone:hunter2@127.0.0.1:1/archive")
    with pytest.raises(StorageError) as failed:
        await database.prepare()
    await database.close()

    assert failed.value.retry
    assert str(failed.value) == (
        "storage: DATABASE_URL, the server 127.0.0.1, port 1: it does not answer (OperationalError); "
        "check the address, and that PostgreSQL runs and can be reached from here"
    )
    assert not re.search("hunter2|someone|archive", "".join(traceback.format_exception(failed.value)))


async def test_a_failure_tells_nothing_that_was_said(path: Path) -> None:
    """An error may be logged and shown: it holds no SQL and no words of a user."""
    unprepared = open_database(path)
    path.parent.mkdir()

    with pytest.raises(StorageError) as failed:
        await SqlInbox(unprepared).record(ask("a secret"))
    await unprepared.close()
    assert str(failed.value) == "storage: the database did not do it (OperationalError, SQLITE_ERROR)"
    assert failed.value.__suppress_context__


async def test_text_that_cannot_be_stored_is_a_storage_error(database: Database) -> None:
    """Half of a character pair has no encoding; it fails as everything else fails."""
    with pytest.raises(StorageError):
        await SqlInbox(database).record(ask("broken \ud83e"))


@pytest.mark.parametrize("moments", [("engine_connect",), ("engine_connect", "reset")])
async def test_who_is_cancelled_loses_no_connection(
    postgres: Postgres, moments: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    """In the moment in which it comes it is given back, also by who is cancelled once more while doing so."""
    with postgres.database() as url:
        database = open_database(url.render_as_string(hide_password=False))

        def cancelled(*_: object) -> None:
            asking.cancel()
            await_only(asyncio.sleep(0))

        async def ask() -> None:
            async with database.writing() as connection:
                await connection.execute(text("SELECT 1"))

        for moment in moments:
            event.listen(database._engine.sync_engine, moment, cancelled)
        for _ in range(3):
            asking = asyncio.create_task(ask())
            with pytest.raises(asyncio.CancelledError):
                await asking
        async with asyncio.timeout(5):
            while database._engine.pool.checkedout():  # type: ignore[attr-defined]
                await asyncio.sleep(0)
        # What was lost is told of as soon as it is found, and warnings are errors.
        gc.collect()
        await database.close()

        assert [] == caplog.messages


async def test_a_connection_that_is_being_given_back_is_waited_for(database: Database) -> None:
    """The end comes while somebody who was cancelled has one: nothing stays open behind it."""
    pool, began = database._engine.sync_engine.pool, asyncio.Event()
    async with asyncio.TaskGroup() as tasks:

        async def reads() -> None:
            async with database.reading() as connection:
                await connection.execute(select(1))
                began.set()
                await asyncio.sleep(0.1)

        tasks.create_task(reads())
        await began.wait()
        out = [pool.checkedout()]  # type: ignore[attr-defined]
        await database.close()
        out.append(pool.checkedout())  # type: ignore[attr-defined]

    assert [1, 0] == out


async def test_connections_to_a_file_are_kept(path: Path) -> None:
    """One that is closed after a busy moment is opened anew in the next: a thread and its memory each time."""
    await _prepare(path)
    database = open_database(path)
    opened: list[object] = []
    event.listen(database._engine.sync_engine, "connect", lambda connection, _: opened.append(connection))

    async def read(together: asyncio.Barrier) -> None:
        async with database.reading() as connection:
            await connection.execute(select(1))
            await together.wait()

    for _ in range(3):
        together = asyncio.Barrier(9)
        await asyncio.gather(*(read(together) for _ in range(9)))

    assert len(opened) == 9
    await database.close()


async def test_a_connection_to_a_file_keeps_few_pages(path: Path) -> None:
    """There may be fifteen to each of two files, and the system keeps the pages of both as well."""
    await _prepare(path)
    database, blocking = open_database(path), blocking_engine(f"sqlite:///{path}")
    kept = text("PRAGMA cache_size")

    async with database.reading() as connection:
        assert await connection.scalar(kept) == -512
    with blocking.connect() as connected:
        assert connected.scalar(kept) == -512
    await database.close()
    close_engine(blocking)


def test_durable_work_keeps_its_connections_to_a_file(path: Path) -> None:
    """Its library reads and writes in threads of its own; there too, what was opened stays open."""
    path.parent.mkdir(parents=True)
    engine = blocking_engine(f"sqlite:///{path}")
    opened: list[object] = []
    event.listen(engine, "connect", lambda connection, _: opened.append(connection))

    for _ in range(3):
        with ExitStack() as stack:
            for _ in range(9):
                stack.enter_context(engine.connect())

    assert len(opened) == 9
    close_engine(engine)
