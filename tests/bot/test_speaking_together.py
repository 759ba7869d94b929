"""Copies of the bot count together what they say, where there can be more than one of them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from adapters.storage.tally import SqlTally
from core.pacing import Limit, Tally
from tests.bot.work import Company
from tests.doubles.stage import Stage

ONCE = [Limit(1, 60.0)]


@dataclass
class Shared(Stage):
    """A platform that takes only so much from all copies together."""

    tallies: list[Tally | None] = field(default_factory=list)

    def share(self, copies: Callable[[], int], tally: Tally | None = None) -> None:
        """Keep what is given to count with."""
        assert copies() == 1
        self.tallies.append(tally)


async def test_each_platform_is_given_what_counts_for_all(place: str, tmp_path: Path) -> None:
    """Over a database that others may share; a file has one copy, which counts by itself at no cost."""
    is_shared = place.startswith("postgresql")
    stage = Shared()
    settings = {"DATABASE_URL": place} if is_shared else {}
    async with Company(tmp_path / "data", settings, stage).at_work(running=False):
        [tally] = stage.tallies
        assert is_shared is isinstance(tally, SqlTally)
        if tally:
            assert await tally.take("stage C1", ONCE) == 0.0
            assert await tally.take("stage C1", ONCE) > 50
