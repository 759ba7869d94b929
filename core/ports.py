"""What the core asks of the outside, as narrow as it can be."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal, Protocol

from core.conversation import (
    AlreadyAnswered,
    Aside,
    Audience,
    Command,
    MessageRef,
    Mode,
    PlatformName,
    Question,
    Thread,
)
from core.delivery import Body, Health, Outcome, Outgoing, Part, Seen
from core.entities import Registry
from core.facts import Fact
from core.namesakes import Namesakes
from core.plan import GraphQuery, Intent
from core.press import Offer, Press, PressOutcome
from core.reply import RenderedReply
from core.text import Language
from core.turn import TurnRecord
from core.work import Change, Claim, Place, Waiting, Welcome


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call to a language model; the reply must be JSON that fits `schema`."""

    role: Literal["planner", "answer"]
    system: str
    user: str
    schema: Mapping[str, Any]
    max_tokens: int
    name: str = "reply"


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model said, which model it was and what it cost, in tokens and in US dollars; 0 when nobody knows."""

    text: str
    model: str
    tokens: int = 0
    cost: float = 0.0


class LanguageModel(Protocol):
    """A chain of language models for each role."""

    def offers(self, role: Literal["planner", "answer"]) -> bool:
        """Return whether a model is configured for the role."""

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the first reply of the chain. Raises ModelError when every model of it failed."""


class Embedder(Protocol):
    """Turns text into unit vectors. `id` says all that stored vectors depend on; `dimension` is 0 before `prepare`."""

    id: str
    dimension: int

    async def prepare(self) -> None:
        """Load the model and find the dimension. Raises ConfigError and ModelError."""

    async def embed(self, texts: Sequence[str], purpose: Literal["passage", "query"] = "passage") -> list[list[float]]:
        """Return one unit vector for each text, in order. Raises ConfigError and ModelError."""


class Reranker(Protocol):
    """Judges passages against a question."""

    id: str

    async def prepare(self) -> None:
        """Load the model. Raises ConfigError and ModelError."""

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return how well each text answers, in order; more is better, within one call. Raises as `prepare`."""


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What to look for: words, optionally only in some of what is indexed; all that is asked for must hold.

    `doc_types` are kinds of documents; `languages` those that a chunk itself is written in, as `language_of` tells.
    `since` and `until`, both included, are days on which a document was updated: one that does not say is outside.
    `hierarchical`: a passage that is found brings the whole section it stands in (R-11).
    """

    text: str
    doc_types: tuple[str, ...] = ()
    doc_ids: tuple[str, ...] = ()
    limit: int = 8
    hierarchical: bool = False
    languages: tuple[Language, ...] = ()
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found, best first, and how rare each term of the query is."""

    facts: tuple[Fact, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)


class Search(Protocol):
    """Semantic and lexical search over the live generation."""

    async def find(self, query: SearchQuery, audience: Audience) -> Found:
        """Return the facts of the best chunks that the audience may read. Raises SearchError."""


class Graph(Protocol):
    """What the documents' structure says of entities."""

    async def query(self, call: GraphQuery, intent: Intent, audience: Audience) -> Sequence[Fact]:
        """Return the facts that answer the intent for the entity, complete, in document order."""


class Threads(Protocol):
    """The stored conversations, as answering needs them."""

    async def open(self, question: Question) -> Thread | AlreadyAnswered:
        """Return the thread's earlier turns, or that there is nothing to be said any more."""

    async def close(self, question: Question, parts: Sequence[Part], record: TurnRecord | None = None) -> None:
        """Store at once what came of the question, its audit entry and the messages that say it, to be sent.

        `record` is None when it was not answered from documents. Changes nothing when the question is done, or has
        been edited or taken back meanwhile.
        """


class Turns(Threads, Protocol):
    """The stored conversations, as the line needs them."""

    async def pass_over(self, question: Question, because: str) -> None:
        """Store that an overheard message is not for us, and why, without its words."""


