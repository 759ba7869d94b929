"""Watching a folder: what is saved is told, however it is saved, and what did not succeed is tried again."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot import watching
from bot.watching import changes_in, follow_changes, may_matter
from tests.bot.terminal import awake_footnote, footnote, surroundings

PATIENCE = 60.0


@dataclass
class Runs:
    """Index runs that are only counted; the next few fail."""

    count: int = 0
    failing: int = 0
    called: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self) -> bool:
        self.count += 1
        self.called.set()
        self.failing -= 1
        return self.failing < 0

    async def again(self) -> None:
        """Return once one more has begun."""
        async with asyncio.timeout(PATIENCE):
            await self.called.wait()
        self.called.clear()


@asynccontextmanager
async def following(folder: Path, runs: Runs) -> AsyncIterator[None]:
    """Follow the folder while inside, from when the watch is in place."""

    async def always() -> bool:
        return True

    task = asyncio.create_task(follow_changes(folder, runs.run, always))
    await runs.again()
    await runs.again()
    yield
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def in_place(path: Path) -> None:
    path.write_text("# Отпуск\n\n28 дней.\n", "utf-8")


def by_a_new_file(path: Path) -> None:
    other = path.with_name(f".{path.name}.swp")
    in_place(other)
    other.replace(path)


def in_a_new_folder(path: Path) -> None:
    (path.parent / "отдел").mkdir()
    in_place(path.parent / "отдел" / "план.md")


@pytest.mark.parametrize("save", [in_place, by_a_new_file, in_a_new_folder, Path.unlink])
async def test_what_is_saved_is_told(folder: Path, save: Callable[[Path], None]) -> None:
    """A file written in place, one that takes another's name, a new folder, and one that is removed."""
    runs = Runs()
    async with following(folder, runs):
        save(folder / "чай.md")

        await runs.again()


async def test_what_did_not_succeed_is_tried_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change that could not be indexed, because another run was under way, is not forgotten."""
    monkeypatch.setattr(watching, "_LOOK", 0.02)
    runs = Runs()
    async with following(folder, runs):
        runs.failing = 2
        in_place(folder / "чай.md")
        for _ in range(3):
            await runs.again()

    assert 5 <= runs.count


async def test_where_the_system_has_no_watches_left_the_folder_is_looked_through(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A watch that cannot be had is replaced by looking every so often; the caller need not know."""
    signs, asked = watching._signs, []

    def refused(*given: object, polling: bool | None) -> object:
        asked.append(polling)
        if polling is None:
            raise OSError(28, "OS file watch limit reached")
        return signs(*given, polling=polling)  # type: ignore[arg-type]

    monkeypatch.setattr(watching, "_signs", refused)
    monkeypatch.setattr(watching, "_POLL", 100)
    async with changes_in(folder) as changed:
        assert (await changed(PATIENCE), await changed(PATIENCE)) == (True, True)
        in_place(folder / "чай.md")
        assert await changed(PATIENCE)

    assert [None, True] == asked


async def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """Whoever watches is told that it cannot be, instead of waiting for ever."""
    with pytest.raises(OSError, match="nowhere"):  # noqa: PT012
        async with changes_in(tmp_path / "nowhere") as changed:
            while True:
                await changed(PATIENCE)


@pytest.mark.parametrize(
    ("name", "matters"),
    [
        ("vpn.md", True), ("отдел/план.md", True), ("domain.yaml", True), (".git/index", False),
        ("a/.vpn.md.swp", False), ("vpn.md~", False), ("~$план.docx", False), ("report.pdf.part", False),
    ],
)  # fmt: skip
def test_what_editors_leave_beside_a_file_does_not_matter(tmp_path: Path, name: str, *, matters: bool) -> None:
    """Hidden files, copies for safety and half a download are not reasons to index."""
    assert matters == may_matter(str(tmp_path / name), tmp_path)


async def test_index_watch_says_what_it_does_and_ends_politely(folder: Path, tmp_path: Path) -> None:
    """A saved page is indexed and answered from; Ctrl-C ends it with a word and status 0."""
    data = str(tmp_path / "data")
    pipes = {"stdout": asyncio.subprocess.PIPE, "stderr": asyncio.subprocess.PIPE}
    process = await asyncio.create_subprocess_exec(
        *awake_footnote(), "index", str(folder), "--watch", env=surroundings(FOOTNOTE_DATA_DIR=data), **pipes
    )
    assert process.stdout
    assert process.stderr
    lines: list[str] = []
    async with asyncio.timeout(PATIENCE):
        while not any("Ctrl-C ends it" in line for line in lines):
            lines.append((await process.stdout.readline()).decode())
        (folder / "чай.md").write_text("# Кофе\n\nКофе подают в девять утра в зале.\n", "utf-8")
        while "changed 1" not in lines[-1]:
            lines.append((await process.stdout.readline()).decode())
        process.send_signal(signal.SIGINT)
        rest = (await process.stdout.read()).decode()
        errors = (await process.stderr.read()).decode()
        status = await process.wait()

    assert ("Stopped watching" in rest, errors, status) == (True, "", 0)
    asked = await asyncio.to_thread(footnote, "ask", "Когда подают кофе?", FOOTNOTE_DATA_DIR=data)
    assert "девять" in asked.out


def test_what_only_looks_does_not_stay(folder: Path) -> None:
    """--watch and what only looks or reports once are two orders."""
    assert "give --watch alone" in footnote("index", str(folder), "--plan", "--watch").err
