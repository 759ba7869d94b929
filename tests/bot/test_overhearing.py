"""What nobody addressed to the bot: from the intake to what is to be seen, which is an answer or nothing at all."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.wiring import channels_of
from core.conversation import Aside, MessageRef, Mode, Question
from tests.bot.work import Company, Desk, made
from tests.doubles.little import tells

CHANNEL = ("slack", "C1")


@pytest.fixture
def company(tmp_path: Path) -> Company:
    """Return an empty data folder with a stage."""
    return Company(tmp_path / "data")


async def hears(desk: Desk, question: Question, **known: bool) -> bool:
    """Bring a message as a platform does; return whether it was taken."""
    aside = Aside(replace(question, overheard=True), **known)
    asked = await desk.service.reception.heard(aside)
    if asked:
        await desk.service.reception.asked(asked)
    return asked is not None


async def sets(desk: Desk, mode: Mode) -> None:
    """Set whom the bot hears in the channel."""
    await channels_of(desk.stores.database).set_mode(CHANNEL, mode, changed_by="test", at=datetime.now(UTC))


def shown(key: str) -> list[str]:
    """Return the answer and its evidence as they are shown."""
    said = tells(key, russian=key >= "А")
    return [f"• {said}¹", f"1. {said}"]


@pytest.mark.parametrize("key", ["K1", "Ю1"])
async def test_a_question_to_everybody_is_answered_without_a_sign(company: Company, key: str) -> None:
    """In mode `gate`, where the documents know it: the answer is the first that is seen of us."""
    async with company.at_work() as desk:
        await sets(desk, "gate")
        assert await hears(desk, made(key))
        await desk.idle()

    assert shown(key) == desk.stage.visible()
    assert [(None, "answer-1")] == [(one.shown, one.part) for one in desk.stage.attempts if one.part == "answer-1"]


@pytest.mark.parametrize(
    "text",
    ["Where is the printer?", "Где лежит принтер?", "Tomasz, where is the key K1?", "Thanks!", "кто идёт на обед?"],
)
async def test_everything_else_leaves_no_trace(company: Company, text: str) -> None:
    """What documents do not know, what is for somebody else, and chatter: no sign, no refusal, no words kept."""
    async with company.at_work() as desk:
        await sets(desk, "gate")
        await hears(desk, made("K1", text=text))
        await desk.idle()

        assert ([], []) == (desk.stage.visible(), desk.stage.attempts)
        assert not await desk.stores.threads.knows("slack:C1:t")


@pytest.mark.parametrize("mode", ["mention", "gate"])
async def test_what_stands_between_people_is_not_heard(company: Company, mode: Mode) -> None:
    """In a thread of theirs, or with a mention of one of them, and in mode `mention` anywhere."""
    async with company.at_work() as desk:
        await sets(desk, mode)
        assert not await hears(desk, made("K1"), in_thread=True)
        assert not await hears(desk, made("K1"), calls_others=True)
        assert (mode == "gate") is await hears(desk, made("K1"))


async def test_in_mode_all_every_question_is_heard(company: Company) -> None:
    """With its sign and, where nothing is found, its refusal, also in a thread of others."""
    async with company.at_work() as desk:
        await sets(desk, "all")
        heard = await desk.service.reception.heard(Aside(replace(made("K1"), overheard=True)))
        assert heard
        assert (True, False) == (heard.unasked, heard.overheard)
        assert await hears(desk, made("K1"), in_thread=True)
        assert await hears(desk, made("K2", text="Where is the printer?", thread="u"))
        await desk.idle()

    assert shown("K1") == desk.stage.visible("slack:C1:K1")
    assert "I could not find" in desk.stage.visible("slack:C1:K2")[0]


@pytest.mark.parametrize("mode", ["gate", "all"])
@pytest.mark.parametrize(
    "text",
    [
        "I will be late today, sorry",
        "Lunch is in the kitchen",
        "hi",
        "Good morning team!",
        "what can you do?",
        "never mind",
        "Опоздаю сегодня на час",
        "всем привет!",
        "сборка опять упала",
        "что ты умеешь?",
    ],
)
async def test_what_asks_nothing_gets_silence(company: Company, mode: Mode, text: str) -> None:
    """Whatever the mode is, people tell each other things, and we have no part in it."""
    async with company.at_work() as desk:
        await sets(desk, mode)
        assert not await hears(desk, made("K1", text=text))


@pytest.mark.parametrize("text", ["@Lead where is the key K1?", "@Лена, где лежит ключ К1?"])
async def test_what_is_said_to_somebody_else_gets_silence(company: Company, text: str) -> None:
    """In mode `all`, too; who but gets a copy, or is asked for, is not spoken to."""
    async with company.at_work() as desk:
        await sets(desk, "all")
        assert not await hears(desk, made("K1", text=text), calls_others=True)
        assert await hears(desk, made("K2", text="Where is the key K2? cc @Lead"), calls_others=True)
        assert await hears(desk, made("K3", text="@Лена спрашивает, где ключ К3?", thread="u"), calls_others=True)


@pytest.mark.parametrize("text", ["Nina, can you book the room?", "Нина, забронируешь переговорку?"])
async def test_what_calls_somebody_by_name_gets_silence(company: Company, text: str) -> None:
    """In mode `all`, in the channel and in a thread that we have answered in: they are asked, and nobody else."""
    async with company.at_work() as desk:
        await sets(desk, "all")
        await desk.ask("K1")
        await desk.idle()
        assert not await hears(desk, made("K2", text=text, thread="u"))
        assert not await hears(desk, made("K3", text=text), in_thread=True)
        assert await hears(desk, made("K4", text="Коллеги, где лежит ключ К4?", thread="v"))


async def test_a_conversation_with_us_goes_on_without_a_mention(company: Company) -> None:
    """In every mode; thanks are no question, and nobody is told so."""
    async with company.at_work() as desk:
        await desk.ask("K1")
        await desk.idle()
        before = len(desk.stage.attempts)
        assert not await hears(desk, made("K2", text="Thanks a lot!"), in_thread=True)
        assert len(desk.stage.attempts) == before
        assert await hears(desk, made("K3"), in_thread=True)
        await desk.idle()

    assert shown("K3") == desk.stage.visible("slack:C1:K3")


async def test_a_full_line_is_nothing_to_tell(company: Company) -> None:
    """What was overheard is never refused aloud, nor told its place in the line."""
    company.settings = {"max_waiting_per_person": 1}
    async with company.at_work(held=True) as desk:
        await sets(desk, "gate")
        await desk.ask("K1")
        await hears(desk, made("K2", thread="u"))
        desk.hold.set()
        await desk.idle()

    assert [] == desk.stage.visible("slack:C1:K2")


async def test_an_edit_and_a_deletion_do_as_for_any_question(company: Company) -> None:
    """Another question is answered in place, chatter takes the answer away, and so does a deletion."""
    async with company.at_work() as desk:
        await sets(desk, "gate")
        first = made("K1")
        await hears(desk, first)
        await desk.idle()
        await desk.service.reception.edited(replace(first, text="Where is the key K9?", version=1, overheard=True))
        await desk.idle()
        assert shown("K9") == desk.stage.visible()
        await desk.service.reception.edited(replace(first, text="See you tomorrow", version=2, overheard=True))
        await desk.idle()
        assert [] == desk.stage.visible()
        await hears(desk, made("K2", thread="u"))
        await desk.idle()
        await desk.service.reception.withdrawn(MessageRef("slack", "C1", "K2"))
        await desk.idle()

    assert [] == desk.stage.visible()


@pytest.mark.parametrize("text", ["never mind", "не надо, уже нашёл"])
@pytest.mark.parametrize("overheard", [False, True])
async def test_an_edit_that_drops_the_question_takes_its_answer_away(
    company: Company,
    text: str,
    overheard: bool,  # noqa: FBT001 - a table
) -> None:
    """No refusal stands in its place; edited into a question again, it is answered again."""
    async with company.at_work() as desk:
        first = await desk.ask("K1")
        await desk.idle()
        assert shown("K1") == desk.stage.visible()
        assert await desk.service.reception.edited(replace(first, text=text, version=1, overheard=overheard))
        await desk.idle()
        assert [] == desk.stage.visible()
        await desk.service.reception.edited(replace(first, text="Where is the key K9?", version=2, overheard=overheard))
        await desk.idle()

    assert shown("K9") == desk.stage.visible()


async def test_what_asks_nothing_of_us_any_more_is_dropped_also_while_it_waits(company: Company) -> None:
    """Nothing is ever said to it; what we never knew is not known by that either."""
    async with company.at_work(held=True) as desk:
        await desk.ask("K1")
        await desk.until(lambda: bool(company.calls))
        waiting = await desk.ask("K2")
        assert await desk.service.reception.dropped(replace(waiting, text="@Lead, where is K2?", version=1))
        assert not await desk.service.reception.dropped(made("K3", version=1))
        desk.hold.set()
        await desk.idle()

    assert [] == desk.stage.visible("slack:C1:K2")


async def test_trouble_is_nothing_to_tell(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    """A defect while answering what was overheard is logged, and nobody in the channel hears of it."""

    async def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("a defect")

    async with company.at_work() as desk:
        await sets(desk, "gate")
        monkeypatch.setattr("bot.answering.reply_to", broken)
        await hears(desk, made("K1"))
        await desk.idle()

    assert [] == desk.stage.attempts
