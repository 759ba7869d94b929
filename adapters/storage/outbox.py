"""The messages to be seen: claimed one by one in order, and what became of each."""

from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, cast

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Row,
    Select,
    Update,
    and_,
    bindparam,
    case,
    func,
    literal,
    null,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database
from adapters.storage.parts import AT_ONCE, CHANGED, carrying, drop_forgotten, note_of
from adapters.storage.resting import LONGEST, is_resting, rest, rest_of, rests_at, rests_of
from adapters.storage.tables import active, messages, outbox, turns, unsent
from core.conversation import MessageRef, PlatformName
from core.delivery import FIRST, Body, Outgoing
from core.work import NOTE, Claim, Loan, Place


class SqlOutbox:
    """The messages in a database that several replicas may share; `replica` is who claims."""

    def __init__(self, database: Database, replica: str) -> None:
        self._database = database
        self._replica = replica

    async def claim(self, place: Place) -> Claim | None:
        """Return the next message for a channel or chat that is due, the messages of a thread in order, or None."""
        async with self._database.writing() as connection:
            return await self._claim(connection, place)

    async def sent(self, claim: Claim, message: MessageRef | None, *, claim_next: bool = False) -> Claim | None:
        """Note that it is as it was to be, shown by a message of the platform, or by none any more.

        With `claim_next` it returns the next message for the same place, as `claim` does, at no further cost.
        """
        settled = "gone" if claim.outgoing.body is None else "sent"
        given = {"its_id": claim.outgoing.id, "its_version": claim.version, "me": self._replica, "settled": settled}
        async with self._database.writing() as connection:
            if message is None:
                await connection.execute(_sent(null()), given)
                await drop_forgotten(connection, claim.outgoing.id)
            else:
                given["where"] = {"place": message.place, "message": message.message}
                await connection.execute(_sent(_WHERE), given)
                carried = {"its_id": claim.outgoing.id, "its_ref": str(message)}
                await connection.execute(carrying(self._database.dialect), carried)
            asked = claim.outgoing.asked
            return await self._claim(connection, (asked.platform, asked.place)) if claim_next else None

    async def borrow(self, question_id: str, version: int) -> Loan | None:
        """Return the sign in place of an answer that we are making, ours until `sent`; None when it is not to be had.

        It is not while it is being shown or its place rests, once the answer is there, or if this version is not ours.
        """
        now = datetime.now(UTC).timestamp()
        given = {"its_question": question_id, "its_version": version, "me": self._replica, "seconds": now}
        async with self._database.writing() as connection:
            row = (await connection.execute(_borrow(), given)).one_or_none()
            if row:
                return Loan(await _claimed(connection, row))
            stands = await connection.scalar(_stands(), given)
        return Loan(None) if stands == 0 else None

    async def later(self, claim: Claim, seconds: float, reason: str, *, whole_place: bool) -> None:
        """Put it back for some time, and all else for its place with it if nothing can be shown there."""
        due = _in(seconds)
        # This attempt did nothing: what was in doubt before is so still.
        state = case((_NEEDLESS, "gone"), else_="waiting")
        back = {"state": state, "owner": None, "due_at": due, "reason": reason, "tried": claim.tried}
        async with self._database.writing() as connection:
            await connection.execute(self._ours(claim).values(back))
            if whole_place:
                asked = claim.outgoing.asked
                await rest(self._database, connection, (asked.platform, asked.place), due)
                await connection.execute(_postponed(claim, due))

    async def doubted(self, claim: Claim, seconds: float, reason: str, *, anew: bool = False) -> None:
        """Put it back, with the mark that it may stand in the chat already; `anew`: what showed it before is gone."""
        due = _in(seconds)
        marked: dict[str, Any] = {"state": "waiting", "owner": None, "due_at": due, "reason": reason, "in_doubt": True}
        if anew:
            marked["shown"] = null()
        async with self._database.writing() as connection:
            await connection.execute(self._ours(claim).values(marked))

    async def refused(self, claim: Claim, reason: str) -> None:
        """Give it up, unless it has been changed meanwhile."""
        async with self._database.writing() as connection:
            state = case((outbox.c.version == claim.version, "refused"), (_NEEDLESS, "gone"), else_="waiting")
            await connection.execute(self._ours(claim).values(state=state, owner=None, reason=reason))

    async def unknown(self, claim: Claim, note: Body | None, *, in_place: bool = False) -> None:
        """Give it up because nobody can tell whether it stands in the chat; a note offers to show it after all.

        `in_place`: where something stands for it, the note takes the place of that.
        """
        in_doubt = outbox.c.version != claim.version
        unknown = {"state": _unless_changed(claim, "unknown"), "owner": None, "in_doubt": in_doubt}
        async with self._database.writing() as connection:
            state = await connection.scalar(self._ours(claim).values(unknown).returning(outbox.c.state))
            if note is not None and state == "unknown":
                if in_place:
                    given_up = update(outbox).where(outbox.c.id == claim.outgoing.id)
                    await connection.execute(given_up.values(shown=null()))
                await self._put_note(connection, note_of(claim, note, claim.outgoing.shown if in_place else None))

    async def show_again(self, question_id: str, note: MessageRef, *, in_place: bool = True) -> bool:
        """Let what is unknown of a reply be shown, its first message in place of the note if it can be changed.

        Where nothing is unknown any more, a note that came twice goes. Returns False when there is nothing to do, and
        where the note cannot be one of this reply: which reply it offers is the word of whoever presses it.
        """
        lost = (outbox.c.question_id == question_id, outbox.c.state == "unknown")
        again = {"state": "waiting", "version": outbox.c.version + 1, "due_at": AT_ONCE}
        here = {"place": note.place, "message": note.message}
        async with self._database.writing() as connection:
            if not await _can_be_of(connection, question_id, note):
                return False
            shown = update(outbox).where(*lost).values(again).returning(outbox.c.seq, outbox.c.id)
            rows = (await connection.execute(shown)).all()
            if rows:
                if in_place:
                    await connection.execute(update(outbox).where(outbox.c.id == min(rows)[1]).values(shown=here))
                ours = (outbox.c.question_id == question_id, outbox.c.part == NOTE)
                await connection.execute(update(outbox).where(*ours).values(state="gone", shown=null(), body=null()))
                return True
            return await self._take_away(connection, question_id, here)

    async def rewrite(self, message: MessageRef, change: Callable[[Body], Body]) -> bool:
        """Let a message of ours that stands in a chat say what `change` makes of it; False when that changes nothing.

        It is shown once more, before anything new of its thread.
        """
        here = {"place": message.place, "message": message.message}
        ours = select(messages.c.question_id).where(messages.c.ref == str(message)).scalar_subquery()
        query = select(outbox.c.id, outbox.c.body, outbox.c.shown).where(outbox.c.question_id == ours)
        now = datetime.now(UTC)
        async with self._database.writing(first=True) as connection:
            rows = (await connection.execute(query.with_for_update())).all()
            row = next((one for one in rows if one.shown == here and one.body), None)
            if row is None or (body := change(row.body)) == row.body:
                return False
            anew = {
                "body": body,
                "state": CHANGED,
                "version": outbox.c.version + 1,
                "due_at": AT_ONCE,
                "changed_at": now,
            }
            await connection.execute(update(outbox).where(outbox.c.id == row.id).values(anew))
        return True

    async def due(self, platforms: Sequence[str]) -> dict[Place, datetime]:
        """Return each place that has messages waiting, with when the first is due; the past means now.

        One that waits for another of its thread does not count: there is nothing to be done about it yet.
        """
        here = (_waits(), outbox.c.platform.in_(platforms), _is_first())
        now = literal(AT_ONCE, outbox.c.due_at.type)
        first = func.min(case((outbox.c.due_at > _in(LONGEST), now), else_=outbox.c.due_at))
        query = select(outbox.c.platform, outbox.c.place, first).where(*here)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query.group_by(outbox.c.platform, outbox.c.place))).all()
            dues = {(platform, place): due for platform, place, due in rows}
            rests = await rests_of(connection, dues)
        return {place: max(due, rests.get(place, due)) for place, due in dues.items()}

    async def take_over(self, replica: str) -> int:
        """Let what a replica that is gone was sending wait, with the mark that it may have been sent."""
        async with self._database.writing() as connection:
            return (await connection.execute(_in_doubt().where(outbox.c.owner == replica))).rowcount

    async def held(self) -> set[int]:
        """Return the numbers of the messages that are ours to show."""
        query = select(outbox.c.id).where(unsent(outbox.c.state), outbox.c.owner == self._replica)
        async with self._database.reading() as connection:
            return set((await connection.scalars(query.where(outbox.c.state == "sending"))).all())

    async def let_go(self, numbers: Collection[int]) -> None:
        """Let messages wait that are ours by an answer of the database that never reached us."""
        ours = (outbox.c.owner == self._replica, outbox.c.id.in_(numbers))
        async with self._database.writing() as connection:
            await connection.execute(_in_doubt().where(*ours))

    async def unsent(self) -> int:
        """Return how many messages are still to be shown."""
        query = select(func.count()).where(unsent(outbox.c.state))
        async with self._database.reading() as connection:
            return int(await connection.scalar(query) or 0)

    async def _claim(self, connection: AsyncConnection, place: Place) -> Claim | None:
        # Of two that choose at once, one would find nothing or pass by what the other has put back.
        await self._database.in_turn(connection, f"claim {place}")
        platform, channel = place
        now = datetime.now(UTC)
        here = {"its_platform": platform, "its_place": channel, "me": self._replica}
        given = here | {"now": now, "far": _in(LONGEST), "rest": rest_of(place), "seconds": now.timestamp()}
        row = (await connection.execute(_claim(), given)).one_or_none()
        return await _claimed(connection, row) if row else None

    def _ours(self, claim: Claim) -> Update:
        return update(outbox).where(
            outbox.c.id == claim.outgoing.id, outbox.c.owner == self._replica, outbox.c.state == "sending"
        )

    async def _take_away(self, connection: AsyncConnection, question_id: str, here: dict[str, str]) -> bool:
        """Let a message of a reply go that no row of it knows: a note that was sent again though it had arrived."""
        rows = (await connection.execute(select(outbox).where(outbox.c.question_id == question_id))).mappings().all()
        offered = any(row["part"] == NOTE for row in rows)
        if not offered or any(row["shown"] == here for row in rows):
            return False
        now = datetime.now(UTC)
        stray = {"part": f"{NOTE} {here['message']}", "shown": here, "body": None, "state": "waiting", "final": False}
        again = {"version": 1, "tried": 0, "in_doubt": False, "owner": None, "due_at": AT_ONCE, "changed_at": now}
        columns = ("question_id", "platform", "place", "thread", "root", "message", "seq")
        kept = {name: rows[-1][name] for name in columns}
        await connection.execute(self._database.insert(outbox).values(kept | stray | again).on_conflict_do_nothing())
        return True

    async def _put_note(self, connection: AsyncConnection, row: dict[str, Any]) -> None:
        # One note for all of a reply; the one that was pressed before has gone and comes back.
        new = self._database.insert(outbox).values(row)
        back = {name: new.excluded[name] for name in ("body", "shown", "state", "seq", "due_at", "changed_at")}
        version = {"version": outbox.c.version + 1}
        gone = outbox.c.state == "gone"
        await connection.execute(
            new.on_conflict_do_update(index_elements=["question_id", "part"], set_=back | version, where=gone)
        )


