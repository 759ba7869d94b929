"""A Telegram with people in it, a bot that serves it, and a desk whose answers a test chooses."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from typing import Any

from adapters.telegram.app import TelegramPlatform, TelegramSettings
from adapters.telegram.body import parts_of
from core.conversation import Audience, MessageRef, Question
from core.delivery import FIRST, Body, Outgoing, Shown
from core.render import say
from core.reply import Bullets, Evidence, Note, RenderedReply, Text
from core.text import language_of
from tests.doubles.desk import Answer, Desk
from tests.platforms.telegram import Message, TelegramStandIn

ANNA, BORIS, TEAM, FORUM = 1001, 1002, -100123, -100777
QUOTE = "Every employee has 28 days of paid leave."


def reply_to(text: str) -> RenderedReply:
    """Return a reply that repeats the question and proves it with one passage."""
    entry = Evidence(1, "Leave policy", "Vacation", f"{QUOTE} ({text})", "https://wiki.acme.org/leave")
    return RenderedReply((Bullets(((Text(f"About {text}"), Note(1)),)),), (entry,), language_of(text))


async def usual(question: Question) -> RenderedReply | None:
    return reply_to(question.text)


def hurried() -> float:
    """Give a thousand seconds for each real one, so that nothing is paced."""
    return 1000 * time.monotonic()


def unpaced() -> float:
    """Give a thousand seconds more at each look, so that nothing is paced however fast the machine is."""
    return float(next(_LOOKS))


_LOOKS = count(0, 1000)


@dataclass
class Hands:
    """A clock that a test moves."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


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


def desk_for(answer: Answer = usual, *, fails: int = 0) -> Desk:
    """Return a desk that no platform serves yet."""
    return Desk(TelegramPlatform(TelegramSettings(token="1:nobody")), answer, fails)


@asynccontextmanager
async def joined(
    tg: TelegramStandIn, elapsed: Callable[[], float] = hurried, **changes: Any
) -> AsyncIterator[TelegramPlatform]:
    """Give a bot that can show messages, but receives none."""
    platform = TelegramPlatform(settings(tg, **changes), elapsed)
    async with platform.connected():
        yield platform


@asynccontextmanager
async def serving(tg: TelegramStandIn, desk: Desk, **changes: Any) -> AsyncIterator["asyncio.Task[None]"]:
    """Run the bot until the block ends; nothing of it may be left then."""
    before = asyncio.all_tasks()
    ready = asyncio.Event()

    async def is_ready(_: str) -> None:
        ready.set()

    async with joined(tg, **changes) as desk.platform:
        run = asyncio.create_task(desk.platform.run(desk, is_ready))
        waiting = asyncio.create_task(ready.wait())
        await asyncio.wait([run, waiting], return_when=asyncio.FIRST_COMPLETED)
        try:
            yield run
        finally:
            for task in (run, waiting, *desk._work):
                task.cancel()
            with suppress(asyncio.CancelledError):
                await run
            await asyncio.gather(waiting, *desk._work, return_exceptions=True)
    left = [task for task in asyncio.all_tasks() - before if "adapters/telegram" in repr(task)]

    assert left == []


@asynccontextmanager
async def chatting(
    answer: Answer = usual, *, fails: int = 0, **changes: Any
) -> AsyncIterator[tuple[TelegramStandIn, Desk]]:
    """Give a Telegram that the bot serves, and the desk behind it."""
    desk = desk_for(answer, fails=fails)
    async with telegram() as tg, serving(tg, desk, **changes):
        yield tg, desk


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


def forwarded(number: int, text: str, **content: Any) -> dict[str, Any]:
    """Return an update with words of somebody else that Anna brings to her private chat."""
    origin = {"type": "hidden_user", "date": 1_800_000_000, "sender_user_name": "Eva"}
    return message(message_id=number, text=text, forward_origin=origin, **content)


def texts(messages: Sequence[Message]) -> list[str]:
    return [said.text for said in messages]


def asked_of(desk: Desk) -> list[str]:
    """Return the words of the questions, in the order in which they came."""
    return [question.text for question in desk.questions.values()]


async def asks_last(tg: TelegramStandIn, desk: Desk) -> list[str]:
    """Return what was asked once a last question, to which everything before it came first, is answered."""
    before = len(tg.bot_messages(BORIS))
    await tg.say(BORIS, BORIS, "last")
    await tg.wait_for_messages(BORIS, count=before + 2)
    return asked_of(desk)


def ref(said: Message) -> MessageRef:
    return MessageRef("telegram", str(said.chat_id), str(said.message_id))


def words(text: str) -> Body:
    """Return a message of plain words."""
    [part] = parts_of(say(text, "en"))
    return part.body


def outgoing(asked: Message, body: Body | None, part: str = FIRST, **more: Any) -> Outgoing:
    """Return a message that belongs to the reply to a person's message."""
    return Outgoing(1, str(ref(asked)), part, body, ref(asked), **more)


def question_of(asked: Message) -> Question:
    """Return the question that a person's message asks."""
    return Question(
        id=str(ref(asked)),
        platform="telegram",
        thread="t",
        text=asked.text,
        asker=str(asked.sender.id),
        audience=Audience("telegram"),
        asked_at=datetime.fromtimestamp(asked.date, UTC),
        place=str(asked.chat_id),
        message=str(asked.message_id),
    )


def calls(tg: TelegramStandIn, *methods: str) -> list[str]:
    """Return which of these methods were called, in order."""
    return [call.method for call in tg.calls if call.method in methods]


def place_of(outcome: object) -> MessageRef:
    """Return where a message is seen."""
    assert isinstance(outcome, Shown)
    assert outcome.message is not None
    return outcome.message
