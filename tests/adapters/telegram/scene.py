"""A Telegram with people in it, a bot that serves it, and an answerer whose answers a test chooses."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

from adapters.telegram.app import TelegramPlatform, TelegramSettings
from core.conversation import MessageRef, Question
from core.reply import Bullets, Evidence, Note, RenderedReply, Text
from tests.platforms.telegram import Message, TelegramStandIn

ANNA, BORIS, TEAM, FORUM = 1001, 1002, -100123, -100777
QUOTE = "Every employee has 28 days of paid leave."

Answering = Callable[[Question], Awaitable[RenderedReply | None]]


def reply_to(text: str) -> RenderedReply:
    """Return a reply that repeats the question and proves it with one passage."""
    entry = Evidence(1, "Leave policy", "Vacation", QUOTE, "https://wiki.acme.org/leave")
    return RenderedReply((Bullets(((Text(f"About {text}"), Note(1)),)),), (entry,), "en")


async def usual(question: Question) -> RenderedReply | None:
    return reply_to(question.text)


@dataclass
class Clerk:
    """An answerer that keeps everything in memory, as the real one keeps it in a database."""

    answering: Answering = usual
    recorded: dict[str, Question] = field(default_factory=dict)
    answered: list[Question] = field(default_factory=list)
    threads: dict[MessageRef, str] = field(default_factory=dict)
    failing: list[Exception] = field(default_factory=list)

    async def record(self, question: Question) -> bool:
        if self.failing:
            raise self.failing.pop(0)
        return self.recorded.setdefault(question.id, question) is question

    async def answer(self, question: Question) -> RenderedReply | None:
        if question.id in [done.id for done in self.answered]:
            return None
        reply = await self.answering(question)
        self.answered.append(question)
        return reply

    async def delivered(self, question: Question, messages: Sequence[MessageRef]) -> None:
        self.threads |= dict.fromkeys(messages, question.thread)

    async def thread_of(self, message: MessageRef) -> str | None:
        return self.threads.get(message)

    async def knows(self, thread: str) -> bool:
        return thread in self.threads.values()

    @property
    def asked(self) -> list[str]:
        """The texts that were answered, in the order in which they were done."""
        return [question.text for question in self.answered]


def telegram() -> TelegramStandIn:
    """Return a Telegram with two people, their group and their forum."""
    tg = TelegramStandIn()
    tg.add_user(ANNA, "Anna", language_code="ru")
    tg.add_user(BORIS, "Boris", language_code="en")
    tg.add_group(TEAM, "Team", members=[ANNA, BORIS])
    tg.add_group(FORUM, "Forum", members=[ANNA, BORIS], forum=True)
    return tg


def settings(tg: TelegramStandIn, **changes: Any) -> TelegramSettings:
    usual = TelegramSettings(token=tg.token, base_url=tg.base_url, base_file_url=tg.base_file_url)
    return replace(usual, **changes)


@asynccontextmanager
async def serving(tg: TelegramStandIn, clerk: Clerk, **changes: Any) -> AsyncIterator[asyncio.Task[None]]:
    """Run the bot until the block ends; nothing of it may be left then."""
    before = asyncio.all_tasks()
    ready = asyncio.Event()

    async def is_ready(_: str) -> None:
        ready.set()

    run = asyncio.create_task(TelegramPlatform(settings(tg, **changes)).run(clerk, is_ready))
    waiting = asyncio.create_task(ready.wait())
    await asyncio.wait([run, waiting], return_when=asyncio.FIRST_COMPLETED)
    try:
        yield run
    finally:
        run.cancel()
        with suppress(asyncio.CancelledError):
            await run
        ready.set()
        await waiting
    left = [task for task in asyncio.all_tasks() - before if "adapters/telegram" in repr(task)]

    assert left == []


@asynccontextmanager
async def chatting(clerk: Clerk | None = None, **changes: Any) -> AsyncIterator[tuple[TelegramStandIn, Clerk]]:
    """Give a Telegram that the bot serves, and the answerer behind it."""
    clerk = clerk or Clerk()
    async with telegram() as tg, serving(tg, clerk, **changes):
        yield tg, clerk


def message(update_id: int | None = None, /, **content: Any) -> dict[str, Any]:
    """Return an update with a message of Anna's in her private chat, as Telegram writes it."""
    usual = {
        "message_id": 500,
        "date": 1_800_000_000,
        "chat": {"id": ANNA, "type": "private", "first_name": "Anna"},
        "from": {"id": ANNA, "is_bot": False, "first_name": "Anna", "language_code": "ru"},
    }
    number = {} if update_id is None else {"update_id": update_id}
    return {**number, "message": usual | content}


def texts(messages: Sequence[Message]) -> list[str]:
    return [said.text for said in messages]
