"""Presses of buttons, from the intake to what is to be seen, over a real database and the real engine of work."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from bot.answering import Live
from core.conversation import Audience, MessageRef, Pressed, Question
from core.phrases import phrase
from core.pipeline import answer_question, reply_to
from core.press import Heard, OutOfDate, Press
from core.render import text_of
from core.turn import TurnRecord
from tests.bot.work import Company, Desk
from tests.doubles.little import LittleBot
from tests.doubles.pages import Pages, ports_over
from tests.doubles.stage import Stage

HERE = Audience("T1", frozenset({"slack:T1:C1"}))
ASKED = {"en": "Which one do you mean?", "ru": "Что вы имеете в виду?"}
TEXTS = {"en": "What does Dmitry do?", "ru": "За что отвечает Дмитрий?"}
ANSWERS = {
    "en": ("Dmitry Orlov runs the payments team.", "Dmitry Petrov runs the warehouse."),
    "ru": ("Дмитрий Орлов отвечает за платежи.", "Дмитрий Петров отвечает за склад."),
}


class Clerk(LittleBot):
    """The bot over pages in which two people are called Dmitry."""

    async def live(self) -> Live | None:
        threads, _ = self._given
        return Live(1, ports_over(Pages(), threads, lambda _: ()))


@pytest.fixture
def company(tmp_path: Path) -> Company:
    """Return an empty data folder with a stage, and the clerk."""
    return Company(tmp_path / "data", stage=Stage(shows_sign=False), bot=Clerk)


async def asked(desk: Desk, text: str = TEXTS["en"], key: str = "K1", thread: str = "t") -> Question:
    """Ask, and return the question once what is to be said to it stands there."""
    question = await desk.ask(key, thread=thread, text=text)
    await desk.idle()
    return question


def shown(desk: Desk, question: str) -> MessageRef:
    """Return the message that shows the first part of the reply to a question."""
    [id_] = [one for one, key in desk.stage.keys.items() if key == (question, "answer-1")]
    return MessageRef("slack", "C1", id_)


async def press(desk: Desk, question: str, number: int, person: str = "U2") -> Heard | OutOfDate:
    """Press the button with this number (from 1) under the reply, as it stands there now."""
    return await desk.service.reception.pressed(button(desk, question, number, person))


def button(desk: Desk, question: str, number: int, person: str = "U2") -> Press:
    """Return the press of a button that stands there now."""
    return Press(list(desk.stage.buttons(question))[number - 1], shown(desk, question), person, HERE)


def said(desk: Desk) -> list[str]:
    """Return what answers say, without their heads."""
    return [text.splitlines()[-1].removeprefix("• ").rstrip("¹") for text in desk.stage.visible()]


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_a_press_continues_the_question(company: Company, language: str) -> None:
    """What was chosen takes the place of the buttons, and the first question is answered for it, with its evidence."""
    async with company.at_work() as desk:
        question = await asked(desk, TEXTS[language])
        offered = list(desk.stage.buttons(question.id).values())
        heard = await press(desk, question.id, 2)
        await desk.idle()
        texts, left = said(desk), desk.stage.buttons(question.id)

    assert (Heard(), {}) == (heard, left)
    assert f"{ASKED[language]} ✓ {offered[1]}" == texts[0]
    assert ANSWERS[language][1] == texts[1]


async def test_pressed_twice_or_by_two_it_is_one_question(company: Company) -> None:
    """A double press, a repeated delivery and another person at the same moment: one question, one answer."""
    async with company.at_work() as desk:
        question = await asked(desk)
        same = [button(desk, question.id, 1, person) for person in ("U1", "U1", "U2", "U3")]
        heard = await asyncio.gather(*(desk.service.reception.pressed(one) for one in same))
        await desk.idle()
        again = await desk.service.reception.pressed(same[0])
        await desk.idle()
        texts = said(desk)

    assert [Heard()] * 5 == [*heard, again]
    assert 1 == texts.count(ANSWERS["en"][0])


async def test_the_presser_asks_for_everybody_who_reads_there(company: Company) -> None:
    """The question is the presser's, in the same thread, and answered for the audience of the place as it is now."""
    async with company.at_work(held=True, running=False) as desk:
        question = await _offered(desk)
        await desk.service.reception.pressed(Press(question[1], MessageRef("slack", "C1", "m1"), "U9", HERE))
        [taken] = await desk.stores.inbox.take(5, "one", ["slack"])

    assert ("U9", HERE, "slack:C1:t") == (taken.asker, taken.audience, taken.thread)
    assert taken.pressed is not None
    assert ("choose", "slack:C1:K1", ("orlov",)) == (taken.pressed.kind, taken.pressed.question, taken.pressed.entities)
    assert "What does Dmitry Orlov do?" == taken.text


