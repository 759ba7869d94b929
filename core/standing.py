"""Where a document stands in the search for a question, word by word and engine by engine."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.entities import EntityMatch, Registry, name_term, resolve_entities
from core.facts import FactsPayload, Span
from core.ingest.document import Document
from core.plan import DocumentSearch
from core.planner import Planned
from core.text import normalise, terms, words

_RARE = 0.05


@dataclass(frozen=True, slots=True)
class AskedWord:
    """A word of a question, or the words of a name, with the terms that search looks for; none for a stop word."""

    words: str
    terms: tuple[str, ...]
    match: EntityMatch | None = None


def asked_words(text: str, registry: Registry) -> tuple[AskedWord, ...]:
    """Return the question word by word; their terms together are those that `asked_terms` gives."""
    return tuple(_asked_words(text, registry))


def _asked_words(text: str, registry: Registry) -> Iterator[AskedWord]:
    end = 0
    for match in resolve_entities(text, registry):
        yield from _plain(text[end : match.start])
        yield AskedWord(text[match.start : match.end], (name_term(match.entity.id),), match)
        end = match.end
    yield from _plain(text[end:])


def _plain(text: str) -> Iterator[AskedWord]:
    for word in words(normalise(text)):
        yield AskedWord(word, tuple(terms(word)))


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the question: how much it weighs, and how many chunks of the corpus hold it."""

    term: str
    weight: float
    held: int

    def is_rare(self, chunks: int) -> bool:
        """Return whether so few of the chunks hold it that it says much about what is meant."""
        return 0 < self.held <= max(1.0, _RARE * chunks)


@dataclass(frozen=True, slots=True)
class Placed:
    """What an engine says of a chunk: its score, and its place among all chunks, from 1; None: not among the best."""

    rank: int | None
    score: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk as each engine sees it; None: the engine finds nothing in it. `terms`: those of the question in it.

    `fused` is None for a chunk that neither engine has among its best.
    """

    chunk_id: str
    doc_id: str
    headings: tuple[str, ...]
    span: Span
    terms: frozenset[str]
    by_words: Placed | None
    by_meaning: Placed | None
    fused: Placed | None


@dataclass(frozen=True, slots=True)
class Listed:
    """What an engine brought: how many chunks, and the score of the last."""

    count: int = 0
    last: float = 0.0


@dataclass(frozen=True, slots=True)
class Standing:
    """How a search went: its terms, its best chunks, and those of the document asked about, best first.

    `matched`: the share of the question's rare terms that the best chunk by words holds; so much do words count.
    """

    query: DocumentSearch
    terms: tuple[Term, ...]
    chunks: int
    matched: float
    by_words: Listed
    by_meaning: Listed
    fused: int
    best: tuple[Candidate, ...]
    own: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True)
class Why:
    """All that is known of why a document is found for a question, or not."""

    asked: tuple[AskedWord, ...]
    planned: Planned
    payload: FactsPayload
    standing: Standing
    groups: frozenset[str]
    document: Document | None = None
