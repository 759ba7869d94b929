"""Orders to index, one at a time, with the message that shows each person how theirs goes."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row, func, select, update

from adapters.storage.database import Database
from adapters.storage.index_tables import index_orders as orders
from adapters.storage.parts import put_parts
from core.conversation import PlatformName
from core.delivery import FIRST, Body, Part
from core.ingest.order import IndexOrder
from core.text import Language

_OPEN, _ENDED = "open", "ended"


class SqlOrders:
    """The orders in a database that copies of the bot may share; everything raises StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def place(
        self, person: str, where: tuple[PlatformName, str], language: Language, at: datetime
    ) -> tuple[IndexOrder, bool]:
        """Return the order that is open now, and whether it is the one that was just given: else nothing was added."""
        platform, place = where
        row = {"person": person, "platform": platform, "place": place, "language": language, "asked_at": at}
        new = self._database.insert(orders).values(row | {"state": _OPEN}).on_conflict_do_nothing()
        while True:
            async with self._database.writing() as connection:
                number = await connection.scalar(new.returning(orders.c.number))
                found = (await connection.execute(select(orders).where(orders.c.state == _OPEN))).one_or_none()
            if found:
                return _order(found), number is not None
            # The one that was open ended between the two statements.

    async def open(self) -> IndexOrder | None:
        """Return the order that has not ended."""
        async with self._database.reading() as connection:
            row = (await connection.execute(select(orders).where(orders.c.state == _OPEN))).one_or_none()
        return _order(row) if row else None

    async def begin(self, number: int, before: int) -> IndexOrder | None:
        """Return the order with the generation from which its changes count: the one of the first beginning."""
        first = func.coalesce(orders.c.before, before)
        begun = update(orders).where(*_is_open(number)).values(before=first).returning(*orders.c)
        async with self._database.writing() as connection:
            row = (await connection.execute(begun)).one_or_none()
        return _order(row) if row else None

    async def stop(self, number: int) -> bool:
        """Note that it is to stop; False when it has ended."""
        async with self._database.writing(first=True) as connection:
            return bool(
                (await connection.execute(update(orders).where(*_is_open(number)).values(stopping=True))).rowcount
            )

    async def show(self, order: IndexOrder, body: Body) -> bool:
        """Let the order's message say this, unless it has ended; its last words stay."""
        # To change the row is to hold it: nobody ends the order meanwhile.
        held = update(orders).where(*_is_open(order.number)).values(state=_OPEN)
        async with self._database.writing() as connection:
            is_open = bool((await connection.execute(held)).rowcount)
            if is_open:
                await put_parts(self._database, connection, order.message, [Part(FIRST, body)], final=False)
        return is_open

    async def end(self, order: IndexOrder, parts: Sequence[Part]) -> bool:
        """Note that the order has ended, with what its message says in the end; False when it was already."""
        ended = update(orders).where(*_is_open(order.number)).values(state=_ENDED, ended_at=datetime.now(UTC))
        async with self._database.writing() as connection:
            is_ours = bool((await connection.execute(ended)).rowcount)
            if is_ours:
                await put_parts(self._database, connection, order.message, parts)
        return is_ours


def _is_open(number: int) -> tuple[Any, ...]:
    return orders.c.number == number, orders.c.state == _OPEN


def _order(row: Row[Any]) -> IndexOrder:
    return IndexOrder(
        number=row.number,
        person=row.person,
        platform=row.platform,
        place=row.place,
        language=row.language,
        asked_at=row.asked_at,
        before=row.before,
        stopping=row.stopping,
    )
