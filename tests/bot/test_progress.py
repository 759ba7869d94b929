"""How an index run goes, as anybody sees it from any process."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adapters.search.lance import LanceIndex
from adapters.storage.catalog import SqlCatalog
from adapters.storage.database import Database
from bot.indexing import Indexer, collection_of
from bot.progress import Ended, Step, progress_of
from core.ingest.generation import Generation, Make, Tables
from tests.bot.terminal import footnote
from tests.bot.test_indexing import Counting

# Somebody works on it, however long the tests take.
NOW = datetime.now(UTC) + timedelta(hours=1)
BUILDING = Generation(2, "building", "Handbook", Make("pages", "letters", 1, "x"), Tables(2), {}, touched_at=NOW)


def at(stage: str, done: int, total: int, problems: int = 0) -> Generation:
    known = {"stage": stage, "done": done, "total": total, "problems": problems}
    return replace(BUILDING, progress=known)


@dataclass
class Seen:
    """A catalogue that tells one state of a run after the other."""

    states: list[Generation | None] = field(default_factory=list)

    async def building(self) -> Generation | None:
        return self.states.pop(0)

    async def generation(self, number: int) -> Generation | None:
        assert number == BUILDING.number
        return self.states.pop(0)

    async def told(self) -> list[Step | Ended]:
        async def no_pause(_: float) -> None:
            pass

        return [one async for one in progress_of(self, no_pause)]


async def test_each_step_is_told_once_until_it_is_published() -> None:
    """What stayed the same between two looks is no news; later steps tell of what could not be read, too."""
    seen = Seen([at("Reading", 0, 9), at("Reading", 0, 9), at("Embedding", 4, 30, 1), replace(BUILDING, state="live")])

    assert [Step("Reading", 0, 9), Step("Embedding", 4, 30, 1), Ended("published")] == await seen.told()


@pytest.mark.parametrize(
    ("last", "end"),
    [
        (replace(BUILDING, state="retired"), Ended("published")),
        (replace(BUILDING, touched_at=None, stopping=True, progress={"ended": "Стоп"}), Ended("stopped", "Стоп")),
        (replace(BUILDING, touched_at=None, progress={"ended": "no space"}), Ended("failed", "no space")),
        (
            replace(BUILDING, touched_at=datetime.now(UTC) - timedelta(minutes=5)),
            Ended("failed", "it was cut short; the next run goes on from there"),
        ),
        (None, Ended("unchanged", "number 2 was given up: the index is as it was")),
    ],
)
async def test_every_end_is_told(last: Generation | None, end: Ended) -> None:
    """Published, stopped, failed and why, cut short by a crash, or nothing to do."""
    assert end == (await Seen([at("Embedding", 1, 2), last]).told())[-1]


async def test_without_a_run_there_is_nothing_to_tell() -> None:
    """Whoever asks does not wait for one to begin."""
    assert [] == await Seen([None]).told()


async def test_a_failure_is_told_with_its_reason(database: Database, folder: Path, tmp_path: Path) -> None:
    """The catalogue keeps why a run ended, for whoever looks later and elsewhere."""
    catalog, embedder = SqlCatalog(database), Counting()
    embedder.fails_at = 1
    with pytest.raises(OSError, match="cut off"):
        await Indexer(catalog, LanceIndex(str(tmp_path / "i")), embedder, lambda *_: None).run(collection_of(folder))

    (ended,) = [one async for one in progress_of(catalog)]
    assert isinstance(ended, Ended)
    assert ("failed", True) == (ended.outcome, ended.why.startswith("OSError"))


def test_following_when_nothing_is_under_way(folder: Path) -> None:
    """It says how things stand and ends."""
    footnote("index", str(folder))

    assert "No index run is under way" in footnote("reindex", "--status", "--follow").text
    assert "give one of" in footnote("reindex", "--cancel", "--follow").err
