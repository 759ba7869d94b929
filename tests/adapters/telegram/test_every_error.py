"""Each error of the Bot API on each call that we make: what is known afterwards, and who is answered."""

from dataclasses import replace
from typing import Any

import pytest

from core.delivery import Doubtful, Later, Outcome, Refused, Shown
from core.press import Heard
from core.render import say
from tests.adapters.telegram.scene import (
    ANNA,
    BORIS,
    TEAM,
    asked_of,
    asks_last,
    calls,
    chatting,
    desk_for,
    joined,
    outgoing,
    place_of,
    question_of,
    reply_to,
    serving,
    telegram,
    words,
)

ERRORS: dict[str, dict[str, Any]] = {
    "400": {"status": 400, "description": "Bad Request: something that nobody has heard of"},
    "401": {"status": 401, "description": "Unauthorized"},
    "403": {"status": 403, "description": "Forbidden: bot was blocked by the user"},
    "404": {"status": 404, "description": "Not Found"},
    "409": {"status": 409, "description": "Conflict: terminated by other getUpdates request"},
    "413": {"status": 413, "description": "Request Entity Too Large"},
    "429": {"retry_after": 5_000},
    "500": {"status": 500, "description": "Internal Server Error"},
    "502": {"status": 502, "description": "Bad Gateway"},
    "cut": {"drop": "before"},
}
# Only a refusal is known to have done nothing; what may have been posted is not posted again.
POSTED: dict[str, type[Outcome]] = {
    **dict.fromkeys(("400", "403"), Refused),
    **dict.fromkeys(("401", "404", "429", "500"), Later),
    **dict.fromkeys(("409", "413", "502", "cut"), Doubtful),
}
# To change or remove a message twice is the same as once.
REPEATED = {name: Later if kind is Doubtful else kind for name, kind in POSTED.items()}


@pytest.mark.parametrize("error", ERRORS)
async def test_a_message_that_is_shown_changed_and_removed(error: str) -> None:
    """What is known afterwards, after one call; and then the message can still be changed, and goes."""
    async with telegram() as tg, joined(tg, elapsed=_Days()) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        shown = place_of(await platform.show(outgoing(asked, words("Looking"))))
        tg.fail_next("sendMessage", **ERRORS[error])
        assert isinstance(await platform.show(outgoing(asked, words("Дважды"))), POSTED[error])
        for method, body in (("editMessageText", words("28 days")), ("deleteMessage", None)):
            tg.fail_next(method, **ERRORS[error])
            message = outgoing(asked, body, shown=shown)
            assert isinstance(await platform.show(message), REPEATED[error])
            assert isinstance(await platform.show(message), Shown)

    assert ["sendMessage"] * 2 + ["editMessageText"] * 2 + ["deleteMessage"] * 2 == calls(
        tg, "sendMessage", "editMessageText", "deleteMessage"
    )
    assert tg.bot_messages(ANNA) == []


class _Days:
    """A clock on which a day goes by at each look, so that nothing is paced and no penalty lasts."""

    now = 0.0

    def __call__(self) -> float:
        self.now += 86_400.0
        return self.now


async def test_how_a_press_is_answered_matters_to_nothing_else() -> None:
    """Each press is brought, whatever becomes of its answer, and questions go on."""
    async with chatting() as (tg, desk):
        desk.hears = Heard(say("Потому что.", "ru"))
        await tg.say(ANNA, ANNA, "?")
        answer, *_ = await tg.wait_for_messages(ANNA, count=2)
        keyboard = {"inline_keyboard": [[{"text": "Почему?", "callback_data": "why:"}]]}
        tg.world.put(replace(answer, keyboard=keyboard))
        for error in ERRORS.values():
            tg.fail_next("answerCallbackQuery", **error)
            await tg.press(ANNA, ANNA, answer.message_id, "why:")
        await tg.wait_for_calls("answerCallbackQuery", count=len(ERRORS))

        assert await asks_last(tg, desk) == ["?", "last"]
    assert len(desk.presses) == len(ERRORS)


