"""What is done once, though several copies of the bot are told of it: whoever claims it first does it."""

from datetime import UTC, datetime

from sqlalchemy import delete

from adapters.storage.database import Database
from adapters.storage.tables import rates


class SqlClaims:
    """Claims in a database that all copies share; like what else is used up in time, they are forgotten when it is."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, name: str, seconds: float) -> bool:
        """Return whether it is the caller's to do, and nobody else's for so many seconds. Raises StorageError."""
        now = datetime.now(UTC).timestamp()
        new = self._database.insert(rates).values(key=name, until=now + seconds)
        claimed = new.on_conflict_do_update(
            index_elements=["key"], set_={"until": new.excluded.until}, where=rates.c.until < now
        )
        async with self._database.writing() as connection:
            return await connection.scalar(claimed.returning(rates.c.key)) is not None

    async def release(self, name: str) -> None:
        """Let somebody else claim it: it was not done. Raises StorageError."""
        async with self._database.writing() as connection:
            await connection.execute(delete(rates).where(rates.c.key == name))
