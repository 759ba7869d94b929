"""The stored conversations: what a thread has been about, and what came of each question."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, Row, Select, Update, bindparam, select, union_all, update

from adapters.storage import tables
from adapters.storage.audit import put_entry
from adapters.storage.database import Database
from adapters.storage.parts import put_parts
from adapters.storage.tables import turns
from core.conversation import AlreadyAnswered, MessageRef, Question, Thread, Turn
from core.delivery import Part
from core.result import result_of
from core.turn import TurnRecord

ACTIVE = ("waiting", "working")
_REMEMBERED = (turns.c.text, turns.c.standalone, turns.c.entities, turns.c.answered, turns.c.asked_at)


class SqlThreads:
    """The port `Threads` over a database; a thread gives back its last `window` finished turns."""

    def __init__(self, database: Database, window: int) -> None:
        self._database = database
        self._window = window

    async def open(self, question: Question) -> Thread | AlreadyAnswered:
        """Return the thread's earlier turns, or that nothing is to be said to this question any more."""
        given = {"its_id": question.id, "its_thread": question.thread, "at": question.asked_at, "most": self._window}
        async with self._database.reading() as connection:
            row = (await connection.execute(_stands(), {"its_id": question.id})).one_or_none()
            if row is not None and (row.state not in ACTIVE or row.version != question.version):
                return AlreadyAnswered(question.id)
            rows = (await connection.execute(_earlier(), given)).all()
        return Thread(question.thread, tuple(_turn(row) for row in reversed(rows)))

    async def close(self, question: Question, parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        """Store at once what came of the question, its audit entry and the messages that say it.

        A question that was not recorded before is stored, too. Changes nothing when it is done already, or has been
        edited or taken back since.
        """
        finished = _finished(record) | {"state": "done", "taken_by": None}
        ours = {"its_id": question.id, "its_version": question.version}
        async with self._database.writing() as connection:
            if not (await connection.execute(_end(), ours | finished)).rowcount:
                new = self._database.insert(turns).values(asked(question) | finished).on_conflict_do_nothing()
                # How many rows an INSERT made is not counted: it says itself which one.
                if await connection.scalar(new.returning(turns.c.question_id)) is None:
                    return
            if record:
                await put_entry(self._database, connection, record, finished["result"])
            await put_parts(self._database, connection, question, parts)

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


# The statements of a question's way are made once: to put one together takes longer than to run it.
_ID: BindParameter[str] = bindparam("its_id")


@cache
def _stands() -> Select[*tuple[Any, ...]]:
    return select(turns.c.state, turns.c.version).where(turns.c.question_id == _ID)


@cache
def _earlier() -> Select[*tuple[Any, ...]]:
    # Telegram's clock has whole seconds: of two questions in one of them, the first answered came first.
    return (
        select(*_REMEMBERED)
        .where(
            turns.c.thread == bindparam("its_thread"),
            turns.c.asked_at <= bindparam("at"),
            turns.c.standalone.is_not(None),
            turns.c.state == "done",
            turns.c.question_id != _ID,
        )
        .order_by(turns.c.asked_at.desc(), turns.c.finished_at.desc())
        .limit(bindparam("most"))
    )


@cache
def _end() -> Update:
    version = turns.c.version == bindparam("its_version")
    return update(turns).where(turns.c.question_id == _ID, version, turns.c.state.in_(ACTIVE))


def asked(question: Question) -> dict[str, Any]:
    """Return a question as the columns of its row."""
    return {
        "question_id": question.id,
        "thread": question.thread,
        "platform": question.platform,
        "asker": question.asker,
        "tenant": question.audience.tenant,
        "groups": sorted(question.audience.groups),
        "place": question.place,
        "message": question.message,
        "root": question.root,
        "resend": question.resend,
        "text": question.text,
        "version": question.version,
        "asked_at": question.asked_at,
    }


def _finished(record: TurnRecord | None) -> dict[str, Any]:
    if record is None:
        return {"standalone": None, "entities": None, "answered": None, "finished_at": None, "result": None}
    return {
        "standalone": record.decision.question,
        "entities": list(record.plan.entities),
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
