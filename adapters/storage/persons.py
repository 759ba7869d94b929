"""One person's data: all of it to be handed out, or to be forgotten."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Table, and_, delete, literal, null, or_, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.audit import erase, of_person
from adapters.storage.database import Database
from adapters.storage.index_tables import index_orders
from adapters.storage.offers import FORGOTTEN
from adapters.storage.parts import drop_parts
from adapters.storage.retention import RESENT, drop_turns
from adapters.storage.tables import (
    admissions,
    audit,
    channel_settings,
    feedback,
    group_members,
    messages,
    outbox,
    pins,
    rates,
    turns,
    unsent,
)
from adapters.storage.threads import ACTIVE
from core.audited import Forgotten
from core.ingest.order import message_id
from core.people import Person

_AT_ONCE = 500
# What stands with a question and is not its asker's: who else reads there, what others had said, how it is worked on.
_NOT_TOLD = frozenset(("groups", "guests", "setting", "taken_by", "turn", "heard", "copy_of"))
# What stays of a question for as long as a platform may bring it again: that it is known, not whose it was.
_STONE: dict[str, Any] = FORGOTTEN | {
    "asker": "",
    "groups": [],
    "taken_by": None,
    "answered": None,
    "continues": None,
    "sources": null(),
    "answers": null(),
}


class SqlPersons:
    """What a database holds of persons; everything raises StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def data_of(self, person: Person) -> AsyncIterator[Mapping[str, Any]]:
        """Yield everything that is stored of a person, as plain data: questions with answers, opinions, log entries.

        And whether they were let in, what they are in, that they let somebody in, and what they have set, checked and
        ordered; of all these nothing of anybody else, such as what others had asked. Of passages that were read for an
        answer and not shown, only where they stand: they may be closed to the person by now.
        """
        async for row in self._rows(turns, _theirs(person)):
            told = {name: value for name, value in row.items() if name not in _NOT_TOLD and value is not None}
            yield {"what": "question"} | told | ({"result": _as_shown(row["result"])} if row["result"] else {})
        async for row in self._rows(feedback, _opinions(person)):
            yield {"what": "feedback"} | dict(row)
        async for row in self._rows(audit, and_(of_person(str(person)), audit.c.erased_at.is_(None))):
            entry = {name: row[name] for name in ("id", "kind", "question_id", "version", "at")}
            yield {"what": "audit"} | entry | {"record": _as_shown(row["record"])}
        for what, table, which, names in _besides(person):
            async for row in self._rows(table, which):
                yield {"what": what} | {name: row[name] for name in names}

    async def forget(self, person: Person, now: datetime) -> Forgotten:
        """Remove what is stored of a person; what is under way ends with no answer. Messages in chats stay there.

        Of an answer that was not shown yet nothing comes any more. For `RESENT` it stays known that a message was dealt
        with, and nothing else of it. In the log the content goes, and the chain still holds.
        """
        async with self._database.writing() as connection:
            rows = (await connection.execute(select(turns.c.question_id, turns.c.state).where(_theirs(person)))).all()
            cancelled = tuple(row.question_id for row in rows if row.state in ACTIVE)
            for id_ in cancelled:
                await drop_parts(connection, id_)
            ids = tuple(row.question_id for row in rows)
            await _forget_turns(connection, ids, now)
            opinions = (await connection.execute(delete(feedback).where(_opinions(person)))).rowcount
            await _forget_pins(connection, ids, person)
            await _forget_orders(connection, person)
            let_in = await _forget_name(connection, person)
        return Forgotten(len(ids), cancelled, opinions, await self._erased(person), let_in, ids)

    async def _erased(self, person: Person) -> int:
        erased = 0
        while True:
            async with self._database.writing() as connection:
                last = await erase(self._database, connection, of_person(str(person)), "forgotten", _AT_ONCE)
            erased += last
            if last < _AT_ONCE:
                return erased

    async def _rows(self, table: Table, which: ColumnElement[bool]) -> AsyncIterator[Mapping[str, Any]]:
        """Yield the rows, some hundreds read at a time, in the order of the whole key: a part of it may be the same."""
        key, last = list(table.primary_key), None
        while True:
            query = select(table).where(which).order_by(*key).limit(_AT_ONCE)
            query = query if last is None else query.where(tuple_(*key) > tuple_(*map(literal, last)))
            async with self._database.reading() as connection:
                rows = (await connection.execute(query)).mappings().all()
            for row in rows:
                yield dict(row)
            if len(rows) < _AT_ONCE:
                return
            last = [rows[-1][column.name] for column in key]


