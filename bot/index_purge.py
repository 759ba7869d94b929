"""`footnote reindex --purge`: what is in no document any more is in no file of the index either."""

import asyncio
from contextlib import suppress

from rich.console import Console

from bot.commands import alone_in, progress_on
from bot.index_report import report_lines
from bot.index_run import indexer_of, leading
from bot.indexing import BUSY, Indexer, IndexReport, Lead
from bot.progress import is_abandoned
from bot.settings import read_settings
from bot.wiring import Stores, fits, opened
from core.errors import ConfigError, PortError, StorageError, whereabouts

_CUT_SHORT = "the last index run did not end, and what it has stored would stay: run footnote index FOLDER first"
_NOTHING = "nothing is indexed yet, so there is nothing to purge"
_OTHER = "the index was made with another encoder or by another version: run footnote index FOLDER first"
_SERVER = "PostgreSQL overwrites what was removed in its own time; VACUUM FULL of the tables does it at once."


async def purge_command() -> None:
    """Write the live index anew, remove all others, and say what was done. Raises BotError."""
    settings, console = read_settings(), Console()
    with alone_in(settings):
        async with opened(settings) as stores:
            with progress_on(console) as progress:
                async with leading(stores, settings) as lead:
                    report = await purged(stores, indexer_of(stores, settings, progress), lead)
            rest = await _rest(stores)
    lines = [report_lines(report)[0], "Of removed documents nothing is left in the index; there is none to go back to."]
    console.print("\n".join([*lines, *report.remarks, *rest]), highlight=False, markup=False, soft_wrap=True)


async def purged(stores: Stores, indexer: Indexer, lead: Lead | None = None) -> IndexReport:
    """Return what was done to write the live generation into tables of its own, and to remove all other ones.

    No source is looked at, nothing is embedded again, and readers are not disturbed. Raises ConfigError when there is
    no such generation or another run is under way, and as `Indexer.finish`: the live one then stays as it is.
    """
    catalog = stores.catalog
    live, building = await catalog.live(), await catalog.building()
    if live is None:
        raise ConfigError(_NOTHING)
    if not fits(live, stores.embedder):
        raise ConfigError(_OTHER)
    if building:
        raise ConfigError(_CUT_SHORT if is_abandoned(building) else BUSY)
    begun = await catalog.again(live)
    if begun is None:
        raise ConfigError(BUSY)
    # Nobody works on it yet: whoever makes indexes takes it up from here.
    await catalog.leave(begun.number)
    try:
        report = await indexer.finish(lead)
    except BaseException as error:
        with suppress(PortError):
            why = whereabouts(error) if isinstance(error, Exception) else ""
            await asyncio.shield(catalog.leave(begun.number, why))
        raise
    if report is None:
        raise ConfigError(BUSY)
    await _drop_others(stores)
    return report


async def _drop_others(stores: Stores) -> None:
    catalog = stores.catalog
    live = await catalog.live()
    for one in await catalog.all():
        if one.state == "retired" and live and one.tables.base != live.tables.base:
            await stores.index.drop(one.tables.base)
            await catalog.drop(one.number)


async def _rest(stores: Stores) -> tuple[str, ...]:
    """Return in words what is left in the files of the database."""
    try:
        return () if await stores.database.compact() else (_SERVER,)
    except StorageError as error:
        return (f"The database could not be written anew now, so it still holds them; run this again later: {error}",)
