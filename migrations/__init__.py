"""The schema's history: which revisions there are, and how Alembic runs them without a configuration file."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import URL

_FOLDER = Path(__file__).parent


def revisions() -> tuple[str, ...]:
    """Return all revisions, oldest first, from the names of their files: `0001_first_tables.py` is revision 0001."""
    return tuple(sorted(path.name.partition("_")[0] for path in _FOLDER.glob("versions/[0-9]*_*.py")))


def configuration(url: "str | URL") -> "Config":
    """Return Alembic's configuration for a database, as `alembic.command` takes it."""
    from alembic.config import Config

    config = Config(attributes={"url": url})
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    return config


def upgrade(url: "str | URL") -> None:
    """Bring the database to the newest revision, or leave it as it was. Blocks; several may run it at once."""
    from alembic import command

    command.upgrade(configuration(url), "head")


def downgrade(url: "str | URL", revision: str) -> None:
    """Take the database back to a revision, "base" for none, or leave it as it was. Loses what that did not hold."""
    from alembic import command

    command.downgrade(configuration(url), revision)
