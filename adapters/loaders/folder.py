"""A folder as a source: every file below it, in the order of their paths."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Final

from adapters.loaders.file import item_of, refused, sign_of
from adapters.loaders.item import ASSETS, HIDDEN, check_name, shown
from core.errors import ConfigError, IngestError, Unread
from core.ingest.formats import suffix_of
from core.ingest.source import Item, Offer

DOMAIN: Final = "domain.yaml"
# Nobody files so deep; what nests further was made to, and each level costs time with all that are above it.
DEPTH_LIMIT: Final = 100
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
    found = list(_files(os.fspath(folder), "", frozenset(), os.path.realpath(folder)))
    yield from (entry for entry in found if isinstance(entry, IngestError))
    files = [entry for entry in found if isinstance(entry, Offer)]
    yield from sorted(files, key=lambda file: file.name.split("/"))


def _files(folder: str, above: str, parents: frozenset[str], root: str) -> Iterator[Offer | IngestError]:
    """Yield the files below a folder; what is hidden, and a link back to a folder above, is left out."""
    if len(parents) > DEPTH_LIMIT:
        yield IngestError(shown(above), f"lies more than {DEPTH_LIMIT} folders deep: move what it holds further up")
        return
    try:
        here = os.path.realpath(folder, strict=True)
        entries = [] if here in parents else sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield refused(above, error, "listed", "allow reading it")
        return
    above_all = parents | {here}
    for entry in entries:
        name = f"{above}/{entry.name}" if above else entry.name
        if entry.name.startswith(HIDDEN) or (entry.is_symlink() and os.path.realpath(entry.path) in above_all):
            continue
        try:
            path = _followed(entry, name, root)
            is_folder = _is_folder(path, name)
        except Unread as error:
            yield error
            continue
        except IngestError as error:
            yield Offer(error.path, "", partial(_refuse, error))
            continue
        if is_folder:
            yield from _files(path, name, above_all, root)
        elif name not in _OURS and suffix_of(entry.name) not in ASSETS:
            yield from _file(path, name)


def _followed(entry: os.DirEntry[str], name: str, root: str) -> str:
    """Return where an entry is read. Raises IngestError for a link that leads out of the folder or to a document.

    Whoever may write documents could else show everybody any file that the bot may read; and a document would be under
    the rules of another folder. What is projected by Kubernetes, whose links lead into `..data`, is read.
    """
    if not entry.is_symlink():
        return entry.path
    target = os.path.realpath(entry.path)
    inside = target.removeprefix(root.rstrip(os.sep) + os.sep)
    if inside == target:
        out = "is a link that leads out of the folder: put the document itself here, or index its folder, too"
        raise IngestError(shown(name), out)
    hidden = [part for part in Path(inside).parts if part.startswith(HIDDEN)]
    if not os.path.lexists(target) or not hidden:
        where = shown(inside.replace(os.sep, "/"))
        raise IngestError(shown(name), f"is a link to {where}, which is read where it lies, if it is there: remove it")
    if not all(part.startswith("..") for part in hidden):
        raise IngestError(shown(name), "is a link to what is hidden: put the document itself here")
    return target


def _is_folder(path: str, name: str) -> bool:
    """Return whether it is a folder. Raises Unread when that cannot be told; what is closed is told by reading it."""
    try:
        return S_ISDIR(Path(path).stat().st_mode)
    except OSError as error:
        if isinstance(why := refused(name, error, "read", ""), Unread):
            raise why from error
        return False


def _file(path: str, name: str) -> Iterator[Offer | IngestError]:
    """Yield the file, unless it is something else; one that is gone is offered, for its reader to say so."""
    try:
        check_name(name)
        found = os.lstat(path)
    except IngestError as error:
        yield Offer(error.path, "", partial(_refuse, error))
    except OSError:
        yield Offer(name, "", partial(item_of, path, name))
    else:
        if S_ISREG(found.st_mode):
            yield Offer(name, sign_of(found), partial(item_of, path, name), found.st_size)


def _refuse(error: IngestError) -> Item:
    raise error
