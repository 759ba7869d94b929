"""Whether anything can be stored: a database that is full, or may only be read, still answers every question."""

import secrets
import time

from sqlalchemy import delete

from adapters.storage.database import Database
from adapters.storage.tables import rates

# Seconds for which what was found is taken to hold: whoever asks often is not to keep the database busy.
_KEPT = 1.0
# What takes no more room than was there proves nothing: SQLite finds room for a question where it finds this much.
_ROOM = 16_000
# Others forget a row that is not of use any more.
_LASTS = 60.0
_FIRST, _BEYOND = "health:", "health;"


class SqlProbe:
    """Stores a row, and takes away the one before."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._stored_at = float("-inf")

    async def store(self) -> None:
        """Return once something was stored just now. Raises StorageError when nothing can be."""
        if time.monotonic() - self._stored_at < _KEPT:
            return
        # PostgreSQL has an index over the column, which takes short values only, and says itself when it is full.
        room = 0 if self._database.is_shared else _ROOM
        key = f"{_FIRST}{secrets.token_hex(8)}{'.' * room}"
        before = (rates.c.key >= _FIRST, rates.c.key < _BEYOND, rates.c.key != key)
        async with self._database.writing(first=True) as connection:
            await connection.execute(self._database.insert(rates).values(key=key, until=time.time() + _LASTS))
            await connection.execute(delete(rates).where(*before))
        self._stored_at = time.monotonic()
