"""What went wrong, in words that hold neither the token nor anybody's message."""

from telegram import Bot
from telegram.error import RetryAfter, TelegramError

from core.errors import ConfigError

ASK_BOTFATHER = (
    "copy all of it again from @BotFather in Telegram (/mybots, your bot, API Token) into TELEGRAM_BOT_TOKEN"
)

# Between us and Telegram something may answer with a whole page.
LONGEST_WORDS = 300

# What the library raises once a call has been made, where it misses in the answer what Telegram always says: an older
# server leaves out what a newer one does not.
UNREADABLE = (TypeError, ValueError, KeyError, AttributeError, OverflowError)
# Failures before anything left this machine: httpx's, and RuntimeError from a client that is closed.
_NEVER_SENT = ("ConnectError", "ConnectTimeout", "PoolTimeout", "UnsupportedProtocol", "RuntimeError")


def in_words(error: Exception, bot: Bot) -> str:
    """Return what Telegram or the network says, without the token."""
    return str(error).replace(bot.token, "<token>")[:LONGEST_WORDS] or type(error).__name__


def token_refused() -> ConfigError:
    """Return the error of a token that Telegram does not know, or knows no longer."""
    return ConfigError(f"TELEGRAM_BOT_TOKEN was refused by Telegram: {ASK_BOTFATHER}")


def never_left(error: Exception) -> bool:
    """Return whether the call surely did not leave this machine."""
    return type(error.__cause__).__name__ in _NEVER_SENT


def did_nothing(error: TelegramError) -> bool:
    """Return whether it is a 500 in the Bot API's own words, which had no effect, unless the server restarts.

    A gateway's page (the library then names it as the cause) may hide a call that took effect.
    """
    ours = error.message.startswith("Internal Server Error") and error.__cause__ is None
    return ours and "restart" not in error.message


def seconds_of(limit: RetryAfter) -> float:
    """Return the wait that a flood limit asks for, in seconds."""
    wait = limit.retry_after
    return float(wait) if isinstance(wait, int) else wait.total_seconds()
