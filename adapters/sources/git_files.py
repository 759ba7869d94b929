"""The files of a commit: their names, when each was changed last, and what they hold."""

from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from adapters.sources.git_program import GitFailed, pieces, run, started

# Symbolic links (120000) and submodules (160000) are no files.
_FILES: Final = (b"100644", b"100755", b"100664")
_ABSENT: Final = b"missing"


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of the commit: its path as git keeps it, the id of what it holds, and the size of that in bytes."""

    path: bytes
    blob: str
    size: int


@dataclass(frozen=True, slots=True)
class Change:
    """The commit that changed a file last; its day is not known when it lies before the history that was fetched."""

    commit: str
    day: str | None


async def entries(repository: Path, commit: str) -> AsyncIterator[Entry]:
    """Yield the files of the commit in the order of their paths."""
    async with aclosing(pieces(repository, "ls-tree", "-r", "-z", "-l", "--full-tree", commit)) as lines:
        async for line in lines:
            about, _, path = line.partition(b"\t")
            mode, kind, blob, size = about.split()
            if kind == b"blob" and mode in _FILES:
                yield Entry(path, blob.decode(), int(size))


async def last_changes(repository: Path, commit: str, paths: Collection[bytes]) -> Mapping[bytes, Change]:
    """Return the last change of each file, in one walk back along the branch: a merge counts as its own day."""
    edge = await _edge(repository)
    wanted, found = set(paths), dict[bytes, Change]()
    walk = ("log", "--first-parent", "-m", "--raw", "--no-abbrev", "--no-renames", "-z", "--format=%H %cs", commit)
    change, is_path = Change(commit, None), False
    async with aclosing(pieces(repository, *walk)) as parts:
        async for part in parts:
            if is_path:
                if part in wanted:
                    found[part] = change
                    wanted.discard(part)
                is_path = False
            elif part.lstrip(b"\n").startswith(b":"):
                is_path = True
            elif not wanted:
                break
            elif words := part.decode("ascii", "replace").split():
                change = Change(words[0], None if words[0] in edge else words[-1])
    return found


async def _edge(repository: Path) -> frozenset[str]:
    """Return the oldest commits that were fetched: to git they seem to add every file that there was by then."""
    shallow = repository / "shallow"
    return frozenset(shallow.read_text("ascii").split()) if shallow.exists() else frozenset()


@dataclass(frozen=True, slots=True)
class Blobs:
    """What files hold, one after the other from one process."""

    process: Process

    async def read(self, blob: str) -> bytes:
        """Return what the file holds. Raises GitFailed when that is lost."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(f"{blob}\n".encode())
            await self.process.stdin.drain()
            head = (await self.process.stdout.readuntil(b"\n")).split()
            if head[-1] == _ABSENT:
                raise GitFailed("is missing from the copy of the repository")
            return (await self.process.stdout.readexactly(int(head[-1]) + 1))[:-1]
        except (EOFError, ConnectionError, ValueError) as error:
            raise GitFailed("cannot be read from the copy of the repository") from error


@asynccontextmanager
async def reading(repository: Path) -> AsyncIterator[Blobs]:
    """Give a reader of what files hold."""
    async with started(repository, "cat-file", "--batch", complaints=DEVNULL, questions=PIPE) as process:
        yield Blobs(process)


async def commit_of(repository: Path, ref: str) -> str:
    """Return the commit that the ref stands at."""
    return (await run(repository, "rev-parse", "--verify", "--end-of-options", f"{ref}^{{commit}}")).decode().strip()
