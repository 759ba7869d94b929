"""What a long history costs: a thread of 10,000 turns against one of 50, and a queue behind 10,000 finished questions.

python -m benchmarks.threads [--rounds 100] [--json]
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import insert, text

from adapters.storage.database import Database, open_database
from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.tables import outbox, turns
from adapters.storage.threads import SqlThreads
from core.conversation import Audience, Question
from core.delivery import FIRST, Part
from core.work import Welcome
from tests.postgres import running

SHORT, LONG, SENT, WAITING = 50, 10_000, 20_000, 20
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
PLATFORMS = ("slack",)
_BATCH = 1_000
# As large as the stored result of an answer with eight facts is.
_RESULT = {"answer": "Ответ. " * 50, "raw_context_used": ["Отрывок документа. " * 30] * 8}

Figures = dict[str, Any]


def main() -> None:
    """Print the figures of both databases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = asyncio.run(measure(options.rounds))
    print(json.dumps(figures) if options.json else "\n".join(_table(figures)))


async def measure(rounds: int) -> Figures:
    """Return milliseconds (median) by database and by what is done."""
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as folder, running() as postgres, postgres.database() as url:
        for name, place in (("sqlite", Path(folder) / "footnote.db"), ("postgresql", _written(url))):
            async with _filled(place) as database:
                figures[name] = await _opening(database, rounds) | await _queueing(database, rounds)
    return figures


async def _opening(database: Database, rounds: int) -> Figures:
    threads = SqlThreads(database, 5)
    questions = [_question("short", SHORT + 1), _question("long", LONG + 1)]
    short, long = await _medians(rounds, *(partial(threads.open, question) for question in questions))
    return {"open_short_ms": short, "open_long_ms": long, "ratio": round(long / short, 2)}


async def _queueing(database: Database, rounds: int) -> Figures:
    inbox, messages, later = SqlInbox(database), SqlOutbox(database, "one"), count()
    for number in range(WAITING):
        await inbox.record(_question(f"waiting {number}", 0), lambda _: Welcome(Part(FIRST, {"text": "…"})))

    async def take() -> None:
        for taken in await inbox.take(1, "one", PLATFORMS):
            await inbox.give_back(taken.id, taken.version, "one")

    async def claim() -> None:
        if claim := await messages.claim(("slack", "C1")):
            await messages.later(claim, 0, "again", whole_place=False)

    async def record() -> None:
        await inbox.record(_question(f"new {next(later)}", 0), lambda _: Welcome(Part(FIRST, {"text": "…"})))

    calls = (take, claim, partial(messages.due, PLATFORMS), record)
    return dict(zip(("take_ms", "claim_ms", "due_ms", "record_ms"), await _medians(rounds, *calls), strict=True))


async def _medians(rounds: int, *calls: Callable[[], Awaitable[object]]) -> list[float]:
    """Return the median of each call, made in turn: what else the machine does falls on all of them."""
    seconds: list[list[float]] = [[] for _ in calls]
    for _ in range(rounds + 1):
        for call, of_call in zip(calls, seconds, strict=True):
            start = time.perf_counter()
            await call()
            of_call.append(time.perf_counter() - start)
    return [round(statistics.median(of_call[1:]) * 1e3, 2) for of_call in seconds]


@asynccontextmanager
async def _filled(place: str | Path) -> AsyncIterator[Database]:
    database = open_database(place)
    await database.prepare()
    finished = [_turn("short", number) for number in range(SHORT)] + [_turn("long", number) for number in range(LONG)]
    sent = [_message(number) for number in range(SENT)]
    for table, rows in ((turns, finished), (outbox, sent)):
        for start in range(0, len(rows), _BATCH):
            async with database.writing() as connection:
                await connection.execute(insert(table), rows[start : start + _BATCH])
    async with database.writing() as connection:
        if connection.dialect.name == "postgresql":
            # As a server does by itself in time; SQLite goes by its rules alone.
            await connection.execute(text("ANALYZE"))
    yield database
    await database.close()


def _turn(thread: str, number: int) -> Figures:
    at = NOON + timedelta(minutes=number)
    asked = {"question_id": f"slack:{thread}:{number}", "thread": thread, "platform": "slack", "asker": "U1"}
    said = {"text": "Где применял RAG?", "standalone": "Где применял RAG?", "entities": ["rag"], "answered": True}
    times = {"asked_at": at, "arrived_at": at, "finished_at": at, "state": "done", "result": _RESULT}
    return asked | said | times | {"tenant": "acme", "groups": [], "place": "C1", "message": str(number)}


def _message(number: int) -> Figures:
    where = {"platform": "slack", "place": "C1", "thread": "long", "message": str(number)}
    what = {"question_id": f"slack:long:{number}", "part": FIRST, "body": {"text": "Ответ. " * 50}, "final": True}
    state = {"state": "sent", "version": 1, "tried": 1, "in_doubt": False, "seq": number}
    return where | what | state | {"shown": {"place": "C1", "message": "9"}, "due_at": NOON, "changed_at": NOON}


def _question(thread: str, minute: int) -> Question:
    at, id_ = NOON + timedelta(minutes=minute), f"slack:{thread}:new"
    return Question(id_, "slack", thread, "А в Aston?", "U2", Audience("acme"), at, place="C1", message="new")


def _written(url: Any) -> str:
    return str(url.render_as_string(hide_password=False))


def _table(figures: Figures) -> list[str]:
    head = f"{'ms, median':12} {'sqlite':>10} {'postgresql':>12}"
    return [head] + [
        f"{key:14} {figures['sqlite'][key]:8} {figures['postgresql'][key]:12}" for key in figures["sqlite"]
    ]


if __name__ == "__main__":
    main()
