"""What people say of answers: whether one helped, and why not."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from adapters.storage.database import Database
from adapters.storage.tables import feedback


@dataclass(frozen=True, slots=True)
class Feedback:
    """One person's latest word on an answer."""

    person: str
    tenant: str
    helpful: bool
    reason: str | None
    at: datetime


class SqlFeedback:
    """The opinions in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def give(  # noqa: PLR0913 - each is a column, and given by name
        self, question_id: str, *, person: str, tenant: str, helpful: bool, reason: str | None, at: datetime
    ) -> None:
        """Keep what a person says now in place of what they said before; an older word changes nothing."""
        row = {"question_id": question_id, "person": person, "tenant": tenant}
        said = {"helpful": helpful, "reason": reason, "at": at}
        new = self._database.insert(feedback).values(row | said)
        latest = new.on_conflict_do_update(
            index_elements=["question_id", "person"], set_=said, where=feedback.c.at <= new.excluded.at
        )
        async with self._database.writing() as connection:
            await connection.execute(latest)

    async def of(self, question_id: str) -> tuple[Feedback, ...]:
        """Return what people say of the answer, the earliest word first."""
        query = select(feedback).where(feedback.c.question_id == question_id).order_by(feedback.c.at, feedback.c.person)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return tuple(Feedback(row.person, row.tenant, row.helpful, row.reason, row.at) for row in rows)
