"""What tests share: one encoder, the example corpora indexed once, and each kind of database."""

import atexit
import gc
import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import certifi
import pytest
import pytest_asyncio
from hypothesis import settings
from sqlalchemy import URL

import migrations
from adapters.embedding.universal import UniversalEmbedder
from adapters.storage.database import Database, database_url, open_database
from tests.corpora import Company, Indexes, company
from tests.doubles.german import speaking_german
from tests.object_store import ObjectStore, storing
from tests.postgres import Postgres, running


def pytest_configure() -> None:
    """Let Ctrl-C reach the processes that tests start, also where a shell runs the tests in the background.

    A property that is looked at on a slow machine holds as well: how long a thing takes is measured in benchmarks.
    """
    settings.register_profile("unhurried", deadline=None)
    settings.load_profile("unhurried")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    _trust_one_authority()


def _trust_one_authority() -> None:
    """Leave one certificate authority: to read all takes each client a tenth of a second, and nothing speaks TLS.

    The variable is read by httpx and LiteLLM, and reaches the processes that tests start.
    """
    first, end, _ = Path(certifi.where()).read_text("utf-8").partition("-----END CERTIFICATE-----")
    with tempfile.NamedTemporaryFile("w", prefix="footnote-", suffix=".pem", delete=False) as file:
        file.write(f"{first}{end}\n")
    atexit.register(os.unlink, file.name)
    os.environ["SSL_CERT_FILE"] = file.name


def pytest_collection_finish() -> None:
    """Keep the collector from going over what stays until the end: tests that measure CPU would pay for it."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the bot speak German besides, by one more file and nothing else."""
    with speaking_german(tmp_path, monkeypatch):
        yield


@pytest.fixture(scope="session")
def embedder() -> UniversalEmbedder:
    """Return the real encoder, loaded once."""
    return UniversalEmbedder()


@pytest.fixture(scope="session")
def indexes(tmp_path_factory: pytest.TempPathFactory, embedder: UniversalEmbedder) -> Indexes:
    """Return the indexed examples."""
    return Indexes(tmp_path_factory, embedder)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def handbook(indexes: Indexes, embedder: UniversalEmbedder) -> AsyncIterator[Company]:
    """Give the English company handbook."""
    async with company(await indexes.copy("handbook"), embedder) as opened:
        yield opened


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def portfolio(indexes: Indexes, embedder: UniversalEmbedder) -> AsyncIterator[Company]:
    """Give the Russian portfolio."""
    async with company(await indexes.copy("portfolio"), embedder) as opened:
        yield opened


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Give a PostgreSQL server, started when the first test asks for it."""
    with running() as server:
        yield server


@pytest.fixture(scope="session")
def object_store() -> Iterator[ObjectStore]:
    """Give a store that speaks S3, started when the first test asks for it."""
    with storing() as store:
        yield store


@pytest.fixture
def bucket(object_store: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the address of an empty bucket, with the environment that leads to it."""
    for name, value in object_store.variables.items():
        monkeypatch.setenv(name, value)
    return object_store.bucket()


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with the newest schema and nothing in it, to be copied."""
    path = tmp_path_factory.mktemp("migrated") / "footnote.db"
    migrations.upgrade(database_url(path))
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the file or the URL of an empty database with the newest schema, of each kind in turn."""
    if request.param == "sqlite":
        return str(shutil.copy(request.getfixturevalue("migrated"), tmp_path / "footnote.db"))
    url: URL = request.getfixturevalue("postgres").emptied()
    return url.render_as_string(hide_password=False)


@pytest.fixture
async def database(place: str) -> AsyncIterator[Database]:
    """Give that database, opened."""
    opened = open_database(place)
    yield opened
    await opened.close()
