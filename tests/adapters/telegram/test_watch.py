"""A bot with a webhook notices when Telegram calls it no longer."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from telegram import Bot, WebhookInfo

from adapters.telegram.watch import failing
from core.delivery import Health
from core.errors import ConfigError
from tests.adapters.telegram.scene import ANNA, Hands, asked_of, desk_for, joined, telegram
from tests.adapters.telegram.test_connecting import SECRET, free_port
from tests.doubles.desk import Desk
from tests.platforms.telegram import TelegramStandIn
from tests.platforms.telegram.talking import client

LOOK = 0.02


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.telegram.watch.LOOK_SECONDS", LOOK)
    monkeypatch.setattr("adapters.telegram.watch.RIVAL_PAUSE", LOOK)


@dataclass
class Hooked:
    """A bot that Telegram calls."""

    tg: TelegramStandIn
    desk: Desk
    other: Bot
    url: str
    run: "asyncio.Task[None]"
    clock: Hands

    async def health(self, fits: Callable[[Health], bool]) -> Health:
        """Return the first health that fits, within a few seconds."""
        async with asyncio.timeout(5):
            while not fits(found := self.desk.platform.health()):
                await asyncio.sleep(LOOK / 4)
        return found

    async def looks(self, count: int) -> None:
        """Return once the bot has looked at the webhook so many times more."""
        before = len([call for call in self.tg.calls if call.method == "getWebhookInfo"])
        await self.tg.wait_for_calls("getWebhookInfo", count=before + count + 1)


@asynccontextmanager
async def hooked() -> AsyncIterator[Hooked]:
    """Give a bot that Telegram calls, and another program with the same token."""
    port, clock, desk, ready = free_port(), Hands(), desk_for(), asyncio.Event()
    url = f"http://127.0.0.1:{port}/telegram"

    async def is_ready(_: str) -> None:
        ready.set()

    given: dict[str, Any] = {"webhook_url": url, "webhook_secret": SECRET, "webhook_port": port}
    async with telegram() as tg, client(tg) as other, joined(tg, clock, **given) as desk.platform:
        run = asyncio.create_task(desk.platform.run(desk, is_ready))
        await asyncio.wait_for(ready.wait(), 5)
        yield Hooked(tg, desk, other, url, run, clock)
        run.cancel()
        await asyncio.wait([run])


def cut_off(health: Health) -> bool:
    return not health.alive


@pytest.mark.parametrize("address", ["", "http://127.0.0.1:9/elsewhere"])
async def test_a_webhook_that_is_taken_away_is_set_again(address: str, caplog: pytest.LogCaptureFixture) -> None:
    """Another program removed it, or set its own: health says so, and soon people are answered again."""
    async with hooked() as here:
        here.tg.fail_next("setWebhook", status=502)
        await (here.other.delete_webhook() if not address else _set(here, address))
        troubled = await here.health(cut_off)
        await here.health(lambda health: health.alive)
        back = here.tg.world.updates
        await here.tg.say(ANNA, ANNA, "кто дежурит?")
        await here.tg.wait_for_messages(ANNA, count=1)

    assert "another program has" in troubled.words
    assert (back.webhook_url, back.webhook_secret) == (here.url, SECRET)
    assert asked_of(here.desk) == ["кто дежурит?"]
    assert "set again" in caplog.text


async def _set(here: Hooked, address: str) -> None:
    # Not by a call, so that the failure that is planned is met by the bot.
    here.tg.world.updates.webhook_url = address


async def test_a_webhook_that_is_taken_away_again_at_once_ends_the_bot() -> None:
    """Two programs that fight over it would each get half of the questions: this one stops, and says what to do."""
    async with hooked() as here:
        await here.other.delete_webhook()
        await here.health(cut_off)
        await here.health(lambda health: health.alive)
        await here.other.delete_webhook()
        with pytest.raises(ConfigError, match=r"TELEGRAM_BOT_TOKEN is in use elsewhere: .*webhook"):
            await asyncio.wait_for(here.run, 5)


async def test_a_webhook_that_is_taken_away_later_is_set_once_more() -> None:
    """Somebody who tries something once a day does not end the bot."""
    async with hooked() as here:
        for _ in range(2):
            await here.other.delete_webhook()
            await here.health(cut_off)
            await here.health(lambda health: health.alive)
            here.clock.now += 31

        assert here.tg.world.updates.webhook_url == here.url


async def test_calls_that_fail_are_told_in_telegrams_words() -> None:
    """Where something between us eats the secret, health says what Telegram says, and fails while nothing comes."""
    async with hooked() as here:
        here.clock.now = 10
        here.tg.world.updates.webhook_secret = "eaten"
        await here.tg.say(ANNA, ANNA, "who is on call?")
        failing = await here.health(cut_off)
        here.tg.world.updates.webhook_secret = SECRET
        await here.tg.wait_for_messages(ANNA, count=1)
        mended = await here.health(lambda health: health.alive)

    assert "Telegram's calls fail (1 wait): Wrong response from the webhook: 403" in failing.words
    assert "calls fail" not in mended.words


@pytest.mark.parametrize(
    ("waiting", "ago", "told"),
    [(3, 5, "Telegram's calls fail (3 wait): SSL error"), (3, 20, ""), (0, 5, ""), (3, None, "")],
)
def test_only_a_failure_after_the_last_call_counts(waiting: int, ago: float | None, told: str) -> None:
    """What failed before the last call came, ten seconds ago, is over, and so is what left nothing waiting."""
    now = datetime.now(UTC)
    date = None if ago is None else now - timedelta(seconds=ago)
    info = WebhookInfo("https://a.b/", False, waiting, last_error_date=date, last_error_message="SSL error")

    assert told == failing(info, now - timedelta(seconds=10))


async def test_a_look_that_fails_changes_nothing() -> None:
    """Telegram may not answer, break off or ask for a pause: the bot goes on, and looks again."""
    async with hooked() as here:
        here.tg.fail_next("getWebhookInfo", status=502)
        here.tg.fail_next("getWebhookInfo", drop="before")
        here.tg.fail_next("getWebhookInfo", retry_after=1)
        await here.looks(4)

        assert not here.run.done()
        assert here.desk.platform.health().alive


async def test_a_token_that_is_revoked_ends_the_bot() -> None:
    """As while polling: nothing would ever come."""
    async with hooked() as here:
        here.tg.fail_next("getWebhookInfo", status=401)
        with pytest.raises(ConfigError, match="TELEGRAM_BOT_TOKEN was refused"):
            await asyncio.wait_for(here.run, 5)
