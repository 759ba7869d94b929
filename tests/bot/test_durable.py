"""The engine of durable work: each run once, each step's result once, whatever ends the process."""

import asyncio
import logging
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from dbos import DBOS
from dbos._sys_db import SystemDatabase
from sqlalchemy.exc import DBAPIError, OperationalError

from adapters.storage import database
from bot import durable
from core.errors import ConfigError, StorageError
from tests.bot.engine import PATIENCE, SAID, Bench, both
from tests.postgres import Postgres


@both
async def test_a_run_that_is_started_twice_runs_once(bench: Bench) -> None:
    """At the same time, while it runs, and after its end: the id is what counts."""
    bench.hold.set()
    async with bench.engine() as workflows:
        await asyncio.gather(*(workflows.start("q#0", "q", 0, 7) for _ in range(3)))
        await workflows.start("q#0", "q", 0, 7)
        await bench.over(workflows)
        await workflows.start("q#0", "q", 0, 8)
        await workflows.start("q#1", "q", 1, 8)
        await bench.over(workflows, "q#1")

    assert bench.calls == {"q#0 over 7": 1, "q#1 over 8": 1, "planner": 2, "answer": 2}


@both
async def test_what_was_recorded_is_read_after_a_take_over(bench: Bench) -> None:
    """Another engine runs what the first one left unfinished: the step that was recorded is not made again."""
    async with bench.engine("first") as workflows:
        await workflows.start("q#0", "q", 0, 7)
        await bench.called(answer=1)
    bench.hold.set()
    async with bench.engine("second", takes_over="first") as workflows:
        await bench.over(workflows)

    assert bench.calls == {"q#0 over 7": 2, "planner": 1, "answer": 2}
    assert bench.values == [SAID["planner"], SAID["planner"], SAID["answer"]]


async def test_nothing_is_taken_over_unasked(bench: Bench) -> None:
    """A new engine leaves alone what belongs to another, which may be alive, and can tell whose work there is."""
    async with bench.engine("first") as workflows:
        await workflows.start("q#0", "q", 0, 7)
        await bench.called(answer=1)
    async with bench.engine("second", takes_over="third") as workflows:
        before = await workflows.replicas()
        await workflows.start("r#0", "r", 0, 7)
        await bench.called(answer=2)
        over, after = await workflows.is_over("q#0"), await workflows.replicas()

    assert over is False
    assert bench.calls["q#0 over 7"] == 1
    assert (before, after) == ({"first"}, {"first", "second"})


async def test_taking_over_twice_is_taking_over_once(bench: Bench) -> None:
    """Two that bury the same copy start its runs once."""
    async with bench.engine("first") as workflows:
        await workflows.start("q#0", "q", 0, 7)
        await bench.called(answer=1)
    async with bench.engine("second", takes_over="first") as workflows:
        await workflows.take_over("first")
        await bench.called(answer=2)
        await workflows.take_over("first")
        bench.hold.set()
        await bench.over(workflows)

    assert bench.calls["q#0 over 7"] == 2


def _fails(monkeypatch: pytest.MonkeyPatch, times: int) -> list[int]:
    """Let the engine fail to record so often; return the list of what it tried, by the number of the step."""
    tried: list[int] = []
    records = SystemDatabase.record_operation_result

    def record(self: SystemDatabase, result: Any, **known: Any) -> None:
        tried.append(result["function_id"])
        if len(tried) <= times:
            raise DBAPIError("INSERT", None, OSError("gone"))
        records(self, result, **known)

    monkeypatch.setattr(SystemDatabase, "record_operation_result", record)
    return tried


