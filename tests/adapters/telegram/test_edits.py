"""An edited question is answered anew, in the same messages."""

import asyncio
from dataclasses import replace

import pytest

from adapters.telegram.arrivals import AUDIENCE
from adapters.telegram.body import after, parts_of
from core.conversation import MessageRef, Question
from core.errors import StorageError
from core.press import Heard, Press, PressOutcome
from core.render import say
from core.reply import Action, RenderedReply
from tests.adapters.telegram.scene import (
    ANNA,
    BORIS,
    TEAM,
    asked_of,
    asks_last,
    chatting,
    desk_for,
    reply_to,
    serving,
    telegram,
    texts,
)


@pytest.mark.parametrize(
    ("before", "after"), [("Where is RAG?", "Where is RAG used?"), ("Где RAG?", "Где используется RAG?")]
)
async def test_an_edit_is_answered_in_place(before: str, after: str) -> None:
    """The answer and the evidence that stand in the chat change; nothing new is posted."""
    async with chatting() as (tg, desk):
        asked = await tg.say(ANNA, TEAM, f"/ask {before}")
        first = await tg.wait_for_messages(TEAM, count=2)
        await tg.edit(TEAM, asked.message_id, f"/ask {after}")
        await tg.wait_for_calls("editMessageText", count=2)
        found = tg.bot_messages(TEAM)

    assert found[0].text == f"• About {after}¹"
    assert after in found[1].text
    assert [said.message_id for said in first] == [said.message_id for said in found]
    assert [question.version for question in desk.brought] == sorted({question.version for question in desk.brought})


async def test_an_edit_nobody_sees_changes_nothing() -> None:
    """Telegram tells of invisible changes too: the same words again leave the answer as it is."""
    async with chatting() as (tg, desk):
        asked = await tg.say(ANNA, ANNA, "Where?")
        await tg.wait_for_messages(ANNA, count=2)
        await tg.edit(ANNA, asked.message_id, "Where?")
        await asks_last(tg, desk)

    assert [call for call in tg.calls if call.method == "editMessageText"] == []
    assert len(tg.bot_messages(ANNA)) == 2


async def test_a_question_that_loses_its_address_is_still_that_question() -> None:
    """Whoever removes the mention from a question changes its words, and its answer follows."""
    async with chatting() as (tg, desk):
        asked = await tg.say(ANNA, TEAM, "@footnote_bot where?")
        await tg.wait_for_messages(TEAM, count=2)
        await tg.edit(TEAM, asked.message_id, "when?")
        await tg.wait_for_calls("editMessageText", count=2)

    assert asked_of(desk) == ["when?"]


@pytest.mark.parametrize("said", ["@boris_b when?", "@boris_b, а когда?"])
async def test_a_question_that_is_turned_to_somebody_else_loses_its_answer(said: str) -> None:
    """As if it had been said so at once."""
    async with chatting() as (tg, desk):
        asked = await tg.say(ANNA, TEAM, "@footnote_bot where?")
        await tg.wait_for_messages(TEAM, count=2)
        await tg.edit(TEAM, asked.message_id, said)
        await tg.wait_for_calls("deleteMessage", count=2)

    assert asked_of(desk) == []


async def test_talk_that_becomes_a_question_is_asked() -> None:
    """A mention that was forgotten may be put in later; other talk that changes is left alone."""
    async with chatting() as (tg, desk):
        talk = await tg.say(ANNA, TEAM, "where is RAG used?")
        await tg.edit(TEAM, talk.message_id, "where is RAG used here?")
        await tg.edit(TEAM, talk.message_id, "@footnote_bot where is RAG used?")
        (answer, _) = await tg.wait_for_messages(TEAM, count=2)

    assert asked_of(desk) == ["where is RAG used?"]
    assert answer.reply_to == talk.message_id


async def test_an_edit_that_overtakes_its_question_is_asked_once() -> None:
    """Whatever comes first, the newest words are answered, once."""
    async with telegram() as tg:
        asked = await tg.say(ANNA, ANNA, "before")
        await tg.edit(ANNA, asked.message_id, "after")
        earlier, later = tg.pending_updates
        tg.world.updates.clear()
        desk = desk_for()
        async with serving(tg, desk):
            await tg.deliver({**later, "update_id": 1})
            await tg.deliver({**earlier, "update_id": 2})
            await asks_last(tg, desk)
            found = tg.bot_messages(ANNA)

    assert ["• About after¹"] == [text for text in texts(found) if text.startswith("•")]
    assert len(found) == 2


