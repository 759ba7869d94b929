"""The questions that were asked of us: recorded once, handed out in turn, changed and taken back."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Executable,
    Select,
    Update,
    and_,
    bindparam,
    case,
    func,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.copies import is_known, take_back
from adapters.storage.database import Database, insert_in
from adapters.storage.letting import NOTHING_MADE, let_in, turn_away
from adapters.storage.moving import move_place
from adapters.storage.offers import forget_continued
from adapters.storage.parts import put_parts
from adapters.storage.questions import ASKED, read_question
from adapters.storage.rates import use, used_of
from adapters.storage.setting import once_done, setting_column
from adapters.storage.tables import active, turns
from adapters.storage.threads import ACTIVE, asked
from core.conversation import MessageRef, Question
from core.rates import keys_of
from core.work import Change, Place, Waiting, Welcome

# Seconds by which the clocks of copies may differ without more being made of it.
_SKEW = 1.0


class SqlInbox:
    """The line of questions in a database that several replicas may share."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def record(self, question: Question, welcome: Callable[[Waiting], Welcome] = lambda _: Welcome()) -> bool:
        """Store a question with what is said to it at once, given how long the line is that it joins.

        Returns False when it is known, also to another process: by its id, or by its resend, unless it has been edited
        since. One at the door waits also when it is refused, and nothing of it is seen before it is let in.
        """
        question = replace(question, resend=None) if question.version else question
        async with self._database.writing(first=True) as connection:
            # Of two that come at once, one would not see the other before it, and both have one turn.
            await self._database.in_turn(connection, f"place {question.platform} {question.place}")
            said = welcome(await _waiting(connection, question))
            row = asked(question) | _state(question, said) | {"arrived_at": datetime.now(UTC)} | _here(question)
            while await connection.scalar(_new(self._database.dialect), row) is None:
                if await is_known(self._database, connection, question):
                    return False
            if said.refusal:
                await put_parts(self._database, connection, question, said.refusal)
            elif said.sign:
                await put_parts(self._database, connection, question, [said.sign], final=False)
            # Last: all that are asked in a workspace at once count in one row.
            await use(self._database, connection, said.uses, datetime.now(UTC))
        return True

    async def edit(self, question: Question, welcome: Callable[[Waiting], Welcome] = lambda _: Welcome()) -> Change:
        """Let a known question read so from now on and wait for a new answer, unless this is no news.

        What buttons under its answer have asked is taken back: they belonged to the other question. One that had its
        answer joins the line anew, and may be refused, given how long that is; one that is worked on keeps its place
        in the line, and may be refused for what it has used. One that waits is let go only if it asks nothing any more.
        """
        known = turns.c.question_id == question.id
        newer = (known, turns.c.version < question.version, turns.c.heard < question.version)
        news = [turns.c.state != "withdrawn"]
        if not (question.around and question.around.brought):
            news.append(turns.c.text != question.text)
        changed = {"text": question.text, "version": question.version, "state": "waiting", "taken_by": None}
        if question.around or question.at_door or question.reads:
            # Its thread is read again for what it says now, and whoever asks is looked up again.
            changed |= setting_column(question)
        if not question.overheard:
            # It is addressed to us by now; what was, stays so.
            changed["overheard"] = False
        async with self._database.writing(first=True) as connection:
            # Asked first: one that is recorded between two statements is seen by the second alone.
            state = await connection.scalar(select(turns.c.state).where(known))
            if state is None:
                return "unknown"
            said = Welcome()
            if state != "withdrawn":
                # As in `record`: what it joins is counted by one after the other.
                await self._database.in_turn(connection, f"place {question.platform} {question.place}")
                line = await _waiting(connection, question)
                said = welcome(line if state in ("done", "copy") else replace(line, waiting=0, of_asker=0, of_place=0))
                # One that waits has been welcomed.
                said = said if said.dropped or state != "waiting" else Welcome()
            refused = bool(said.refusal or said.silence)
            if refused:
                changed |= _state(question, said) | ({} if question.at_door else NOTHING_MADE)
            edited = await connection.execute(update(turns).where(*newer, *news).values(changed))
            if not edited.rowcount:
                # Its own version stands, and with it the answer under way; older words may still come.
                await connection.execute(update(turns).where(*newer).values(heard=question.version))
                return "same"
            await forget_continued(connection, question.id)
            if refused:
                await put_parts(self._database, connection, question, said.refusal)
            await use(self._database, connection, said.uses, datetime.now(UTC))
            return "refused" if refused and changed["state"] == "done" else "changed"

    async def withdraw(self, message: MessageRef, unseen: Question | None = None) -> bool:
        """Forget about the question that the message asked and let its messages go; False when it asked none.

        Its copy is asked instead, if its device has sent it twice. `unseen`: what it asked, should that be known only
        later; its words are not kept.
        """
        async with self._database.writing(first=True) as connection:
            if await take_back(connection, str(message)):
                return True
            if unseen:
                stone = asked(unseen) | once_done(unseen) | {"text": "", "state": "withdrawn", "resend": None}
                new = self._database.insert(turns).values(stone).on_conflict_do_nothing()
                if await connection.scalar(new.returning(turns.c.question_id)) is None:
                    # It was being recorded at this very moment.
                    return await take_back(connection, str(message))
        return False

    async def settle(self, question: Question) -> None:
        """Keep what the question was found to ask, and what stood around it, unless it is done or changed since."""
        current = (turns.c.question_id == question.id, turns.c.version == question.version, turns.c.state.in_(ACTIVE))
        found = {"text": question.text, **setting_column(question)}
        async with self._database.writing() as connection:
            await connection.execute(update(turns).where(*current).values(found))

    async def question(self, question_id: str, version: int) -> Question | None:
        """Return a question that still wants an answer in this version."""
        current = (turns.c.question_id == question_id, turns.c.version == version, turns.c.state.in_(ACTIVE))
        async with self._database.reading() as connection:
            row = (await connection.execute(select(*ASKED).where(*current))).mappings().one_or_none()
        return read_question(row) if row else None

    async def known(self, messages: Sequence[MessageRef]) -> list[Question]:
        """Return what the messages asked, whatever became of it, but for what was taken back."""
        asked_there = turns.c.question_id.in_([str(message) for message in messages])
        query = select(*ASKED).where(asked_there, turns.c.state != "withdrawn")
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).mappings().all()
        return [read_question(row) for row in rows]

    async def unanswered(self, place: Place) -> list[Question]:
        """Return the questions of a channel or chat that want an answer, but for what was only overheard there."""
        platform, channel = place
        here = (active(turns.c.state), turns.c.platform == platform, turns.c.place == channel)
        query = (
            select(*ASKED)
            .where(*here, turns.c.overheard.is_(False))
            .order_by(turns.c.asked_at, turns.c.arrived_at, turns.c.question_id)
        )
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).mappings().all()
        return [read_question(row) for row in rows]

    async def let_in(self, question: Question) -> bool:
        """Let a question from the door be answered, and what was said to it be seen.

        False when that says that too many wait, or when the question stands no more in this version.
        """
        async with self._database.writing(first=True) as connection:
            return await let_in(connection, question)

    async def turn_away(self, question: Question) -> None:
        """Forget a question that may not be answered, if it stands in this version, as if it had never been stored.

        One that was answered before it was edited is taken back.
        """
        async with self._database.writing(first=True) as connection:
            await turn_away(connection, question)

    async def take(self, limit: int, replica: str, platforms: Sequence[str], settle: float = 0.0) -> list[Question]:
        """Hand out up to `limit` questions, at most one of a thread, the first of each thread first.

        Places take turns: one with many questions waits for the others after each of its own. What arrived less than
        `settle` seconds ago stays for now: an earlier one of its thread may be on its way. What a clock that was ahead
        says is still to arrive does not.
        """
        async with self._database.writing() as connection:
            # Of two that choose at once, one would not see what the other has begun, and both be in one thread.
            await self._database.in_turn(connection, "take")
            now = datetime.now(UTC)
            times = {"settled": now - timedelta(seconds=settle), "ahead": now + timedelta(seconds=_SKEW)}
            given = {"at_most": limit, "me": replica, "platforms": list(platforms)} | times
            rows = (await connection.execute(_take(), given)).mappings().all()
        return [read_question(row) for row in rows]

    async def give_back(self, question_id: str, version: int, replica: str) -> None:
        """Let a question that the replica had taken wait again."""
        same = (turns.c.question_id == question_id, turns.c.version == version)
        ours = (*same, turns.c.state == "working", turns.c.taken_by == replica)
        async with self._database.writing() as connection:
            await connection.execute(update(turns).where(*ours).values(state="waiting", taken_by=None))

    async def take_over(self, replica: str, me: str = "", going_on: Collection[tuple[str, int]] = ()) -> int:
        """Let what a replica which is gone had taken wait again; return how many that are.

        What goes on, by its id and version, is ours from then on and never waits: else a question of its thread that
        was asked before it and came after it could be answered first, and it would go on with another history.
        """
        theirs = update(turns).where(_worked_on(turns), turns.c.taken_by == replica)
        under_way = theirs.where(tuple_(turns.c.question_id, turns.c.version).in_(going_on))
        async with self._database.writing() as connection:
            if going_on:
                await connection.execute(under_way.values(taken_by=me))
            return (await connection.execute(theirs.values(state="waiting", taken_by=None))).rowcount

    async def working(self, replica: str) -> list[Question]:
        """Return what a replica has taken and not finished."""
        theirs = (_worked_on(turns), turns.c.taken_by == replica)
        async with self._database.reading() as connection:
            rows = (await connection.execute(select(*ASKED).where(*theirs))).mappings().all()
        return [read_question(row) for row in rows]

    async def move(self, old: Place, new: Place) -> None:
        """Let everything of a chat belong to its new name; what the new one has already stays."""
        async with self._database.writing(first=True) as connection:
            await move_place(connection, old, new)

    async def oldest(self) -> datetime | None:
        """Return when the question arrived that has been waiting or worked on for longest."""
        async with self._database.reading() as connection:
            query = select(func.min(turns.c.arrived_at)).where(active(turns.c.state))
            found: datetime | None = await connection.scalar(query)
        return found

    async def counts(self) -> tuple[int, int]:
        """Return how many questions wait and how many are worked on."""
        async with self._database.reading() as connection:
            query = (
                select(turns.c.state, func.count().label("number")).where(active(turns.c.state)).group_by(turns.c.state)
            )
            found: dict[str, int] = {row.state: row.number for row in (await connection.execute(query)).all()}
        return found.get("waiting", 0), found.get("working", 0)


