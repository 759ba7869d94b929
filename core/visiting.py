"""What a platform may offer beside questions and answers, and what somebody is shown who comes to see the bot."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Protocol, runtime_checkable

from core.conversation import Audience, MessageRef, PlatformName, Question
from core.delivery import Outcome, Outgoing, Refused
from core.remarks import Remark
from core.reply import RenderedReply
from core.text import Language


@runtime_checkable
class ReadsThreads(Protocol):
    """A platform on which a thread among people can be read."""

    async def said_before(self, question: Question) -> tuple[Remark, ...]:
        """Return what people had said in the question's thread before it, oldest first; nothing when it cannot be read.

        What was said to us is not among it. Never raises PortError.
        """


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who looks at what the bot is about; `audience`: everybody of their workspace, and nobody else."""

    platform: PlatformName
    person: str
    audience: Audience
    language: Language


@dataclass(frozen=True, slots=True)
class Day:
    """What became of the questions of one day of UTC, and what models cost on it, in US dollars."""

    day: date
    answered: int = 0
    refused: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Complaint:
    """An answer that did not help: its question, and why, if that was said."""

    question: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class Week:
    """The latest seven days, the oldest first, for who runs the bot.

    `unanswered`, `complaints`: the latest of each, only of what was asked in channels. `waiting`: questions and
    messages that are under way. `problems`: documents that the index could not take in.
    """

    days: tuple[Day, ...]
    unanswered: tuple[str, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    waiting: int = 0
    problems: int = 0


@dataclass(frozen=True, slots=True)
class Introduction:
    """What the bot knows, as far as everybody of a workspace may know it.

    `kinds`: how many documents there are of each kind. `questions` have been answered from those documents before they
    are shown. `week` is there for administrators alone.
    """

    kinds: Mapping[str, int]
    built_at: datetime | None = None
    questions: tuple[str, ...] = ()
    week: Week | None = None

    @property
    def documents(self) -> int:
        """How many documents everybody may read."""
        return sum(self.kinds.values())


@dataclass(frozen=True, slots=True)
class Case:
    """A question that is dealt with; `result` is its result contract, if it was answered from documents.

    `earlier`: what the same person had asked in the same conversation before, the latest last; `root`: what the reply
    went under besides, as in a question; `said`: what people had said there, where it may be told.
    """

    id: str
    question: str
    asker: str
    tenant: str
    asked: MessageRef
    private: bool = False
    result: Mapping[str, Any] | None = None
    earlier: tuple[str, ...] = ()
    root: str | None = None
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Names:
    """What people call somebody, and the place where that person asked, "" where it has no name that tells anything.

    `is_open`: everybody of the workspace may read what is said there.
    """

    person: str
    place: str
    is_open: bool = False


@runtime_checkable
class KnowsNames(Protocol):
    """A platform that tells what people and places are called."""

    async def names_in(self, case: Case) -> Names:
        """Return what who asked is called, and where they did; ids where nobody tells. Never raises PortError."""


@runtime_checkable
class KeepsDoor(Protocol):
    """A platform that must be asked who somebody is, and who reads where, before it is known whether they may ask."""

    async def let_in(self, question: Question) -> Question | None:
        """Return the question as it may be answered; None when it may not be, which its asker alone is told.

        Raises DeliveryError for as long as that cannot be told.
        """


@runtime_checkable
class SpeaksAlone(Protocol):
    """A platform on which something can be said to somebody in a channel that nobody else there sees."""

    async def speak_alone(self, question: Question, reply: RenderedReply) -> None:
        """Show it to who asked the question, where they asked it; at most once, and nobody is told when it fails."""


@runtime_checkable
class ReachesPeople(Protocol):
    """A platform on which something can be said to a channel that nobody has asked in."""

    async def way_to(self, place: str) -> MessageRef | None:
        """Return what stands for a message to which the channel is told something; None when we cannot write there."""

    async def link_to(self, case: Case) -> str | None:
        """Return the address of what was asked or, where only the asker sees that, of a conversation with them."""


@runtime_checkable
class ReachesAskers(Protocol):
    """A platform on which who asked can be told something where nobody else sees it, wherever they asked."""

    async def show_directly(self, message: Outgoing, asker: str, why: Refused) -> Outcome:
        """Return what came of showing them the message, in one attempt; `why` where that cannot be."""


@runtime_checkable
class SaysAtOnce(Protocol):
    """A platform with a sign that somebody is at work which passes by itself and costs no message."""

    def at_work_on(self, question: Question) -> None:
        """Begin to show that the question has arrived; nobody waits for it, and nobody is told when it fails."""
