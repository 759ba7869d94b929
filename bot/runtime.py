"""`footnote run`: every platform that has its tokens, until SIGTERM."""

import asyncio
import logging
import os
import signal
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from bot.allocator import share_what_is_freed
from bot.answering import Bot
from bot.commands import NOTHING_INDEXED, ready_bot
from bot.doctor import mode_line, not_shared
from bot.health import ELSEWHERE, WAITING, Watched, health_on
from bot.installing import keep_installations
from bot.locks import locked
from bot.masked_logs import mask_logs
from bot.misread import nothing_to_run, slips_in_words
from bot.platforms import make_platforms
from bot.service import LEASE_EVERY, Service, service_for
from bot.settings import Settings, names_given, read_settings, variables
from bot.wiring import Stores, probe_of
from core.delivery import Health
from core.errors import BotError, StorageError
from core.pipeline import or_failure
from core.running import Platform

log = logging.getLogger("footnote")

# Seconds that the start waits for the live index.
_WARM_WITHIN = 15.0
# Seconds for which the start waits for its database, and the longest pause between tries.
_MEET_WITHIN, _LONGEST_MEETING_PAUSE = 60.0, 8.0
# Seconds that the platforms get to close their connections.
_CLOSING = 5.0
# Seconds between tries to reach a platform.
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0


async def run_command() -> None:
    """Serve until SIGTERM or SIGINT; raises ConfigError when no platform can be served."""
    share_what_is_freed(names_given())
    with _heeding_sigterm():
        await _run()


async def _run() -> None:
    settings = read_settings()
    _log_plainly()
    if settings.masks_for_logs:
        mask_logs()
    platforms, skipped = make_platforms(settings)
    for reason in skipped:
        log.info(reason)
    for slip in slips_in_words(variables(), names_given()):
        log.warning(slip)
    if not platforms:
        raise nothing_to_run()
    with _only_one(settings):
        async with _met(settings, platforms) as (stores, service):
            log.info(mode_line(settings))
            await keep_installations(platforms, stores.database, settings)
            if await stores.catalog.live() is None:
                log.warning(NOTHING_INDEXED)
            if apart := await not_shared(stores, settings):
                log.warning("%s", apart[0].upper() + apart[1:])
            await _serve(platforms, service, settings)
    log.info("Stopped.")


