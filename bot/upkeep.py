"""What keeps a running bot's index fresh: it takes up new ones, watches its folder, and indexes on a schedule."""

from collections.abc import Awaitable, Callable

from bot.answering import Bot
from bot.refreshing import Refresher
from bot.schedule import reindexed_every
from bot.settings import Settings
from bot.watching import watched


def upkeep(bot: Bot, settings: Settings, refresher: Refresher) -> tuple[Callable[[], Awaitable[None]], ...]:
    """Return what is to run beside the answers, each until it is cancelled."""
    every = settings.reindex_every
    tasks: list[Callable[[], Awaitable[None]]] = [bot.follow]
    if settings.watch:
        tasks.append(lambda: watched(refresher))
    if every:
        tasks.append(lambda: reindexed_every(every, refresher))
    return tuple(tasks)
