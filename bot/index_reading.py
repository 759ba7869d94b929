"""What an index run starts from, and what it reads, as it comes: others see meanwhile that it goes on."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TypeVar

from adapters.storage.catalog import SqlCatalog
from bot.index_kept import kept
from bot.index_rules import Ruling
from bot.index_sweep import Known, Sweep
from core.ingest.generation import Generation, Make, ReadItem, Tables

# Seconds within which a run that reads is seen by others, and hears that it is to stop. One that is over sooner, since
# nothing has changed, costs no generation.
HEARD_WITHIN = 2.0

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Start:
    """Where a run starts from.

    `live`: what readers use, and `before` its documents; `parent`: the same if its rows can be taken over;
    `unfinished`: a build that was cut short and is to become what this run makes; `known`: what the one holds that the
    run goes on from; `vectors`: where vectors can be taken from.
    """

    make: Make
    live: Generation | None
    before: Mapping[str, str]
    parent: Generation | None
    unfinished: Generation | None
    known: Known
    vectors: Tables | None


async def changed_items(
    catalog: SqlCatalog, sweep: Sweep, start: Start, ruling: Ruling
) -> AsyncGenerator[list[ReadItem], None]:
    """Yield the items whose documents are not what they were, and what stays though it could not be read."""
    async with aclosing(sweep.changes()) as changes:
        async for read in changes:
            await ruling.see(read)
            yield read
    if start.live and start.parent is None:
        async with aclosing(kept(catalog, start.live, start.make.source, sweep)) as others:
            async for read in others:
                await ruling.see(read)
                yield read
    if start.unfinished:
        await ruling.see_stored(start.unfinished.number)


async def heard(
    changed: AsyncGenerator[list[ReadItem], None], prepare: Callable[[], Awaitable[None]]
) -> AsyncGenerator[Sequence[ReadItem], None]:
    """Yield what has changed, and nothing whenever the run is to show itself. `prepare` comes before the first change.

    So who cannot embed says so before everything is read, and nobody loads an encoder when nothing has changed.
    """
    prepared = False
    # Whoever stops in the middle leaves nothing open behind, as a connection that was being read from.
    async with aclosing(changed), aclosing(paced(changed, HEARD_WITHIN)) as results:
        async for read in results:
            if read and not prepared:
                await prepare()
                prepared = True
            if read or read is None:
                yield read or ()


async def paced(results: AsyncIterator[_T], seconds: float) -> AsyncGenerator[_T | None, None]:
    """Yield the results as they come, and None whenever so many seconds have passed since the last one of these.

    Closed by its reader, it lets nothing go on behind its back.
    """
    loop = asyncio.get_running_loop()
    due = loop.time() + seconds
    coming = asyncio.create_task(_next(results))
    try:
        while True:
            await asyncio.wait((coming,), timeout=max(0.0, due - loop.time()))
            if loop.time() >= due:
                yield None
                due = loop.time() + seconds
            if coming.done():
                found = coming.result()
                if not found:
                    return
                yield found[0]
                coming = asyncio.create_task(_next(results))
    finally:
        coming.cancel()
        await asyncio.gather(coming, return_exceptions=True)


async def _next(results: AsyncIterator[_T]) -> tuple[_T] | None:
    """Return the next result; None at the end. A coroutine, as a task takes no other."""
    async for one in results:
        return (one,)
    return None