async def test_how_an_inline_or_a_guests_answer_is_taken_matters_to_nothing_else() -> None:
    """It is looked for each time, and questions go on."""
    async with chatting(inline=True, guest=True) as (tg, desk):
        desk.glanced = reply_to("leave")
        for number, error in enumerate(ERRORS.values(), 1):
            tg.fail_next("answerInlineQuery", **error)
            tg.fail_next("answerGuestQuery", **error)
            await tg.type_inline(ANNA, f"дни отпуска {number}")
            await tg.wait_for_calls("answerInlineQuery", count=number)
            await tg.call_guest(BORIS, f"@footnote_bot leave {number}")
            await tg.wait_for_calls("answerGuestQuery", count=number)

        assert await asks_last(tg, desk) == ["last"]
    assert len(desk.glances) == 2 * len(ERRORS)


@pytest.mark.parametrize("error", ERRORS)
async def test_a_menu_and_a_sign_are_courtesies(error: str) -> None:
    """Without the menu of commands and without "typing" people are answered all the same."""
    async with telegram() as tg:
        tg.fail_next("setMyCommands", **ERRORS[error], times=2)
        # Told to wait for an hour, it would: what is paced is shown elsewhere (test_waiting.py).
        tg.fail_next("sendChatAction", **(ERRORS[error] if error != "429" else {"retry_after": 1}))
        desk = desk_for()
        async with serving(tg, desk):
            assert await asks_last(tg, desk) == ["last"]
            assert len(tg.bot_messages(BORIS)) == 2


@pytest.mark.parametrize("error", ERRORS)
async def test_a_look_in_a_group_is_a_courtesy(error: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At each of its three moments; "typing" is seen, and the question answered, all the same."""
    monkeypatch.setattr("adapters.telegram.typing.SEEN_AFTER", 0.0)
    monkeypatch.setattr("adapters.telegram.typing.WRITING_AFTER", 0.0)
    async with telegram() as tg, joined(tg, elapsed=_Days()) as platform:
        asked = await tg.say(ANNA, TEAM, "@footnote_bot Сколько?")
        tg.fail_next("setMessageReaction", **ERRORS[error], times=3)
        async with platform.working(question_of(asked)):
            await tg.wait_for_calls("setMessageReaction", count=2)
            await tg.wait_for_calls("sendChatAction")
        assert isinstance(await platform.show(outgoing(asked, words("28 дней"))), Shown)

    assert 3 == len(calls(tg, "setMessageReaction"))
    assert ["28 дней"] == [message.text for message in tg.bot_messages(TEAM)]


@pytest.mark.parametrize("error", ERRORS)
async def test_a_draft_is_a_courtesy(error: str) -> None:
    """What tells how an answer goes is lost at most; the answer comes, once."""
    async with telegram() as tg, joined(tg, elapsed=_Days()) as platform:
        asked = await tg.say(ANNA, ANNA, "Сколько?")
        tg.fail_next("sendMessageDraft", **ERRORS[error])
        told = await platform.tell(outgoing(asked, words("Читаю…")))
        assert isinstance(await platform.show(outgoing(asked, words("28 дней"))), Shown)

    assert isinstance(told, Refused | Doubtful)
    assert ["28 дней"] == [message.text for message in tg.bot_messages(ANNA)]


@pytest.mark.parametrize("error", [name for name in ERRORS if name not in ("401", "404")])
async def test_a_poll_that_fails_is_begun_again(error: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was asked meanwhile comes with the next; a refused token alone ends polling (test_connecting.py)."""
    monkeypatch.setattr("adapters.telegram.polling.FIRST_PAUSE", 0.01)
    monkeypatch.setattr("adapters.telegram.polling.RIVAL_PAUSE", 0.01)
    monkeypatch.setattr("adapters.telegram.polling.seconds_of", lambda _: 0.01)
    async with telegram() as tg:
        tg.fail_next("getUpdates", **ERRORS[error])
        desk = desk_for()
        async with serving(tg, desk):
            await tg.say(ANNA, ANNA, "Сколько?")
            await tg.wait_for_messages(ANNA, count=2)

    assert asked_of(desk) == ["Сколько?"]
