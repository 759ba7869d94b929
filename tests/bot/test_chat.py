"""`footnote chat`: a thread in the terminal, with a scripted person in front of it."""

import os
import pty
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.bot.terminal import INSTALLED, footnote, surroundings

FACT = "27 working days of paid vacation per calendar year"
CARRY = "At most 5 days may be carried into the next year"


def said(*lines: str) -> list[str]:
    """Return what is printed after each prompt, for the lines that are typed, with spaces and line ends as one."""
    outcome = footnote("chat", stdin="".join(f"{line}\n" for line in lines))

    assert (outcome.status, outcome.err) == (0, "")
    return [" ".join(part.split()) for part in outcome.out.split("> ")]


@pytest.mark.usefixtures("handbook_data")
def test_a_conversation() -> None:
    """A question, a follow-up that leans on it, why it was read so, a new thread that forgets it, and the end."""
    hello, first, second, why, new, nothing, end = said(
        "How many vacation days do I get?",
        "And how many of them can I carry over?",
        "/why",
        "/new",
        "/why",
        "/quit",
    )

    assert hello.startswith("Ask a question; /why tells")
    assert FACT in first
    assert CARRY in second
    assert "It goes on from “How many vacation days do I get?”: " in why
    assert "Statements confirmed word for word: " in why
    assert "It took " in why
    assert (new, nothing, end) == ("A new thread.", "Nothing has been asked yet.", "")


@pytest.mark.usefixtures("handbook_data")
def test_a_new_thread_forgets() -> None:
    """After /new the same follow-up is a new question."""
    *_, why, _ = said(
        "How many vacation days do I get?", "/new", "And how many of them can I carry over?", "/why", "/quit"
    )

    assert "It is a new question" in why


@pytest.mark.usefixtures("handbook_data")
def test_the_end_of_the_input_ends_it() -> None:
    """Without /quit the conversation ends with the input, and what was asked is answered."""
    _, answer, end = said("Сколько дней отпуска мне положено?")

    assert FACT in answer
    assert "Источники" in answer
    assert end == ""


@pytest.mark.usefixtures("handbook_data")
def test_what_is_no_question_gets_a_hint() -> None:
    """Nothing, marks and an endless text are answered with a sentence, and the conversation goes on."""
    _, empty, marks, endless, russian, shown, answer, _ = said(
        "", "?!", "leave " * 3400, "отпуск " * 3000, "/help", "How many vacation days do I get?", "/exit"
    )

    assert empty == marks
    assert empty.startswith("Ask me a question about the documents")
    assert endless.startswith("That is 20399 characters; I take questions of up to 4000.")
    assert russian.startswith("Это 20999 знаков, а я читаю вопросы до 4000.")
    assert shown.startswith("Ask a question; /why tells")
    assert FACT in answer


def test_a_member_of_a_group_chats(folder: Path) -> None:
    """What only a group may read is answered to its members, here too."""
    (folder / "safe.md").write_text("---\nreaders: [keepers]\n---\n# Safe\n\nThe code of the safe is 4711.\n", "utf-8")
    footnote("index", str(folder))

    asked = "What is the code of the safe?\n"
    assert "4711" in footnote("chat", "--group", "keepers", stdin=asked).text
    assert "4711" not in footnote("chat", stdin=asked).text


def test_markup_of_the_documents_stays_text(folder: Path) -> None:
    """Square brackets in a document are its words, never colours of the terminal."""
    (folder / "lamp.md").write_text("# Lamp\n\nThe lamp of the hall is [bold red]green[/] at night.\n", "utf-8")
    footnote("index", str(folder))

    assert "[bold red]green[/] at night" in footnote("chat", stdin="What colour is the lamp of the hall?\n").text


@contextmanager
def in_a_terminal(*arguments: str, **variables: str) -> Iterator[tuple[int, "subprocess.Popen[bytes]"]]:
    """Give our end of a terminal and the command that runs in it."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(  # noqa: S603 — our own command
        [INSTALLED, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=surroundings(**variables),
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield ours, process
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def read_until(terminal: int, wanted: bytes) -> bytes:
    """Return what the terminal shows up to the wanted words."""
    shown = b""
    while wanted not in shown:
        shown += os.read(terminal, 1000)
    return shown


def wait_until_it_reads(process: "subprocess.Popen[bytes]") -> None:
    """Return once the process waits for a line: what comes between its prompt and that is noticed with the line."""
    try:
        while Path(f"/proc/{process.pid}/syscall").read_text("ascii").split()[1:2] != ["0x0"]:
            time.sleep(0.01)
    except OSError:
        # Not Linux, or it does not tell.
        time.sleep(2.0)


def test_one_interrupt_ends_it(folder: Path) -> None:
    """Ctrl-C at the prompt ends the conversation at the first press, without a traceback."""
    footnote("index", str(folder))
    with in_a_terminal("chat", FOOTNOTE_DATA_DIR=str(folder.parent / "data"), TERM="dumb") as (terminal, process):
        read_until(terminal, b"> ")
        wait_until_it_reads(process)
        process.send_signal(2)

        assert process.wait(60) == 0
        assert b"Traceback" not in os.read(terminal, 10_000)