async def _can_be_of(connection: AsyncConnection, question_id: str, note: MessageRef) -> bool:
    """Return whether a message is one of the reply, or one in its chat of which nothing is known: a note sent twice."""
    known: str | None = await connection.scalar(select(messages.c.question_id).where(messages.c.ref == str(note)))
    if known is not None:
        return known == question_id
    here = (outbox.c.question_id == question_id, outbox.c.platform == note.platform, outbox.c.place == note.place)
    return (await connection.execute(select(outbox.c.id).where(*here).limit(1))).first() is not None


def _in(seconds: float) -> datetime:
    return datetime.now(UTC) + timedelta(seconds=min(seconds, LONGEST))


# Taken back before it was ever seen.
_NEEDLESS = and_(outbox.c.body.is_(None), outbox.c.shown.is_(None), outbox.c.in_doubt.is_(False))


def _unless_changed(claim: Claim, state: str) -> Any:
    return case((outbox.c.version == claim.version, state), else_="waiting")


def _waits() -> ColumnElement[bool]:
    return and_(unsent(outbox.c.state), outbox.c.state == "waiting")


def _is_first() -> ColumnElement[bool]:
    """Return whether no other message of the thread has to be shown before."""
    before = outbox.alias("before")
    earlier = select(before.c.id).where(
        before.c.thread == outbox.c.thread,
        unsent(before.c.state),
        tuple_(before.c.seq, before.c.id) < tuple_(outbox.c.seq, outbox.c.id),
    )
    return ~earlier.exists()


