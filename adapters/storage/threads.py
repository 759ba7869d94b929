"""The stored conversations: what a thread has been about, and what came of each question."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Row,
    Select,
    Update,
    and_,
    bindparam,
    or_,
    select,
    union_all,
    update,
)

from adapters.storage import tables
from adapters.storage.audit import put_entry, put_passed
from adapters.storage.beyond import offered_before
from adapters.storage.database import Database
from adapters.storage.offers import offer_in, pressed_columns, read_offer, read_unclear, unclear_column
from adapters.storage.parts import put_parts
from adapters.storage.setting import is_private, once_done, setting_column
from adapters.storage.spending import put_spent
from adapters.storage.tables import turns
from adapters.storage.targets import replied_to, target_column
from core.conversation import AlreadyAnswered, Audience, MessageRef, Question, Thread, Turn
from core.delivery import Part
from core.followup import Unclear
from core.listing import listed_as_data, read_listed
from core.press import Offer
from core.result import result_of
from core.turn import Spent, Told, TurnRecord
from core.work import Place

ACTIVE = ("waiting", "working")
# Of so many latest questions one tells, if any does, in which language somebody asks.
_LAST = 10
_REMEMBERED = (
    *(turns.c.text, turns.c.standalone, turns.c.entities, turns.c.answered, turns.c.asked_at, turns.c.unclear),
    *(turns.c.listed, turns.c.sources, turns.c.told),
)
_FINISHED = ("standalone", "entities", "answered", "finished_at", "result", "unclear", "listed", "sources", "told")


class SqlThreads:
    """The port `Threads` over a database; a thread gives back its last `window` finished turns.

    Of those before them it gives back what they asked back and what was chosen then, and the list of which more is
    asked for; without a window also the last turn.

    `mask` makes of a result what the audit log is to hold of it; without it that is all of it.
    """

    def __init__(
        self, database: Database, window: int, mask: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    ) -> None:
        self._database = database
        self._window = window
        self._mask = mask

    async def open(self, question: Question) -> Thread | AlreadyAnswered:
        """Return the thread's earlier turns, or that nothing is to be said to this question any more."""
        given = {"its_id": question.id, "its_thread": question.thread, "at": question.asked_at}
        # Without a window, too, the last turn may have asked back, or have left something of a list.
        most = max(self._window, 1)
        async with self._database.reading() as connection:
            row = (await connection.execute(_stands(), {"its_id": question.id})).one_or_none()
            if row is not None and (row.state not in ACTIVE or row.version != question.version):
                return AlreadyAnswered(question.id)
            rows = (await connection.execute(_earlier(), given | {"most": most})).all()
            target = await replied_to(connection, question, _REMEMBERED) if question.answers else None
            key = question.more_of or (((target.row.listed if target else None) or {}).get("key"))
            # A thread that is not longer than that has nothing before it.
            before = await offered_before(connection, _finished_turns(), given, key) if len(rows) == most else ()
        within, known = rows[: self._window], {row.question_id for row in rows}
        before = (*rows[self._window :], *(row for row in before if row.question_id not in known))
        thread = Thread(
            question.thread,
            tuple(_turn(row) for row in reversed(within)),
            before=tuple(_turn(row) for row in reversed(before)),
        )
        return replace(thread, answers=_turn(target.row), about=target.about) if target else thread

    async def close(self, question: Question, parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        """Store at once what came of the question, its audit entry and the messages that say it.

        A question that was not recorded before is stored, too. Changes nothing when it is done already, or has been
        edited or taken back since.
        """
        finished = _finished(record) | {"state": "done", "taken_by": None} | once_done(question)
        ours = {"its_id": question.id, "its_version": question.version}
        async with self._database.writing() as connection:
            if not (await connection.execute(_end(), ours | finished)).rowcount:
                new = self._database.insert(turns).values(asked(question) | finished).on_conflict_do_nothing()
                # How many rows an INSERT made is not counted: it says itself which one.
                if await connection.scalar(new.returning(turns.c.question_id)) is None:
                    return
            await put_parts(self._database, connection, question, parts)
            if record:
                # Last: all that end at once in a workspace count in one row, and all of them make one chain.
                await put_spent(self._database, connection, question, record.finished_at.date(), record.spent)
                logged = self._mask(finished["result"]) if self._mask else finished["result"]
                await put_entry(self._database, connection, record, logged)

    async def pass_over(self, question: Question, because: str, spent: Spent) -> None:
        """Store that an overheard message is not for us, and why, without its words; its earlier answer goes.

        What it cost to find that out counts as what an answer costs.

        Changes nothing when it is done already, or has been edited or taken back since.
        """
        ours = {"its_id": question.id, "its_version": question.version}
        gone = {"text": "", "state": "done", "taken_by": None} | _finished(None) | once_done(question)
        async with self._database.writing() as connection:
            if (await connection.execute(_end(), ours | gone)).rowcount:
                await put_parts(self._database, connection, question, ())
                await put_spent(self._database, connection, question, datetime.now(UTC).date(), spent)
                await put_passed(self._database, connection, question, because)

    async def thread_of(self, message: MessageRef) -> str | None:
        """Return the thread of a message that carries an answer, or whose `str` is the id of a question."""
        ours = select(tables.messages.c.thread).where(tables.messages.c.ref == str(message))
        theirs = select(turns.c.thread).where(turns.c.question_id == str(message))
        async with self._database.reading() as connection:
            found: str | None = await connection.scalar(union_all(ours, theirs).limit(1))
        return found

    async def offered(self, message: MessageRef) -> Offer | None:
        """Return what the reply offers that the message is part of; None while it is made, and for other messages."""
        async with self._database.reading() as connection:
            row = (await connection.execute(offer_in(message))).one_or_none()
        return read_offer(row) if row else None

    async def told_by(self, message: MessageRef) -> Told | None:
        """Return what is stored of the question that the message asks or answers."""
        ref = str(message)
        carried = select(tables.messages.c.question_id).where(tables.messages.c.ref == ref)
        return await self._told(or_(turns.c.question_id == ref, turns.c.question_id.in_(carried)))

    async def told_last(self, thread: str) -> Told | None:
        """Return what is stored of the question that was answered last in the thread."""
        return await self._told(turns.c.thread == thread)

    async def told_latest(self, place: Place, asker: str) -> Told | None:
        """Return what is stored of the question that somebody asked last in a channel or chat."""
        platform, channel = place
        return await self._told(and_(turns.c.platform == platform, turns.c.place == channel, turns.c.asker == asker))

    async def told_of(self, question_id: str) -> tuple[Told, str, bool] | None:
        """Return what is stored of a question that is done, who asked it, and whether its reply is for them alone."""
        done = (turns.c.question_id == question_id, turns.c.state == "done")
        columns = (turns.c.text, turns.c.tenant, turns.c.groups, turns.c.guests, turns.c.result)
        async with self._database.reading() as connection:
            row = (
                await connection.execute(select(*columns, turns.c.asker, turns.c.setting).where(*done))
            ).one_or_none()
        return (Told(row.text, read_audience(row), row.result), row.asker, is_private(row.setting)) if row else None

    async def _told(self, which: ColumnElement[bool]) -> Told | None:
        done = (which, turns.c.state == "done", _is_ours())
        query = select(turns.c.text, turns.c.tenant, turns.c.groups, turns.c.guests, turns.c.result).where(*done)
        latest = query.order_by(turns.c.finished_at.desc().nulls_last(), turns.c.asked_at.desc()).limit(1)
        async with self._database.reading() as connection:
            row = (await connection.execute(latest)).one_or_none()
        return Told(row.text, read_audience(row), row.result) if row else None

    async def answered_last(self, place: Place, thread: str | None, asker: str) -> tuple[str, int] | None:
        """Return the question and version that was answered last: in the thread, or of all that somebody asked."""
        platform, channel = place
        theirs = and_(turns.c.platform == platform, turns.c.place == channel, turns.c.asker == asker)
        done = (turns.c.thread == thread if thread else theirs, turns.c.state == "done", turns.c.answered.is_(True))
        query = select(turns.c.question_id, turns.c.version).where(*done).order_by(turns.c.finished_at.desc()).limit(1)
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).one_or_none()
        return (row.question_id, row.version) if row else None

    async def asked_last(self, place: Place, asker: str | None) -> Sequence[str]:
        """Return the words of the latest questions that somebody, or without an `asker` anybody, asked in a place."""
        platform, channel = place
        there = (turns.c.platform == platform, turns.c.place == channel, turns.c.text != "", _is_ours())
        theirs = () if asker is None else (turns.c.asker == asker,)
        query = select(turns.c.text).where(*there, *theirs).order_by(turns.c.asked_at.desc()).limit(_LAST)
        async with self._database.reading() as connection:
            return list(await connection.scalars(query))

    async def knows(self, thread: str, asker: str | None = None) -> bool:
        """Return whether the thread holds a question that was asked of us, by anybody or by the `asker`."""
        theirs = () if asker is None else (turns.c.asker == asker,)
        asked_of_us = (turns.c.thread == thread, turns.c.state != "copy", _is_ours(), *theirs)
        query = select(turns.c.state).where(*asked_of_us).limit(1)
        async with self._database.reading() as connection:
            return await connection.scalar(query) is not None


