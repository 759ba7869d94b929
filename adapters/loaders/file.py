"""One file of a folder: its bytes as an item, and the documents in it."""

import os
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISREG

from adapters.loaders.formats import check_size
from adapters.loaders.item import Result, check_name, documents_in
from core.errors import IngestError
from core.ingest.source import Item


def load_file(path: Path, folder: Path, link_base: str | None = None) -> Iterator[Result]:
    """Yield the documents in the file, or why one cannot be read, with its path below the folder and what to do."""
    try:
        item = item_of(path, folder)
    except IngestError as error:
        yield error
        return
    yield from documents_in(item, link_base)


def item_of(path: Path, folder: Path) -> Item:
    """Return the file as an item; raises IngestError when it is too large, gone, or changes while it is read."""
    name = name_of(path, folder)
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
        raise IngestError(name, f"cannot be read ({error.strerror}): check that it exists and may be read") from error
    if (before.st_mtime_ns, before.st_size) != (after.st_mtime_ns, len(data)):
        raise IngestError(name, "changed while it was read: index again when nobody writes to it")
    return Item(name, data)


def _opened_at_once(path: str, flags: int) -> int:
    """Open without waiting for the other end, should the file have become a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def name_of(path: Path, folder: Path) -> str:
    """Return the path below the folder with forward slashes; raises IngestError when it cannot be shown."""
    name = path.relative_to(folder).as_posix()
    check_name(name)
    return name
