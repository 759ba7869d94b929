"""Which platforms the settings turn on, and what asks one of them something without running it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.installing import installable
from bot.misread import slack_tokens_mistaken, telegram_token_mistaken
from bot.settings import Settings, opened_up
from core.checkup import Check
from core.errors import ConfigError
from core.running import Membership, Platform

if TYPE_CHECKING:
    from adapters.telegram.client import TelegramSettings


def membership_of(platform: str, settings: Settings) -> Membership | None:
    """Return what tells who reads where on a platform, without connecting to it; None when there is no token."""
    if platform == "telegram":
        from adapters.telegram.members import TelegramMembers

        return TelegramMembers()
    if platform != "slack" or settings.slack_bot_token is None:
        return None
    from adapters.slack.connect import client_of as slack_client
    from adapters.slack.members import SlackMembers

    client = slack_client(settings.slack_bot_token.get_secret_value(), settings.slack_api_base_url)
    return SlackMembers(lambda _: client)


def make_platforms(settings: Settings) -> tuple[list[Platform], list[str]]:
    """Return the platforms that have their tokens, and in words why the others stay off.

    One whose token is none by its looks stays off, before anything is loaded or anybody is asked; raises ConfigError
    when no other is left.
    """
    platforms: list[Platform] = []
    skipped: list[str] = []
    mistaken = [_add_slack(settings, platforms, skipped), _add_telegram(settings, platforms, skipped)]
    if not platforms and any(mistaken):
        raise ConfigError("; ".join(filter(None, mistaken)))
    return platforms, skipped


def _add_slack(settings: Settings, platforms: list[Platform], skipped: list[str]) -> str | None:
    """Add it if its settings turn it on; return what is wrong with its tokens, if that is seen by their looks."""
    if oauth := installable(settings):
        platforms.append(oauth)
        return None
    if not settings.slack_bot_token:
        skipped.append("Slack: off, SLACK_BOT_TOKEN is not set")
        return None
    if mistaken := slack_tokens_mistaken(
        settings.slack_bot_token.get_secret_value(), opened_up(settings.slack_app_token)
    ):
        skipped.append(f"Slack: off, {mistaken}")
        return mistaken
    if not (settings.slack_app_token or settings.slack_signing_secret):
        skipped.append(
            "Slack: off, set SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP) beside SLACK_BOT_TOKEN"
        )
        return None
    from adapters.slack.app import SlackPlatform, SlackSettings

    platforms.append(
        SlackPlatform(
            SlackSettings(
                bot_token=settings.slack_bot_token.get_secret_value(),
                app_token=opened_up(settings.slack_app_token),
                signing_secret=opened_up(settings.slack_signing_secret),
                http_host=settings.slack_http_host,
                http_port=settings.slack_http_port,
                api_base_url=settings.slack_api_base_url,
                lets_outsiders_in=settings.slack_external == "allow",
            )
        )
    )
    return None


def _add_telegram(settings: Settings, platforms: list[Platform], skipped: list[str]) -> str | None:
    """Add it if its settings turn it on; return what is wrong with its token, if that is seen by its looks."""
    if not settings.telegram_bot_token:
        skipped.append("Telegram: off, TELEGRAM_BOT_TOKEN is not set")
        return None
    if mistaken := telegram_token_mistaken(settings.telegram_bot_token.get_secret_value()):
        skipped.append(f"Telegram: off, {mistaken}")
        return mistaken
    from adapters.telegram.app import TelegramPlatform

    platforms.append(TelegramPlatform(telegram_settings(settings)))
    return None


def telegram_settings(settings: Settings) -> "TelegramSettings":
    """Return how to reach Telegram; its token is set."""
    from adapters.telegram.client import TelegramSettings

    return TelegramSettings(
        token=opened_up(settings.telegram_bot_token) or "",
        base_url=settings.telegram_base_url,
        base_file_url=settings.telegram_base_file_url,
        webhook_url=settings.telegram_webhook_url,
        webhook_secret=opened_up(settings.telegram_webhook_secret),
        webhook_host=settings.telegram_webhook_host,
        webhook_port=settings.telegram_webhook_port,
        max_parallel=settings.max_parallel_answers,
        inline=settings.telegram_inline,
        guest=settings.telegram_guest,
        rich=settings.telegram_rich == "tables",
        stop=settings.telegram_stop == "on",
        admins=settings.telegram_admins,
        pairs=settings.telegram_access != "open",
    )


async def telegram_checkup(settings: Settings, groups: Sequence[str]) -> list[Check]:
    """Return what Telegram says of the bot."""
    from adapters.telegram.checkup import checkup

    return await checkup(telegram_settings(settings), groups)
