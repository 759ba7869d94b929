"""A reader that hangs, crashes or fills the memory costs its document and nothing else, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from adapters.loaders import Workers, documents_in, guard, worker
from core.errors import IngestError, Unread
from core.ingest.document import Document
from core.ingest.source import Item
from tests.adapters.loaders import made, misbehaving

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither these limits nor these signals")
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to its memory")

_PARENT = """
import os, sys
from adapters.loaders import Workers
from tests.adapters.loaders import misbehaving

if __name__ == "__main__":
    reader = getattr(misbehaving, sys.argv[1])
    Workers().read(reader, os.fsencode(sys.argv[2]), "отчёт.pdf")
"""


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    """Give processes with little memory."""
    with closing(Workers(memory=400_000_000)) as known:
        yield known


@pytest.fixture(scope="module")
def hasty() -> Iterator[Workers]:
    """Give processes with little patience."""
    with closing(Workers(seconds=0.3)) as known:
        yield known


def reason(workers: Workers, name: str, data: bytes = b"") -> IngestError:
    """Return why a document cannot be read."""
    with pytest.raises(IngestError) as caught:
        workers.read(getattr(misbehaving, name), data, "папка/report.pdf")
    return caught.value


@posix
def test_a_reader_that_hangs(hasty: Workers) -> None:
    """It is ended after its time, even when it lets nothing else run in its process; the next document is read."""
    began = time.monotonic()

    assert str(reason(hasty, "hang")) == (
        "папка/report.pdf: reading it took more than 0.3 s and was given up: split it, or open it in its program and "
        "save it again"
    )
    assert time.monotonic() - began < 30
    assert isinstance(reason(hasty, "refuse"), IngestError)


def test_a_reader_that_waits(hasty: Workers, tmp_path: Path) -> None:
    """Nor does one last that uses no processor."""
    assert "more than 0.3 s" in str(reason(hasty, "wait", os.fsencode(tmp_path / "pid")))


@posix
def test_a_reader_that_crashes(workers: Workers) -> None:
    """The report says which document it was, and what to do."""
    found = reason(workers, "crash")

    assert str(found).startswith("папка/report.pdf: its reader broke down on it (SIGSEGV): split it, or open it")
    assert not isinstance(found, Unread)


@linux
def test_a_reader_that_fills_the_memory(workers: Workers) -> None:
    """It gets no more than its share; what a reader makes of that is not taken for the truth."""
    assert str(reason(workers, "fill")) == ("папка/report.pdf: takes more than 400 MB of memory to be read: split it")


@posix
def test_one_document_is_not_blamed_for_another(workers: Workers, tmp_path: Path) -> None:
    """What breaks down in a process that read others before is read once more in a fresh one."""
    known = os.fsencode(tmp_path / "known")
    first = workers.read(misbehaving.crash_later, known, "a.pdf")

    assert workers.read(misbehaving.crash_later, known, "b.pdf") != first


@posix
def test_what_says_nothing_of_the_document(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that was ended from outside, or did not start, is no reason to take a document out of the index."""
    found = reason(workers, "be_killed")

    assert isinstance(found, Unread)
    assert found.keeps == "папка/report.pdf"
    assert found.reason.startswith("the process that read it was ended from outside (SIGKILL), mostly for want of")
    monkeypatch.setattr(worker, "work", misbehaving.leave)
    assert isinstance(reason(workers, "number"), Unread)
    monkeypatch.setattr(guard, "_Worker", misbehaving.cannot_start)
    assert "no process could be started to read it" in reason(workers, "number").reason


def test_what_readers_raise_is_raised(workers: Workers) -> None:
    """A refusal comes as it is; an error that nobody foresaw in its words."""
    assert str(reason(workers, "refuse")) == "папка/report.pdf: нельзя прочитать: save it again"
    with pytest.raises(RuntimeError, match="OddError: odd нечет"):
        workers.read(misbehaving.stumble, b"", "a.pdf")


def test_processes_are_used_again(workers: Workers) -> None:
    """To start one costs more than most documents; one that has grown makes way for another."""
    first = {workers.read(misbehaving.number, b"", "a.pdf") for _ in range(3)}

    assert len(first) == 1
    assert {workers.read(misbehaving.grow, b"", "a.pdf")} == first
    assert {workers.read(misbehaving.number, b"", "a.pdf")} != first


def test_a_process_that_died_idle_is_replaced(workers: Workers) -> None:
    """Somebody ended it while it had nothing to do: no document is lost to that."""
    first = psutil.Process(workers.read(misbehaving.number, b"", "a.pdf"))
    first.kill()
    first.wait(5)

    assert workers.read(misbehaving.number, b"", "a.pdf") != first.pid


def test_who_is_not_needed_is_not_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of plain files is read without any process but this one."""
    monkeypatch.setattr(guard, "_Worker", misbehaving.cannot_start)
    known = Workers()
    for name, data in (("a.md", "Отпуск"), ("b.txt", "text"), ("c.csv", "a,b\n1,2"), ("d.json", '{"a": "б"}')):
        assert [type(one) for one in documents_in(Item(name, data.encode()), None, known)] == [Document]


def test_closing_ends_who_reads(tmp_path: Path) -> None:
    """Who is cancelled does not wait for a document; nothing is read after that."""
    workers, pid = Workers(), tmp_path / "pid"
    problems: list[IngestError] = []
    thread = threading.Thread(target=lambda: problems.append(reason(workers, "wait", os.fsencode(pid))))
    thread.start()
    process = _process_in(pid)
    workers.close()
    thread.join(10)

    assert [type(one) for one in problems] == [Unread]
    assert not process.is_running()
    assert isinstance(reason(workers, "number"), Unread)


@posix
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_nothing_is_left_behind(tmp_path: Path, end: signal.Signals) -> None:
    """However this process ends, those that read for it end, too, and at Ctrl-C without a word."""
    pid = tmp_path / "pid"
    script = tmp_path / "parent.py"
    script.write_text(_PARENT, encoding="utf-8")
    command = [sys.executable, str(script), "wait", str(pid)]
    parent = subprocess.Popen(  # noqa: S603 - our own script
        command, stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    )
    process = _process_in(pid)
    children = psutil.Process(parent.pid).children(recursive=True)
    parent.send_signal(end)
    _, said = parent.communicate(timeout=20)
    gone, alive = psutil.wait_procs(children, timeout=10)

    assert process in gone
    assert not alive
    assert said.count(b"Traceback") <= (end == signal.SIGINT)


def test_an_archive_of_risky_files() -> None:
    """Its members are read one by one, each by the one that is made for it."""
    pages = made.pdf([[(70, 700, 20, False, "Отпуск"), (70, 600, 10, False, "This is the text.")]])
    files = {"a.pdf": pages, "б.md": "текст", "c.docx": made.docx(made.paragraph("слово"))}
    results = made.inside("a.zip", made.zipped(files), None, Workers())

    assert [one.id for one in results if isinstance(one, Document)] == ["a.zip/a.pdf", "a.zip/б.md", "a.zip/c.docx"]


def _process_in(file: Path) -> psutil.Process:
    """Return the process whose number stands in the file, as soon as it does."""
    until = time.monotonic() + 30
    while not (file.exists() and file.read_text(encoding="utf-8")):
        assert time.monotonic() < until
        time.sleep(0.02)
    return psutil.Process(int(file.read_text(encoding="utf-8")))
