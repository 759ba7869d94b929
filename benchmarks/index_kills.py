"""kill -9 of index runs at random moments: readers keep a whole index, the next run makes what a clean one does.

Every act is a process of its own, forked from this one, which has everything imported and nothing open.
"""

import asyncio
import json
import os
import random
import shutil
import signal
import sys
import time
import traceback
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from adapters.loaders import file
from adapters.search.lance import LanceIndex
from adapters.storage.catalog import SqlCatalog
from adapters.storage.database import open_database
from benchmarks.index_corpus import page, sentence
from bot import index_sweep
from bot.indexing import Indexer, collection_of
from core.ingest import rows
from core.ingest.names import registry_of

_PAGES = 14
# Rounds after which a log is told how far it is.
_TOLD_EVERY = 10
_DIMENSION = 8
# Seconds after which a process that hangs ends itself; on a busy machine one that does not hang takes minutes.
_PATIENCE = 1_800


class Hashing:
    """An embedder whose vectors are made of hashes: alike for like texts, different for different ones."""

    id, dimension = "hashing", _DIMENSION

    async def prepare(self) -> None:
        """Do nothing."""

    async def embed(self, texts: Sequence[str], purpose: str = "passage") -> list[list[float]]:  # noqa: ARG002
        """Return eight numbers for each text."""
        return [[byte / 256 for byte in sha256(text.encode()).digest()[:_DIMENSION]] for text in texts]


def killed(folder: Path, kills: int, seed: int = 11) -> dict[str, Any]:
    """Return what became of the index in that many rounds of a change, a run that is killed, and one that is not.

    Raises SystemExit, with what differs, as soon as something does.
    """
    _ready()
    chance = random.Random(seed)  # noqa: S311 - the same every time, and nothing secret
    pages = {f"{n % 3}/page-{n}.md": page(n) for n in range(_PAGES)}
    _write(folder / "docs", pages)
    begun = time.perf_counter()
    state = _told(lambda: _finished(folder, None))
    typical = (time.perf_counter() - begun) / 2
    seen = {"kills": 0, "in time": 0, "published": 0, "gone on with": 0}
    for _ in range(kills):
        _change(chance, pages)
        _write(folder / "docs", pages)
        seen["in time"] += _kill_a_run(folder, chance.random() * typical)
        if chance.random() < 0.3:
            _change(chance, pages)
            _write(folder / "docs", pages)
        before = state["rows"]
        state = _told(lambda: _finished(folder, before))  # noqa: B023 - called at once
        seen["kills"] += 1
        seen["published"] += state["published"]
        seen["gone on with"] += state["resumed"]
        if sys.stderr.isatty() or not seen["kills"] % _TOLD_EVERY:
            print(f"kill -9: {seen}", file=sys.stderr, flush=True)
    return seen


def _ready() -> None:
    """Load the library once for all processes; let few pages make many parts, and files be known by signs at once.

    Nothing here writes to a file twice within a tick of its clock.
    """
    LanceIndex("").warm()
    # Nothing of it has been used when a process is forked.
    warnings.filterwarnings("ignore", "lancedb fork support is experimental", RuntimeWarning)
    rows.CHUNKS_AT_ONCE = 6
    index_sweep._ITEMS = 4  # noqa: SLF001
    file.YOUNG_NS = 0  # type: ignore[misc]


def _change(chance: random.Random, pages: dict[str, str]) -> None:
    """Change, add, remove, move and rename some pages; a new title is a new name for every page that has it."""
    language = ("en", "ru")
    for _ in range(chance.randint(1, 4)):
        name = chance.choice(sorted(pages))
        number = chance.randrange(10_000)
        match chance.randrange(6):
            case 0:
                pages[f"{number % 3}/page-{number}.md"] = page(number)
            case 1 if len(pages) > _PAGES // 2:
                del pages[name]
            case 2:
                pages[f"moved/{number}.md"] = pages.pop(name)
            case 3:
                title = chance.choice(("Ada Lovelace", "Мария Смирнова", "Invoice", "Шлюз", f"Gateway {number}"))
                pages[name] = f"# {title}\n" + pages[name].partition("\n")[2]
            case 4 if not pages[name].startswith("---"):
                pages[name] = f"---\naliases: [Grace Hopper, Олег Кузнецов]\n---\n{pages[name]}"
            case _:
                pages[name] += "\n" + sentence(language[number % 2], chance) + "\n"


def _write(folder: Path, pages: Mapping[str, str]) -> None:
    """Bring the folder to these pages, leaving files alone that are as they are to be."""
    for path in [path for path in folder.rglob("*.md") if path.relative_to(folder).as_posix() not in pages]:
        path.unlink()
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, encoding="utf-8")


