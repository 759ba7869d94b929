"""`RETENTION`: what is kept longer than that goes, once a day, by one of all copies of the bot."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta

from rich.console import Console

from bot.settings import read_settings
from bot.wiring import opened, retention_of
from core.audited import Retention
from core.errors import StorageError

log = logging.getLogger("footnote")

# The name under which one of several copies is the one that does it.
LEASE = "retention"
_EVERY = timedelta(days=1)
# Seconds between looks whether it is time: another copy that did it may be gone.
_LOOK = 600.0
# Seconds between two batches, in which others may write.
_BREATH = 0.05

_KINDS = {
    "questions": "questions with their answers",
    "opinions": "opinions on answers",
    "costs": "days of costs",
    "messages": "messages of no question",
    "orders": "orders to index",
    "strangers": "strangers who asked to be let in",
    "log": "contents of the audit log",
}


async def bounded(
    store: Retention,
    kept: timedelta | None,
    is_ours: Callable[[], Awaitable[bool]],
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Remove once a day what is older than `kept`, until cancelled; it begins some minutes after the start.

    Each batch is whole in itself, so that whoever is stopped half way has lost nothing, and the next one goes on.
    """
    due = now()
    while True:
        await pause(_LOOK)
        if now() < due:
            continue
        try:
            if await is_ours():
                gone = await swept(store, kept, now(), pause)
                due = now() + _EVERY
                if any(gone.values()):
                    log.info("Kept for longer than RETENTION, and removed: %s", in_words(gone))
        except StorageError as error:
            log.warning("What is older than RETENTION could not be removed now: %s", error)


async def swept(
    store: Retention,
    kept: timedelta | None,
    now: datetime,
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> Mapping[str, int]:
    """Remove all that is older, batch by batch; return how much of each kind. Raises StorageError."""
    gone: Counter[str] = Counter()
    while True:
        batch = await store.sweep(now - kept if kept else None, now)
        gone.update(batch)
        if not any(batch.values()):
            return gone
        await pause(_BREATH)


def in_words(gone: Mapping[str, int]) -> str:
    """Return how much of each kind, in words."""
    return ", ".join(f"{count:,} {_KINDS[kind]}" for kind, count in gone.items() if count) or "nothing"


async def retention_command(*, dry_run: bool) -> None:
    """Remove what is older than `RETENTION` now, or only say what that is. Raises BotError."""
    settings, now, console = read_settings(), datetime.now(UTC), Console()
    kept = settings.retention
    async with opened(settings) as stores:
        store = retention_of(stores.database)
        before = now - kept if kept else None
        found = await store.due(before, now) if dry_run else await swept(store, kept, now)
    rule = f"everything is kept for {kept.days} days" if kept else "everything is kept for ever"
    verb = "Would go" if dry_run else "Gone"
    console.print(f"RETENTION: {rule}.\n{verb}: {in_words(found)}.", highlight=False, soft_wrap=True)
