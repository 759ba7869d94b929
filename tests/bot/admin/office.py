"""A bot at work between a Slack and a Telegram, with admins on both, over a folder that a test writes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from dbos._sys_db import SystemDatabase

from adapters.slack.app import SlackPlatform
from adapters.telegram.app import TelegramPlatform
from bot.answering import Bot
from bot.index_run import indexed, indexer_of
from bot.indexing import collection_of
from bot.service import Service, service_for
from bot.settings import Settings
from bot.wiring import Stores, make_model, opened
from core.running import Platform
from tests.adapters.slack.scene import settings as slack_settings
from tests.adapters.telegram.scene import ANNA, BORIS, hurried, telegram
from tests.adapters.telegram.scene import settings as telegram_settings
from tests.bot.copies import Watched
from tests.platforms.slack import Patience, SlackStandIn, visible_text
from tests.platforms.slack.waiting import until
from tests.platforms.telegram import TelegramStandIn

ADMINS = ("slack:T0TEAM:U1", f"telegram:{ANNA}")
PATIENCE = 20.0

__all__ = ["ADMINS", "ANNA", "BORIS", "Copy", "Office", "office"]


@dataclass
class Copy:
    """One copy of the bot, with an encoder that a test can hold."""

    service: Service
    stores: Stores
    embedder: Watched
    platforms: dict[str, Platform]
    tasks: list["asyncio.Task[None]"] = field(default_factory=list)

    async def stop(self) -> None:
        """Stop as on SIGTERM."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.tasks.clear()


@dataclass
class Office:
    """The two platforms, the folder of documents, and what a copy of the bot is set to."""

    folder: Path
    slack: SlackStandIn
    telegram: TelegramStandIn
    known: dict[str, Any]

    @asynccontextmanager
    async def copy(
        self, *, held: bool = False, named: str = "data", elapsed: Callable[[], float] = hurried
    ) -> AsyncIterator[Copy]:
        """Give a copy at work on both platforms; `held`: its encoder waits until a test lets it go.

        `elapsed` paces Telegram and tells how long it has been silent; in a hurry nothing is paced, but it is soon
        silent.
        """
        settings = Settings(  # type: ignore[call-arg]
            FOOTNOTE_DATA_DIR=self.folder.parent / named, admins=ADMINS, **self.known
        )
        embedder = Watched()
        async with AsyncExitStack() as stack:
            stores = replace(await stack.enter_async_context(opened(settings)), embedder=embedder)
            platforms: list[Platform] = [
                SlackPlatform(slack_settings(self.slack)),
                TelegramPlatform(telegram_settings(self.telegram, admins=settings.telegram_admins), elapsed),
            ]
            bot = Bot(stores, make_model(settings), settings)
            service = await stack.enter_async_context(service_for(bot, stores, settings, platforms))
            made = Copy(service, stores, embedder, {each.name: each for each in platforms})
            if held:
                embedder.hold.clear()
            for platform in platforms:
                await stack.enter_async_context(platform.connected())
            try:
                await self._open(made)
                yield made
            finally:
                embedder.hold.set()
                await made.stop()
                await service.hand_over()

    async def _open(self, made: Copy) -> None:
        ready = [asyncio.Event() for _ in made.platforms]
        made.tasks.append(asyncio.create_task(made.service.run()))
        for platform, is_ready in zip(made.platforms.values(), ready, strict=True):

            async def told(_: str, is_ready: asyncio.Event = is_ready) -> None:
                is_ready.set()

            if platform.alone and not await made.service.replicas.lease(platform.name):
                continue
            made.tasks.append(asyncio.create_task(platform.run(made.service.reception, told)))
            await asyncio.wait_for(is_ready.wait(), PATIENCE)

    async def index(self, made: Copy) -> None:
        """Index the folder as `footnote index FOLDER` does."""
        settings = Settings(  # type: ignore[call-arg]
            FOOTNOTE_DATA_DIR=self.folder.parent / "data", **self.known
        )
        indexer = indexer_of(made.stores, settings, lambda *_: None)
        await indexed(collection_of(self.folder), indexer, made.stores, settings)

    def write(self, name: str, text: str) -> None:
        """Save a page."""
        self.folder.mkdir(exist_ok=True)
        (self.folder / name).write_text(f"# {Path(name).stem}\n\n{text}\n", "utf-8")

    def in_slack(self, user: str = "U1") -> list[str]:
        """Return what the bot's messages in the direct channel with somebody say now."""
        channel = self.slack.open_dm(user)
        ours = [m for m in self.slack.workspace.messages.values() if m.channel == channel and m.bot_id]
        return [visible_text(message) for message in ours]

    def whispers(self, user: str = "U1") -> list[str]:
        """Return what somebody alone was shown in channels of Slack."""
        return [visible_text(one) for one in self.slack.ephemerals if one.only_for == user]

    def in_telegram(self, chat: int = ANNA) -> list[str]:
        """Return what the bot's messages in a chat say now."""
        return [message.text for message in self.telegram.bot_messages(chat)]

    async def sees(self, holds: Callable[[], object]) -> None:
        """Return once it is so."""
        await until(
            lambda: bool(holds()),
            lambda: (
                f"Slack: {self.in_slack()} {self.whispers()} {self.whispers('U2')}; "
                f"Telegram: {self.in_telegram()} {self.in_telegram(BORIS)}"
            ),
            PATIENCE,
        )


@asynccontextmanager
async def office(folder: Path, **known: Any) -> AsyncIterator[Office]:
    """Serve both platforms; neither may have anything to complain about at the end."""
    # The engine listens for messages between workflows, of which we have none, and sleeps a second before it stops.
    deaf = patch.object(SystemDatabase, "_notification_listener_polling", lambda _: None)
    # Three seconds is what Slack itself gives a command.
    slack = SlackStandIn(patience=Patience(ack_timeout=3.0, retries=3, retry_pause=0.05))
    for user, name in (("U1", "Ada"), ("U2", "Grace")):
        slack.add_user(user, name=name)
    slack.add_channel("C1", members=["U1", "U2", slack.bot_user_id], name="general")
    slack.add_channel("C2", members=["U1", slack.bot_user_id], name="boards")
    async with slack, telegram() as tg:
        made = Office(folder, slack, tg, known)
        made.write("tea.md", "Tea is served at four o'clock in the garden.")
        made.write("чай.md", "Кофе подают в восемь утра в зале.")
        with deaf:
            yield made
        assert ([], []) == (tg.warnings, slack.violations)
