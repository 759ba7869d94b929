"""A terminal in which `footnote` is typed: in this process, which is quick, or as the installed command."""

import atexit
import io
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from unittest.mock import patch

from bot.cli import main
from bot.settings import Settings

ROOT = Path(__file__).parents[2]
INSTALLED = Path(sys.executable).with_name("footnote")
# Where the settings come from, and what would lead past them.
VARIABLES = (
    "FOOTNOTE_DATA_DIR",
    "FOOTNOTE_SECRET_KEYS",
    *(name.upper() for name in Settings.model_fields),
    *("XDG_DATA_HOME", "LOCALAPPDATA", "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE"),
)


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def text(self) -> str:
        """What was printed, each run of spaces and line ends as one space, so that the width does not matter."""
        return " ".join(self.out.split())


def footnote(*arguments: str, stdin: str = "", **variables: str) -> Outcome:
    """Return what the command does in this process."""
    out, err, status = io.StringIO(), io.StringIO(), 0
    typed = patch.multiple(sys, argv=["footnote", *arguments], stdin=io.StringIO(stdin))
    with typed, patch.dict(os.environ, variables), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
    return Outcome(status, out.getvalue(), err.getvalue())


def installed_footnote(*arguments: str, stdin: bytes = b"", **variables: str) -> Outcome:
    """Return what the installed command does, as a process of its own."""
    return _run([str(INSTALLED), *arguments], stdin, variables)


def footnote_apart(*arguments: str, stdin: bytes = b"", **variables: str) -> Outcome:
    """Return what the command does in a process of its own, forked from one that has everything loaded."""
    return _run([*awake_footnote(), *arguments], stdin, variables)


def _run(command: list[str], stdin: bytes, variables: dict[str, str]) -> Outcome:
    done = subprocess.run(  # noqa: S603 — our own command
        command,
        input=stdin,
        capture_output=True,
        check=False,
        env=surroundings(**variables),
        timeout=60,
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


@cache
def awake_footnote() -> tuple[str, ...]:
    """Return a command that does what the installed one does, forked from a process that has everything loaded."""
    folder = tempfile.mkdtemp(prefix="awake")
    path = f"{folder}/line"
    serve = [sys.executable, "-m", "tests.bot.awake", "serve", path]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    server = subprocess.Popen(serve, cwd=ROOT, env=surroundings(), **pipes)  # type: ignore[call-overload]  # noqa: S603 - ours

    def end() -> None:
        server.communicate()
        shutil.rmtree(folder)

    atexit.register(end)
    assert server.stdout.readline() == b"awake\n"
    return (sys.executable, "-I", "-S", str(ROOT / "tests" / "bot" / "awake.py"), "call", path)


def surroundings(**variables: str) -> dict[str, str]:
    """Return this environment without any setting of Footnote, but with those given."""
    return {name: value for name, value in os.environ.items() if name not in VARIABLES} | variables


def refused(outcome: Outcome) -> str:
    """Return the one sentence on standard error with which the command refused; nothing else was said."""
    assert outcome.status == 1, outcome
    assert outcome.out == "", outcome
    assert "Traceback" not in outcome.err
    (line,) = outcome.err.splitlines()
    assert line.startswith("footnote: ")
    return line.removeprefix("footnote: ")
