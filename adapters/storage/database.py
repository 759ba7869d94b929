"""The database: SQLite in the data folder, or any other by its URL."""

import asyncio
import json
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, nullcontext
from functools import partial
from pathlib import Path
from select import POLLIN, poll
from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    Table,
    Text,
    bindparam,
    column,
    create_engine,
    event,
    func,
    inspect,
    make_url,
    select,
    table,
)
from sqlalchemy.dialects.sqlite import Insert, insert
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, InvalidatePoolError, InvalidRequestError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

import migrations
from adapters.storage import limits
from adapters.storage.errors import code_of, reason, storage_errors
from adapters.storage.turnstile import Turnstile
from adapters.storage.unmet import BUSY, UNMET, meaning
from core.errors import ConfigError, StorageError

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

# What an operator writes, and the driver that serves it. Nothing else is served.
_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
_UNUSABLE = ("SQLITE_CANTOPEN", "SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_PERM", "SQLITE_READONLY")
_TRUSTED = 30.0  # seconds without use for which a connection to a silent server is taken to be there
_PATIENCE = 5.0  # seconds to wait for another writer
_CONNECTIONS, _PAGES = 15, 512  # as many as SQLAlchemy opens at most; KiB of pages that each of them keeps
_PARTING, _LOOKS = 1.0, 100  # seconds for who is cancelled to give a connection back, and how often that is looked at
_PRAGMAS = (
    f"PRAGMA busy_timeout={_PATIENCE * 1000:.0f}",
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",  # what is acknowledged stays, also when the power goes
    "PRAGMA foreign_keys=ON",
    f"PRAGMA cache_size=-{_PAGES}",
    "PRAGMA secure_delete=ON",  # what is forgotten, or sealed anew, is overwritten; some builds of SQLite do not
)