class Conversations(Protocol):
    """Which thread a message belongs to."""

    async def thread_of(self, message: MessageRef) -> str | None:
        """Return the thread that a message of ours or of an asker belongs to."""

    async def offered(self, message: MessageRef) -> Offer | None:
        """Return what the reply offers that the message is part of; None while it is made, and for other messages."""

    async def knows(self, thread: str) -> bool:
        """Return whether the thread holds a question that was asked of us."""


class Modes(Protocol):
    """Who is heard in each channel and chat."""

    async def mode(self, platform: str, place: str) -> Mode:
        """Return who is heard there: who mentions us, unless somebody has set another mode."""


class Inbox(Protocol):
    """The questions that were asked of us, shared by all copies of the bot; everything raises StorageError."""

    async def record(self, question: Question, welcome: Callable[[Waiting], Welcome]) -> bool:
        """Store a question with what is said to it at once, given how long the line is; False when it is known."""

    async def edit(self, question: Question) -> Change:
        """Let a known question read so from now on and wait for a new answer, unless this is no news."""

    async def withdraw(self, message: MessageRef, unseen: Question | None = None) -> bool:
        """Forget about the question that the message asked and let its messages go; False when it asked none.

        `unseen`: what it asked, should that be known only later.
        """

    async def question(self, question_id: str, version: int) -> Question | None:
        """Return a question that still wants an answer in this version."""

    async def take(self, limit: int, replica: str, platforms: Sequence[str], settle: float = 0.0) -> list[Question]:
        """Hand out questions in turn, at most one of a thread, places taking turns, none younger than `settle` s."""

    async def working(self, replica: str) -> list[Question]:
        """Return what a replica has taken and not finished."""

    async def give_back(self, question_id: str, version: int, replica: str) -> None:
        """Let a question that the replica had taken wait again."""

    async def take_over(self, replica: str) -> int:
        """Let everything that a replica which is gone had taken wait again."""

    async def oldest(self) -> datetime | None:
        """Return when the question arrived that has been waiting or worked on for longest."""

    async def counts(self) -> tuple[int, int]:
        """Return how many questions wait and how many are worked on."""


class Outbox(Protocol):
    """The messages to be seen, shared by all copies of the bot; everything raises StorageError."""

    async def claim(self, place: Place) -> Claim | None:
        """Return the next message for a place that is due, the messages of a thread in order."""

    async def sent(self, claim: Claim, message: MessageRef | None, *, claim_next: bool = False) -> Claim | None:
        """Note that it is as it was to be, shown by a message of the platform, or by none any more.

        With `claim_next` it returns the next message for the same place, as `claim` does.
        """

    async def later(self, claim: Claim, seconds: float, reason: str, *, whole_place: bool) -> None:
        """Put it back for some time, and all else for its place with it if nothing can be shown there."""

    async def doubted(self, claim: Claim, seconds: float, reason: str, *, anew: bool = False) -> None:
        """Put it back, with the mark that it may stand in the chat already; `anew`: what showed it before is gone."""

    async def refused(self, claim: Claim, reason: str) -> None:
        """Give it up, unless it has been changed meanwhile."""

    async def unknown(self, claim: Claim, note: Body | None) -> None:
        """Give it up because nobody can tell whether it stands in the chat; a note offers to show it after all."""

    async def show_again(self, question_id: str, note: MessageRef) -> bool:
        """Let what is unknown of a reply be shown, its first message in place of the note, or a stray note go."""

    async def rewrite(self, message: MessageRef, change: Callable[[Body], Body]) -> bool:
        """Let a message of ours that stands in a chat say what `change` makes of it; False when nothing changes."""

    async def due(self, platforms: Sequence[str]) -> dict[Place, datetime]:
        """Return each place that has messages waiting, with when the first is due."""

    async def take_over(self, replica: str) -> int:
        """Let what a replica that is gone was sending wait, with the mark that it may have been sent."""

    async def held(self) -> set[int]:
        """Return the numbers of the messages that are ours to show."""

    async def let_go(self, numbers: Collection[int]) -> None:
        """Let messages wait that are ours by an answer of the database that never reached us."""

    async def unsent(self) -> int:
        """Return how many messages are still to be shown."""


