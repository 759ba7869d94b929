"""Waiting for something to become true, with an account of why it did not."""

import asyncio
from collections.abc import Callable

PAUSE = 0.01


async def until(reached: Callable[[], bool], explain: Callable[[], str], timeout: float) -> None:
    """Wait until `reached()`; otherwise raise `TimeoutError` with what `explain()` says."""
    try:
        async with asyncio.timeout(timeout):
            while not reached():
                await asyncio.sleep(PAUSE)
    except TimeoutError:
        raise TimeoutError(f"after {timeout} s: {explain()}") from None
