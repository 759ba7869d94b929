"""The search port: two engines over one generation, fused by a weight that follows the evidence."""

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from adapters.search.bringing import Bringer, near_by_chunk, tells
from adapters.search.fusion import fused, pooled
from adapters.search.lance import LanceIndex
from adapters.search.lexical import LexicalIndex
from adapters.search.lexical_memory import MemoryLexical
from adapters.search.lexical_port import Lexical, Row, Where
from core.conversation import Audience
from core.entities import Registry, asked_terms
from core.errors import BotError, SearchError
from core.facts import Span
from core.ingest.document import Document
from core.ingest.generation import Tables
from core.known import Names
from core.ports import Embedder, Found, Reranker, SearchQuery

log = logging.getLogger("footnote")

# What stands beside the best chunk in its document counts this share of it.
_BESIDE = 0.5
_PASSAGES = 200
_CANDIDATES = 40
# Chunks that a reranker judges, and the seconds that it may take for them.
_JUDGED, _JUDGING = 20, 3.0


@dataclass(frozen=True, slots=True)
class Passage:
    """A near passage: where it stands and its cosine to the question."""

    chunk_id: str
    doc_id: str
    span: Span
    similarity: float


@dataclass(frozen=True, slots=True)
class Ranks:
    """Chunks with their scores, more is better: as each engine has them and fused. `weights`: how rare each term is."""

    by_meaning: Mapping[str, float]
    by_words: Mapping[str, float]
    fused: Mapping[str, float]
    weights: Mapping[str, float]
    passages: tuple[Passage, ...]


