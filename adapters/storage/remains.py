"""What a database's files still hold of rows as they were before they were changed."""

import asyncio

from sqlalchemy import Table, text

from adapters.storage.database import Database
from core.errors import StorageError

# Nobody is waited for who empties SQLite's log at the same time: it is tried again, with seconds between.
_TRIES, _PAUSE = 4, 0.25
_STANDS = (
    "what was sealed before still stands in footnote.db-wal, as somebody reads it just now: try again, or stop the bot "
    "before"
)


async def leave_no_remains(database: Database, table: Table) -> None:
    """Let the files of a database hold the rows of a table as they are now, and none as they were.

    Of PostgreSQL that is the table's own file: what it has written to its log, and backups, are not ours to change.
    Raises StorageError.
    """
    if database.is_shared:
        async with database.reading() as connection:
            await connection.execute(text(f"VACUUM FULL {table.name}"))
        return
    for _ in range(_TRIES):
        async with database.reading() as connection:
            if not (await connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))).scalar_one():
                return
        await asyncio.sleep(_PAUSE)
    raise StorageError(_STANDS, retry=True)
