"""The search port: two engines over one generation, fused by a weight that follows the evidence."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from adapters.search.lance import LanceIndex, readable_by
from adapters.search.lexical import LexicalIndex
from adapters.search.lexical_memory import MemoryLexical
from adapters.search.lexical_port import Lexical, Row, Where
from core.conversation import Audience
from core.entities import Registry, asked_terms, named_terms
from core.facts import Fact, Part, Span
from core.ingest.chunk import Chunk, chunks_of
from core.ingest.document import Document
from core.ingest.generation import Tables
from core.ingest.graph import context_of, place_in
from core.ports import Embedder, Found, SearchQuery
from core.text import Untrusted

_PASSAGES = 200
_CANDIDATES = 40
# The lexical list's weight when every rare term of the question is matched; it shrinks with what is not matched.
# 0.5 at full evidence was best on XQuAD in both languages, 0 when no word matches (cross-language questions).
LEXICAL_WEIGHT = 0.5


@dataclass(frozen=True, slots=True)
class Passage:
    """A near passage: where it stands and its cosine to the question."""

    chunk_id: str
    span: Span
    similarity: float


class HybridSearch:
    """Search over the documents of one generation."""

    def __init__(
        self,
        index: LanceIndex,
        tables: Tables,
        documents: Mapping[str, Document],
        registry: Registry,
        embedder: Embedder,
    ) -> None:
        self._index = index
        self._tables = tables
        self._documents = documents
        self._registry = registry
        self._embedder = embedder
        self._loading = asyncio.Lock()
        self._lexical: Lexical | None = None
        self._rows: dict[str, dict[str, Any]] = {}
        self._chunks: dict[str, dict[str, Chunk]] = {}

    async def find(self, query: SearchQuery, audience: Audience) -> Found:
        """Return the facts of the best chunks that the audience may read, best first."""
        lexical = await self._loaded()
        wanted = list(dict.fromkeys(asked_terms(query.text, self._registry)))
        where = Where(audience.groups, frozenset(query.doc_types), frozenset(query.doc_ids))
        weights = await lexical.weights(wanted)
        by_words = await lexical.find(wanted, _CANDIDATES, where)
        passages = await self._passages(query, audience)
        by_meaning: dict[str, float] = {}
        for passage in passages:
            by_meaning[passage.chunk_id] = max(passage.similarity, by_meaning.get(passage.chunk_id, 0.0))
        scores = fuse(by_meaning, by_words, await _matched(lexical, by_words, weights))
        best = sorted(scores, key=lambda id_: -scores[id_])[: query.limit]
        brought = self._with_sections(best) if query.hierarchical else self._with_continuations(best)
        facts = [
            self._fact(id_, max(scores.get(id_, 0.0), scores[leader]), passages) for id_, leader in brought.items()
        ]
        return Found(tuple(facts), weights)

    async def warm(self) -> None:
        """Load the lexical index now."""
        await self._loaded()

    async def _loaded(self) -> Lexical:
        async with self._loading:
            if self._lexical is None:
                rows = await self._index.chunks(self._tables)
                self._rows = {str(row["id"]): row for row in rows}
                self._lexical = MemoryLexical(await asyncio.to_thread(_indexed, rows))
            return self._lexical

    async def _passages(self, query: SearchQuery, audience: Audience) -> list[Passage]:
        [vector] = await self._embedder.embed([query.text], "query")
        where = readable_by(audience.groups, query.doc_types, query.doc_ids)
        rows = await self._index.nearest(self._tables, vector, where, _PASSAGES)
        return [Passage(r["chunk_id"], Span(r["start"], r["end"]), 1.0 - float(r["_distance"])) for r in rows]

    def _with_continuations(self, best: Sequence[str]) -> dict[str, str]:
        """Return the chunks with all of their list or table, in reading order, each with the chunk that brought it."""
        brought: dict[str, str] = {}
        for id_ in best:
            chunks = self._chunks_of(str(self._rows[id_]["doc_id"]))
            own = self._series(chunks[id_])
            for chunk in chunks.values():
                if chunk.id == id_ or own & self._series(chunk):
                    brought.setdefault(chunk.id, id_)
        return brought

    def _with_sections(self, best: Sequence[str]) -> dict[str, str]:
        """Return the chunks with all of the section they stand in, in reading order, each with what brought it."""
        brought: dict[str, str] = {}
        for id_ in best:
            chunks = self._chunks_of(str(self._rows[id_]["doc_id"]))
            section = chunks[id_].headings[:1]
            for chunk in chunks.values():
                if chunk.headings[:1] == section:
                    brought.setdefault(chunk.id, id_)
        return brought

    def _series(self, chunk: Chunk) -> set[int]:
        blocks = self._documents[chunk.doc_id].blocks
        return {
            series
            for i in chunk.blocks
            if (series := blocks[i].series) is not None and blocks[i].kind in ("item", "row")
        }

    def _chunks_of(self, doc_id: str) -> dict[str, Chunk]:
        if doc_id not in self._chunks:
            self._chunks[doc_id] = {chunk.id: chunk for chunk in chunks_of(self._documents[doc_id])}
        return self._chunks[doc_id]

    def _fact(self, chunk_id: str, score: float, passages: Sequence[Passage]) -> Fact:
        document = self._documents[str(self._rows[chunk_id]["doc_id"])]
        chunk = self._chunks_of(document.id)[chunk_id]
        near = {p.span: p.similarity for p in passages if p.chunk_id == chunk_id}
        far = min((p.similarity for p in passages), default=0.0)
        parts = tuple(self._weighed(part, document, near.get(part.span, far)) for part in parts_of(chunk, document))
        span = Span(chunk.start, chunk.end)
        return Fact(
            text=Untrusted(span.within(document.text)),
            source=document.source(),
            span=span,
            chunk_id=chunk_id,
            place=place_in(document.blocks[chunk.blocks[0]]),
            parts=parts,
            around=frozenset(named_terms(context_of(document, chunk.headings), self._registry)),
            score=score,
        )

    def _weighed(self, part: Part, document: Document, similarity: float) -> Part:
        words = f"{' '.join(part.labels)} {part.span.within(document.text)}"
        return replace(part, similarity=similarity, terms=frozenset(named_terms(words, self._registry)))


def _indexed(rows: Sequence[Mapping[str, Any]]) -> LexicalIndex:
    return LexicalIndex.of(
        Row(str(row["id"]), str(row["tokens"]).split(), row["doc_id"], row["kind"], frozenset(row["readers"] or ()))
        for row in rows
    )


async def _matched(lexical: Lexical, by_words: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Return the share of the question's rare terms that the lexically best chunk holds."""
    total = sum(weights.values())
    if not by_words or not total:
        return 0.0
    held = await lexical.terms_in(next(iter(by_words)), weights.keys())
    return sum(weight for term, weight in weights.items() if term in held) / total


