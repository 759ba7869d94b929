"""What the core asks of the outside, as narrow as it can be."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, Literal, Protocol

from core.conversation import (
    AlreadyAnswered,
    Audience,
    Question,
    Thread,
)
from core.delivery import Part
from core.entities import Registry
from core.facts import Fact
from core.namesakes import Namesakes, View
from core.plan import GraphQuery, Intent
from core.text import Language
from core.turn import TurnRecord

# Hears a reply as it grows, always from its beginning. It returns at once.
Hear = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Citable:
    """A fact as a provider takes documents that its models cite: what can be cited of it, part by part."""

    fact: int
    title: str
    place: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AsDocuments:
    """The same request for a model that cites documents by itself: it writes plain text, and its citations prove it."""

    system: str
    user: str
    documents: tuple[Citable, ...]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call to a language model; the reply must be JSON that fits `schema`.

    `as_documents`: the same for a provider that cites, whose citations are put in that form.
    """

    role: Literal["planner", "answer"]
    system: str
    user: str
    schema: Mapping[str, Any]
    max_tokens: int
    name: str = "reply"
    # What in `user` is new each time, so that no page can know it.
    marker: str = ""
    # Hears the reply while it is written, anew when it is asked for anew; of a recorded reply it hears nothing.
    hear: Hear | None = field(default=None, compare=False, repr=False)
    as_documents: Callable[[], AsDocuments] | None = field(default=None, compare=False, repr=False)
    # How many facts it holds, the most telling first, and the same request with the first few alone.
    facts: int = 0
    shorter: "Callable[[int], ModelRequest] | None" = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model said, which model it was and what it cost, in tokens and in US dollars; 0 when nobody knows.

    `unread`: how many of the request's facts it was not shown, because its window does not hold them.
    """

    text: str
    model: str
    tokens: int = 0
    cost: float = 0.0
    unread: int = 0


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

    async def embed(
        self, texts: Sequence[str], purpose: Literal["passage", "query"] = "passage"
    ) -> Sequence[Sequence[float]]:
        """Return one unit vector for each text, in order. Raises ConfigError and ModelError."""


class Reranker(Protocol):
    """Judges passages against a question."""

    id: str

    async def prepare(self) -> None:
        """Load the model. Raises ConfigError and ModelError."""

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return how well each text answers, in order; more is better, within one call. Raises as `prepare`."""


class Entailment(Protocol):
    """Judges whether one text follows from another."""

    id: str

    async def prepare(self) -> None:
        """Load the model. Raises PortError."""

    async def entailed(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return how likely it is, from 0 to 1, that each premise entails its hypothesis, in order. Raises PortError.

        A pair is a premise and a hypothesis; neither is ever obeyed.
        """


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


class NamesByReader(Protocol):
    """The names of a corpus by who may know them."""

    def seen_by(self, audience: Audience) -> View:
        """Return what the audience knows; it does not depend on any document that it may not read."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What the live generation knows of names and kinds of question.

    `relations`: the name, source kind and target kind of each that the corpus declares. `names` are the names by who
    may know them; `closed` the documents that are not for everybody, with their readers; `generation` its number,
    and `size` how many documents it has.
    """

    registry: Registry
    intents: tuple[Intent, ...]
    title: str
    doc_types: tuple[str, ...] = ()
    relations: tuple[tuple[str, str, str], ...] = ()
    namesakes: Namesakes = field(default_factory=Namesakes)
    names: NamesByReader | None = None
    closed: Mapping[str, frozenset[str]] = field(default_factory=dict)
    generation: int = 0
    size: int = 0

    def seen_by(self, audience: Audience) -> "Knowledge":
        """Return what the audience may know of it: a name from a document that it may not read is none."""
        if self.names is None:
            return self
        view = self.names.seen_by(audience)
        return replace(self, registry=view.registry, namesakes=view.namesakes)

    def readable(self, audience: Audience) -> int:
        """Return how many documents the audience may read."""
        return self.size - sum(not audience.may_read(readers) for readers in self.closed.values())

    def may_read(self, doc_ids: Iterable[str], audience: Audience) -> bool:
        """Return whether the audience may read every one of the documents, as far as they are still there."""
        return all(audience.may_read(self.closed.get(one, frozenset())) for one in doc_ids)


class Clock(Protocol):
    """Time, from outside."""

    def now(self) -> datetime:
        """Return the time of day with its zone."""

    def elapsed(self) -> float:
        """Return seconds on a clock that never goes back."""
