"""The audit log: every finished turn, kept in the order of their ends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any

from sqlalchemy import Insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database, insert_in
from adapters.storage.tables import audit
from core.conversation import Question
from core.text import normalise
from core.turn import TurnRecord


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One line of the log; `record` is the turn's result contract."""

    question_id: str
    tenant: str
    asker: str
    at: datetime
    record: Mapping[str, Any]


class SqlAudit:
    """The log in a database, with the search for admins; its entries are put there as turns are closed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def recent(self, limit: int, text: str | None = None) -> Sequence[AuditEntry]:
        """Return the latest entries, newest first; with a text those whose question, answer, asker or id holds it."""
        query = select(audit).order_by(audit.c.id.desc()).limit(limit)
        if text is not None:
            query = query.where(audit.c.words.contains(normalise(text), autoescape=True))
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return tuple(AuditEntry(row.question_id, row.tenant, row.asker, row.at, row.record) for row in rows)


async def put_entry(
    database: Database, connection: AsyncConnection, record: TurnRecord, result: Mapping[str, Any]
) -> None:
    """Append one finished turn with its result contract; for a version that is logged already nothing changes."""
    row = {
        "question_id": record.question.id,
        "version": record.question.version,
        "tenant": record.question.audience.tenant,
        "asker": record.question.asker,
        "at": record.finished_at,
        "words": _words(record, result),
        "record": result,
    }
    await connection.execute(_entry(database.dialect), row)


async def put_passed(database: Database, connection: AsyncConnection, question: Question, because: str) -> None:
    """Append that a message was overheard and is not for us; its words are nobody's to keep."""
    row = {
        "question_id": question.id,
        "version": question.version,
        "tenant": question.audience.tenant,
        "asker": question.asker,
        "at": datetime.now(UTC),
        "words": normalise(f"{question.id}\n{question.asker}\n{because}"),
        "record": {"question": "", "answer": "", "passed_over": because},
    }
    await connection.execute(_entry(database.dialect), row)


@cache
def _entry(dialect: str) -> Insert:
    return insert_in(dialect, audit).on_conflict_do_nothing()


def _words(record: TurnRecord, result: Mapping[str, Any]) -> str:
    # Folded here: SQLite ignores case in Latin letters alone.
    question = record.question
    return normalise("\n".join((question.id, question.asker, question.text, str(result["answer"]))))