class Database:
    """Connections to one database. What leaves them as an error is a StorageError."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        # To begin and end a transaction is two more words to a server.
        self._readers = engine.execution_options(isolation_level="AUTOCOMMIT") if self.is_shared else engine
        # SQLite has one writer at a time, and lets the others look again and again; here they come in turn.
        self._writers = Turnstile() if engine.dialect.name == "sqlite" else None

    async def prepare(self) -> None:
        """Bring the schema to the newest revision. Raises ConfigError when the place or the schema is not usable."""
        path = self._path()
        if path is not None:
            await asyncio.to_thread(_check_place, path)
        else:
            await self._meet()
        await self._migrate()

    async def _meet(self) -> None:
        """Connect once. Raises ConfigError or StorageError that says what about the URL leads nowhere."""
        try:
            async with self._engine.connect():
                pass
        except (SQLAlchemyError, OSError) as error:
            url, said = self._engine.url, str(error)
            busy, found = (meaning(words, said) for words in (BUSY, UNMET))
            where = f"DATABASE_URL, the server {url.host or 'on this machine'}, port {url.port or 5432}"
            if busy:
                raise StorageError(f"{where}: {busy}", retry=True) from None
            if found:
                raise ConfigError(f"{where}: {found}") from None
            fix = "check the address, and that PostgreSQL runs and can be reached from here"
            raise StorageError(f"{where}: it does not answer ({reason(error)}); {fix}", retry=True) from None

    async def go_back(self, revision: str) -> None:
        """Take the schema back to an older revision, whole or not at all."""
        with storage_errors():
            await asyncio.to_thread(migrations.downgrade, self._engine.url, revision)

    async def close(self) -> None:
        """Close all connections; whoever was cancelled may still be giving one back, and it would stay open."""
        pool = self._engine.sync_engine.pool
        for _ in range(_LOOKS):
            if not (isinstance(pool, QueuePool) and pool.checkedout()):
                break
            await asyncio.sleep(_PARTING / _LOOKS)
        await self._engine.dispose()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection to read with; each statement sees what is there when it begins."""
        with storage_errors():
            async with _connected(self._readers) as connection:
                yield connection

    @asynccontextmanager
    async def writing(self, *, first: bool = False, slow: bool = False) -> AsyncIterator[AsyncConnection]:
        """Give a connection whose changes are kept together at the end, or not at all after an error.

        `first`: a platform waits for it, with little patience. `slow`: much is computed between its statements.
        """
        turn = self._writers.passing(first=first) if self._writers else nullcontext()
        async with turn:
            with storage_errors():
                async with _connected(self._engine) as connection, connection.begin():
                    if slow and self.is_shared:
                        await connection.execute(limits.SLOWLY, {"wait": limits.in_words(limits.STILL_WHEN_SLOW)})
                    yield connection

    async def compact(self) -> bool:
        """Write SQLite's file anew without what was removed; False for a server, which does so in its own time."""
        if self._writers is None:
            return False
        engine = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        with storage_errors():
            async with self._writers.passing(first=False), _connected(engine) as connection:
                await connection.exec_driver_sql("VACUUM")
                # What was removed stands in the log of changes, too.
                await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        return True

    @property
    def is_shared(self) -> bool:
        """Whether several replicas may work over it: SQLite's file belongs to one."""
        return self.dialect != "sqlite"

    def blocking_url(self) -> str:
        """Return the URL, with its password, for a library that connects without a loop."""
        url = self._engine.url
        name = "sqlite" if url.drivername == "sqlite+aiosqlite" else url.drivername
        return url.set(drivername=name).render_as_string(hide_password=False)

    @property
    def dialect(self) -> str:
        """The kind of database, as SQLAlchemy calls it."""
        return self._engine.dialect.name

    def insert(self, into: Table) -> "Insert | postgresql.Insert":
        """Return an INSERT that can say what happens when the row is there already."""
        return insert_in(self.dialect, into)

    async def in_turn(self, connection: AsyncConnection, line: str) -> None:
        """Wait for all others that write in the same line, and let those that come later wait for our end.

        What is read afterwards is what they have left. SQLite has one writer at a time anyway.
        """
        if self.is_shared:
            await connection.execute(_IN_TURN, {"line": line})

    def _path(self) -> Path | None:
        url = self._engine.url
        return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None

    async def _migrate(self) -> None:
        async with self.reading() as connection:
            current = await connection.run_sync(_revision)
        known = migrations.revisions()
        if current is not None and current not in known:
            raise ConfigError(
                f"the database has the schema {current!r} of a newer Footnote; this one knows it up to {known[-1]!r}. "
                "Install the newer version again, or restore the backup made before it."
            )
        if current != known[-1]:
            # Alembic blocks, and loads only here: most starts find nothing to do.
            with storage_errors(f"the database could not be brought to schema {known[-1]!r} and stays as it was"):
                await asyncio.to_thread(migrations.upgrade, self._engine.url)


