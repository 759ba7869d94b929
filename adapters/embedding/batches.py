"""Many texts through an encoder that computes: by length, in worker threads, stopped between two batches."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is encoded in one go: texts, characters of them together, and batches side by side."""

    texts: int
    characters: int
    at_once: int = 1


async def encode_all(
    texts: Sequence[str], encode: Callable[[list[str]], Sequence[T]], pool: Executor, limits: Limits
) -> list[T]:
    """Return what `encode` makes of each text, in the order of the texts.

    `encode` runs in the pool's threads, a batch a call; when this is cancelled no further batch begins.
    """
    made: dict[int, T] = {}
    waiting = by_length(texts, limits)
    loop = asyncio.get_running_loop()

    async def work() -> None:
        for places in waiting:
            encoded = await loop.run_in_executor(pool, encode, [texts[place] for place in places])
            made.update(zip(places, encoded, strict=True))

    workers = [asyncio.create_task(work()) for _ in range(limits.at_once)]
    try:
        await asyncio.gather(*workers)
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
    return [made[place] for place in range(len(texts))]


def by_length(texts: Sequence[str], limits: Limits) -> Iterator[list[int]]:
    """Yield the texts' positions in batches, shortest texts first, so that little of a batch is padding."""
    batch: list[int] = []
    size = 0
    for place in sorted(range(len(texts)), key=lambda place: len(texts[place])):
        if batch and (len(batch) == limits.texts or size + len(texts[place]) > limits.characters):
            yield batch
            batch, size = [], 0
        batch.append(place)
        size += len(texts[place])
    if batch:
        yield batch
