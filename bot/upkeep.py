"""What keeps a running bot's index fresh: it takes up new ones, watches its folder, and indexes on a schedule."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.answering import Bot
from bot.refreshing import Refresher
from bot.schedule import reindexed_every
from bot.settings import Settings
from bot.watching import watched
from core.errors import whereabouts

log = logging.getLogger("footnote")

# Seconds before what failed by a defect is begun again: it may fail again, and answers go first.
AGAIN = 60.0


def upkeep(bot: Bot, settings: Settings, refresher: Refresher) -> tuple[Callable[[], Awaitable[None]], ...]:
    """Return what is to run beside the answers, each until it is cancelled."""
    every = settings.reindex_every
    tasks: list[Callable[[], Awaitable[None]]] = [bot.follow]
    if settings.watch:
        tasks.append(lambda: watched(refresher))
    if every:
        tasks.append(lambda: reindexed_every(every, refresher))
    return tuple(tasks)


async def steadily(each: Callable[[], Awaitable[None]]) -> None:
    """Do what is to be done beside the answers; a defect in it is logged, and ends neither them nor, for long, it."""
    while True:
        try:
            return await each()
        except Exception as error:  # noqa: BLE001 - the next start would meet it again, and nobody be answered
            failure = whereabouts(error)
        log.error("What runs beside the answers failed by a defect, and begins again in %g s: %s", AGAIN, failure)
        await asyncio.sleep(AGAIN)
