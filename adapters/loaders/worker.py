"""The process in which `guard` has documents read: what bounds it, and what it answers."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from core.errors import IngestError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
# After so many documents, or once it has grown by such a part of its memory, a process makes way: libraries leak.
_DOCUMENTS: Final = 500
_GROWN: Final = 4


@dataclass(frozen=True, slots=True)
class Limits:
    """What one document may take: seconds of the processor, and the bytes of memory that the process may have."""

    seconds: float
    memory: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a document: a result, or the error that its reader raised. `is_last`: the process ends now."""

    result: Any
    error: Exception | None
    is_last: bool


def work(line: "Connection[Any, Any]", limits: Limits) -> None:
    """Read what comes over the line, one document after the other, until it ends or this process has read enough."""
    # Ctrl-C is for the process that gave the work; it ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
    _bound_memory(limits.memory)
    size = _size()
    with suppress(EOFError, OSError):
        line.send("ready")
        for number in range(1, _DOCUMENTS + 1):
            reader, data, path = line.recv()
            result, error = _read(reader, data, path, limits)
            is_last = number == _DOCUMENTS or _size() - size > limits.memory / _GROWN
            line.send(Answer(result, error, is_last))
            if is_last:
                return


def end_with_parent() -> None:
    """End this process as soon as the one that started it has ended, however it did."""
    from multiprocessing import parent_process

    if parent := parent_process():
        parent.join()
        os._exit(1)


def _read(reader: Any, data: bytes, path: str, limits: Limits) -> tuple[Any, Exception | None]:
    try:
        with _bounded_time(limits.seconds):
            return reader(data, path), None
    except Exception as error:  # noqa: BLE001 - whatever it is, the other process is to hear of it
        if _is_for_memory(error):
            most = limits.memory // 1_000_000
            return None, IngestError(path, f"takes more than {most:,} MB of memory to be read: split it")
        return None, _plain(error)


def _plain(error: Exception) -> Exception:
    """Return an error that gets over the line: a library's own may not."""
    if isinstance(error, IngestError):
        return error
    return RuntimeError(f"{type(error).__name__}: {error}")


def _is_for_memory(error: BaseException | None) -> bool:
    """Return whether the memory was used up, whatever a reader made of that."""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__cause__ or error.__context__
    return error is not None


@contextmanager
def _bounded_time(seconds: float) -> Iterator[None]:
    """End this process when the work inside takes longer; the system does, whatever is being done then."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _bound_memory(size: int) -> None:
    with suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (size, most))


def _size() -> int:
    """Return how much memory this process has now, in bytes; 0 where the system does not say, as only Linux does."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
