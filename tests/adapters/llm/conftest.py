"""A provider on 127.0.0.1, and what is opened at it."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest_asyncio

from adapters.llm.embedding import EmbeddingSettings, LiteLLMEmbedder
from adapters.llm.reranking import LiteLLMReranker, RerankSettings
from tests.adapters.llm.loopback import SECRET, Provider, provider


@pytest_asyncio.fixture(loop_scope="module")
async def server() -> AsyncIterator[Provider]:
    """A provider that does as the test says."""
    async with provider() as made:
        yield made


@pytest_asyncio.fixture(loop_scope="module")
async def embedders(server: Provider) -> AsyncIterator[Callable[..., LiteLLMEmbedder]]:
    """Opens embedders at the provider, and closes them."""
    opened: list[LiteLLMEmbedder] = []

    def at_the_provider(**changes: Any) -> LiteLLMEmbedder:
        usual = {"model": "openai/embed-a", "timeout_seconds": 10.0, **_reached(server)}
        opened.append(LiteLLMEmbedder(EmbeddingSettings(**{**usual, **changes})))
        return opened[-1]

    yield at_the_provider
    for one in opened:
        await one.aclose()


@pytest_asyncio.fixture(loop_scope="module")
async def rerankers(server: Provider) -> AsyncIterator[Callable[..., LiteLLMReranker]]:
    """Opens rerankers at the provider, and closes them."""
    opened: list[LiteLLMReranker] = []

    def at_the_provider(**changes: Any) -> LiteLLMReranker:
        usual = {"model": "hosted_vllm/judge", **_reached(server)}
        opened.append(LiteLLMReranker(RerankSettings(**{**usual, **changes})))
        return opened[-1]

    yield at_the_provider
    for one in opened:
        await one.aclose()


def _reached(server: Provider) -> dict[str, Any]:
    return {"pause_seconds": 0.01, "api_base": server.base, "api_key": SECRET}
