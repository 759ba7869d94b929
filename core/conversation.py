"""Questions, turns and threads: who asked what, where, and what came before."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

PlatformName = Literal["console", "slack", "telegram"]


@dataclass(frozen=True, slots=True)
class Audience:
    """Everyone who can read a reply: a document may be used only if all of them may read it.

    `tenant` is the workspace; a document names it among its readers as `workspace:` and the tenant.
    """

    tenant: str
    groups: frozenset[str] = frozenset()

    @property
    def names(self) -> frozenset[str]:
        """What a document may call them by: their groups, and their workspace as a whole."""
        return self.groups | {f"workspace:{self.tenant}"}

    def may_read(self, readers: frozenset[str]) -> bool:
        """Return whether a document with these readers (none: everybody) may be used."""
        return not readers or bool(readers & self.names)


@dataclass(frozen=True, slots=True)
class MessageRef:
    """One message on a platform."""

    platform: PlatformName
    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.platform}:{self.place}:{self.message}"


@dataclass(frozen=True, slots=True)
class Question:
    """One question as it was asked; `text` keeps the user's own words.

    `place` and `message` say which message it is, and the id is the same as text; `root` is what the reply goes under
    besides: Slack's first message of the thread, Telegram's topic. `version` is 0 and grows with each edit.
    `resend` is the mark that a device puts on a message it sends twice, the same on both.
    """

    id: str
    platform: PlatformName
    thread: str
    text: str
    asker: str
    audience: Audience
    asked_at: datetime
    place: str = ""
    message: str = ""
    root: str | None = None
    version: int = 0
    resend: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One finished exchange of a thread, with what a follow-up may carry on."""

    question: str
    standalone: str
    entities: tuple[str, ...]
    answered: bool
    asked_at: datetime


@dataclass(frozen=True, slots=True)
class Thread:
    """The earlier turns of a conversation, oldest first."""

    key: str
    turns: tuple[Turn, ...] = ()

    @property
    def last(self) -> Turn | None:
        """The latest turn, if there is one."""
        return self.turns[-1] if self.turns else None


@dataclass(frozen=True, slots=True)
class AlreadyAnswered:
    """This question has been dealt with, or has been changed or taken back since: nothing is to be said to it."""

    question_id: str