def _is_ours() -> ColumnElement[bool]:
    """Return whether a turn is ours to speak of: what was only overheard is, once it has been answered."""
    return or_(turns.c.overheard.is_(False), turns.c.answered.is_(True))


# The statements of a question's way are made once: to put one together takes longer than to run it.
_ID: BindParameter[str] = bindparam("its_id")


@cache
def _stands() -> Select[*tuple[Any, ...]]:
    return select(turns.c.state, turns.c.version).where(turns.c.question_id == _ID)


@cache
def _finished_turns() -> Select[*tuple[Any, ...]]:
    return select(*_REMEMBERED, turns.c.question_id, turns.c.finished_at).where(
        turns.c.thread == bindparam("its_thread"),
        turns.c.asked_at <= bindparam("at"),
        turns.c.standalone.is_not(None),
        turns.c.state == "done",
        turns.c.question_id != _ID,
    )


@cache
def _earlier() -> Select[*tuple[Any, ...]]:
    # Telegram's clock has whole seconds: of two questions in one of them, the first answered came first.
    latest = _finished_turns().order_by(turns.c.asked_at.desc(), turns.c.finished_at.desc())
    return latest.limit(bindparam("most"))


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
        **audience_columns(question.audience),
        "place": question.place,
        "message": question.message,
        "root": question.root,
        "resend": question.resend,
        "overheard": question.overheard,
        "text": question.text,
        "version": question.version,
        "asked_at": question.asked_at,
        **pressed_columns(question),
        **setting_column(question),
        "answers": target_column(question.answers),
    }


