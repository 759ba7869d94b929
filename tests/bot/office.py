"""The bot at work in this process, over documents of a test, with a Slack and a Telegram that people can drive."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from dbos._sys_db import SystemDatabase

from adapters.slack.app import SlackPlatform, SlackSettings
from adapters.telegram.app import TelegramPlatform, TelegramSettings
from bot.answering import Bot
from bot.indexing import index_folder
from bot.service import Service, service_for
from bot.settings import Settings
from bot.wiring import Stores, feedback_of, make_model, opened, pins_of
from core.conversation import MessageRef
from core.running import Platform
from tests.platforms.slack import Message as SlackMessage
from tests.platforms.slack import SlackStandIn, visible_text
from tests.platforms.slack.waiting import until
from tests.platforms.telegram import Message as TelegramMessage
from tests.platforms.telegram import TelegramStandIn

PATIENCE = 20.0
ADA, GRACE, GENERAL, PEOPLE = "U1", "U2", "C1", "C2"
ANNA, BORIS = 1001, 1002


def is_judgeable(message: SlackMessage) -> bool:
    """Return whether a message in Slack has thumbs under it."""
    return message.blocks[-1]["type"] == "context_actions"


@dataclass
class Office:
    """The service with both platforms, and what is stored."""

    slack: SlackStandIn
    telegram: TelegramStandIn
    service: Service
    stores: Stores
    bot: Bot

    async def mention(self, text: str, channel: str = GENERAL, user: str = ADA, thread: str | None = None) -> str:
        """Ask in Slack; return the question's ts."""
        return await self.slack.post_as(user, channel, f"<@{self.slack.bot_user_id}> {text}", thread_ts=thread)

    async def ask(self, text: str, channel: str = GENERAL, user: str = ADA) -> tuple[SlackMessage, SlackMessage]:
        """Ask in Slack; return the answer and its evidence."""
        root = await self.mention(text, channel, user)
        return await self.answer(channel, root)

    async def answer(self, channel: str, root: str) -> tuple[SlackMessage, SlackMessage]:
        """Return the answer in the thread and its evidence, once nothing more is to come."""
        await self.until(lambda: len(self.slack.answers(channel, root)) >= 2)
        await self.idle()
        first, second, *_ = self.slack.answers(channel, root)
        return first, second

    async def ask_in_telegram(self, text: str, user: int = ANNA) -> tuple[TelegramMessage, TelegramMessage]:
        """Ask in a private chat; return the answer and its evidence."""
        before = len(self.telegram.bot_messages(user))
        await self.telegram.say(user, user, text)
        messages = await self.telegram.wait_for_messages(user, count=before + 2, timeout=PATIENCE)
        await self.idle()
        return messages[before], messages[before + 1]

    async def says(self, *expected: tuple[str, str | None, str | None]) -> None:
        """Return once these are what people say: who, the verdict and the reason, the earliest first."""
        seen: list[Any] = []

        async def look() -> list[Any]:
            words = await feedback_of(self.stores.database).words()
            return [(one.person, one.judgement.verdict, one.judgement.reason) for one in reversed(words)]

        try:
            async with asyncio.timeout(PATIENCE):
                while (seen := await look()) != list(expected):
                    await asyncio.sleep(0.02)
        except TimeoutError:
            raise AssertionError(f"{seen}, not {expected}") from None

    async def pins(self) -> list[tuple[str, str | None]]:
        """Return the questions of the checked answers, each with why it has fallen."""
        return [(pin.words, pin.because) for pin in await pins_of(self.stores.database).all()]

    async def whispers(self, count: int) -> list[str]:
        """Return what single persons see in Slack, once there are so many of these messages."""
        await self.until(lambda: len(self.slack.ephemerals) >= count)
        return [visible_text(message) for message in self.slack.ephemerals]

    async def until(self, holds: Callable[[], bool]) -> None:
        """Return once it holds."""
        shown = lambda: f"{self.slack.calls[-3:]} {self.slack.ephemerals} {self.telegram.calls[-3:]}"  # noqa: E731
        await until(holds, shown, PATIENCE)

    async def idle(self) -> None:
        """Return once everything that happened has been dealt with and shown."""
        await self.slack.settled()
        async with asyncio.timeout(PATIENCE):
            while await self.stores.inbox.counts() != (0, 0) or await self.service.outbox.unsent():
                await asyncio.sleep(0.02)

    def slack_ref(self, message: SlackMessage) -> MessageRef:
        """Return a message of Slack's as the bot names it."""
        return MessageRef("slack", f"{self.slack.app.team_id}:{message.channel}", message.ts)


