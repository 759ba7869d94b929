"""A document as it was understood: its chunks, the names in it and how they were matched, and its edges."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from rapidfuzz import fuzz, process

from core.entities import Entity, EntityMatch, Registry, resolve_entities
from core.facts import Span
from core.ingest.addresses import searched, title_key
from core.ingest.chunk import Chunk, chunks_of, passages_in
from core.ingest.corpus import CorpusGraph
from core.ingest.document import Document
from core.ingest.edges import Edge, Mention
from core.ingest.statements import BETWEEN_DOCUMENTS
from core.outward import address_of
from core.text import Language, language_of, normalise

How = Literal["as written", "in another form", "as it sounds", "misspelt"]

# Confidence from which a name stands there as the registry knows it; below, in the other alphabet; then misspelt.
_WRITTEN, _SOUNDS = 1.0, 0.9
# Suggestions, and how alike (of 100) a name must be to what was asked for.
_SUGGESTIONS, _ALIKE = 8, 60
_TOLD_BY = 4_000


@dataclass(frozen=True, slots=True)
class Resolved:
    """An entity that a document names: the words that stand for it, how surely, and every place."""

    entity: Entity
    words: tuple[str, ...]
    how: How
    confidence: float
    places: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Tie:
    """An edge in words: what its ends are called, and the text that proves it."""

    edge: Edge
    subject: str
    object: str
    proof: str


@dataclass(frozen=True, slots=True)
class Way:
    """A link that leads to no document of the index: out to an address, or `lost`, where nothing is."""

    words: str
    target: str
    span: Span
    lost: bool


@dataclass(frozen=True, slots=True)
class Portrait:
    """All that the index holds of a document."""

    document: Document
    language: Language
    chunks: tuple[Chunk, ...]
    named: tuple[Resolved, ...]
    ties: tuple[Tie, ...]
    ways: tuple[Way, ...] = ()

    @property
    def passages(self) -> int:
        """How many passages have a vector."""
        return sum(len(passages_in(chunk, self.document)) for chunk in self.chunks)


def portrait_of(document: Document, graph: CorpusGraph) -> Portrait:
    """Return the document as the graph's generation holds it; names most often named first, edges in reading order."""
    said = graph.said[document.id]
    named = _named(document, said.mentions, graph.registry)
    ties = tuple(_tie(edge, graph) for edge in said.edges)
    ways = tuple(_ways(document, said.edges))
    return Portrait(document, language_of(document.text[:_TOLD_BY]), chunks_of(document), named, ties, ways)


def called(id_: str, graph: CorpusGraph) -> str:
    """Return what an entity or a document is called; of anything else the words are its name."""
    if entity := graph.registry.entities.get(id_):
        return entity.name
    return graph.documents[id_].title if id_ in graph.documents else id_


def how_matched(match: EntityMatch, words: str) -> How:
    """Return in words why the words were taken for the entity."""
    if match.confidence >= _WRITTEN:
        names = {normalise(name) for name in match.entity.names}
        return "as written" if normalise(words) in names else "in another form"
    return "as it sounds" if match.confidence >= _SOUNDS else "misspelt"


def _named(document: Document, mentions: Iterable[tuple[str, Mention]], registry: Registry) -> tuple[Resolved, ...]:
    """Return what the graph's mentions name. The names were found sentence by sentence, and so they are again."""
    matches: dict[str, list[tuple[EntityMatch, Span]]] = defaultdict(list)
    read: dict[Span, tuple[EntityMatch, ...]] = {}
    for id_, mention in mentions:
        if mention.span not in read:
            read[mention.span] = resolve_entities(mention.span.within(document.text), registry, typos=False)
        start = mention.span.start
        own = (match for match in read[mention.span] if match.entity.id == id_)
        matches[id_] += [(match, Span(start + match.start, start + match.end)) for match in own]
    named = [_one_named(document, found) for found in matches.values() if found]
    return tuple(sorted(named, key=lambda one: -len(one.places)))


def _one_named(document: Document, found: Sequence[tuple[EntityMatch, Span]]) -> Resolved:
    best, at = max(found, key=lambda pair: pair[0].confidence)
    words = tuple(dict.fromkeys(span.within(document.text) for _, span in found))
    how = how_matched(best, at.within(document.text))
    return Resolved(best.entity, words, how, best.confidence, tuple(span for _, span in found))


def _tie(edge: Edge, graph: CorpusGraph) -> Tie:
    proof = edge.span.within(graph.documents[edge.doc_id].text)
    return Tie(edge, called(edge.source, graph), called(edge.target, graph), proof)


def _ways(document: Document, edges: Sequence[Edge]) -> Iterator[Way]:
    tied = {edge.span for edge in edges if edge.relation in BETWEEN_DOCUMENTS}
    for block in document.blocks:
        for link in block.links:
            if link.span not in tied and block.span not in tied:
                address = address_of(link)
                yield Way(
                    link.span.within(document.text), address or unquote(link.target), link.span, lost=address is None
                )


@dataclass(frozen=True, slots=True)
class Several:
    """Documents that may be meant, the likeliest first; `exact`: every one of them fits what was asked for."""

    documents: tuple[Document, ...]
    exact: bool


def looked_up(words: str, graph: CorpusGraph) -> Document | Several:
    """Return the document meant by an id, a path, a name or a title in any form, or a part of these; else what may be.

    An id counts before a name, a name before a part of one.
    """
    wanted = words.strip().removeprefix("./")
    if wanted in graph.documents:
        return graph.documents[wanted]
    for key in (*searched(wanted, ""), title_key(wanted)) if wanted else ():
        if found := graph.addresses.get(key):
            return _one_of(tuple(graph.documents[id_] for id_ in found))
    folded = normalise(wanted)
    parts = [one for one in graph.documents.values() if folded and any(folded in name for name in _names(one))]
    return _one_of(tuple(parts)) if parts else Several(_alike(folded, graph), exact=False)


def _one_of(found: tuple[Document, ...]) -> Document | Several:
    return found[0] if len(found) == 1 else Several(found, exact=True)


def _names(document: Document) -> tuple[str, ...]:
    return tuple(map(normalise, (document.id, document.title, *document.aliases)))


def _alike(folded: str, graph: CorpusGraph) -> tuple[Document, ...]:
    names = [(name, document) for document in graph.documents.values() for name in _names(document)]
    best = process.extract(
        folded, [name for name, _ in names], scorer=fuzz.WRatio, limit=3 * _SUGGESTIONS, score_cutoff=_ALIKE
    )
    return tuple({names[place][1].id: names[place][1] for _, _, place in best}.values())[:_SUGGESTIONS]