def _besides(person: Person) -> Iterator[tuple[str, Table, ColumnElement[bool], Sequence[str]]]:
    """Yield what else is stored of a person: under which name, in which table, which rows, and what of them is told.

    That is nothing of the others that a row may name, nor the digest of a code, which is nobody's to have.
    """
    name = str(person)
    let_in = and_(admissions.c.platform == person.platform, admissions.c.who == f"person:{person.number}")
    state = ("platform", "state", "times", "until", "changed_at")
    yield "admission", admissions, let_in, ("who", *state)
    lets = and_(admissions.c.platform == person.platform, admissions.c.changed_by == name)
    yield "let somebody in", admissions, lets, state
    settings = ("platform", "place", "settings", "changed_at")
    yield "set a channel", channel_settings, channel_settings.c.changed_by == name, settings
    checked = ("number", "pinned_at", "fallen_at", "because")
    yield "checked an answer", pins, pins.c.pinned_by == name, checked
    ordered = ("number", "platform", "place", "language", "asked_at", "state", "ended_at")
    yield "ordered an index", index_orders, index_orders.c.person == name, ordered
    groups = ("origin", "group_name", "member")
    yield "member of a group", group_members, group_members.c.member == name, groups
    used = f"person:{person.platform}:{person.workspace or person.platform}:{person.number}"
    yield "asked within an hour", rates, rates.c.key == used, ("key", "until")


async def _forget_name(connection: AsyncConnection, person: Person) -> bool:
    """Let nothing say any more that the person was let in, or who set something; return whether they were."""
    theirs = (admissions.c.platform == person.platform, admissions.c.who == f"person:{person.number}")
    states = (await connection.scalars(delete(admissions).where(*theirs).returning(admissions.c.state))).all()
    if person.platform == "telegram":
        # A private chat has its person's number.
        here = (channel_settings.c.platform == person.platform, channel_settings.c.place == person.number)
        await connection.execute(delete(channel_settings).where(*here))
    for table in (channel_settings, admissions):
        mine = table.c.changed_by == str(person)
        await connection.execute(update(table).where(mine).values(changed_by=""))
    return "allowed" in states


async def _forget_pins(connection: AsyncConnection, ids: Sequence[str], person: Person) -> None:
    """Remove the checked answers to the person's questions; those that they checked themselves stay, without them."""
    for start in range(0, len(ids), _AT_ONCE):
        await connection.execute(delete(pins).where(pins.c.question_id.in_(ids[start : start + _AT_ONCE])))
    await connection.execute(update(pins).where(pins.c.pinned_by == str(person)).values(pinned_by=""))


async def _forget_orders(connection: AsyncConnection, person: Person) -> None:
    """Remove what they ordered to be indexed, and the messages that showed them how it went: their chat names them."""
    mine = (index_orders.c.person == str(person), index_orders.c.ended_at.is_not(None))
    numbers = (await connection.scalars(delete(index_orders).where(*mine).returning(index_orders.c.number))).all()
    for start in range(0, len(numbers), _AT_ONCE):
        theirs = [message_id(number) for number in numbers[start : start + _AT_ONCE]]
        await connection.execute(delete(messages).where(messages.c.question_id.in_(theirs)))
        await connection.execute(delete(outbox).where(outbox.c.question_id.in_(theirs), ~unsent(outbox.c.state)))


async def _forget_turns(connection: AsyncConnection, ids: Sequence[str], now: datetime) -> None:
    for start in range(0, len(ids), _AT_ONCE):
        some = list(ids[start : start + _AT_ONCE])
        ours = turns.c.question_id.in_(some)
        await connection.execute(update(turns).where(ours).values(_STONE))
        await connection.execute(delete(messages).where(messages.c.question_id.in_(some)))
        # What is to be taken away, such as a sign that nothing will follow, waits until it has been.
        to_go = and_(unsent(outbox.c.state), outbox.c.body.is_(None))
        await connection.execute(delete(outbox).where(outbox.c.question_id.in_(some), ~to_go))
        waiting = select(outbox.c.id).where(outbox.c.question_id == turns.c.question_id).exists()
        old = select(turns.c.question_id).where(ours, turns.c.asked_at < now - RESENT, ~waiting)
        await drop_turns(connection, list((await connection.scalars(old)).all()))


def _as_shown(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result contract without the words that were read or drafted for it and shown to nobody.

    Nor with the question that a follow-up leans on: it may be somebody else's, and one's own is told by itself.
    """
    shown = {name: value for name, value in result.items() if name != "rejected_claims"}
    if "raw_context_used" in shown:
        read = shown["raw_context_used"]
        shown["raw_context_used"] = [{name: one[name] for name in one if name != "text"} for one in read]
    if "carried" in (shown.get("follow_up") or ()):
        shown["follow_up"] = {name: value for name, value in shown["follow_up"].items() if name != "carried"}
    if "legend" in shown:
        shown["legend"] = {name: value for name, value in shown["legend"].items() if name != "beside"}
    return shown


def _theirs(person: Person) -> ColumnElement[bool]:
    tenant = (turns.c.tenant == person.workspace,) if person.workspace else ()
    return and_(turns.c.platform == person.platform, turns.c.asker.in_((person.number, str(person))), *tenant)


def _opinions(person: Person) -> ColumnElement[bool]:
    tenant = (feedback.c.tenant == person.workspace,) if person.workspace else ()
    return and_(or_(feedback.c.person == person.number, feedback.c.person == str(person)), *tenant)
