"""Updates by webhook: a small server that answers 200 only after an update has been taken."""

import hmac
import json
import logging
import re

from aiohttp import web
from telegram import Bot
from telegram.error import BadRequest, TelegramError

from adapters.telegram.client import TelegramSettings
from adapters.telegram.failures import in_words
from adapters.telegram.polling import Take, updates_for
from adapters.telegram.pulse import Pulse
from core.errors import ConfigError, DeliveryError, PortError

log = logging.getLogger(__name__)

SENDER_HEADER = "X-Telegram-Bot-Api-Secret-Token"
MAX_BODY = 1_000_000  # an update is a message of at most 4,096 characters and what it replies to
CLOSING_SECONDS = 3.0

_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")  # core.telegram.org/bots/api#setwebhook


def secret_of(settings: TelegramSettings) -> str:
    """Return the webhook's secret. Raises ConfigError when it is missing or cannot be one."""
    if not settings.webhook_secret:
        raise ConfigError(
            "TELEGRAM_WEBHOOK_SECRET is missing: without it anybody could send questions to the webhook. Set it to a "
            "long random word, for example the output of: openssl rand -hex 32"
        )
    if not _SECRET.fullmatch(settings.webhook_secret):
        raise ConfigError("TELEGRAM_WEBHOOK_SECRET may have 1 to 256 letters, digits, _ and - only")
    return settings.webhook_secret


class Webhook:
    """A running server for Telegram's calls."""

    def __init__(self, settings: TelegramSettings, take: Take, pulse: Pulse) -> None:
        self._settings = settings
        self._secret = secret_of(settings).encode()
        self._take = take
        self._pulse = pulse
        app = web.Application(client_max_size=MAX_BODY)
        app.router.add_post("/{anything:.*}", self._receive)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=CLOSING_SECONDS)

    async def open(self, bot: Bot) -> None:
        """Listen, then tell Telegram where. Raises ConfigError or DeliveryError."""
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._settings.webhook_host, self._settings.webhook_port).start()
        except OSError as error:
            where = f"{self._settings.webhook_host}:{self._settings.webhook_port}"
            raise ConfigError(f"TELEGRAM_WEBHOOK_PORT: cannot listen on {where}: {error.strerror}") from None
        await self.announce(bot)

    async def close(self) -> None:
        """Stop listening; Telegram keeps what comes meanwhile for a day."""
        await self._runner.cleanup()

    async def announce(self, bot: Bot) -> None:
        """Tell Telegram where to call. Raises ConfigError or DeliveryError."""
        try:
            await bot.set_webhook(
                self._settings.webhook_url or "",
                secret_token=self._secret.decode(),
                allowed_updates=updates_for(self._settings),
            )
        except BadRequest as error:
            raise ConfigError(f"TELEGRAM_WEBHOOK_URL was refused by Telegram: {in_words(error, bot)}") from None
        except TelegramError as error:
            raise DeliveryError(f"the webhook could not be set: {in_words(error, bot)}", retry=True) from None

    async def _receive(self, request: web.Request) -> web.Response:
        """Return 200 for an update that was taken, or never can be; Telegram sends it again after anything else."""
        given = request.headers.get(SENDER_HEADER, "").encode("utf-8", "replace")
        if not hmac.compare_digest(given, self._secret):
            raise web.HTTPForbidden
        self._pulse.beat()
        try:
            await self._take(json.loads(await request.read()))
        except PortError as error:
            self._pulse.troubled(f"messages cannot be stored: {error}", cut_off=True)
            log.warning("Telegram: an update could not be stored and will come again: %s", error)
            raise web.HTTPServiceUnavailable from None
        except (ValueError, RecursionError, web.HTTPRequestEntityTooLarge) as error:
            log.warning("Telegram: a call of the webhook cannot be read: %s", type(error).__name__)
        return web.Response()
