"""A workspace with the bot in it, and a desk that answers what a test wants."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from adapters.slack.app import SlackPlatform, SlackSettings
from core.conversation import MessageRef, Question
from core.delivery import Body, Outgoing, Part
from core.reply import Bullets, Evidence, Note, RenderedReply, Text
from core.text import language_of
from tests.doubles.desk import Desk
from tests.platforms.slack import Message, Patience, SlackStandIn, visible_text
from tests.platforms.slack.waiting import until

QUICK = Patience(ack_timeout=1.5, retries=3, retry_pause=0.02)

DAYS = RenderedReply(
    nodes=(
        Bullets(
            (
                (Text("Everyone has 27 days of leave a year"), Note(1)),
                (Text("Five of them carry over"), Note(1), Note(2)),
            ),
            heading=(Text("Annual leave", "strong"),),
        ),
    ),
    evidence=(
        Evidence(1, "Annual leave", "Leave › Entitlement", "27 days of annual leave", "https://wiki.example/leave"),
        Evidence(2, "Carry-over", "page 3", "Up to five days carry over.", updated="updated 2025-01-07"),
    ),
    language="en",
)
DNI = RenderedReply(
    nodes=(Bullets(((Text("Отпуск — 27 дней в году"), Note(1)),)),),
    evidence=(Evidence(1, "Отпуск", "Сколько дней", "27 дней отпуска", updated="обновлено 2025-01-07"),),
    language="ru",
)


def by_language(question: Question) -> RenderedReply:
    """Return an answer in the language of the question."""
    return DAYS if language_of(question.text) == "en" else DNI


def outgoing(
    ts: str, part: Part, body: Body | None = None, shown: MessageRef | None = None, root: str | None = None
) -> Outgoing:
    """Return a part of the reply to the message in C1, as it is handed over to be shown."""
    asked = MessageRef("slack", "T0TEAM:C1", ts)
    return Outgoing(1, str(asked), part.name, part.body if body is None else body, asked, root or ts, shown)


@dataclass
class Script:
    """What the desk answers: `say` answers; with `gate` cleared, answers wait; `at_once` are being made."""

    say: Callable[[Question], RenderedReply | None] = by_language
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    at_once: int = 0

    def __post_init__(self) -> None:
        self.gate.set()

    async def __call__(self, question: Question) -> RenderedReply | None:
        self.at_once += 1
        try:
            await self.gate.wait()
            return self.say(question)
        finally:
            self.at_once -= 1


@dataclass
class Scene:
    """The workspace, the desk with its script, and the platform that runs between them."""

    slack: SlackStandIn
    platform: SlackPlatform
    desk: Desk
    script: Script
    ready: list[str] = field(default_factory=list)
    bot: asyncio.Task[None] | None = None

    @property
    def at_bot(self) -> str:
        return f"<@{self.slack.bot_user_id}>"

    @property
    def texts(self) -> list[str]:
        """What the questions say by now."""
        return [question.text for question in self.desk.questions.values()]

    async def asks(self, text: str, user: str = "U1", channel: str = "C1", thread_ts: str | None = None) -> str:
        """Mention the bot; return the message's ts."""
        return await self.slack.post_as(user, channel, f"{self.at_bot} {text}", thread_ts=thread_ts)

    async def answered(self, channel: str, root: str, count: int = 2) -> list[Message]:
        """Return the bot's messages in the thread once nothing more is to come."""
        await until(
            lambda: len(self.slack.answers(channel, root)) >= count,
            lambda: f"{self.slack.answers(channel, root)}; calls: {self.slack.calls}",
            8.0,
        )
        await self.quiet()
        return self.slack.answers(channel, root)

    async def quiet(self) -> None:
        """Wait until every event is acknowledged and every question dealt with."""
        await self.slack.settled()
        await asyncio.wait_for(self.desk.idle(), 8.0)
        await self.slack.settled()

    async def at_work(self, count: int) -> None:
        """Wait until so many answers are being made."""
        await until(lambda: self.script.at_once == count, lambda: f"{self.script.at_once} of {count}", 5.0)

    def said(self, channel: str, root: str) -> list[str]:
        return [visible_text(message) for message in self.slack.answers(channel, root)]

    async def stop(self) -> None:
        """Stop the bot as SIGTERM does."""
        if self.bot is not None:
            self.bot.cancel()
            with suppress(asyncio.CancelledError):
                await self.bot


def settings(slack: SlackStandIn, **changes: object) -> SlackSettings:
    """Return settings that lead to the stand-in, over Socket Mode unless changed."""
    given: dict[str, object] = {
        "bot_token": slack.app.bot_token,
        "app_token": slack.app.app_token,
        "api_base_url": slack.api_base_url,
    }
    return SlackSettings(**(given | changes))  # type: ignore[arg-type]


@asynccontextmanager
async def workspace() -> AsyncIterator[SlackStandIn]:
    """Serve a workspace: U1 and U2 in C1 with the bot, U1 alone in C2."""
    slack = SlackStandIn(patience=QUICK)
    slack.add_user("U1", name="Ada")
    slack.add_user("U2", name="Grace")
    slack.add_channel("C1", members=["U1", "U2", slack.bot_user_id], name="general")
    slack.add_channel("C2", members=["U1"])
    async with slack:
        yield slack
    assert slack.violations == [], slack.violations


@asynccontextmanager
async def scene(
    say: Callable[[Question], RenderedReply | None] = by_language, **changes: object
) -> AsyncIterator[Scene]:
    """Run the bot in a workspace."""
    async with workspace() as slack:
        platform, script = SlackPlatform(settings(slack, **changes)), Script(say)
        stage = Scene(slack, platform, Desk(platform, script), script)
        is_up = asyncio.Event()

        async def ready(words: str) -> None:
            stage.ready.append(words)
            is_up.set()

        async with platform.connected():
            stage.bot = asyncio.create_task(platform.run(stage.desk, ready))
            up = asyncio.create_task(is_up.wait())
            await asyncio.wait({stage.bot, up}, return_when=asyncio.FIRST_COMPLETED, timeout=5)
            up.cancel()
            if stage.bot.done():
                await stage.bot
            try:
                yield stage
            finally:
                await stage.stop()
