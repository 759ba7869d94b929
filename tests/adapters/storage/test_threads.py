"""What the stored conversations add to their contract when they are rows of a database."""

import json

from sqlalchemy import String, cast, select

from adapters.storage.database import Database
from adapters.storage.tables import turns
from adapters.storage.threads import SqlThreads
from core.result import result_of
from tests.adapters.storage.turns import ask, finish


async def test_a_finished_turn_keeps_its_result(database: Database) -> None:
    """The row of a turn holds its result contract, ready to be shown again."""
    question = ask("Где применял RAG?")
    record = finish(question, reply="В Aston.")
    await SqlThreads(database, 5).close(question, [], record)

    async with database.reading() as connection:
        row = (await connection.execute(select(turns))).one()
    assert (json.loads(json.dumps(result_of(record))), "done", True) == (row.result, row.state, row.answered)


async def test_russian_is_stored_as_it_is_written(database: Database) -> None:
    """Whoever opens the database reads words and not escapes."""
    question = ask("Где применял RAG?")
    await SqlThreads(database, 5).close(question, [], finish(question, reply="В Aston."))

    async with database.reading() as connection:
        stored = await connection.scalar(select(cast(turns.c.result, String)))
    assert "Где применял RAG?" in str(stored)