def _in_doubt() -> Update:
    marked = {"state": "waiting", "owner": None, "in_doubt": True, "due_at": AT_ONCE}
    return update(outbox).where(unsent(outbox.c.state), outbox.c.state == "sending").values(marked)


def _postponed(claim: Claim, due: datetime) -> Update:
    """Return the statement that lets all else for the claim's place wait as long."""
    here = (outbox.c.platform == claim.outgoing.platform, outbox.c.place == claim.outgoing.asked.place)
    early = select(outbox.c.id).where(*here, _waits(), outbox.c.due_at < due)
    # What somebody is changing at this moment is left out: two that wait for each other's rows would never end.
    return update(outbox).where(outbox.c.id.in_(early.with_for_update(skip_locked=True))).values(due_at=due)


# The statements of a message's way are made once: to put one together takes longer than to run it.
_WHERE: BindParameter[Any] = bindparam("where", type_=outbox.c.shown.type)


@cache
def _sent(shown: Any) -> Update:
    ours = (outbox.c.id == bindparam("its_id"), outbox.c.owner == bindparam("me"), outbox.c.state == "sending")
    state = case((outbox.c.version == bindparam("its_version"), bindparam("settled")), else_="waiting")
    return update(outbox).where(*ours).values(state=state, shown=shown, in_doubt=False, owner=None)


