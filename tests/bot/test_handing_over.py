"""A copy that is asked to stop: it shows that it lives until it has shown what it made, and then says goodbye."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from bot import replica as module
from bot.replica import CAREFUL_AFTER, Replica
from bot.service import Service
from tests.bot.test_replica import Copies, Watch


class Drained:
    """Every part of a service that is stopped; each of its ends takes some time, and says whether we were trusted."""

    def __init__(self, copies: Copies) -> None:
        self.copies, self.watch = copies, Watch(copies)
        self.replica = Replica(copies, copies.take_over, elapsed=self.watch.elapsed)
        self.trusted: list[bool] = []

    async def ends(self, *_: float) -> int:
        """Let half of the time pass after which we would be silent, with a chance to beat."""
        self.watch.now += CAREFUL_AFTER / 2
        seen = self.copies.beats
        async with asyncio.timeout(1.0):
            while self.copies.beats < seen + 2:
                await asyncio.sleep(0)
        self.trusted.append(self.replica.is_trusted())
        return 0

    def service(self) -> Service:
        """Return the service, as far as it hands over."""
        part: Any = SimpleNamespace(close=self.ends, finish=self.ends)
        unused: Any = None
        return Service(
            unused, unused, unused, unused, courier=part, line=part, replica=self.replica, workflows=part, door=part
        )


async def test_who_stops_is_trusted_until_all_that_it_made_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else an answer that is made in the last seconds is not sent by this copy, and others bury it before its time."""
    monkeypatch.setattr(module, "BEAT", 0.0)
    copies = Copies(counts={"other": 7})
    drained = Drained(copies)
    await drained.replica.register(alone=False)
    await drained.service().hand_over()
    beats = copies.beats
    await asyncio.sleep(0.01)

    assert drained.trusted == [True] * 4
    assert copies.left
    assert copies.beats == beats


async def test_who_stops_takes_nothing_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """What another copy left is for those that stay."""
    monkeypatch.setattr(module, "BEAT", 0.0)
    copies = Copies(counts={"gone": -1})
    drained = Drained(copies)
    await drained.replica.register(alone=False)
    await drained.service().hand_over()

    assert copies.events == []


async def test_who_is_alone_has_nobody_to_show_it_to() -> None:
    """Over SQLite a stop beats for nobody."""
    copies = Copies()
    one = Replica(copies, copies.take_over)
    await one.register(alone=True)
    before = copies.beats
    await one.hold_on()

    assert copies.beats == before
