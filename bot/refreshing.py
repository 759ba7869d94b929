"""Indexing the live index's own source again, by a bot at work: on a schedule, or because a file was saved."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from bot.commands import alone_in
from bot.index_report import problem_lines
from bot.index_run import indexed, indexer_of
from bot.indexing import IndexReport, Progress
from bot.settings import Settings
from bot.sources import collection_of, sources_from, watchable
from bot.wiring import Stores
from core.errors import BotError, StorageError, whereabouts
from core.ingest.generation import Generation
from core.running import Replicas

log = logging.getLogger("footnote")

# The name under which one of several copies of the bot is the one that indexes.
LEASE = "indexing"


class Refresher:
    """Runs the index of what is live anew, one run at a time, and lets the bot take it up.

    Whatever goes wrong is logged with what to do, and the bot goes on with the index that it has.
    """

    def __init__(
        self, stores: Stores, settings: Settings, replicas: Replicas, take_up: Callable[[], Awaitable[object]]
    ) -> None:
        self._stores = stores
        self._settings = settings
        self._replicas = replicas
        self._take_up = take_up
        # It remembers what it indexed last, so that a saved file is all that is looked at.
        self._progress: Progress = _nobody
        self._indexer = indexer_of(stores, settings, self._step)
        self._running = asyncio.Lock()
        self._told: str | None = None

    async def is_ours(self) -> bool:
        """Return whether this copy is the one that indexes; while the database is away nobody is."""
        with suppress(StorageError):
            return await self._replicas.lease(LEASE)
        return False

    async def published(self) -> datetime | None:
        """Return since when the live index answers, or None when nothing is indexed, or nobody can tell now."""
        live = await self._live()
        return live.published_at if live else None

    async def folder(self) -> Path | None:
        """Return the folder that the live index was made of, if this copy is to watch it and it is there."""
        live = await self._live()
        folder = await asyncio.to_thread(watchable, live.make.source) if live else None
        there = folder is not None and await asyncio.to_thread(folder.is_dir)
        return folder if there and await self.is_ours() else None

    async def run(self) -> bool:
        """Index the source again; return whether that was done, be it that nothing had changed. Never raises."""
        try:
            async with self._running:
                report = await self._indexed()
                if report and report.rebuilt:
                    await self._take_up()
        except BotError as error:
            self._tell(f"The documents were not indexed again, answers come from the index as it is: {error}")
            return False
        except Exception as error:  # noqa: BLE001 - a defect of a loader must not end the bot
            self._tell(f"The documents were not indexed again, by a defect: {whereabouts(error)}")
            return False
        self._told = None
        if report:
            _log(report)
        return report is not None

    async def ordered(self, progress: Progress) -> IndexReport:
        """Return what was done to index what is declared, or else what is live, as `footnote index` does.

        `progress` is told how far it is. Whatever else this copy indexes comes first. Raises as `Indexer.run`.
        """
        async with self._running:
            self._progress = progress
            try:
                with alone_in(self._settings):
                    live = await self._stores.catalog.live()
                    collection = await asyncio.to_thread(collection_of, (), self._settings, live.make if live else None)
                    report = await indexed(collection, self._indexer, self._stores, self._settings)
            finally:
                self._progress = _nobody
            if report.rebuilt:
                await self._take_up()
        _log(report)
        return report

    def _step(self, stage: str, done: int, total: int) -> None:
        self._progress(stage, done, total)

    async def _indexed(self) -> IndexReport | None:
        live = await self._live()
        if live is None:
            return None
        with alone_in(self._settings):
            collection = await asyncio.to_thread(sources_from, live.make, self._settings)
            return await indexed(collection, self._indexer, self._stores, self._settings)

    async def _live(self) -> Generation | None:
        with suppress(StorageError):
            return await self._stores.catalog.live()
        return None

    def _tell(self, words: str) -> None:
        """Log it, once as long as it stays the same."""
        if words != self._told:
            log.warning(words)
        self._told = words


def _nobody(_stage: str, _done: int, _total: int) -> None:
    """Tell nobody how far a run is."""


def _log(report: IndexReport) -> None:
    changes = report.changes
    if report.rebuilt:
        log.info(
            "%s indexed again: %d added, %d changed, %d removed",
            report.title, len(changes.added), len(changes.changed), len(changes.removed),
        )  # fmt: skip
        for line in problem_lines(report.problems):
            log.warning(line)
