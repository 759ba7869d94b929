"""What people say of answers: whether one helped, and why not; everybody's latest word, and all of them in the log."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.audit import put_judged
from adapters.storage.database import Database
from adapters.storage.tables import audit, feedback, messages, outbox, turns
from core.conversation import MessageRef
from core.feedback import Deed, Judgement, Said, Verdict, judged

# Deeds that are remembered of a person for one answer: a repeated one comes within minutes.
_DEEDS = 20


@dataclass(frozen=True, slots=True)
class Word:
    """What a person says of an answer, and the answer's result contract; None when that has been removed."""

    question: str
    version: int
    person: str
    tenant: str
    judgement: Judgement
    at: datetime
    result: Mapping[str, Any] | None


class SqlFeedback:
    """The words in a database; `mask` makes of an own reason what the audit log is to hold of it, as of an answer."""

    def __init__(self, database: Database, mask: Callable[[str], str] = str) -> None:
        self._database = database
        self._mask = mask

    async def judge(self, deed: Deed) -> Said | None:
        """Store what the deed makes of the person's judgement, with a line in the log; one told of twice does nothing.

        Returns None, and stores nothing, when the message shows no answer of ours that can be judged (any more).
        """
        async with self._database.writing(first=True) as connection:
            # Of two deeds of one person at once, one would not see the other before it.
            await self._database.in_turn(connection, f"feedback {deed.by}")
            answer = await _shown_by(connection, deed.message, deed.version)
            return await self._judged(connection, deed, answer) if answer else None

    async def judge_answer(self, deed: Deed, question: str) -> Said | None:
        """Store it of the answer to a question that no message shows, as those in the terminal. As `judge`."""
        async with self._database.writing(first=True) as connection:
            answer = await _answered(connection, question, deed.version)
            return await self._judged(connection, deed, answer) if answer else None

    async def result(self, question: str, version: int) -> Mapping[str, Any] | None:
        """Return the result contract of an answer, while the log has it."""
        query = select(audit.c.record).where(audit.c.question_id == question, audit.c.version == version)
        async with self._database.reading() as connection:
            found: Mapping[str, Any] | None = await connection.scalar(query)
        return found

    async def answer_in(self, message: MessageRef) -> tuple[str, int] | None:
        """Return the question, and its version, whose answer the message shows as it stands now."""
        async with self._database.reading() as connection:
            found = await _shown_by(connection, message, None)
        return (found.question_id, found.version) if found else None

    async def words(
        self, limit: int | None = None, *, since: datetime | None = None, verdict: Verdict | None = None
    ) -> Sequence[Word]:
        """Return what people say now, the latest first; of questions that were taken back nothing."""
        of = (audit.c.question_id == feedback.c.question_id) & (audit.c.version == feedback.c.version)
        query = (
            select(*feedback.c, audit.c.record)
            .join(turns, turns.c.question_id == feedback.c.question_id)
            .join(audit, of, isouter=True)
            .where(turns.c.state != "withdrawn", feedback.c.verdict.is_not(None))
            .order_by(feedback.c.at.desc(), feedback.c.person, feedback.c.question_id)
            .limit(limit)
        )
        if since:
            query = query.where(feedback.c.at >= since)
        if verdict:
            query = query.where(feedback.c.verdict == verdict)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return tuple(_word(row) for row in rows)

    async def counts(self, since: datetime) -> dict[Verdict, int]:
        """Return how many say now that an answer helped, or did not, since then."""
        said = (feedback.c.at >= since, feedback.c.verdict.is_not(None))
        query = select(feedback.c.verdict, func.count().label("number")).where(*said).group_by(feedback.c.verdict)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        found: dict[str, int] = {row.verdict: row.number for row in rows}
        return {"up": found.get("up", 0), "down": found.get("down", 0)}

    async def _judged(self, connection: AsyncConnection, deed: Deed, answer: Any) -> Said:
        mine = {"question_id": answer.question_id, "version": answer.version, "person": deed.by}
        query = select(feedback).where(*(feedback.c[name] == value for name, value in mine.items()))
        row = (await connection.execute(query)).one_or_none()
        before, deeds = (Judgement(row.verdict, row.reason), row.deeds) if row else (Judgement(), [])
        is_known = bool(deed.id) and deed.id in deeds
        now = before if is_known else judged(before, deed)
        said = Said(answer.question_id, answer.version, answer.tenant, answer.text, before, now, answer.pin)
        if not is_known:
            new = {"verdict": now.verdict, "reason": now.reason, "at": deed.at if said.is_news or not row else row.at}
            new["deeds"] = [*deeds, *filter(None, [deed.id])][-_DEEDS:]
            put = self._database.insert(feedback).values(mine | new | {"tenant": answer.tenant})
            await connection.execute(put.on_conflict_do_update(index_elements=list(mine), set_=new))
        if said.is_news:
            reason = said.now.reason and self._mask(said.now.reason)
            await put_judged(self._database, connection, deed, replace(said, now=replace(said.now, reason=reason)))
        return said


async def _shown_by(connection: AsyncConnection, message: MessageRef, version: int | None) -> Any:
    """Return the answer that the message shows or proves, in that version or as it stands now; None for a sign."""
    question = await connection.scalar(select(messages.c.question_id).where(messages.c.ref == str(message)))
    if question is None:
        return None
    rows = await connection.execute(select(outbox.c.part, outbox.c.shown).where(outbox.c.question_id == question))
    here = {"place": message.place, "message": message.message}
    part = next((one.part for one in rows.all() if one.shown == here), "")
    return await _answered(connection, question, version) if part.startswith(("answer", "evidence")) else None


async def _answered(connection: AsyncConnection, question: str, version: int | None) -> Any:
    """Return what was answered from documents to the question, in this version or the latest that was answered."""
    plan, pin = audit.c.record["plan"].label("plan"), audit.c.record["pin"].label("pin")
    text = audit.c.record["question"].as_string().label("text")
    query = (
        select(turns.c.question_id, audit.c.version, turns.c.tenant, text, plan, pin)
        .join(audit, audit.c.question_id == turns.c.question_id)
        .where(turns.c.question_id == question, turns.c.state != "withdrawn")
        .order_by(audit.c.version.desc())
        .limit(1)
    )
    if version is not None:
        query = query.where(audit.c.version == version)
    row = (await connection.execute(query)).one_or_none()
    return row if row is not None and row.plan is not None else None


def _word(row: Any) -> Word:
    judgement = Judgement(cast("Verdict", row.verdict), row.reason)
    return Word(row.question_id, row.version, row.person, row.tenant, judgement, row.at, row.record)
