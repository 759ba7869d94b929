"""One runner for all rounds of a file's tests."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.faults.runner import Runner, runner
from tests.postgres import Postgres


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def playing(tmp_path_factory: pytest.TempPathFactory, postgres: Postgres) -> AsyncIterator[Runner]:
    """Give a runner over both databases."""
    folder: Path = tmp_path_factory.mktemp("faults")
    async with runner(folder, postgres) as made:
        yield made
