"""What becomes of a message when Telegram is busy, out of reach, or silent."""

import asyncio
import logging
from typing import Any

import httpx
import pytest
from telegram import Bot
from telegram.error import NetworkError

from adapters.telegram.pace import GROUP
from core.delivery import CannotTell, Doubtful, Later, Shown
from tests.adapters.telegram.scene import (
    ANNA,
    BORIS,
    TEAM,
    Hands,
    calls,
    joined,
    outgoing,
    place_of,
    question_of,
    ref,
    telegram,
    texts,
    words,
)
from tests.doubles.tally import TallyInMemory

# What Telegram, or a gateway before it, says when nobody can tell what happened.
UNKNOWN: list[dict[str, Any]] = [
    {"status": 502},
    {"status": 504},
    {"status": 500, "description": "Internal Server Error: restart"},
    {"drop": "before"},
    {"drop": "after"},
    {"delay": 0.5},
]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.telegram.client.READ_SECONDS", 0.2)


async def test_a_flood_limit_parks_the_chat_without_further_calls() -> None:
    """Until the wait that Telegram asks for is over nothing is even tried there; elsewhere all goes on."""
    clock = Hands()
    async with telegram() as tg, joined(tg, clock) as platform:
        asked, other = await tg.say(ANNA, ANNA, "?"), await tg.say(BORIS, BORIS, "?")
        tg.fail_next("sendMessage", retry_after=5072)
        limited = await platform.show(outgoing(asked, words("1")))
        clock.now = 5000
        parked = [await platform.show(outgoing(asked, body, shown=ref(asked))) for body in (words("1"), None)]
        async with platform.working(question_of(asked)):
            pass
        await platform.show(outgoing(other, words("2")))
        before = calls(tg, "sendMessage", "editMessageText", "deleteMessage", "sendChatAction")
        clock.now = 5072
        after = await platform.show(outgoing(asked, words("1")))

    assert isinstance(limited, Later)
    assert (limited.seconds, limited.whole_place) == (5072, True)
    assert [(72, True)] * 2 == [(late.seconds, late.whole_place) for late in parked if isinstance(late, Later)]
    assert before == ["sendMessage"] * 2
    assert isinstance(after, Shown)


async def test_a_flood_limit_of_the_signal_parks_the_chat_too() -> None:
    """Telegram counts "typing" like any call, so what it says of one holds for messages; nobody else notices."""
    clock = Hands()
    async with telegram() as tg, joined(tg, clock) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        tg.fail_next("sendChatAction", retry_after=100)
        async with platform.working(question_of(asked)):
            await tg.wait_for_calls("sendChatAction")
            async with asyncio.timeout(3):
                while not platform._pace.wait(ANNA):
                    await asyncio.sleep(0)
        outcome = await platform.show(outgoing(asked, words("1")))

    assert isinstance(outcome, Later)
    assert outcome.seconds == 100


async def test_the_signal_steps_back_for_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """When half of what the chat takes is used, nobody is told that somebody is typing, until there is room again."""
    monkeypatch.setattr("adapters.telegram.typing.TYPING_SECONDS", 0.01)
    clock = Hands()
    async with telegram() as tg, joined(tg, clock) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        await platform.show(outgoing(asked, words("1")))
        async with platform.working(question_of(asked)):
            await asyncio.sleep(0.05)
            before = list(tg.world.actions)
            clock.now = 10
            await tg.wait_for_calls("sendChatAction")

    assert before == []


async def test_our_own_pace_comes_before_telegrams() -> None:
    """More than a burst is put off with the seconds until it may go, and Telegram is not called for it."""
    clock = Hands()
    async with telegram() as tg, joined(tg, clock) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        outcomes = [await platform.show(outgoing(asked, words(str(number)))) for number in range(4)]
        late = outcomes.pop()
        assert isinstance(late, Later)
        clock.now += late.seconds
        outcomes.append(await platform.show(outgoing(asked, words("3"))))

    assert late.whole_place
    assert 2.5 < late.seconds < 3.5
    assert all(isinstance(outcome, Shown) for outcome in outcomes)
    assert ["0", "1", "2", "3"] == texts(tg.bot_messages(ANNA))


async def test_copies_share_the_pace_and_a_flood_limit_holds_for_all() -> None:
    """What a group gets is used up for all copies, whichever used it; so is what Telegram itself puts off."""
    clock = Hands()
    async with telegram() as tg, joined(tg, clock) as platform:
        tally = TallyInMemory(clock)
        platform.share(lambda: 3, tally)
        asked = await tg.say(ANNA, TEAM, "@footnote_bot ?")
        for _ in range(14):
            assert await tally.take(f"telegram {TEAM}", GROUP) == 0
            clock.now += 2
        outcomes = []
        for _ in range(10):
            outcomes.append(await platform.show(outgoing(asked, words("?"))))
            clock.now += 2
        tg.fail_next("sendMessage", retry_after=40)
        clock.now = 200
        banned = [await platform.show(outgoing(asked, words("?"))) for _ in range(2)]

    late = [outcome for outcome in outcomes if isinstance(outcome, Later)]
    assert len(outcomes) - len(late) == 6
    assert all(one.whole_place and not one.ours_alone for one in late)
    assert [(40, False, True)] * 2 == [
        (one.seconds, one.ours_alone, one.whole_place) for one in banned if isinstance(one, Later)
    ]