async def test_edits_out_of_order_end_with_the_newest() -> None:
    """An older edit that comes late, or the same one twice, changes nothing."""
    async with chatting() as (tg, desk):
        asked = await tg.say(ANNA, ANNA, "1")
        await tg.wait_for_messages(ANNA, count=2)
        await tg.edit(ANNA, asked.message_id, "2")
        (older,) = tg.pending_updates
        await tg.edit(ANNA, asked.message_id, "3")
        await tg.wait_until_confirmed()
        for _ in range(2):
            await tg.deliver(older)
        await asks_last(tg, desk)
        await desk.idle()
        answer, evidence = tg.bot_messages(ANNA)

    assert answer.text == "• About 3¹"
    assert "(3)" in evidence.text


async def test_an_edit_is_stored_before_it_is_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    """While it cannot be stored Telegram keeps it, and it comes again."""
    monkeypatch.setattr("adapters.telegram.polling.FIRST_PAUSE", 0.01)
    async with chatting() as (tg, desk):
        asked = await tg.say(ANNA, ANNA, "1")
        await tg.wait_for_messages(ANNA, count=2)
        edited, failures = desk.edited, [StorageError("disk full", retry=True), StorageError("disk full", retry=True)]

        async def fails_first(question: Question) -> bool:
            if failures:
                raise failures.pop()
            return await edited(question)

        desk.edited = fails_first  # type: ignore[method-assign]
        await tg.edit(ANNA, asked.message_id, "2")
        await tg.wait_for_calls("editMessageText", count=2)
        await tg.wait_until_confirmed()

    assert tg.bot_messages(ANNA)[0].text == "• About 2¹"


@pytest.mark.parametrize(("data", "meant"), [("show:7", True), ("old:7", False)])
@pytest.mark.parametrize("person", [ANNA, BORIS])
async def test_a_press_is_brought_and_answered(data: str, meant: bool, person: int) -> None:  # noqa: FBT001
    """The desk learns which button on which message; who presses one that means nothing any more reads so."""
    async with chatting() as (tg, desk):
        asked = await tg.say(person, person, "?")
        await tg.wait_for_messages(person, count=2)
        await desk.idle()
        question = desk.questions[f"telegram:{person}:{asked.message_id}"]
        await desk.show(question, "answer-2", desk.platform.button("Did it arrive?", data, "Show it"))
        *_, offered = tg.bot_messages(person)
        query = await tg.press(person, person, offered.message_id, data)
        await tg.wait_for_calls("answerCallbackQuery")
        await tg.wait_until_confirmed()
        answer = tg.callback(query).answer

    assert desk.presses == [(data, MessageRef("telegram", str(person), str(offered.message_id)))]
    assert answer is not None
    said = str(answer["text"])
    assert said == "" if meant else ("кнопка" if person == ANNA else "button") in said


async def test_a_press_that_is_too_old_to_be_answered_does_no_harm() -> None:
    """It was done all the same, and the bot goes on."""
    async with chatting() as (tg, desk):
        asked = await tg.say(ANNA, ANNA, "?")
        await tg.wait_for_messages(ANNA, count=2)
        question = desk.questions[f"telegram:{ANNA}:{asked.message_id}"]
        await desk.show(question, "answer-2", desk.platform.button("Did it arrive?", "show:1", "Show it"))
        *_, offered = tg.bot_messages(ANNA)
        tg.fail_next("answerCallbackQuery", status=400, description="Bad Request: query is too old")
        await tg.press(ANNA, ANNA, offered.message_id, "show:1")
        await tg.wait_for_calls("answerCallbackQuery")
        await asks_last(tg, desk)

    assert len(desk.presses) == 1


