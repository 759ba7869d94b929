"""What is stored of a workspace that removed the app goes after `RETENTION`."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from core.errors import StorageError
from core.installing import Departures

log = logging.getLogger("footnote")

# Seconds between looks, the first of them after the start: by then a workspace that is there again is known.
_LOOK = 3600.0


async def left_forgotten(
    departures: Departures,
    kept: timedelta | None,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Delete what is stored of workspaces that were left longer ago than `kept`, until cancelled.

    Several copies may do it at once: each workspace is deleted whole, by one of them. `kept` is None for ever.
    """
    while True:
        await pause(_LOOK)
        try:
            if kept is not None:
                await _forget(departures, now() - kept)
        except StorageError as error:
            log.warning("Workspaces that were left could not be forgotten now: %s", error)


async def _forget(departures: Departures, before: datetime) -> None:
    for tenant in await departures.since(before):
        gone = await departures.forget(tenant, before)
        if gone is not None:
            what = ", ".join(f"{count} of {name}" for name, count in gone.items()) or "nothing was stored"
            log.info("Workspace %s removed the app and RETENTION is over; deleted: %s", tenant, what)
