"""The places where a process may die: each call that leaves a trace outside it, wrapped from outside."""

import asyncio
import functools
import json
import os
import random
import re
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from itertools import count
from pathlib import Path
from typing import Any, Literal

from dbos._sys_db import SystemDatabase
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from sqlalchemy.engine.default import DefaultDialect

from adapters.slack.app import SlackPlatform
from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.replicas import SqlReplicas
from adapters.storage.threads import SqlThreads
from adapters.telegram.app import TelegramPlatform
from bot.durable import Workflows
from bot.jobs import CheckpointedModel

# `inside`: it stands still before the call's first commit, and so holds what that transaction has locked. `thaws`: it
# stands still once the call has done what it does, until somebody lets it go on.
When = Literal["before", "after", "inside", "thaws"]

BOUNDARIES: tuple[tuple[str, type[Any], tuple[str, ...]], ...] = (
    (
        "inbox",
        SqlInbox,
        (
            "record",
            "edit",
            "withdraw",
            "unanswered",
            "take",
            "question",
            "let_in",
            "turn_away",
            "give_back",
            "take_over",
        ),
    ),
    (
        "outbox",
        SqlOutbox,
        ("claim", "sent", "borrow", "later", "doubted", "refused", "unknown", "show_again", "take_over"),
    ),
    ("threads", SqlThreads, ("open", "close")),
    ("model", CheckpointedModel, ("complete", "_asked")),
    ("runs", Workflows, ("launch", "start", "cancel", "take_over", "unfinished", "revive")),
    ("replicas", SqlReplicas, ("beat", "bury", "leave", "lease")),
    (
        "dbos",
        SystemDatabase,
        (
            "init_workflow",
            "_check_operation_execution_txn",
            "record_operation_result",
            "update_workflow_outcome",
            "cancel_workflows",
            "get_pending_workflows",
        ),
    ),
    ("slack", SlackPlatform, ("show", "tell", "find", "let_in")),
    ("slack", SocketModeClient, ("send_socket_mode_response",)),
    ("telegram", TelegramPlatform, ("show", "tell", "find")),
    ("sql", DefaultDialect, ("do_commit",)),
)


_COMMIT = "sql.do_commit"
# What a recorded reply says of the call that it answers.
_ASKED = re.compile(r'"asked":\s*"(\w+)"')
# How many of the commits are not heard of, where some are not.
_LOST = 0.08


class Journal:
    """What the processes of a round write down in one file, line by line, and what a death leaves there."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._pid = os.getpid()

    def note(self, kind: str, **what: object) -> None:
        """Add a line that is there from now on, whatever happens to the process."""
        line = {"t": time.monotonic_ns(), "pid": self._pid, "kind": kind, **what}
        os.write(self._file, json.dumps(line).encode() + b"\n")


class Fate:
    """Counts the calls at each boundary, and ends the process where its order says so, or lets it stand still."""

    def __init__(self, journal: Journal, deaths: Iterable[Mapping[str, Any]]) -> None:
        self._journal = journal
        self._deaths = {(death["at"], death["nth"], death["when"]) for death in deaths}
        self._counts: dict[str, Any] = defaultdict(lambda: count(1))
        # The call within which the process stands still, for its own commit alone.
        self._freezes = ContextVar[dict[str, Any] | None]("freezes", default=None)
        self.passed: dict[str, int] = {}

    def begin(self, at: str) -> int:
        """Return which call at the boundary this is."""
        number: int = next(self._counts[at])
        self.passed[at] = number
        self._meet(at, number, "before")
        if (at, number, "inside") in self._deaths:
            self._freezes.set({"at": at, "nth": number})
        if at == _COMMIT and (within := self._freezes.get()):
            self._stand_still(within)
        return number

    def end(self, at: str, number: int) -> None:
        """Note that the call has done what it does."""
        self._meet(at, number, "after")
        if at != _COMMIT:
            self._freezes.set(None)
        if (at, number, "thaws") in self._deaths:
            self._stand_still({"at": at, "nth": number})

    def _stand_still(self, where: Mapping[str, Any]) -> None:
        self._journal.note("froze", **where)
        os.kill(os.getpid(), signal.SIGSTOP)

    def _meet(self, at: str, number: int, when: When) -> None:
        if (at, number, when) in self._deaths:
            self._journal.note("died", at=at, nth=number, when=when)
            os.kill(os.getpid(), signal.SIGKILL)


class Deaf:
    """Lets commits be done and their answers be lost: each of those that come from now on by a small chance."""

    def __init__(self, journal: Journal, seed: str, most: int) -> None:
        self._journal = journal
        self._chance = random.Random(seed)  # noqa: S311 - a plan, not a secret
        self._left = most
        self._hears = True

    def begin(self) -> None:
        """Lose answers from now on."""
        self._hears = False

    def around(self, commit: Callable[..., None]) -> Callable[..., None]:
        """Return the commit of a dialect, of which nobody may hear."""

        @functools.wraps(commit)
        def done(dialect: Any, connection: Any) -> None:
            commit(dialect, connection)
            if not self._hears and self._left and self._chance.random() < _LOST:
                self._left -= 1
                self._journal.note("unheard")
                raise dialect.dbapi.OperationalError("the answer was lost")

        return done


def watch(fate: Fate, journal: Journal, deaf: Deaf) -> None:
    """Wrap every boundary, and note what the engine has recorded before anybody can die of it."""
    _wrap(DefaultDialect, "do_commit", deaf.around)
    _wrap(SystemDatabase, "record_operation_result", functools.partial(_noting, journal))
    for group, owner, names in BOUNDARIES:
        for name in names:
            _wrap(owner, name, functools.partial(_dying, fate, f"{group}.{name.strip('_')}"))


def _wrap(owner: type[Any], name: str, around: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    setattr(owner, name, around(getattr(owner, name)))


def _noting(journal: Journal, record: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(record)
    def noted(self: Any, result: Any, **more: Any) -> Any:
        done = record(self, result, **more)
        told = _ASKED.search(result["output"] or "")
        asked = told[1] if told else ""
        journal.note("recorded", run=result["workflow_uuid"], step=result["function_name"], asked=asked)
        return done

    return noted


def _dying(fate: Fate, at: str, call: Callable[..., Any]) -> Callable[..., Any]:
    if asyncio.iscoroutinefunction(call):

        @functools.wraps(call)
        async def awaited(*args: Any, **more: Any) -> Any:
            number = fate.begin(at)
            done = await call(*args, **more)
            fate.end(at, number)
            return done

        return awaited

    @functools.wraps(call)
    def called(*args: Any, **more: Any) -> Any:
        number = fate.begin(at)
        done = call(*args, **more)
        fate.end(at, number)
        return done

    return called
