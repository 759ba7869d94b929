"""Going through a source: what did not change is not read, and what an item holds comes and goes as one."""

import asyncio
import errno
import os
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from adapters.loaders import collection_of, file, folder, formats
from bot.index_sweep import Known, Sweep
from core.errors import Gone, IngestError, Unread
from core.ingest.generation import ReadItem
from core.ingest.source import Collection, Item
from tests.adapters.loaders import misbehaving
from tests.adapters.loaders.made import zipped

PAGES = {"a.md": "# A\n\nOne.\n", "б.md": "# Б\n\nДва.\n", "c/d.md": "# D\n\nThree.\n"}


@dataclass
class Walk:
    """A folder, what is known of it, and which files were read."""

    place: Path
    known: Known = field(default_factory=Known)
    read: list[str] = field(default_factory=list)

    def put(self, name: str, content: str | bytes) -> None:
        """Write a file."""
        path = self.place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    async def go(self) -> tuple[Sweep, list[str]]:
        """Return the sweep when it is done, and the items whose documents were not what they had been."""
        self.read.clear()
        sweep = Sweep(collection_of(self.place), self.known, lambda *_: None)
        changed = [one.item.name for some in [part async for part in sweep.changes()] for one in some]
        return sweep, changed


@pytest.fixture
def walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
    """Return a folder of three pages, known already, in which no file is young."""
    made = Walk(tmp_path)
    monkeypatch.setattr(file, "YOUNG_NS", 0)
    original = folder.item_of

    def watched(path: str | Path, name: str) -> Item:
        made.read.append(name)
        return original(path, name)

    monkeypatch.setattr(folder, "item_of", watched)
    for name, text in PAGES.items():
        made.put(name, text)
    return made


async def test_what_did_not_change_is_not_read(walk: Walk) -> None:
    """The first time everything is; then a changed file is, and only that; then one that went is noticed unread."""
    first = await walk.go()
    second = (await walk.go())[1], list(walk.read)
    walk.put("б.md", "# Б\n\nТри.\n")
    third = (await walk.go())[1], list(walk.read)
    (walk.place / "a.md").unlink()
    sweep, changed = await walk.go()

    assert [*PAGES] == sorted(first[1], key=[*PAGES].index)
    assert ([], []) == second
    assert (["б.md"], ["б.md"]) == third
    assert (["a.md"], [], []) == (sweep.gone, changed, walk.read)
    assert sorted(walk.known.held) == ["c/d.md", "б.md"]


async def test_the_same_bytes_are_not_parsed_again(walk: Walk) -> None:
    """A file that was only touched is read once, and known by its new sign from then on."""
    await walk.go()
    os.utime(walk.place / "a.md", (1, 1))
    sweep, changed = await walk.go()
    again = (await walk.go())[1]

    assert ([], ["a.md"]) == (changed, [one.name for one in sweep.same])
    assert ([], []) == (again, walk.read)


