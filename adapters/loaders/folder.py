"""A folder as a source: every file below it, in the order of their paths."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path
from stat import S_ISREG
from typing import Final

from adapters.loaders.file import item_of, sign_of
from adapters.loaders.formats import suffix_of
from adapters.loaders.item import ASSETS, HIDDEN, check_name, shown
from core.errors import ConfigError, IngestError
from core.ingest.source import Item, Offer

DOMAIN: Final = "domain.yaml"
# What says how to index, and for whom, is no document, where it lies at the top.
_OURS: Final = frozenset((DOMAIN, "footnote.yaml", "permissions.yaml"))


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

    def offers(self) -> list[Offer | IngestError]:
        """Return every file by a sign, unread, or why it cannot be had; raises ConfigError as `items` does."""
        check_folder(self._folder)
        return list(offers_in(self._folder))


def check_folder(folder: Path) -> None:
    """Raise ConfigError unless the folder is one."""
    if not folder.exists():
        raise ConfigError(f"the documents folder {str(folder)!r} does not exist: create it or correct its path")
    if not folder.is_dir():
        raise ConfigError(f"{str(folder)!r} is a file: give the folder that holds the documents")


def items_in(folder: Path) -> Iterator[Item | IngestError]:
    """Yield the files below the folder, one after the other, and why a file or a folder cannot be read."""
    for offer in offers_in(folder):
        try:
            yield offer if isinstance(offer, IngestError) else offer.read()
        except IngestError as error:
            yield error


def offers_in(folder: Path) -> Iterator[Offer | IngestError]:
    """Yield the files below the folder, unread, and before them why a file or a folder cannot be read."""
    found = list(_files(os.fspath(folder), "", frozenset()))
    yield from (entry for entry in found if isinstance(entry, IngestError))
    files = [entry for entry in found if isinstance(entry, Offer)]
    yield from sorted(files, key=lambda file: file.name.split("/"))


def _files(folder: str, above: str, parents: frozenset[str]) -> Iterator[Offer | IngestError]:
    """Yield the files below a folder; what is hidden, and a link back to a folder above, is left out."""
    try:
        here = os.path.realpath(folder, strict=True)
        entries = [] if here in parents else sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield IngestError(shown(above) or ".", f"cannot be listed ({error.strerror}): allow reading it")
        return
    for entry in entries:
        name = f"{above}/{entry.name}" if above else entry.name
        if entry.name.startswith(HIDDEN):
            continue
        if _is_folder(entry):
            yield from _files(entry.path, name, parents | {here})
        elif name not in _OURS and suffix_of(entry.name) not in ASSETS:
            yield from _file(entry, name)


def _file(entry: os.DirEntry[str], name: str) -> Iterator[Offer | IngestError]:
    """Yield the file, unless it is something else; one that is gone is offered, for its reader to say so."""
    try:
        check_name(name)
        found = entry.stat()
    except IngestError as error:
        yield Offer(error.path, "", partial(_refuse, error))
    except OSError:
        yield Offer(name, "", partial(item_of, entry.path, name))
    else:
        if S_ISREG(found.st_mode):
            yield Offer(name, sign_of(found), partial(item_of, entry.path, name), found.st_size)


def _refuse(error: IngestError) -> Item:
    raise error


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
