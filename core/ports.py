"""What the core asks of the outside, as narrow as it can be."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from core.conversation import AlreadyAnswered, Audience, MessageRef, Question, Thread
from core.entities import Registry
from core.facts import Fact
from core.plan import GraphQuery, Intent
from core.reply import RenderedReply
from core.turn import TurnRecord


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
    """What a model said, which model it was and what it cost in tokens."""

    text: str
    model: str
    tokens: int = 0


class LanguageModel(Protocol):
    """A chain of language models for each role."""

    def offers(self, role: Literal["planner", "answer"]) -> bool:
        """Return whether a model is configured for the role."""

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the first reply of the chain. Raises ModelError when every model of it failed."""


class Embedder(Protocol):
    """Turns text into unit vectors."""

    id: str
    dimension: int

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one unit vector for each text."""


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What to look for: words, optionally only in documents of some kinds or in some documents.

    `hierarchical`: a passage that is found brings the whole section it stands in (R-11).
    """

    text: str
    doc_types: tuple[str, ...] = ()
    doc_ids: tuple[str, ...] = ()
    limit: int = 8
    hierarchical: bool = False


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
    """The stored conversations."""

    async def record(self, question: Question) -> bool:
        """Store the question durably; return False when it is already known."""

    async def open(self, question: Question) -> Thread | AlreadyAnswered:
        """Return the thread's earlier turns, or that this question is done."""

    async def close(self, record: TurnRecord) -> None:
        """Store the finished turn."""

    async def delivered(self, question: Question, messages: Sequence[MessageRef]) -> None:
        """Remember which messages carry the answer, so that replies to them find the thread."""

    async def thread_of(self, message: MessageRef) -> str | None:
        """Return the key of the thread that a message of ours or of a user belongs to."""

    async def knows(self, thread: str) -> bool:
        """Return whether the thread holds a question that was asked of us."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What the live generation knows of names and kinds of question."""

    registry: Registry
    intents: tuple[Intent, ...]
    title: str
    doc_types: tuple[str, ...] = ()


class Audit(Protocol):
    """What happened, for admins."""

    async def record(self, record: TurnRecord) -> None:
        """Append one finished turn."""


class Clock(Protocol):
    """Time, from outside."""

    def now(self) -> datetime:
        """Return the time of day with its zone."""

    def elapsed(self) -> float:
        """Return seconds on a clock that never goes back."""


class Answerer(Protocol):
    """What a platform may ask of the bot."""

    async def record(self, question: Question) -> bool:
        """Store the question durably, before it is acknowledged; False: it is already known."""

    async def answer(self, question: Question) -> RenderedReply | None:
        """Return the reply, or None when the question has been answered before. Never raises PortError."""

    async def delivered(self, question: Question, messages: Sequence[MessageRef]) -> None:
        """Remember the messages that carry the reply."""

    async def thread_of(self, message: MessageRef) -> str | None:
        """Return the thread that a message belongs to."""

    async def knows(self, thread: str) -> bool:
        """Return whether the thread is a conversation with us."""


class Platform(Protocol):
    """A place where people ask."""

    name: str

    async def run(self, answerer: Answerer, ready: Callable[[str], Awaitable[None]]) -> None:
        """Serve until cancelled; `ready` is told once, in words, when questions can arrive."""
