"""Private answers and what becomes of them: shared with a channel, handed on to people."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from core.conversation import Audience, MessageRef, Question
from core.phrases import phrase
from core.press import Alone, Heard, OutOfDate, Press
from core.render import text_of
from core.visiting import Case, ReachesPeople
from tests.bot.work import Company, Desk
from tests.doubles.little import tells
from tests.doubles.stage import Stage

EVERYONE = Audience("T1", frozenset({"slack:T1:C1"}))
ALONE = Alone("U1/p", "/5.0", EVERYONE)
PEOPLE = "slack:T1:C0HELP"


@dataclass
class Reaching(Stage):
    """A stage from which a channel can be reached, unless it is locked; `cases` are those that were linked to."""

    is_locked: bool = False
    cases: list[Case] = field(default_factory=list)

    async def way_to(self, place: str) -> MessageRef | None:
        return None if self.is_locked else MessageRef("slack", place, "/1.0")

    async def link_to(self, case: Case) -> str | None:
        self.cases.append(case)
        return "https://t.slack.com/archives/C1/p9"


def company(tmp_path: Path, **settings: Any) -> Company:
    """Return an empty data folder with a stage that shows signs."""
    stage = Reaching()
    assert isinstance(stage, ReachesPeople)
    return Company(tmp_path / "data", settings=settings, stage=stage)


async def whispered(desk: Desk, text: str = "Where is the key K1?") -> Question:
    """Ask in private, and return the question once its answer stands there."""
    question = await desk.ask("U1/1.0", thread="U1/ask", text=text, audience=Audience("T1"), private=True, root=None)
    await desk.idle()
    return question


def pressed(desk: Desk, question: Question, button: str, alone: Alone | None = ALONE) -> Press:
    """Return the press of a button under the answer."""
    [id_] = [one for one, key in desk.stage.keys.items() if key == (question.id, "answer-1")]
    return Press(button, MessageRef("slack", "C1", id_), "U1", question.audience, alone=alone)


async def test_a_private_question_has_no_sign_and_can_be_shared(tmp_path: Path) -> None:
    """Nothing stands there before the answer, for it could not be changed; the answer offers to share it."""
    async with company(tmp_path).at_work() as desk:
        question = await whispered(desk)

        [answer] = [one for one in desk.stage.attempts if (one.question, one.part) == (question.id, "answer-1")]
        assert answer.body is not None
        assert phrase("share", "en") == answer.body["buttons"]["share:"]


@pytest.mark.parametrize(("text", "language"), [("Where is the key K1?", "en"), ("Где лежит ключ К1?", "ru")])
async def test_sharing_asks_again_for_everybody(tmp_path: Path, text: str, language: Any) -> None:
    """Once however often it is pressed: the question, then an answer from what the whole channel may read."""
    async with company(tmp_path).at_work() as desk:
        question = await whispered(desk, text)
        press = pressed(desk, question, "share:")
        heard = [await desk.service.reception.pressed(press) for _ in range(2)]
        await desk.idle()
        shared = [one for one in desk.stage.attempts if one.asked.message == ALONE.aloud]
        key = "К1" if language == "ru" else "K1"

        assert [Heard(), Heard()] == heard
        assert {f"{question.id}!share"} == {one.question for one in shared}
        final = desk.stage.visible(f"{question.id}!share")
        assert final[0].startswith(f"{phrase('shared_here', language)} {text}")
        assert tells(key, russian=language == "ru") in final[0]


async def test_a_question_that_not_all_may_know_stays_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it leans on is left out first; where a name still stands in it, nothing is said aloud, and why is told."""
    async with company(tmp_path).at_work() as desk:
        question = await whispered(desk)
        looked: list[str] = []

        async def never(aloud: Question) -> bool:
            looked.append(aloud.text)
            return False

        monkeypatch.setattr(desk.service.reception, "_sayable", never)
        heard = await desk.service.reception.pressed(pressed(desk, question, "share:"))
        await desk.idle()

        assert isinstance(heard, Heard)
        assert heard.reply
        assert phrase("share_withheld", "en") == text_of(heard.reply)
        assert [question.text, question.text] == looked
        assert [] == [one for one in desk.stage.attempts if one.asked.message == ALONE.aloud]


async def test_only_what_is_private_can_be_shared(tmp_path: Path) -> None:
    """A press that does not come from what one person alone sees asks nothing."""
    async with company(tmp_path).at_work() as desk:
        question = await whispered(desk)
        heard = await desk.service.reception.pressed(pressed(desk, question, "share:", None))

        assert OutOfDate() == heard


async def refused(desk: Desk) -> Question:
    """Ask what no document answers, and return the question once that is said."""
    question = await desk.ask("9.0", text="How many moons has Mars?", audience=EVERYONE)
    await desk.idle()
    return question


async def test_an_answer_that_found_nothing_offers_a_person(tmp_path: Path) -> None:
    """The question, its address and what was tried are posted once where people look after such questions."""
    async with company(tmp_path, handoff_channel=PEOPLE).at_work() as desk:
        question = await refused(desk)
        assert {phrase("ask_person", "en")} <= set(desk.stage.buttons(question.id).values())
        press = replace(pressed(desk, question, "person:"), alone=None)
        heard = [await desk.service.reception.pressed(press) for _ in range(2)]
        await desk.idle()
        told = desk.stage.visible(f"{question.id}!person")

        replies = [text_of(each.reply) for each in heard if isinstance(each, Heard) and each.reply]
        assert [phrase("person_told", "en"), phrase("person_knows", "en")] == replies
        assert told[0].startswith(f"{phrase('person_asks', 'en')} {question.text}")
        assert phrase("person_tried", "en") in told[0]
        assert {"T1:C0HELP"} == {one.asked.place for one in desk.stage.attempts if one.question.endswith("!person")}


async def test_without_a_channel_nobody_is_offered(tmp_path: Path) -> None:
    """Neither a button nor, when it is asked for all the same, a promise."""
    async with company(tmp_path).at_work() as desk:
        question = await refused(desk)
        heard = await desk.service.reception.pressed(replace(pressed(desk, question, "person:"), alone=None))

        assert "person:" not in desk.stage.buttons(question.id)
        assert isinstance(heard, Heard)
        assert heard.reply is not None
        assert phrase("person_nowhere", "en") == text_of(heard.reply)


async def test_where_the_bot_cannot_write_nobody_is_promised_anything(tmp_path: Path) -> None:
    """It says whom to ask for an invitation, and posts nothing."""
    firm = company(tmp_path, handoff_channel=PEOPLE)
    assert isinstance(firm.stage, Reaching)
    firm.stage.is_locked = True
    async with firm.at_work() as desk:
        question = await refused(desk)
        heard = await desk.service.reception.pressed(replace(pressed(desk, question, "person:"), alone=None))

        assert isinstance(heard, Heard)
        assert heard.reply is not None
        assert phrase("person_locked", "en") == text_of(heard.reply)
        assert [] == desk.stage.visible(f"{question.id}!person")