async def _offered(desk: Desk) -> tuple[str, str]:
    """Answer a question by asking back, by hand, and return it with its first button."""
    question = await desk.ask("K1", text=TEXTS["en"])
    [taken] = await desk.stores.inbox.take(1, "zero", ["slack"])
    await reply_to(taken, ports_over(Pages(), desk.stores.threads, desk.stage.parts), str, print)
    claim = await desk.service.outbox.claim(("slack", "C1"))
    assert claim is not None
    await desk.service.outbox.sent(claim, MessageRef("slack", "C1", "m1"))
    return question.id, next(iter((claim.outgoing.body or {})["buttons"]))


async def test_a_button_is_pressed_after_a_restart(company: Company) -> None:
    """What was offered is stored: another process understands the press."""
    async with company.at_work() as desk:
        question = await asked(desk)
        pressed = button(desk, question.id, 2)
    async with company.at_work() as desk:
        heard = await desk.service.reception.pressed(pressed)
        await desk.idle()
        texts = said(desk)

    assert (Heard(), 1) == (heard, texts.count(ANSWERS["en"][1]))


async def test_a_press_after_a_newer_answer_still_continues_its_question(company: Company) -> None:
    """The thread went on meanwhile: the button asks what it says, not what came after."""
    async with company.at_work() as desk:
        question = await asked(desk)
        await asked(desk, "Who leads Lantern?", "K2")
        await press(desk, question.id, 1)
        await desk.idle()
        texts = said(desk)

    assert ANSWERS["en"][0] in texts


@pytest.mark.parametrize("words", ["2", "Petrov"])
async def test_words_choose_as_a_button_does(company: Company, words: str) -> None:
    """Who writes the number or the name in the thread is answered the same."""
    async with company.at_work() as desk:
        await asked(desk)
        await asked(desk, words, "K2")
        texts = said(desk)

    assert ANSWERS["en"][1] in texts


async def test_an_edited_question_takes_its_options_and_what_they_asked_with_it(company: Company) -> None:
    """The new words are answered in place; a choice for the old ones is withdrawn, its button out of date."""
    async with company.at_work() as desk:
        question = await asked(desk)
        old = button(desk, question.id, 2)
        await press(desk, question.id, 1)
        await desk.idle()
        changed = replace(question, text="Who leads Lantern?", version=1)
        await desk.service.reception.edited(changed)
        await desk.idle()
        texts, late = said(desk), await desk.service.reception.pressed(old)

    assert (OutOfDate(), False) == (late, ANSWERS["en"][0] in texts)
    assert "Ada leads Lantern." in texts
    assert not any(ASKED["en"] in text for text in texts)


async def test_a_deleted_question_takes_its_options_and_what_they_asked_with_it(company: Company) -> None:
    """Nothing of it stays in the chat, and a late press means nothing."""
    async with company.at_work() as desk:
        question = await asked(desk)
        old = button(desk, question.id, 2)
        await press(desk, question.id, 1)
        await desk.idle()
        await desk.service.reception.withdrawn(MessageRef("slack", "C1", "K1"))
        await desk.idle()
        texts, late = desk.stage.visible(), await desk.service.reception.pressed(old)

    assert ([], OutOfDate()) == (texts, late)


async def test_a_button_that_nothing_offers_is_out_of_date(company: Company) -> None:
    """Also on a message that offers others."""
    values = ("choose:1.dead", "choose:", "more:1", "else:1", "", "choose")
    async with company.at_work() as desk:
        question = await asked(desk)
        real = button(desk, question.id, 1)
        strange = [replace(real, button=value) for value in values]
        elsewhere = replace(real, message=MessageRef("slack", "C1", "no message of ours"))
        heard = [await desk.service.reception.pressed(one) for one in (*strange, elsewhere)]

    assert {OutOfDate()} == set(heard)


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_why_tells_the_one_who_pressed_that_we_asked_back(company: Company, language: str) -> None:
    """The explanation speaks the question's language, names the options, and stands in no message of the thread."""
    async with company.at_work() as desk:
        question = await asked(desk, TEXTS[language])
        options = " / ".join(desk.stage.buttons(question.id).values())
        heard = await desk.service.reception.pressed(replace(button(desk, question.id, 1), button="why:"))
        before = desk.stage.visible()

    assert isinstance(heard, Heard)
    assert heard.reply is not None
    told = text_of(heard.reply)
    assert options in told
    assert phrase("why_asked_back", heard.reply.language) in told
    assert (language, 1) == (heard.reply.language, len(before))


async def test_a_button_for_a_list_that_is_gone_says_so(company: Company) -> None:
    """What was offered cannot be gone on with once the list is forgotten: it is said, and nothing is made up."""
    async with company.at_work() as desk:
        question = await asked(desk, "Who leads Lantern?")
        more = replace(question, id="K9", text="Show 3 more", pressed=Pressed("more", "gone", question.id))
        record = await answer_question(more, ports_over(Pages(), desk.stores.threads, lambda _: ()))

    assert isinstance(record, TurnRecord)
    assert phrase("list_gone", "en") == text_of(record.reply)
    assert record.answer.is_refusal
