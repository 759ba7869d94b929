"""The database: SQLite in the data folder, or any other by its URL."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, Connection, Table, column, event, inspect, make_url, select, table
from sqlalchemy.dialects.sqlite import Insert, insert
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

import migrations
from adapters.storage.errors import code_of, reason, storage_errors
from core.errors import ConfigError, StorageError

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

_UNUSABLE = ("SQLITE_CANTOPEN", "SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_PERM", "SQLITE_READONLY")
_PATIENCE = 5.0  # seconds to wait for another writer
_PRAGMAS = (
    f"PRAGMA busy_timeout={_PATIENCE * 1000:.0f}",
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA foreign_keys=ON",
)


class Database:
    """Connections to one database. What leaves them as an error is a StorageError."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def prepare(self) -> None:
        """Bring the schema to the newest revision. Raises ConfigError when the place or the schema is not usable."""
        path = self._path()
        if path is not None:
            await asyncio.to_thread(_check_place, path)
        with storage_errors():
            await self._migrate()

    async def close(self) -> None:
        """Close all connections."""
        await self._engine.dispose()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection to read with."""
        with storage_errors():
            async with self._engine.connect() as connection:
                yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection whose changes are kept together at the end, or not at all after an error."""
        with storage_errors():
            async with self._engine.begin() as connection:
                yield connection

    def insert(self, into: Table) -> "Insert | postgresql.Insert":
        """Return an INSERT that can say what happens when the row is there already."""
        if self._engine.dialect.name == "sqlite":
            return insert(into)
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(into)

    def _path(self) -> Path | None:
        url = self._engine.url
        return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None

    async def _migrate(self) -> None:
        async with self._engine.connect() as connection:
            current = await connection.run_sync(_revision)
        known = migrations.revisions()
        if current is not None and current not in known:
            raise ConfigError(
                f"the database has the schema {current!r} of a newer Footnote; this one knows it up to {known[-1]!r}. "
                "Install the newer version again, or restore the backup made before it."
            )
        if current != known[-1]:
            # Alembic blocks, and loads only here: most starts find nothing to do.
            await asyncio.to_thread(migrations.upgrade, self._engine.url)


def open_database(place: str | Path) -> Database:
    """Return the database at a file's path or a URL, not yet connected. Raises ConfigError when there is no driver."""
    try:
        url = make_url(str(place)) if "://" in str(place) else URL.create("sqlite+aiosqlite", database=str(place))
        engine = create_async_engine(url, hide_parameters=True, json_serializer=_to_json)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        raise ConfigError(
            "the database URL is not usable: write it as postgresql+psycopg://user:password@host/name, with the "
            f"package psycopg installed ({type(error).__name__})"
        ) from None
    if engine.dialect.name == "sqlite":
        event.listen(engine.sync_engine, "connect", _set_pragmas)
    return Database(engine)


_to_json = partial(json.dumps, ensure_ascii=False, separators=(",", ":"))


def _set_pragmas(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(select(column("version_num")).select_from(table("alembic_version")))
    return found


def _check_place(path: Path) -> None:
    # A write, taken back, by the plain driver: a pooled connection that fails to open leaves a thread behind.
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("PRAGMA user_version=1")
            connection.execute("ROLLBACK")
    except (OSError, sqlite3.Error) as error:
        code = code_of(error)
        if code is not None and not code.startswith(_UNUSABLE):
            raise StorageError(f"the database could not be opened ({reason(error)})") from None
        raise ConfigError(
            f"{str(path)!r} cannot hold the database ({reason(error)}): set `FOOTNOTE_DATA_DIR` to a folder that "
            "Footnote may read and write"
        ) from None
