"""The databases under a round: a folder with SQLite's files, or a database of a PostgreSQL server."""

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from sqlalchemy import URL, Executable, select, text

from adapters.storage.database import blocking_engine, database_url
from adapters.storage.tables import active, outbox, turns, unsent
from tests.postgres import Postgres

DatabaseName = Literal["sqlite", "postgresql"]


@dataclass(frozen=True)
class Folder:
    """SQLite in a folder."""

    folder: Path

    @property
    def env(self) -> Mapping[str, str]:
        return {"FOOTNOTE_DATA_DIR": str(self.folder)}

    @property
    def place(self) -> str:
        return f"sqlite:///{self.folder / 'footnote.db'}"

    @asynccontextmanager
    async def away(self) -> AsyncIterator[None]:
        """Hold both files locked, as another program does that writes and does not end."""
        held = [
            sqlite3.connect(self.folder / name, isolation_level=None, check_same_thread=False)
            for name in ("footnote.db", "work.db")
        ]
        try:
            for connection in held:
                await asyncio.to_thread(_lock, connection)
            yield
        finally:
            for connection in held:
                connection.close()


@dataclass(frozen=True)
class Server:
    """A database of a PostgreSQL server."""

    folder: Path
    server: Postgres
    url: URL

    @property
    def env(self) -> Mapping[str, str]:
        return {
            "FOOTNOTE_DATA_DIR": str(self.folder),
            "DATABASE_URL": self.url.render_as_string(hide_password=False),
        }

    @property
    def place(self) -> str:
        return database_url(self.env["DATABASE_URL"]).render_as_string(hide_password=False)

    @asynccontextmanager
    async def away(self) -> AsyncIterator[None]:
        """End every connection and take no new one."""
        await asyncio.to_thread(self.server.go_away, self.url)
        try:
            yield
        finally:
            await asyncio.to_thread(self.server.come_back, self.url)


@dataclass
class Databases:
    """Gives each round a database of its own, copied from one in which the bot has run before."""

    folder: Path
    server: Postgres | None = None
    templates: dict[str, str | Path] = field(default_factory=dict)
    _number: int = 0
    _kept: list[AbstractContextManager[URL]] = field(default_factory=list)

    @asynccontextmanager
    async def place(self, name: DatabaseName) -> AsyncIterator[Folder | Server]:
        """Give an empty database with every table in it, once there is a template; before, one without tables."""
        self._number += 1
        folder = self.folder / f"round-{self._number}"
        template = self.templates.get(name)
        try:
            if name == "sqlite":
                shutil.copytree(template, folder) if template else folder.mkdir()
                yield Folder(folder)
            else:
                assert self.server
                folder.mkdir()
                block = self.server.database(str(template)) if template else self.server.database()
                url = await asyncio.to_thread(block.__enter__)
                try:
                    yield Server(folder, self.server, url)
                finally:
                    await asyncio.to_thread(block.__exit__, None, None, None)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def keep(self, name: DatabaseName, place: Folder | Server) -> None:
        """Let later rounds begin with a copy of this database; nobody may be connected to it any more."""
        template = self.folder / f"template-{name}"
        if isinstance(place, Folder):
            template.mkdir()
            for file in ("footnote.db", "work.db"):
                shutil.copy(place.folder / file, template / file)
            self.templates[name] = template
        else:
            # It goes with its round, so a copy of the copy stays.
            kept = place.server.database(str(place.url.database))
            self.templates[name] = str(kept.__enter__().database)
            self._kept.append(kept)

    def close(self) -> None:
        """Drop what was kept."""
        for kept in self._kept:
            kept.__exit__(None, None, None)
        self._kept.clear()


# Transactions that have gone on for longer than any of ours takes.
_HOLDING = text(
    "SELECT pid, state, wait_event, now() - xact_start AS since, pg_blocking_pids(pid) AS waits_for, query "
    "FROM pg_stat_activity WHERE datname = current_database() AND now() - xact_start > interval '1 second'"
)


def left(place: Folder | Server) -> list[str]:
    """Return the questions and messages that are not done, as they stand in the database, and who holds it up there."""
    question = select(turns.c.question_id, turns.c.state, turns.c.taken_by, turns.c.version, turns.c.finished_at)
    kept = (outbox.c.question_id, outbox.c.part, outbox.c.state, outbox.c.owner, outbox.c.tried, outbox.c.in_doubt)
    message = select(*kept, outbox.c.due_at, outbox.c.changed_at, outbox.c.reason)
    wanted: list[Executable] = [question.where(active(turns.c.state)), message.where(unsent(outbox.c.state))]
    if isinstance(place, Server):
        wanted.append(_HOLDING)
    engine = blocking_engine(place.place)
    try:
        with engine.connect() as connection:
            return [str(dict(row)) for rows in wanted for row in connection.execute(rows).mappings()]
    finally:
        engine.dispose()


def _lock(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA busy_timeout=10000")
    connection.execute("BEGIN IMMEDIATE")
