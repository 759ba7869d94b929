"""From chunks that were found to facts: what belongs to a chunk comes with it, whole and in reading order."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from core.asking import DOUBTFUL, asked_for, holds
from core.entities import Registry, named_terms
from core.facts import Fact, Part, Span
from core.ingest.chunk import Chunk, chunks_of, passages_of
from core.ingest.document import Document
from core.ingest.graph import context_of, place_in
from core.outward import outward, words_for
from core.text import Untrusted

T = TypeVar("T")
# Documents whose chunks, and chunks whose facts, are remembered: some megabytes of what was asked for last.
_DOCUMENTS, _FACTS = 256, 2_000
# Chunks that come along from the document of the best one: most pages that answer one question are no longer.
_BESIDE = 6


@dataclass(frozen=True, slots=True)
class Opened:
    """A document in chunks: each by its id, those of each list or table, and those of each section."""

    document: Document
    chunks: Mapping[str, Chunk]
    by_series: Mapping[int, list[Chunk]]
    by_section: Mapping[tuple[str, ...], list[Chunk]]

    def with_continuations(self, id_: str) -> list[Chunk]:
        """Return the chunk with all of its list or table, in reading order."""
        chunk = self.chunks[id_]
        found = {each.n: each for series in _series(chunk, self.document) for each in self.by_series[series]}
        return [each for _, each in sorted({**found, chunk.n: chunk}.items())]

    def with_section(self, id_: str) -> list[Chunk]:
        """Return the chunk with all of the section that it stands in, in reading order."""
        return self.by_section[self.chunks[id_].headings[:1]]


@dataclass(eq=False)
class Bringer:
    """Facts out of the documents of one generation; what was made last is remembered."""

    documents: Mapping[str, Document]
    registry: Registry
    _opened: OrderedDict[str, Opened] = field(default_factory=OrderedDict, init=False)
    _facts: OrderedDict[str, Fact] = field(default_factory=OrderedDict, init=False)

    def brought(self, homes: Mapping[str, str], *, hierarchical: bool) -> list[tuple[Chunk, str]]:
        """Return the chunks and what comes with them, each with the chunk that brought it, best first.

        `homes`: the document of each chunk that was found.
        """
        brought: dict[str, tuple[Chunk, str]] = {}
        for id_, doc_id in homes.items():
            opened = self.open(doc_id)
            for chunk in opened.with_section(id_) if hierarchical else opened.with_continuations(id_):
                brought.setdefault(chunk.id, (chunk, id_))
        return list(brought.values())

    def beside(
        self, brought: Sequence[tuple[Chunk, str]], near: Mapping[str, Mapping[Span, float]], question: str = ""
    ) -> tuple[Chunk, ...]:
        """Return what else the document of the best chunk says: the parts nearest to the question, in reading order.

        The best chunk tells that the page is about what is asked; what it says of it may stand under another heading,
        first of all why something is so under one that names a cause.
        """
        held = {chunk.id for chunk, _ in brought}
        others = [chunk for id_, chunk in self.open(brought[0][0].doc_id).chunks.items() if id_ not in held]
        nearest = sorted(others, key=lambda chunk: (-max(near.get(chunk.id, {}).values(), default=0.0), chunk.n))
        pages = dict.fromkeys(chunk.doc_id for chunk, _ in brought)
        telling = (chunk for page in pages for chunk in self.open(page).chunks.values() if tells(chunk, question))
        found = [*telling, *sorted(nearest[:_BESIDE], key=lambda chunk: chunk.n)]
        return tuple(chunk for chunk in dict.fromkeys(found) if chunk.id not in held)

    def fact(self, chunk: Chunk, score: float, near: Mapping[Span, float], far: float) -> Fact:
        """Return the chunk as a fact. `near`: how similar its near passages are; `far`: how similar others may be."""
        known = self._facts.get(chunk.id)
        if known is None:
            known = self._fact(chunk)
        _remember(self._facts, chunk.id, known, _FACTS)
        parts = tuple(_as_near(part, near.get(part.span, far)) for part in known.parts)
        return replace(known, parts=parts, score=score)

    def open(self, doc_id: str) -> Opened:
        """Return the document in chunks."""
        opened = self._opened.get(doc_id) or _opened(self.documents[doc_id])
        _remember(self._opened, doc_id, opened, _DOCUMENTS)
        return opened

    def _fact(self, chunk: Chunk) -> Fact:
        document = self.documents[chunk.doc_id]
        span = Span(chunk.start, chunk.end)
        return Fact(
            text=Untrusted(span.within(document.text)),
            source=document.source(),
            span=span,
            chunk_id=chunk.id,
            place=place_in(document.blocks[chunk.blocks[0]]),
            parts=tuple(self._with_terms(part, document) for part in parts_of(chunk, document)),
            around=frozenset(named_terms(context_of(document, chunk.headings), self.registry)),
            links=outward((link for place in chunk.blocks for link in document.blocks[place].links), span),
        )

    def _with_terms(self, part: Part, document: Document) -> Part:
        leads = words_for(document.blocks[part.block].links, part.span)
        words = f"{' '.join(part.labels)} {part.span.within(document.text)} {leads}"
        return replace(part, terms=frozenset(named_terms(words, self.registry)))


def _as_near(part: Part, similarity: float) -> Part:
    """Return the part with its similarity; a question has hundreds of them, and `replace` takes five times as long."""
    if part.similarity == similarity:
        return part
    return Part(part.span, part.kind, part.block, part.series, part.labels, similarity, part.terms, part.page)


def tells(chunk: Chunk, question: str) -> bool:
    """Return whether the chunk stands under a heading that names what is asked for, where words seldom show it: why."""
    sort = asked_for(question)
    return sort in DOUBTFUL and sort is not None and any(holds(one, sort) for one in chunk.headings[-1:])


def parts_of(chunk: Chunk, document: Document) -> tuple[Part, ...]:
    """Return the passages of a chunk with what their blocks say of them."""
    parts: list[Part] = []
    for index in chunk.blocks:
        block = document.blocks[index]
        kind = "paragraph" if block.kind == "heading" else block.kind
        labels = tuple(map(Untrusted, block.labels))
        spans = passages_of(document.text, block)
        parts += [Part(span, kind, index, block.series, labels, page=block.page) for span in spans]
    return tuple(parts)


def _opened(document: Document) -> Opened:
    chunks = chunks_of(document)
    by_series: dict[int, list[Chunk]] = {}
    by_section: dict[tuple[str, ...], list[Chunk]] = {}
    for chunk in chunks:
        by_section.setdefault(chunk.headings[:1], []).append(chunk)
        for series in _series(chunk, document):
            by_series.setdefault(series, []).append(chunk)
    return Opened(document, {chunk.id: chunk for chunk in chunks}, by_series, by_section)


def _series(chunk: Chunk, document: Document) -> set[int]:
    blocks = (document.blocks[place] for place in chunk.blocks)
    return {block.series for block in blocks if block.series is not None and block.kind in ("item", "row")}


def _remember(known: "OrderedDict[str, T]", key: str, value: T, most: int) -> None:
    known[key] = value
    known.move_to_end(key)
    if len(known) > most:
        known.popitem(last=False)


def near_by_chunk(passages: Iterable[tuple[str, Span, float]]) -> dict[str, dict[Span, float]]:
    """Return how similar the near passages of each chunk are."""
    near: dict[str, dict[Span, float]] = {}
    for chunk_id, span, similarity in passages:
        near.setdefault(chunk_id, {})[span] = similarity
    return near