@asynccontextmanager
async def _opened(data: Path) -> AsyncIterator[tuple[SqlCatalog, LanceIndex]]:
    database = open_database(data / "footnote.db")
    await database.prepare()
    yield SqlCatalog(database), LanceIndex(str(data / "index"))
    await database.close()


async def _indexed(folder: Path, data: Path) -> tuple[SqlCatalog, LanceIndex]:
    async with _opened(data) as (catalog, index):
        indexer = Indexer(catalog, index, Hashing(), lambda *_: None, alone=True)
        await indexer.run(collection_of(folder / "docs"))
        return catalog, index


async def _rows(data: Path) -> dict[str, Any]:
    """Return all that readers have, in an order of its own."""
    async with _opened(data) as (catalog, index):
        live = await catalog.live()
        if live is None:
            return {}
        table = await index._store.table(f"passages_g{live.tables.base}", live.tables.passages)  # noqa: SLF001
        passages = (await table.query().to_arrow()).to_pylist()
        return {
            "documents": [repr(one) for one in await catalog.documents(live.number)],
            "holdings": [repr(one) for one in await catalog.holdings(live.number)],
            "items": [
                (name, one.digest, str(one.problems))
                for name, one in sorted((await catalog.items(live.number)).items())
            ],
            "registry": repr(registry_of(await catalog.names(live.number), ())),
            "chunks": [repr(row) for row in await index.chunks(live.tables)],
            "passages": sorted(repr(row) for row in passages),
            "counts": sorted(live.counts.items()),
        }


async def _finished(folder: Path, before: str | None) -> dict[str, Any]:
    """Check that readers have what they had, or all that is new; finish the run; check it against a clean one."""
    data, clean = folder / "data", folder / "clean"
    found = await _rows(data) if before else {}
    async with _opened(data) as (catalog, _):
        unfinished = await catalog.building()
    await _indexed(folder, data)
    shutil.rmtree(clean, ignore_errors=True)
    await _indexed(folder, clean)
    made, wanted = await _rows(data), await _rows(clean)
    for what in wanted:
        if made[what] != wanted[what]:
            raise SystemExit(f"{what} differ from a clean run:\n{_apart(made[what], wanted[what])}")
    published = bool(before) and _digest(found) != before
    if published and (folder / "target").exists() and (folder / "target").read_text() != _digest(found):
        raise SystemExit("readers have neither what they had nor what was to come")
    return {"rows": _digest(made), "published": published, "resumed": unfinished is not None}


def _digest(known: Mapping[str, Any]) -> str:
    return sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()


def _apart(one: Any, other: Any) -> str:
    left, right = {*map(str, one)}, {*map(str, other)}
    return "\n".join(
        [*(f"- {line}"[:300] for line in sorted(left - right)), *(f"+ {line}"[:300] for line in sorted(right - left))][
            :20
        ]
    )


def _kill_a_run(folder: Path, after: float) -> bool:
    """Run the index in a process and kill it so many seconds after it began; return whether it was still at work."""
    shutil.rmtree(folder / "clean", ignore_errors=True)
    target = _told(lambda: _clean_digest(folder))
    (folder / "target").write_text(target)
    ready, write = os.pipe()
    child = os.fork()
    if child == 0:
        _act(lambda: _run_and_say(folder, write))
    os.close(write)
    os.read(ready, 1)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    os.close(ready)
    if not os.WIFSIGNALED(status) and os.waitstatus_to_exitcode(status):
        raise SystemExit("the run failed by itself")
    return os.WIFSIGNALED(status)


async def _clean_digest(folder: Path) -> str:
    await _indexed(folder, folder / "clean")
    return _digest(await _rows(folder / "clean"))


async def _run_and_say(folder: Path, begun: int) -> None:
    os.write(begun, b"1")
    await _indexed(folder, folder / "data")


def _told(act: Callable[[], Awaitable[Any]]) -> Any:
    """Return what an act returns that is done in a process of its own. Raises SystemExit when it fails."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)

        async def tell() -> None:
            os.write(write, json.dumps(await act()).encode())

        _act(tell)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        raise SystemExit(f"a process was ended by {name}" + f", after {_PATIENCE} s" * (name == "SIGALRM"))
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(os.waitstatus_to_exitcode(status))
    return json.loads(said)


def _act(act: Callable[[], Awaitable[Any]]) -> None:
    signal.alarm(_PATIENCE)
    try:
        asyncio.run(act())  # type: ignore[arg-type]
    except SystemExit as stopped:
        print(stopped, file=sys.stderr)
        os._exit(2)
    except BaseException:  # noqa: BLE001 - a forked process must never go on where its parent does
        traceback.print_exc()
        os._exit(1)
    os._exit(0)
