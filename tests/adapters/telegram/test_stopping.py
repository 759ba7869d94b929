"""Stop in Telegram: the button of a draft, the button under the message that stands for an answer, and who presses."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from telegram import Update, WebhookInfo

from adapters.telegram.app import TelegramPlatform, TelegramSettings
from adapters.telegram.checkup import webhook
from adapters.telegram.drafts import halted_by
from adapters.telegram.polling import ALLOWED_UPDATES, updates_for
from bot import signs
from bot.platforms import telegram_settings
from bot.settings import Settings
from core.delivery import Refused, Shown
from core.phrases import phrase
from core.press import HALT
from core.text import Language
from tests.adapters.telegram.scene import (
    ANNA,
    BORIS,
    TEAM,
    calls,
    chatting,
    hurried,
    joined,
    message,
    outgoing,
    place_of,
    settings,
    telegram,
    unpaced,
    words,
)
from tests.bot.work import Company, Desk
from tests.doubles.little import asks, tells
from tests.platforms.telegram import TelegramStandIn
from tests.platforms.telegram.markup import button_data

DRAFT = "sendMessageDraft"


def stoppable(platform: TelegramPlatform, text: str, number: int = 1) -> Any:
    """Return a message that tells how an answer goes, which can be stopped."""
    return platform.stoppable(words(text), f"{HALT}:{number}", "Stop")


def can_stop(tg: TelegramStandIn) -> list[bool]:
    """Return of each draft whether it was to have a button."""
    return [call.params.get("can_stop", False) for call in tg.calls if call.method == DRAFT]


async def test_a_draft_has_telegrams_own_button() -> None:
    """Where the setting allows it, and there is something to be stopped."""
    async with telegram() as tg, joined(tg, unpaced, stop=True) as platform, joined(tg, unpaced) as other:
        asked = await tg.say(ANNA, ANNA, "?")
        for one, body in ((platform, stoppable(platform, "1")), (platform, words("2")), (other, stoppable(other, "3"))):
            assert Shown(None) == await one.tell(outgoing(asked, body))

    assert [True, False, False] == can_stop(tg)


async def test_a_server_that_refuses_the_button_is_asked_once() -> None:
    """The draft is shown without it, then and from then on."""
    async with telegram() as tg, joined(tg, unpaced, stop=True) as platform:
        asked = await tg.say(ANNA, ANNA, "?")
        tg.fail_next(DRAFT, status=400, description="Bad Request: unknown parameter can_stop")
        told = [await platform.tell(outgoing(asked, stoppable(platform, text))) for text in ("1", "2")]

    assert ([Shown(None)] * 2, [True, False, False]) == (told, can_stop(tg))
    assert "2" == tg.draft(ANNA, asked.message_id)


async def test_a_draft_that_is_refused_for_itself_says_nothing_of_the_button() -> None:
    """In another chat it is tried again."""
    async with telegram() as tg, joined(tg, unpaced, stop=True) as platform:
        asked, other = await tg.say(ANNA, ANNA, "?"), await tg.say(BORIS, BORIS, "?")
        tg.fail_next(DRAFT, status=400, description="Bad Request: TEXTDRAFT_PEER_INVALID", times=2)
        told = [await platform.tell(outgoing(one, stoppable(platform, "1"))) for one in (asked, other)]

    assert [Refused, Shown] == [type(one) for one in told]
    assert [True, False, True] == can_stop(tg)


async def test_an_older_server_shows_the_draft_alone() -> None:
    """It passes over what it does not know, and there is nothing to press."""
    async with telegram() as tg, joined(tg, unpaced, stop=True) as platform:
        tg.world.knows_stops = False
        asked = await tg.say(ANNA, ANNA, "?")
        told = await platform.tell(outgoing(asked, stoppable(platform, "1")))

    assert (Shown(None), "1", {}) == (told, tg.draft(ANNA, asked.message_id), tg.world.stoppable)


@pytest.mark.parametrize("chat", [ANNA, TEAM])
async def test_a_message_that_tells_keeps_its_button(chat: int) -> None:
    """However often it changes; the answer that takes its place has none."""
    async with telegram() as tg, joined(tg, unpaced) as platform:
        asked = await tg.say(ANNA, chat, "/ask")
        sign = place_of(await platform.show(outgoing(asked, stoppable(platform, "You are number 9."))))
        await platform.tell(outgoing(asked, stoppable(platform, "Reading…"), shown=sign))
        [told] = tg.bot_messages(chat)
        await platform.show(outgoing(asked, words("28 days"), shown=sign))
        [answer] = tg.bot_messages(chat)

    assert [f"{HALT}:1"] == button_data(told.keyboard)
    assert ("28 days", None) == (answer.text, answer.keyboard)


async def test_a_stop_is_asked_for_by_name_and_brought_as_a_press() -> None:
    """Its person is the one of the private chat; what no Telegram would send is passed over."""
    async with chatting(stop=True) as (tg, desk):
        asked = await tg.say(ANNA, ANNA, "?")
        await tg.wait_for_messages(ANNA, count=2)
        for chat in (ANNA, TEAM, "?"):
            await tg.deliver({"stopped_message_generation": {"chat": {"id": chat}, "draft_id": asked.message_id}})
        await tg.wait_until_confirmed()

    assert [f"{HALT}:{asked.message_id}"] == [button for button, _ in desk.presses]
    assert [str(ANNA)] == [person for person, _ in desk.people]
    async with telegram() as tg:
        kinds = [set(updates_for(settings(tg, stop=stop))) for stop in (True, False)]
    assert {"stopped_message_generation"} == kinds[0] - kinds[1]


def test_other_updates_stop_nothing() -> None:
    """A message is none."""
    assert halted_by(Update.de_json(message(7, text="?"), None)) is None


def test_a_stop_is_wanted_unless_it_is_turned_off() -> None:
    """As the settings say."""
    given = [Settings(telegram_bot_token="1:x", **more) for more in ({}, {"telegram_stop": "off"})]  # type: ignore[arg-type, call-arg]

    assert [True, False] == [telegram_settings(one).stop for one in given]


def test_an_older_server_behind_a_webhook_is_no_problem() -> None:
    """It does not name what it does not know, and starting again would change nothing."""
    here = TelegramSettings(token="1:x", webhook_url="https://bot.example.org/x", webhook_secret="s", stop=True)
    info = WebhookInfo("https://bot.example.org/x", False, 0, allowed_updates=ALLOWED_UPDATES)

    assert ["ok"] == [check.state for check in webhook(info, here)]


@asynccontextmanager
async def at_work(tmp_path: Path, **given: Any) -> AsyncIterator[tuple[TelegramStandIn, Desk]]:
    """Give a Telegram and the whole bot that serves it, with models that wait to be let go."""
    async with telegram() as tg:
        platform = TelegramPlatform(settings(tg, stop=True), hurried)
        company = Company(tmp_path / "data", given, platform)  # type: ignore[arg-type]
        async with platform.connected(), company.at_work(held=True) as desk:
            ready = asyncio.Event()

            async def is_ready(_: str) -> None:
                ready.set()

            run = asyncio.create_task(platform.run(desk.service.reception, is_ready))
            try:
                async with asyncio.timeout(10):
                    await ready.wait()
                yield tg, desk
            finally:
                run.cancel()
                with suppress(asyncio.CancelledError):
                    await run
        assert [] == tg.warnings


async def until(holds: Any) -> None:
    async with asyncio.timeout(20):
        while not holds():
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(("language", "key"), [("en", "K1"), ("ru", "Ю1")])
async def test_a_draft_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: Language, key: str
) -> None:
    """In a private chat: the draft goes, the sentence comes in its place as a message, and nothing after it."""
    monkeypatch.setattr(signs, "FIRST_AFTER", 0.0)
    async with at_work(tmp_path) as (tg, desk):
        asked = await tg.say(ANNA, ANNA, asks(key, russian=language == "ru"))
        await until(lambda: (ANNA, asked.message_id) in tg.world.stoppable)
        await tg.stop_draft(ANNA, asked.message_id)
        await tg.wait_for_messages(ANNA, timeout=10)
        desk.hold.set()
        await desk.idle()
        await asyncio.sleep(0.2)
        [said] = tg.bot_messages(ANNA)

    assert (phrase("stopped", language), asked.message_id) == (said.text, said.reply_to)
    assert not desk.calls["answer", key]


@pytest.mark.parametrize(("language", "key"), [("en", "K3"), ("ru", "Ю3")])
async def test_a_place_in_the_line_is_given_up(tmp_path: Path, language: Language, key: str) -> None:
    """In a group: others hear that it is not theirs to stop, whoever asked stops it, and the others are answered."""
    async with at_work(tmp_path, max_parallel_answers=1) as (tg, desk):
        await tg.say(BORIS, TEAM, f"/ask {asks('K1')}")
        await until(lambda: sum(desk.calls.values()) == 1)
        await tg.say(BORIS, TEAM, f"/ask {asks('K2')}")
        asked = await tg.say(ANNA, TEAM, f"/ask {asks(key, russian=language == 'ru')}")
        [sign] = await tg.wait_for_messages(TEAM, timeout=10)
        [button] = button_data(sign.keyboard)
        theirs = await tg.press(BORIS, TEAM, sign.message_id, button)
        await until(lambda: tg.callback(theirs).answer)
        ours = await tg.press(ANNA, TEAM, sign.message_id, button)
        await until(lambda: tg.bot_messages(TEAM)[0].text == phrase("stopped", language))
        desk.hold.set()
        await tg.wait_for_messages(TEAM, count=5, timeout=10)
        await desk.idle()
        [stopped, *others] = tg.bot_messages(TEAM)

    assert {"text": phrase("stop_theirs", language), "show_alert": True} == tg.callback(theirs).answer
    assert {"text": "", "show_alert": False} == tg.callback(ours).answer
    assert (asked.message_id, None) == (stopped.reply_to, stopped.keyboard)
    assert [tells("K1"), tells("K2")] == [each.text.removeprefix("• ").rstrip("¹") for each in others[::2]]
    assert not [about for _, about in desk.calls if about == key]
    assert [DRAFT] != calls(tg, DRAFT)


async def test_a_command_stops_where_no_button_is(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """As with an older server: the sentence is all that is said, and a second command finds nothing to stop."""
    async with at_work(tmp_path) as (tg, desk):
        tg.world.knows_stops = False
        asked = await tg.say(ANNA, ANNA, asks("K1"))
        await until(lambda: sum(desk.calls.values()) == 1)
        await tg.say(ANNA, ANNA, "/stop")
        await tg.wait_for_messages(ANNA, timeout=10)
        again = await tg.say(ANNA, ANNA, "/stop")
        said = await tg.wait_for_messages(ANNA, count=2, timeout=10)
        desk.hold.set()
        await desk.idle()

    assert not [record for record in caplog.records if record.levelname == "ERROR"]
    assert [asked.message_id, again.message_id] == [each.reply_to for each in said]
    assert [phrase("stopped", "en"), phrase("stop_nothing", "ru")] == [each.text for each in said]
