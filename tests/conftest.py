"""What the whole-pipeline tests share: one encoder, and the example corpora indexed once."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from adapters.embedding.universal import UniversalEmbedder
from tests.corpora import Company, Indexes, company


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