async def test_a_press_is_stored_before_it_is_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the desk cannot do it Telegram keeps it, and it comes again."""
    monkeypatch.setattr("adapters.telegram.polling.FIRST_PAUSE", 0.01)
    async with chatting() as (tg, desk):
        asked = await tg.say(ANNA, ANNA, "?")
        await tg.wait_for_messages(ANNA, count=2)
        question = desk.questions[f"telegram:{ANNA}:{asked.message_id}"]
        await desk.show(question, "answer-2", desk.platform.button("Did it arrive?", "show:1", "Show it"))
        pressed, failures = desk.pressed, [StorageError("disk full", retry=True)]

        async def fails_first(press: Press) -> PressOutcome:
            if failures:
                raise failures.pop()
            return await pressed(press)

        desk.pressed = fails_first  # type: ignore[method-assign]
        *_, offered = tg.bot_messages(ANNA)
        await tg.press(ANNA, ANNA, offered.message_id, "show:1")
        await tg.wait_for_calls("answerCallbackQuery")
        await tg.wait_until_confirmed()

    assert [button for button, _ in desk.presses] == ["show:1"]


async def test_an_edit_while_the_answer_is_written_is_the_one_that_is_answered() -> None:
    """The words that were replaced meanwhile are never answered in the chat."""
    gate = asyncio.Event()

    async def gated(question: Question) -> RenderedReply | None:
        await gate.wait()
        return reply_to(question.text)

    async with chatting(gated) as (tg, desk):
        asked = await tg.say(ANNA, ANNA, "1")
        await tg.wait_for_calls("sendChatAction")
        await tg.edit(ANNA, asked.message_id, "2")
        await tg.wait_until_confirmed()
        gate.set()
        await tg.wait_for_messages(ANNA, count=2)
        await desk.idle()

    assert ["• About 2¹"] == [text for text in texts(tg.bot_messages(ANNA)) if text.startswith("•")]


OFFER = RenderedReply(
    say("Что вы имеете в виду?", "ru").nodes,
    (),
    "ru",
    (Action("choose", "Дмитрий Орлов", "1.ab"), Action("choose", "Dmitry Petrov", "2.ab")),
)


async def test_an_option_is_pressed_in_a_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """The desk learns who pressed what; words for that person alone come as the answer to the press."""
    monkeypatch.setattr("tests.adapters.telegram.scene.reply_to", lambda _: OFFER)
    async with chatting() as (tg, desk):
        asked = await tg.say(ANNA, TEAM, "/ask Чем занят Дмитрий?")
        [offered] = await tg.wait_for_messages(TEAM, count=1)
        assert asked.message_id == offered.reply_to
        desk.hears = Heard(say("Понято как новый вопрос.", "ru"))
        query = await tg.press(BORIS, TEAM, offered.message_id, "choose:2.ab")
        await tg.wait_for_calls("answerCallbackQuery")
        await tg.wait_until_confirmed()
        answer = tg.callback(query).answer

    assert [("choose:2.ab", MessageRef("telegram", str(TEAM), str(offered.message_id)))] == desk.presses
    assert [(str(BORIS), AUDIENCE)] == desk.people
    assert answer is not None
    assert ("Понято как новый вопрос.", True) == (answer["text"], answer["show_alert"])


async def test_longer_words_than_telegram_answers_with_go_under_the_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """A press can be answered with 200 characters; what is longer is not cut."""
    monkeypatch.setattr("tests.adapters.telegram.scene.reply_to", lambda _: OFFER)
    async with chatting() as (tg, desk):
        await tg.say(ANNA, ANNA, "?")
        [offered] = await tg.wait_for_messages(ANNA, count=1)
        desk.hears = Heard(say("почему " * 40, "ru"))
        await tg.press(ANNA, ANNA, offered.message_id, "choose:1.ab")
        *_, told = await tg.wait_for_messages(ANNA, count=2)

    assert ("почему " * 40).strip() == told.text


def test_after_a_choice_its_words_stand_in_place_of_the_buttons() -> None:
    """The message says what was chosen; pressed again, nothing changes."""
    [part] = parts_of(OFFER)
    done = after(part.body, "choose:2.ab")

    assert ("Что вы имеете в виду?\n\n✓ Dmitry Petrov", None) == (done["text"], done.get("keyboard"))
    assert done == after(done, "choose:2.ab")


def test_after_more_only_that_button_goes() -> None:
    """What else can be done with the answer stays."""
    reply = replace(OFFER, actions=(Action("more", "Ещё 12", "10"), Action("why", "Почему?")))
    [part] = parts_of(reply)
    done = after(part.body, "more:10")

    assert [[{"text": "Почему?", "callback_data": "why:"}]] == done["keyboard"]["inline_keyboard"]
    assert part.body["text"] == done["text"]