async def test_a_young_file_is_read_again(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may change once more within the same tick of the clock, and with the same size."""
    monkeypatch.setattr(file, "YOUNG_NS", 10**12)
    await walk.go()
    walk.put("a.md", "# A\n\nTwo.\n")
    changed = (await walk.go())[1]

    assert (["a.md"], 3) == (changed, len(walk.read))


async def test_a_file_that_was_swapped_behind_its_times_is_read(walk: Walk) -> None:
    """Same path, size and time of change: the inode, or the time of its status, gives it away."""
    await walk.go()
    before = (walk.place / "a.md").stat()
    walk.put("new", "# A\n\nTwo.\n")
    (walk.place / "new").rename(walk.place / "a.md")
    os.utime(walk.place / "a.md", ns=(before.st_atime_ns, before.st_mtime_ns))

    assert ["a.md"] == (await walk.go())[1]


async def test_the_documents_of_an_archive_stay_and_go_together(walk: Walk) -> None:
    """One of them changes: all are of the new archive, and those that it has no more are gone."""
    walk.put("all.zip", zipped({"one.md": "# One\n\nText.", "два.md": "# Два\n\nText."}))
    await walk.go()
    held = {id_ for id_ in walk.known.held if id_.startswith("all.zip")}
    walk.put("all.zip", zipped({"one.md": "# One\n\nText.", "three.md": "# Three\n\nText."}))
    _, changed = await walk.go()

    assert {"all.zip/one.md", "all.zip/два.md"} == held
    assert ["all.zip"] == changed
    assert {"all.zip/one.md", "all.zip/three.md"} == {id_ for id_ in walk.known.held if id_.startswith("all.zip")}


async def test_what_cannot_be_read_is_reported_each_time_and_read_once(walk: Walk) -> None:
    """A broken file stays known with its problem; one that is mended is a document."""
    walk.put("bad.pdf", "no pdf")
    first = (await walk.go())[0].problems
    second, _ = await walk.go()
    unread = list(walk.read)
    (walk.place / "bad.pdf").rename(walk.place / "bad.md")

    assert [str(one) for one in first] == [str(one) for one in second.problems]
    assert ("bad.pdf", []) == (first[0].path, unread)
    assert ["bad.md"] == (await walk.go())[1]


async def test_an_index_of_another_loader_is_read_again(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    """What would be made of the same bytes otherwise today is not known by its sign."""
    await walk.go()
    monkeypatch.setattr("bot.index_sweep.CHUNKER_VERSION", "next")
    monkeypatch.setattr("bot.index_understood.CHUNKER_VERSION", "next")

    assert len((await walk.go())[1]) == len(PAGES)


class Listed:
    """A source without signs."""

    name = "a list"

    def __init__(self, *found: Item | IngestError) -> None:
        self._found = found

    async def items(self) -> AsyncIterator[Item | IngestError]:
        """Yield what it was made with."""
        for one in self._found:
            yield one


async def _swept(known: Known, *found: Item | IngestError) -> tuple[Sequence[ReadItem], list[str]]:
    sweep = Sweep(Collection("list", Listed(*found)), known, lambda *_: None)
    read = [one for some in [part async for part in sweep.changes()] for one in some]
    return read, [str(one) for one in sweep.problems]


async def test_a_source_without_signs_is_known_by_its_bytes() -> None:
    """What it says of an item is part of it: changed readers make a changed document."""
    known, page = Known(), Item("a.md", b"# A\n\nText.")
    await _swept(known, page, Item("b.md", b"# B\n\nText."))
    again = await _swept(known, page, Item("b.md", b"# B\n\nText.", readers=frozenset({"hr"})))

    assert ["b.md"] == [one.item.name for one in again[0]]


async def test_what_is_gone_goes_though_something_was_unread() -> None:
    """All else of the source stays."""
    known = Known()
    await _swept(known, *(Item(f"{name}.md", b"# A\n\nText.") for name in "abc"))
    _, problems = await _swept(
        known,
        Item("a.md", b"# A\n\nText."),
        Gone("https://x/b", "answers with status 404", "b.md"),
        Unread("x", "failed"),
    )

    assert ({"a.md", "c.md"}, 2) == (set(known.held), len(problems))


async def test_of_two_with_one_name_the_first_counts() -> None:
    """Now and when everything is known; when the first one goes, the second takes its place."""
    known, first, second = (
        Known(),
        Item("a.zip/x.md", b"# First\n\nText."),
        Item("a.zip", zipped({"x.md": "# Second\n\nText."})),
    )
    reported = [(await _swept(known, first, second, first))[1] for _ in range(2)]
    read, problems = await _swept(known, second)

    assert [["a.zip/x.md: another document has the same path: rename or remove one of them"] * 2] * 2 == reported
    assert ([("a.zip", "First", "Second")[0::2], []]) == [
        (read[0].item.name, read[0].documents[0].document.title),
        problems,
    ]


async def test_one_that_stands_before_takes_the_name() -> None:
    """As it would if everything were read anew; the other one is read again the next time, and reported."""
    known, first, second = (
        Known(),
        Item("a.zip/x.md", b"# First\n\nText."),
        Item("a.zip", zipped({"x.md": "# Second\n\nText."})),
    )
    await _swept(known, second)
    read, _ = await _swept(known, first, second)

    assert "a.zip/x.md" == read[0].item.name
    again, problems = await _swept(known, first, second)

    assert ([], 1, 1) == (again, len(known.held), len(problems))


async def test_who_is_cancelled_does_not_wait_for_a_document(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long one takes to be read: its reading ends, and so does the process for it."""
    pid = walk.place / ".pid"
    walk.put("отчёт.pdf", os.fsencode(pid))
    monkeypatch.setitem(formats.READERS, ".pdf", misbehaving.wait)  # type: ignore[arg-type]
    run = asyncio.create_task(walk.go())
    while not (pid.exists() and pid.read_text(encoding="utf-8")):
        await asyncio.sleep(0.05)
    began = time.monotonic()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run

    assert time.monotonic() - began < 10
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text(encoding="utf-8")), 0)


