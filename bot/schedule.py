"""Indexing on a schedule: again and again after a while, by one of all copies of the bot."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from bot.refreshing import Refresher

# Seconds between looks whether it is time: another copy that indexed may be gone.
_LOOK = 30.0
# A run that failed is tried again after this share of the time between two.
_SOONER = 10


async def reindexed_every(
    every: timedelta,
    refresher: Refresher,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Index the live source each time that `every` has passed since it was done last, until cancelled.

    What was done before the start is known by when the live index was published; an older one is done at once.
    """
    due = (await refresher.published() or now()) + every
    while True:
        if now() >= due and await refresher.is_ours():
            due = now() + (every if await refresher.run() else every / _SOONER)
        await pause(min(_LOOK, max(0.0, (due - now()).total_seconds())) or _LOOK)
