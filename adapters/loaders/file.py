"""One file of a folder: its bytes as an item, and the documents in it."""

import errno
import os
import time
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISREG
from typing import Final

from adapters.loaders.formats import check_size
from adapters.loaders.item import Result, check_name, documents_in, shown
from core.errors import IngestError, Unread
from core.ingest.source import Item

# Nanoseconds: the coarsest clock of a file system that is still in use (FAT) ticks every two seconds.
YOUNG_NS: Final = 2_000_000_000
# Said of what is gone, closed, or no file. Anything else, of a share or a disk that fails, says nothing of a document.
_LASTING: Final = frozenset(
    (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.EPERM, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ENXIO)
)


def load_file(path: Path, folder: Path, link_base: str | None = None) -> Iterator[Result]:
    """Yield the documents in the file, or why one cannot be read, with its path below the folder and what to do."""
    try:
        name = path.relative_to(folder).as_posix()
        check_name(name)
        item = item_of(path, name)
    except IngestError as error:
        yield error
        return
    yield from documents_in(item, link_base)


def item_of(path: str | Path, name: str) -> Item:
    """Return the file as an item. Raises IngestError when it is too large, gone or closed, and Unread when it is busy.

    That is: when it changes while it is read, or the disk or share that it lies on fails.
    """
    try:
        with open(path, "rb", opener=_opened_at_once) as file:
            before = os.fstat(file.fileno())
            if not S_ISREG(before.st_mode):
                raise IngestError(name, "is no file: move it out of the folder")
            check_size(name, before.st_size)
            # One byte more than it has shows that it has grown, and no file that grows without end fills the memory.
            data = file.read(before.st_size + 1)
            after = os.fstat(file.fileno())
    except OSError as error:
        raise refused(name, error, "read", "check that it exists and may be read") from error
    if (before.st_mtime_ns, before.st_size) != (after.st_mtime_ns, len(data)):
        raise Unread(name, "changed while it was read: index again when nobody writes to it", name)
    return Item(name, data)


def refused(name: str, error: OSError, what: str, advice: str) -> IngestError:
    """Return why a file or a folder cannot be had: for good, or this time alone, so that what is indexed stays."""
    reason = f"cannot be {what} ({error.strerror})"
    if error.errno in _LASTING:
        return IngestError(shown(name) or ".", f"{reason}: {advice}")
    return Unread(shown(name) or ".", f"{reason}: index again when the disk or share that it lies on answers", name)


def _opened_at_once(path: str, flags: int) -> int:
    """Open without waiting for the other end, should the file have become a pipe, and no link that it may have become.

    What links may be followed, and where they lead, is decided when the folder is listed.
    """
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))


def sign_of(found: os.stat_result) -> str:
    """Return what stays the same as long as the bytes of a file do, or nothing when that cannot be told yet.

    As in git: size, times and inode; and a file that was changed just now may be changed once more within the same tick
    of its clock, so it is not to be known by these before YOUNG_NS are over (git's "racily clean").
    """
    if max(found.st_mtime_ns, found.st_ctime_ns) > time.time_ns() - YOUNG_NS:
        return ""
    return f"{found.st_size}-{found.st_mtime_ns}-{found.st_ctime_ns}-{found.st_ino}"
