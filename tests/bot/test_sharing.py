"""Private answers and what becomes of them: shared with a channel, handed on to people."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from core.conversation import Aside, Audience, Command, MessageRef, PlatformName, Question, Thread
from core.delivery import Shown
from core.phrases import phrase
from core.press import Alone, Heard, OutOfDate, Press
from core.render import text_of
from core.text import Language
from core.visiting import Case, ReachesPeople
from tests.bot.work import Company, Desk, made
from tests.doubles.little import tells
from tests.doubles.stage import Stage

EVERYONE = Audience("T1", frozenset({"slack:T1:C1"}))
ALONE = Alone("U1/p", "/5.0", EVERYONE)
PEOPLE = "slack:T1:C0HELP"
LANGUAGES: tuple[Language, ...] = ("en", "ru")


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
        asks = phrase("person_asks", "en", who="U1", place="C1")
        assert told[0].startswith(f"{asks} {question.text}")
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


@pytest.mark.parametrize("language", LANGUAGES)
async def test_help_tells_of_people_where_there_are_some(tmp_path: Path, language: Language) -> None:
    """A command that could only say that it does nothing is offered to nobody."""

    async def helped(channel: str | None, platform: PlatformName) -> bool:
        async with company(tmp_path, handoff_channel=channel).at_work() as desk:
            command = Command("help", platform, "T1:C1", "U1", "", language=language)
            said = text_of(await desk.service.reception.commanded(command))
        return phrase("command_person", language) in said

    told = [await helped(PEOPLE, "slack"), await helped(None, "slack"), await helped(PEOPLE, "telegram")]

    assert [True, False, False] == told


async def shared(desk: Desk, text: str) -> tuple[Question, MessageRef]:
    """Return a private question, and the message that shows the channel its answer."""
    question = await whispered(desk, text)
    await desk.service.reception.pressed(pressed(desk, question, "share:"))
    await desk.idle()
    [id_] = [one for one, key in desk.stage.keys.items() if key == (f"{question.id}!share", "answer-1")]
    return question, MessageRef("slack", "C1", id_)


@pytest.mark.parametrize(
    ("text", "other", "language"),
    [("Where is the key K1?", "K2", "en"), ("Где лежит ключ К1?", "К2", "ru")],
)
async def test_a_shared_answer_is_followed_up(tmp_path: Path, text: str, other: str, language: Any) -> None:
    """Who writes under it is heard without a mention; its question came before, and the answer stands under it."""
    async with company(tmp_path).at_work() as desk:
        question, message = await shared(desk, text)
        said = made(other, thread=message.message, asker="U2", audience=EVERYONE)
        asked = await desk.service.reception.heard(Aside(replace(said, overheard=True), in_thread=True))
        thanks = replace(said, text="Спасибо!" if language == "ru" else "Thanks!")
        assert await desk.service.reception.heard(Aside(replace(thanks, overheard=True), in_thread=True)) is None
        assert asked
        thread = await desk.stores.threads.open(asked)
        await desk.service.reception.asked(asked)
        await desk.idle()
        replies = [one for one in desk.stage.attempts if one.question == said.id]

        assert isinstance(thread, Thread)
        assert [question.text] == [turn.question for turn in thread.turns]
        assert tells(other, russian=language == "ru") in desk.stage.visible(said.id)[0]
        assert {message.message} == {one.root for one in replies}


async def test_a_mention_and_a_command_under_a_shared_answer_know_it(tmp_path: Path) -> None:
    """A mention goes on its thread, and `/why` there tells how it came about."""
    async with company(tmp_path).at_work() as desk:
        question, message = await shared(desk, "Where is the key K1?")
        command = Command("why", "slack", "C1", "U2", "slack:T1:U2", thread=str(message))
        because = text_of(await desk.service.reception.commanded(command))
        asked = made("K2", thread=message.message, asker="U2", audience=EVERYONE)
        await desk.service.reception.asked(asked)
        await desk.idle()

        assert phrase("why_nothing", "en") != because
        assert phrase("by_share", "en") in because
        assert f"{question.id}!share" == await desk.stores.threads.thread_of(MessageRef("slack", "C1", asked.message))


async def test_what_comes_directly_is_followed_up_there(tmp_path: Path) -> None:
    """An answer that could not be shown where it was asked for stands in the direct channel, and so does its thread."""
    firm = company(tmp_path)
    firm.stage.script = [(Shown(MessageRef("slack", "D1", "7.0")), False)]
    async with firm.at_work() as desk:
        question = await whispered(desk)
        asked = made("K2", thread="7.0", place="D1", audience=Audience("T1"))
        await desk.service.reception.asked(asked)
        await desk.idle()

        assert question.thread == await desk.stores.threads.thread_of(MessageRef("slack", "D1", "K2"))


async def test_under_what_was_handed_on_people_talk_to_each_other(tmp_path: Path) -> None:
    """Nobody there has asked the bot."""
    async with company(tmp_path, handoff_channel=PEOPLE).at_work() as desk:
        question = await refused(desk)
        await desk.service.reception.pressed(replace(pressed(desk, question, "person:"), alone=None))
        await desk.idle()
        [id_] = [one for one, key in desk.stage.keys.items() if key == (f"{question.id}!person", "answer-1")]
        said = made("K2", thread=id_, place="T1:C0HELP", asker="U2")

        assert await desk.service.reception.heard(Aside(replace(said, overheard=True), in_thread=True)) is None
