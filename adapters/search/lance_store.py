"""One LanceDB: its connection, its tables in the versions that are read, and what its failures mean."""

import logging
import os
import sys
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from adapters.search.object_store import trouble
from core.errors import SearchError
from core.ingest.generation import Tables

log = logging.getLogger("footnote")

# Open tables that are remembered: those of a few generations.
_OPEN_TABLES = 24
# Bytes of vector and word indices that stay in memory; LanceDB's own limit is 6 GB.
_INDEX_CACHE, _METADATA_CACHE = 512 * 1024 * 1024, 128 * 1024 * 1024
_READ_AHEAD = 64 * 1024 * 1024

# What the system says of a full disk, and of a share of one that is used up.
_FULL = ("No space left on device", "Disk quota exceeded", "not enough space on the disk")
# How LanceDB 0.40 says that a change does not go together with another one that came first.
_CONFLICTS = ("Incompatible transaction", "ommit conflict", "concurrent writers")
# So many times a change begins anew that something else came between.
_TRIES = 3


class Disturbed(SearchError):
    """A table was not, or did not stay, as the run that writes has left it: another one writes, or wrote, to it."""

    def __init__(self) -> None:
        super().__init__(
            "another index run writes to the same tables: see that INDEX_URL, or FOOTNOTE_DATA_DIR, belongs to one "
            "database alone, and index again",
            retry=True,
        )


class LanceStore:
    """A folder or an address in an object store; nothing is opened before it is needed."""

    def __init__(self, address: str, options: Mapping[str, str] | None = None) -> None:
        self._address = address
        self._options = dict(options or {})
        self._connection: Any = None
        self._tables: OrderedDict[tuple[str, int], Any] = OrderedDict()

    async def create(self, name: str, schema: Any) -> Any:
        """Return a new empty table in place of one that has the name."""
        self.forget(name)
        return await (await self._open()).create_table(name, schema=schema, mode="overwrite")

    async def newest(self, name: str) -> Any:
        """Return the table as it is now, for writing and for what has no version."""
        return await (await self._open()).open_table(name)

    async def left(self, name: str, version: int | None) -> Any:
        """Return the table as it is now, which is to be in this version still. Raises Disturbed when it is not."""
        table = await self.newest(name)
        if version is not None and await table.version() != version:
            raise Disturbed
        return table

    async def table(self, name: str, version: int | None) -> Any:
        """Return the table in a version, for reading; None: as it is now."""
        if version is None:
            return await self.newest(name)
        if (name, version) not in self._tables:
            table = await self.newest(name)
            await table.checkout(version)
            self._tables[name, version] = table
        self._tables.move_to_end((name, version))
        while len(self._tables) > _OPEN_TABLES:
            self._tables.popitem(last=False)
        return self._tables[name, version]

    async def drop(self, name: str) -> None:
        """Remove the table, if it is there."""
        await (await self._open()).drop_table(name, ignore_missing=True)
        self.forget(name)

    def forget(self, name: str) -> None:
        """Open the table anew when it is read next."""
        for known in [known for known in self._tables if known[0] == name]:
            del self._tables[known]

    async def _open(self) -> Any:
        if self._connection is None:
            lancedb = library()
            session = lancedb.Session(index_cache_size_bytes=_INDEX_CACHE, metadata_cache_size_bytes=_METADATA_CACHE)
            self._connection = await lancedb.connect_async(
                self._address, storage_options=self._options, session=session
            )
        return self._connection


async def step(table: Any, change: Awaitable[object]) -> None:
    """Let one change of the table happen. Raises Disturbed when another one came between it and the version before."""
    before = await table.version()
    await change
    if await table.version() != before + 1:
        raise Disturbed


async def undisturbed(
    change: Callable[[Tables], Awaitable[Tables]], restore: Callable[[Tables], Awaitable[Tables]], tables: Tables
) -> Tables:
    """Return the tables after a change that nothing else came between; else it begins anew from what they were."""
    for n in range(_TRIES):
        try:
            tables = await restore(tables) if n else tables
            with writing():
                return await change(tables)
        except Disturbed:
            log.warning("Something else wrote to the tables of an index run; that is taken back")
    raise Disturbed


def library() -> Any:
    """Return LanceDB, loaded."""
    os.environ.setdefault("LANCEDB_LOG", "error")  # its writer warns of every new table
    # What it reads ahead of its work while an index over the vectors is made; its own limit is 2 GB.
    os.environ.setdefault("LANCE_DEFAULT_IO_BUFFER_SIZE", str(_READ_AHEAD))
    leave_out_its_client()
    import lancedb

    return lancedb


# The client of a catalogue server that comes with LanceDB. A folder or a bucket asks no such server, and to load its
# calls takes as long as to load all the rest (0.40: 1.7 of 3.5 s of CPU), as Pydantic reads the types of each.
_CLIENT = "lance_namespace_urllib3_client"


def leave_out_its_client() -> None:
    """Let LanceDB find empty classes where the client's calls are; who would make one gets a TypeError."""
    found = None if _CLIENT in sys.modules else find_spec(_CLIENT)
    for folder in (found and found.submodule_search_locations) or ():
        for path in Path(folder).glob("api/*_api.py"):
            module = ModuleType(f"{_CLIENT}.api.{path.stem}")
            setattr(module, path.stem.title().replace("_", ""), type(path.stem, (), {}))
            sys.modules.setdefault(module.__name__, module)


@contextmanager
def failing(done: str) -> Iterator[None]:
    """Turn whatever goes wrong inside into a SearchError that says that something could not be done."""
    try:
        yield
    except SearchError:
        raise
    except Exception as error:
        if any(sign in str(error) for sign in _CONFLICTS):
            raise Disturbed from error
        raise _full(error) or trouble(error) or SearchError(f"{done} ({type(error).__name__})") from error


def _full(error: Exception) -> SearchError | None:
    """Return that a disk is full, or a share of it used up, when that is what the error says."""
    if not any(sign in str(error) for sign in _FULL):
        return None
    return SearchError(
        "the disk that holds the index (FOOTNOTE_DATA_DIR) is full: make room there, then run it again; answers come "
        "from the index as it was"
    )


@contextmanager
def writing() -> Iterator[None]:
    """Say what it means when writing fails."""
    with failing("the index could not be written"):
        yield


@contextmanager
def reading() -> Iterator[None]:
    """Say what it means when reading fails."""
    try:
        yield
    except SearchError:
        raise
    except Exception as error:
        raise trouble(error) or SearchError(
            f"the index could not be read ({type(error).__name__}); build it again with: footnote index"
        ) from error
