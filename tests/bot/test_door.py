"""The door: who asks is found out once for each question, patiently, and holds up nobody else's."""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace

import pytest

from adapters.storage.inbox import SqlInbox
from bot import door as module
from bot.door import Door
from core.conversation import MessageRef, Question
from core.delivery import Part
from core.errors import DeliveryError
from core.work import Place, Welcome
from tests.bot.test_line import Office, office
from tests.bot.work import made
from tests.doubles.stage import Stage

__all__ = ["office"]
SIGN = Part("answer-1", {"text": "…"})


@dataclass
class Gate(Stage):
    """A platform that says who asks once it is `open`; strangers are never answered."""

    open: bool = False
    looks: list[str] = field(default_factory=list)

    async def let_in(self, question: Question) -> Question | None:
        self.looks.append(question.message)
        await asyncio.sleep(0)
        if not self.open:
            raise DeliveryError("Slack says nothing", retry=True)
        return None if question.asker == "stranger" else replace(question, at_door=False)


@dataclass
class Lodge:
    """A door over a database; `seen` are the places where something may be seen."""

    office: Office
    gate: Gate = field(default_factory=Gate)
    seen: list[Place] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.door = Door(self.office.inbox, {"slack": self.gate}, self.seen.append)

    @property
    def inbox(self) -> SqlInbox:
        return self.office.inbox

    async def ask(self, key: str, thread: str | None = None, asker: str = "U1") -> Question:
        """Let a question stand at the door."""
        question = made(key, thread=thread or key, asker=asker, at_door=True)
        await self.inbox.record(question, lambda _: Welcome(SIGN))
        return question


@pytest.fixture
async def lodge(office: Office, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Lodge]:
    """Give a door that looks a hundred times a second."""
    monkeypatch.setattr(module, "_FIRST_PAUSE", 0.01)
    monkeypatch.setattr(module, "_LONGEST_PAUSE", 0.01)
    lodge = Lodge(office)
    yield lodge
    await lodge.door.close()


async def test_it_waits_for_as_long_as_it_takes(lodge: Lodge, caplog: pytest.LogCaptureFixture) -> None:
    """However many wait for the same question it is looked up once at a time; the log tells of it once."""
    caplog.set_level(logging.WARNING, "footnote")
    question = await lodge.ask("Ключ")
    lodge.door.see_to(question)
    waiting = [asyncio.create_task(lodge.door.opened(question)) for _ in range(3)]
    await asyncio.sleep(0.1)
    before, looks = [task.done() for task in waiting], len(lodge.gate.looks)
    lodge.gate.open = True
    answers = await asyncio.gather(*waiting)

    assert [False] * 3 == before
    assert looks > 2
    assert [replace(question, at_door=False)] * 3 == answers
    assert [("slack", "C1")] == lodge.seen
    assert 1 == caplog.text.count("Questions wait until it is known who asks: Slack says nothing")


async def test_a_stranger_leaves_nothing(lodge: Lodge) -> None:
    """Nothing is kept, and there is nothing to see."""
    lodge.gate.open = True
    question = await lodge.ask("K1", asker="stranger")

    assert await lodge.door.opened(question) is None
    assert (0, 0) == await lodge.inbox.counts()
    assert [] == lodge.seen


async def test_one_that_is_taken_back_is_not_looked_up_any_more(lodge: Lodge) -> None:
    """Nor one that reads otherwise by now."""
    question = await lodge.ask("K1")
    waiting = asyncio.create_task(lodge.door.opened(question))
    await asyncio.sleep(0.05)
    await lodge.inbox.withdraw(MessageRef("slack", question.place, question.message))

    assert await asyncio.wait_for(waiting, 5) is None


async def test_after_a_day_it_is_given_up(
    lodge: Lodge, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody needs the answer any more, and nobody knows whether the asker may have one."""
    monkeypatch.setattr(module, "_GIVE_UP", 0.05)
    question = await lodge.ask("K1")

    assert await asyncio.wait_for(lodge.door.opened(question), 5) is None
    assert (0, 0) == await lodge.inbox.counts()
    assert f"{question.id} is given up" in caplog.text


async def test_those_at_the_door_hold_up_nobody_but_their_thread(lodge: Lodge) -> None:
    """They take none of the places of those that are answered, and what comes after them in a thread waits."""
    office = lodge.office
    office.hold.set()
    for key in ("D1", "D2", "D3"):
        await lodge.ask(key)
    await office.inbox.record(made("after", thread="D1"))
    await office.ask("K1", "K2", "Ю3")
    line = office.line(parallel=1)
    line._door = lodge.door.opened
    async with office.open(line) as runs:
        await office.have_begun(3)
        await asyncio.sleep(0.1)
        before = list(office.begun)
        lodge.gate.open = True
        await office.idle()

    assert ["K1", "K2", "Ю3"] == sorted(before)
    assert {"D1", "D2", "D3", "after"} == set(office.begun) - set(before)
    assert office.begun.index("D1") < office.begun.index("after")
    assert 7 == len(runs.ids)


async def test_no_run_begins_for_a_stranger(lodge: Lodge) -> None:
    """So somebody else may ask about their message later, and is answered."""
    office = lodge.office
    office.hold.set()
    lodge.gate.open = True
    await lodge.ask("K1", asker="stranger")
    line = office.line()
    line._door = lodge.door.opened
    async with office.open(line) as runs:
        await office.idle()
        begun = list(runs.ids)
        await lodge.ask("K1")
        await office.idle()

    assert ([], ["slack:C1:K1#0"]) == (begun, runs.ids)
    assert ["K1"] == office.answered


async def test_what_stands_at_the_door_survives_a_death(lodge: Lodge) -> None:
    """Another process finds it at the door, with what was to be seen of it."""
    question = await lodge.ask("K1")
    await lodge.inbox.take(1, "gone", ["slack"])
    await lodge.inbox.take_over("gone")
    [taken] = await lodge.inbox.take(1, "me", ["slack"])

    assert question == taken