@pytest.mark.parametrize("times", [1, 2, 3])
async def test_what_could_not_be_recorded_is_kept_and_recorded_later(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    """A model that was paid for is not asked again because the database was away, for however short a time.

    The step keeps its number.
    """
    tried = _fails(monkeypatch, times)
    async with bench.engine("first") as workflows:
        await workflows.start("q#0", "q", 0, 7)
        await bench.called(answer=1)
    bench.hold.set()
    async with bench.engine("second", takes_over="first") as workflows:
        await bench.over(workflows)

    assert tried == [*[1] * times, 1, 2]
    assert bench.calls == {"q#0 over 7": 2, "planner": 1, "answer": 2}
    assert bench.values == [SAID["planner"], SAID["planner"], SAID["answer"]]


async def test_a_run_that_takes_another_way_makes_its_calls_anew(bench: Bench) -> None:
    """What was recorded for another step is not taken for this one's, and the run goes on to its end."""

    async def answers_at_once(bench: Bench) -> None:
        await bench.step("answer")
        await bench.step("planner")

    async with bench.engine("first") as workflows:
        await workflows.start("q#0", "q", 0, 7)
        await bench.called(answer=1)
    bench.way = answers_at_once
    async with bench.engine("second", takes_over="first") as workflows:
        await bench.over(workflows)

    assert bench.values == [SAID["planner"], SAID["answer"], SAID["planner"]]
    assert bench.calls == {"q#0 over 7": 2, "planner": 2, "answer": 2}


@both
async def test_a_call_made_before_is_not_made_again_on_another_way(bench: Bench) -> None:
    """Nothing is to be read any more, since what the thread began with was taken back: the plan made then is the plan.

    Another plan is made anew, and is recorded for whoever takes the run up after that.
    """

    async def reads_and_plans(bench: Bench) -> None:
        await bench.step("reading", asked="ключ Ю1, прочитано")
        await bench.step("planner", asked="ключ Ю1")
        await bench.step("answer", waits=True, asked="ответ")

    async def plans(bench: Bench) -> None:
        await bench.step("planner", asked="ключ Ю1")
        await bench.step("answer", waits=True, asked="ответ")

    async def plans_otherwise(bench: Bench) -> None:
        await bench.step("planner", asked="ключ Ю2")
        await bench.step("answer", waits=True, asked="ответ")

    bench.way = reads_and_plans
    async with bench.engine("first") as workflows:
        await workflows.start("q#0", "q", 0, 7)
        await bench.called(answer=1)
    bench.way = plans
    async with bench.engine("second", takes_over="first"):
        await bench.called(answer=2)
    assert bench.calls == {"q#0 over 7": 2, "reading": 1, "planner": 1, "answer": 2}
    bench.way = plans_otherwise
    async with bench.engine("third", takes_over="second"):
        await bench.called(answer=3)
    assert bench.calls["planner"] == 2
    async with bench.engine("fourth", takes_over="third") as workflows:
        bench.hold.set()
        await bench.over(workflows)

    assert bench.calls == {"q#0 over 7": 4, "reading": 1, "planner": 2, "answer": 4}
    assert bench.values[-1] == SAID["answer"] | {"asked": "ответ"}


async def test_a_cancelled_run_stops_in_the_middle_of_a_step(bench: Bench) -> None:
    """The runs of a question's older versions stop while they wait for their model; newer ones and others go on."""
    async with bench.engine() as workflows:
        for id_ in ("q#2", "q#10", "qq#0"):
            await workflows.start(id_, *_named(id_), 7)
        await bench.called(answer=3)
        await workflows.cancel("q#", before=10)
        await bench.over(workflows, "q#2")

        async def stopped() -> bool:
            return bench.ended["q#2"] == 1

        await bench.until(stopped)
        others = [await workflows.is_over(id_) for id_ in ("q#10", "qq#0")]
        bench.hold.set()
        for id_ in ("q#10", "qq#0"):
            await bench.over(workflows, id_)

    assert others == [False, False]
    assert bench.values.count(SAID["answer"]) == 2


async def test_all_runs_of_a_question_that_was_taken_back_stop(bench: Bench) -> None:
    """Whatever version they answer."""
    async with bench.engine() as workflows:
        for id_ in ("q#0", "q#1"):
            await workflows.start(id_, *_named(id_), 7)
        await bench.called(answer=2)
        await workflows.cancel("q#")
        for id_ in ("q#0", "q#1"):
            await bench.over(workflows, id_)

    assert SAID["answer"] not in bench.values


def _named(id_: str) -> tuple[str, int]:
    question, _, version = id_.partition("#")
    return question, int(version)


async def test_the_log_says_nothing_of_a_cancelled_run(bench: Bench) -> None:
    """We asked for it; that a run failed is news."""
    heard: list[str] = []
    listener = logging.Handler()
    listener.emit = lambda record: heard.append(record.getMessage())  # type: ignore[method-assign]

    async def fails(_: Bench) -> None:
        raise StorageError("lost")

    async with bench.engine() as workflows:
        logging.getLogger("dbos").addHandler(listener)
        try:
            await workflows.start("q#0", "q", 0, 7)
            await bench.called(answer=1)
            await workflows.cancel("q#")
            await bench.over(workflows)
            silent = list(heard)
            bench.way = fails
            await workflows.start("r#0", "r", 0, 7)
            await bench.over(workflows, "r#0")
        finally:
            logging.getLogger("dbos").removeHandler(listener)

    assert silent == []
    assert heard


async def test_the_log_says_in_a_line_that_the_database_is_away(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """That the end of a run could not be recorded is told without where in the engine that was."""
    record = SystemDatabase.update_workflow_outcome

    def away(*_: Any, **__: Any) -> None:
        monkeypatch.setattr(SystemDatabase, "update_workflow_outcome", record)
        raise OperationalError("UPDATE", None, OSError("gone"))

    monkeypatch.setattr(SystemDatabase, "update_workflow_outcome", away)
    bench.hold.set()
    async with bench.engine() as workflows:
        await workflows.start("q#0", "q", 0, 7)
        async with asyncio.timeout(PATIENCE):
            while not caplog.records:
                await asyncio.sleep(0.01)

    assert [(record.getMessage(), record.exc_info) for record in caplog.records] == [
        ("The engine's database did not do it (OperationalError); nothing is lost by that", None)
    ]


async def test_whether_a_run_is_over(bench: Bench) -> None:
    """Unknown, under way, and at an end of whatever kind are three things."""
    async with bench.engine() as workflows:
        before = await workflows.is_over("q#0")
        await workflows.start("q#0", "q", 0, 7)
        await bench.called(answer=1)
        during = await workflows.is_over("q#0")
        bench.hold.set()
        await bench.over(workflows)

    assert (before, during) == (None, False)


async def test_only_what_is_finished_is_forgotten(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A finished run is kept for a while and then deleted; an unfinished one stays, however old."""
    bench.hold.set()
    async with bench.engine() as workflows:
        await workflows.start("q#0", "q", 0, 7)
        await bench.over(workflows)
        bench.hold.clear()
        await workflows.start("r#0", "r", 0, 7)
        await bench.called(answer=2)
        await workflows.forget_old()
        young = await workflows.is_over("q#0")
        monkeypatch.setattr(durable, "_KEPT", timedelta(seconds=-1))
        await workflows.forget_old()
        old = [await workflows.is_over(id_) for id_ in ("q#0", "r#0")]

    assert young is True
    assert old == [None, False]


async def test_a_run_that_ends_the_process_each_time_is_given_up(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is taken up so many times, and then never again."""
    monkeypatch.setattr(durable, "MAX_ATTEMPTS", 2)
    async with bench.engine("0") as workflows:
        await workflows.start("q#0", "q", 0, 7)
        await bench.called(answer=1)
    for number in (1, 2):
        async with bench.engine(str(number), takes_over=str(number - 1)):
            await bench.called(answer=number + 1)
    async with bench.engine("3", takes_over="2") as workflows:
        await bench.over(workflows)

    assert bench.calls["q#0 over 7"] == 3


async def test_other_threads_work_on_after_the_end(bench: Bench) -> None:
    """The engine takes only its own threads along."""
    async with bench.engine():
        pass

    assert await asyncio.to_thread(lambda: "still here") == "still here"


async def test_records_on_a_server_that_is_away(bench: Bench, postgres: Postgres) -> None:
    """The start may be tried again, and then works, in the same process."""
    bench.hold.set()
    with postgres.database() as url:
        bench.url = url.render_as_string(hide_password=False)
        postgres.go_away(url)
        with pytest.raises(
            StorageError, match=r"^storage: the records of work cannot be reached \(\w+(, \w+)?\): "
        ) as failed:
            async with bench.engine():
                pass
        postgres.come_back(url)
        async with bench.engine() as workflows:
            await workflows.start("q#0", "q", 0, 0)
            await bench.over(workflows)

    assert failed.value.retry


async def test_records_that_another_program_holds(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is said of removing what is well: the start may be tried again, and then works."""
    monkeypatch.setattr(database, "_PRAGMAS", ("PRAGMA busy_timeout=50", *database._PRAGMAS[1:]))
    bench.hold.set()
    with closing(sqlite3.connect(tmp_path / "work.db", isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(
            StorageError, match=r"^storage: the records of .* \(OperationalError, SQLITE_BUSY\): see that"
        ):
            async with bench.engine():
                pass
    async with bench.engine() as workflows:
        await workflows.start("q#0", "q", 0, 0)
        await bench.over(workflows)

    assert bench.ended["q#0"] == 1


@pytest.mark.parametrize(
    ("code", "passes"),
    [("SQLITE_FULL", True), ("SQLITE_IOERR_WRITE", True), ("SQLITE_LOCKED", True), ("SQLITE_READONLY", False)],
)
async def test_a_disk_that_is_full_at_the_start(
    bench: Bench, code: str, monkeypatch: pytest.MonkeyPatch, *, passes: bool
) -> None:
    """It is waited for; and whatever is wrong with it, the records are not to be removed."""
    failure = sqlite3.OperationalError("it did not work")
    failure.sqlite_errorname = code

    def fail() -> None:
        raise OperationalError("CREATE TABLE", {}, failure)

    monkeypatch.setattr(DBOS, "launch", fail)
    with pytest.raises(StorageError if passes else ConfigError) as failed:
        async with bench.engine():
            pass

    assert getattr(failed.value, "retry", False) == passes
    assert "remove" not in str(failed.value)


async def test_records_that_cannot_be_used(bench: Bench, tmp_path: Path) -> None:
    """A file that is no database is one sentence at the start, which says what to do about it."""
    (tmp_path / "work.db").write_text("no database, " * 1000)
    with pytest.raises(ConfigError, match=r"^the records of work cannot be kept .*: remove work.db in FOOTNOTE_DATA_D"):
        async with bench.engine():
            pass
