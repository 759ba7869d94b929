"""What is to be seen in a chat, message by message, and what a platform reports of the attempt to show it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.conversation import MessageRef, PlatformName

# A message in its platform's own form, as JSON.
Body = Mapping[str, Any]

# The first message of an answer; until the answer is there, it may be a sign that the question has arrived.
FIRST = "answer-1"


@dataclass(frozen=True, slots=True)
class Part:
    """One message of a reply: `answer-1`, `answer-2`, …, then `evidence-1` and on."""

    name: str
    body: Body


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One message as it is to be seen: `body` in place of what `shown` shows, which is nothing yet when it is None.

    Without a body the message is to go. It belongs to the reply to `asked`, under `root` (Slack's thread, Telegram's
    topic); `first` is the message that shows the reply's first part, once it stands there. `question` and `part`
    are the same whenever this message is tried again, so a platform that keeps a mark on messages finds it by them.
    """

    id: int
    question: str
    part: str
    body: Body | None
    asked: MessageRef
    root: str | None = None
    shown: MessageRef | None = None
    first: MessageRef | None = None

    @property
    def platform(self) -> PlatformName:
        """The platform on which it is to be seen."""
        return self.asked.platform

    @property
    def is_evidence(self) -> bool:
        """Whether it goes under the answer instead of under the question."""
        return self.part.startswith("evidence")


@dataclass(frozen=True, slots=True)
class Shown:
    """It is as it is to be. `message`: what shows it now, None when it went.

    `moved`: the name that its place has by now, should the platform have answered that it has another one.
    """

    message: MessageRef | None
    moved: str | None = None


@dataclass(frozen=True, slots=True)
class Later:
    """Nothing has happened, and it may work in `seconds`; `whole_place`: until then nothing can be shown there.

    `expected`: that is the pace of the place, and nothing to tell an operator. `ours_alone`: only this copy of the bot
    has to wait; another may show it at once.
    """

    seconds: float
    reason: str
    whole_place: bool = False
    expected: bool = False
    ours_alone: bool = False


# Nothing was shown, as another copy of the bot may have taken this one for dead, and have shown it.
NOT_SURELY_OURS = Later(0.0, "other copies may have taken this one for dead", ours_alone=True)


@dataclass(frozen=True, slots=True)
class Doubtful:
    """Nobody can tell from here whether it happened.

    `anew`: what showed it before is gone, and the doubt is about a new message in its place.
    """

    reason: str
    anew: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """It will never be shown. `shut`: the platform's own word for why nothing at all can be said there, if that is so.

    Whoever asked there can still be told elsewhere. `withheld`: it is kept from those who read there, without a word.
    `pointless`: what it answers is gone, so nobody waits for it.
    """

    reason: str
    shut: str = field(default="", compare=False)
    withheld: bool = False
    pointless: bool = field(default=False, compare=False)

    @property
    def is_for_the_asker(self) -> bool:
        """Whether whoever asked is to be told where nobody else sees it, whatever word the platform has for it."""
        return not (self.withheld or self.pointless)


Outcome = Shown | Later | Doubtful | Refused


@dataclass(frozen=True, slots=True)
class Found:
    """The message stands in the chat."""

    message: MessageRef


@dataclass(frozen=True, slots=True)
class Absent:
    """The message does not stand in the chat."""


@dataclass(frozen=True, slots=True)
class CannotTell:
    """The platform lets nobody look."""


Seen = Found | Absent | CannotTell | Later


@dataclass(frozen=True, slots=True)
class Health:
    """Whether a platform's messages reach us: `silent` is the seconds since its last sign of life, None before one."""

    alive: bool
    words: str
    silent: float | None = None