class Replicas(Protocol):
    """The copies of the bot that share a database; everything raises StorageError."""

    me: str

    async def beat(self, count: int) -> dict[str, int]:
        """Say that we are alive; return the count of every copy, ours among them."""

    async def leave(self) -> None:
        """Say that we stop; what only we might do is free."""

    async def bury(self, replica: str) -> None:
        """Forget a copy whose work has been taken over."""

    async def lease(self, name: str) -> bool:
        """Return whether we are the one that does this; we become it when nobody is."""

    async def release(self, name: str) -> None:
        """Let somebody else do this."""

    async def strangers(self) -> set[str]:
        """Return who holds a question, a message or a lease without being among the copies any more."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What the live generation knows of names and kinds of question.

    `relations`: the name, source kind and target kind of each that the corpus declares.
    """

    registry: Registry
    intents: tuple[Intent, ...]
    title: str
    doc_types: tuple[str, ...] = ()
    relations: tuple[tuple[str, str, str], ...] = ()
    namesakes: Namesakes = field(default_factory=Namesakes)


class Clock(Protocol):
    """Time, from outside."""

    def now(self) -> datetime:
        """Return the time of day with its zone."""

    def elapsed(self) -> float:
        """Return seconds on a clock that never goes back."""


class Intake(Protocol):
    """Where a platform brings what people do. What raises PortError was not stored: it must not be acknowledged."""

    async def asked(self, question: Question) -> None:
        """Store the question durably; one that is known, by its id or its `resend`, changes nothing but by an edit."""

    async def edited(self, question: Question) -> bool:
        """Store that the question now reads so, and answer it anew in place; False when it is not known as one."""

    async def withdrawn(self, message: MessageRef, question: Question | None = None) -> None:
        """Stop work on the question that the message asked, if it did, and take its answer back.

        `question`: what it asked, if that is known; it may be heard of only after it is gone.
        """

    async def pressed(self, press: Press) -> PressOutcome:
        """Do what a button of ours says, once however often it is pressed; a question that it asks is stored."""

    async def thread_of(self, message: MessageRef) -> str | None:
        """Return the thread that a message of ours or of an asker belongs to."""

    async def commanded(self, command: Command) -> RenderedReply:
        """Do what a person tells us to do, and return what is said to them alone."""

    async def heard(self, aside: Aside) -> Question | None:
        """Return what a message that nobody addressed to us asks of us all the same; None when it is not for us."""


class Platform(Protocol):
    """A place where people ask, and where messages are shown."""

    name: PlatformName
    # Whether a sign that the question has arrived is a message, which the answer then replaces.
    shows_sign: bool
    # Whether of several copies of the bot only one may run it at a time, while all may show messages.
    alone: bool

    def connected(self) -> AbstractAsyncContextManager[None]:
        """Hold the connection over which messages are shown while inside.

        Raises ConfigError for what a person must change, DeliveryError when the platform cannot be reached now.
        """

    async def run(self, intake: Intake, ready: Callable[[str], Awaitable[None]]) -> None:
        """Bring in what people do until cancelled, inside `connected`; `ready` is told once, in words, when it begins.

        Raises as `connected` does.
        """

    def parts(self, reply: RenderedReply) -> tuple[Part, ...]:
        """Return the reply in this platform's messages, the answer's first."""

    def button(self, text: str, button: str, label: str) -> Body:
        """Return a message of one sentence with one button, whose press brings `button` to the intake."""

    def after(self, body: Body, button: str) -> Body:
        """Return a message once a button of it was pressed: others of its kind are gone, and a choice is named."""

    def working(self, question: Question) -> AbstractAsyncContextManager[None]:
        """Let the asker see that somebody is at work while inside, if the platform has a sign for it. Never raises."""

    async def show(self, message: Outgoing) -> Outcome:
        """Post, change or remove the message, once; `Later` when not connected. Never raises PortError."""

    async def find(self, message: Outgoing) -> Seen:
        """Look whether a message of doubtful fate stands in the chat."""

    def health(self) -> Health:
        """Return whether messages reach us."""