@cache
def _claim() -> Update:
    here = (outbox.c.platform == bindparam("its_platform"), outbox.c.place == bindparam("its_place"), _waits())
    # What waits for longer than anything does was put back by a clock that was wrong.
    due = or_(outbox.c.due_at <= bindparam("now"), outbox.c.due_at > bindparam("far"))
    head = (
        select(outbox.c.id)
        .where(*here, due, _is_first(), ~is_resting())
        .order_by(outbox.c.seq, outbox.c.id)
        .limit(1)
        .scalar_subquery()
    )
    claimed = {"state": "sending", "owner": bindparam("me"), "tried": outbox.c.version, "tried_before": outbox.c.tried}
    # The state is asked for again: another replica may have claimed it between the choice and now.
    return update(outbox).where(outbox.c.id == head, outbox.c.state == "waiting").values(claimed).returning(*_CLAIMED)


@cache
def _borrow() -> Update:
    sign = (outbox.c.part == FIRST, outbox.c.final.is_(False), outbox.c.state == "sent", outbox.c.shown.is_not(None))
    other = outbox.alias("other")
    # An earlier answer of the thread goes first.
    waiting = select(other.c.id).where(other.c.thread == outbox.c.thread, unsent(other.c.state))
    ours = outbox.c.question_id == select(turns.c.question_id).where(*_answering()).scalar_subquery()
    lent = {"state": "sending", "owner": bindparam("me")}
    return update(outbox).where(ours, *sign, ~waiting.exists()).values(lent).returning(*_CLAIMED)


@cache
def _stands() -> Select[int]:
    """Return the statement that counts what stands in place of an answer that we are making; no row: we make none."""
    there = (outbox.c.question_id == turns.c.question_id, outbox.c.state != "gone")
    return select(select(func.count()).where(*there).correlate(turns).scalar_subquery()).where(*_answering())


def _answering() -> tuple[ColumnElement[bool], ...]:
    version = turns.c.version == bindparam("its_version")
    ours = (active(turns.c.state), turns.c.state == "working", turns.c.taken_by == bindparam("me"))
    return (turns.c.question_id == bindparam("its_question"), version, *ours, ~rests_at(turns))


_CLAIMED = (
    outbox.c.id,
    outbox.c.question_id,
    outbox.c.part,
    outbox.c.platform,
    outbox.c.place,
    outbox.c.thread,
    outbox.c.root,
    outbox.c.message,
    outbox.c.body,
    outbox.c.final,
    outbox.c.shown,
    outbox.c.version,
    outbox.c.tried_before,
    outbox.c.in_doubt,
    outbox.c.changed_at,
)


async def _claimed(connection: AsyncConnection, row: Row[Any]) -> Claim:
    platform = cast("PlatformName", row.platform)
    first = row.shown
    if row.part != FIRST:
        query = select(outbox.c.shown).where(outbox.c.question_id == row.question_id, outbox.c.part == FIRST)
        first = await connection.scalar(query)
    outgoing = Outgoing(
        id=row.id,
        question=row.question_id,
        part=row.part,
        body=row.body,
        asked=MessageRef(platform, row.place, row.message),
        root=row.root,
        shown=_ref(platform, row.shown),
        first=_ref(platform, first),
    )
    return Claim(outgoing, row.version, row.thread, row.final, row.in_doubt, row.tried_before, row.changed_at)


def _ref(platform: PlatformName, shown: Any) -> MessageRef | None:
    return MessageRef(platform, shown["place"], shown["message"]) if shown else None
