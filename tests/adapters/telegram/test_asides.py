"""What the bot says beside its answers: what a button became, that something failed, and in which language."""

import asyncio
from typing import Any

import pytest

from adapters.telegram.app import TelegramPlatform
from adapters.telegram.errands import MOST_OF_ONE
from adapters.telegram.links import Links
from core.conversation import Command, MessageRef
from core.delivery import Outcome, Outgoing
from core.press import Heard
from core.render import say
from core.reply import Action, RenderedReply
from tests.adapters.telegram.scene import ANNA, BORIS, asks_last, chatting, forwarded, message, texts

SURE = {
    "en": ("Is everything to go?", "Remove it all", "Removed: 3 questions."),
    "ru": ("Удалить всё?", "Удалить всё", "Удалено: вопросов 3."),
}


@pytest.mark.parametrize("language", SURE)
async def test_what_is_done_once_stands_in_place_of_its_button(language: str) -> None:
    """Nothing is left to press by mistake, and what was done can be read later."""
    asks, label, told = SURE[language]
    button = f"{language}.telegram:{ANNA}"

    async def asked_back(_: Command) -> RenderedReply:
        return RenderedReply(say(asks, language).nodes, (), language, (Action("forget", label, button),))

    async with chatting() as (tg, desk):
        desk.commanded, desk.hears = asked_back, Heard(say(told, language))  # type: ignore[method-assign, assignment]
        await tg.say(ANNA, ANNA, "/forget")
        [asking] = await tg.wait_for_messages(ANNA, count=1)
        before = asking.keyboard
        query = await tg.press(ANNA, ANNA, asking.message_id, f"forget:{button}")
        await tg.wait_for_calls("editMessageText")
        await asks_last(tg, desk)
        said, answer = tg.bot_messages(ANNA), tg.callback(query).answer

    assert before
    assert [(told, None)] == [(one.text, one.keyboard) for one in said]
    assert answer is not None
    assert "" == str(answer["text"])
    assert [told] == texts(said)


@pytest.mark.parametrize(("person", "words"), [(ANNA, "У меня произошёл сбой"), (BORIS, "Something on my side failed")])
@pytest.mark.parametrize("said", ["/status", "/start AAAA", "forward", "press"])
async def test_whatever_breaks_is_told(
    person: int, words: str, said: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A command, a link, a forward or a press is left without a word as little as a question."""

    async def breaks(*_: object) -> None:
        raise KeyError("odd")

    async with chatting() as (tg, desk):
        await tg.say(person, person, "Where?" if person == BORIS else "Где?")
        await tg.wait_for_messages(person, count=2)
        question = next(iter(desk.questions.values()))
        await desk.show(question, "answer-2", desk.platform.button("?", "show:1", "Show"))
        offered, before = tg.bot_messages(person)[-1], len(tg.bot_messages(person))
        for name in ("commanded", "pressed", "opened", "asked"):
            monkeypatch.setattr(desk, name, breaks)
        monkeypatch.setattr(Links, "read", lambda *_: (MessageRef("telegram", "1", "1"), 1))
        if said == "press":
            query = await tg.press(person, person, offered.message_id, "show:1")
            await tg.wait_for_calls("answerCallbackQuery")
            told = str((tg.callback(query).answer or {})["text"])
        else:
            update = forwarded(700, "Это так." if person == ANNA else "It is so.", **_from(person))
            await (tg.deliver(update) if said == "forward" else tg.say(person, person, said))
            told = (await tg.wait_for_messages(person, count=before + 1))[-1].text

    assert told.startswith(words)
    assert told.rpartition(" ")[2] in caplog.text


@pytest.mark.parametrize(("person", "said"), [(ANNA, "/status"), (BORIS, "/start"), (BORIS, "press")])
async def test_who_floods_the_bot_keeps_nobody_else_waiting(
    person: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many stickers somebody sends, and however slowly their chat takes the hints, others are answered."""
    gate, other = asyncio.Event(), ANNA if person == BORIS else BORIS
    picture = {"file_id": "a", "file_unique_id": "b", "width": 1, "height": 1, "type": "regular"}
    shown = TelegramPlatform.show

    async def slow(self: TelegramPlatform, message: Outgoing) -> Outcome:
        if message.asked.place == str(other):
            await gate.wait()
        return await shown(self, message)

    monkeypatch.setattr(TelegramPlatform, "show", slow)
    async with chatting() as (tg, desk):
        asked = await tg.say(person, person, "?")
        await tg.wait_for_messages(person, count=2)
        question = desk.questions[f"telegram:{person}:{asked.message_id}"]
        await desk.show(question, "answer-2", desk.platform.button("?", "show:1", "Show"))
        offered = tg.bot_messages(person)[-1]
        for number in range(60):
            sticker = {**picture, "is_animated": False, "is_video": False}
            await tg.deliver(message(sticker=sticker, message_id=600 + number, **_from(other)))
        await tg.wait_until_confirmed()
        if said == "press":
            await tg.press(person, person, offered.message_id, "show:1")
            await tg.wait_for_calls("answerCallbackQuery")
        else:
            await tg.say(person, person, said)
            await tg.wait_for_messages(person, count=4)
        gate.set()
        hints = await tg.wait_for_messages(other, count=2)

    assert 2 <= len(hints) <= MOST_OF_ONE


def _from(person: int) -> dict[str, Any]:
    user = {"id": person, "is_bot": False, "first_name": "A", "language_code": "ru" if person == ANNA else "en"}
    return {"from": user, "chat": {"id": person, "type": "private", "first_name": "A"}}