@asynccontextmanager
async def _connected(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Give a connection; who is cancelled in the very moment in which it comes gives it back.

    SQLAlchemy 2.0 loses one then: it stays open at the server until the garbage collector finds it.
    """
    connecting = asyncio.create_task(_started(engine))
    try:
        connection = await asyncio.shield(connecting)
    except asyncio.CancelledError:
        await asyncio.wait([connecting], timeout=_PARTING)
        if not connecting.cancel() and not connecting.exception():
            await _given_back(connecting.result())
        raise
    try:
        yield connection
    finally:
        await _given_back(connection)


async def _given_back(connection: AsyncConnection) -> None:
    """Give a connection back, also when whoever waits for that is cancelled once more: half given back, it is lost."""
    await asyncio.shield(asyncio.create_task(connection.close()))


async def _started(engine: AsyncEngine) -> AsyncConnection:
    return await engine.connect().start()


_IN_TURN = select(func.pg_advisory_xact_lock(func.hashtextextended(bindparam("line", type_=Text), 0)))


def insert_in(dialect: str, into: Table) -> "Insert | postgresql.Insert":
    """Return an INSERT in a kind of database that can say what happens when the row is there already."""
    if dialect == "sqlite":
        return insert(into)
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(into)


def open_database(place: str | Path) -> Database:
    """Return the database at a file's path or a URL, not yet connected. Raises ConfigError when it cannot be one."""
    url = database_url(place)
    try:
        engine = create_async_engine(url, hide_parameters=True, json_serializer=_to_json, **_pooling(url))
    except (ArgumentError, InvalidRequestError, ImportError, TypeError, ValueError):
        raise ConfigError(_NOT_USABLE) from None
    if engine.dialect.name == "sqlite":
        event.listen(engine.sync_engine, "connect", _set_pragmas)
    else:
        _look_after(engine.sync_engine)
    return Database(engine)


def blocking_engine(place: str | Path) -> Engine:
    """Return connections without a loop to a database of its own, which a library fills with its tables."""
    url = make_url(str(place))
    if url.get_backend_name() != "sqlite":
        engine = create_engine(url, hide_parameters=True, **_pooling(url))
        _look_after(engine)
        return engine
    engine = create_engine(url, hide_parameters=True, **_KEPT)
    event.listen(engine, "connect", _set_pragmas)
    event.listen(engine, "connect", _begin_as_writer)
    return engine


def close_engine(engine: Engine) -> None:
    """Close all connections, those that a thread still has as soon as it gives them back."""

    def returned(connection: DBAPIConnection | None, _: ConnectionPoolEntry) -> None:
        if connection is not None:
            connection.close()

    event.listen(engine.pool, "checkin", returned)
    engine.dispose()


def database_url(place: str | Path) -> URL:
    """Return the URL of a database, with its driver, from a file's path or from what an operator wrote.

    Raises ConfigError, in words that hold nothing of what was written: there is a password in it.
    """
    text = str(place)
    if "://" not in text and not text.startswith(("postgres:", "postgresql:", "postgresql+")):
        return URL.create(_DRIVERS["sqlite"], database=text)
    try:
        url = make_url(text)
        return url.set(drivername=_DRIVERS[url.drivername])
    except (ArgumentError, KeyError, ValueError):
        raise ConfigError(_NOT_USABLE) from None


_NOT_USABLE = (
    "`DATABASE_URL` is not usable: write it as postgresql://user:password@host/name, with signs like @, : and / in "
    "the password as %40, %3A and %2F; or leave it out for a database in `FOOTNOTE_DATA_DIR`"
)


def _begin_as_writer(connection: Any, _: object) -> None:
    # As DBOS does by itself: a transaction that writes begins as a writer, and waits its turn.
    connection.isolation_level = "IMMEDIATE"


def _look_after(engine: Engine) -> None:
    """Let a connection that died with its server while nobody used it be found out before it is used again.

    The pool's own way asks the server each time, which costs every statement one more. A server that ends says so,
    and something to read on a connection that asked for nothing is that; one that is cut off does not.
    """

    def returned(_: Any, record: ConnectionPoolEntry) -> None:
        record.info["since"] = time.monotonic()

    def taken(connection: DBAPIConnection, record: ConnectionPoolEntry, _: Any) -> None:
        since = record.info.get("since")
        if since is None or not (_has_news(record.driver_connection) or time.monotonic() - since > _TRUSTED):
            return
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as error:
            raise InvalidatePoolError from error

    event.listen(engine, "connect", limits.limit_waits)
    event.listen(engine, "do_executemany", limits.one_by_one)
    event.listen(engine, "checkin", returned)
    event.listen(engine, "checkout", taken)


def _has_news(connection: Any) -> bool:
    waiting = poll()
    waiting.register(connection, POLLIN)
    return bool(waiting.poll(0))


def _pooling(url: URL) -> dict[str, Any]:
    """Return how connections are kept: each needless word to a database costs a question a millisecond."""
    if url.get_backend_name() == "sqlite":
        # Transactions end where they are written; there is nothing left to roll back.
        return {"pool_reset_on_return": None, **_KEPT}
    # What others have written while we waited for our turn is to be seen, whatever the server's default is. And a
    # server that is silent is gone, not slow.
    return {
        "isolation_level": "READ COMMITTED",
        "connect_args": {"connect_timeout": 10, "keepalives_idle": 30, "tcp_user_timeout": 30_000},
    }


# A connection to a file that is closed when it was needed for a moment is opened again at the next such moment: a
# thread, its pages and what it knows of the tables, each time in other corners of the memory.
_KEPT = {"pool_size": _CONNECTIONS, "max_overflow": 0, "pool_use_lifo": True}

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
            raise StorageError(f"the database could not be opened ({reason(error)})", retry=True) from None
        raise ConfigError(
            f"{str(path)!r} cannot hold the database ({reason(error)}): set `FOOTNOTE_DATA_DIR` to a folder that "
            "Footnote may read and write"
        ) from None
