"""What people do on Telegram, as neutral values: a question, an edit, a press, a command, a moment for a hint."""

from dataclasses import dataclass
from datetime import datetime

from adapters.telegram.words import HintKind
from core.conversation import Command, MessageRef, Target
from core.feedback import Reaction
from core.remarks import Remark
from core.text import Language


@dataclass(frozen=True, slots=True)
class Me:
    """Who the bot is."""

    id: int
    username: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question for us; `root` is its topic, `answers` the message that it replies to, `version` grows with edits.

    `media`: the words stand under a picture or a file, which are not read; it is the same for all of one album.
    `before`: what a person had said that it replies to. `brought`: words from another chat that it replies to.
    `reads`: the language of the person's Telegram, where their words tell none.
    """

    ref: MessageRef
    text: str
    asker: str
    asked_at: datetime
    private: bool
    root: str | None = None
    answers: Target | None = None
    version: int = 0
    media: str | None = None
    before: Remark | None = None
    brought: str | None = None
    reads: Language | None = None


@dataclass(frozen=True, slots=True)
class Forwarded:
    """Words of somebody else that a person brings to a private chat: whether they hold is what is asked."""

    asked: Asked


@dataclass(frozen=True, slots=True)
class Moved:
    """A group has become a supergroup, which has another number."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Pairing:
    """A person wants somebody to be let in: who has the code, or with no code everybody in this group.

    `person` is "" when nobody can tell who it is.
    """

    ref: MessageRef
    root: str | None
    person: str
    code: str
    is_direct: bool
    language: Language


@dataclass(frozen=True, slots=True)
class Overheard:
    """What a person said in a group to nobody in particular; `to_others`: it calls or answers somebody else."""

    asked: Asked
    to_others: bool


@dataclass(frozen=True, slots=True)
class Commanded:
    """A person tells us to do something, in a message of their own; `root` is its topic."""

    ref: MessageRef
    root: str | None
    command: Command


@dataclass(frozen=True, slots=True)
class Edited:
    """A message as it reads now; `addressed`: new, it would be a question for us; `to_others`: it calls others."""

    asked: Asked
    addressed: bool
    to_others: bool = False


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press of the button on one of our messages; `query` is what Telegram wants to be answered.

    `root` is the topic that the message stands in.
    """

    query: str
    button: str
    message: MessageRef
    person: str
    language: Language
    root: str | None = None


@dataclass(frozen=True, slots=True)
class Halted:
    """A person stops the draft of an answer in their private chat; `message` is what asked."""

    message: MessageRef


@dataclass(frozen=True, slots=True)
class Inline:
    """A person types a question after our name in whatever chat, where they may share what we find."""

    query: str
    person: str
    text: str
    language: Language


@dataclass(frozen=True, slots=True)
class Guest:
    """A person mentions us in a chat that we are not in; Telegram takes one message in answer to the `query`."""

    query: str
    person: str
    text: str
    language: Language


@dataclass(frozen=True, slots=True)
class Opened:
    """A person comes to the private chat by a link that says what it is to open."""

    ref: MessageRef
    root: str | None
    asker: str
    asked_at: datetime
    payload: str
    language: Language


@dataclass(frozen=True, slots=True)
class Hinted:
    """Something that calls for a sentence about how to ask; `key` is the same for all pictures of one album."""

    ref: MessageRef
    root: str | None
    key: str
    kind: HintKind
    language: Language
    asker: str = ""


Event = (
    Asked
    | Overheard
    | Commanded
    | Edited
    | Pressed
    | Halted
    | Hinted
    | Forwarded
    | Moved
    | Pairing
    | Inline
    | Guest
    | Opened
    | Reaction
)
