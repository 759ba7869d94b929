"""Who receives a platform's messages: one copy at a time, also while the database that says which one is away."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import cast

import pytest

from bot import runtime as module
from bot.service import Service
from core.delivery import Health
from core.errors import StorageError
from core.running import Intake
from tests.doubles.stage import Stage

PATIENCE = 10.0
ELSEWHERE, WAITING = "another copy receives its messages", "waits for the database"


@dataclass
class Polled(Stage):
    """A platform whose messages one copy receives: `polls` while this one does."""

    alone: bool = True
    polls: bool = False

    async def run(self, intake: Intake, ready: Callable[[str], Awaitable[None]]) -> None:
        self.polls = True
        try:
            await asyncio.Event().wait()
        finally:
            self.polls = False


@dataclass
class Copy:
    """What `_received` needs of a service: a lease with whoever has it, None while nobody can be asked."""

    platform: Polled
    leased: bool | None = None
    trusted: bool = False
    asked: int = 0
    standing_by: dict[str, Health] = field(default_factory=dict)

    async def lease(self, _: str) -> bool:
        self.asked += 1
        if self.leased is None:
            raise StorageError("the database is away", retry=True)
        return self.leased

    async def release(self, _: str) -> None:
        """Nobody waits for it here."""

    def is_trusted(self) -> bool:
        """Return whether the others take us for alive."""
        return self.trusted

    async def becomes(self, *, polls: bool, said: str | None) -> None:
        """Return once it does so and /health says so, and still after two more looks."""
        async with asyncio.timeout(PATIENCE):
            while (self.platform.polls, self.said()) != (polls, said):
                await asyncio.sleep(0.005)
            seen = self.asked
            while self.asked < seen + 2:
                await asyncio.sleep(0.005)
        assert (polls, said) == (self.platform.polls, self.said())

    def said(self) -> str | None:
        """Return what /health says in place of the platform."""
        state = self.standing_by.get(self.platform.name)
        return state.words if state else None


@asynccontextmanager
async def receiving(copy: Copy) -> AsyncIterator[None]:
    """Receive while inside."""
    parts = SimpleNamespace(replicas=copy, replica=copy, reception=None, standing_by=copy.standing_by)
    task = asyncio.create_task(module._received(copy.platform, cast("Service", parts)))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


@pytest.fixture
def copy(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Copy:
    """Return a copy that asks for its lease every hundredth of a second."""
    monkeypatch.setattr(module, "LEASE_EVERY", 0.01)
    caplog.set_level(logging.INFO, "footnote")
    return Copy(Polled(name="telegram"))


async def test_a_copy_without_its_database_says_that_it_waits_for_it(
    copy: Copy, caplog: pytest.LogCaptureFixture
) -> None:
    """It receives nothing once others may take it for dead, never tells of another copy, and goes on afterwards."""
    async with receiving(copy):
        copy.leased = True
        await copy.becomes(polls=True, said=None)
        copy.leased = None
        await copy.becomes(polls=False, said=WAITING)
        copy.leased = True
        await copy.becomes(polls=True, said=None)

    assert ELSEWHERE not in caplog.text
    assert caplog.text.count("its messages wait for the database") == 1


async def test_a_copy_that_is_trusted_goes_on_without_its_database(copy: Copy) -> None:
    """Nobody takes over from it before others take it for dead."""
    copy.leased, copy.trusted = True, True
    async with receiving(copy):
        await copy.becomes(polls=True, said=None)
        copy.leased = None
        await copy.becomes(polls=True, said=None)


async def test_a_copy_that_stood_by_does_not_begin_without_the_database(
    copy: Copy, caplog: pytest.LogCaptureFixture
) -> None:
    """That it is taken for alive says nothing of whose the messages are; each state is told once."""
    copy.leased, copy.trusted = False, True
    async with receiving(copy):
        await copy.becomes(polls=False, said=ELSEWHERE)
        copy.leased = None
        await copy.becomes(polls=False, said=WAITING)
        copy.leased = False
        await copy.becomes(polls=False, said=ELSEWHERE)

    assert (2, 1) == (caplog.text.count(ELSEWHERE), caplog.text.count("its messages wait for the database"))
