"""What a copy that is gone leaves is taken over, wherever whoever takes it over dies as well."""

from collections.abc import Callable, Coroutine, Iterable
from functools import partial
from typing import Any

import pytest
from dbos._sys_db import SystemDatabase

from adapters.storage.database import Database
from adapters.storage.inbox import SqlInbox
from bot.durable import Workflows
from bot.jobs import run_id
from bot.succession import Succession
from core.conversation import Question
from core.errors import StorageError
from tests.adapters.storage.turns import ask
from tests.bot.engine import Bench

Taken = Callable[[str], Coroutine[Any, Any, object]]

KINDS = ("sqlite", "postgresql")
both = pytest.mark.parametrize(("records", "place"), tuple(zip(KINDS, KINDS, strict=True)), indirect=True)
ORDERS = (("first", "second"), ("second", "first"))

BEGUN = ask("Где ключ?", thread="t", minute=1)
# Taken, and not begun.
TAKEN = ask("Where is the lamp?", thread="u", minute=2)
# Asked before the one that is worked on, and come after it.
EARLIER = ask("Where is the door?", thread="t", minute=0)


class Death(BaseException):
    """The process ends here."""


def succession(me: str, workflows: Workflows, inbox: SqlInbox, *rest: Taken) -> Succession:
    """Return who takes over, as the service makes it."""
    return Succession(me, workflows, inbox, rest)


async def left_by_the_first(bench: Bench, inbox: SqlInbox) -> None:
    """Let a copy die that works on a question and has taken another one."""
    async with bench.engine("first") as workflows:
        for question in (BEGUN, TAKEN):
            await inbox.record(question)
        assert 2 == len(await inbox.take(9, "first", ("telegram",)))
        await workflows.start(run_id(BEGUN.id, 0), BEGUN.id, 0, 7)
        await bench.called(answer=1)


async def dies(bench: Bench, inbox: SqlInbox, when: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the second copy die while it takes over from the first one."""

    async def death(*_: object) -> object:
        raise Death

    async def then_death(call: Taken, other: str) -> None:
        await call(other)
        if when == "runs begun":
            await bench.called(answer=2)
        raise Death

    with monkeypatch.context() as change:
        if when != "runs begun":
            change.setattr(SystemDatabase, "start_queued_workflows", lambda *_, **__: ([], None))
        async with bench.engine("second") as workflows:
            if when == "nothing taken":
                change.setattr(workflows, "take_over", death)
            elif when in ("runs taken", "runs begun"):
                change.setattr(workflows, "take_over", partial(then_death, workflows.take_over))
            elif when == "questions looked at":
                change.setattr(inbox, "take_over", death)
            with pytest.raises(Death):
                await succession("second", workflows, inbox, death).take_over("first")


async def is_held(inbox: SqlInbox, by: str) -> tuple[list[str], list[str]]:
    """Return what this copy works on, and what it is handed out after an earlier question has come."""
    await inbox.record(EARLIER)
    held = [one.id for one in await inbox.working(by)]
    return held, texts(await inbox.take(9, by, ("telegram",)))


def texts(questions: Iterable[Question]) -> list[str]:
    """Return what is asked."""
    return sorted(one.text for one in questions)


@both
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    "when", ["nothing taken", "runs taken", "runs begun", "questions looked at", "questions taken"]
)
async def test_a_death_while_taking_over(
    bench: Bench, database: Database, monkeypatch: pytest.MonkeyPatch, when: str, order: tuple[str, str]
) -> None:
    """Whoever comes next finds all of both: a question whose run goes on is worked on, and never waits in the line.

    Else an earlier one of its thread, that came late, would be answered beside it.
    """
    inbox = SqlInbox(database)
    await left_by_the_first(bench, inbox)
    await dies(bench, inbox, when, monkeypatch)
    async with bench.engine("third") as workflows:
        taking = succession("third", workflows, SqlInbox(database))
        for other in order:
            await taking.take_over(other)
        found = await is_held(SqlInbox(database), "third")
        bench.hold.set()
        await bench.over(workflows, run_id(BEGUN.id, 0))

    assert ([BEGUN.id], [TAKEN.text]) == found
    assert 1 == bench.calls["planner"]


@both
async def test_what_one_took_over_and_another_goes_on_with(bench: Bench, database: Database) -> None:
    """A run goes on wherever there is room; the death of whoever took its question over does not let that wait."""
    inbox = SqlInbox(database)
    await inbox.record(BEGUN)
    await inbox.take(9, "dead", ("telegram",))
    async with bench.engine("alive") as workflows:
        await workflows.start(run_id(BEGUN.id, 0), BEGUN.id, 0, 7)
        await bench.called(answer=1)
        await succession("alive", workflows, inbox).take_over("dead")
        found = await is_held(inbox, "alive")

    assert ([BEGUN.id], []) == found


@both
async def test_a_run_that_is_over_holds_nobody_up(bench: Bench, database: Database) -> None:
    """A question whose run ended waits again: whoever takes it finds that it has no reply."""
    inbox = SqlInbox(database)
    bench.hold.set()
    await inbox.record(BEGUN)
    await inbox.take(9, "dead", ("telegram",))
    async with bench.engine("alive") as workflows:
        await workflows.start(run_id(BEGUN.id, 0), BEGUN.id, 0, 7)
        await bench.over(workflows, run_id(BEGUN.id, 0))
        await succession("alive", workflows, inbox).take_over("dead")

    assert [] == await inbox.working("alive")
    assert [BEGUN.text] == texts(await inbox.take(9, "alive", ("telegram",)))


@both
@pytest.mark.parametrize("failures", [1, 3])
async def test_a_take_over_that_fails_is_made_again(
    bench: Bench, database: Database, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    """What goes on is known at each further try: the step that failed does not let it wait."""
    inbox = SqlInbox(database)
    await left_by_the_first(bench, inbox)
    take_over, left = inbox.take_over, iter(range(failures))

    async def sometimes(*given: Any) -> int:
        if next(left, None) is not None:
            raise StorageError("the database is away", retry=True)
        return await take_over(*given)

    monkeypatch.setattr(inbox, "take_over", sometimes)
    async with bench.engine("second") as workflows:
        taking = succession("second", workflows, inbox)
        for _ in range(failures):
            with pytest.raises(StorageError):
                await taking.take_over("first")
            await bench.called(answer=2)
        await taking.take_over("first")
        await taking.take_over("first")
        found = await is_held(inbox, "second")

    assert ([BEGUN.id], [TAKEN.text]) == found
