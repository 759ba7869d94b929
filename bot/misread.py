"""What is wrong with settings, in the words of whoever has to mend it: lines, values, names that are none."""

import os
import re
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from dotenv.parser import parse_stream
from pydantic import ValidationError

from core.errors import ConfigError
from core.mistakes import fault

# How alike a name and a setting are when one is taken for a slip of the other: SLACK_BOT_TOKENN is, SLACK_TOKEN is not.
_ALIKE = 0.9
# Variables of providers, some of which are called almost like settings of ours.
_OF_OTHERS = ("AWS_", "AZURE_")
# docs.slack.dev/authentication/tokens; core.telegram.org/bots/api#authorizing-your-bot.
_BOT_TOKEN, _APP_TOKEN = ("xoxb-", "xoxe.xoxb-"), "xapp-"
_TELEGRAM_TOKEN = re.compile(r"\d+:[\w-]+", re.ASCII)


def check_lines(file: Path) -> None:
    """Raise ConfigError for the first line that sets nothing, of which a library would only warn.

    Raises OSError and ValueError for a file that is no text.
    """
    if not os.path.isfile(file):  # noqa: PTH113 - where it may not be looked, there is none, as for the library
        return
    with file.open(encoding="utf-8") as lines:
        for binding in parse_stream(lines):
            # Without a sign a name sets nothing, which the library takes without a word.
            if binding.error or (binding.key and binding.value is None):
                raise ConfigError(
                    f".env, line {binding.original.line}: this is no NAME=value; look for a quote that is not closed, "
                    "or put # before a remark"
                )


def mistakes_in(error: ValidationError) -> str:
    """Return each wrong variable with what it takes; no value is repeated, it may be a secret."""
    return "; ".join(f"{variable(each['loc'])}: {fault(each).removesuffix('?')}" for each in error.errors())


def variable(location: tuple[int | str, ...]) -> str:
    """Return the environment variable that a setting comes from."""
    return str(location[0]).upper() if location else "settings"


def slips(known: Iterable[str], names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the names that are no settings but almost called like one, each with that one; providers' are let be."""
    settings = set(known)
    odd = sorted(name for name in names if name not in settings and not name.startswith(_OF_OTHERS))
    near = ((name, get_close_matches(name, settings, 1, _ALIKE)) for name in odd if name.isupper())
    return [(name, found[0]) for name, found in near if found]


def slips_in_words(known: Iterable[str], names: Iterable[str]) -> list[str]:
    """Return a sentence for each of these names, which mean nothing to Footnote."""
    return [f"{name} is no setting of Footnote: did you mean {meant}?" for name, meant in slips(known, names)]


def nothing_to_run() -> ConfigError:
    """Return why there is nothing to run: the likeliest reason is a start in another folder than that of `.env`."""
    folder = Path.cwd()
    read = "was read" if (folder / ".env").is_file() else "is not there"
    return ConfigError(
        "there is nothing to run: set the tokens of Slack or Telegram (see .env.example) in the environment or in "
        f"{folder / '.env'}, which {read}"
    )


def slack_tokens_mistaken(bot: str, app: str | None) -> str | None:
    """Return what is wrong with Slack's tokens by their looks, None when nothing is; the likeliest is to swap them."""
    if bot.startswith(_APP_TOKEN) and app and app.startswith(_BOT_TOKEN):
        return (
            "SLACK_BOT_TOKEN does not begin with xoxb-, nor SLACK_APP_TOKEN with xapp-, but each as the other should: "
            "exchange their values"
        )
    if not bot.startswith(_BOT_TOKEN):
        swapped = "; what it holds is an app-level token, for SLACK_APP_TOKEN" if bot.startswith(_APP_TOKEN) else ""
        return (
            "SLACK_BOT_TOKEN does not begin with xoxb-: copy all of the Bot User OAuth Token from api.slack.com/apps, "
            f"your app, Install App{swapped}"
        )
    if app and not app.startswith(_APP_TOKEN):
        return (
            "SLACK_APP_TOKEN does not begin with xapp-: copy all of an app-level token from api.slack.com/apps, your "
            "app, Basic Information, App-Level Tokens"
        )
    return None


def telegram_token_mistaken(token: str) -> str | None:
    """Return what is wrong with Telegram's token by its looks, None when nothing is."""
    if _TELEGRAM_TOKEN.fullmatch(token):
        return None
    return (
        "TELEGRAM_BOT_TOKEN is not a bot token (like 123456:ABC-def): copy all of it again from @BotFather in Telegram "
        "(/mybots, your bot, API Token)"
    )
