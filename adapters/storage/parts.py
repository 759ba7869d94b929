"""The messages of a reply as rows of the outbox, whether they are new or take the place of earlier ones."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

from sqlalchemy import Insert, bindparam, case, delete, func, null, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database, insert_in
from adapters.storage.tables import is_forgotten, messages, outbox, turns
from core.conversation import MessageRef, Question
from core.delivery import Body, Part
from core.work import NOTE, Claim

# When a message is due that waits for nothing: no clock has to agree, and one that was ahead delays nothing.
AT_ONCE = datetime(2000, 1, 1, tzinfo=UTC)
# A message on its way is not called back: what it is to say instead waits until it has arrived.
CHANGED = case((outbox.c.state == "sending", "sending"), else_="waiting")
_HELD = case((outbox.c.state == "sending", "sending"), else_="held")


async def put_parts(
    database: Database, connection: AsyncConnection, question: Question, parts: Sequence[Part], *, final: bool = True
) -> None:
    """Let these be the messages of the reply, in this order, and no others: earlier ones change or go.

    A question that was never edited has no earlier ones than the sign in place of its answer. What is said to one at
    the door is held back until it is let in.
    """
    if final:
        # Two that write in one thread at once would mix their messages.
        await database.in_turn(connection, f"thread {question.thread}")
    if question.version:
        await _drop_others(connection, question.id, [part.name for part in parts])
    if not parts:
        return
    rows = [_row(question, part, final=final) for part in parts]
    await connection.execute(_put(database.dialect, held=question.at_door), rows)


async def show_held(connection: AsyncConnection, question_id: str) -> None:
    """Let be seen what was held back."""
    now = datetime.now(UTC)
    ours = (outbox.c.question_id == question_id, outbox.c.state == "held")
    await connection.execute(update(outbox).where(*ours).values(state="waiting", due_at=AT_ONCE, changed_at=now))


async def drop_held(connection: AsyncConnection, question_id: str) -> bool:
    """Forget what was held back; return whether there is more of the reply than that."""
    ours = outbox.c.question_id == question_id
    await connection.execute(delete(outbox).where(ours, outbox.c.state == "held"))
    return await connection.scalar(select(outbox.c.id).where(ours).limit(1)) is not None


async def drop_parts(connection: AsyncConnection, question_id: str) -> None:
    """Let every message of the reply go."""
    await _drop_others(connection, question_id, [])


async def drop_forgotten(connection: AsyncConnection, id_: int) -> None:
    """Let nothing be left of a message that is gone, of a question whose asker is forgotten."""
    theirs = select(turns.c.question_id).where(turns.c.question_id == outbox.c.question_id, is_forgotten())
    await connection.execute(delete(outbox).where(outbox.c.id == id_, outbox.c.state == "gone", theirs.exists()))


@cache
def carrying(dialect: str) -> Insert:
    """Return the statement that notes which question a message carries; given are `its_id` and `its_ref`.

    One that was forgotten while the message was on its way is named by nothing.
    """
    ref = bindparam("its_ref", type_=messages.c.ref.type)
    there = select(ref, outbox.c.thread, outbox.c.question_id).where(outbox.c.id == bindparam("its_id"))
    return insert_in(dialect, messages).from_select(["ref", "thread", "question_id"], there).on_conflict_do_nothing()


async def _drop_others(connection: AsyncConnection, question_id: str, kept: Sequence[str]) -> None:
    now = datetime.now(UTC)
    others = (outbox.c.question_id == question_id, outbox.c.part.not_in(kept), outbox.c.state != "gone")
    never = (outbox.c.shown.is_(None), outbox.c.in_doubt.is_(False), outbox.c.state != "sending")
    await connection.execute(update(outbox).where(*others, *never).values(state="gone", body=null()))
    await connection.execute(
        update(outbox)
        .where(*others)
        .values(body=null(), state=CHANGED, version=outbox.c.version + 1, due_at=AT_ONCE, changed_at=now)
    )


@cache
def _put(dialect: str, *, held: bool) -> Insert:
    """Return the statement that puts a message behind everything that is in the line; made once, it takes long."""
    last = select(func.coalesce(func.max(outbox.c.seq), 0)).scalar_subquery()
    new = insert_in(dialect, outbox).values(seq=last + 1)
    changed = {
        "body": new.excluded.body,
        "final": new.excluded.final,
        "state": _HELD if held else CHANGED,
        "version": outbox.c.version + 1,
        "seq": new.excluded.seq,
        "due_at": new.excluded.due_at,
        "changed_at": new.excluded.changed_at,
        "reason": None,
    }
    return new.on_conflict_do_update(index_elements=["question_id", "part"], set_=changed)


def _row(question: Question, part: Part, *, final: bool) -> dict[str, Any]:
    now = datetime.now(UTC)
    return {
        "question_id": question.id,
        "part": part.name,
        "platform": question.platform,
        "place": question.place,
        "thread": question.thread,
        "root": question.root,
        "message": question.message,
        "body": part.body,
        "final": final,
        "state": "held" if question.at_door else "waiting",
        "version": 1,
        "tried": 0,
        "in_doubt": False,
        "due_at": AT_ONCE,
        "changed_at": now,
    }


def note_of(claim: Claim, body: Body, shown: MessageRef | None) -> dict[str, Any]:
    """Return the row of a note that comes next in its thread, in place of what is shown."""
    now = datetime.now(UTC)
    outgoing = claim.outgoing
    return {
        "question_id": outgoing.question,
        "part": NOTE,
        "platform": outgoing.platform,
        "place": outgoing.asked.place,
        "thread": claim.thread,
        "root": outgoing.root,
        "message": outgoing.asked.message,
        "body": body,
        "shown": {"place": shown.place, "message": shown.message} if shown else None,
        "final": False,
        "state": "waiting",
        "version": 1,
        "tried": 0,
        "in_doubt": False,
        "seq": select(outbox.c.seq).where(outbox.c.id == outgoing.id).scalar_subquery(),
        "due_at": AT_ONCE,
        "changed_at": now,
    }
