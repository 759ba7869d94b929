"""`footnote telegram …` and `footnote doctor telegram`: who may ask there, and what Telegram says of the bot."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console
from rich.table import Table

from bot.access import doorkeeper
from bot.platforms import telegram_checkup
from bot.settings import Settings, read_settings
from bot.wiring import admissions_of, channels_of, opened
from core.checkup import Check
from core.errors import BotError, ConfigError

_MARKS = {"ok": "[green]✓[/green]", "note": "[yellow]![/yellow]", "problem": "[red]✗[/red]"}
_WHO = {
    "open": "Everybody who finds the bot may ask (TELEGRAM_ACCESS=open).",
    "list": "Who is in TELEGRAM_ALLOWED may ask, and who was let in (TELEGRAM_ACCESS=list).",
    "pairing": "Who is in TELEGRAM_ALLOWED may ask, who was let in, and whoever has a code (TELEGRAM_ACCESS=pairing).",
}


async def checkup_command(*, as_json: bool) -> bool:
    """Print what Telegram says of the bot; return whether there is no problem."""
    settings = read_settings()
    if settings.telegram_bot_token is None:
        raise ConfigError("TELEGRAM_BOT_TOKEN is not set: get a token from @BotFather (/newbot) and put it into .env")
    checks = await telegram_checkup(settings, await _groups(settings))
    if as_json:
        print(json.dumps({"telegram": [asdict(check) for check in checks]}, ensure_ascii=False, indent=2))
    else:
        _print(checks)
    return all(check.state != "problem" for check in checks)


async def pair_command(code: str) -> None:
    """Let in the person who has the code. Raises BotError."""
    settings = read_settings()
    async with opened(settings) as stores:
        keeper = doorkeeper(admissions_of(stores.database), settings)
        person = await keeper.redeem("telegram", code, "console")
    if person is None:
        raise ConfigError("nobody waits with that code: it was mistyped, used already, or is older than an hour")
    print(f"{person} may ask the bot now, in private.")


async def people_command(*, as_json: bool) -> None:
    """Print who may ask. Raises BotError."""
    settings = read_settings()
    async with opened(settings) as stores:
        let_in = await admissions_of(stores.database).allowed("telegram")
    rows = [(number, "TELEGRAM_ALLOWED", "") for number in settings.telegram_allowed]
    rows += [(who.partition(":")[2], by, f"{at:%Y-%m-%d %H:%M} UTC") for who, (by, at) in let_in.items()]
    if as_json:
        people = [{"number": number, "by": by, "at": at or None} for number, by, at in rows]
        print(json.dumps({"access": settings.telegram_access, "people": people}, ensure_ascii=False, indent=2))
        return
    console = Console()
    console.print(_WHO[settings.telegram_access], highlight=False, soft_wrap=True)
    if rows:
        table = Table("Number", "let in by", "at", box=None, header_style="bold")
        for row in rows:
            table.add_row(*row)
        console.print(table)


async def remove_command(number: str) -> None:
    """Let a person or a group in no longer. Raises BotError."""
    who = f"chat:{number}" if number.startswith("-") else f"person:{number}"
    settings = read_settings()
    async with opened(settings) as stores:
        was_there = await admissions_of(stores.database).remove("telegram", who)
    if number in settings.telegram_allowed:
        raise ConfigError(f"{number} is in TELEGRAM_ALLOWED: take it out there, and start the bot again")
    print(f"{number} is let in no longer." if was_there else f"{number} was not let in.")


async def _groups(settings: Settings) -> list[str]:
    """Return the groups that the bot was asked in; none when the database cannot say, which `doctor` tells."""
    try:
        async with opened(settings) as stores:
            return await channels_of(stores.database).groups("telegram")
    except BotError:
        return []


def _print(checks: Sequence[Check]) -> None:
    console = Console()
    for check in checks:
        console.print(f"{_MARKS[check.state]} ", end="")
        console.print(f"{check.subject}: {check.found}", highlight=False, markup=False, soft_wrap=True)
        if check.consequence:
            console.print(f"   so {check.consequence}", highlight=False, markup=False, soft_wrap=True)
        if check.fix:
            console.print(f"   → {check.fix}", highlight=False, markup=False, soft_wrap=True)
