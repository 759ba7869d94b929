"""Whether the bot is really alive, for whoever watches it: over HTTP, as JSON."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from core.delivery import Health
from core.errors import ConfigError, PortError
from core.running import Platform

log = logging.getLogger("footnote")

# Seconds that the database gets to say how much waits.
_PATIENCE = 3.0
_CLOSING = 1.0
# Of a platform whose messages one copy receives at a time: another one does, or nobody can be asked who does.
ELSEWHERE = Health(alive=True, words="another copy receives its messages")
WAITING = Health(alive=False, words="waits for the database")

Counts = Callable[[], Awaitable[Mapping[str, float]]]


@dataclass(frozen=True, slots=True)
class Report:
    """What is to be said of the bot's health; `well` is the short of it."""

    well: bool
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Watched:
    """What is watched: the platforms, what is said of those that receive nothing here, and how much is to be done.

    `store` raises StorageError when nothing can be stored, though the database answers.
    """

    platforms: Sequence[Platform]
    standing_by: Mapping[str, Health]
    counts: Counts
    store: Callable[[], Awaitable[None]] | None = None


async def report(watched: Watched) -> Report:
    """Return whether messages arrive on every platform and can be stored, and how much is to be done."""
    states = {platform.name: state_of(platform, watched.standing_by) for platform in watched.platforms}
    try:
        async with asyncio.timeout(_PATIENCE):
            work: Mapping[str, float] | None = await watched.counts()
    except (PortError, TimeoutError):
        work = None
    database = "does not answer" if work is None else await _stores(watched)
    well = database == "ok" and all(state.alive for state in states.values())
    body = {
        "status": "ok" if well else "failing",
        "database": database,
        "platforms": {
            name: {"alive": state.alive, "state": state.words, "silent_seconds": state.silent}
            for name, state in states.items()
        },
        "work": dict(work or {}),
    }
    return Report(well, body)


async def _stores(watched: Watched) -> str:
    """Return `ok`, or why what arrives cannot be stored."""
    try:
        async with asyncio.timeout(_PATIENCE):
            if watched.store:
                await watched.store()
    except PortError as error:
        return f"stores nothing: {error}"
    except TimeoutError:
        return f"stores nothing within {_PATIENCE:g} s"
    return "ok"


def state_of(platform: Platform, standing_by: Mapping[str, Health]) -> Health:
    """Return whether messages arrive on a platform: here, or at another copy."""
    return standing_by.get(platform.name) or platform.health()


@asynccontextmanager
async def health_on(host: str, port: int | None, watched: Watched) -> AsyncIterator[None]:
    """Answer GET /health (200 when well, else 503) and /live (200) while inside; nothing without a port.

    Raises ConfigError when it cannot listen.
    """
    if port is None:
        yield
        return

    async def health(_: web.Request) -> web.Response:
        found = await report(watched)
        return web.json_response(found.body, status=200 if found.well else 503)

    async def live(_: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    app = web.Application()
    app.router.add_get("/health", health)
    app.router.add_get("/live", live)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=_CLOSING)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise ConfigError(f"HEALTH_HOST, HEALTH_PORT: cannot listen on {host}:{port} ({reason})") from None
        log.info("Health: http://%s:%s/health", host, runner.addresses[0][1])
        yield
    finally:
        await runner.cleanup()
