"""Indexing again by itself: when it is time, by one copy of all, and without ever stopping the bot."""

import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import pytest_asyncio
from pydantic import ValidationError

from adapters.storage.replicas import SqlReplicas
from bot.indexing import Indexer, collection_of
from bot.refreshing import Refresher
from bot.schedule import reindexed_every
from bot.settings import Settings
from bot.wiring import Stores, opened
from tests.adapters.search.shelf import Letters

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
SIX = timedelta(hours=6)


class Over(Exception):
    """The end of the day that is played."""


@dataclass
class Day:
    """A clock that goes on as fast as anybody waits, and index runs that only note the hour."""

    published_at: datetime | None = None
    ours: bool = True
    failing: bool = False
    now: datetime = NOON
    runs: list[float] = field(default_factory=list)

    async def published(self) -> datetime | None:
        return self.published_at

    async def is_ours(self) -> bool:
        return self.ours

    async def run(self) -> bool:
        self.runs.append(round((self.now - NOON).total_seconds() / 3600, 2))
        return not self.failing

    async def pause(self, seconds: float) -> None:
        assert seconds > 0
        self.now += timedelta(seconds=seconds)
        if self.now > NOON + timedelta(hours=20):
            raise Over

    async def play(self) -> list[float]:
        """Return the hours after noon at which something was indexed."""
        with pytest.raises(Over):
            await reindexed_every(SIX, self, lambda: self.now, self.pause)  # type: ignore[arg-type]
        return self.runs


@pytest.mark.parametrize(
    ("day", "hours"),
    [
        (Day(), [6, 12, 18]),
        (Day(published_at=NOON - timedelta(hours=2)), [4, 10, 16]),
        (Day(published_at=NOON - timedelta(days=3)), [0, 6, 12, 18]),
        (Day(ours=False), []),
    ],
)
async def test_it_is_done_each_time_that_it_is_due(day: Day, hours: list[float]) -> None:
    """Counted from when the live index was published, at once when that is too long ago; by one copy alone."""
    assert hours == [round(hour) for hour in await day.play()]


async def test_what_failed_is_tried_again_sooner() -> None:
    """After a tenth of the time, and it never ends the waiting."""
    assert [6, 6.6, 7.2] == (await Day(failing=True).play())[:3]


@pytest.mark.parametrize(("said", "means"), [("30m", timedelta(minutes=30)), ("6h", SIX), (" 1 D ", timedelta(days=1))])
def test_the_time_between_is_written_as_people_write_it(said: str, means: timedelta) -> None:
    """Minutes, hours or days."""
    assert means == Settings(reindex_every=said).reindex_every  # type: ignore[arg-type]


@pytest.mark.parametrize("said", ["often", "6", "0h", "-1h", "1w", "30s"])
def test_another_time_is_refused_in_words(said: str) -> None:
    """The message shows how to write it, or what the least is."""
    with pytest.raises(ValidationError, match=r"as 30m, 6h or 1d|greater than or equal"):
        Settings(reindex_every=said)  # type: ignore[arg-type]


@pytest_asyncio.fixture
async def stores(tmp_path: Path, folder: Path) -> AsyncIterator[Stores]:
    """Give stores in which the folder is indexed."""
    settings = Settings(FOOTNOTE_DATA_DIR=tmp_path / "data")  # type: ignore[call-arg]
    async with opened(settings) as opened_:
        made = replace(opened_, embedder=Letters())
        await Indexer(made.catalog, made.index, made.embedder, lambda *_: None).run(collection_of(folder))
        yield made


def moved(folder: Path, place: Path) -> None:
    folder.rename(place)


async def test_the_live_source_is_indexed_again(
    stores: Stores, folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The bot takes it up at once; what goes wrong is said once, with what to do, and the next run may succeed."""
    caplog.set_level(logging.INFO, "footnote")
    taken: list[object] = []
    settings = Settings(FOOTNOTE_DATA_DIR=tmp_path / "data")  # type: ignore[call-arg]

    async def take_up() -> object:
        taken.append(await stores.catalog.live())
        return None

    refresher = Refresher(stores, settings, SqlReplicas(stores.database, "one"), take_up)
    other = Refresher(stores, settings, SqlReplicas(stores.database, "two"), take_up)
    nothing_new = await refresher.run()
    (folder / "чай.md").write_text("# Кофе\n\nКофе подают в девять утра.\n", "utf-8")
    changed = await refresher.run()
    moved(folder, tmp_path / "away")
    failed = [await refresher.run(), await refresher.run()]
    nowhere = await refresher.folder()
    moved(tmp_path / "away", folder)

    assert (nothing_new, changed, failed, nowhere, len(taken)) == (True, True, [False, False], None, 1)
    assert (await refresher.folder(), await other.folder()) == (folder, None)
    assert 1 == caplog.text.count("were not indexed again")
    assert "create it or correct its path" in caplog.text
    assert await refresher.run()
