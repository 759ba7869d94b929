"""The service at work over a database in a folder, with a stage for a platform and a bot that knows where keys are."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from dbos._sys_db import SystemDatabase

from bot.service import Service, service_for
from bot.settings import Settings
from bot.wiring import Stores, make_model, opened
from core.conversation import Audience, Question
from tests.doubles.little import LittleBot, ToldModel, asks
from tests.doubles.stage import Stage

PATIENCE = 20.0


@dataclass
class Desk:
    """Everything that a test of the service looks at. `hold` keeps the models from answering until it is set."""

    stage: Stage
    service: Service
    stores: Stores
    calls: Counter[tuple[str, str]]
    hold: asyncio.Event
    task: "asyncio.Task[None] | None" = None

    async def ask(self, key: str, *, thread: str = "t", place: str = "C1", asker: str = "U1", **known: Any) -> Question:
        """Ask where a key is and return the question."""
        question = made(key, thread=thread, place=place, asker=asker, **known)
        await self.service.reception.asked(question)
        return question

    async def until(self, holds: Callable[[], bool]) -> None:
        """Return once it holds; fails with what is on stage."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not holds():
                    await asyncio.sleep(0.01)
        except TimeoutError:
            raise AssertionError(f"in vain: {self.stage.visible()}, tried {self.stage.attempts}") from None

    async def idle(self) -> None:
        """Return once nothing waits, is worked on or is to be shown."""
        async with asyncio.timeout(PATIENCE):
            while await self.stores.inbox.counts() != (0, 0) or await self.service.outbox.unsent():
                await asyncio.sleep(0.02)


def made(key: str, *, thread: str = "t", place: str = "C1", asker: str = "U1", **known: Any) -> Question:
    """Return the question where a key is; its message has the key's name."""
    given: dict[str, Any] = {"text": asks(key, russian=key >= "А"), "asked_at": datetime.now(UTC), "root": thread}
    given |= {"id": f"slack:{place}:{key}", "platform": "slack", "message": key, "audience": Audience("T1")}
    return Question(thread=f"slack:{place}:{thread}", place=place, asker=asker, **given | known)


@dataclass
class Company:
    """Stages and services over one data folder, one after the other or side by side."""

    folder: Path
    settings: dict[str, Any] = field(default_factory=dict)
    stage: Stage = field(default_factory=Stage)
    calls: Counter[tuple[str, str]] = field(default_factory=Counter)
    bot: type[LittleBot] = LittleBot

    @asynccontextmanager
    async def at_work(self, *, held: bool = False, running: bool = True) -> AsyncIterator[Desk]:
        """Give the service at work; at the end it stops as on SIGTERM."""
        # The engine listens for messages between workflows, of which we have none, and sleeps a second before it stops.
        with patch.object(SystemDatabase, "_notification_listener_polling", lambda _: None):
            async with self._at_work(held=held, running=running) as desk:
                yield desk

    @asynccontextmanager
    async def _at_work(self, *, held: bool, running: bool) -> AsyncIterator[Desk]:
        settings = Settings(FOOTNOTE_DATA_DIR=self.folder, **self.settings)  # type: ignore[call-arg]
        hold = asyncio.Event()
        if not held:
            hold.set()

        async def called(role: str, key: str, _: str) -> None:
            self.calls[role, key] += 1
            await hold.wait()

        async with opened(settings) as stores:
            bot = self.bot(stores, make_model(settings), settings)
            bot.use(stores.threads, ToldModel(called))
            async with service_for(bot, stores, settings, [self.stage]) as service:
                desk = Desk(self.stage, service, stores, self.calls, hold)
                desk.task = asyncio.create_task(service.run()) if running else None
                try:
                    yield desk
                finally:
                    if desk.task:
                        desk.task.cancel()
                        await asyncio.wait([desk.task])
                    await service.hand_over()
