"""What every implementation of the port `Embedder` keeps."""

import asyncio
import math
import threading
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Literal, Protocol

import pytest
import pytest_asyncio

from adapters.embedding.onnx import OnnxEmbedder
from adapters.embedding.universal import UniversalEmbedder
from adapters.llm.embedding import EmbeddingSettings, LiteLLMEmbedder
from tests.adapters.embedding.tiny import embedder_folder
from tests.adapters.llm.loopback import provider

# One loop for the file: LiteLLM's clients belong to the loop that made them.
pytestmark = pytest.mark.asyncio(loop_scope="module")

TEXTS = (
    "Where was RAG used?",
    "Где применял RAG?",
    "Сколько дней отпуска мне положено?",
    "отпуск " * 2_000,
    "日本語の文章です。",
    "a\x00b\x1b[31m\x7f\u200b\u202eend",
    "half of a pair: \ud83d",
    "🙂",
    "\n\n",
    " ",
    "",
)


class Embedder(Protocol):
    """The port, as it is to be."""

    id: str
    dimension: int

    async def prepare(self) -> None:
        """Make ready."""

    async def embed(self, texts: Sequence[str], purpose: Literal["passage", "query"] = "passage") -> list[list[float]]:
        """Return unit vectors."""


@pytest_asyncio.fixture(loop_scope="module", params=["universal", "onnx", "litellm"])
async def made(request: pytest.FixtureRequest, tmp_path: Path, embedder: UniversalEmbedder) -> AsyncIterator[Embedder]:
    """Give each implementation in turn, ready."""
    if request.param == "universal":
        await embedder.prepare()
        yield embedder
    elif request.param == "onnx":
        local = OnnxEmbedder(embedder_folder(tmp_path / "tiny"))
        await local.prepare()
        yield local
    else:
        async with provider() as server:
            remote = LiteLLMEmbedder(EmbeddingSettings("openai/tiny", api_base=server.base, api_key="sk-1"))
            await remote.prepare()
            yield remote
            await remote.aclose()


def near(left: Sequence[float], right: Sequence[float]) -> bool:
    """Return whether two vectors are the same but for rounding."""
    return max(abs(a - b) for a, b in zip(left, right, strict=True)) < 1e-5


async def test_every_text_has_a_unit_vector(made: Embedder) -> None:
    """Whatever the text, its vector has the dimension that was said and the length 1."""
    vectors = await made.embed(TEXTS)

    assert {made.dimension} == {len(vector) for vector in vectors}
    assert [1.0] * len(TEXTS) == [pytest.approx(math.hypot(*vector), abs=1e-4) for vector in vectors]


@pytest.mark.parametrize("purpose", ["passage", "query"])
async def test_the_same_text_has_the_same_vector(made: Embedder, purpose: Literal["passage", "query"]) -> None:
    """Neither the company of other texts nor their order changes a vector, and another text has another one."""
    together = await made.embed(TEXTS[:6], purpose)
    backwards = (await made.embed(TEXTS[5::-1], purpose))[::-1]

    for text, one, other in zip(TEXTS, together, backwards, strict=False):
        [alone] = await made.embed([text], purpose)
        assert near(alone, one)
        assert near(alone, other)
    assert not near(together[0], together[1])


@pytest.mark.parametrize("count", [0, 1, 1000])
async def test_as_many_vectors_as_texts_in_their_order(made: Embedder, count: int) -> None:
    """None, one or a thousand: each vector stands at its text's place."""
    texts = [f"{'я' * (number * 37 % 11)} number {number}" for number in range(count)]

    vectors = await made.embed(texts)

    assert count == len(vectors)
    for place in {0, count // 3, count - 1} if count else ():
        assert near((await made.embed([texts[place]]))[0], vectors[place])


async def test_its_name_and_dimension_stay(made: Embedder) -> None:
    """What is recorded beside the vectors does not change by use."""
    before = made.id, made.dimension

    await made.embed(TEXTS, "query")

    assert before == (made.id, made.dimension)
    assert made.id
    assert made.dimension > 0


async def test_nothing_runs_on_after_it_was_cancelled(made: Embedder) -> None:
    """Who waits no longer leaves no task behind, and the next call is served."""
    before = asyncio.all_tasks()
    under_way = asyncio.create_task(made.embed([f"{number} " * 60 for number in range(1_500)]))
    await asyncio.sleep(0.05)

    under_way.cancel()
    with pytest.raises(asyncio.CancelledError):
        await under_way

    assert not [task for task in asyncio.all_tasks() - before if "embed" in repr(task.get_coro())]
    assert 1 == len(await asyncio.wait_for(made.embed(["next"]), 10))


async def test_others_are_served_meanwhile(made: Embedder) -> None:
    """While many texts are embedded the event loop turns, and a question does not wait for the last of them."""
    many = asyncio.create_task(made.embed([f"passage {number} " * 20 for number in range(400)]))
    await asyncio.sleep(0)

    await made.embed(["a question"], "query")

    assert not many.done()
    assert 400 == len(await many)
    assert threading.active_count() < 100
