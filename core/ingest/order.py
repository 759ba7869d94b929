"""An order to index, given by a person in a chat, where they see how it goes."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from core.conversation import Audience, PlatformName, Question
from core.ingest.sync import Changes
from core.text import Language

OrderEnd = Literal["published", "unchanged", "stopped", "failed"]


@dataclass(frozen=True, slots=True)
class IndexOrder:
    """Who ordered it, and where one message shows how it goes: `place` on the platform, for that person alone.

    `before`: the generation that was live when the work began, 0 for none. `stopping`: somebody asked to stop.
    """

    number: int
    person: str
    platform: PlatformName
    place: str
    language: Language
    asked_at: datetime
    before: int | None = None
    stopping: bool = False

    @property
    def id(self) -> str:
        """What its message is known by, as a reply is by its question."""
        return message_id(self.number)

    @property
    def message(self) -> Question:
        """Return what the outbox files its message under: a question that nobody asked in words."""
        return Question(self.id, self.platform, self.id, "", self.person, Audience(""), self.asked_at, place=self.place)


def message_id(number: int) -> str:
    """Return what the message of the order with this number is known by."""
    return f"index:{number}"


@dataclass(frozen=True, slots=True)
class Ended:
    """How the run ended; `problems` are what could not be read, each in words, `why` what failed as a whole."""

    end: OrderEnd
    seconds: float
    changes: Changes | None = None
    documents: int = 0
    passages: int = 0
    problems: tuple[str, ...] = ()
    why: str = ""
