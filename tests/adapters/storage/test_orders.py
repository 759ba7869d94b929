"""Orders to index in a database that several copies share."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import event
from sqlalchemy.util import await_only

from adapters.storage.database import Database, open_database
from adapters.storage.orders import SqlOrders
from core.ingest.order import IndexOrder


async def placed(orders: SqlOrders, person: str) -> tuple[IndexOrder, bool]:
    return await orders.place(person, ("slack", "D1"), "ru", datetime.now(UTC))


@pytest.mark.parametrize("place", ["postgresql"], indirect=True)
async def test_an_order_that_ends_as_another_is_given(place: str, database: Database) -> None:
    """Whoever orders in the moment in which an order ends has given a new one."""
    orders, elsewhere = SqlOrders(database), open_database(place)
    first, _ = await placed(orders, "Анна")
    ended: list[bool] = []

    def ends(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("SELECT") and not ended:
            ended.append(await_only(SqlOrders(elsewhere).end(first, ())))

    event.listen(database._engine.sync_engine, "before_cursor_execute", ends)
    second, is_new = await placed(orders, "Boris")
    await elsewhere.close()

    assert ended == [True]
    assert (second.number > first.number, second.person, is_new) == (True, "Boris", True)
