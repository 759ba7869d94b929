"""A Git repository as a source of documents: the files of a branch, from a copy that is kept and brought up to date.

The copy has no working tree: nothing of the repository runs or is written as a file, and no link in it leads anywhere.
"""

import shutil
import tempfile
from asyncio import to_thread
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Final
from unicodedata import category

from adapters.sources.git_address import Remote, remote_of
from adapters.sources.git_files import Blobs, Change, Entry, commit_of, entries, last_changes, reading
from adapters.sources.git_program import GitFailed, run
from core.errors import ConfigError, IngestError, Unread
from core.ingest.formats import BETTER, READ, suffix_of
from core.ingest.source import Item

COMMITS: Final = 1_000
# No reader takes a larger document.
FILE_BYTES: Final = 50_000_000
FETCH_SECONDS: Final = 1_800.0
# git-lfs.com, specification of pointers.
_POINTER: Final = b"version https://git-lfs.github.com/spec/"
_OURS: Final = "refs/footnote"


@dataclass(slots=True)
class GitCheckout:
    """The readable files of a repository, as the branch (or the one that the repository shows first) has them.

    `place` is an address for https or ssh, or a folder, whose commits are read and not what is being changed in it.
    `cache` is a folder for copies. Only files in the folder `under` are read; what is hidden is not. `readers` are the
    groups that may read them; nobody: everybody. `commits` are fetched at first; a file that none of them changed has
    no known day.

    Raises ConfigError for an address or a branch that git is not to be asked for.
    """

    place: str | Path = field(repr=False)
    branch: str | None = None
    _: KW_ONLY
    cache: Path
    under: str = ""
    readers: frozenset[str] = frozenset()
    commits: int = COMMITS
    name: str = field(init=False)
    _remote: Remote = field(init=False)

    def __post_init__(self) -> None:
        self._remote, self.branch = remote_of(self.place), _checked(self.branch)
        self.name = f"the repository {self._remote.shown}" + (f", branch {self.branch}" if self.branch else "")

    async def items(self) -> AsyncIterator[Item | IngestError]:
        """Yield every readable file, or why one could not be had; so for each document in a format that is not read.

        Raises ConfigError when the repository cannot be fetched or holds nothing to read, or git is not installed.
        """
        repository, commit = await self._fetched()
        try:
            shown = [entry async for entry in entries(repository, commit) if self._is_shown(entry)]
            files = [entry for entry in shown if suffix_of(_path(entry)) in READ]
            changes = await last_changes(repository, commit, [entry.path for entry in files])
        except GitFailed as error:
            raise ConfigError(
                f"{self.name} cannot be read ({error}): remove {repository} and run this again"
            ) from error
        others = [unread for entry in shown if (unread := _unread(entry))]
        if not files:
            more = f"; {len(others)} documents have no reader, the first: {others[0]}" if others else ""
            raise ConfigError(f"{self.name} holds nothing to read: give another branch or folder{more}")
        for problem in others:
            yield problem
        async with reading(repository) as blobs:
            for entry in files:
                yield await self._item(entry, changes.get(entry.path, Change(commit, None)), blobs)

    def _is_shown(self, entry: Entry) -> bool:
        path = _path(entry)
        hidden = any(part.startswith((".", "~$")) for part in path.split("/"))
        return path.startswith(_folder(self.under)) and not hidden

    async def _item(self, entry: Entry, change: Change, blobs: Blobs) -> Item | IngestError:
        path = _path(entry)
        if (shown := _shown(path)) != path:
            return IngestError(shown, "its name has characters that cannot be shown: rename it")
        if entry.size > FILE_BYTES:
            return IngestError(path, f"has {entry.size:,} bytes, more than {FILE_BYTES:,}: split it")
        try:
            data = await blobs.read(entry.blob)
        except GitFailed as error:
            return Unread(path, str(error), path)
        if data.startswith(_POINTER):
            return IngestError(path, "is kept in Git LFS, not in the repository: give its folder as a source instead")
        # The commit that changed the file, not the newest: the link stays as it is for as long as the file does.
        link = self._remote.link(change.commit, path)
        return Item(path, data, link=link, updated=change.day, readers=self.readers)

    async def _fetched(self) -> tuple[Path, str]:
        """Return the copy of the repository, brought up to date, and its commit; a copy that is broken is made anew."""
        repository = self.cache / self._remote.folder
        await to_thread(self.cache.mkdir, parents=True, exist_ok=True)
        if repository.exists():
            with suppress(GitFailed):
                return repository, await self._fetch(repository)
        try:
            return repository, await self._cloned(repository)
        except GitFailed as error:
            said = self._remote.without_secrets(str(error))
            raise ConfigError(
                f"{self.name} cannot be fetched: check its address, the branch, and that it may be read from here "
                f"without a question ({said})"
            ) from error

    async def _cloned(self, repository: Path) -> str:
        """Fetch into a folder of another name and put that in its place, so that no copy is ever half made."""
        new = Path(await to_thread(tempfile.mkdtemp, prefix="new-", dir=self.cache))
        try:
            await run(new, "init", "--quiet", "--bare", "--template=")
            commit = await self._fetch(new, f"--depth={self.commits}")
            await to_thread(_put, new, repository)
            return commit
        finally:
            shutil.rmtree(new, ignore_errors=True)

    async def _fetch(self, repository: Path, *how: str) -> str:
        ref = f"refs/heads/{self.branch}" if self.branch else "HEAD"
        ours = f"{_OURS}/heads/{self.branch}" if self.branch else f"{_OURS}/first"
        options = ("--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", *how)
        with _login(self._remote) as settings:
            await run(
                repository,
                *("fetch", *options, "--", self._remote.address, f"+{ref}:{ours}"),
                settings=settings,
                seconds=FETCH_SECONDS,
            )
        return await commit_of(repository, ours)


