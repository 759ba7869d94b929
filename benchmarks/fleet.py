"""Replicas of the bot at work for a crowd, between a model and a database of their own."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

from benchmarks.crowd import Crowd, crowd
from benchmarks.usage import cpu_seconds, cpu_seconds_of_family, machine_seconds, resident_mib
from tests.faults.crew import Crew, Worker, crew
from tests.faults.databases import DatabaseName, Databases, Folder, Server
from tests.faults.judge import journal_of
from tests.faults.model import Model, served
from tests.platforms.slack import Patience
from tests.postgres import Postgres

# Seconds in which a replica serves, and without any answer after which none will come.
_START, _PATIENCE = 60.0, 60.0
# Seconds between two looks at the processes and at the server.
_LOOK = 0.2
# More than anybody asks here.
_NO_LIMIT = "100000"
# Replicas note how much is to be done less often than where a test waits for it; the model may take its time. All of
# the crowd is in one workspace, in which Slack would take fifty answers a minute: here that is not what is measured.
_CONSTANTS = {
    "tests.faults.worker._LOOK": 1.0,
    "tests.faults.worker._MODEL_TIMEOUT": 600.0,
    "adapters.slack.pace.UPDATES": 100_000,
}


@dataclass(frozen=True)
class Load:
    """What one run is to be. `spread`: the seconds over which questions come; None: each thread asks in turn."""

    questions: int
    threads: int
    channels: int
    latency: float
    concurrency: int
    database: DatabaseName
    replicas: int = 1
    people: int = 300
    spread: float | None = None
    patience: Patience = field(default_factory=Patience)

    def allowed(self, calls: float) -> float:
        """Return how many questions a second the model can do, where each takes so many calls."""
        return self.concurrency * self.replicas / (calls * self.latency)


@dataclass
class QueuedModel(Model):
    """A model that works on so many calls at a time, and lets the others wait."""

    places: int = 1
    busiest: int = 0
    _busy: int = 0

    def __post_init__(self) -> None:
        self._free = asyncio.Semaphore(self.places)

    async def answer(self, request: web.Request) -> web.Response:
        """Answer once there is a place."""
        async with self._free:
            self._busy += 1
            self.busiest = max(self.busiest, self._busy)
            try:
                return await super().answer(request)
            finally:
                self._busy -= 1


@dataclass(frozen=True, slots=True)
class Sample:
    """What could be read from outside at a moment."""

    at: float
    answered: int
    memory: tuple[float, ...]
    waiting_for_locks: int


@dataclass
class Run:
    """Replicas at work."""

    load: Load
    crowd: Crowd
    model: QueuedModel
    place: Folder | Server
    crew: Crew
    workers: list[Worker] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    used: dict[str, float] = field(default_factory=dict)
    unclean: int = 0

    @property
    def journal(self) -> Path:
        """What the replicas write down."""
        return self.place.folder / "journal"

    async def start(self) -> None:
        """Start the replicas, one after the other, and return once all are connected."""
        for number in range(1, self.load.replicas + 1):
            self.workers.append(await self.crew.start(self._order(number)))
            async with asyncio.timeout(_START):
                while sum(line["kind"] == "serving" for line in journal_of(self.journal)) < number:  # noqa: ASYNC110 - processes write it
                    await asyncio.sleep(0.05)
        await self.crowd.slack.socket_connected(self.load.replicas, timeout=_START)

    async def play(self) -> None:
        """Let the crowd ask, and return once all is answered or nothing comes any more."""
        meter = _Meter(self)
        watching = asyncio.create_task(self._watch())
        asking = asyncio.create_task(self._ask())
        try:
            await self._all_answered(asking)
        finally:
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            self.used = meter.read()
            self.samples.append(await self._sample())
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
        await self._at_rest()
        self.crowd.look()

    async def stop(self) -> None:
        """Stop the replicas as SIGTERM does."""
        ended = [await worker.stop() for worker in self.workers]
        self.unclean = sum(status != 0 for status in ended)

    async def _ask(self) -> None:
        if self.load.spread is None:
            await self.crowd.ask_in_turn(self.load.questions)
        else:
            await self.crowd.ask_over(self.load.questions, self.load.spread)

    async def _all_answered(self, asking: "asyncio.Task[None]") -> None:
        seen, since = 0, time.monotonic()
        while self.crowd.answered < self.load.questions and time.monotonic() - since < _PATIENCE:
            await asyncio.sleep(0.02)
            if asking.done():
                asking.result()
            if self.crowd.answered != seen:
                seen, since = self.crowd.answered, time.monotonic()

    async def _at_rest(self) -> None:
        """Wait until the replicas have nothing left to do, so that what would come too often has come."""
        begun, end = time.monotonic_ns(), time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            looks = [worker.to_do() for worker in self.workers if worker.is_running]
            if looks and all(at > begun and number == 0 for at, number in looks):
                return
            await asyncio.sleep(0.1)

    async def _watch(self) -> None:
        while True:
            self.samples.append(await self._sample())
            await asyncio.sleep(_LOOK)

    async def _sample(self) -> Sample:
        memory = tuple(resident_mib(worker.pid) for worker in self.workers)
        locked = await asyncio.to_thread(_locked, self.place) if isinstance(self.place, Server) else 0
        return Sample(time.monotonic(), self.crowd.answered, memory, locked)

    def _order(self, number: int) -> dict[str, Any]:
        limits = ("MAX_WAITING", "MAX_WAITING_PER_CHANNEL", "MAX_WAITING_PER_PERSON")
        unlimited = ("MAX_HOURLY_PER_CHANNEL", "MAX_HOURLY_PER_PERSON", "MAX_HOURLY_PER_WORKSPACE")
        settings = dict.fromkeys(limits, _NO_LIMIT) | dict.fromkeys(unlimited, "0")
        settings |= {"MAX_PARALLEL_ANSWERS": str(self.load.concurrency)}
        folder = self.place.folder
        files = {name: str(folder / f"{name}-{number}") for name in ("status", "log")}
        where = {"folder": str(folder), "journal": str(self.journal), "model": self.model.address, **files}
        return {**where, "env": {**self.place.env, **self.crowd.env, **settings}, "constants": _CONSTANTS}


class _Meter:
    """The CPU seconds used since it was made."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._server = postmaster(run.place.server) if isinstance(run.place, Server) else None
        self._begun, self._before = time.monotonic(), self._now()

    def read(self) -> dict[str, float]:
        """Return the seconds that passed and the CPU seconds that each used in them."""
        after = self._now()
        used = {name: after[name] - before for name, before in self._before.items()}
        return {"seconds": time.monotonic() - self._begun, **used}

    def _now(self) -> dict[str, float]:
        replicas = {f"replica {n}": cpu_seconds(worker.pid) for n, worker in enumerate(self._run.workers, 1)}
        server = {"database server": cpu_seconds_of_family(self._server)} if self._server else {}
        return {**replicas, **server, "harness": time.process_time(), "whole machine": machine_seconds()}


def postmaster(server: Postgres) -> int:
    """Return the process that all others of the server come from."""
    row = server.connection.execute("SELECT pg_read_file('postmaster.pid')").fetchone()
    assert row
    return int(row[0].split()[0])


def _locked(place: Server) -> int:
    """Return how many sessions wait at this moment for a lock that another one holds."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND wait_event_type = 'Lock'"
    row = place.server.connection.execute(waiting, [place.url.database]).fetchone()
    assert row
    return int(row[0])


def _model(load: Load) -> QueuedModel:
    return QueuedModel(pause=load.latency, places=load.concurrency * load.replicas)


@asynccontextmanager
async def played(load: Load, folder: Path, server: Postgres | None = None) -> AsyncIterator[Run]:
    """Give a run that is over, with a model, a workspace, a database and replicas of its own."""
    people = crowd(load.threads, load.channels, load.people, load.patience)
    async with AsyncExitStack() as stack:
        place = await stack.enter_async_context(Databases(folder, server).place(load.database))
        run = Run(
            load,
            await stack.enter_async_context(people),
            await stack.enter_async_context(served(_model(load))),
            place,
            await stack.enter_async_context(crew()),
        )
        try:
            await run.start()
            await run.play()
        finally:
            await run.stop()
        yield run
