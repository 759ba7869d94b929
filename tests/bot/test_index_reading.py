"""A run that reads shows itself and hears that it is to stop, however slowly its source gives what it has."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from adapters.search.lance import LanceIndex
from adapters.storage.catalog import SqlCatalog
from adapters.storage.database import Database
from bot import index_reading
from bot.index_reading import paced
from bot.indexing import Indexer, IndexReport
from core.errors import ConfigError, IndexingStopped, IngestError
from core.ingest.generation import Generation
from core.ingest.source import Collection, Item
from tests.adapters.search.shelf import Letters

PAGE = Item("страница.md", "# Страница\n\nОдна.".encode())


@dataclass
class Slow:
    """Gives pages, and then waits for as long as nobody lets it end."""

    pages: Sequence[Item]
    name: str = "a slow site"
    ends: asyncio.Event = field(default_factory=asyncio.Event)
    left: bool = False

    async def items(self) -> AsyncIterator[Item | IngestError]:
        """Yield them."""
        try:
            for page in self.pages:
                yield page
            await self.ends.wait()
        finally:
            self.left = True


@dataclass
class Desk:
    """Where a slow source is indexed by a run that shows itself often."""

    catalog: SqlCatalog
    index: LanceIndex
    embedder: Letters = field(default_factory=Letters)

    def begin(self, source: Slow) -> "asyncio.Task[IndexReport]":
        """Return the run."""
        indexer = Indexer(self.catalog, self.index, self.embedder, lambda *_: None)
        return asyncio.create_task(indexer.run(Collection("slow", source)))

    async def seen(self) -> Generation:
        """Return the run as others see it, as soon as they do."""
        async with asyncio.timeout(10):
            while (found := await self.catalog.building()) is None:
                await asyncio.sleep(0.01)
        return found


@pytest.fixture
def desk(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Return a place where nothing is indexed yet."""
    monkeypatch.setattr(index_reading, "HEARD_WITHIN", 0.02)
    return Desk(SqlCatalog(database), LanceIndex(str(tmp_path / "index")))


@pytest.mark.parametrize("pages", [[], [PAGE]])
async def test_a_run_that_reads_is_seen_and_stopped(desk: Desk, pages: list[Item]) -> None:
    """Also before anything has changed, and while the next page lets itself be waited for."""
    source = Slow(pages)
    run = desk.begin(source)
    building = await desk.seen()

    assert "Reading" == building.progress.get("stage", "Reading")
    assert await desk.catalog.stop()
    async with asyncio.timeout(10):
        with pytest.raises(IndexingStopped):
            await run
    assert source.left


async def test_a_slow_look_that_finds_nothing_new_leaves_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was begun only to be seen is gone in the end, and no encoder was loaded for it."""
    source = Slow([PAGE])
    source.ends.set()
    await desk.begin(source)
    before = await desk.catalog.all()
    source.ends.clear()

    async def refuse() -> None:
        raise ConfigError("no encoder")

    monkeypatch.setattr(desk.embedder, "prepare", refuse)
    run = desk.begin(source)
    await desk.seen()
    source.ends.set()

    assert not (await run).rebuilt
    assert before == await desk.catalog.all()


async def test_a_run_that_is_cancelled_leaves_its_source(desk: Desk) -> None:
    """Nothing goes on reading behind the back of a run that has ended."""
    source = Slow([])
    run = desk.begin(source)
    await desk.seen()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run

    assert source.left


async def _numbers(until: int, seconds: float) -> AsyncIterator[int]:
    for number in range(until):
        await asyncio.sleep(seconds)
        yield number


@pytest.mark.parametrize(("until", "seconds"), [(1, 0.2), (200, 0.001)])
async def test_signs_come_however_fast_the_results_do(until: int, seconds: float) -> None:
    """Between two that take long as well as among many that do not; none of them is lost, and their order stays."""
    found = [one async for one in paced(_numbers(until, seconds), 0.02)]

    assert [*range(until)] == [one for one in found if one is not None]
    assert 4 <= found.count(None)


async def test_what_fails_fails() -> None:
    """An error comes through as it is."""

    async def failing() -> AsyncIterator[int]:
        yield 1
        raise ConfigError("the token is wrong")

    with pytest.raises(ConfigError, match="the token is wrong"):
        [one async for one in paced(failing(), 10)]
