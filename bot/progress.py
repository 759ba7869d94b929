"""How an index run goes, told to whoever wants to know, in whichever copy of Footnote it runs."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, Protocol

from bot.indexing import ABANDONED_AFTER
from core.ingest.generation import Generation

# Seconds between looks.
LOOK_EVERY = 0.5

CUT_SHORT = "it was cut short; the next run goes on from there"


@dataclass(frozen=True, slots=True)
class Step:
    """How far a run is: `done` of `total` items or passages of a stage, and how many could not be read so far."""

    stage: str
    done: int
    total: int
    problems: int = 0


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended; `why` when it did not publish anything."""

    outcome: Literal["published", "unchanged", "stopped", "failed"]
    why: str = ""


class Generations(Protocol):
    """The part of the catalogue that tells of runs; everything raises StorageError."""

    async def building(self) -> Generation | None:
        """Return the generation that is being built."""

    async def generation(self, number: int) -> Generation | None:
        """Return the generation with this number."""


async def progress_of(
    catalog: Generations, pause: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> AsyncIterator[Step | Ended]:
    """Yield each step of the run under way as it comes, and at last how it ended; nothing when there is none.

    Raises StorageError.
    """
    found = await catalog.building()
    shown: Step | Ended | None = None
    while found and not isinstance(shown, Ended):
        now = _told(found)
        if now != shown:
            yield now
        shown = now
        if not isinstance(now, Ended):
            await pause(LOOK_EVERY)
            number, found = found.number, await catalog.generation(found.number)
            if found is None:
                yield Ended("unchanged", f"number {number} was given up: the index is as it was")


def _told(generation: Generation) -> Step | Ended:
    """Return how far the run is that builds the generation, or how it ended."""
    if generation.state != "building":
        return Ended("published")
    known = generation.progress
    if generation.touched_at is None:
        why = str(known.get("ended") or CUT_SHORT)
        return Ended("stopped" if generation.stopping else "failed", why)
    if is_abandoned(generation):
        return Ended("failed", CUT_SHORT)
    return Step(
        str(known.get("stage", "Reading")), int(known.get("done", 0)), int(known.get("total", 0)),
        int(known.get("problems", 0)),
    )  # fmt: skip


def is_abandoned(building: Generation) -> bool:
    """Return whether nobody works on the generation any more."""
    return building.touched_at is None or datetime.now(UTC) - building.touched_at > ABANDONED_AFTER
