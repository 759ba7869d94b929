"""Fixtures for the tests of the program."""

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from dbos._queue import Queue
from dbos._sys_db import SystemDatabase
from dbos._sys_db_postgres import PostgresSystemDatabase

from adapters.embedding.universal import UniversalEmbedder
from bot import patience, wiring
from tests.bot.engine import Bench, plans_and_answers
from tests.bot.terminal import VARIABLES
from tests.corpora import Indexes


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, embedder: UniversalEmbedder) -> Path:
    """Return an empty working folder, with nothing set but a data folder in it, and the encoder loaded once for all."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("FOOTNOTE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(wiring, "UniversalEmbedder", lambda _: embedder)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def indexed_handbook(indexes: Indexes) -> Path:
    """Return a data folder with the indexed handbook, to be copied."""
    return asyncio.run(indexes.copy("handbook"))


@pytest.fixture
def handbook_data(indexed_handbook: Path, elsewhere: Path) -> Path:
    """Return the data folder, in which the handbook is indexed."""
    return Path(shutil.copytree(indexed_handbook, elsewhere / "data"))


@pytest.fixture
def folder(elsewhere: Path) -> Path:
    """Return a folder of two documents that are quick to index."""
    place = elsewhere / "documents"
    place.mkdir()
    (place / "tea.md").write_text("# Tea\n\nTea is served at four o'clock in the garden.\n", "utf-8")
    (place / "чай.md").write_text("# Кофе\n\nКофе подают в восемь утра в зале.\n", "utf-8")
    return place


@pytest.fixture(params=["sqlite"])
def records(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Give the URL of a database that holds nothing yet."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'work.db'}"
        return
    with request.getfixturevalue("postgres").database("template0") as given:
        yield given.render_as_string(hide_password=False)


@pytest.fixture
def bench(records: str, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Return an empty bench, on which the engine looks fifty times a second where it looks once elsewhere."""
    monkeypatch.setattr("dbos._core._PREEMPTIBLE_POLL_INTERVAL_SEC", 0.02)
    # There are no messages between workflows; a listener that is just connecting while its engine ends leaves its
    # connection open.
    monkeypatch.setattr(SystemDatabase, "_notification_listener_polling", lambda _: None)
    monkeypatch.setattr(PostgresSystemDatabase, "_notification_listener", lambda _: None)
    assert Queue.__init__.__kwdefaults__
    monkeypatch.setitem(Queue.__init__.__kwdefaults__, "polling_interval_sec", 0.02)
    monkeypatch.setattr(patience, "_FIRST_PAUSE", 0.01)
    return Bench(records, plans_and_answers)
