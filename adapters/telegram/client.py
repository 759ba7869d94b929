"""The connection to the Bot API: opened with a check of the token, failures told in words without it."""

import logging
import re
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from telegram import Bot
from telegram.error import InvalidToken, TelegramError
from telegram.request import HTTPXRequest
from telegram.warnings import PTBDeprecationWarning

from adapters.telegram.events import Me
from adapters.telegram.failures import ASK_BOTFATHER, UNREADABLE, in_words, token_refused
from core.errors import ConfigError, DeliveryError

API = "https://api.telegram.org/bot"
FILES = "https://api.telegram.org/file/bot"

CONNECT_SECONDS = 10.0
# A send that is not answered in time can never be repeated safely, so it gets long.
READ_SECONDS = 20.0

_NOTHING = logging.CRITICAL + 1
_TOKEN = re.compile(r"\d+:[\w-]+", re.ASCII)
# The first two write addresses, of which the token is a part; the third what came back, if it was cut off.
_TALKATIVE = {"httpx": logging.WARNING, "telegram.Bot": logging.INFO, "telegram.request.BaseRequest": _NOTHING}


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramSettings:
    """How to reach Telegram. The base addresses end where the token begins, as in https://api.telegram.org/bot."""

    token: str = field(repr=False)
    base_url: str | None = None
    base_file_url: str | None = None
    webhook_url: str | None = None
    webhook_secret: str | None = field(default=None, repr=False)
    webhook_host: str = "127.0.0.1"
    webhook_port: int = 8080
    max_parallel: int = 8
    inline: bool = False
    guest: bool = False
    # Whether tables are sent in rich messages (Bot API 10.2).
    rich: bool = False
    # Whether drafts have a Stop button (Bot API 10.3).
    stop: bool = False
    admins: tuple[int, ...] = ()
    # Whether people are let in by codes or one by one.
    pairs: bool = False


@asynccontextmanager
async def connected(settings: TelegramSettings) -> AsyncIterator[tuple[Bot, Me]]:
    """Give the client and who it is. Raises ConfigError for a wrong token, DeliveryError when Telegram is not there."""
    _hush()
    if not _TOKEN.fullmatch(settings.token):
        raise ConfigError(f"TELEGRAM_BOT_TOKEN is not a bot token (like 123456:ABC-def): {ASK_BOTFATHER}")
    bot = _bot(settings)
    try:
        yield bot, await _identity(bot, settings)
    finally:
        await bot.shutdown()


def _bot(settings: TelegramSettings) -> Bot:
    request = HTTPXRequest(
        connection_pool_size=2 * settings.max_parallel + 4,  # an answer and its typing signal, the poll, some slack
        connect_timeout=CONNECT_SECONDS,
        read_timeout=READ_SECONDS,
        write_timeout=READ_SECONDS,
        pool_timeout=READ_SECONDS,
    )
    base, files = settings.base_url or API, settings.base_file_url or FILES
    # The library wants a second one for polling, which we do over the first.
    return Bot(settings.token, base_url=base, base_file_url=files, request=request, get_updates_request=request)


async def _identity(bot: Bot, settings: TelegramSettings) -> Me:
    try:
        await bot.initialize()
    except InvalidToken as error:
        raise _not_accepted(error, settings) from None
    except TelegramError as error:
        raise DeliveryError(f"Telegram {_there(settings)}: {in_words(error, bot)}", retry=True) from None
    except UNREADABLE:
        host = urlsplit(settings.base_url or API).netloc.rpartition("@")[2]
        raise DeliveryError(
            f"Telegram: what answers at {host} does not answer as the Bot API does; check TELEGRAM_BASE_URL", retry=True
        ) from None
    return Me(bot.id, bot.username)


def _not_accepted(error: InvalidToken, settings: TelegramSettings) -> ConfigError | DeliveryError:
    """Return whose mistake it is: an address that is not the Bot API's answers 404 too."""
    cause = error.__cause__ or error
    if settings.base_url and "not found" in str(cause).lower():
        return DeliveryError(
            f"Telegram {_there(settings)}: there is no Bot API at this address. TELEGRAM_BASE_URL must end where the "
            f"token begins, as in {API}",
            retry=True,
        )
    return token_refused()


def _there(settings: TelegramSettings) -> str:
    host = urlsplit(settings.base_url or API).netloc.rpartition("@")[2]
    return f"cannot be reached at {host or 'an address without a host'}; check TELEGRAM_BASE_URL and the network"


def _hush() -> None:
    """Keep addresses and words out of the logs, and the notice on a type that `seconds_of` reads either way."""
    warnings.filterwarnings("ignore", message=".*retry_after", category=PTBDeprecationWarning)
    for name, level in _TALKATIVE.items():
        logger = logging.getLogger(name)
        logger.setLevel(max(logger.level, level))
