"""A folder as a source: every file below it, in the order of their paths."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Final

from adapters.loaders.file import item_of, name_of
from adapters.loaders.formats import suffix_of
from adapters.loaders.item import ASSETS, is_hidden
from core.errors import ConfigError, IngestError
from core.ingest.source import Item

DOMAIN: Final = "domain.yaml"


class FolderSource:
    """The files of a folder; what is hidden and what is no document is left out."""

    def __init__(self, folder: Path) -> None:
        self.name = str(folder)
        self._folder = folder

    async def items(self) -> AsyncIterator[Item | IngestError]:
        """Yield every file as it is now, or why it cannot be read; raises ConfigError when the folder is missing."""
        await asyncio.to_thread(check_folder, self._folder)
        found = items_in(self._folder)
        while (item := await asyncio.to_thread(next, found, None)) is not None:
            yield item


def check_folder(folder: Path) -> None:
    """Raise ConfigError unless the folder is one."""
    if not folder.exists():
        raise ConfigError(f"the documents folder {str(folder)!r} does not exist: create it or correct its path")
    if not folder.is_dir():
        raise ConfigError(f"{str(folder)!r} is a file: give the folder that holds the documents")


def items_in(folder: Path) -> Iterator[Item | IngestError]:
    """Yield the files below the folder, one after the other, and why a file or a folder cannot be read."""
    found = list(_files(folder, folder, frozenset()))
    yield from (entry for entry in found if isinstance(entry, IngestError))
    files = [entry for entry in found if isinstance(entry, Path)]
    for path in sorted(files, key=lambda path: path.relative_to(folder).parts):
        if path == folder / DOMAIN or suffix_of(path.name) in ASSETS:
            continue
        try:
            yield item_of(path, folder)
        except IngestError as error:
            yield error


def _files(folder: Path, top: Path, above: frozenset[Path]) -> Iterator[Path | IngestError]:
    """Yield the files below a folder; what is hidden, and a link back to a folder above, is left out."""
    try:
        here = folder.resolve()
        entries = [] if here in above else sorted(folder.iterdir())
    except OSError as error:
        yield IngestError(_shown(folder, top), f"cannot be listed ({error.strerror}): allow reading it")
        return
    for entry in entries:
        if is_hidden(entry.name):
            continue
        if entry.is_dir():
            yield from _files(entry, top, above | {here})
        elif entry.is_file() or not entry.exists():
            yield entry


def _shown(path: Path, folder: Path) -> str:
    try:
        return name_of(path, folder)
    except IngestError as error:
        return error.path
