"""A cross-encoder in a folder: passages judged against a question."""

import asyncio
from math import exp
from pathlib import Path

import pytest

from adapters.embedding.cross_encoder import OnnxReranker
from adapters.embedding.describe import main
from core.errors import ConfigError
from tests.adapters.embedding.tiny import embedder_folder, reranker_folder


def chance(letters: int) -> float:
    """Return what the tiny model makes of so many letters `a`."""
    return 1 / (1 + exp(-letters))


@pytest.mark.parametrize("outputs", [1, 2])
async def test_scores_stand_in_the_order_of_the_texts(tmp_path: Path, outputs: int) -> None:
    """Each pair gets its chance of belonging together, from one output or from no and yes."""
    reranker = OnnxReranker(reranker_folder(tmp_path, outputs))
    texts = ["aaa", "", "Где применяли RAG?", "x" * 500 + "a", *["a" * (place % 4) for place in range(30)]]

    scores = await reranker.rerank("ask", texts)

    expected = [chance(1 + text[:200].count("a")) for text in texts]
    assert expected == pytest.approx(scores, abs=1e-6)


async def test_no_text_no_score(tmp_path: Path) -> None:
    """Nothing in, nothing out."""
    assert [] == await OnnxReranker(reranker_folder(tmp_path)).rerank("Где?", [])


@pytest.mark.parametrize("query", ["", "\x00", "я" * 100_000, "half \ud83d"])
async def test_any_question_and_text_can_be_judged(tmp_path: Path, query: str) -> None:
    """Long, empty and broken text ends in a number between 0 and 1, and a long question leaves room."""
    scores = await OnnxReranker(reranker_folder(tmp_path, max_tokens=32)).rerank(
        query, ["", "a\x00\ud83d", "б" * 9_999]
    )

    assert all(0 <= score <= 1 for score in scores)


async def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    """A file that is not the described one is named."""
    folder = reranker_folder(tmp_path)
    (folder / "tokenizer.json").write_bytes(b"{}")

    with pytest.raises(ConfigError, match=r"tokenizer\.json"):
        await OnnxReranker(folder).prepare()


async def test_an_embedding_model_is_no_judge(tmp_path: Path) -> None:
    """A model of another kind is refused before it is asked anything."""
    folder = embedder_folder(tmp_path)
    assert 0 == main([str(folder), "--reranker"])

    with pytest.raises(ConfigError, match="cross-encoder"):
        await OnnxReranker(folder).prepare()


def test_a_folder_without_a_description(tmp_path: Path) -> None:
    """What is missing is named, with how to write it."""
    with pytest.raises(ConfigError, match=r"reranker.json .*adapters.embedding.describe"):
        OnnxReranker(tmp_path)


async def test_cancelling_stops_before_the_next_batch(tmp_path: Path) -> None:
    """Who waits no longer leaves no task behind."""
    reranker = OnnxReranker(reranker_folder(tmp_path))
    await reranker.prepare()
    before = asyncio.all_tasks()
    call = asyncio.create_task(reranker.rerank("ask", ["a" * 200] * 5_000))
    await asyncio.sleep(0.01)

    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call

    assert asyncio.all_tasks() == before
