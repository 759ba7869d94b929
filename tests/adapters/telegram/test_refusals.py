"""What each refusal of the Bot API means for the message that it hits: calls made, and what is known afterwards."""

from typing import Any, cast

import pytest

from adapters.telegram.pace import PRIVATE
from core.delivery import Body, Later, Refused, Shown
from tests.adapters.telegram.scene import (
    ANNA,
    FORUM,
    Hands,
    asked_of,
    calls,
    chatting,
    joined,
    outgoing,
    place_of,
    telegram,
    words,
)

BOLD: Body = {"text": "Двадцать восемь", "entities": [{"type": "bold", "offset": 0, "length": 15}]}
SENT, REFUSED = "sent", "refused"


def bad(description: str) -> dict[str, Any]:
    return {"status": 400, "description": f"Bad Request: {description}"}


def forbidden(description: str) -> dict[str, Any]:
    return {"status": 403, "description": f"Forbidden: {description}"}


@pytest.mark.parametrize(
    ("failure", "fate", "made"),
    [
        (bad("not enough rights to send text messages to the chat"), REFUSED, 1),
        (bad("have no rights to send a message"), REFUSED, 1),
        (bad("CHAT_WRITE_FORBIDDEN"), REFUSED, 1),
        (bad("TOPIC_CLOSED"), REFUSED, 1),
        (bad("TOPIC_DELETED"), REFUSED, 1),
        (bad("message thread not found"), REFUSED, 1),
        (bad("chat not found"), REFUSED, 1),
        (forbidden("bot was blocked by the user"), REFUSED, 1),
        (forbidden("bot was kicked from the supergroup chat"), REFUSED, 1),
        (forbidden("bot is not a member of the supergroup chat"), REFUSED, 1),
        (forbidden("user is deactivated"), REFUSED, 1),
        (bad("message to be replied not found"), SENT, 2),
        (bad("can't parse entities: something new"), SENT, 2),
        (bad("ENTITIES_TOO_LONG"), SENT, 2),
        (bad("something that nobody has heard of"), SENT, 2),
    ],
)
async def test_a_post_that_telegram_refuses(failure: dict[str, Any], fate: str, made: int) -> None:
    """What other words would not change is given up at once; the rest is said so that Telegram takes it."""
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        tg.fail_next("sendMessage", **failure)
        outcome = await platform.show(outgoing(asked, BOLD))

        assert isinstance(outcome, Shown if fate == SENT else Refused)
        assert fate == SENT or cast("Refused", outcome).shut
        assert len(calls(tg, "sendMessage")) == made
        assert len(tg.bot_messages(ANNA)) == (fate == SENT)


@pytest.mark.parametrize("reason", ["BUTTON_DATA_INVALID", "BUTTON_URL_INVALID", "inline keyboard expected"])
async def test_refused_buttons_cost_only_the_buttons(reason: str) -> None:
    """The words stand there with their formatting."""
    body = {**BOLD, "keyboard": {"inline_keyboard": [[{"text": "Почему?", "callback_data": "why:"}]]}}
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        tg.fail_next("sendMessage", **bad(reason))
        outcome = await platform.show(outgoing(asked, body))
        [said] = tg.bot_messages(ANNA)

    assert isinstance(outcome, Shown)
    assert (said.text, said.keyboard) == (BOLD["text"], None)
    assert ["bold"] == [entity.type for entity in said.entities]


@pytest.mark.parametrize(
    ("failure", "made"),
    [
        (bad("message is not modified: specified new message content is the same"), ["editMessageText"]),
        (bad("message to edit not found"), ["editMessageText", "sendMessage"]),
        (bad("message can't be edited"), ["editMessageText", "sendMessage"]),
        (bad("MESSAGE_ID_INVALID"), ["editMessageText", "sendMessage"]),
    ],
)
async def test_an_edit_that_telegram_refuses(failure: dict[str, Any], made: list[str]) -> None:
    """The reader sees the words in any case, and once."""
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        shown = place_of(await platform.show(outgoing(asked, words("Looking"))))
        tg.fail_next("editMessageText", **failure)
        outcome = await platform.show(outgoing(asked, BOLD, shown=shown))

    assert isinstance(outcome, Shown)
    assert ["sendMessage", *made] == calls(tg, "sendMessage", "editMessageText")


async def test_a_flood_wait_of_more_than_an_hour_is_sat_out() -> None:
    """Not one call goes to the chat before it is over, other chats are served, and then it is sent."""
    clock = Hands()
    async with telegram() as tg, joined(tg, clock) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        other = await tg.say(ANNA, FORUM, "/ask")
        tg.fail_next("sendMessage", retry_after=5_000)
        parked = await platform.show(outgoing(asked, words("1")))
        clock.now = 4_999.0
        still = await platform.show(outgoing(asked, words("1")))
        elsewhere = await platform.show(outgoing(other, words("2")))
        assert isinstance(parked, Later)
        assert isinstance(still, Later)
        assert (parked.seconds, parked.whole_place, round(still.seconds)) == (5_000, True, 1)
        assert isinstance(elsewhere, Shown)
        clock.now = 5_000.0 + PRIVATE[0].seconds
        assert isinstance(await platform.show(outgoing(asked, words("1"))), Shown)

    assert len(calls(tg, "sendMessage")) == 3


async def test_a_message_of_emoji_alone_comes_in_whole() -> None:
    """4,096 of them are twice as many units, and one question."""
    async with chatting() as (tg, desk):
        await tg.say(ANNA, ANNA, "😀" * 4_096)
        await tg.wait_for_messages(ANNA, count=4)
        await desk.idle()

    assert ["😀" * 4_096] == asked_of(desk)
    said = "".join(one.text for one in tg.bot_messages(ANNA))
    assert said.count("😀") == 2 * 4_096
