"""An engine of durable work on a bench: what its runs do is counted, and stops where it is told to."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.durable import Workflows
from bot.steps import Json, step

PATIENCE = 10.0
SAID: Mapping[str, Json] = {
    "reading": {"text": "где ключ Ю1?"},
    "planner": {"text": "план: где ключ Ю1?"},
    "answer": {"text": "in the drawer K1", "tokens": 100},
}

Way = Callable[["Bench"], Awaitable[None]]


@dataclass
class Bench:
    """One database, over which engines come and go; `way` is what a run does, and `hold` stops it where it waits."""

    url: str
    way: Way
    calls: Counter[str] = field(default_factory=Counter)
    hold: asyncio.Event = field(default_factory=asyncio.Event)
    values: list[Json] = field(default_factory=list)
    ended: Counter[str] = field(default_factory=Counter)
    runs: "set[asyncio.Task[Any]]" = field(default_factory=set)

    @asynccontextmanager
    async def engine(
        self, replica: str = "first", takes_over: str | None = None, ours: tuple[str, ...] = ("",)
    ) -> AsyncIterator[Workflows]:
        """Give the engine of a process; what is not finished at the end is left so."""
        workflows = Workflows(self.url, replica, self._job, ours)
        await workflows.launch()
        try:
            if takes_over:
                await workflows.take_over(takes_over)
            yield workflows
        finally:
            for run in self.runs:
                run.cancel()
            await asyncio.gather(*self.runs, return_exceptions=True)
            await workflows.close()

    async def step(self, name: str, *, waits: bool = False, asked: str = "") -> None:
        """Take a step, which may wait until `hold` is set."""

        async def made() -> Json:
            self.calls[name] += 1
            if waits:
                await self.hold.wait()
            return SAID[name]

        self.values.append(await step(name, made, asked))

    async def until(self, holds: Callable[[], Awaitable[bool]]) -> None:
        """Return once it holds."""
        async with asyncio.timeout(PATIENCE):
            while not await holds():
                await asyncio.sleep(0.01)

    async def over(self, workflows: Workflows, id_: str = "q#0") -> None:
        """Return once the run is over."""

        async def is_over() -> bool:
            return bool(await workflows.is_over(id_))

        await self.until(is_over)

    async def called(self, **times: int) -> None:
        """Return once the calls have begun so often."""

        async def have() -> bool:
            return all(self.calls[name] >= count for name, count in times.items())

        await self.until(have)

    async def _job(self, question: str, version: int, generation: int) -> None:
        task = asyncio.current_task()
        assert task
        self.runs.add(task)
        self.calls[f"{question}#{version} over {generation}"] += 1
        try:
            await self.way(self)
        finally:
            self.runs.discard(task)
            self.ended[f"{question}#{version}"] += 1


async def plans_and_answers(bench: Bench) -> None:
    """Take two steps, the second of which may be held."""
    await bench.step("planner")
    await bench.step("answer", waits=True)


both = pytest.mark.parametrize("records", ["sqlite", "postgresql"], indirect=True)
