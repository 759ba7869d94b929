"""Watching a folder: what is saved in it is indexed within a moment, however an editor saves."""

import asyncio
import errno
import logging
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from bot.refreshing import Refresher
from core.errors import whereabouts

log = logging.getLogger("footnote")

# Seconds between looks whether the folder is still the one to watch, and until what failed is tried again.
_LOOK = 5.0
# Milliseconds without a further change after which changes are told, and after which they are told anyway: a program
# that writes for long is not waited for.
_QUIET, _AT_MOST = 50, 1_000
# Milliseconds between two looks where the system does not tell of changes.
_POLL = 2_000
# Milliseconds after which the watcher shows that it watches, and how many times until a look is due in any case: a
# system that has too much to tell drops some of it.
_SIGN, _SIGNS = 1_000, 300
# What editors and downloads leave beside a file while they write it.
_PASSING = ("~", ".tmp", ".swp", ".part", ".crdownload")

Changed = Callable[[float], Awaitable[bool]]


async def watched(refresher: Refresher) -> None:
    """Index the folder of the live index whenever something is saved in it, until cancelled; one copy of all does."""
    while True:
        folder = await refresher.folder()
        if folder:

            async def still(mine: Path = folder) -> bool:
                return await refresher.folder() == mine

            log.info("Watching %s: what is saved there is indexed at once", folder)
            try:
                await follow_changes(folder, refresher.run, still)
            except Exception as error:  # noqa: BLE001 - what cannot be watched must not end the bot
                log.warning("%s cannot be watched (%s); next try in %g s", folder, whereabouts(error), _LOOK)
        await asyncio.sleep(_LOOK)


async def follow_changes(
    folder: Path, run: Callable[[], Awaitable[bool]], still: Callable[[], Awaitable[bool]]
) -> None:
    """Run at once and after each change in the folder, as long as that is wanted; what did not succeed, once more.

    Raises OSError when the folder cannot be watched.
    """
    async with changes_in(folder) as changed:
        due = False
        while await still():
            due = await changed(_LOOK) or due
            if due:
                due = not await run()


@asynccontextmanager
async def changes_in(folder: Path) -> AsyncIterator[Changed]:
    """Give a function that returns whether something in the folder may have changed, or False after so many seconds.

    It does so at once the first time, and again when the watch is in place: nothing is missed between the two.
    It raises OSError when the folder cannot be watched any more.
    """
    told, loop, stop = asyncio.Event(), asyncio.get_running_loop(), threading.Event()

    def tell() -> None:
        # The loop may be gone before the thread hears of the stop.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(told.set)

    async def changed(seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                await told.wait()
        except TimeoutError:
            return False
        told.clear()
        if watching.done():
            watching.result()
        return True

    watching = loop.run_in_executor(None, _watch, folder, stop, tell)
    watching.add_done_callback(lambda _: told.set())
    told.set()
    try:
        yield changed
    finally:
        stop.set()
        await asyncio.wait([watching])


def _watch(folder: Path, stop: threading.Event, tell: Callable[[], None]) -> None:
    """Tell of changes until stopped; where the system has no more watches to give, look for them. Raises OSError."""
    if not folder.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(folder))
    try:
        for _ in _signs(folder, stop, polling=None):
            tell()
    except OSError as error:
        log.warning("%s is looked through every %d s: the system cannot watch it (%s)", folder, _POLL // 1000, error)
        for _ in _signs(folder, stop, polling=True):
            tell()


def _signs(folder: Path, stop: threading.Event, *, polling: bool | None) -> Iterator[None]:
    """Yield once the watch is in place, at each change of what may be a document, and now and then."""
    from watchfiles import watch

    silent = _SIGNS
    for changes in watch(
        folder, watch_filter=lambda _, path: may_matter(path, folder), debounce=_AT_MOST, step=_QUIET, stop_event=stop,
        rust_timeout=_SIGN, yield_on_timeout=True, force_polling=polling, poll_delay_ms=_POLL, raise_interrupt=False,
        ignore_permission_denied=True,
    ):  # fmt: skip
        silent += 1
        if changes or silent > _SIGNS:
            silent = 0
            yield None


def may_matter(path: str, folder: Path) -> bool:
    """Return whether a change of the path may change a document: what is hidden or on its way cannot."""
    below = Path(path).relative_to(folder).parts if Path(path).is_relative_to(folder) else (Path(path).name,)
    return not any(name.startswith((".", "~$")) for name in below) and not path.endswith(_PASSING)
