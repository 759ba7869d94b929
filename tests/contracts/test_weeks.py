"""The latest week of a workspace, on each database: what was answered, what was not, and what nobody else may read."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert

from adapters.storage.database import Database
from adapters.storage.inbox import SqlInbox
from adapters.storage.tables import feedback
from adapters.storage.threads import SqlThreads
from adapters.storage.weeks import DAYS, SqlWeeks
from core.conversation import Audience, Question
from core.turn import Spent
from core.visiting import Complaint
from tests.adapters.storage.turns import finish, part

NOW = datetime(2026, 5, 8, 12, tzinfo=UTC)


def asked(text: str, *, days_ago: int = 0, channel: str = "C1", tenant: str = "T1", **known: Any) -> Question:
    """Return a question of so many days ago."""
    at = NOW - timedelta(days=days_ago)
    place = f"{tenant}:{channel}"
    given = {"platform": "slack", "thread": text, "asker": "U1", "asked_at": at, "place": place, "message": text}
    return Question(id=f"slack:{place}:{text}", text=text, audience=Audience(tenant), **given | known)  # type: ignore[arg-type]


async def closed(inbox: SqlInbox, threads: SqlThreads, question: Question, *, is_refusal: bool = False) -> None:
    """Ask, and answer or find nothing."""
    await inbox.record(question)
    made = replace(finish(question, refusal=is_refusal, seconds=0), spent=Spent(2, 100, 0.25))
    await threads.close(question, [part("…")], made)


async def judged(database: Database, question: Question, verdict: str, reason: str | None, at: datetime) -> None:
    """Let somebody say whether the answer helped."""
    said = {"question_id": question.id, "version": 0, "person": "slack:T1:U1", "tenant": "T1", "deeds": []}
    async with database.writing() as connection:
        await connection.execute(insert(feedback).values(said | {"verdict": verdict, "reason": reason, "at": at}))


async def test_days_are_counted_and_summed(database: Database, inbox: SqlInbox, threads: SqlThreads) -> None:
    """Seven days of UTC with today; what is older, or another workspace's, is not of this week."""
    await closed(inbox, threads, asked("Who?"))
    await closed(inbox, threads, asked("Кто?", days_ago=2), is_refusal=True)
    await closed(inbox, threads, asked("When?", days_ago=DAYS))
    await closed(inbox, threads, asked("Where?", tenant="T2"))
    await inbox.record(asked("Why?"))
    week = await SqlWeeks(database).of("T1", 1, NOW.date())

    assert [NOW.date() - timedelta(days=ago) for ago in range(DAYS - 1, -1, -1)] == [day.day for day in week.days]
    assert [(0, 0)] * 4 + [(0, 1), (0, 0), (1, 0)] == [(day.answered, day.refused) for day in week.days]
    assert [0.25, 0.0, 0.25] == [day.cost for day in week.days[-3:]]
    assert ("Кто?",) == week.unanswered
    assert week.waiting > 0


@pytest.mark.parametrize("known", [{"channel": "D1"}, {"private": True}])
async def test_what_was_asked_in_private_is_counted_and_not_shown(
    database: Database, inbox: SqlInbox, threads: SqlThreads, known: dict[str, Any]
) -> None:
    """Direct messages and `/ask` are nobody else's to read, whatever was said of their answers."""
    question = asked("Who earns what?", **known)
    await closed(inbox, threads, question, is_refusal=True)
    await judged(database, question, "down", "wrong", NOW)
    week = await SqlWeeks(database).of("T1", 1, NOW.date())

    assert (1, (), ()) == (week.days[-1].refused, week.unanswered, week.complaints)


async def test_what_did_not_help_is_shown_with_its_reason(
    database: Database, inbox: SqlInbox, threads: SqlThreads
) -> None:
    """The latest word first; what helped is not among it."""
    for number, (text, helpful, reason) in enumerate(
        (("Who?", False, "outdated"), ("Кто?", False, None), ("When?", True, None))
    ):
        question = asked(text)
        await closed(inbox, threads, question)
        at = NOW + timedelta(seconds=number)
        await judged(database, question, "up" if helpful else "down", reason, at)

    week = await SqlWeeks(database).of("T1", 1, NOW.date())

    assert (Complaint("Кто?", None), Complaint("Who?", "outdated")) == week.complaints