async def test_what_is_indexed_stays_when_its_reader_was_ended(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    """That the system took the memory away says nothing of a document: it is kept, named, and read the next time."""
    walk.put("a.html", "<p>Отпуск</p>")
    await walk.go()
    walk.put("a.html", "<p>Отпуск и больничный</p>")
    for _ in range(2):
        with monkeypatch.context() as context:
            context.setitem(formats.READERS, ".html", misbehaving.be_killed)  # type: ignore[arg-type]
            sweep, changed = await walk.go()

        assert (["a.html"], []) == ([one.path for one in sweep.problems], changed)
        assert "a.html" in sweep.known.held
    sweep, changed = await walk.go()

    assert ((), ["a.html"]) == (sweep.problems, changed)


async def _kept_twice(walk: Walk, name: str, context: Callable[[pytest.MonkeyPatch], None]) -> None:
    """Check that an indexed page that changed stays as it was for as long as it cannot be had, and is read then."""
    walk.put(name, "# D\n\nThree.\n")
    await walk.go()
    held = dict(walk.known.held)
    walk.put(name, "# D\n\nFour.\n")
    for _ in range(2):
        with pytest.MonkeyPatch.context() as patched:
            context(patched)
            sweep, changed = await walk.go()

        assert [Unread] == [type(one) for one in sweep.problems]
        assert ([], [], held) == (changed, sweep.gone, walk.known.held)
    sweep, changed = await walk.go()

    assert ((), [name]) == (sweep.problems, changed)


async def test_a_file_that_is_being_written_stays_as_it_was(walk: Walk) -> None:
    """That it changes while it is read says nothing of what it will say."""
    seen = os.fstat

    def growing(number: int) -> os.stat_result:
        with (walk.place / "c/d.md").open("a", encoding="utf-8") as file:
            file.write(".")
        return seen(number)

    await _kept_twice(walk, "c/d.md", lambda context: context.setattr(os, "fstat", growing))


@pytest.mark.parametrize(
    ("name", "call", "at"),
    [("c/d.md", "open", "c/d.md"), ("c/d.md", "scandir", "c"), ("c.svg/d.md", "stat", "c.svg")],
)
async def test_what_a_share_fails_to_give_stays_as_it_was(walk: Walk, name: str, call: str, at: str) -> None:
    """A file, a folder that cannot be listed, and one of which it cannot even be told that it is a folder."""
    asked = getattr(os, call)

    def fail(path: Any, *of: Any, **how: Any) -> Any:
        if Path(path) == walk.place / at:
            raise OSError(errno.ESTALE, "Stale file handle")
        return asked(path, *of, **how)

    await _kept_twice(walk, name, lambda context: context.setattr(os, call, fail))


async def test_what_is_gone_or_closed_leaves_the_index(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who takes away the right to read a file, or the file itself, wants it not to be quoted any more."""
    await walk.go()
    walk.put("a.md", "# A\n\nTwo.\n")
    opened = os.open

    def closed(path: Any, *of: Any, **how: Any) -> int:
        if str(path).endswith("/a.md"):
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(path, *of, **how)

    monkeypatch.setattr(os, "open", closed)
    sweep, changed = await walk.go()

    assert ["a.md: cannot be read (Permission denied): check that it exists and may be read"] == [
        str(one) for one in sweep.problems
    ]
    assert (["a.md"], False) == (changed, "a.md" in walk.known.held)
