"""`footnote index FOLDER --watch`: stays, and indexes what is saved in the folder."""

import asyncio
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rich.console import Console

from bot.allocator import share_what_is_freed
from bot.commands import alone_in, progress_on
from bot.index_report import report_lines
from bot.index_run import indexed, indexer_of
from bot.indexing import IndexReport, Progress
from bot.settings import Settings, names_given, read_settings
from bot.sources import collection_of, watchable
from bot.watching import follow_changes
from bot.wiring import Stores, opened
from core.errors import BotError, ConfigError
from core.ingest.source import Collection


async def watch_command(wheres: Sequence[str]) -> None:
    """Index the folder, and again whenever something is saved in it, until Ctrl-C. Raises ConfigError at the start."""
    settings = read_settings()
    share_what_is_freed(names_given())
    async with opened(settings) as stores:
        named = await _named(wheres, settings, stores)
    folder = watchable(named.identity)
    if folder is None:
        raise ConfigError(
            "--watch stays with one folder: name it alone. Let footnote run index other sources again: REINDEX_EVERY=6h"
        )
    task = asyncio.current_task()
    assert task
    with suppress(NotImplementedError):  # Windows has no such signals
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    async with opened(settings) as stores:
        try:
            await follow_changes(folder, _Watch(folder, wheres, stores, settings).run, _always)
        except asyncio.CancelledError:
            _say("Stopped watching. What is indexed stays; the next run goes on from there.")


async def _named(wheres: Sequence[str], settings: Settings, stores: Stores) -> Collection:
    live = await stores.catalog.live()
    return await asyncio.to_thread(collection_of, wheres, settings, live.make if live else None)


async def _always() -> bool:
    return True


class _Watch:
    """Runs the index of one folder, and says what came of it; the same trouble is said once."""

    def __init__(self, folder: Path, wheres: Sequence[str], stores: Stores, settings: Settings) -> None:
        self._folder = folder
        self._wheres = wheres
        self._stores = stores
        self._settings = settings
        self._bars = _Bars()
        self._indexer = indexer_of(stores, settings, self._bars)
        self._trouble = ""
        self._begun = False

    async def run(self) -> bool:
        """Index once; return whether that succeeded."""
        try:
            report = await self._indexed()
        except BotError as error:
            if self._trouble != str(error):
                _say(f"Not indexed: {error}", "It is tried again in some seconds, and when something is saved.")
            self._trouble = str(error)
            return False
        self._trouble = ""
        if report.rebuilt or not self._begun:
            _say(*report_lines(report))
        if not self._begun:
            _say(f"Watching {self._folder}: what is saved there is indexed at once. Ctrl-C ends it.")
        self._begun = True
        return True

    async def _indexed(self) -> IndexReport:
        with alone_in(self._settings), progress_on(Console()) as self._bars.progress:
            collection = await _named(self._wheres, self._settings, self._stores)
            return await indexed(collection, self._indexer, self._stores, self._settings)


class _Bars:
    """Tells whichever bar is shown now."""

    progress: Progress

    def __call__(self, stage: str, done: int, total: int) -> None:
        self.progress(stage, done, total)


def _say(*lines: str) -> None:
    Console().print("\n".join(lines), highlight=False, markup=False, soft_wrap=True)
