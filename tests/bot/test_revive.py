"""Runs that are recorded as begun and that nobody works on go on, and no run is ever worked on twice at once."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from dbos import _core, _queue
from dbos._sys_db import SystemDatabase
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from bot import durable, line, service
from bot.durable import Workflows
from core.errors import StorageError
from core.phrases import phrase
from tests.bot.engine import PATIENCE, Bench, both
from tests.bot.work import Company
from tests.doubles.stage import Stage


def gone() -> OperationalError:
    """Return what the engine's database raises when its answer is lost."""
    return OperationalError("COMMIT", None, OSError("gone"))


async def looked(workflows: Workflows, times: int = 2) -> None:
    """Look so often for what nobody works on."""
    for _ in range(times):
        await workflows.revive()


def answers_into_the_void(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the engine record that it begins the next run, and not hear that this was done."""
    record = SystemDatabase.init_workflow

    def recorded(*given: Any, **named: Any) -> Any:
        record(*given, **named)
        monkeypatch.setattr(SystemDatabase, "init_workflow", record)
        raise gone()

    monkeypatch.setattr(SystemDatabase, "init_workflow", recorded)


@both
async def test_a_run_whose_beginning_was_recorded_and_never_told(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Starting it again does nothing, as its id is known; at the second look it goes on, once."""
    answers_into_the_void(monkeypatch)
    async with bench.engine() as workflows:
        with pytest.raises(StorageError):
            await workflows.start("вопрос#0", "вопрос", 0, 7)
        await workflows.start("вопрос#0", "вопрос", 0, 7)
        await looked(workflows, 1)
        early = dict(bench.calls)
        await looked(workflows, 1)
        await bench.called(answer=1)
        await looked(workflows, 3)
        bench.hold.set()
        await bench.over(workflows, "вопрос#0")
        await looked(workflows, 3)

    assert early == {}
    assert bench.calls == {"вопрос#0 over 7": 1, "planner": 1, "answer": 1}


async def dies_taking_over(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a second copy take over from the first one, and die before anybody takes up what it left."""
    with monkeypatch.context() as change:
        change.setattr(SystemDatabase, "start_queued_workflows", lambda *_, **__: ([], None))
        async with bench.engine("second", takes_over="first"):
            pass


@both
async def test_a_run_that_was_claimed_and_could_not_be_read(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine claims what is taken over, cannot read it, and forgets it; what was recorded is not made again."""
    async with bench.engine("first") as workflows:
        await workflows.start("q#0", "q", 0, 7)
        await bench.called(answer=1)
    read, read_all = SystemDatabase.get_workflow_status, SystemDatabase.get_workflow_statuses
    failed = threading.Event()

    def unreadable(*_: Any, **__: Any) -> Any:
        failed.set()
        raise gone()

    monkeypatch.setattr(SystemDatabase, "get_workflow_statuses", unreadable)
    monkeypatch.setattr(SystemDatabase, "get_workflow_status", unreadable)
    bench.hold.set()
    async with bench.engine("second", takes_over="first") as workflows:
        assert await asyncio.to_thread(failed.wait, PATIENCE)
        monkeypatch.setattr(SystemDatabase, "get_workflow_statuses", read_all)
        monkeypatch.setattr(SystemDatabase, "get_workflow_status", read)
        before = await workflows.is_over("q#0")
        await looked(workflows)
        await bench.over(workflows)

    assert before is False
    assert bench.calls == {"q#0 over 7": 2, "planner": 1, "answer": 2}


@both
async def test_a_take_over_that_fails_is_told_and_made_again(bench: Bench) -> None:
    """Who buries a copy hears that its work could not be taken over, and does not forget it."""
    async with bench.engine("first") as workflows:
        await workflows.start("q#0", "q", 0, 7)
        await bench.called(answer=1)
    bench.hold.set()
    async with bench.engine("second") as workflows:
        engine = workflows._engine

        def fails(_: Any, __: Any, statement: str, *___: Any) -> None:
            if statement.startswith("UPDATE"):
                raise gone()

        event.listen(engine, "before_cursor_execute", fails)
        with pytest.raises(StorageError) as failed:
            await workflows.take_over("first")
        event.remove(engine, "before_cursor_execute", fails)
        holders = await workflows.replicas()
        going_on = await workflows.take_over("first")
        await bench.over(workflows)

    assert failed.value.retry
    assert (holders, set(going_on)) == ({"first"}, {"q#0"})
    assert bench.calls == {"q#0 over 7": 2, "planner": 1, "answer": 2}


@both
@pytest.mark.parametrize("left", ["under way", "enqueued"])
async def test_runs_of_another_version_of_the_steps_go_on(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, left: str
) -> None:
    """They are taken over like any other, even what an older copy had only begun to take over; nothing is paid twice.

    A release that changes the order of the steps strands nobody's question.
    """
    async with bench.engine("first") as workflows:
        await workflows.start("q#0", "q", 0, 7)
        await bench.called(answer=1)
    if left == "enqueued":
        await dies_taking_over(bench, monkeypatch)
    monkeypatch.setattr(durable, "STEPS_VERSION", "2")
    bench.hold.set()
    async with bench.engine("third") as workflows:
        holders = await workflows.replicas()
        going_on = await workflows.take_over("first")
        await bench.over(workflows)

    assert (holders, set(going_on)) == ({"first"}, {"q#0"})
    assert bench.calls == {"q#0 over 7": 2, "planner": 1, "answer": 2}


@both
async def test_what_is_worked_on_is_left_in_peace(bench: Bench) -> None:
    """Neither a run under way here nor that of another copy, which may be alive, is begun a second time."""
    async with bench.engine("first") as workflows:
        await workflows.start("q#0", "q", 0, 7)
        await bench.called(answer=1)
        await looked(workflows, 3)
    async with bench.engine("second") as workflows:
        await workflows.start("r#0", "r", 0, 7)
        await bench.called(answer=2)
        await looked(workflows, 3)
        over = [await workflows.is_over(id_) for id_ in ("q#0", "r#0")]
        bench.hold.set()
        await bench.over(workflows, "r#0")

    assert over == [False, False]
    assert bench.calls == {"q#0 over 7": 1, "r#0 over 7": 1, "planner": 2, "answer": 2}


@both
async def test_who_claimed_a_run_and_stood_still_does_not_begin_it_after_all(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its run was let go on meanwhile: only the one that was claimed last asks the models."""
    async with bench.engine("first") as workflows:
        await workflows.start("q#0", "q", 0, 7)
        await bench.called(answer=1)
    execute, stands, goes_on = _core.execute_dequeued_workflow, threading.Event(), threading.Event()

    def slowly(*given: Any) -> Any:
        if not stands.is_set():
            stands.set()
            goes_on.wait(PATIENCE)
        return execute(*given)

    monkeypatch.setattr(_queue, "execute_dequeued_workflow", slowly)
    async with bench.engine("second", takes_over="first") as workflows:
        assert await asyncio.to_thread(stands.wait, PATIENCE)
        await looked(workflows)
        goes_on.set()
        await bench.called(answer=2)
        await looked(workflows, 3)
        bench.hold.set()
        await bench.over(workflows)

    assert bench.calls == {"q#0 over 7": 2, "planner": 1, "answer": 2}


async def test_a_run_whose_end_was_not_recorded_ends_after_all(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes on from what is recorded, which asks no model again."""
    record, lost = SystemDatabase.update_workflow_outcome, [2, 1]

    def away(*given: Any, **named: Any) -> Any:
        if lost and lost.pop():
            raise gone()
        return record(*given, **named)

    monkeypatch.setattr(SystemDatabase, "update_workflow_outcome", away)
    bench.hold.set()
    async with bench.engine() as workflows:
        await workflows.start("q#0", "q", 0, 7)
        await bench.called(answer=1)

        async def given_up() -> bool:
            return not lost

        await bench.until(given_up)

        async def is_over() -> bool:
            await workflows.revive()
            return bool(await workflows.is_over("q#0"))

        await bench.until(is_over)

    assert bench.calls == {"q#0 over 7": 2, "planner": 1, "answer": 1}


async def test_nobody_waits_for_a_run_that_never_began(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At work, the bot finds by itself that nobody answers, and the thread goes on, in order and answered once."""
    monkeypatch.setattr(line, "SWEEP", 0.05)
    monkeypatch.setattr(line, "CHECK_EVERY", 0.2)
    company = Company(tmp_path / "data")
    async with company.at_work() as desk:
        answers_into_the_void(monkeypatch)
        asked = [await desk.ask(key) for key in ("K1", "Ю2")]
        await desk.idle()
        said = ["".join(desk.stage.visible(question.id)) for question in asked]

    assert [question.message in words for question, words in zip(asked, said, strict=True)] == [True, True]
    assert set(company.calls.values()) == {1}


@both
async def test_what_a_copy_cannot_do_is_left_to_one_that_can(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run for a platform that is not configured here is neither taken over nor begun, and never ends in error."""
    id_ = "telegram:чат#0"
    async with bench.engine("first") as workflows:
        await workflows.start(id_, "telegram:чат", 0, 7)
        await bench.called(answer=1)
    bench.hold.set()
    async with bench.engine("other", ours=("slack:",)) as workflows:
        taken, holders = await workflows.take_over("first"), await workflows.replicas()
    await dies_taking_over(bench, monkeypatch)
    async with bench.engine("other", ours=("slack:",)) as workflows:
        records = durable._records()

        async def laid_down() -> bool:
            status = await asyncio.to_thread(records.get_workflow_status, id_)
            return status is not None and status["executor_id"] == "nobody"

        await bench.until(laid_down)
        await looked(workflows, 3)
        over, begun = await workflows.is_over(id_), bench.calls[f"{id_} over 7"]
    async with bench.engine("last", ours=("slack:", "telegram:")) as workflows:
        left = await workflows.replicas()
        await workflows.take_over("nobody")
        await bench.over(workflows, id_)

    assert (set(taken), holders, over, begun, left) == (set(), set(), False, 1, {"nobody"})
    assert bench.calls == {f"{id_} over 7": 2, "planner": 1, "answer": 2}


async def test_a_question_of_a_platform_that_is_gone_waits_until_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot goes on with its other platforms, and what was asked is answered once the platform is there again."""
    monkeypatch.setattr(line, "SWEEP", 0.05)
    monkeypatch.setattr(line, "CHECK_EVERY", 0.1)
    monkeypatch.setattr(service, "GRACE", 0.0)
    telegram = Company(tmp_path / "data", stage=Stage("telegram"))
    async with telegram.at_work(held=True) as desk:
        asked = await desk.ask("Ю1", platform="telegram", id="telegram:C1:Ю1")
        await desk.until(lambda: bool(telegram.calls))
    async with Company(tmp_path / "data").at_work() as desk:
        other = await desk.ask("K2")
        await desk.until(lambda: "K2" in "".join(desk.stage.visible(other.id)))
        await asyncio.sleep(0.5)
        assert desk.task
        ended = desk.task.done()
    async with telegram.at_work() as desk:
        await desk.idle()
        said = "".join(desk.stage.visible(asked.id))

    assert not ended
    assert "Ю1" in said
    assert phrase("failed", "ru", reference="").rstrip(" .") not in said
