"""`footnote channels` and `footnote channel`: whom the bot hears in each channel and chat."""

import json
import re
from datetime import UTC, datetime

from rich.console import Console
from rich.table import Table

from bot.settings import read_settings
from bot.wiring import channels_of, opened
from core.conversation import MODES
from core.errors import ConfigError
from core.work import Place

_PLACE = re.compile(r"(?:slack:[TE][A-Z0-9]{1,30}:[CG][A-Z0-9]{1,30}|telegram:-?[0-9]{1,20})")
_HEARD = {"mention": "who mentions it", "gate": "also what is surely asked of the documents", "all": "everybody"}


async def channels_command(*, as_json: bool) -> None:
    """Print the channels for which somebody has set something. Raises BotError."""
    async with opened(read_settings()) as stores:
        modes = await channels_of(stores.database).modes()
    if as_json:
        told = [{"place": ":".join(place), "mode": mode} for place, mode in modes.items()]
        print(json.dumps({"default": MODES[0], "channels": told}, ensure_ascii=False, indent=2))
        return
    console = Console()
    if modes:
        table = Table("Channel or chat", "mode", "the bot hears", box=None, header_style="bold")
        for place, mode in modes.items():
            table.add_row(":".join(place), mode, _HEARD[mode])
        console.print(table)
    console.print(
        f"{'Everywhere else' if modes else 'Everywhere'} the mode is mention: the bot hears who mentions it, and who "
        "goes on in a thread with it. Set another with: footnote channel PLACE gate",
        highlight=False,
        soft_wrap=True,
    )


async def channel_command(place: str, mode: str) -> None:
    """Set whom the bot hears in a channel or chat, from now on. Raises BotError."""
    where, chosen = _place(place), next((one for one in MODES if one == mode), None)
    if chosen is None:
        raise ConfigError(f"{mode!r} is no mode: write {', '.join(MODES[:-1])} or {MODES[-1]}")
    async with opened(read_settings()) as stores:
        await channels_of(stores.database).set_mode(where, chosen, changed_by="console", at=datetime.now(UTC))
    print(f"{place}: {chosen}, the bot hears {_HEARD[chosen]}.")


def _place(text: str) -> Place:
    if not _PLACE.fullmatch(text):
        raise ConfigError(
            f"{text!r} is no channel: write slack:T0TEAM:C0CHANNEL (both are in the channel's link) or "
            "telegram:-100123 (the chat's number); the bot names it when you ask it for the mode there"
        )
    platform, _, place = text.partition(":")
    return platform, place
