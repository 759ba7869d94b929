"""The bot between two generations: one goes on answering until the other is at hand, and no question is lost."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from bot import answering
from bot.answering import Bot
from bot.settings import Settings
from bot.wiring import Stores, make_model
from core.conversation import Question
from core.delivery import Part
from core.errors import SearchError
from core.ingest.document import Document
from core.render import text_of
from core.reply import RenderedReply
from core.turn import TurnRecord
from tests.core.corpus import EVERYBODY, NOON, page
from tests.doubles.shelves import Forgetful, Shelves

BERLIN = (page("vpn.md", "The gateway is in Berlin.", "VPN"), page("отпуск.md", "Положено 27 дней отпуска.", "Отпуск"))
ROME = (page("vpn.md", "The gateway is in Rome.", "VPN"), page("отпуск.md", "Положено 31 день отпуска.", "Отпуск"))
WHERE, HOW_MANY = "Where is the gateway?", "Сколько дней отпуска положено?"


@dataclass
class Said(Forgetful):
    """Threads that keep what is said."""

    texts: list[str] = field(default_factory=list)

    async def close(self, question: Question, parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        self.texts += [str(part.body["text"]) for part in parts if part.body]


def parts(reply: RenderedReply) -> tuple[Part, ...]:
    return (Part("answer", {"text": text_of(reply)}),)


def bot_over(shelves: Shelves) -> Bot:
    settings = Settings(planner_model=(), answer_model=())
    return Bot(cast("Stores", shelves), make_model(settings), settings)


async def say(bot: Bot, text: str) -> str:
    """Return what the bot answers."""
    said = Said()
    await bot.answer(Question("c:1", "console", "c:1", text, "U1", EVERYBODY, NOON), parts, said)
    (reply,) = said.texts
    return reply


@asynccontextmanager
async def loading(shelves: Shelves, bot: Bot) -> AsyncIterator["asyncio.Task[Any]"]:
    """Give the loading of the live generation, held up in the middle of it until the end of the block."""
    begun, go_on, read = asyncio.Event(), asyncio.Event(), shelves.documents

    async def held_up(number: int, ids: Sequence[str] | None = None) -> tuple[Document, ...]:
        begun.set()
        await go_on.wait()
        return await read(number, ids)

    shelves.documents = held_up  # type: ignore[method-assign]
    task = asyncio.create_task(bot.take_up())
    await begun.wait()
    yield task
    go_on.set()
    await task


async def test_the_old_generation_answers_until_the_new_one_is_at_hand() -> None:
    """Nobody waits for a new index; once it is loaded, everybody is answered from it."""
    shelves = Shelves()
    bot = bot_over(shelves)
    await shelves.publish(BERLIN)
    first = [await say(bot, WHERE), await say(bot, HOW_MANY)]
    await shelves.publish(ROME)
    async with loading(shelves, bot):
        meanwhile = [await say(bot, WHERE), await say(bot, HOW_MANY)]
        number = await bot.generation()

    assert ("Berlin" in first[0], "27" in first[1], 1) == (True, True, number)
    assert first == meanwhile
    assert ("Rome" in await say(bot, WHERE), "31" in await say(bot, HOW_MANY)) == (True, True)


async def test_the_first_question_waits_for_the_first_load() -> None:
    """There is nothing else to answer from yet; without an index that is said at once."""
    shelves = Shelves()
    bot = bot_over(shelves)
    nothing = await say(bot, WHERE)
    await shelves.publish(BERLIN)
    async with loading(shelves, bot):
        asked = asyncio.create_task(say(bot, WHERE))
        await asyncio.sleep(0)
        assert not asked.done()

    assert ("footnote index" in nothing, "Berlin" in await asked) == (True, True)


@pytest.mark.parametrize(("text", "told"), [(WHERE, "Rome"), (HOW_MANY, "31")])
async def test_a_question_whose_generation_is_dropped_is_answered_anew(text: str, told: str) -> None:
    """Two index runs later the tables are gone that a question was asked over: the live ones answer it."""
    shelves = Shelves()
    bot = bot_over(shelves)
    old = await shelves.publish(BERLIN)
    await bot.take_up()
    await shelves.publish(ROME)
    shelves.drop(old.number)

    assert told in await say(bot, text)
    assert 2 == await bot.generation()


async def test_an_index_that_is_lost_while_it_is_live_is_said_once() -> None:
    """Beginning anew would not help: the asker is told, under a reference, and nobody waits."""
    shelves = Shelves()
    bot = bot_over(shelves)
    await shelves.publish(BERLIN)
    await bot.take_up()

    async def lost(*_: object) -> list[dict[str, Any]]:
        raise SearchError("the index could not be read (FileNotFoundError)")

    shelves.nearest = lost  # type: ignore[method-assign, assignment]

    assert "Berlin" not in await say(bot, WHERE)


async def test_an_idle_bot_takes_up_what_is_published(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has to ask first; what cannot be taken up leaves the one before answering, and is tried again."""
    monkeypatch.setattr(answering, "LOOK_EVERY", 0.01)
    shelves = Shelves()
    bot = bot_over(shelves)
    await shelves.publish(BERLIN)
    following = asyncio.create_task(bot.follow())
    await until(bot, 1)
    read = shelves.documents

    async def broken(number: int, ids: Sequence[str] | None = None) -> tuple[Document, ...]:
        raise KeyError(number)

    shelves.documents = broken  # type: ignore[method-assign]
    await shelves.publish(ROME)
    still = await say(bot, WHERE)
    shelves.documents = read  # type: ignore[method-assign]
    await until(bot, 2)
    shelves.number = 1
    await until(bot, 1)
    following.cancel()

    assert ("Berlin" in still, "Berlin" in await say(bot, WHERE)) == (True, True)


async def until(bot: Bot, number: int) -> None:
    """Return once the generation answers."""
    async with asyncio.timeout(20):
        while await bot.generation() != number or bot._live is None:
            await asyncio.sleep(0.01)
