"""What the chain of the audit log costs: turns closed with it against a plain log, one by one and 16 at a time.

python -m benchmarks.audit [--turns 300] [--json]
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import delete, insert, text
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage import threads as closing
from adapters.storage.audit import SqlAudit
from adapters.storage.database import Database, open_database
from adapters.storage.tables import audit
from adapters.storage.threads import SqlThreads
from bot.audit import Sound, verified
from core.facts import Fact, FactsPayload, Source, Span
from core.text import Untrusted
from core.turn import TurnRecord
from tests.adapters.storage.turns import NOON, ask, finish
from tests.postgres import running

AT_ONCE = 16
_NUMBERS = count(10**9)
# As much as the passages of a usual answer: eight of some 900 characters.
_PASSAGE = "Отрывок документа, в котором сказано, кому и сколько положено. " * 14


def main() -> None:
    """Print the figures of both databases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=300)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = asyncio.run(measure(options.turns))
    print(json.dumps(figures) if options.json else _table(figures))


async def measure(turns: int) -> dict[str, dict[str, float]]:
    """Return for each database the milliseconds of a turn, how many a second, and what verifying one takes."""
    figures = {}
    with tempfile.TemporaryDirectory() as folder, running() as postgres, postgres.database() as url:
        # Durable as a server is: what a commit costs is what those wait for that come behind it.
        postgres.connection.execute("ALTER SYSTEM SET synchronous_commit = on")
        postgres.connection.execute("ALTER SYSTEM SET fsync = on")
        postgres.connection.execute("SELECT pg_reload_conf()")
        places: dict[str, str | Path] = {
            "sqlite": Path(folder) / "footnote.db",
            "postgresql": url.render_as_string(hide_password=False),
        }
        for name, place in places.items():
            database = open_database(place)
            await database.prepare()
            figures[name] = await _figures(database, turns)
            await database.close()
    return figures


async def _figures(database: Database, turns: int) -> dict[str, float]:
    # In turns, so that what else the machine does falls on both alike.
    alone: dict[str, list[float]] = {"with the chain": [], "with a plain log": []}
    crowd: dict[str, list[float]] = {"with the chain": [], "with a plain log": []}
    spent: dict[str, list[float]] = {kind: [] for kind in alone}
    number = 0
    for _ in range(10):
        for kind in alone:
            some = turns // 20
            with _plainly() if kind == "with a plain log" else _logged():
                cpu = time.process_time()
                alone[kind] += [await _closed(database, number + n) for n in range(some)]
                spent[kind].append((time.process_time() - cpu) / some)
                crowd[kind].append(some / await _together(database, range(number + some, number + 2 * some)))
            number += 2 * some
    await _cleared(database)
    began = time.perf_counter()
    outcome = await verified(SqlAudit(database))
    assert isinstance(outcome, Sound)
    figures = {f"ms a turn, {kind}": statistics.median(times) * 1e3 for kind, times in alone.items()}
    figures |= {f"ms of our CPU a turn, {kind}": statistics.median(times) * 1e3 for kind, times in spent.items()}
    figures |= {f"turns a second, {AT_ONCE} at once, {kind}": statistics.median(rates) for kind, rates in crowd.items()}
    figures["ms to verify an entry"] = (time.perf_counter() - began) * 1e3 / outcome.entries
    return {name: round(value, 2) for name, value in figures.items()}


async def _cleared(database: Database) -> None:
    """Take the rows of the plain log away, which belong to no chain."""
    async with database.writing() as connection:
        if database.is_shared:
            await connection.execute(text("SET LOCAL session_replication_role = replica"))
        else:
            await connection.execute(text("DROP TRIGGER audit_is_not_removed"))
        await connection.execute(delete(audit).where(audit.c.id >= 10**9))


async def _closed(database: Database, number: int) -> float:
    record = _record(number)
    began = time.perf_counter()
    await SqlThreads(database, 3).close(record.question, [], record)
    return time.perf_counter() - began


async def _together(database: Database, numbers: range) -> float:
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> None:
        async with gate:
            await _closed(database, number)

    began = time.perf_counter()
    await asyncio.gather(*map(one, numbers))
    return time.perf_counter() - began


def _record(number: int) -> TurnRecord:
    facts = tuple(
        Fact(Untrusted(_PASSAGE), Source(f"{n}.md", f"Документ {n}"), Span(0, len(_PASSAGE)), f"{n}.md-0")
        for n in range(8)
    )
    record = finish(
        ask(f"Сколько дней? {number}", message=str(number + 1), thread=f"t{number}"), reply="28 дней. " * 20
    )
    return replace(record, payload=FactsPayload(facts))


@contextmanager
def _logged() -> Iterator[None]:
    yield


@contextmanager
def _plainly() -> Iterator[None]:
    """Let entries be rows and nothing more: nobody waits for another, and none is hashed."""

    async def put(_: Database, connection: AsyncConnection, record: TurnRecord, result: Mapping[str, Any]) -> None:
        question = record.question
        words = f"{question.id}\n{question.asker}\n{question.text}\n{result['answer']}".casefold()
        row = {"id": next(_NUMBERS), "question_id": question.id, "tenant": "acme", "asker": question.asker}
        await connection.execute(insert(audit).values(row | {"at": NOON, "words": words, "record": result}))

    chained, closing.put_entry = closing.put_entry, put  # type: ignore[assignment, attr-defined]  # what it imports
    try:
        yield
    finally:
        closing.put_entry = chained  # type: ignore[attr-defined]  # what it imports


def _table(figures: dict[str, dict[str, float]]) -> str:
    names = list(next(iter(figures.values())))
    rows = [f"| {name} | {' | '.join(str(known[name]) for known in figures.values())} |" for name in names]
    return "\n".join([f"| | {' | '.join(figures)} |", f"|---|{'---|' * len(figures)}", *rows])


if __name__ == "__main__":
    main()
