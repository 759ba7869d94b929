"""What every implementation of the port `Source` keeps."""

import asyncio
import re
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

import psutil
import pytest

from adapters.loaders.folder import FolderSource
from adapters.slack.history import SlackHistory
from adapters.sources import GitCheckout, ReaderSource, WebSite
from core.errors import IngestError
from core.ingest.source import Item, Source
from tests.adapters.slack.test_history import a_town, said
from tests.adapters.sources.repository import Repository
from tests.adapters.sources.site import Reply, page, serving

DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class Place:
    """Somewhere with three documents, one of them in Russian, and between them one that cannot be had.

    `restricted` is like it, for one group; a folder is for everybody. `hang` makes the rest of it wait without end once
    it has been entered.
    """

    source: Source
    restricted: Source | None
    hang: Callable[[], None]


async def web_site(stack: AsyncExitStack, folder: Path) -> Place:
    site = await stack.enter_async_context(serving())
    site["/"] = page("Home", "/broken", "/отпуск", "/pay?year=2025")
    site["/broken"] = Reply(status=500)
    site["/отпуск"] = page("28 дней", Last_Modified="Wed, 21 Oct 2015 07:28:00 GMT")
    site["/pay?year=2025"] = page("Payday is the 25th")

    def hang() -> None:
        site["/отпуск"] = Reply(stalls=True)

    return Place(WebSite(site("/"), pause=0), WebSite(site("/"), pause=0, readers=frozenset({"hr"})), hang)


async def folder_source(stack: AsyncExitStack, folder: Path) -> Place:
    for name, text in (("a.md", "# A"), ("broken\n.md", "x"), ("docs/отпуск.md", "28 дней"), ("z.txt", "end")):
        path = folder / "documents" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return Place(FolderSource(folder / "documents"), None, lambda: None)


async def git_checkout(stack: AsyncExitStack, folder: Path) -> Place:
    repository = Repository.made(folder / "origin")
    pointer = "version https://git-lfs.github.com/spec/v1\n"
    repository.commit({"a.md": "# A", "broken.pdf": pointer, "docs/отпуск.md": "28 дней", "z.txt": "end"})

    def make(**more: frozenset[str]) -> GitCheckout:
        return GitCheckout(repository.address, cache=folder / "copies", **more)  # type: ignore[arg-type]

    return Place(make(), make(readers=frozenset({"hr"})), lambda: None)


async def slack_history(stack: AsyncExitStack, folder: Path) -> Place:
    town = await stack.enter_async_context(a_town())
    secret = await stack.enter_async_context(a_town())
    town.channel("C1", "general").append(said("Payday is the 25th"))
    town.channel("C2", "broken", member=False)
    town.channel("C3", "отпуск").extend([said("28 дней"), said("и ещё 3", days=1)])
    secret.channel("C1", "private", private=True).append(said("тайна"))
    source = SlackHistory(town.client, ("general", "broken", "отпуск"))
    return Place(source, SlackHistory(secret.client), lambda: None)


@dataclass
class Document:
    text: object
    metadata: dict[str, str]


@dataclass
class Shelf:
    waiting: threading.Event

    def lazy_load_data(self) -> Iterator[Document]:
        for name, text in (("a.md", "# A"), ("broken.md", None), ("отпуск.md", "28 дней"), ("z.txt", "end")):
            yield Document(text, {"file_name": name, "last_modified": "2025-03-31"})
            self.waiting.wait(30)


async def reader_source(stack: AsyncExitStack, folder: Path) -> Place:
    goes_on = threading.Event()
    goes_on.set()
    stack.callback(goes_on.set)
    shelf = Shelf(goes_on)
    return Place(ReaderSource(shelf), ReaderSource(shelf, readers=frozenset({"hr"})), goes_on.clear)


@pytest.fixture(
    params=[folder_source, web_site, git_checkout, slack_history, reader_source], ids=lambda made: made.__name__
)
async def place(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Place]:
    """Give each kind of place in turn."""
    async with AsyncExitStack() as stack:
        yield await request.param(stack, tmp_path)


async def gathered(source: Source) -> list[Item | IngestError]:
    return [found async for found in source.items()]


async def test_items_can_be_told_apart(place: Place) -> None:
    """Every name is the only one of its kind, a path with forward slashes and the suffix of a format."""
    names = [found.name for found in await gathered(place.source) if isinstance(found, Item)]

    assert len(set(names)) == len(names) == 3
    assert any(re.search("отпуск|C3", name) for name in names)
    for name in names:
        assert PurePosixPath(name).suffix
        assert name == str(PurePosixPath(name))
        assert not PurePosixPath(name).is_absolute()
        assert "\\" not in name


async def test_what_is_known_of_an_item(place: Place) -> None:
    """A link is one that a browser opens, a day is written YYYY-MM-DD, and either may be unknown."""
    items = [found for found in await gathered(place.source) if isinstance(found, Item)]

    assert all(item.data.strip() for item in items)
    assert all(item.link is None or urlsplit(item.link).scheme in ("http", "https") for item in items)
    assert all(item.link is None or (item.link.isascii() and " " not in item.link) for item in items)
    assert all(item.updated is None or DAY.fullmatch(item.updated) for item in items)


async def test_one_failure_is_told_and_the_rest_goes_on(place: Place) -> None:
    """What cannot be had is told by its place, and all else comes."""
    found = await gathered(place.source)

    (told,) = [error for error in found if isinstance(error, IngestError)]
    assert "broken" in told.path or "document 2" in told.path
    assert 4 == len(found)


async def test_the_same_in_every_run(place: Place) -> None:
    """When nothing changed, the same items come in the same order."""
    first, second = [await gathered(place.source) for _ in range(2)]

    assert [str(found) for found in first] == [str(found) for found in second]


async def test_readers(place: Place) -> None:
    """Of a place that is not for everybody every item says for whom it is; of one that is, none does."""
    assert {frozenset()} == {found.readers for found in await gathered(place.source) if isinstance(found, Item)}
    if place.restricted is None:
        return
    restricted = {found.readers for found in await gathered(place.restricted) if isinstance(found, Item)}
    assert 1 == len(restricted)
    assert frozenset() not in restricted


async def test_the_name_of_a_source(place: Place) -> None:
    """A source says in words where it is."""
    assert 5 < len(place.source.name) < 200
    assert "\n" not in place.source.name


async def test_leaving_in_the_middle(place: Place) -> None:
    """Whoever takes one item and goes leaves nothing running."""
    before, programs = asyncio.all_tasks(), _programs()
    async with aclosing(place.source.items()) as found:  # type: ignore[type-var]
        await anext(found)

    assert before == await _tasks_after(before)
    assert programs == _programs()


async def test_cancelling_in_the_middle(place: Place) -> None:
    """A cancelled run stops where it is and leaves nothing running."""
    before, programs = asyncio.all_tasks(), _programs()
    entered = asyncio.Event()

    async def run() -> None:
        async for _ in place.source.items():
            place.hang()
            entered.set()
            await asyncio.sleep(0)

    for moment in range(4):
        task = asyncio.create_task(run())
        if moment:
            await entered.wait()
        for _ in range(moment * 3):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    assert before == await _tasks_after(before)
    assert programs == _programs()


async def _tasks_after(before: set[asyncio.Task[object]]) -> set[asyncio.Task[object]]:
    """Return the tasks once the stand-in's own, which serve a request to its end, have had time to end."""
    async with asyncio.timeout(5):
        while asyncio.all_tasks() - before:
            await asyncio.sleep(0.01)
    return asyncio.all_tasks()


def _programs() -> set[psutil.Process]:
    return set(psutil.Process().children(recursive=True))