def audience_columns(audience: Audience) -> dict[str, Any]:
    """Return whom a reply is for as columns, but for the workspace."""
    return {"groups": sorted(audience.groups), "guests": audience.guests}


def read_audience(row: Any) -> Audience:
    """Return whom a reply is for, by the columns of its turn."""
    return Audience(row.tenant, frozenset(row.groups), guests=row.guests)


def _finished(record: TurnRecord | None) -> dict[str, Any]:
    if record is None:
        return dict.fromkeys(_FINISHED)
    return {
        **audience_columns(record.question.audience),
        "sources": sorted(record.sources),
        "told": [list(names) for names in record.told] or None,
        "standalone": record.decision.question,
        "entities": list(record.plan.entities),
        "answered": not (record.answer.is_refusal or isinstance(record.decision, Unclear)),
        "finished_at": record.finished_at,
        "result": result_of(record),
        "unclear": unclear_column(record),
        "listed": listed_as_data(record.listed) if record.listed else None,
    }


def _turn(row: Row[Any]) -> Turn:
    return Turn(
        question=row.text,
        standalone=row.standalone,
        entities=tuple(row.entities),
        answered=row.answered,
        asked_at=row.asked_at,
        unclear=read_unclear(row.unclear),
        listed=read_listed(row.listed),
        sources=frozenset(row.sources or ()),
        told=tuple(map(tuple, row.told or ())),
    )
