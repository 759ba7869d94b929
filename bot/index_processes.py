"""Processes beside this one for the parts of an index run that Python itself works on: it uses one core alone."""

import asyncio
import logging
import os
import pickle
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from multiprocessing import get_context
from typing import Any, Generic, Self, TypeVar, TypeVarTuple, Unpack

from adapters.loaders.worker import end_with_parent
from core.errors import whereabouts

log = logging.getLogger("footnote")

# So many pieces of work are done here before processes are started, which takes each of them a second and 80 MB: most
# runs are over before.
_ALONE = 4
# Beyond these the process that stores what they make would be waited for.
_MOST = 2
# Steps by which others come first: answers, and the storing of what was made.
_NICE = 5

_Given = TypeVarTuple("_Given")
_T = TypeVar("_T")


class Processes:
    """One for each core but the one that this process works on, up to two; none before there is much to do.

    They end with the block that they are used in, and with this process, however it ends.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = min(_MOST, _cores() - 1) if most is None else most
        self._free = self._most
        self._done = 0
        self._pool: ProcessPoolExecutor | None = None

    @property
    def at_once(self) -> int:
        """So many pieces of work keep all of them, and a thread of this process, busy."""
        return self._most + 1

    async def run(self, work: Callable[[Unpack[_Given]], _T], *given: *_Given) -> _T:
        """Return what the work, a function of a module, makes of what it is given, in a process or in a thread here.

        Raises what the work raises. A process that is ended from outside costs nothing but its time.
        """
        self._done += 1
        if self._done <= _ALONE or not self._free:
            return await asyncio.to_thread(work, *given)
        self._free -= 1
        try:
            return await asyncio.wrap_future(self._submitted(work, *given))
        except (BrokenProcessPool, _NotStarted) as error:
            log.warning("An index run goes on without processes beside it (%s)", whereabouts(error))
            self._most = self._free = 0
            return await asyncio.to_thread(work, *given)
        finally:
            self._free = min(self._most, self._free + 1)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.end()

    async def end(self) -> None:
        """End them now; what they still work on is given up."""
        pool, self._pool = self._pool, None
        self._done, self._free = 0, self._most
        if pool:
            await asyncio.to_thread(pool.shutdown, wait=True, cancel_futures=True)

    def _submitted(self, work: Callable[[Unpack[_Given]], _T], *given: *_Given) -> "Future[_T]":
        try:
            self._pool = self._pool or ProcessPoolExecutor(self._most, get_context("spawn"), initializer=_begun)
            return self._pool.submit(work, *given)
        except OSError as error:
            raise _NotStarted from error


class _NotStarted(Exception):
    """The system has no room for another process."""


class Handed(Generic[_T]):
    """A value that many pieces of work are given: in another process it is unpacked once, in this one it is itself."""

    def __init__(self, value: _T) -> None:
        self.value = value
        self._packed: bytes | None = None

    def __reduce__(self) -> tuple[Callable[[bytes], "Handed[_T]"], tuple[bytes]]:
        if self._packed is None:
            self._packed = pickle.dumps(self.value)
        return _unpacked, (self._packed,)


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> Handed[Any]:
    return Handed(pickle.loads(packed))  # noqa: S301 - packed by the process that started this one


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _begun() -> None:
    """Let Ctrl-C be for the process that gave the work, which then ends this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(_NICE)