def _path(entry: Entry) -> str:
    return entry.path.decode("utf-8", "surrogateescape")


def _shown(path: str) -> str:
    odd = any(category(char) in ("Cc", "Cs") for char in path)
    return path.encode("unicode_escape").decode("ascii") if odd else path


def _unread(entry: Entry) -> IngestError | None:
    """Return that nobody reads the file, if it is a document and not a program or a picture."""
    path = _path(entry)
    suffix = suffix_of(path)
    return (
        IngestError(_shown(path), f"no reader for {suffix}: save it as {BETTER[suffix]}") if suffix in BETTER else None
    )


def _checked(branch: str | None) -> str | None:
    """Return the name of the branch. Raises ConfigError for what no branch is called (git-check-ref-format)."""
    odd = branch is not None and (
        not branch
        or any(char in " ~^:?*[\\" or category(char) == "Cc" for char in branch)
        or any(mark in branch for mark in ("..", "@{", "//"))
        or branch.startswith(("-", "/"))
        or branch.endswith(("/", ".", ".lock"))
    )
    if odd:
        raise ConfigError(f"no branch can be called {branch!r}: give the name of one, such as main")
    return branch


def _folder(under: str) -> str:
    return f"{under.strip('/')}/" if under.strip("/") else ""


def _put(new: Path, repository: Path) -> None:
    shutil.rmtree(repository, ignore_errors=True)
    new.replace(repository)


@contextmanager
def _login(remote: Remote) -> Iterator[tuple[str, ...]]:
    """Give the setting that makes git read the login from a file of ours: what stands in a command, everybody sees."""
    if not remote.settings:
        yield ()
        return
    with tempfile.TemporaryDirectory(prefix="footnote-") as folder:
        path = Path(folder) / "login"
        path.touch(mode=0o600)
        path.write_text(remote.settings, "utf-8")
        yield (f"include.path={path}",)
