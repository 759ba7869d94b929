"""What models cost each workspace each day."""

from datetime import date
from functools import cache

from sqlalchemy import Insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database, insert_in
from adapters.storage.tables import spending
from core.conversation import Question
from core.turn import Spent


class SqlSpending:
    """The port `Spending` over a database; what a question cost is added as its turn is closed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, tenant: str, day: date) -> Spent:
        """Return what models cost the workspace on a day of UTC. Raises StorageError."""
        query = select(spending).where(spending.c.tenant == tenant, spending.c.day == day)
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).one_or_none()
        return Spent(row.calls, row.tokens, row.cost) if row else Spent()

    async def on(self, day: date) -> dict[str, Spent]:
        """Return what models cost each workspace on a day of UTC. Raises StorageError."""
        query = select(spending).where(spending.c.day == day).order_by(spending.c.tenant)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return {row.tenant: Spent(row.calls, row.tokens, row.cost) for row in rows}


async def put_spent(
    database: Database, connection: AsyncConnection, question: Question, day: date, spent: Spent
) -> None:
    """Add what a finished turn cost to the day of its end."""
    if spent.calls:
        row = {"tenant": question.audience.tenant, "day": day}
        row |= {"calls": spent.calls, "tokens": spent.tokens, "cost": spent.cost}
        await connection.execute(_added(database.dialect), row)


@cache
def _added(dialect: str) -> Insert:
    new = insert_in(dialect, spending)
    sums = {name: spending.c[name] + new.excluded[name] for name in ("calls", "tokens", "cost")}
    return new.on_conflict_do_update(index_elements=["tenant", "day"], set_=sums)
