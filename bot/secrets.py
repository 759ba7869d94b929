"""`footnote secrets`: the keys that seal stored tokens."""

import sys

from bot.installing import installations_of
from bot.settings import read_settings
from bot.wiring import make_data_dir, open_its_database


def new_command() -> None:
    """Print a new key; where it goes is told beside, so that a script can take the key alone."""
    from adapters.secrets.fernet import new_key

    print(new_key())
    print(
        "Put it first in FOOTNOTE_SECRET_KEYS, before a comma and the keys of before; then footnote secrets rotate.",
        file=sys.stderr,
    )


async def rotate_command() -> bool:
    """Seal everything with the first key and say how much that was; return whether some key opened all of it."""
    settings = read_settings()
    make_data_dir(settings)
    database = open_its_database(settings)
    try:
        installations = installations_of(database, settings)
        await database.prepare()
        done, locked = await installations.reseal()
    finally:
        await database.close()
    rest = "" if locked else " The other keys may go."
    print(f"Sealed with the first key: the tokens of {done} workspaces.{rest}")
    for team in locked:
        print(
            f"footnote: FOOTNOTE_SECRET_KEYS: no key opens the tokens of workspace {team}; put the key that sealed "
            "them back, or let it install the app again",
            file=sys.stderr,
        )
    return not locked
