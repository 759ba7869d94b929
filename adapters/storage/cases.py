"""A question that is dealt with, with all that somebody else needs to go on with it."""

from typing import Any, Literal, cast

from sqlalchemy import ColumnElement, and_, or_, select

from adapters.storage.database import Database
from adapters.storage.setting import is_private
from adapters.storage.tables import messages, turns
from core.conversation import MessageRef, PlatformName
from core.visiting import Case
from core.work import Place

# Questions of one conversation that go with its latest one.
_EARLIER = 5


class SqlCases:
    """The questions in a database, found by a message of theirs or by who asked last."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def by_message(self, message: MessageRef) -> Case | None:
        """Return the question that the message asks or answers, if it is dealt with. Raises StorageError."""
        ref = str(message)
        carried = select(messages.c.question_id).where(messages.c.ref == ref)
        return await self._case(or_(turns.c.question_id == ref, turns.c.question_id.in_(carried)))

    async def latest(self, place: Place, asker: str) -> Case | Literal["taken back"] | None:
        """Return what somebody asked last in a channel, if it is dealt with, or that they took it back.

        Raises StorageError.
        """
        platform, channel = place
        theirs = and_(turns.c.platform == platform, turns.c.place == channel, turns.c.asker == asker)
        # What a button asked goes with what stood above it; nobody has taken that back by itself.
        gone = and_(turns.c.state == "withdrawn", turns.c.continues.is_(None))
        last = or_(gone, and_(turns.c.state == "done", turns.c.text != ""))
        query = select(turns.c.state).where(theirs, last).order_by(turns.c.asked_at.desc()).limit(1)
        async with self._database.reading() as connection:
            state = await connection.scalar(query)
        return "taken back" if state == "withdrawn" else await self._case(theirs)

    async def _case(self, which: ColumnElement[bool]) -> Case | None:
        done = (which, turns.c.state == "done", turns.c.text != "")
        query = select(turns).where(*done).order_by(turns.c.asked_at.desc()).limit(1)
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).one_or_none()
            if row is None:
                return None
            before = (turns.c.thread == row.thread, turns.c.asker == row.asker, turns.c.asked_at < row.asked_at)
            done = (turns.c.state == "done", turns.c.text != "", turns.c.question_id != row.question_id)
            earlier = select(turns.c.text).where(*before, *done).order_by(turns.c.asked_at.desc()).limit(_EARLIER)
            texts = (await connection.scalars(earlier)).all()
        return _case(row, tuple(reversed(texts)))


def _case(row: Any, earlier: tuple[str, ...]) -> Case:
    return Case(
        id=row.question_id,
        question=row.standalone or row.text,
        asker=row.asker,
        tenant=row.tenant,
        asked=MessageRef(cast("PlatformName", row.platform), row.place, row.message),
        private=is_private(row.setting),
        result=row.result,
        earlier=earlier,
        root=row.root,
    )
