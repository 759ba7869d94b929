"""The engine of durable work: DBOS, told what Footnote needs of it and nothing more.

A workflow's arguments and each step's result are stored; after a crash the workflow runs again, and what a recorded
step gave is read instead of being made again.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, NoReturn

from dbos import DBOS, DBOSConfig, SetWorkflowID
from dbos._context import assert_current_dbos_context
from dbos._dbos import _get_dbos_instance
from dbos._error import (
    DBOSAwaitedWorkflowCancelledError,
    DBOSWorkflowCancelledError,
    DBOSWorkflowConflictIDError,
)
from dbos._serialization import DBOSPortableJSONSerializer
from dbos._sys_db import SystemDatabase
from dbos._utils import INTERNAL_QUEUE_NAME
from sqlalchemy import and_, false, func, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from bot.patience import patiently
from bot.steps import looked_up, results_alone
from bot.wiring import end_work, work_engine, work_failure
from core.errors import StorageError

# Recorded with each workflow. It stands for the order of the steps in bot/jobs.py and is raised only when that changes.
# The engine alone would never take up a workflow of another version; we let it go on as one of ours: what was recorded
# for a step that still has its name and place is read, and the calls of the others are made, and paid for, anew.
STEPS_VERSION = "1"
# A question that ends the process each time it is taken up is given up after so many times.
MAX_ATTEMPTS = 20
# How long what a finished workflow recorded is kept: the answer itself is kept elsewhere.
_KEPT = timedelta(hours=1)
_SWEPT_AT_ONCE = 500

_CANCELLED = (DBOSWorkflowCancelledError, DBOSAwaitedWorkflowCancelledError)

_UNFINISHED = ("PENDING", "ENQUEUED", "DELAYED")
_FINISHED = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")

# Whose the runs are that were left to others: a replica that nobody knows.
_NOBODY = "nobody"

# Seconds that the engine gets to stop.
_CLOSING = 8.0

Job = Callable[[str, int, int], Coroutine[Any, Any, None]]

log = logging.getLogger("footnote")


class Workflows:
    """Durable runs of one job in this process, each known by its id; there is one of these in a process.

    Runs whose ids begin otherwise than `ours` are left as they are, for a replica that can do them.
    """

    def __init__(self, url: str, replica: str, job: Job, ours: tuple[str, ...] = ("",)) -> None:
        self._engine = work_engine(url)
        self._replica = replica
        self._ours = ours
        # While somebody looks for runs that nobody works on, none of those that were ever found so begins.
        self._looking = asyncio.Lock()
        # What the last look found so, each with the token of whoever was to work on it, and all that were ever found.
        self._idle: Mapping[str, str | None] = {}
        self._doubted: set[str] = set()
        config: DBOSConfig = {
            "name": "footnote",
            "system_database_url": url,
            "system_database_engine": self._engine,
            "application_version": STEPS_VERSION,
            "executor_id": replica,
            "log_level": "ERROR",
            # Plain JSON: a stored value is read by later versions, and runs nothing when it is read.
            "serializer": DBOSPortableJSONSerializer(),
        }
        DBOS(config=config)
        its_log = logging.getLogger("dbos")
        its_log.addFilter(_is_news)
        # It writes by itself, in a form of its own and unmasked.
        its_log.handlers, its_log.propagate = [], True

        async def answer(question_id: str, version: int, generation: int) -> None:
            await self._stop_unless_ours()
            if not question_id.startswith(self._ours):
                await self._lay_down()
            await job(question_id, version, generation)

        self._job = DBOS.workflow(name="answer", max_recovery_attempts=MAX_ATTEMPTS)(answer)

    async def launch(self) -> None:
        """Make the tables of the engine and be ready; workflows run on the event loop that calls this.

        Raises StorageError when its server is away, and ConfigError when its database cannot be used.
        """
        try:
            DBOS.launch()
        except Exception as error:  # noqa: BLE001 - the engine has many ways to say that its tables cannot be had
            await self.close()
            raise work_failure(self._engine.dialect.name, error) from None
        records = _records()
        # The engine would wait for a lost database by itself, in threads that a stop then waits for.
        records._retry_connection_errors = False  # noqa: SLF001
        records.record_operation_result = results_alone(records.record_operation_result)  # type: ignore[method-assign]
        if self._engine.dialect.name != "sqlite":
            records.check_operation_execution = looked_up(records)  # type: ignore[method-assign]

    async def start(self, id_: str, question_id: str, version: int, generation: int) -> None:
        """Start a run unless one with this id was ever started; return once it is recorded. Raises StorageError."""
        with _engine_errors(), SetWorkflowID(id_):
            await DBOS.start_workflow_async(self._job, question_id, version, generation)

    async def cancel(self, prefix: str, before: int | None = None) -> None:
        """Stop the unfinished runs whose ids are this prefix and a version, with `before` only of older versions.

        Raises StorageError.
        """
        with _engine_errors():
            for id_ in await self._unfinished(workflow_id_prefix=prefix):
                version = id_.removeprefix(prefix)
                if before is None or (version.isdecimal() and int(version) < before):
                    await DBOS.cancel_workflow_async(id_)

    async def is_over(self, id_: str) -> bool | None:
        """Return whether the run has ended in whatever way; None when there has been none. Raises StorageError."""
        with _engine_errors():
            status = await DBOS.get_workflow_status_async(id_)
        return None if status is None else status.status not in _UNFINISHED

    async def replicas(self) -> set[str]:
        """Return the replicas that have unfinished runs. Raises StorageError."""
        with _engine_errors():
            found = await DBOS.list_workflows_async(
                status=list(_UNFINISHED), workflow_id_prefix=list(self._ours), load_input=False, load_output=False
            )
        return {status.executor_id for status in found if status.executor_id}

    async def unfinished(self, ids: Collection[str]) -> frozenset[str]:
        """Return those of these runs that go on, whichever replica works on them. Raises StorageError."""
        going_on = [id_ for id_ in ids if id_.startswith(self._ours)]
        if not going_on:
            return frozenset()
        with _engine_errors():
            return await asyncio.to_thread(self._not_over, going_on)

    async def take_over(self, replica: str) -> frozenset[str]:
        """Let the unfinished runs of a replica that is gone go on; return their ids. Raises StorageError.

        All of them or, when it raises, none: the engine's own way logs what it could not do, and leaves other versions.
        """
        with _engine_errors():
            return await asyncio.to_thread(self._let_go_on, replica)

    async def revive(self) -> None:
        """Let runs go on that are ours and that nobody works on, found so by two looks in a row. Raises StorageError.

        So it is when the engine recorded that it begins a run, and the answer that it did was lost. What is under way
        here, or belongs to another replica, is left alone: each that takes a run up leaves a new token with it.
        """
        async with self._looking:
            with _engine_errors():
                held = await asyncio.to_thread(self._held)
            # Asked for last: what has begun in between is among them.
            active = set(_get_dbos_instance()._active_workflows_set.activeList())  # noqa: SLF001
            before, self._idle = self._idle, {id_: token for id_, token in held.items() if id_ not in active}
            self._doubted.update(self._idle)
            if lost := dict(before.items() & self._idle.items()):
                with _engine_errors():
                    going_on = await asyncio.to_thread(self._let_go_on, self._replica, lost)
                log.warning("%d answers that nobody worked on go on: %s", len(going_on), ", ".join(sorted(going_on)))

    def _not_over(self, ids: Collection[str]) -> frozenset[str]:
        records = _records()
        table = records.tables.workflow_status
        query = select(table.c.workflow_uuid).where(table.c.workflow_uuid.in_(ids), table.c.status.in_(_UNFINISHED))
        with records.engine.connect() as connection:
            return frozenset(connection.scalars(query))

    def _held(self) -> dict[str, str | None]:
        """Return the runs that are for us to end, each with the token of who works on it.

        Among them are those that a replica of another version took over while we were silent, and left.
        """
        records = _records()
        table = records.tables.workflow_status
        left = and_(table.c.status == "ENQUEUED", table.c.application_version != STEPS_VERSION)
        query = select(table.c.workflow_uuid, table.c.owner_xid).where(table.c.executor_id == self._replica)
        with records.engine.connect() as connection:
            rows = connection.execute(query.where(or_(table.c.status == "PENDING", left)))
            return {row.workflow_uuid: row.owner_xid for row in rows}

    def _let_go_on(self, replica: str, lost: Mapping[str, str | None] | None = None) -> frozenset[str]:
        """Let whoever comes first go on with the runs of a replica, once; return their ids.

        `lost`: these alone, where nobody has taken them up since, by their tokens.
        """
        records = _records()
        table = records.tables.workflow_status
        ours = or_(*(table.c.workflow_uuid.startswith(prefix, autoescape=True) for prefix in self._ours))
        theirs = update(table).where(table.c.executor_id == replica, table.c.status.in_(_UNFINISHED), ours)
        if lost is not None:
            same = (
                and_(table.c.workflow_uuid == id_, table.c.owner_xid.is_not_distinct_from(token))
                for id_, token in lost.items()
            )
            theirs = theirs.where(or_(false(), *same))
        free = {
            "status": "ENQUEUED",
            "owner_xid": None,
            "started_at_epoch_ms": None,
            "queue_name": func.coalesce(table.c.queue_name, INTERNAL_QUEUE_NAME),
            "application_version": STEPS_VERSION,
        }
        with records.engine.begin() as connection:
            return frozenset(connection.scalars(theirs.values(free).returning(table.c.workflow_uuid)))

    async def _stop_unless_ours(self) -> None:
        """Let a run that was found with nobody at work on it begin only where it was taken up last."""
        context = assert_current_dbos_context()
        if context.workflow_id not in self._doubted:
            return

        async def owner() -> str | None:
            with _engine_errors():
                return await asyncio.to_thread(_records().get_workflow_owner, context.workflow_id)

        async with self._looking:
            if await patiently(owner) != context.owner_xid:
                raise DBOSWorkflowConflictIDError(context.workflow_id)

    async def _lay_down(self) -> NoReturn:
        """Leave the run that is to begin to a replica that can do it. Ends as a run does that is cut short."""
        context = assert_current_dbos_context()

        def lay_down() -> None:
            records = _records()
            table = records.tables.workflow_status
            held = update(table).where(table.c.workflow_uuid == context.workflow_id, table.c.status == "PENDING")
            with records.engine.begin() as connection:
                mine = held.where(table.c.owner_xid.is_not_distinct_from(context.owner_xid))
                connection.execute(mine.values(executor_id=_NOBODY, owner_xid=None))

        async def laid_down() -> None:
            with _engine_errors():
                await asyncio.to_thread(lay_down)

        await patiently(laid_down)
        raise asyncio.CancelledError

    async def forget_old(self) -> None:
        """Delete what finished runs have recorded. Raises StorageError."""
        known = _SWEPT_AT_ONCE
        while known == _SWEPT_AT_ONCE:
            with _engine_errors():
                found = await DBOS.list_workflows_async(
                    status=list(_FINISHED),
                    completed_before=(datetime.now(UTC) - _KEPT).isoformat(),
                    limit=_SWEPT_AT_ONCE,
                    load_input=False,
                    load_output=False,
                )
                await DBOS.delete_workflows_async([status.workflow_id for status in found])
            known = len(found)

    async def close(self) -> None:
        """Stop the engine; unfinished runs stay recorded as such."""
        try:
            async with asyncio.timeout(_CLOSING):
                await asyncio.to_thread(DBOS.destroy, destroy_registry=True)
        except TimeoutError:
            log.warning("The engine of durable work did not stop in time; nothing is lost by that")
        # The engine had made its threads the loop's, and has ended them.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())
        end_work(self._engine)

    async def _unfinished(self, **known: Any) -> list[str]:
        found = await DBOS.list_workflows_async(status=list(_UNFINISHED), load_input=False, load_output=False, **known)
        return [status.workflow_id for status in found]


def _records() -> SystemDatabase:
    """Return what the engine has stored."""
    return _get_dbos_instance()._sys_db  # noqa: SLF001


@contextmanager
def _engine_errors() -> Iterator[None]:
    """Turn what the engine's database reports into a StorageError without anybody's words."""
    try:
        yield
    except SQLAlchemyError as error:
        raise StorageError(f"the engine's database did not do it ({type(error).__name__})", retry=True) from None


def _is_news(record: logging.LogRecord) -> bool:
    """Return whether the engine says something else than that a run was cancelled, which we asked it to do.

    That its database is away is news of one line: what it could not record is found out when the run is taken up again.
    """
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, SQLAlchemyError):
        record.msg = f"The engine's database did not do it ({type(error).__name__}); nothing is lost by that"
        record.args, record.exc_info = (), None
    return not isinstance(error, _CANCELLED)
