"""Durable work as values: the line of questions, and the messages that are somebody's to show."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from core.delivery import Outgoing, Part

# A platform's name with one of its channels or chats.
Place = tuple[str, str]
# What an edit of a message means: it asked nothing of us, it is no news, or the question is now another.
Change = Literal["unknown", "same", "changed", "refused"]
# The part that says of an answer that it may or may not be there, with a button to show it.
NOTE = "note"
# The count of a replica that has said goodbye: another one takes over what it left.
LEFT = -1


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many questions are unanswered: those that wait, all of one person, and all of one place.

    `used`: until when the buckets of the question are refilled, by their keys (`core.rates`).
    """

    waiting: int
    of_asker: int
    of_place: int
    used: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Welcome:
    """What is said to a question at once: a sign that it has arrived, or a refusal to take it, or nothing yet.

    `silence`: it is refused without a word; `dropped`: because it asks nothing of us any more, also where it waits.
    `uses`: the buckets that it takes a place in, with the seconds of each.
    """

    sign: Part | None = None
    refusal: tuple[Part, ...] = ()
    silence: bool = False
    dropped: bool = False
    uses: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Claim:
    """A message that is ours to show now; nobody else touches it until we say what became of it.

    `in_doubt`: the version `tried` before may stand in the chat. `final`: it is an answer, not a sign in its place.
    """

    outgoing: Outgoing
    version: int
    thread: str
    final: bool
    in_doubt: bool
    tried: int
    waiting_since: datetime


@dataclass(frozen=True, slots=True)
class Loan:
    """What stands in a chat in place of an answer in the making, ours for the moment; None: nothing stands there."""

    claim: Claim | None