async def test_what_all_chats_get_is_shared_out() -> None:
    """What is beyond our part of it another copy may send at once."""
    clock = Hands()
    async with telegram() as tg, joined(tg, clock) as platform:
        platform.share(lambda: 3, TallyInMemory(clock))
        asked = [await tg.say(ANNA, ANNA, "?") for _ in range(2)]
        shown = await platform.show(outgoing(asked[0], words("?")))
        for chat in range(100, 110):
            platform._pace.take(chat)
        late = await platform.show(outgoing(asked[1], words("!")))

    assert isinstance(shown, Shown)
    assert isinstance(late, Later)
    assert late.ours_alone
    assert late.seconds <= 2


async def test_a_second_call_of_one_attempt_is_paced_too_and_gets_its_turn() -> None:
    """Where an edit must become a post and only one call is left, the wait is long enough for both."""
    clock = Hands()
    async with telegram() as tg, joined(tg, clock) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        shown = [place_of(await platform.show(outgoing(asked, words(name)))) for name in ("1", "2")]
        await tg.unsend(ANNA, int(shown[0].message))
        late = await platform.show(outgoing(asked, words("3"), shown=shown[0]))
        assert isinstance(late, Later)
        clock.now += late.seconds
        outcome = await platform.show(outgoing(asked, words("3"), shown=shown[0]))

    assert isinstance(outcome, Shown)
    assert ["2", "3"] == texts(tg.bot_messages(ANNA))


@pytest.mark.parametrize("fault", UNKNOWN, ids=str)
async def test_a_post_of_unknown_fate_is_doubtful_and_not_repeated(fault: dict[str, Any]) -> None:
    """Whether it took effect or not, nobody can tell, so one call is all there is."""
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        tg.fail_next("sendMessage", **fault)
        message = outgoing(asked, words("Perhaps"))
        outcome = await platform.show(message)
        seen = await platform.find(message)
        await tg.wait_for_calls("sendMessage")

    assert isinstance(outcome, Doubtful)
    assert seen == CannotTell()
    assert calls(tg, "sendMessage") == ["sendMessage"]
    assert len(tg.bot_messages(ANNA)) == (1 if "delay" in fault or fault.get("drop") == "after" else 0)


@pytest.mark.parametrize("fault", UNKNOWN, ids=str)
async def test_an_edit_or_deletion_of_unknown_fate_may_simply_be_repeated(fault: dict[str, Any]) -> None:
    """Doing it twice is the same as doing it once."""
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        shown = place_of(await platform.show(outgoing(asked, words("Before"))))
        tg.fail_next("editMessageText", **fault)
        tg.fail_next("deleteMessage", **fault)
        bodies = (words("After"), words("After"), None, None)
        outcomes = [await platform.show(outgoing(asked, body, shown=shown)) for body in bodies]

    assert ["Later", "Shown", "Later", "Shown"] == [type(outcome).__name__ for outcome in outcomes]
    assert tg.bot_messages(ANNA) == []


async def test_a_server_error_in_telegrams_own_words_may_be_repeated() -> None:
    """It sent nothing, so the message is tried again later."""
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        tg.fail_next("sendMessage", status=500)
        outcome = await platform.show(outgoing(asked, words("Again")))

    assert isinstance(outcome, Later)
    assert outcome.seconds == 1


@pytest.mark.parametrize(
    "cause", [httpx.ConnectError("refused"), httpx.ConnectTimeout("slow"), httpx.PoolTimeout("full")], ids=repr
)
async def test_a_message_that_never_left_may_be_repeated(cause: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a connection nothing was sent, and nothing can be."""

    async def send(*_: Any, **__: Any) -> None:
        raise NetworkError("no connection") from cause

    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        monkeypatch.setattr(Bot, "send_message", send)
        outcome = await platform.show(outgoing(asked, words("Again")))

    assert isinstance(outcome, Later)
    assert outcome.whole_place


async def test_without_telegram_a_message_waits() -> None:
    """When the server is gone, and before and after the connection, a message is put off."""
    async with telegram() as tg:
        asked = await tg.say(ANNA, ANNA, "?")
        async with joined(tg) as platform:
            await tg._server.stop()
            gone = await platform.show(outgoing(asked, words("1")))
        closed = await platform.show(outgoing(asked, words("1")))
        async with platform.working(question_of(asked)):
            pass

    assert isinstance(gone, Later)
    assert closed == Later(5, "not connected", whole_place=True, ours_alone=True)


async def test_a_gateways_page_is_not_telegrams_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """A 500 that something in between says, as a page, may hide a message that arrived."""

    async def send(*_: Any, **__: Any) -> None:
        raise NetworkError("Internal Server Error (500). Parsing failed") from ValueError("<html>")

    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        monkeypatch.setattr(Bot, "send_message", send)
        outcome = await platform.show(outgoing(asked, words("Perhaps")))

    assert isinstance(outcome, Doubtful)


async def test_a_revoked_token_waits_for_a_person() -> None:
    """The message is kept until the token is right again."""
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        tg.fail_next("sendMessage", status=401)
        outcome = await platform.show(outgoing(asked, words("1")))

    assert isinstance(outcome, Later)
    assert outcome.seconds == 60


async def test_the_token_is_in_no_log_and_no_outcome(caplog: pytest.LogCaptureFixture) -> None:
    """At the most talkative level neither the token nor anybody's words are logged."""
    caplog.set_level(logging.DEBUG)
    reasons = []
    async with telegram() as tg, joined(tg) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        for fault in ({"drop": "before"}, {"status": 400}, {"status": 502}):
            tg.fail_next("sendMessage", **fault)
            reasons.append(str(await platform.show(outgoing(asked, words("Mein Geheimnis")))))

    assert tg.token not in caplog.text + "".join(reasons)
    assert "Geheimnis" not in caplog.text + "".join(reasons)
