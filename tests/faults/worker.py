"""A process of the bot as it is run: real stores, line, courier and platforms; only the model is played outside it."""

import asyncio
import importlib
import os
import resource
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
from dbos import DBOS
from sqlalchemy import func, select, update

from adapters.storage import limits
from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.tables import active, outbox, turns, unsent
from bot import runtime
from bot.allocator import share_what_is_freed
from bot.jobs import CheckpointedModel
from bot.platforms import make_platforms
from bot.service import Service, service_for
from bot.settings import Settings, names_given, read_settings
from bot.steps import step
from bot.wiring import opened
from core.errors import ConfigError, ModelError, ModelRefused, ModelTimeout, PortError
from core.ports import Completion, ModelRequest
from tests.doubles.little import LittleBot, ToldModel
from tests.faults.boundaries import Deaf, Fate, Journal, watch

# Seconds between two notes of how much is to be done.
_LOOK = 0.05
_MODEL_TIMEOUT = 1.0
# Seconds between two pieces of what the model writes.
_WRITES = 0.01


def warm_up() -> None:
    """Import what a worker imports when it first needs it."""
    for name in (
        "adapters.slack.app",
        "adapters.telegram.app",
        "aiosqlite",
        "dbos._sys_db_sqlite",
        "dbos._sys_db_postgres",
        "psycopg",
        "sqlalchemy.dialects.postgresql.psycopg",
        "sqlalchemy.dialects.sqlite.aiosqlite",
        "telegram.ext",
        "httpcore",
        "anyio._backends._asyncio",
        "certifi",
        "h2.connection",
        "encodings.utf_16_le",
    ):
        importlib.import_module(name)


def work(order: Mapping[str, Any]) -> None:
    """Do as ordered until SIGTERM, or until the death that the order names."""
    os.environ.update(order["env"])
    os.chdir(order["folder"])
    journal = Journal(Path(order["journal"]))
    fate = Fate(journal, order.get("deaths", ()))
    _change(order.get("constants", {}))
    _break(order.get("broken"))
    deaf = Deaf(journal, str(order.get("deaf_by", "")), order.get("unheard", 0))
    watch(fate, journal, deaf)
    if size := order.get("largest_file"):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    journal.note("started")
    asyncio.run(_serve(order, journal, deaf))
    journal.note("stopped", passed=fate.passed)


async def _serve(order: Mapping[str, Any], journal: Journal, deaf: Deaf) -> None:
    """Serve as `footnote run` does, from where its settings are read on."""
    share_what_is_freed(names_given())
    settings = read_settings()
    runtime._log_plainly()
    platforms, _ = make_platforms(settings)
    with runtime._only_one(settings):
        async with (
            _bot(settings, order["model"]) as (bot, stores),
            service_for(bot, stores, settings, platforms) as service,
        ):
            journal.note("serving")
            deaf.begin()
            looking = asyncio.create_task(_look(service, Path(order["status"])))
            try:
                await runtime._serve(platforms, service, settings)
            finally:
                looking.cancel()


@asynccontextmanager
async def _bot(settings: Settings, address: str) -> AsyncIterator[tuple[LittleBot, Any]]:
    async with opened(settings) as stores, aiohttp.ClientSession() as session:

        async def called(role: str, key: str, asked: str) -> None:
            call = {
                "role": role,
                "key": key,
                "asked": asked,
                "run": DBOS.workflow_id or "",
                "at": time.monotonic_ns(),
                "pid": os.getpid(),
            }
            await _ask(session, address, call)

        model = ToldModel(called, _WRITES)
        bot = LittleBot(stores, model, settings)
        bot.use(stores.threads, model)
        yield bot, stores


async def _ask(session: aiohttp.ClientSession, address: str, call: Mapping[str, Any]) -> None:
    """Let the model outside hear of the call. Raises ModelError as the real client does."""
    try:
        async with asyncio.timeout(_MODEL_TIMEOUT), session.post(address, json=call) as answer:
            status = answer.status
    except TimeoutError:
        raise ModelTimeout("no reply in time", retry=True) from None
    except aiohttp.ClientError as error:
        raise ModelError(f"the provider cannot be reached ({type(error).__name__})", retry=True) from None
    if status == 401:
        raise ModelRefused("the provider refused the key")
    if status != 200:
        raise ModelError(f"the provider failed ({status})", retry=True)


_QUESTIONS = select(func.count()).where(active(turns.c.state)).scalar_subquery()
_MESSAGES = select(func.count()).where(unsent(outbox.c.state)).scalar_subquery()
_TO_DO = select(_QUESTIONS + _MESSAGES)


async def _look(service: Service, status: Path) -> None:
    """Say again and again how much is to be done, with the time at which that was read."""
    file = os.open(status, os.O_WRONLY | os.O_CREAT, 0o600)
    while True:
        at = time.monotonic_ns()
        with suppress(PortError, OSError):
            async with service.stores.database.reading() as connection:
                to_do = await connection.scalar(_TO_DO)
            os.pwrite(file, f"{at} {to_do}".encode().ljust(64), 0)
        await asyncio.sleep(_LOOK)


def _change(constants: Mapping[str, Any]) -> None:
    """Shorten the waits of the product: each is named by its module and name."""
    for name, value in constants.items():
        module, _, constant = name.rpartition(".")
        found = importlib.import_module(module)
        if not hasattr(found, constant):
            raise ConfigError(f"{name} is no constant of ours any more")
        setattr(found, constant, _like(getattr(found, constant), value))


def _like(before: Any, value: Any) -> Any:
    """Return the value in the form of the one that it replaces; limits of pace come as pairs of numbers."""
    if isinstance(before, tuple) and before and hasattr(before[0], "calls"):
        return tuple(type(before[0])(*pair) for pair in value)
    if hasattr(before, "calls"):
        return type(before)(*value)
    return tuple(value) if isinstance(before, tuple) else value


def _break(what: str | None) -> None:
    """Take away one thing that keeps the promise, so that the suite can show that it sees it."""
    match what:
        case "checkpoints":
            CheckpointedModel.complete = _ask_each_time  # type: ignore[method-assign]
        case "doubt":
            SqlOutbox.take_over = _forget_doubt  # type: ignore[method-assign]
        case "recovery":
            SqlInbox.take_over = _take_nothing_over  # type: ignore[method-assign]
        case "limits":
            limits.limit_waits = _wait_for_ever


async def _ask_each_time(self: CheckpointedModel, request: ModelRequest) -> Completion:
    """Record what the model says, and ask it nevertheless when the run begins anew."""
    reply = await self._model.complete(request)

    async def known() -> dict[str, Any]:
        return {"text": reply.text, "model": reply.model, "tokens": reply.tokens}

    said = await step(request.role, known)
    return Completion(said["text"], said["model"], said["tokens"])


async def _forget_doubt(self: SqlOutbox, replica: str) -> int:
    """Let messages under way be sent again as if they surely had not arrived."""
    theirs = update(outbox).where(outbox.c.state == "sending", outbox.c.owner == replica)
    async with self._database.writing() as connection:
        return (await connection.execute(theirs.values(state="waiting", owner=None))).rowcount


def _wait_for_ever(*_: object) -> None:
    """Let the server wait for whoever holds a lock, however long it stands still."""


async def _take_nothing_over(*_: object) -> int:
    return 0
