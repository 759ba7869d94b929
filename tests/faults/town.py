"""What every platform's stand-in is to a round: a place where people ask and where all that was shown is kept."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from core.phrases import phrase

PlatformName = Literal["slack", "telegram"]
SIGNS = frozenset(phrase("looking", language) for language in ("en", "ru"))
SOURCES = tuple(phrase("sources", language) for language in ("en", "ru"))
NOTES = frozenset(phrase(name, language) for name in ("maybe_sent", "maybe_sent_sources") for language in ("en", "ru"))
BUSY = tuple(phrase("busy", language, number=0).partition("0")[0] for language in ("en", "ru"))
STOPPED = frozenset(phrase("stopped", language) for language in ("en", "ru"))


@dataclass
class Asked:
    """A question as a person knows it; `wanted` is the key that it asks for now, None once it is deleted."""

    number: int
    thread: str
    place: str
    russian: bool
    wanted: str | None
    message: str = ""
    keys: list[str] = field(default_factory=list)
    # The question that it repeats, sent twice by the person's device: one answer for both.
    copy_of: "Asked | None" = None
    edited: bool = False
    # Whether its asker has pressed Stop.
    stopped: bool = False
    # Questions of the thread that had been taken when this one was asked: their answers must come before.
    follows: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Sight:
    """What a message of the bot's showed from a moment on; None: nothing, it went."""

    at: int
    place: str
    message: str
    text: str | None
    evidence: bool = False
    # The message that it replies to, where that is told.
    asked: str = ""


@dataclass
class Sights:
    """Everything that could be seen of the bot over time."""

    all: list[Sight] = field(default_factory=list)

    def add(self, place: str, message: str, text: str | None, *, evidence: bool = False, asked: str = "") -> None:
        self.all.append(Sight(time.monotonic_ns(), place, message, text, evidence, asked))

    def now(self) -> list[Sight]:
        """Return what stands there now, in the order in which it first appeared."""
        last: dict[tuple[str, str], Sight] = {}
        for sight in self.all:
            last[sight.place, sight.message] = sight
        return [sight for sight in last.values() if sight.text is not None]


class Town(Protocol):
    """A platform with people in it."""

    name: PlatformName
    sights: Sights
    # The calls that post, change or look, by their names on the platform.
    posts: tuple[str, ...]
    changes: tuple[str, ...]
    tells_of_deletions: bool
    # What was shown only in passing.
    drafts: Sights

    @property
    def env(self) -> Mapping[str, str]:
        """The settings that lead the bot here."""

    async def ask(self, asked: Asked, text: str) -> None:
        """Say it, and note which message that was."""

    def is_taken(self, asked: Asked) -> bool:
        """Return whether the bot has said that it knows of the question, or must take it before any later one."""

    async def edit(self, asked: Asked, text: str) -> None:
        """Reword it."""

    async def delete(self, asked: Asked) -> None:
        """Take it away."""

    async def stop(self, asked: Asked) -> bool:
        """Press the button that stops its answer; False where there is none now."""

    async def repeat(self, asked: Asked, times: int) -> None:
        """Let the platform tell of it again so many times, as if it did not know that it had."""

    async def press(self, sight: Sight) -> None:
        """Press the button of a note."""

    async def cut(self, how: str) -> None:
        """End the connections over which events come."""

    def fail(self, method: str, **how: object) -> None:
        """Let the next call of a method go wrong."""

    async def ask_as_stranger(self, text: str) -> str:
        """Let somebody ask whom the bot must not answer; return the message."""

    def trouble_look_ups(self, **how: object) -> None:
        """Let everything go wrong, from now on, by which the bot finds out who asks."""

    def mend_look_ups(self) -> None:
        """Let that go well again."""

    def told_strangers(self) -> list[str]:
        """Return what others could see in answer to strangers."""

    def died(self, *, alone: bool) -> None:
        """Hear that a worker is gone; `alone`: it was the only one."""

    def is_heard(self) -> bool:
        """Return whether everything that people did has been taken by the bot."""

    def complaints(self) -> list[str]:
        """Return what the stand-in found wrong with the bot."""
