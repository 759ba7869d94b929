"""`footnote migrate`: the database's schema, forward and back."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

from rich.console import Console
from rich.prompt import Confirm

import migrations
from bot.commands import alone_in
from bot.locks import locked
from bot.replica import DEAD_AFTER
from bot.settings import Settings, read_settings
from bot.wiring import make_data_dir, open_its_database, replicas_of
from core.errors import ConfigError
from core.work import LEFT

_LOSS = (
    "Going back to {revision} removes the tables and columns that came after it, with what they hold. "
    "Stop every copy of the bot first, and keep a backup. Go on?"
)
_BUSY = "a copy of Footnote works with this database: stop every one first; nothing was changed"
# Seconds between looks whether a copy shows a sign of life.
_LOOK_EVERY = 0.5

# The count of every copy that has said that it is there.
Counts = Callable[[], Awaitable[dict[str, int]]]


async def migrate_command(to: str | None, *, sure: bool) -> None:
    """Bring the schema to the newest revision, or back to an older one, and say so. Raises ConfigError."""
    console = Console()
    settings = read_settings()
    make_data_dir(settings)
    database = open_its_database(settings)
    try:
        if to in (None, migrations.revisions()[-1]):  # back to the newest is no way back
            await database.prepare()
        elif _is_known(to) and (sure or Confirm.ask(_LOSS.format(revision=to), console=console, default=False)):
            async with _nobody_at_work(settings, partial(replicas_of, database)):
                await database.go_back(to)
        else:
            console.print("Nothing was changed.")
            return
    finally:
        await database.close()
    console.print(f"The database has schema {to or migrations.revisions()[-1]}.", highlight=False)


def _is_known(revision: str) -> bool:
    if revision not in ("base", *migrations.revisions()):
        known = ", ".join(migrations.revisions())
        raise ConfigError(f"--to {revision}: there is no such schema; there are {known}, and base for no tables")
    return True


@asynccontextmanager
async def _nobody_at_work(settings: Settings, counts: Counts) -> AsyncIterator[None]:
    """Let the tables be removed while nobody needs them. Raises ConfigError when a copy works, or indexes."""
    if settings.database_url:
        await _all_silent(counts)
        yield
        return
    with locked(settings, "run.lock", _BUSY), alone_in(settings):
        yield


async def _all_silent(counts: Counts) -> None:
    """Return once every copy has said goodbye, or shown nothing for as long as the copies themselves wait for it."""
    before, now = await counts(), asyncio.get_running_loop().time
    if all(count == LEFT for count in before.values()):
        return
    until = now() + DEAD_AFTER
    while now() < until:
        await asyncio.sleep(_LOOK_EVERY)
        for id_, count in (await counts()).items():
            if count not in (before.get(id_), LEFT):
                raise ConfigError(_BUSY)
