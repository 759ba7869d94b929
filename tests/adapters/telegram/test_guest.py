"""Guest mode: one message where somebody mentions the bot in a chat that it is not in."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from core.access import Admission, OpenDoors, Visitor
from core.phrases import phrase
from core.reply import RenderedReply
from tests.adapters.telegram.scene import ANNA, BORIS, QUOTE, asks_last, chatting, message, reply_to
from tests.doubles.desk import Desk
from tests.platforms.telegram import TelegramStandIn


@asynccontextmanager
async def hosted(reply: RenderedReply | None, **changes: Any) -> AsyncIterator[tuple[TelegramStandIn, Desk]]:
    """Give a Telegram whose bot may be called as a guest, and answers with this."""
    async with chatting(**{"guest": True} | changes) as (tg, desk):
        desk.glanced = reply
        yield tg, desk


async def told(tg: TelegramStandIn, query: str) -> str:
    """Return the message that the bot answers with."""
    called = tg.callback(query)
    assert await tg.world.changes.until(lambda: called.answer is not None, 3.0)
    return str((called.answer or {})["text"])


async def test_a_mention_is_answered_with_the_proof_in_one_message() -> None:
    """From what everybody may read, without the mention; nothing is asked of the line."""
    async with hosted(reply_to("дни отпуска")) as (tg, desk):
        said = await told(tg, await tg.call_guest(ANNA, "@footnote_bot сколько дней?"))

    assert QUOTE in said
    assert ["сколько дней?"] == desk.glances
    assert desk.questions == {}
    assert tg.warnings == []


@pytest.mark.parametrize(("person", "language"), [(ANNA, "ru"), (BORIS, "en")])
async def test_where_nothing_is_found_that_is_said(person: int, language: Any) -> None:
    """Once, in the language of who asked."""
    async with hosted(None) as (tg, _):
        assert phrase("guest_nothing", language) == await told(tg, await tg.call_guest(person, "@footnote_bot days?"))


@pytest.mark.parametrize(("person", "language"), [(ANNA, "ru"), (BORIS, "en")])
async def test_a_bare_mention_is_told_how_to_ask(person: int, language: Any) -> None:
    """Nothing was looked for, so nothing is said of the documents."""
    async with hosted(reply_to("leave")) as (tg, desk):
        assert phrase("empty", language) == await told(tg, await tg.call_guest(person, "@footnote_bot"))

    assert desk.glances == []


async def test_who_is_not_let_in_gets_nothing() -> None:
    """Nor does a bot, or somebody in a channel's name."""

    class Closed(OpenDoors):
        async def admit(self, visitor: Visitor) -> Admission:
            return Admission(is_let_in=visitor.person == str(BORIS))

    content = message(message_id=9, text="@footnote_bot days?", guest_query_id="7")["message"]
    async with hosted(reply_to("leave")) as (tg, desk):
        desk.doors = Closed()
        await tg.call_guest(ANNA, "@footnote_bot days?")
        for odd in (
            {"from": {"id": 5, "is_bot": True, "first_name": "B"}},
            {"sender_chat": {"id": -9, "type": "channel"}},
        ):
            await tg.deliver({"guest_message": content | odd})
        await asks_last(tg, desk)

    assert desk.glances == []
    assert not [call for call in tg.calls if call.method == "answerGuestQuery"]


async def test_off_by_default_it_is_not_asked_for() -> None:
    """Nobody's mention elsewhere reaches the bot unless its operator wants it."""
    async with hosted(reply_to("leave"), guest=False) as (tg, desk):
        await asks_last(tg, desk)
        await tg.call_guest(ANNA, "@footnote_bot days?")

        assert "guest_message" not in tg.world.updates.allowed
    assert desk.glances == []
