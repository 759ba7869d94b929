"""The bot connects to Telegram, or says what a person has to change."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest

from adapters.telegram.app import TelegramPlatform
from adapters.telegram.webhook import SENDER_HEADER
from core.errors import BotError, ConfigError, DeliveryError, StorageError
from tests.adapters.telegram.scene import ANNA, BORIS, Clerk, chatting, message, serving, settings, telegram
from tests.platforms.telegram import TelegramStandIn
from tests.platforms.telegram.talking import client

SECRET = "a-long-secret_1"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def run_fails(tg: TelegramStandIn, **changes: Any) -> BotError:
    """Return the error that the bot ends with."""

    async def ready(_: str) -> None:
        pass

    with pytest.raises(BotError) as raised:
        await TelegramPlatform(settings(tg, **changes)).run(Clerk(), ready)
    return raised.value


@asynccontextmanager
async def hooked(clerk: Clerk | None = None) -> AsyncIterator[tuple[TelegramStandIn, str]]:
    """Give a Telegram that pushes to the bot, and the address it pushes to."""
    port = free_port()
    url = f"http://127.0.0.1:{port}/telegram"
    async with chatting(clerk, webhook_url=url, webhook_secret=SECRET, webhook_port=port) as (tg, _):
        yield tg, url


async def is_polled(tg: TelegramStandIn) -> None:
    """Return once the bot waits for updates."""
    assert await tg.world.changes.until(lambda: tg.world.updates.poller is not None, 3)


async def test_ready_is_told_once_in_words() -> None:
    """Whoever started the bot reads under which name and how it is connected."""
    said: list[str] = []

    async def ready(words: str) -> None:
        said.append(words)

    async with telegram() as tg:
        run = asyncio.create_task(TelegramPlatform(settings(tg)).run(Clerk(), ready))
        await is_polled(tg)
        run.cancel()
        await asyncio.wait([run])

    assert said == ["Telegram: connected as @footnote_bot (polling)"]
    assert run.cancelled()


async def test_the_menu_of_commands_is_offered() -> None:
    """Telegram shows the commands in both languages."""
    async with chatting() as (tg, _):
        await tg.wait_for_calls("setMyCommands", count=2)

    assert {"", "ru"} == {language for _, language in tg.world.commands}


async def test_what_is_optional_may_fail() -> None:
    """Without the menu and the typing signal questions are answered all the same."""
    async with telegram() as tg:
        tg.fail_next("setMyCommands", status=400, times=2)
        tg.fail_next("sendChatAction", status=429, retry_after=100, times=9)
        async with serving(tg, Clerk()):
            await tg.say(ANNA, ANNA, "hello")

            assert len(await tg.wait_for_messages(ANNA, count=2)) == 2


@pytest.mark.parametrize("token", ["123456:another", "no token", "", "123:x/../y"])
async def test_a_wrong_token_names_the_setting_and_not_the_token(token: str) -> None:
    """The error says which variable is wrong and where to get the right value."""
    async with telegram() as tg:
        error = await run_fails(tg, token=token)

    assert isinstance(error, ConfigError)
    assert "TELEGRAM_BOT_TOKEN" in str(error)
    assert "@BotFather" in str(error)
    assert not token or token not in str(error)


async def test_a_token_that_is_revoked_ends_the_bot() -> None:
    """A token refused while polling is told like a wrong one."""
    async with telegram() as tg:
        tg.fail_next("getUpdates", status=401)
        error = await run_fails(tg)

    assert isinstance(error, ConfigError)
    assert "TELEGRAM_BOT_TOKEN" in str(error)


@pytest.mark.parametrize("base", ["http://127.0.0.1:1/bot", "{}/elsewhere", "no-address", "http://", "{}/bot/"])
async def test_an_address_without_telegram_may_be_tried_again(base: str) -> None:
    """Unreachable or wrong, the error names the address's setting, never the token, and says that it may pass."""
    async with telegram() as tg:
        error = await run_fails(tg, base_url=base.format(tg.base_url.removesuffix("/bot")))

    assert isinstance(error, DeliveryError)
    assert error.retry
    assert "TELEGRAM_BASE_URL" in str(error)
    assert tg.token not in str(error)


async def test_a_second_bot_on_the_same_token_ends_this_one() -> None:
    """The older poll is told in words that another program took over."""
    async with telegram() as tg, client(tg) as other:
        run = asyncio.create_task(run_fails(tg))
        await is_polled(tg)
        await other.get_updates(timeout=0)
        error = await run

    assert isinstance(error, ConfigError)
    assert "in use elsewhere" in str(error)


async def test_polling_takes_over_from_a_webhook() -> None:
    """A bot that had a webhook before is polled, and what waited there is answered."""
    async with telegram() as tg:
        async with client(tg) as before:
            await before.set_webhook(f"http://127.0.0.1:{free_port()}/", secret_token="x")
        await tg.say(ANNA, ANNA, "kept?")
        async with serving(tg, Clerk()):
            await tg.wait_for_messages(ANNA, count=2)