@asynccontextmanager
async def town() -> AsyncIterator[tuple[SlackStandIn, TelegramStandIn]]:
    """Serve a Slack with two people, one of them alone in a second channel, and a Telegram with two."""
    slack, telegram = SlackStandIn(), TelegramStandIn()
    slack.add_user(ADA, name="Ada")
    slack.add_user(GRACE, name="Grace")
    slack.add_channel(GENERAL, members=[ADA, GRACE, slack.bot_user_id], name="general")
    slack.add_channel(PEOPLE, members=[ADA, slack.bot_user_id], name="people", kind="group")
    telegram.add_user(ANNA, "Anna", language_code="ru")
    telegram.add_user(BORIS, "Boris", language_code="en")
    async with slack, telegram:
        yield slack, telegram
        assert (slack.violations, telegram.warnings) == ([], [])


@asynccontextmanager
async def at_work(data: Path, towns: tuple[SlackStandIn, TelegramStandIn], **settings: Any) -> AsyncIterator[Office]:
    """Give the office at work over the data folder; doing it again is a restart."""
    slack, telegram = towns
    given = Settings(FOOTNOTE_DATA_DIR=data, **settings)  # type: ignore[call-arg]
    platforms: list[Platform] = [
        SlackPlatform(SlackSettings(slack.app.bot_token, slack.app.app_token, api_base_url=slack.api_base_url)),
        TelegramPlatform(
            TelegramSettings(token=telegram.token, base_url=telegram.base_url, base_file_url=telegram.base_file_url)
        ),
    ]
    # The engine listens for messages between workflows, of which we have none, and sleeps a second before it stops.
    with patch.object(SystemDatabase, "_notification_listener_polling", lambda _: None):
        async with opened(given) as stores, AsyncExitStack() as lines:
            bot = Bot(stores, make_model(given), given)
            async with service_for(bot, stores, given, platforms) as service:
                for platform in platforms:
                    await lines.enter_async_context(platform.connected())
                tasks = [asyncio.create_task(service.run()), *await _running(platforms, service)]
                try:
                    yield Office(slack, telegram, service, stores, bot)
                finally:
                    for task in tasks:
                        task.cancel()
                    await asyncio.wait(tasks)
                    await service.hand_over()


async def _running(platforms: list[Platform], service: Service) -> list["asyncio.Task[None]"]:
    tasks = []
    for platform in platforms:
        ready = asyncio.Event()

        async def is_ready(_: str, ready: asyncio.Event = ready) -> None:
            ready.set()

        tasks.append(asyncio.create_task(platform.run(service.reception, is_ready)))
        async with asyncio.timeout(PATIENCE):
            await ready.wait()
    return tasks


async def write(folder: Path, pages: Mapping[str, str], data: Path) -> None:
    """Write the documents, in place of what the folder held, and index them as the live ones."""
    _put(folder, pages)
    settings = Settings(FOOTNOTE_DATA_DIR=data, planner_model=(), answer_model=())  # type: ignore[call-arg]
    async with opened(settings) as stores:
        report = await index_folder(folder, stores.catalog, stores.index, stores.embedder, lambda *_: None)
    assert () == report.problems


def _put(folder: Path, pages: Mapping[str, str]) -> None:
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, text in pages.items():
        (folder / name).write_text(text, "utf-8")


@asynccontextmanager
async def over(pages: Mapping[str, str], indexed: Path, elsewhere: Path) -> AsyncIterator[Office]:
    """Give the bot at work over pages that are indexed once, in a folder, and copied from there for each test."""
    if not (indexed / "data").exists():
        await write(indexed / "pages", pages, indexed / "data")
    data = Path(shutil.copytree(indexed / "data", elsewhere / "data"))
    async with town() as both, at_work(data, both) as working:
        yield working
