"""Slack in many workspaces: from settings to the app that they install, and to where it is stored."""

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from adapters.storage.database import Database
from adapters.storage.departures import SqlDepartures
from adapters.storage.installations import SqlInstallations
from bot.settings import Settings
from core.errors import ConfigError
from core.installing import Cipher
from core.running import Platform

if TYPE_CHECKING:
    from adapters.slack.app import SlackPlatform

log = logging.getLogger("footnote")


def installable(settings: Settings) -> "SlackPlatform | None":
    """Return Slack as workspaces install it themselves; None when no client ID is set, or anything that goes with it.

    Raises ConfigError that names what is missing, or what excludes it.
    """
    given = {
        "SLACK_CLIENT_ID": settings.slack_client_id,
        "SLACK_CLIENT_SECRET": settings.slack_client_secret,
        "SLACK_PUBLIC_URL": settings.slack_public_url,
        "SLACK_WORKSPACES": settings.slack_workspaces,
    }
    if not any(given.values()):
        return None
    if missing := [
        name for name, value in (given | {"SLACK_SIGNING_SECRET": settings.slack_signing_secret}).items() if not value
    ]:
        raise ConfigError(
            f"Slack in many workspaces needs {' and '.join(missing)} besides {_first(given)}: see docs/slack.md, or "
            "leave all of them out for one workspace"
        )
    if settings.slack_app_token:
        raise ConfigError(
            "SLACK_APP_TOKEN (Socket Mode, one workspace) and SLACK_CLIENT_ID (HTTP, many) exclude each other: leave "
            "one of them out"
        )
    cipher_of(settings)
    return _platform(settings)


def keys_of(settings: Settings) -> list[str]:
    """Return the keys that seal and open what is stored."""
    return [key.get_secret_value().strip() for key in settings.secret_keys]


def cipher_of(settings: Settings) -> Cipher:
    """Return what seals tokens. Raises ConfigError without a key, or when one is none."""
    from adapters.secrets.fernet import FernetCipher

    return FernetCipher(keys_of(settings))


def installations_of(database: Database, settings: Settings) -> SqlInstallations:
    """Return where the app is installed. Raises ConfigError as `cipher_of` does."""
    return SqlInstallations(database, cipher_of(settings))


def departures_of(database: Database) -> SqlDepartures:
    """Return which workspaces removed the app."""
    return SqlDepartures(database)


async def keep_installations(platforms: Sequence[Platform], database: Database, settings: Settings) -> None:
    """Let Slack store where it is installed, and say which of that no key opens.

    Raises ConfigError when none opens anything.
    """
    slack = next((one for one in platforms if one.name == "slack"), None)
    if slack is None:
        return
    from adapters.slack.app import SlackPlatform

    assert isinstance(slack, SlackPlatform)
    many = installations_of(database, settings) if settings.slack_client_id else None
    slack.keep_in(many, departures_of(database))
    locked = await many.locked() if many else []
    if locked and many and len(locked) == len(await many.names("slack")):
        raise ConfigError(
            "FOOTNOTE_SECRET_KEYS: none of the keys opens the stored tokens; put the key that sealed them back, after "
            "a comma"
        )
    for team in locked:
        log.error("Slack: no key in FOOTNOTE_SECRET_KEYS opens the tokens of workspace %s; it is not served", team)


def _first(given: Mapping[str, object]) -> str:
    return next(name for name, value in given.items() if value)


def _platform(settings: Settings) -> "SlackPlatform":
    from adapters.slack.app import SlackPlatform, SlackSettings
    from adapters.slack.oauth import OAuthApp

    assert settings.slack_client_id
    assert settings.slack_client_secret
    assert settings.slack_public_url
    assert settings.slack_signing_secret
    oauth = OAuthApp(
        client_id=settings.slack_client_id,
        client_secret=settings.slack_client_secret.get_secret_value(),
        public_url=settings.slack_public_url,
        welcome=settings.slack_workspaces,
    )
    return SlackPlatform(
        SlackSettings(
            bot_token="",
            signing_secret=settings.slack_signing_secret.get_secret_value(),
            http_host=settings.slack_http_host,
            http_port=settings.slack_http_port,
            api_base_url=settings.slack_api_base_url,
            oauth=oauth,
            lets_outsiders_in=settings.slack_external == "allow",
        )
    )
