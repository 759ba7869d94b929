"""The answers that a person has checked: found by the words of their question, within one workspace."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, select, update

from adapters.storage.database import Database
from adapters.storage.tables import pins
from core.pin import Pin

# Checked answers to one question that are looked at, the newest first: there is one for each audience at most.
_MOST = 10


class SqlPins:
    """The checked answers in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, pin: Pin) -> int:
        """Keep a checked answer and return its number; one that was kept before is kept anew, by the latest person."""
        row = {
            "tenant": pin.tenant,
            "words": pin.words,
            "question_id": pin.question,
            "version": pin.version,
            "result": dict(pin.result),
            "pinned_by": pin.by,
            "pinned_at": pin.at,
            "fallen_at": None,
            "because": None,
        }
        new = self._database.insert(pins).values(row)
        anew = new.on_conflict_do_update(index_elements=["question_id", "version"], set_=row).returning(pins.c.number)
        async with self._database.writing() as connection:
            number = await connection.scalar(anew)
        assert number is not None
        return int(number)

    async def standing(self, tenant: str, words: str) -> Sequence[Pin]:
        """Return the checked answers to a question that have not fallen, the newest first."""
        found = (pins.c.tenant == tenant, pins.c.words == words, pins.c.fallen_at.is_(None))
        query = select(pins).where(*found).order_by(pins.c.pinned_at.desc(), pins.c.number.desc()).limit(_MOST)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return tuple(_pin(row) for row in rows)

    async def all(self) -> Sequence[Pin]:
        """Return every checked answer, also the fallen ones, in the order of their numbers."""
        async with self._database.reading() as connection:
            rows = (await connection.execute(select(pins).order_by(pins.c.number))).all()
        return tuple(_pin(row) for row in rows)

    async def fall(self, number: int, because: str, at: datetime) -> None:
        """Note that a checked answer is not given any more, and why; the first reason stays."""
        fallen = update(pins).where(pins.c.number == number, pins.c.fallen_at.is_(None))
        async with self._database.writing() as connection:
            await connection.execute(fallen.values(fallen_at=at, because=because))

    async def remove(self, number: int) -> bool:
        """Forget a checked answer; False when there is none of this number."""
        async with self._database.writing() as connection:
            return bool((await connection.execute(delete(pins).where(pins.c.number == number))).rowcount)

    async def of(self, question: str, version: int) -> Pin | None:
        """Return what was kept of this answer itself."""
        query = select(pins).where(pins.c.question_id == question, pins.c.version == version)
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).one_or_none()
        return _pin(row) if row else None


def _pin(row: Row[Any]) -> Pin:
    return Pin(
        tenant=row.tenant,
        words=row.words,
        question=row.question_id,
        version=row.version,
        result=row.result,
        by=row.pinned_by,
        at=row.pinned_at,
        number=row.number,
        fallen_at=row.fallen_at,
        because=row.because,
    )
