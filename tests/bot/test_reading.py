"""Mentions in threads among people, from the intake to what is to be seen, over a real database and engine of work."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from core.conversation import Question
from core.phrases import phrase
from core.remarks import Around, Remark
from core.running import Distant
from core.visiting import ReadsThreads
from tests.bot.work import Company, Desk
from tests.doubles.little import tells
from tests.doubles.stage import Stage

AT = datetime(2026, 5, 4, 9, tzinfo=UTC)


@dataclass
class Reading(Stage):
    """A stage on which threads can be read; `asked_for` are the questions for which that was done."""

    said: tuple[str, ...] = ()
    asked_for: list[str] = field(default_factory=list)

    async def said_before(self, question: Question) -> tuple[Remark, ...]:
        self.asked_for.append(question.id)
        return tuple(Remark(text, AT) for text in self.said)


def company(tmp_path: Path, *said: str) -> tuple[Company, Reading]:
    """Return an empty data folder with a stage on which these were said."""
    stage = Reading(shows_sign=False, said=said)
    assert isinstance(stage, ReadsThreads)
    return Company(tmp_path / "data", stage=stage), stage


async def ask(desk: Desk, key: str, text: str, **known: Any) -> Question:
    """Mention the bot in a thread."""
    question = await desk.ask(key, text=text, **({"around": Around()} | known))
    await desk.idle()
    return question


@pytest.mark.parametrize(
    ("said", "answer"),
    [("Where is the key K7?", tells("K7")), ("Где лежит ключ К7?", tells("К7", russian=True))],
)
async def test_a_mention_alone_is_answered_with_what_the_thread_asks(tmp_path: Path, said: str, answer: str) -> None:
    """In the language of the thread; what it asks is stored as the question."""
    firm, _ = company(tmp_path, said, "no idea")
    async with firm.at_work() as desk:
        question = await ask(desk, "m9", "")
        thread = await desk.stores.threads.open(question)

        assert any(answer in shown for shown in desk.stage.visible(question.id))
        assert "AlreadyAnswered" == type(thread).__name__


@pytest.mark.parametrize(
    ("said", "called", "answer"),
    [
        (("Where is the key K7?", "no idea", "anyone?"), "do you know?", tells("K7")),
        (("Где лежит ключ К7?", "кто-нибудь знает?"), "а ты знаешь?", tells("К7", russian=True)),
    ],
)
async def test_a_call_into_a_thread_is_answered_with_what_the_thread_asks(
    tmp_path: Path, said: tuple[str, ...], called: str, answer: str
) -> None:
    """As a mention alone is; where the thread asks nothing, that is said."""
    firm, stage = company(tmp_path, *said)
    async with firm.at_work() as desk:
        question = await ask(desk, "m9", called)
        assert any(answer in shown for shown in desk.stage.visible(question.id))
        stage.said = ()
        nothing = await ask(desk, "m10", called, thread="u")

    assert [phrase("thread_asks_nothing", "ru" if "а" in called else "en")] == stage.visible(nothing.id)


async def test_a_thread_is_read_once_for_a_question(tmp_path: Path) -> None:
    """A process that dies after reading leaves what it read to the next one, which does not read again."""
    firm, stage = company(tmp_path, "Where is the key K7?")
    async with firm.at_work(held=True) as desk:
        await desk.ask("m9", text="", around=Around())
        await desk.until(lambda: bool(firm.calls))
    stage.said = ("Where is the key K8?",)
    async with firm.at_work() as desk:
        await desk.idle()

        assert ["slack:C1:m9"] == stage.asked_for
        assert any(tells("K7") in shown for shown in stage.visible())


@dataclass
class Away(Reading):
    """A stage that is not connected before somebody says so."""

    joined: asyncio.Event = field(default_factory=asyncio.Event)

    async def at_hand(self) -> None:
        await self.joined.wait()


@pytest.mark.parametrize("key", ["K7", "К7"])
async def test_what_goes_on_after_a_start_waits_for_its_platform(tmp_path: Path, key: str) -> None:
    """Nothing is read, and nobody's rights are asked for, before the platform can tell; then it is answered."""
    stage = Away(shows_sign=False, said=(f"Где лежит ключ {key}?",))
    assert isinstance(stage, Distant)
    async with Company(tmp_path / "data", stage=stage).at_work() as desk:
        question = await desk.ask("m9", text="", around=Around())
        await asyncio.sleep(0.3)
        before = list(stage.asked_for)
        stage.joined.set()
        await desk.idle()

        assert ([], ["slack:C1:m9"]) == (before, stage.asked_for)
        assert any(tells(key, russian=True) in shown for shown in stage.visible(question.id))


async def test_a_thread_of_ours_is_not_read(tmp_path: Path) -> None:
    """What was asked of us there is known; nobody is kept waiting, and Slack's few calls are spared."""
    firm, stage = company(tmp_path, "Where is the key K7?")
    async with firm.at_work() as desk:
        await ask(desk, "m1", "Where is the key K1?", around=None)
        await ask(desk, "m2", "Where is the key K2?")

        assert [] == stage.asked_for


@pytest.mark.parametrize(
    ("known", "name"),
    [
        ({"around": Around(spoken="ru")}, "thread_asks_nothing"),
        ({"around": Around((), "ru"), "root": "m9"}, "mention_alone"),
    ],
)
async def test_a_mention_that_asks_nothing_is_told_how(tmp_path: Path, known: dict[str, Any], name: str) -> None:
    """In the asker's own language, for there are no words; in a thread without a question, and outside of one."""
    firm, _ = company(tmp_path)
    async with firm.at_work() as desk:
        question = await ask(desk, "m9", "", **known)

        assert [phrase(name, "ru")] == desk.stage.visible(question.id)