async def _waiting(connection: AsyncConnection, question: Question) -> Waiting:
    """Return how long the line is that the question joins."""
    given = {"its_id": question.id, "its_asker": question.asker} | _here(question)
    waiting, of_asker, of_place = (await connection.execute(_line(), given)).one()
    used = await used_of(connection, list(keys_of(question).values()))
    return Waiting(waiting, of_asker, of_place, used)


def _state(question: Question, said: Welcome) -> dict[str, Any]:
    """Return how a question joins the line, or is kept where it does not."""
    if said.silence or (said.refusal and not question.at_door):
        return _turned_away(question, said)
    return {"state": "waiting"} | setting_column(question, "refused" if said.refusal else "asked")


def _turned_away(question: Question, said: Welcome) -> dict[str, Any]:
    """Return how a question is kept that gets no answer: none of what others said, or of what was only overheard.

    And of one at the door that nobody will look up any more: it may be an outsider's.
    """
    words = {"text": ""} if said.silence and (question.overheard or question.at_door) else {}
    return {"state": "done"} | once_done(question) | words


@cache
def _take() -> Update:
    other = turns.alias("other")
    busy = select(other.c.question_id).where(_worked_on(other), other.c.thread == turns.c.thread)
    order = (turns.c.asked_at, turns.c.arrived_at, turns.c.question_id)
    first = func.row_number().over(partition_by=turns.c.thread, order_by=order)
    ours = turns.c.platform.in_(bindparam("platforms", expanding=True))
    waiting = (
        select(turns.c.question_id, turns.c.turn, turns.c.asked_at, turns.c.arrived_at, first.label("nth"))
        .where(active(turns.c.state), turns.c.state == "waiting", ours, ~busy.exists())
        .subquery("waiting")
    )
    at = waiting.c.arrived_at
    settled = or_(at.is_(None), at <= bindparam("settled"), at > bindparam("ahead"))
    chosen = (
        select(waiting.c.question_id)
        .where(waiting.c.nth == 1, settled)
        .order_by(waiting.c.turn, waiting.c.asked_at)
        .limit(bindparam("at_most"))
    )
    # The state is asked for again: another replica may have taken it between the choice and now.
    return (
        update(turns)
        .where(turns.c.question_id.in_(chosen), turns.c.state == "waiting")
        .values(state="working", taken_by=bindparam("me"))
        .returning(*ASKED)
    )


