"""Who receives a platform's messages: one copy at a time, also while the database that says which one is away."""

import asyncio
import logging
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot import runtime as module
from bot.service import Service
from bot.settings import Settings
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


@dataclass
class Silent(Stage):
    """A platform that takes connections and never answers; `closes`: nor does it let go of them."""

    closes: bool = True

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        if self.closes:
            await asyncio.Event().wait()
        try:
            yield
        finally:
            await asyncio.Event().wait()


class Idle:
    """A service with nothing to do."""

    reception = None

    async def run(self) -> None:
        await asyncio.Event().wait()

    async def hand_over(self) -> None:
        """Nothing is left."""


@pytest.mark.parametrize("closes", [True, False])
async def test_a_stop_waits_for_no_platform(monkeypatch: pytest.MonkeyPatch, *, closes: bool) -> None:
    """Neither for one that is being connected to, nor for one that does not let go."""
    monkeypatch.setattr(module, "_CLOSING", 0.1)
    phases = module._Phases()
    working = asyncio.create_task(module._work([Silent(closes=closes)], cast("Service", Idle()), phases))
    await asyncio.sleep(0.1)
    phases.stop.set()

    await asyncio.wait_for(working, 2)


async def test_a_platform_that_fails_by_a_time_out_is_not_taken_for_a_stop() -> None:
    """It fails as it says."""

    async def entered() -> None:
        async with module._until(asyncio.Event()):
            raise TimeoutError

    with pytest.raises(TimeoutError):
        await entered()


def test_sigterm_ends_a_start() -> None:
    """Also that of a container's first process, to which the signal means nothing until it is heeded."""
    script = (
        "import signal, time\nfrom bot.runtime import _heeding_sigterm\nwith _heeding_sigterm():\n"
        "    print(signal.getsignal(signal.SIGTERM) is signal.SIG_DFL, flush=True)\n    time.sleep(20)"
    )
    command = [sys.executable, "-c", script]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own words
    assert process.stdout
    heeded = process.stdout.readline()
    process.send_signal(signal.SIGTERM)

    assert ("False\n", 128 + signal.SIGTERM) == (heeded, process.wait(5))
    process.stdout.close()


async def test_a_copy_shows_itself_only_once_it_is_loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Others take a copy for dead that has shown itself and is silent while it loads."""
    told: list[str] = []

    class Loading:
        async def warm(self) -> None:
            await asyncio.sleep(0)
            told.append("loaded")

    @asynccontextmanager
    async def ready(settings: Settings) -> AsyncIterator[tuple[Any, None]]:
        yield Loading(), None

    @asynccontextmanager
    async def shown(*_: object) -> AsyncIterator[None]:
        told.append("shown")
        yield

    monkeypatch.setattr(module, "ready_bot", ready)
    monkeypatch.setattr(module, "service_for", shown)
    settings = Settings(FOOTNOTE_DATA_DIR=tmp_path, _env_file=None)  # type: ignore[call-arg]
    async with module._met(settings, []):
        assert ["loaded", "shown"] == told
