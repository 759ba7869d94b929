"""Telegram as a place where people ask."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

from telegram import Bot
from telegram.error import TelegramError

from adapters.telegram.client import TelegramSettings, connected
from adapters.telegram.events import Me
from adapters.telegram.failures import in_words
from adapters.telegram.intake import Intake
from adapters.telegram.lanes import Lanes
from adapters.telegram.polling import Take, poll
from adapters.telegram.webhook import Webhook, secret_of
from adapters.telegram.words import COMMANDS
from core.errors import DeliveryError
from core.ports import Answerer

__all__ = ["TelegramPlatform", "TelegramSettings"]

log = logging.getLogger(__name__)

# What an answer that is being written when we stop still gets.
GRACE_SECONDS = 5.0

Ready = Callable[[str], Awaitable[None]]


class TelegramPlatform:
    """The port `Platform` over the Bot API: polling, or a webhook when its address is set."""

    name = "telegram"

    def __init__(self, settings: TelegramSettings) -> None:
        if settings.webhook_url:
            secret_of(settings)
        self._settings = settings

    async def run(self, answerer: Answerer, ready: Ready) -> None:
        """Serve until cancelled. Raises ConfigError for what a person must change, DeliveryError else."""
        lanes = Lanes(self._settings.max_parallel)
        async with connected(self._settings) as (bot, me):
            intake = Intake(bot, me, answerer, lanes)
            try:
                lanes.add("commands", partial(_offer_commands, bot))
                await self._receive(bot, me, intake.take, ready)
            finally:
                await lanes.close(GRACE_SECONDS)

    async def _receive(self, bot: Bot, me: Me, take: Take, ready: Ready) -> None:
        if self._settings.webhook_url:
            async with _listening(Webhook(self._settings, take), bot):
                await ready(f"Telegram: connected as @{me.username} (webhook)")
                await asyncio.Event().wait()
        else:
            await _leave_webhook(bot)
            await ready(f"Telegram: connected as @{me.username} (polling)")
            await poll(bot, take)


@asynccontextmanager
async def _listening(webhook: Webhook, bot: Bot) -> AsyncIterator[None]:
    try:
        await webhook.open(bot)
        yield
    finally:
        await webhook.close()


async def _leave_webhook(bot: Bot) -> None:
    """Let updates be polled for, also after a time with a webhook; what waits there is kept."""
    try:
        await bot.delete_webhook(drop_pending_updates=False)
    except TelegramError as error:
        raise DeliveryError(f"Telegram did not switch to polling: {in_words(error, bot)}", retry=True) from None


async def _offer_commands(bot: Bot) -> None:
    """Put the commands in Telegram's menu; without them everything works as well."""
    try:
        await bot.set_my_commands(COMMANDS["en"])
        await bot.set_my_commands(COMMANDS["ru"], language_code="ru")
    except TelegramError as error:
        log.info("Telegram: the command menu was not set: %s", in_words(error, bot))
