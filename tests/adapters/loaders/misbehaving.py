"""Readers that do what hostile files make libraries do."""

import ctypes
import os
import re
import signal
import time
from pathlib import Path

from core.errors import IngestError

KEPT: list[bytes] = []


def number(_: bytes, path: str) -> int:
    """Say in which process it was read."""
    return os.getpid()


def hang(_: bytes, path: str) -> None:
    """Never end, in C and without ever letting another thread of the process run."""
    re.fullmatch(r"(a+)+b", "a" * 60)


def wait(data: bytes, path: str) -> None:
    """Never end, and use no processor; say in a file which process it is."""
    Path(os.fsdecode(data)).write_text(str(os.getpid()), encoding="utf-8")
    time.sleep(600)


def crash(_: bytes, path: str) -> None:
    """Write where nothing may be written."""
    ctypes.memset(8, 0, 8)


def crash_later(data: bytes, path: str) -> int:
    """Break down when the process has read before, as a spoilt heap does; `data` is a file that remembers it."""
    known = Path(os.fsdecode(data))
    if known.exists() and known.read_text(encoding="utf-8") == str(os.getpid()):
        os.abort()
    known.write_text(str(os.getpid()), encoding="utf-8")
    return os.getpid()


def fill(_: bytes, path: str) -> None:
    """Take memory without end, and call the outcome a broken file."""
    try:
        _fill()
    except Exception as error:
        raise IngestError(path, "is a broken file") from error


def _fill() -> None:
    taken = []
    while True:
        taken.append(bytearray(20_000_000))


def grow(_: bytes, path: str) -> int:
    """Take much memory and keep it; say in which process."""
    KEPT.append(b"x" * 200_000_000)
    return os.getpid()


def leave(*_: object) -> None:
    """End before anything is read."""
    os._exit(1)


def cannot_start(*_: object) -> None:
    """Be refused a process."""
    raise BlockingIOError(11, "Resource temporarily unavailable")


def be_killed(_: bytes, path: str) -> None:
    """End as a process does that the system takes its memory from."""
    os.kill(os.getpid(), signal.SIGKILL)


def refuse(_: bytes, path: str) -> None:
    """Say why it cannot be read."""
    raise IngestError(path, "нельзя прочитать: save it again")


class OddError(Exception):
    """An error that does not get from one process to another as it is."""

    def __init__(self, one: object, two: object) -> None:
        super().__init__(f"{one} {two}")
        self.kept = (number for number in (one, two))


def stumble(_: bytes, path: str) -> None:
    """Raise what nobody foresaw."""
    raise OddError("odd", "нечет")
