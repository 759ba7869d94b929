"""`footnote migrate`: the database's schema, forward and back."""

from rich.console import Console
from rich.prompt import Confirm

import migrations
from bot.settings import read_settings
from bot.wiring import make_data_dir, open_its_database
from core.errors import ConfigError

_LOSS = (
    "Going back to {revision} removes the tables and columns that came after it, with what they hold. "
    "Stop every copy of the bot first, and keep a backup. Go on?"
)


async def migrate_command(to: str | None, *, sure: bool) -> None:
    """Bring the schema to the newest revision, or back to an older one, and say so. Raises ConfigError."""
    console = Console()
    settings = read_settings()
    make_data_dir(settings)
    database = open_its_database(settings)
    try:
        if to in (None, migrations.revisions()[-1]):  # back to the newest is no way back
            await database.prepare()
        elif _is_known(to) and (sure or Confirm.ask(_LOSS.format(revision=to), console=console, default=False)):
            await database.go_back(to)
        else:
            console.print("Nothing was changed.")
            return
    finally:
        await database.close()
    console.print(f"The database has schema {to or migrations.revisions()[-1]}.", highlight=False)


def _is_known(revision: str) -> bool:
    if revision not in ("base", *migrations.revisions()):
        known = ", ".join(migrations.revisions())
        raise ConfigError(f"--to {revision}: there is no such schema; there are {known}, and base for no tables")
    return True
