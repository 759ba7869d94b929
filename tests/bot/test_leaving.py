"""What is stored of a workspace that removed the app goes after its time, and not before."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from bot.leaving import left_forgotten
from core.conversation import PlatformName
from core.errors import StorageError

NOW = datetime(2026, 3, 2, tzinfo=UTC)
KEPT = timedelta(days=180)


class Left:
    """The port `Departures` in memory; `fails` are the looks for which the database is away."""

    def __init__(self, fails: int = 0, **at: datetime) -> None:
        self.at = at
        self.fails = fails

    async def left(self, platform: PlatformName, tenant: str, at: datetime) -> None:
        self.at.setdefault(tenant, at)

    async def stays(self, platform: PlatformName, tenant: str) -> None:
        self.at.pop(tenant, None)

    async def since(self, before: datetime) -> Sequence[str]:
        if self.fails:
            self.fails -= 1
            raise StorageError("the database is away", retry=True)
        return [tenant for tenant, at in self.at.items() if at < before]

    async def forget(self, tenant: str, before: datetime) -> Mapping[str, int] | None:
        return {"turns": 3} if self.at.pop(tenant) else None


async def looks(left: Left, count: int) -> None:
    """Let it look so many times."""
    left_over = iter(range(count))

    async def pause(seconds: float) -> None:
        assert seconds > 60
        if next(left_over, None) is None:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await left_forgotten(left, KEPT, lambda: NOW, pause)


async def test_only_what_was_left_for_long_enough_goes(caplog: pytest.LogCaptureFixture) -> None:
    """The log says of which workspace how much went."""
    caplog.set_level("INFO", "footnote")
    left = Left(T1=NOW - timedelta(days=181), T2=NOW - timedelta(days=179))
    await looks(left, 1)

    assert list(left.at) == ["T2"]
    assert "Workspace T1 removed the app and RETENTION is over; deleted: 3 of turns" in caplog.text


async def test_nothing_goes_at_the_start() -> None:
    """Whoever is there again says so first: the first look comes later."""
    left = Left(T1=NOW - timedelta(days=999))
    await looks(left, 0)

    assert list(left.at) == ["T1"]


async def test_it_goes_on_when_the_database_was_away() -> None:
    """A look that fails is followed by another."""
    left = Left(fails=2, T1=NOW - timedelta(days=181))
    await looks(left, 3)

    assert left.at == {}
