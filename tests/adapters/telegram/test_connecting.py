"""The bot connects to Telegram, or says what a person has to change."""

import asyncio
import socket
from typing import Any

import pytest

from adapters.telegram.app import TelegramPlatform
from core.errors import BotError, ConfigError, DeliveryError
from tests.adapters.telegram.scene import ANNA, BORIS, asked_of, chatting, desk_for, joined, serving, settings, telegram
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
        async with joined(tg, **changes) as platform:
            await platform.run(desk_for(), ready)
    return raised.value


async def test_ready_is_told_once_in_words() -> None:
    """Whoever started the bot reads under which name and how it is connected; it ends when it is cancelled."""
    said: list[str] = []

    async def ready(words: str) -> None:
        said.append(words)

    async with telegram() as tg, joined(tg) as platform:
        run = asyncio.create_task(platform.run(desk_for(), ready))
        assert await tg.world.changes.until(lambda: tg.world.updates.poller is not None, 3)
        run.cancel()
        await asyncio.wait([run])

    assert said == ["Telegram: connected as @footnote_bot (polling)"]
    assert run.cancelled()


async def test_nothing_is_received_without_a_connection() -> None:
    """Whoever forgets to connect is told so."""
    with pytest.raises(DeliveryError, match="not connected"):
        await desk_for().platform.run(desk_for(), lambda _: asyncio.sleep(0))


def test_only_one_copy_may_poll() -> None:
    """Telegram allows one poller, while a webhook may lead to any copy; no sign of arrival is a message."""
    tg = TelegramStandIn()
    polling = TelegramPlatform(settings(tg))
    hooked = TelegramPlatform(settings(tg, webhook_url="https://bot.acme.org/", webhook_secret=SECRET))

    assert (polling.alone, hooked.alone, polling.shows_sign) == (True, False, False)


async def test_the_menu_of_commands_is_offered() -> None:
    """Telegram shows the commands in both languages."""
    async with chatting() as (tg, _):
        await tg.wait_for_calls("setMyCommands", count=2)

    assert {"", "ru"} == {language for _, language in tg.world.commands}


async def test_the_menu_is_optional() -> None:
    """Without it questions are answered all the same."""
    async with telegram() as tg:
        tg.fail_next("setMyCommands", status=400, times=2)
        async with serving(tg, desk_for()):
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


async def test_polling_takes_over_from_a_webhook() -> None:
    """A bot that had a webhook before is polled, and what waited there is answered."""
    async with telegram() as tg:
        async with client(tg) as before:
            await before.set_webhook(f"http://127.0.0.1:{free_port()}/", secret_token="x")
        await tg.say(ANNA, ANNA, "kept?")
        async with serving(tg, desk_for()):
            await tg.wait_for_messages(ANNA, count=2)


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
    desk = desk_for()
    async with telegram() as tg:
        async with serving(tg, desk):
            await tg.say(ANNA, ANNA, "before")
            await tg.wait_for_messages(ANNA, count=2)
        await tg.say(BORIS, BORIS, "meanwhile")
        async with serving(tg, desk):
            await tg.wait_for_messages(BORIS, count=2)

    assert asked_of(desk) == ["before", "meanwhile"]


async def test_a_server_that_is_no_telegram_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """What answers something else is no defect of ours; which address to look at is said."""

    def broken(*_: object) -> None:
        raise TypeError("missing 1 required positional argument: 'is_bot'")

    async with telegram() as tg:
        monkeypatch.setattr("telegram.User.de_json", broken)
        error = await run_fails(tg)

    assert isinstance(error, DeliveryError)
    assert "does not answer as the Bot API does; check TELEGRAM_BASE_URL" in str(error)
