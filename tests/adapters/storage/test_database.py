"""Opening a database: what is made, what is refused and what a failure says."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from adapters.storage.database import Database, open_database
from adapters.storage.threads import SqlThreads
from core.errors import ConfigError, StorageError
from tests.adapters.storage.turns import ask

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


async def test_a_failed_upgrade_leaves_the_database_as_it_was(path: Path) -> None:
    """Half a schema would block every later start."""
    path.parent.mkdir()
    _query(path, "CREATE TABLE documents (mine TEXT)")
    with pytest.raises(StorageError):
        await _prepare(path)

    assert _query(path, "SELECT name FROM sqlite_master WHERE type = 'table'") == [("documents",)]


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


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("part", ["file", "folder"])
async def test_a_place_that_is_only_readable_is_refused(path: Path, part: str) -> None:
    """The bot would start and then lose every question."""
    await _prepare(path)
    place, mode = (path, 0o400) if part == "file" else (path.parent, 0o500)
    place.chmod(mode)

    try:
        with pytest.raises(ConfigError, match="FOOTNOTE_DATA_DIR"):
            await _prepare(path)
    finally:
        place.chmod(0o700)


@pytest.mark.parametrize("url", ["postgresql+nonsense://host/name", "nonsense://host/name", "://"])
def test_a_url_without_a_driver_is_refused(url: str) -> None:
    """A wrong URL says how to write it, and shows no password."""
    with pytest.raises(ConfigError, match=r"postgresql\+psycopg://user:password@host/name"):
        open_database(url)


async def test_a_failure_tells_nothing_that_was_said(path: Path) -> None:
    """An error may be logged and shown: it holds no SQL and no words of a user."""
    unprepared = open_database(path)
    path.parent.mkdir()

    with pytest.raises(StorageError) as failed:
        await SqlThreads(unprepared, 5).record(ask("a secret"))
    await unprepared.close()
    assert str(failed.value) == "storage: the database did not do it (OperationalError, SQLITE_ERROR)"
    assert failed.value.__suppress_context__


async def test_text_that_cannot_be_stored_is_a_storage_error(database: Database) -> None:
    """Half of a character pair has no encoding; it fails as everything else fails."""
    with pytest.raises(StorageError):
        await SqlThreads(database, 5).record(ask("broken \ud83e"))
