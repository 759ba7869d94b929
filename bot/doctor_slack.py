"""`footnote doctor slack`: what Slack grants, what that lacks, and where to mend it."""

import json
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from rich.console import Console

from bot.installing import installable, installations_of
from bot.settings import Settings, read_settings
from bot.wiring import make_data_dir, open_its_database
from core.errors import BotError, ConfigError

if TYPE_CHECKING:
    from adapters.slack.checkup import Check

_MARKS = {"ok": "[green]✓[/green]", "unknown": "[dim]–[/dim]", "missing": "[red]✗[/red]"}


async def doctor_slack_command(*, as_json: bool = False, manifest: Path | None = None) -> bool:
    """Print each thing that Slack grants or lacks, for a person or as JSON; return whether nothing is missing.

    `manifest`: what the app's page exports, which is compared as well: Slack lets no bot see its events. Without it
    Slack itself is asked for it, where a configuration token is given.
    Raises ConfigError when Slack is off, its settings exclude each other, or the manifest cannot be read.
    """
    settings = read_settings()
    checks = await (_many(settings) if installable(settings) else _one(settings))
    compared = _compared(_read(manifest), settings) if manifest else await _compared_at_slack(settings)
    if compared:
        checks = [*(one for one in checks if not one.what.startswith("events:")), *compared]
    if as_json:
        print(json.dumps([asdict(check) for check in checks], ensure_ascii=False, indent=2))
    else:
        _show(checks)
    return all(check.state != "missing" for check in checks)


def _read(path: Path) -> Any:
    try:
        return yaml.safe_load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{path} cannot be read as YAML or JSON ({type(error).__name__})") from None


def _compared(manifest: Any, settings: Settings) -> "list[Check]":
    from adapters.slack.manifest import check_manifest

    is_many = installable(settings)
    over_socket = settings.slack_app_token is not None and not is_many
    return check_manifest(manifest, over_socket=over_socket, public_url=settings.slack_public_url if is_many else None)


async def _compared_at_slack(settings: Settings) -> "list[Check]":
    """Return how the app as it stands at Slack differs; nothing where no configuration token is given."""
    from adapters.slack.checkup import Check
    from adapters.slack.exported import exported_manifest

    if settings.slack_config_token is None:
        return []
    token = await _a_bot_token(settings)
    if token is None:
        return [Check("unknown", "the manifest: the app is installed nowhere yet, so that its id is not known")]
    config_token = settings.slack_config_token.get_secret_value()
    found = await exported_manifest(config_token, token, settings.slack_api_base_url)
    return [found] if isinstance(found, Check) else _compared(found, settings)


def _show(checks: "list[Check]") -> None:
    console = Console()
    for check in checks:
        console.print(f"{_MARKS[check.state]} ", end="")
        console.print(check.what, highlight=False, markup=False, soft_wrap=True)
        if check.without:
            console.print(f"  without it: {check.without}", highlight=False, markup=False, soft_wrap=True)
        if check.fix:
            console.print(f"  {check.fix}", highlight=False, markup=False, soft_wrap=True)


async def _one(settings: Settings) -> "list[Check]":
    from adapters.slack.checkup import Check, check_app, check_bot

    if settings.slack_bot_token is None:
        raise ConfigError("SLACK_BOT_TOKEN is not set: see docs/slack.md")
    base = settings.slack_api_base_url
    checks = await check_bot(settings.slack_bot_token.get_secret_value(), base)
    if settings.slack_app_token:
        return [*checks, await check_app(settings.slack_app_token.get_secret_value(), base)]
    if settings.slack_signing_secret:
        return [*checks, Check("ok", f"HTTP on port {settings.slack_http_port}, path /slack/events")]
    fix = "set SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP)"
    return [*checks, Check("missing", "a way in for events", "no event arrives", fix)]


async def _a_bot_token(settings: Settings) -> str | None:
    """Return a token of the bot, in whichever workspace: all of them are of one app."""
    from adapters.slack.grants import grant_of

    if not installable(settings):
        return settings.slack_bot_token.get_secret_value() if settings.slack_bot_token else None
    database = open_its_database(settings)
    try:
        installations = installations_of(database, settings)
        for tenant in await installations.names("slack"):
            with suppress(BotError):
                if installed := await installations.find("slack", tenant):
                    return grant_of(installed).token
    finally:
        await database.close()
    return None


async def _many(settings: Settings) -> "list[Check]":
    from adapters.slack.checkup import check_door

    assert settings.slack_public_url
    return [await check_door(settings.slack_public_url), *await _installed(settings)]


async def _installed(settings: Settings) -> "list[Check]":
    """Return how it stands in each workspace that installed the app."""
    from adapters.slack.checkup import Check, check_installed

    make_data_dir(settings)
    database = open_its_database(settings)
    checks: list[Check] = []
    try:
        await database.prepare()
        installations = installations_of(database, settings)
        for tenant in await installations.names("slack"):
            try:
                installed = await installations.find("slack", tenant)
                checks += await check_installed(installed, settings.slack_api_base_url) if installed else []
            except BotError as error:
                checks.append(Check("missing", f"{tenant}: {error}", "nothing works there"))
    finally:
        await database.close()
    return checks or [
        Check("unknown", "installed in no workspace yet", fix=f"open {settings.slack_public_url}/slack/install")
    ]
