"""The message that a question replies to: as a column, and the turn and the source that it stands for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.tables import messages, outbox, turns
from core.about import entries_of, source_asked
from core.conversation import MessageRef, PlatformName, Pressed, Question, SourceAsked, Target


@dataclass(frozen=True, slots=True)
class RepliedTo:
    """The row of the turn that a question replies to, and the source of its evidence that is meant, if it is one."""

    row: Any
    about: SourceAsked | None


def target_column(target: Target | None) -> dict[str, Any] | None:
    """Return the message as JSON; the words that the asker quotes are not kept, but where they stand."""
    if target is None:
        return None
    kept: dict[str, Any] = {"place": target.message.place, "message": target.message.message}
    return kept | ({"span": list(target.span)} if target.span else {})


def read_target(platform: str, kept: Mapping[str, Any] | None) -> Target | None:
    """Return the message from its column."""
    if kept is None:
        return None
    ref = MessageRef(cast("PlatformName", platform), kept["place"], kept["message"])
    return Target(ref, (kept["span"][0], kept["span"][1]) if "span" in kept else None)


async def replied_to(
    connection: AsyncConnection, question: Question, columns: Sequence[ColumnElement[Any]]
) -> RepliedTo | None:
    """Return the finished turn of the same thread that the question replies to; None when there is none.

    A source that was opened in private belongs to a turn of another thread.
    """
    target, opened = question.answers, _opened(question)
    if target is None:
        return None
    ref = str(target.message)
    carried = select(messages.c.question_id).where(messages.c.ref == ref)
    ours = or_(turns.c.question_id == ref, turns.c.question_id.in_(carried))
    here = turns.c.question_id == opened.question if opened else turns.c.thread == question.thread
    finished = (here, turns.c.state == "done", turns.c.standalone.is_not(None))
    query = select(*columns, turns.c.question_id, turns.c.result).where(ours, *finished)
    row = (await connection.execute(query.where(turns.c.question_id != question.id).limit(1))).one_or_none()
    if row is None:
        return None
    if opened:
        entries = entries_of(row.result or {})
        found = (SourceAsked(one.doc_id, one.title) for one in entries if str(one.number) == opened.value)
        return RepliedTo(row, next(found, None))
    shown = await _evidence(connection, row.question_id, target.message)
    about = source_asked(shown, entries_of(row.result), target.span) if shown and row.result else None
    return RepliedTo(row, about)


def _opened(question: Question) -> Pressed | None:
    return question.pressed if question.pressed and question.pressed.kind == "open" else None


async def _evidence(connection: AsyncConnection, question_id: str, message: MessageRef) -> str:
    """Return the text of the message when it is one of the turn's evidence, else nothing."""
    here = {"place": message.place, "message": message.message}
    query = select(outbox.c.shown, outbox.c.body).where(
        outbox.c.question_id == question_id, outbox.c.part.startswith("evidence")
    )
    rows = (await connection.execute(query)).all()
    return next((str(row.body.get("text", "")) for row in rows if row.shown == here and row.body), "")
