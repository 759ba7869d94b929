"""Places that documents come from, made for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.adapters.sources.repository import Repository
from tests.adapters.sources.site import Site, serving


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    """Give a web site without a page."""
    async with serving() as running:
        yield running


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return a repository without a commit."""
    return Repository.made(tmp_path / "origin")