@contextmanager
def _heeding_sigterm() -> Iterator[None]:
    """Let SIGTERM end the start, in which nothing can be lost: the first process of a container is deaf to it else."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda number, _: os._exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@asynccontextmanager
async def _met(settings: Settings, platforms: list[Platform]) -> AsyncIterator[tuple[Stores, Service]]:
    """Give the stores and the service, loaded; a database that is not there yet is waited for.

    Raises ConfigError when they cannot be used, and StorageError when the database does not come in time.
    """
    now = asyncio.get_running_loop().time
    until, pause = now() + _MEET_WITHIN, _FIRST_PAUSE
    while True:
        async with AsyncExitStack() as stack:
            try:
                bot, stores = await stack.enter_async_context(ready_bot(settings))
                # Before the first sign of life: a copy that shows none while it loads would be taken for dead.
                await stack.enter_async_context(_warming(bot))
                service = await stack.enter_async_context(service_for(bot, stores, settings, platforms))
            except StorageError as error:
                if not error.retry or now() + pause > until:
                    raise
                log.warning("%s; next try in %g s", error, pause)
            else:
                yield stores, service
                return
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LONGEST_MEETING_PAUSE)


@asynccontextmanager
async def _warming(bot: Bot) -> AsyncIterator[None]:
    """Load what answers before anybody is listened to, as libraries that load for seconds hold up everything else.

    A large index is not waited for: it goes on loading while questions are taken in.
    """
    warming = asyncio.create_task(or_failure(bot.warm()))
    try:
        await asyncio.wait([warming], timeout=_WARM_WITHIN)
        yield
    finally:
        warming.cancel()
        await asyncio.gather(warming, return_exceptions=True)


@contextmanager
def _only_one(settings: Settings) -> Iterator[None]:
    """Hold the data folder, which SQLite lets one process work in. Raises ConfigError when another one does."""
    if settings.database_url:
        yield
        return
    busy = (
        f"another footnote run works in {settings.data_dir}: stop it, name another folder in FOOTNOTE_DATA_DIR, or let "
        "both share a PostgreSQL named in DATABASE_URL"
    )
    with locked(settings, "run.lock", busy):
        yield


@dataclass(frozen=True, slots=True)
class _Phases:
    """`stop`: nothing more is taken in; `over`: nothing more is shown either."""

    stop: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)


async def _serve(platforms: list[Platform], service: Service, settings: Settings) -> None:
    """Run the platforms side by side; one that fails leaves the others running, all failing ends with the reason."""
    phases = _Phases()
    store = probe_of(service.stores.database).store
    watched = Watched(tuple(platforms), service.standing_by, lambda: _counts(service), store)
    async with health_on(settings.health_host, settings.health_port, watched):
        await _work(platforms, service, phases)


async def _work(platforms: list[Platform], service: Service, phases: _Phases) -> None:
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, phases.stop.set)
    working = asyncio.create_task(service.run(), name="the work")
    serving = {asyncio.create_task(_kept_up(each, service, phases), name=each.name) for each in platforms}
    failure = await _first_failure(serving, working, phases.stop)
    stopped = phases.stop.is_set()
    phases.stop.set()
    working.cancel()
    await asyncio.wait([working])
    await service.hand_over()
    phases.over.set()
    await _ended(serving)
    if failure and not stopped:
        raise failure


async def _ended(serving: "set[asyncio.Task[None]]") -> None:
    """Return once the platforms have ended, or would not in time: what they hold then ends with the process."""
    _, left = await asyncio.wait(serving, timeout=_CLOSING)
    for task in left:
        log.warning("%s does not end, and is left", task.get_name().capitalize())
        task.cancel()
    if left:
        await asyncio.wait(left, timeout=_CLOSING)


async def _first_failure(
    serving: "set[asyncio.Task[None]]", working: "asyncio.Task[None]", stop: asyncio.Event
) -> BotError | None:
    """Return once there is a reason to stop: a signal, the work itself failing, or no platform being left."""
    stopping = asyncio.create_task(stop.wait())
    left, failure = set(serving), None
    while left and not stopping.done() and not working.done():
        done, _ = await asyncio.wait({*left, stopping, working}, return_when=asyncio.FIRST_COMPLETED)
        for ended in left & done:
            left.remove(ended)
            failure = _failure(ended)
            if failure and left:
                log.error("%s stopped: %s", ended.get_name().capitalize(), failure)
    stopping.cancel()
    return _failure(working) if working.done() else failure


async def _kept_up(platform: Platform, service: Service, phases: _Phases) -> None:
    """Run a platform; when it cannot be reached for now, try again, less and less often. Raises what will not pass."""
    pause = _FIRST_PAUSE
    now = asyncio.get_running_loop().time
    while True:
        began = now()
        failure = await or_failure(_connected(platform, service, phases))
        if failure is None:
            return
        if not failure.retry:
            raise failure
        if now() - began > _LONGEST_PAUSE:
            pause = _FIRST_PAUSE
        log.warning("%s: %s; next try in %g s", platform.name.capitalize(), failure.reason, pause)
        await _first_of(phases.stop.wait(), asyncio.sleep(pause))
        if phases.stop.is_set():
            return
        pause = min(2 * pause, _LONGEST_PAUSE)


async def _connected(platform: Platform, service: Service, phases: _Phases) -> None:
    """Take questions in until the stop, and show messages until all is over."""
    async with AsyncExitStack() as stack:
        async with _until(phases.stop):
            await stack.enter_async_context(platform.connected())
        if phases.stop.is_set():
            return
        await _first_of(phases.stop.wait(), _received(platform, service))
        await phases.over.wait()


@asynccontextmanager
async def _until(stop: asyncio.Event) -> AsyncIterator[None]:
    """End what is inside at the stop, as nobody waits any longer for a platform that does not answer."""
    limit = asyncio.timeout(None)

    async def end() -> None:
        await stop.wait()
        limit.reschedule(asyncio.get_running_loop().time())

    try:
        async with limit:
            ending = asyncio.create_task(end())
            try:
                yield
            finally:
                ending.cancel()
    except TimeoutError:
        if not limit.expired():
            raise


async def _received(platform: Platform, service: Service) -> None:
    """Take questions in; what only one copy may do, only while it is ours to do."""
    if not platform.alone:
        return await platform.run(service.reception, _say)
    name = platform.name
    try:
        while True:
            state = await _stands_by(platform, service)
            if state is None:
                service.standing_by.pop(name, None)
                await _first_of(platform.run(service.reception, _say), _until_lost(platform, service))
            elif service.standing_by.get(name) is not state:
                service.standing_by[name] = state
                log.info("%s: %s", name.capitalize(), _SAID[state])
            await asyncio.sleep(LEASE_EVERY)
    finally:
        service.standing_by.pop(name, None)
        with suppress(StorageError):
            await service.replicas.release(name)


_SAID = {
    ELSEWHERE: f"{ELSEWHERE.words}; this one helps to answer",
    WAITING: "its messages wait for the database, which says which copy receives them",
}


async def _until_lost(platform: Platform, service: Service) -> None:
    """Return once another copy may receive the messages; the database away, nobody takes us for dead at once."""
    state = None
    while state is None or (state is WAITING and service.replica.is_trusted()):
        await asyncio.sleep(LEASE_EVERY)
        state = await _stands_by(platform, service)


async def _stands_by(platform: Platform, service: Service) -> Health | None:
    """Return why the messages are not ours to receive, None when they are; the database away, that is not known."""
    try:
        return None if await service.replicas.lease(platform.name) else ELSEWHERE
    except StorageError:
        return WAITING


async def _first_of(*these: Coroutine[Any, Any, object]) -> None:
    """Run them side by side until one ends, which ends the others; raises what that one raises."""
    tasks = [asyncio.ensure_future(each) for each in these]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _failure(task: "asyncio.Task[None]") -> BotError | None:
    """Return why the platform ended; a defect is logged with its place, and the other platforms go on."""
    error = task.exception()
    if error is None or isinstance(error, BotError):
        return error
    log.error("%s: a defect", task.get_name().capitalize(), exc_info=error)
    return BotError(f"{task.get_name().capitalize()} ended by a defect ({type(error).__name__}); the log says where")


async def _say(words: str) -> None:
    log.info(words)


async def _counts(service: Service) -> Mapping[str, float]:
    waiting, working = await service.stores.inbox.counts()
    oldest = await service.stores.inbox.oldest()
    age = round((datetime.now(UTC) - oldest).total_seconds(), 1) if oldest else 0.0
    return {"waiting": waiting, "working": working, "oldest_seconds": age, "unsent": await service.outbox.unsent()}


def _log_plainly() -> None:
    """Log in one line each to standard error; libraries only when something is wrong."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s", datefmt="%H:%M:%S")
    log.setLevel(logging.INFO)
