"""The stored conversations: every question once, and what a thread has been about."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, Select, select, union_all

from adapters.storage import tables
from adapters.storage.database import Database
from adapters.storage.tables import turns
from core.conversation import AlreadyAnswered, MessageRef, Question, Thread, Turn
from core.result import result_of
from core.turn import TurnRecord

_OPEN, _DONE = "open", "done"
_REMEMBERED = (turns.c.text, turns.c.standalone, turns.c.entities, turns.c.answered, turns.c.asked_at)


class SqlThreads:
    """The port `Threads` over a database; a thread gives back its last `window` finished turns."""

    def __init__(self, database: Database, window: int) -> None:
        self._database = database
        self._window = window

    async def record(self, question: Question) -> bool:
        """Store the question durably; return False when it is already known, also to another process."""
        new = self._database.insert(turns).values(_asked(question)).on_conflict_do_nothing()
        async with self._database.writing() as connection:
            return await connection.scalar(new.returning(turns.c.question_id)) is not None

    async def open(self, question: Question) -> Thread | AlreadyAnswered:
        """Return the thread's earlier turns, or that this question is done. An unknown question is recorded."""
        async with self._database.reading() as connection:
            state = await connection.scalar(select(turns.c.state).where(turns.c.question_id == question.id))
            rows = () if state == _DONE else (await connection.execute(self._earlier(question))).all()
        if state == _DONE:
            return AlreadyAnswered(question.id)
        if state is None:
            await self.record(question)
        return Thread(question.thread, tuple(_turn(row) for row in reversed(rows)))

    async def close(self, record: TurnRecord) -> None:
        """Store the finished turn; doing it again changes nothing."""
        finished = _finished(record)
        row = self._database.insert(turns).values(_asked(record.question) | finished)
        async with self._database.writing() as connection:
            await connection.execute(row.on_conflict_do_update(index_elements=["question_id"], set_=finished))

    async def delivered(self, question: Question, messages: Sequence[MessageRef]) -> None:
        """Remember which messages carry the answer, so that replies to them find the thread."""
        rows = [{"ref": str(ref), "thread": question.thread, "question_id": question.id} for ref in messages]
        if not rows:
            return
        async with self._database.writing() as connection:
            await connection.execute(self._database.insert(tables.messages).values(rows).on_conflict_do_nothing())

    async def thread_of(self, message: MessageRef) -> str | None:
        """Return the thread of a message that carries an answer, or whose `str` is the id of a question."""
        ours = select(tables.messages.c.thread).where(tables.messages.c.ref == str(message))
        theirs = select(turns.c.thread).where(turns.c.question_id == str(message))
        async with self._database.reading() as connection:
            found: str | None = await connection.scalar(union_all(ours, theirs).limit(1))
        return found

    async def knows(self, thread: str) -> bool:
        """Return whether the thread holds a question that was asked of us."""
        async with self._database.reading() as connection:
            return await connection.scalar(select(turns.c.state).where(turns.c.thread == thread).limit(1)) is not None

    def _earlier(self, question: Question) -> Select[*tuple[Any, ...]]:
        # Telegram's clock has whole seconds: of two questions in one of them, the first answered came first.
        return (
            select(*_REMEMBERED)
            .where(turns.c.thread == question.thread, turns.c.asked_at <= question.asked_at, turns.c.state == _DONE)
            .order_by(turns.c.asked_at.desc(), turns.c.finished_at.desc())
            .limit(self._window)
        )


def _asked(question: Question) -> dict[str, Any]:
    return {
        "question_id": question.id,
        "thread": question.thread,
        "platform": question.platform,
        "asker": question.asker,
        "tenant": question.audience.tenant,
        "text": question.text,
        "state": _OPEN,
        "asked_at": question.asked_at,
    }


def _finished(record: TurnRecord) -> dict[str, Any]:
    return {
        "standalone": record.decision.question,
        "entities": list(record.plan.entities),
        "state": _DONE,
        "answered": not record.answer.is_refusal,
        "finished_at": record.finished_at,
        "result": result_of(record),
    }


def _turn(row: Row[Any]) -> Turn:
    return Turn(
        question=row.text,
        standalone=row.standalone,
        entities=tuple(row.entities),
        answered=row.answered,
        asked_at=row.asked_at,
    )
