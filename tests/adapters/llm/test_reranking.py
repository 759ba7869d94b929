"""Passages judged by a provider: in order, in time, and every failure a sentence."""

import asyncio
from collections.abc import Callable

import pytest

from adapters.llm.reranking import LiteLLMReranker
from core.errors import BadModelOutput, ModelError, ModelRefused, ModelTimeout
from tests.adapters.llm.loopback import GOOD, SECRET, Provider, Reply, score_of

# One loop for the file: LiteLLM's clients belong to the loop that made them.
pytestmark = pytest.mark.asyncio(loop_scope="module")

QUERY = "Где применяли RAG?"
TEXTS = ["xyz", "RAG применяли в Лоцмане", "Where RAG is", ""]
Opened = Callable[..., LiteLLMReranker]


async def failure(reranker: LiteLLMReranker) -> ModelError:
    """Return the error of a call."""
    with pytest.raises(ModelError) as raised:
        await reranker.rerank(QUERY, TEXTS)
    return raised.value


@pytest.mark.parametrize("model", ["hosted_vllm/judge", "cohere/judge", "jina_ai/judge", "infinity/judge"])
async def test_scores_stand_in_the_order_of_the_texts(server: Provider, rerankers: Opened, model: str) -> None:
    """A provider replies best first; the scores come back where their texts stood."""
    scores = await rerankers(model=model).rerank(QUERY, TEXTS)

    assert [score_of(QUERY, text or ".") for text in TEXTS] == pytest.approx(scores)
    assert 1 == scores.index(max(scores))


async def test_nothing_is_asked_for_nothing(server: Provider, rerankers: Opened) -> None:
    """Without texts nobody is asked."""
    assert [] == await rerankers().rerank(QUERY, [])
    assert [] == server.bodies


async def test_texts_are_cut_and_readable(server: Provider, rerankers: Opened) -> None:
    """A text is sent without control characters, never empty, and at most 4,000 characters long."""
    await rerankers().rerank("\x00", ["я" * 9_000, "", "a\x1bb\ud83d"])

    assert "." == server.bodies[0]["query"]
    assert ["я" * 4_000, ".", "a b?"] == server.bodies[0]["documents"]


@pytest.mark.parametrize("reply", [Reply(429), Reply(429, after="0"), Reply(500), Reply(503), Reply(kind="drop")])
async def test_what_may_pass_is_tried_again(server: Provider, rerankers: Opened, reply: Reply) -> None:
    """An outage costs one more try."""
    server.script = [reply, GOOD]

    assert 4 == len(await rerankers().rerank(QUERY, TEXTS))
    assert 2 == len(server.bodies)


@pytest.mark.parametrize(("status", "fix"), [(400, "RERANK_MODEL"), (401, "RERANK_API_KEY"), (403, "RERANK_API_KEY")])
async def test_a_refusal_is_not_repeated(server: Provider, rerankers: Opened, status: int, fix: str) -> None:
    """What the provider refuses it is not asked again; the sentence names the setting, never the key or a text."""
    server.script = [Reply(status)]

    error = await failure(rerankers())

    assert isinstance(error, ModelRefused)
    assert 1 == len(server.bodies)
    assert fix in str(error)
    assert SECRET not in repr(error)
    assert "Лоцман" not in repr(error)


async def test_a_server_that_says_nothing(server: Provider, rerankers: Opened) -> None:
    """Somebody waits for the answer: a stalled request ends in time."""
    server.script = [Reply(kind="stall")]

    assert isinstance(await failure(rerankers(timeout_seconds=0.2)), ModelTimeout)
    assert 2 == len(server.bodies)


@pytest.mark.parametrize("model", ["openai/judge", "nothing-known"])
async def test_a_provider_that_does_not_rerank(server: Provider, rerankers: Opened, model: str) -> None:
    """A provider without reranking is named as that, with how to write another, and not tried again."""
    error = await failure(rerankers(model=model))

    assert isinstance(error, ModelRefused)
    assert "RERANK_MODEL" in str(error)
    assert [] == server.bodies


async def test_a_text_that_was_not_judged(server: Provider, rerankers: Opened) -> None:
    """A score for each text, or none at all."""
    server.script = [Reply(kind="short")]

    assert isinstance(await failure(rerankers()), BadModelOutput)


async def test_cancelling_ends_the_call(server: Provider, rerankers: Opened) -> None:
    """Who waits no longer leaves the slot free."""
    server.script = [Reply(kind="stall")]
    reranker = rerankers(max_parallel=1)
    call = asyncio.create_task(reranker.rerank(QUERY, TEXTS))
    await server.asked.wait()

    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call

    server.script = [GOOD]
    assert 4 == len(await reranker.rerank(QUERY, TEXTS))
