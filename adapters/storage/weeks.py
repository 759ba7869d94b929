"""The latest days of a Slack workspace in numbers, and the questions that were not answered well."""

from collections import Counter
from datetime import UTC, date, datetime, time, timedelta

from sqlalchemy import Text, cast, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database
from adapters.storage.index_tables import items
from adapters.storage.setting import is_private
from adapters.storage.spending import SqlSpending
from adapters.storage.tables import active, feedback, outbox, turns, unsent
from core.visiting import Complaint, Day, Week

DAYS = 7
# Questions counted, and questions of each kind that are shown.
_MOST = 20_000
_SHOWN = 8


class SqlWeeks:
    """What a database tells of the latest week."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._spending = SqlSpending(database)

    async def of(self, tenant: str, generation: int, today: date) -> Week:
        """Return the week that ends today, of one workspace. Raises StorageError.

        What was asked in private is counted, and nobody else's to read.
        """
        first = today - timedelta(days=DAYS - 1)
        since = datetime.combine(first, time(), UTC)
        async with self._database.reading() as connection:
            answered, refused, unanswered = await _asked(connection, tenant, since)
            complaints = await _complaints(connection, tenant, since)
            waiting = await connection.scalar(select(func.count()).select_from(turns).where(active(turns.c.state)))
            sending = await connection.scalar(select(func.count()).select_from(outbox).where(unsent(outbox.c.state)))
            told = (items.c.generation == generation, cast(items.c.problems, Text).not_in(("[]", "null")))
            problems = await connection.scalar(select(func.count()).select_from(items).where(*told))
        days = [first + timedelta(days=number) for number in range(DAYS)]
        costs = {day: (await self._spending.of(tenant, day)).cost for day in days}
        return Week(
            days=tuple(Day(day, answered[day], refused[day], costs[day]) for day in days),
            unanswered=unanswered,
            complaints=complaints,
            waiting=(waiting or 0) + (sending or 0),
            problems=problems or 0,
        )


async def _asked(
    connection: AsyncConnection, tenant: str, since: datetime
) -> tuple[Counter[date], Counter[date], tuple[str, ...]]:
    """Return how many were answered and how many were not on each day, and the words of the latest of these."""
    columns = (turns.c.asked_at, turns.c.answered, turns.c.text, turns.c.place, turns.c.setting, turns.c.unclear)
    ours = (turns.c.platform == "slack", turns.c.tenant == tenant, turns.c.asked_at >= since)
    done = (turns.c.state == "done", turns.c.answered.is_not(None))
    query = select(*columns).where(*ours, *done).order_by(turns.c.asked_at.desc()).limit(_MOST)
    answered: Counter[date] = Counter()
    refused: Counter[date] = Counter()
    open_: list[str] = []
    for row in (await connection.execute(query)).all():
        if row.answered:
            answered[row.asked_at.date()] += 1
        elif row.unclear is None:
            refused[row.asked_at.date()] += 1
            if _is_open(row.place, is_private=is_private(row.setting)):
                open_.append(row.text)
    return answered, refused, tuple(dict.fromkeys(open_))[:_SHOWN]


async def _complaints(connection: AsyncConnection, tenant: str, since: datetime) -> tuple[Complaint, ...]:
    columns = (turns.c.text, turns.c.place, turns.c.setting, feedback.c.reason)
    said = (feedback.c.tenant == tenant, feedback.c.verdict == "down", feedback.c.at >= since)
    query = (
        select(*columns)
        .join(turns, turns.c.question_id == feedback.c.question_id)
        .where(*said, turns.c.platform == "slack")
        .order_by(feedback.c.at.desc())
        .limit(10 * _SHOWN)
    )
    rows = (await connection.execute(query)).all()
    shown = (row for row in rows if _is_open(row.place, is_private=is_private(row.setting)))
    return tuple(Complaint(row.text, row.reason) for row in shown)[:_SHOWN]


def _is_open(place: str, *, is_private: bool) -> bool:
    """Return whether it was asked where others read, too: ids of direct channels begin with D."""
    return not is_private and not place.rpartition(":")[2].startswith("D")
