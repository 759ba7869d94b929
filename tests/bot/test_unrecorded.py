"""What the engine of durable work has recorded of a forgotten person's questions goes at once."""

import asyncio
from pathlib import Path

from sqlalchemy import inspect, select, table, text

from bot.unrecorded import erase_runs
from bot.wiring import work_engine
from tests.bot.engine import SAID, Bench, both


def recorded(url: str) -> str:
    """Return all that the engine holds of runs, as text."""
    engine = work_engine(url)
    schema = None if engine.dialect.name == "sqlite" else "dbos"
    tables = ("workflow_status", "workflow_input", "workflow_output", "operation_outputs")
    try:
        assert set(tables) <= set(inspect(engine).get_table_names(schema=schema))
        with engine.connect() as connection:
            every = [select(text("*")).select_from(table(name, schema=schema)) for name in tables]
            return str([connection.execute(query).all() for query in every])
    finally:
        engine.dispose()


def erase(url: str, *questions: str) -> None:
    """Remove what is recorded of the questions."""
    engine = work_engine(url)
    try:
        erase_runs(engine, questions)
    finally:
        engine.dispose()


@both
async def test_nothing_is_left_of_what_is_over(bench: Bench) -> None:
    """Neither what models said nor the id, which names a private chat; other questions' runs stay as they are."""
    bench.hold.set()
    async with bench.engine() as workflows:
        for question in ("telegram:42:1", "telegram:421:1"):
            await workflows.start(f"{question}#0", question, 0, 7)
            await bench.over(workflows, f"{question}#0")
        assert "telegram:42:1" in recorded(bench.url)
        await asyncio.to_thread(erase, bench.url, "telegram:42:1")
        left = recorded(bench.url)

        assert "telegram:42:1" not in left
        assert "telegram:421:1" in left
        assert str(SAID["answer"]["text"]) in left
        assert await workflows.is_over("telegram:421:1#0")


@both
async def test_of_what_was_cancelled_no_word_is_left(bench: Bench) -> None:
    """Its id stays until what is old goes: whoever works on it may have something to record yet."""
    async with bench.engine() as workflows:
        await workflows.start("telegram:42:1#0", "telegram:42:1", 0, 7)
        await bench.called(answer=1)
        await workflows.cancel("telegram:42:1#")
        await bench.over(workflows, "telegram:42:1#0")
        assert "planner" in recorded(bench.url)
        await asyncio.to_thread(erase, bench.url, "telegram:42:1")
        left = recorded(bench.url)

        assert "telegram:42:1#0" in left
        assert "CANCELLED" in left
        assert "planner" not in left


def test_where_nothing_was_ever_answered_nothing_is_made(tmp_path: Path) -> None:
    """A person may be forgotten before the bot has ever run."""
    erase(f"sqlite:///{tmp_path / 'work.db'}", "telegram:42:1")

    assert not (tmp_path / "work.db").exists()