@dataclass(eq=False)
class HybridSearch:
    """Search over the documents of one generation, which lie in tables; by words in them too, or in memory.

    `before`: the lexical index of another generation, and the documents in which this one differs from it. `names`: by
    which of the names in a question its audience may find anything; without them by all.
    """

    index: LanceIndex
    tables: Tables
    documents: Mapping[str, Document]
    registry: Registry
    embedder: Embedder
    reranker: Reranker | None = None
    before: tuple[LexicalIndex, frozenset[str]] | None = None
    names: Names | None = None
    _loading: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    _lexical: Lexical | None = field(default=None, init=False)
    _bringer: Bringer = field(init=False)

    def __post_init__(self) -> None:
        self._bringer = Bringer(self.documents, self.registry)

    async def find(self, query: SearchQuery, audience: Audience) -> Found:
        """Return the facts of the best chunks that the audience may read, best first. Raises SearchError."""
        ranks = await self.rank(query, audience)
        scores = await self._reranked(query.text, ranks) if self.reranker else ranks.fused
        best = list(in_one_order(scores))[: query.limit]
        near = near_by_chunk((each.chunk_id, each.span, each.similarity) for each in ranks.passages)
        brought = self._bringer.brought(await self._homes(best, ranks), hierarchical=query.hierarchical)
        beside = self._bringer.beside(brought, near, query.text) if brought and not query.hierarchical else ()
        far = min((passage.similarity for passage in ranks.passages), default=0.0)
        least = _BESIDE * scores[best[0]] if best else 0.0
        facts = [
            self._bringer.fact(
                chunk,
                max(scores.get(chunk.id, 0.0), scores[leader], least if tells(chunk, query.text) else 0.0),
                near.get(chunk.id, {}),
                far,
            )
            for chunk, leader in brought
        ]
        facts += [
            self._bringer.fact(chunk, max(scores.get(chunk.id, 0.0), least), near.get(chunk.id, {}), far)
            for chunk in beside
        ]
        return Found(tuple(facts), ranks.weights)

    async def rank(self, query: SearchQuery, audience: Audience) -> Ranks:
        """Return what each engine found among the chunks that the audience may read, and the fusion of both."""
        lexical = await self._loaded()
        where = where_of(query, audience)
        wanted = list(dict.fromkeys(asked_terms(query.text, self._names_for(audience))))
        passages, worded, weights = await asyncio.gather(
            self._passages(query.text, where), lexical.find(wanted, _CANDIDATES, where), lexical.weights(wanted, where)
        )
        by_words = in_one_order(worded)
        by_meaning = pooled((passage.chunk_id, passage.similarity) for passage in passages)
        scores = await fused(by_meaning, by_words, lexical, weights)
        return Ranks(by_meaning, by_words, scores, weights, tuple(passages))

    def _names_for(self, audience: Audience) -> Registry:
        return self.names.seen_by(audience).registry if self.names else self.registry

    async def lexical(self) -> Lexical:
        """Return the engine that searches by words, loaded. Raises SearchError."""
        return await self._loaded()

    def changed(
        self,
        tables: Tables,
        documents: Mapping[str, Document],
        registry: Registry,
        ids: Collection[str],
        names: Names | None = None,
    ) -> "HybridSearch":
        """Return the search over a generation that differs from this one in the documents `ids` alone.

        They were added, changed or removed; the registry must know the same names. What is loaded here is taken over
        when the new search loads, at its first question or by `warm`; this one goes on as it is.
        """
        loaded = self._lexical
        before = (loaded.index, frozenset(ids)) if isinstance(loaded, MemoryLexical) else None
        return HybridSearch(self.index, tables, documents, registry, self.embedder, self.reranker, before, names)

    async def warm(self) -> None:
        """Load what searches need now. Raises SearchError."""
        await self._loaded()

    async def _loaded(self) -> Lexical:
        async with self._loading:
            if self._lexical is None:
                self._lexical = await (self._in_tables() if self.index.full_text else self._in_memory())
            return self._lexical

    async def _in_tables(self) -> Lexical:
        if not await self.index.ready(self.tables):
            raise SearchError("the index was not built for LEXICAL_ENGINE=lance; build it again with: footnote index")
        return self.index.lexical(self.tables)

    async def _in_memory(self) -> Lexical:
        rows = await self.index.chunks(self.tables, self.before[1] if self.before else None)
        lexical = MemoryLexical(await asyncio.to_thread(_indexed, rows, self.before))
        self.before = None
        return lexical

    async def _passages(self, text: str, where: Where) -> list[Passage]:
        [vector] = await self.embedder.embed([text], "query")
        found = await self.index.nearest(self.tables, vector, where, _PASSAGES)
        return [Passage(near.chunk_id, near.doc_id, Span(near.start, near.end), 1.0 - near.distance) for near in found]

    async def _homes(self, ids: Sequence[str], ranks: Ranks) -> dict[str, str]:
        """Return the document of each chunk, in order."""
        homes = {passage.chunk_id: passage.doc_id for passage in ranks.passages}
        others = await (await self._loaded()).documents_of([id_ for id_ in ids if id_ not in homes])
        return {id_: homes[id_] if id_ in homes else others[id_] for id_ in ids}

    async def _reranked(self, question: str, ranks: Ranks) -> Mapping[str, float]:
        """Return the scores with the best chunks in the reranker's order; as they were when it fails or is too slow.

        The best of them gets the highest score, and so on: scores keep saying how well the question is met at all.
        """
        best = sorted(ranks.fused, key=lambda id_: -ranks.fused[id_])[:_JUDGED]
        try:
            texts = [self._text(id_, doc_id) for id_, doc_id in (await self._homes(best, ranks)).items()]
            judged = await asyncio.wait_for(self._judge(question, texts), _JUDGING)
        except (BotError, TimeoutError) as error:
            log.warning("Reranking failed, the order stays as it was: %s", error or f"it took over {_JUDGING:g} s")
            return ranks.fused
        order = sorted(range(len(best)), key=lambda place: -judged[place])
        return {**ranks.fused, **{best[place]: ranks.fused[best[rank]] for rank, place in enumerate(order)}}

    async def _judge(self, question: str, texts: Sequence[str]) -> list[float]:
        return await self.reranker.rerank(question, texts) if self.reranker else []

    def _text(self, id_: str, doc_id: str) -> str:
        opened = self._bringer.open(doc_id)
        chunk = opened.chunks[id_]
        above = " — ".join((opened.document.title, *chunk.headings))
        return f"{above}\n{opened.document.text[chunk.start : chunk.end]}"


def where_of(query: SearchQuery, audience: Audience) -> Where:
    """Return the filter for what the audience may read of what is asked for."""
    return Where(
        audience.names,
        frozenset(query.doc_types),
        frozenset(query.doc_ids),
        frozenset(query.languages),
        query.since,
        query.until,
    )


def _indexed(
    rows: Sequence[Mapping[str, Any]], before: tuple[LexicalIndex, frozenset[str]] | None = None
) -> LexicalIndex:
    """Return the index of the rows, in place of those of some documents if there is one before."""
    coming = (row_of(row) for row in rows)
    if before is None:
        return LexicalIndex.of(coming)
    index, documents = before
    changed = index.changed(index.ids_of(documents), coming)
    return changed.merged() if changed.wants_merging else changed


def row_of(row: Mapping[str, Any]) -> Row:
    """Return a chunk's row as an index in memory takes it."""
    return Row(
        str(row["id"]),
        str(row["tokens"]).split(),
        row["doc_id"],
        row["kind"],
        frozenset(row["readers"]),
        row["language"],
        date.fromordinal(row["day"]) if row["day"] else None,
    )


def in_one_order(found: Mapping[str, float]) -> dict[str, float]:
    """Return what was found, best first, ties by their ids: not by where a row came to lie when it was changed."""
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))
