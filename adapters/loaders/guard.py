"""Readers that may hang, crash or fill the memory work in processes of their own, which are ended when they do."""

import signal
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from adapters.loaders import worker
from core.errors import IngestError, Unread

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

# Of the processor, for one document. Large tables and nested mails that are what they say take under a minute.
SECONDS: Final = 120.0
# Bytes, for one process.
MEMORY: Final = 2_000_000_000
# So many times as long may it take by the clock: what waits for something else than the processor ends, too.
_BY_THE_CLOCK: Final = 3
# Seconds until a process has started, which takes one, and until one that was killed has ended.
_STARTING: Final = 120.0
_ENDING: Final = 5.0
_ADVICE: Final = "split it, or open it in its program and save it again"

T = TypeVar("T")


class Workers:
    """Processes that read documents: started when first needed, used again, gone when this process is.

    Each document may take `seconds` of the processor, and each process `memory` bytes, as far as the system can hold
    it to them: no memory on a Mac, and on Windows only the clock. May be used by several threads, each of which gets a
    process to itself. Once closed it reads no more.
    """

    def __init__(self, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        self._limits = worker.Limits(seconds, memory)
        self._lock = Lock()
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self.closed = False

    def read(self, reader: Callable[[bytes, str], T], data: bytes, path: str) -> T:
        """Return what the reader, a function of a module, makes of the bytes.

        Raises IngestError as the reader does, and when it was ended; Unread when that says nothing of the document.
        """
        while True:
            one = self._taken(path)
            was_used = one.is_used
            try:
                return one.read(reader, data, path, _BY_THE_CLOCK * self._limits.seconds)
            except _Ended as ended:
                # What it read before may have spoilt it: only in a process of its own a document is to blame.
                if self.closed or ended.is_late or not was_used:
                    raise self._explained(ended, path) from None
            finally:
                self._put_back(one)

    def close(self) -> None:
        """End all the processes, those that are reading, too: what they read is given up."""
        with self._lock:
            self.closed = True
            all_ = [*self._idle, *self._busy]
            self._idle = []
        for one in all_:
            one.kill()

    def _taken(self, path: str) -> "_Worker":
        with self._lock:
            if self.closed:
                raise Unread(path, "reading it was stopped: index again", path)
            while self._idle:
                one = self._idle.pop()
                if one.lives():
                    break
            else:
                one = _started(self._limits, path)
            self._busy.add(one)
        return one

    def _put_back(self, one: "_Worker") -> None:
        with self._lock:
            self._busy.discard(one)
            stays = not self.closed and not one.is_spent
            if stays:
                self._idle.append(one)
        if not stays:
            one.end()

    def _explained(self, ended: "_Ended", path: str) -> IngestError:
        if self.closed:
            return Unread(path, "reading it was stopped: index again", path)
        if ended.is_late:
            return IngestError(
                path, f"reading it took more than {self._limits.seconds:g} s and was given up: {_ADVICE}"
            )
        if ended.is_from_outside:
            how = f"the process that read it was ended from outside ({ended.how})"
            return Unread(path, f"{how}, mostly for want of memory: free some and index again", path)
        return IngestError(path, f"its reader broke down on it ({ended.how}): {_ADVICE}")


class _Ended(Exception):
    """The process gave no answer: it ended with this exit code, or was waited for too long (`is_late`)."""

    def __init__(self, code: int | None, *, has_started: bool, is_late: bool = False) -> None:
        self.is_late = has_started and (is_late or code == -getattr(signal, "SIGPROF", 0))
        self.is_from_outside = not has_started or code in {-getattr(signal, "SIGKILL", 0), -signal.SIGTERM}
        self.how = signal.Signals(-code).name if code and code < 0 else f"exit code {code}"


class _Worker:
    """One process and the line to it. `is_spent`: it is to read no more."""

    def __init__(self, limits: worker.Limits) -> None:
        from multiprocessing import get_context

        spawn = get_context("spawn")
        self._line: Connection[Any, Any]
        self._line, theirs = spawn.Pipe()
        # When this process ends the line does, and so does the other; being a daemon, it ends at an orderly exit, too.
        self._process: SpawnProcess = spawn.Process(target=worker.work, args=(theirs, limits), daemon=True)
        self.is_used = self.is_spent = False
        try:
            self._process.start()
        finally:
            theirs.close()

    def lives(self) -> bool:
        """Return whether it can be given a document; one that cannot is gone."""
        # What has nothing to do says nothing: there is something on the line only when it has ended.
        if self._process.is_alive() and not self._line.poll():
            return True
        self.end()
        return False

    def read(self, reader: Callable[[bytes, str], T], data: bytes, path: str, seconds: float) -> T:
        """Return what the reader makes of the bytes. Raises what the reader raises, and _Ended."""
        self.is_spent = True
        if not self.is_used:
            self._next(_STARTING)
            self.is_used = True
        with suppress(OSError):
            self._line.send((reader, data, path))
        answer: worker.Answer = self._next(seconds)
        self.is_spent = answer.is_last
        if answer.error is not None:
            raise answer.error
        return cast("T", answer.result)

    def _next(self, seconds: float) -> Any:
        """Return what it says next. Raises _Ended."""
        try:
            if self._line.poll(seconds):
                return self._line.recv()
        except (EOFError, OSError):
            self._process.join(_ENDING)
            raise _Ended(self._process.exitcode, has_started=self.is_used) from None
        raise _Ended(None, has_started=self.is_used, is_late=True)

    def kill(self) -> None:
        """End the process, whatever it does; whoever waits for its answer hears of that."""
        self._process.kill()
        self._process.join(_ENDING)

    def end(self) -> None:
        """End the process and the line to it, when nobody waits for an answer any more."""
        self.kill()
        self._line.close()


def _started(limits: worker.Limits, path: str) -> _Worker:
    try:
        return _Worker(limits)
    except OSError as error:
        reason = f"no process could be started to read it ({error.strerror}): free some memory and index again"
        raise Unread(path, reason, path) from error


# For who does not say when reading is over: ended with this process.
SHARED: Final = Workers()