def fuse(by_meaning: Mapping[str, float], by_words: Mapping[str, float], matched: float) -> dict[str, float]:
    """Return the convex fusion of both lists; `matched` says how much the words deserve to vote."""
    weight = LEXICAL_WEIGHT * matched
    # What matches in half of all chunks and more has no score, or one below nothing.
    words = {id_: max(0.0, score) for id_, score in by_words.items()}
    top = max(words.values(), default=0.0) or 1.0
    high, low = max(by_meaning.values(), default=0.0), min(by_meaning.values(), default=0.0)
    spread = (high - low) or 1.0
    ids = [*by_meaning, *(id_ for id_ in by_words if id_ not in by_meaning)]
    return {
        id_: (1 - weight) * max(0.0, (by_meaning.get(id_, low) - low) / spread) + weight * words.get(id_, 0.0) / top
        for id_ in ids
    }


def parts_of(chunk: Chunk, document: Document) -> tuple[Part, ...]:
    """Return the passages of a chunk with what their blocks say of them."""
    parts = []
    for span in chunk.passages:
        index = next(i for i in chunk.blocks if document.blocks[i].start <= span.start < document.blocks[i].end)
        block = document.blocks[index]
        kind = "paragraph" if block.kind == "heading" else block.kind
        parts.append(Part(span, kind, index, block.series, tuple(map(Untrusted, block.labels))))
    return tuple(parts)
