"""A prepared database in a folder of its own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.storage.database import Database, open_database


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the test's database lives."""
    return tmp_path / "data" / "footnote.db"


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    """Give an empty database with the newest schema."""
    opened = open_database(path)
    await opened.prepare()
    yield opened
    await opened.close()
