"""The program `git`, run without a shell, without a question to anybody, and never longer than its caller."""

import asyncio
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from core.errors import ConfigError

# Other ways to reach a repository run programs that the address names.
_PROTOCOLS: Final = "file:https:ssh"
# No hooks, nothing left running behind our back, no window that asks for a password. No redirect: a host could lead
# into the operator's own network by it, and git shows the next host the login that it was given for this one.
_SETTINGS: Final = (
    f"core.hooksPath={os.devnull}",
    "core.fsmonitor=false",
    "core.symlinks=false",
    "core.askPass=",
    "http.followRedirects=false",
    "gc.autoDetach=false",
    "maintenance.autoDetach=false",
    "advice.detachedHead=false",
)
_COMPLAINT_CHARS: Final = 400
_CHUNK: Final = 1 << 16
_NUL: Final = b"\0"


class GitFailed(Exception):
    """Git ended with an error; the text is its own last words."""


async def run(repository: Path, *arguments: str, settings: Sequence[str] = (), seconds: float = 60.0) -> bytes:
    """Return what git prints. Raises GitFailed, also when it takes longer than so many seconds."""
    try:
        async with asyncio.timeout(seconds), started(repository, *arguments, settings=settings) as process:
            printed, complaint = await process.communicate()
    except TimeoutError:
        raise GitFailed(f"git {arguments[0]} took longer than {seconds:.0f} s") from None
    if process.returncode:
        said = complaint.decode("utf-8", "replace").strip()
        raise GitFailed(" ".join(said.split())[-_COMPLAINT_CHARS:] or f"git {arguments[0]} failed")
    return printed


async def pieces(repository: Path, *arguments: str) -> AsyncGenerator[bytes, None]:
    """Yield what git prints (with -z), piece by piece. Raises GitFailed when it ends with an error."""
    rest = b""
    async with started(repository, *arguments, complaints=DEVNULL) as process:
        assert process.stdout is not None
        while chunk := await process.stdout.read(_CHUNK):
            *whole, rest = (rest + chunk).split(_NUL)
            for piece in whole:
                yield piece
        if await process.wait():
            raise GitFailed(f"git {arguments[0]} failed")


@asynccontextmanager
async def started(
    repository: Path, *arguments: str, settings: Sequence[str] = (), complaints: int = PIPE, questions: int = DEVNULL
) -> AsyncIterator[Process]:
    """Give git at work in the repository; it is ended, with all that it started, when the caller goes on.

    Raises ConfigError when there is no git.
    """
    # Set for the whole program, which has no other use for git: the environment that it is given reaches git unread.
    os.environ.update({"GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": _PROTOCOLS})
    options = [part for setting in (*_SETTINGS, *settings) for part in ("-c", setting)]
    command = ("git", *options, f"--git-dir={repository}", *arguments)
    # A session of its own has no terminal, so ssh cannot ask there either.
    starting = asyncio.create_task(
        asyncio.create_subprocess_exec(
            *command, stdin=questions, stdout=PIPE, stderr=complaints, start_new_session=True
        )
    )
    try:
        process = await asyncio.shield(starting)
    except FileNotFoundError as error:
        raise ConfigError("the program git is missing: install it (package `git`, or git-scm.com)") from error
    except asyncio.CancelledError:
        # Cut short itself, the start would end git alone and wait for all that git has started meanwhile.
        await _end(await starting)
        raise
    try:
        yield process
    finally:
        await _end(process)


async def _end(process: Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
        # Reads what is still in the pipes, so that they close.
        await process.communicate()
