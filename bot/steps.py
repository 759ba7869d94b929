"""The steps of durable work: what one gave is recorded, and read wherever the run comes by it again."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

from dbos import DBOS, StepOptions
from dbos._context import assert_current_dbos_context
from dbos._dbos import _get_dbos_instance
from dbos._error import DBOSUnexpectedStepError
from dbos._sys_db import SystemDatabase
from sqlalchemy.exc import DBAPIError

from bot.patience import patiently
from core.errors import StorageError

Json = dict[str, Any]

# Under what a result says which call it answers.
_ASKED = "asked"


async def step(name: str, call: Callable[[], Coroutine[Any, Any, Json]], asked: str = "") -> Json:
    """Return what the call gives, recorded, or what it gave before a crash. Stops when the run is cancelled.

    A run may take another way than the one recorded, because what it read has changed: an earlier question of its
    thread was taken back. Of a call that it made then as well, known by what was `asked`, it reads the result; others
    it makes, and records them behind all that is there.
    """
    made: list[Json] = []

    async def once() -> Json:
        if not made:
            made.append(await call() | ({_ASKED: asked} if asked else {}))
        return made[0]

    async def recorded() -> Json:
        context = assert_current_dbos_context()
        before = context.function_id
        try:
            try:
                return await DBOS.run_step_async(StepOptions(name=name, preemptible=True), once)
            except DBOSUnexpectedStepError:
                known = await asyncio.to_thread(_results, context.workflow_id)
                same = (number for number, result in known.items() if asked and result.get(_ASKED) == asked)
                if (number := next(same, None)) is not None:
                    context.function_id = number
                    return known[number]
                context.function_id = max(known)
                return await DBOS.run_step_async(StepOptions(name=name, preemptible=True), once)
        except (DBAPIError, _NotRecorded) as error:
            # Steps are known by their number: the next try is this step again, not the next one.
            context.function_id = before
            kind = type(error.orig if isinstance(error, DBAPIError) else error.__context__ or error).__name__
            raise StorageError(f"a step could not be recorded ({kind})", retry=True) from None

    return await patiently(recorded)


def _results(run: str) -> dict[int, Json]:
    """Return what the run's steps gave, by their numbers."""
    return {one["function_id"]: one["output"] or {} for one in _get_dbos_instance()._sys_db.list_workflow_steps(run)}  # noqa: SLF001


class _NotRecorded(Exception):
    """What a step gave could not be recorded."""


def results_alone(record: Callable[..., None]) -> Callable[..., None]:
    """Return a way to record what steps give, and never a failure.

    Steps of ours do not fail: what fails in one is the recording of its result, and DBOS 3.4.0 would then record that
    as the step's own failure, should the database be back by then (`Pending._wrap` in its _outcome.py).
    """

    @wraps(record)
    def recorded(result: Json, **known: Any) -> None:
        if result["error"] is not None:
            raise _NotRecorded
        record(result, **known)

    return recorded


def looked_up(records: SystemDatabase) -> Callable[..., Any]:
    """Return a way to look for what a step has given that begins no transaction: each of its words to a server costs.

    Two statements see what is there when each begins, in a transaction of READ COMMITTED as well as without one.
    """
    readers = records.engine.execution_options(isolation_level="AUTOCOMMIT")

    def look_up(workflow_id: str, function_id: int, function_name: str, **_: Any) -> Any:
        with readers.connect() as connection:
            return records._check_operation_execution_txn(  # noqa: SLF001
                workflow_id, function_id, function_name, connection
            )

    return look_up
