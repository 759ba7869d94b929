"""What the stored conversations add to their contract when they are rows of a database."""

import json

from sqlalchemy import select, text

from adapters.storage.database import Database
from adapters.storage.tables import turns
from adapters.storage.threads import SqlThreads
from core.result import result_of
from tests.adapters.storage.turns import ask, finish


async def test_a_finished_turn_keeps_its_result(database: Database) -> None:
    """The row of a turn holds its result contract, ready to be shown again."""
    record = finish(ask("Где применял RAG?"), reply="В Aston.")
    await SqlThreads(database, 5).close(record)

    async with database.reading() as connection:
        row = (await connection.execute(select(turns))).one()
    assert (json.loads(json.dumps(result_of(record))), "done", True) == (row.result, row.state, row.answered)


async def test_russian_is_stored_as_it_is_written(database: Database) -> None:
    """Whoever opens the database reads words and not escapes."""
    await SqlThreads(database, 5).close(finish(ask("Где применял RAG?"), reply="В Aston."))

    async with database.reading() as connection:
        stored = await connection.scalar(text("SELECT result FROM turns"))
    assert "Где применял RAG?" in stored


async def test_opening_a_long_thread_reads_its_end_alone(database: Database) -> None:
    """The cost of a question does not grow with its thread: the order comes from the index."""
    threads = SqlThreads(database, 5)
    query = threads._earlier(ask("now")).compile()
    async with database.reading() as connection:
        plan = await connection.execute(text(f"EXPLAIN QUERY PLAN {query}"), query.params)

    steps = " ".join(row.detail for row in plan)
    assert "USING INDEX ix_turns_thread_asked_at (thread=? AND asked_at<?)" in steps
    assert "B-TREE FOR ORDER BY" not in steps
