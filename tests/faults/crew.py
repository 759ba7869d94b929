"""The workers as the harness holds them: started by the zygote within milliseconds, and none left behind."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
# Seconds in which a worker that was asked to stop is gone.
STOP = 20.0


@dataclass(eq=False)
class Worker:
    """One process; `ended` is its status, negative when a signal ended it."""

    pid: int
    crew: "Crew"
    status: Path
    ended: "asyncio.Future[int]"

    @property
    def is_running(self) -> bool:
        return not self.ended.done()

    async def kill(self) -> int:
        """End it as a power cut does."""
        self.crew.say({"kill": self.pid})
        return await asyncio.shield(self.ended)

    def freeze(self) -> None:
        """Let it stand still, with all that it holds: as a machine that is gone, for whoever looks from outside."""
        self.crew.say({"freeze": self.pid})

    def thaw(self) -> None:
        """Let it go on from where it stood still."""
        self.crew.say({"thaw": self.pid})

    async def stop(self) -> int:
        """Ask it to stop as SIGTERM does, and wait; one that does not stop in time is killed."""
        self.crew.say({"stop": self.pid})
        try:
            async with asyncio.timeout(STOP):
                return await asyncio.shield(self.ended)
        except TimeoutError:
            await self.kill()
            return 1

    def to_do(self) -> tuple[int, int]:
        """Return when it last looked and how much there was to be done then."""
        try:
            at, number = self.status.read_text().split()
        except (OSError, ValueError):
            return 0, -1
        return int(at), int(number)


@dataclass(eq=False)
class Crew:
    """The zygote and whoever it has started."""

    process: Process
    _starting: "asyncio.Queue[int]" = field(default_factory=asyncio.Queue)
    _workers: dict[int, Worker] = field(default_factory=dict)
    _ended: dict[int, int] = field(default_factory=dict)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def start(self, order: Mapping[str, Any]) -> Worker:
        """Return a new worker, which begins at once."""
        async with self._turn:
            self.say({"start": dict(order)})
            pid = await self._starting.get()
        worker = Worker(pid, self, Path(order["status"]), asyncio.get_running_loop().create_future())
        self._workers[pid] = worker
        if pid in self._ended:
            self._end(pid, self._ended.pop(pid))
        return worker

    def say(self, words: Mapping[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(words).encode() + b"\n")

    async def listen(self) -> None:
        """Hear of starts and ends, until the zygote is gone."""
        assert self.process.stdout
        async for line in self.process.stdout:
            match json.loads(line):
                case {"started": pid}:
                    self._starting.put_nowait(pid)
                case {"ended": pid, "status": status}:
                    self._end(pid, status)
        for pid in list(self._workers):
            self._end(pid, -9)

    def _end(self, pid: int, status: int) -> None:
        worker = self._workers.pop(pid, None)
        if worker is None:
            self._ended[pid] = status
        elif not worker.ended.done():
            worker.ended.set_result(status)


@asynccontextmanager
async def crew() -> AsyncIterator[Crew]:
    """Give a crew; at the end nobody of it runs."""
    # In a session of its own: a signal that a terminal or a time limit sends to all is for the harness to act on.
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.faults.zygote"),
        stdin=PIPE,
        stdout=PIPE,
        cwd=ROOT,
        limit=2**20,
        start_new_session=True,
    )
    made = Crew(process)
    listening = asyncio.create_task(made.listen())
    try:
        yield made
    finally:
        assert process.stdin
        process.stdin.close()
        await process.wait()
        await listening
