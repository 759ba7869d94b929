"""Many texts in batches: bounded, in order, stopped between two of them."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.embedding.batches import Limits, by_length, encode_all

LIMITS = Limits(texts=4, characters=50, at_once=2)


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """Give two threads."""
    with ThreadPoolExecutor(2) as threads:
        yield threads


@settings(derandomize=True, max_examples=200)
@given(st.lists(st.text(max_size=80)))
def test_every_text_is_in_one_batch_within_the_limits(texts: list[str]) -> None:
    """Nothing is lost or doubled, and only a single text may be larger than a batch."""
    batches = list(by_length(texts, LIMITS))

    assert list(range(len(texts))) == sorted(place for batch in batches for place in batch)
    assert all(1 <= len(batch) <= 4 for batch in batches)
    assert all(len(batch) == 1 or sum(len(texts[place]) for place in batch) <= 50 for batch in batches)


async def test_each_result_stands_at_its_text(pool: ThreadPoolExecutor) -> None:
    """Texts are sorted and spread over threads; what comes back is in their order."""
    texts = ["я" * (number * 7 % 13) + str(number) for number in range(100)]

    assert [text[::-1] for text in texts] == await encode_all(
        texts, lambda batch: [text[::-1] for text in batch], pool, LIMITS
    )


async def test_a_failure_comes_as_it_is(pool: ThreadPoolExecutor) -> None:
    """The encoder's own error reaches the caller, and no further batch begins."""
    begun: list[int] = []

    def fail(batch: list[str]) -> list[str]:
        begun.append(len(batch))
        raise ValueError("broken model")

    with pytest.raises(ValueError, match="broken model"):
        await encode_all(["text"] * 1_000, fail, pool, LIMITS)
    assert len(begun) <= 4


async def test_no_batch_begins_after_a_cancellation(pool: ThreadPoolExecutor) -> None:
    """What runs in a thread ends its batch; nothing is started after it."""
    begun: list[int] = []
    first, go_on = threading.Event(), threading.Event()

    def slow(batch: list[str]) -> list[str]:
        begun.append(len(batch))
        first.set()
        go_on.wait(10)
        return batch

    call = asyncio.create_task(encode_all(["text"] * 1_000, slow, pool, LIMITS))
    await asyncio.to_thread(first.wait, 10)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    go_on.set()
    pool.shutdown(wait=True)

    assert len(begun) <= 2
