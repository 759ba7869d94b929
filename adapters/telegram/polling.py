"""Updates by long polling: confirmed only after each has been taken."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from telegram import Bot
from telegram.error import Conflict, EndPointNotFound, InvalidToken, RetryAfter, TelegramError

from adapters.telegram.failures import in_words, token_refused
from core.errors import ConfigError, PortError

log = logging.getLogger(__name__)

# Named, because Telegram keeps the last list it was given.
ALLOWED_UPDATES = ("message",)
POLL_SECONDS = 30  # the server holds a poll up to 50 (telegram-bot-api, Client.h)
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0

Take = Callable[[dict[str, Any]], Awaitable[None]]

_TAKEN_AWAY = (
    "TELEGRAM_BOT_TOKEN is in use elsewhere: another program receives this bot's messages, or has set a webhook. "
    "Stop the other one, or give this one a bot of its own (@BotFather, /newbot)"
)


async def poll(bot: Bot, take: Take) -> None:
    """Hand over every update, for ever; one that could not be taken comes again, and nothing after it is confirmed.

    Raises ConfigError when the token is refused or another program polls with it.
    """
    offset, pause = 0, FIRST_PAUSE
    while True:
        try:
            updates = await _fetch(bot, offset)
            # Ids may start anew, and lower, after a quiet week: once all is confirmed, no offset is the right one.
            offset = offset if updates else 0
            for update in updates:
                await take(update)
                offset = update["update_id"] + 1
            pause = FIRST_PAUSE
        except Conflict:
            raise ConfigError(_TAKEN_AWAY) from None
        except (InvalidToken, EndPointNotFound):
            raise token_refused() from None
        except (TelegramError, PortError) as error:
            wait = max(pause, _told(error))
            log.warning("Telegram: no messages arrive, next try in %g s: %s", wait, in_words(error, bot))
            await asyncio.sleep(wait)
            pause = min(2 * pause, LONGEST_PAUSE)


async def _fetch(bot: Bot, offset: int) -> list[dict[str, Any]]:
    """Return the waiting updates as they are, so that one the library cannot read does not hold up the others."""
    arguments = {"offset": offset, "timeout": POLL_SECONDS, "allowed_updates": list(ALLOWED_UPDATES)}
    found: list[dict[str, Any]] = await bot.do_api_request(
        "get__updates",  # sent as getUpdates; spelt so, the library does not insist on parsing what comes back
        api_kwargs=arguments,
        read_timeout=POLL_SECONDS + 10,
    )
    return found


def _told(error: Exception) -> float:
    """Return how many seconds Telegram tells us to wait."""
    return seconds(error) if isinstance(error, RetryAfter) else 0.0


def seconds(limit: RetryAfter) -> float:
    """Return the wait that a flood limit asks for."""
    wait = limit.retry_after
    return float(wait) if isinstance(wait, int) else wait.total_seconds()
