"""What went wrong, in words that hold neither the token nor anybody's message."""

import traceback

from telegram import Bot

from core.errors import ConfigError

ASK_BOTFATHER = "copy it again from @BotFather in Telegram (/mybots, your bot, API Token) into TELEGRAM_BOT_TOKEN"


def in_words(error: Exception, bot: Bot) -> str:
    """Return what Telegram or the network says, without the token."""
    return str(error).replace(bot.token, "<token>") or type(error).__name__


def token_refused() -> ConfigError:
    """Return the error of a token that Telegram does not know, or knows no longer."""
    return ConfigError(f"TELEGRAM_BOT_TOKEN was refused by Telegram: {ASK_BOTFATHER}")


def whereabouts(error: Exception) -> str:
    """Return the kind of error and where in the code it arose, without its text, which may quote a message."""
    return f"{type(error).__name__} at\n{''.join(traceback.format_tb(error.__traceback__))}"
