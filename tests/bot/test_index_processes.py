"""Processes beside an index run: the same index comes of it, and they end with it, however it ends."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import nullcontext
from pathlib import Path

import pytest

from bot import index_processes
from bot.index_processes import Handed, Processes
from bot.index_rows import analysed
from bot.index_understood import Rules, understood_in
from core.entities import make_registry
from core.ingest.access import access_of
from core.ingest.graph import entities_of
from core.ingest.source import Item

# English and Russian, a list, a table, a page for hr alone, one that nobody may read and one that is empty.
ITEMS = (
    Item("a/leave.md", b"---\naliases: PTO\n---\n# Annual leave\n\n- 27 days\n- 5 more after ten years\n"),
    Item("б/отпуск.md", "# Отпуск\n\n| Кто | Дней |\n|---|---|\n| Мария | 28 |\n".encode()),
    Item("pay.md", b"# Pay\n\nSee PTO.", readers=frozenset({"hr"})),
    Item("closed.md", b"---\nreaders: board\n---\n# Closed\n\nText.", readers=frozenset({"hr"})),
    Item("empty.md", b" "),
)
RULES = Rules("https://wiki.example.com", access_of({}))


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes be started for the first piece of work already."""
    monkeypatch.setattr(index_processes, "_ALONE", 0)


@pytest.mark.usefixtures("at_once")
async def test_another_process_makes_the_same() -> None:
    """Documents with their problems, and the rows of documents with the names of the corpus."""
    here = understood_in(ITEMS, RULES)
    documents = [one.document for found, _ in here for one in found]
    names = make_registry(entities_of(documents, ()))

    async with Processes(1) as processes:
        there = await processes.run(understood_in, ITEMS, RULES)
        rows = await processes.run(analysed, documents, Handed(names))
        elsewhere = await processes.run(os.getpid)

    assert elsewhere != os.getpid()
    assert [found for found, _ in here] == [found for found, _ in there]
    assert [list(map(str, bad)) for _, bad in here] == [list(map(str, bad)) for _, bad in there]
    assert analysed(documents, Handed(names)) == rows


async def test_little_is_done_without_them() -> None:
    """Most runs are over before another process has started."""
    async with Processes(1) as processes:
        where = [await processes.run(os.getpid) for _ in range(index_processes._ALONE + 1)]

    assert {os.getpid()} == set(where[:-1])
    assert os.getpid() != where[-1]


@pytest.mark.usefixtures("at_once")
async def test_all_work_at_once() -> None:
    """While a process works, what comes next is done here; nobody waits for it."""
    async with Processes(1) as processes:
        first = asyncio.create_task(processes.run(_slow_pid))
        await asyncio.sleep(0)

        assert os.getpid() == await processes.run(os.getpid)
        assert os.getpid() != await first


@pytest.mark.usefixtures("at_once")
async def test_work_goes_on_when_a_process_is_killed() -> None:
    """As the system does when memory is short: what it was doing is done here, and so is all that follows."""
    async with Processes(1) as processes:
        done = [await processes.run(_kill_yourself, os.getpid()) for _ in range(2)]

    assert ["done by another"] * 2 == done


@pytest.mark.usefixtures("at_once")
async def test_they_are_gone_afterwards() -> None:
    """Whether the run has ended well or not."""
    pids = []
    for fails in (False, True):
        with pytest.raises(ZeroDivisionError) if fails else nullcontext():
            async with Processes(1) as processes:
                pids.append(await processes.run(os.getpid))
                if fails:
                    await processes.run(divmod, 1, 0)

    assert not [pid for pid in pids if _lives(pid)]


def test_they_are_gone_when_their_process_is_killed(tmp_path: Path) -> None:
    """Nothing is left behind by kill -9."""
    script = tmp_path / "run.py"
    script.write_text(_RUN, "utf-8")
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as run:  # noqa: S603 - our own
        assert run.stdout
        pid = int(run.stdout.readline())
        lived = _lives(pid)
        run.kill()

    assert lived
    until = time.monotonic() + 20
    while _lives(pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert not _lives(pid)


_RUN = """
import asyncio, os
from bot import index_processes

async def main():
    index_processes._ALONE = 0
    async with index_processes.Processes(1) as processes:
        print(await processes.run(os.getpid), flush=True)
        await asyncio.sleep(60)

if __name__ == "__main__":
    asyncio.run(main())
"""


def _slow_pid() -> int:
    time.sleep(0.5)
    return os.getpid()


def _kill_yourself(spared: int) -> str:
    if os.getpid() != spared:
        os.kill(os.getpid(), signal.SIGKILL)
    return "done by another" if threading.current_thread() is not threading.main_thread() else "?"


def _lives(pid: int) -> bool:
    """Return whether the process is there, and not only a name of one that nobody has waited for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