# The statements of a question's way are made once: to put one together takes longer than to run it.
_PLATFORM: BindParameter[str] = bindparam("its_platform")
_PLACE: BindParameter[str] = bindparam("its_place")


def _here(question: Question) -> dict[str, Any]:
    return {"its_platform": question.platform, "its_place": question.place}


@cache
def _line() -> Select[*tuple[Any, ...]]:
    return select(
        func.count().filter(turns.c.state == "waiting"),
        func.count().filter(turns.c.platform == _PLATFORM, turns.c.asker == bindparam("its_asker")),
        func.count().filter(turns.c.platform == _PLATFORM, turns.c.place == _PLACE),
    ).where(active(turns.c.state), turns.c.question_id != bindparam("its_id"))


@cache
def _new(dialect: str) -> Executable:
    row = insert_in(dialect, turns).values(turn=_turn()).on_conflict_do_nothing()
    return row.returning(turns.c.question_id)


def _turn() -> ColumnElement[int]:
    """Return when it is a question's turn, on the line's own clock: behind what its place has in the line already.

    That is start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996) with every question of the same length: the
    clock shows the turn of what is being worked on, so a place that has asked nothing for a while is not behind it.
    """
    here = and_(active(turns.c.state), turns.c.platform == _PLATFORM, turns.c.place == _PLACE)
    now = func.coalesce(
        select(func.max(turns.c.turn)).where(_worked_on(turns)).scalar_subquery(),
        select(func.min(turns.c.turn)).where(active(turns.c.state)).scalar_subquery(),
        0,
    )
    behind = func.coalesce(select(func.max(turns.c.turn) + 1).where(here).scalar_subquery(), 0)
    return case((behind > now, behind), else_=now)


def _worked_on(table: Any) -> ColumnElement[bool]:
    return and_(active(table.c.state), table.c.state == "working")
