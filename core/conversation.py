"""Questions, turns and threads: who asked what, where, and what came before."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from core.plan import QueryPlan
from core.remarks import Around
from core.text import Language, language_of, tells_language

PlatformName = Literal["console", "slack", "telegram"]
# Who is heard in a channel: only who mentions the bot, also whoever asks what it may know, or everybody.
Mode = Literal["mention", "gate", "all"]
MODES: tuple[Mode, ...] = ("mention", "gate", "all")


@dataclass(frozen=True, slots=True)
class Audience:
    """Everyone who can read a reply: a document may be used only if all of them may read it.

    `tenant` is the workspace; a document names it among its readers as `workspace:` and the tenant. `guests`: somebody
    reads who does not belong to it, or nobody can tell; what is for the whole workspace is then not for them.
    """

    tenant: str
    groups: frozenset[str] = frozenset()
    guests: bool = False

    @property
    def names(self) -> frozenset[str]:
        """What a document may call them by: their groups, and their workspace as a whole."""
        return self.groups if self.guests else self.groups | {f"workspace:{self.tenant}"}

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
class Target:
    """The message that a question replies to, and which part of its text it quotes: from and to, in UTF-16 units."""

    message: MessageRef
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class SourceAsked:
    """The one document that a question asks about, because it replies to that source of an answer."""

    doc_id: str
    title: str


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to understand a question: in full, what to call it among the others, and the entities it then names."""

    question: str
    label: str
    entities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Clarification:
    """What we ask back: which reading is meant. `about` is what has several readings, the same whenever it comes up."""

    about: str
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Pressed:
    """The action of the reply to another question (its id) that asked this one, and the entities that it names.

    `open`: a person has opened one source of that reply in private; `value` is its number.
    """

    kind: Literal["choose", "more", "share", "open"]
    value: str
    question: str
    entities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """One question as it was asked; `text` keeps the user's own words.

    `place` and `message` say which message it is, and the id is the same as text; `root` is what the reply goes under
    besides: Slack's first message of the thread, Telegram's topic. `version` is 0 and grows with each edit.
    `resend` is the mark that a device puts on a message it sends twice, the same on both. `pressed`: no words asked it,
    but a button, or its words chose what a button offers; `text` is then what was offered, in full. `overheard`: nobody
    addressed it to us, so that only an answer is ever seen. `answers`: the message that it replies to, if any.
    `around`: the thread among people that it was asked in. `private`: only the asker sees the reply. `at_door`: it is
    not known yet whether it may be answered, so that nothing is made of it, and nothing seen, before that is.
    `attached`: a file came with it, which nobody reads. `reads`: the language that its asker reads, where the words
    tell none. `unasked`: nobody addressed it to us, and it is answered aloud all the same, if it may be answered.
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
    pressed: Pressed | None = None
    overheard: bool = False
    answers: Target | None = None
    around: Around | None = None
    private: bool = False
    at_door: bool = False
    attached: bool = False
    reads: Language | None = None
    unasked: bool = False

    @property
    def language(self) -> Language:
        """The language of its words; where they tell none, the one that its asker reads."""
        reads = self.reads or (self.around.spoken if self.around else None)
        return reads if reads and not tells_language(self.text) else language_of(self.text)

    @property
    def more_of(self) -> str | None:
        """The key of the list whose rest a button asked for."""
        return self.pressed.value if self.pressed and self.pressed.kind == "more" else None


@dataclass(frozen=True, slots=True)
class Aside:
    """A message that nobody addressed to the bot, as the question that it may be.

    `calls_others`: it mentions somebody else. `in_thread`: it replies to somebody, or stands in a thread.
    """

    question: Question
    calls_others: bool = False
    in_thread: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    """What a person tells us to do: the name of a command (core/commands.py), and the words after it.

    `asker` is the person as the questions there name them, `person` with their platform and workspace, "" when nobody
    can tell who it is. `id` is the same in all that tells of one command, "" where each is told of once. `about` is the
    message, and `thread` the conversation, that is meant; neither: their own latest
    question there.
    """

    verb: str
    platform: PlatformName
    place: str
    asker: str
    person: str
    words: str = ""
    about: MessageRef | None = None
    thread: str | None = None
    is_direct: bool = False
    language: Language = "en"
    id: str = ""


@dataclass(frozen=True, slots=True)
class Listed:
    """A list as far as it was shown, and all that it takes to go on with it.

    `key` names it as it was when it was shown; `asked` is what the user wrote, `question` that in full; `seen` are the
    keys of the items that were shown, and `remaining` is how many were not.
    """

    key: str
    asked: str
    question: str
    plan: QueryPlan
    seen: tuple[str, ...]
    remaining: int


@dataclass(frozen=True, slots=True)
class Turn:
    """One finished exchange of a thread, with what a follow-up may carry on.

    `unclear`: what was asked back; `listed`: the list that it holds; `sources`: the documents it shows something of.
    `names`: the names in it, where somebody else said it: all of it that may be taken for the asker's words; None where
    the asker said it. `told`: the entities that each statement of its answer names.
    """

    question: str
    standalone: str
    entities: tuple[str, ...]
    answered: bool
    asked_at: datetime
    unclear: Clarification | None = None
    listed: Listed | None = None
    sources: frozenset[str] = frozenset()
    names: tuple[str, ...] | None = None
    told: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Thread:
    """The earlier turns of a conversation, oldest first; `answers` is the one whose answer the question replies to.

    `about`: the source of that answer that it replies to. `before`: turns further back, on which nothing leans, but
    whose offers hold: what they asked back, what was chosen then, how far a list was shown.
    """

    key: str
    turns: tuple[Turn, ...] = ()
    answers: Turn | None = None
    about: SourceAsked | None = None
    before: tuple[Turn, ...] = ()

    @property
    def offered(self) -> tuple[Turn, ...]:
        """All turns whose offers hold, oldest first."""
        return (*self.before, *self.turns)

    @property
    def last(self) -> Turn | None:
        """The latest turn, if there is one."""
        return self.turns[-1] if self.turns else None


def readable(thread: Thread, may_read: Callable[[Turn], bool]) -> Thread:
    """Return the thread with those of its turns alone that may be read."""
    if all(map(may_read, (*thread.offered, *((thread.answers,) if thread.answers else ())))):
        return thread
    answers = thread.answers if thread.answers and may_read(thread.answers) else None
    about = thread.about if answers else None
    before = tuple(filter(may_read, thread.before))
    return Thread(thread.key, tuple(filter(may_read, thread.turns)), answers, about, before)


@dataclass(frozen=True, slots=True)
class AlreadyAnswered:
    """This question has been dealt with, or has been changed or taken back since: nothing is to be said to it."""

    question_id: str


def in_its_language(question: Question, thread: Thread) -> Question:
    """Return the question with the language that its thread is in, where its own words tell none: "RAG?"."""
    told = next((turn for turn in reversed(thread.turns) if tells_language(turn.question)), None)
    if told is None or tells_language(question.text):
        return question
    return replace(question, reads=language_of(told.question))