async def test_polling_survives_a_bad_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Server errors, lost connections and flood limits only delay what people ask."""
    monkeypatch.setattr("adapters.telegram.polling.FIRST_PAUSE", 0.01)
    async with telegram() as tg:
        tg.fail_next("getUpdates", status=502)
        tg.fail_next("getUpdates", drop="before")
        tg.fail_next("getUpdates", retry_after=1)
        async with serving(tg, Clerk()):
            await tg.say(ANNA, ANNA, "hello?")

            assert len(await tg.wait_for_messages(ANNA, count=2)) == 2


async def test_only_messages_are_asked_for() -> None:
    """The kinds of update are named, because Telegram keeps an earlier choice otherwise."""
    async with chatting() as (tg, _):
        await tg.say(ANNA, ANNA, "hello")
        (poll, *_) = await tg.wait_for_calls("getUpdates")

    assert poll.params["allowed_updates"] == ["message"]


async def test_a_webhook_brings_questions() -> None:
    """With a webhook Telegram pushes, with the secret, and the answers are the same."""
    async with hooked() as (tg, _):
        await tg.say(ANNA, ANNA, "pushed?")
        await tg.wait_for_messages(ANNA, count=2)
        await tg.wait_until_confirmed()

    assert tg.world.updates.webhook_secret == SECRET
    assert "getUpdates" not in [call.method for call in tg.calls]


@pytest.mark.parametrize("secret", [None, "", "wrong", "é"])
async def test_without_the_secret_nobody_is_let_in(secret: str | None) -> None:
    """A call with a wrong secret or none is refused, whatever it says."""
    headers = {} if secret is None else {SENDER_HEADER: secret}
    clerk = Clerk()
    async with hooked(clerk) as (_, url), aiohttp.ClientSession() as session:
        answer = await session.post(url, json=message(1, text="let me in"), headers=headers)

    assert answer.status == 403
    assert clerk.recorded == {}


@pytest.mark.parametrize("body", [b"no json", b"[]", b"\xff"])
async def test_nonsense_with_the_secret_is_refused(body: bytes) -> None:
    """What is no update is a bad request, and the bot goes on."""
    async with hooked() as (tg, url), aiohttp.ClientSession() as session:
        answer = await session.post(url, data=body, headers={SENDER_HEADER: SECRET})
        await tg.say(ANNA, ANNA, "still there?")
        await tg.wait_for_messages(ANNA, count=2)

    assert answer.status == 400


async def test_a_pushed_question_is_taken_only_when_it_is_stored() -> None:
    """While it cannot be stored Telegram is told to come again."""
    clerk = Clerk(failing=[StorageError("disk full")])
    async with hooked(clerk) as (tg, _):
        await tg.say(ANNA, ANNA, "precious")
        await tg.wait_for_messages(ANNA, count=2)

    assert clerk.asked == ["precious"]
    assert tg.world.updates.last_error.endswith("503")


@pytest.mark.parametrize(("secret", "words"), [(None, "is missing"), ("", "is missing"), ("two words", "letters")])
def test_a_webhook_without_a_secret_is_refused(secret: str | None, words: str) -> None:
    """The bot does not start where anybody could speak for Telegram."""
    unsafe = settings(TelegramStandIn(), webhook_url="https://bot.acme.org/", webhook_secret=secret)

    with pytest.raises(ConfigError, match=f"TELEGRAM_WEBHOOK_SECRET .*{words}"):
        TelegramPlatform(unsafe)


async def test_a_refused_webhook_names_the_setting() -> None:
    """An address that Telegram does not take is the operator's to change."""
    async with telegram() as tg:
        error = await run_fails(tg, webhook_url="ftp://acme.org/", webhook_secret=SECRET, webhook_port=free_port())

    assert isinstance(error, ConfigError)
    assert "TELEGRAM_WEBHOOK_URL" in str(error)


@pytest.mark.parametrize(("method", "url"), [("deleteWebhook", None), ("setWebhook", "https://bot.acme.org/")])
async def test_a_start_that_telegram_interrupts_may_be_tried_again(method: str, url: str | None) -> None:
    """A failure of Telegram's while it is told how to deliver says that it may pass."""
    async with telegram() as tg:
        tg.fail_next(method, status=502)
        error = await run_fails(tg, webhook_url=url, webhook_secret=SECRET, webhook_port=free_port())

    assert isinstance(error, DeliveryError)
    assert error.retry


async def test_a_taken_port_names_the_setting() -> None:
    """Where something else listens, the error names the port."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        async with telegram() as tg:
            error = await run_fails(tg, webhook_url="https://a.b/", webhook_secret=SECRET, webhook_port=port)

    assert isinstance(error, ConfigError)
    assert f"TELEGRAM_WEBHOOK_PORT: cannot listen on 127.0.0.1:{port}" in str(error)


def test_secrets_are_not_shown() -> None:
    """The settings can be printed without giving anything away."""
    shown = repr(settings(TelegramStandIn(), webhook_secret=SECRET))

    assert SECRET not in shown
    assert "test-token" not in shown


async def test_people_are_answered_after_a_restart() -> None:
    """What is asked while the bot is away is answered when it is back."""
    clerk = Clerk()
    async with telegram() as tg:
        async with serving(tg, clerk):
            await tg.say(ANNA, ANNA, "before")
            await tg.wait_for_messages(ANNA, count=2)
        await tg.say(BORIS, BORIS, "meanwhile")
        async with serving(tg, clerk):
            await tg.wait_for_messages(BORIS, count=2)

    assert clerk.asked == ["before", "meanwhile"]
