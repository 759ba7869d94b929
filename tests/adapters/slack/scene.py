"""A workspace with the bot in it, and an answerer that says what a test wants."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from adapters.slack.app import SlackPlatform, SlackSettings
from core.conversation import MessageRef, Question
from core.reply import Bullets, Evidence, Note, RenderedReply, Text
from core.text import language_of
from tests.platforms.slack import Message, Patience, SlackStandIn, visible_text
from tests.platforms.slack.waiting import until

QUICK = Patience(ack_timeout=0.3, retries=3, retry_pause=0.02)

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


@dataclass
class FakeAnswerer:
    """The port `Answerer` in memory; `say` answers, or raises; with `gate` cleared, answers wait."""

    say: Callable[[Question], RenderedReply | None] = by_language
    recorded: dict[str, Question] = field(default_factory=dict)
    refs: dict[str, list[MessageRef]] = field(default_factory=dict)
    record_failures: int = 0
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    at_once: int = 0
    most_at_once: int = 0

    def __post_init__(self) -> None:
        self.gate.set()

    @property
    def texts(self) -> list[str]:
        return [question.text for question in self.recorded.values()]

    async def record(self, question: Question) -> bool:
        if self.record_failures:
            self.record_failures -= 1
            raise OSError("the disk is full")
        return self.recorded.setdefault(question.id, question) is question

    async def answer(self, question: Question) -> RenderedReply | None:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await self.gate.wait()
            return self.say(question)
        finally:
            self.at_once -= 1

    async def delivered(self, question: Question, messages: Sequence[MessageRef]) -> None:
        self.refs[question.id] = list(messages)

    async def thread_of(self, message: MessageRef) -> str | None:
        return None

    async def knows(self, thread: str) -> bool:
        return any(question.thread == thread for question in self.recorded.values())


@dataclass
class Scene:
    """The workspace, what the bot is told to say, and the bot that runs in it."""

    slack: SlackStandIn
    answerer: FakeAnswerer
    ready: list[str] = field(default_factory=list)
    bot: asyncio.Task[None] | None = None

    @property
    def at_bot(self) -> str:
        return f"<@{self.slack.bot_user_id}>"

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
        await until(lambda: not working(), lambda: f"at work: {working()}", 12.0)
        await self.slack.settled()

    async def at_work(self, count: int) -> None:
        """Wait until so many answers are being made."""
        await until(lambda: self.answerer.at_once == count, lambda: f"{self.answerer.at_once} of {count}", 5.0)

    def said(self, channel: str, root: str) -> list[str]:
        return [visible_text(message) for message in self.slack.answers(channel, root)]

    async def stop(self) -> None:
        """Stop the bot as SIGTERM does."""
        if self.bot is not None:
            self.bot.cancel()
            with suppress(asyncio.CancelledError):
                await self.bot


def working() -> list[str]:
    """Return the answers under way."""
    return [str(task) for task in asyncio.all_tasks() if "Desk._answer" in str(task.get_coro())]


def settings(slack: SlackStandIn, **changes: object) -> SlackSettings:
    """Return settings that lead to the stand-in, over Socket Mode unless changed."""
    given: dict[str, object] = {
        "bot_token": slack.app.bot_token,
        "app_token": slack.app.app_token,
        "api_base_url": slack.api_base_url,
        "max_parallel": 4,
    }
    return SlackSettings(**(given | changes))  # type: ignore[arg-type]


@asynccontextmanager
async def scene(answerer: FakeAnswerer | None = None, **changes: object) -> AsyncIterator[Scene]:
    """Run the bot in a workspace: U1 and U2 in C1 with it, U1 alone in C2."""
    slack = SlackStandIn(patience=QUICK)
    slack.add_user("U1", name="Ada")
    slack.add_user("U2", name="Grace")
    slack.add_channel("C1", members=["U1", "U2", slack.bot_user_id], name="general")
    slack.add_channel("C2", members=["U1"])
    async with slack:
        stage = Scene(slack, answerer or FakeAnswerer())
        is_up = asyncio.Event()

        async def ready(words: str) -> None:
            stage.ready.append(words)
            is_up.set()

        stage.bot = asyncio.create_task(SlackPlatform(settings(slack, **changes)).run(stage.answerer, ready))
        up = asyncio.create_task(is_up.wait())
        await asyncio.wait({stage.bot, up}, return_when=asyncio.FIRST_COMPLETED, timeout=5)
        up.cancel()
        if stage.bot.done():
            await stage.bot
        try:
            yield stage
        finally:
            await stage.stop()
    assert slack.violations == []
