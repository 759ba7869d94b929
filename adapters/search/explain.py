"""Why a search finds what it finds: the same ranking that answers, told chunk by chunk."""

import math
from collections.abc import Mapping
from dataclasses import replace

from adapters.search.fusion import share_of
from adapters.search.hybrid import HybridSearch, Ranks, in_one_order, where_of
from adapters.search.lexical_port import Lexical, Where
from core.conversation import Audience
from core.facts import Span
from core.ingest.chunk import Chunk, chunks_of
from core.ingest.document import Document
from core.plan import DocumentSearch
from core.ports import SearchQuery
from core.standing import Candidate, Listed, Placed, Standing, Term

# The best chunks that are told of, of all documents and of the one that is asked about.
_BEST, _OWN = 10, 5


async def explain(
    search: HybridSearch, call: DocumentSearch, audience: Audience, document: Document | None = None
) -> Standing:
    """Return how the search goes for the audience, and where the document stands in it, read by whoever may read it.

    Raises SearchError.
    """
    query = SearchQuery(call.query, call.doc_types, limit=_BEST)
    ranking = await search.rank(query, audience)
    lexical = await search.lexical()
    where = where_of(query, audience)
    chunks = await lexical.size(where)
    first = next(iter(ranking.by_words), "")
    order = list(in_one_order(ranking.fused))[:_BEST]
    homes = await lexical.documents_of(order)
    best = [_chunk(search, id_, homes[id_]) for id_ in order]
    held = (await lexical.terms_in([first], ranking.weights.keys())).get(first, frozenset())
    return Standing(
        query=call,
        terms=tuple([await _term(term, weight, chunks, where, lexical) for term, weight in ranking.weights.items()]),
        chunks=chunks,
        matched=share_of(ranking.weights, held),
        by_words=_listed(ranking.by_words),
        by_meaning=_listed(ranking.by_meaning),
        fused=len(ranking.fused),
        best=tuple([await _candidate(chunk, ranking, ranking, lexical) for chunk in best]),
        own=await _own(search, query, audience, document, ranking) if document else (),
    )


async def _own(
    search: HybridSearch, query: SearchQuery, audience: Audience, document: Document, ranking: Ranks
) -> tuple[Candidate, ...]:
    """Return the document's best chunks: those that stand in the ranking first, then the others among themselves."""
    lexical = await search.lexical()
    reader = replace(audience, groups=audience.groups | document.readers)
    alone = await search.rank(replace(query, doc_types=(), doc_ids=(document.id,)), reader)
    found = [
        await _candidate(chunk, ranking, alone, lexical) for chunk in chunks_of(document) if chunk.id in alone.fused
    ]
    order = {id_: place for place, id_ in enumerate(in_one_order(ranking.fused))}
    found.sort(key=lambda one: (order.get(one.chunk_id, len(order)), -alone.fused[one.chunk_id]))
    return tuple(found[:_OWN])


async def _candidate(chunk: Chunk, ranking: Ranks, scored: Ranks, lexical: Lexical) -> Candidate:
    """Return the chunk with its places in the ranking and its scores in another that is sure to hold it."""
    return Candidate(
        chunk_id=chunk.id,
        doc_id=chunk.doc_id,
        headings=chunk.headings,
        span=Span(chunk.start, chunk.end),
        terms=(await lexical.terms_in([chunk.id], ranking.weights.keys())).get(chunk.id, frozenset()),
        by_words=_placed(chunk.id, ranking.by_words, scored.by_words),
        by_meaning=_placed(chunk.id, ranking.by_meaning, scored.by_meaning),
        fused=_placed(chunk.id, ranking.fused, ranking.fused),
    )


def _placed(id_: str, ranked: Mapping[str, float], scored: Mapping[str, float]) -> Placed | None:
    score = ranked.get(id_, scored.get(id_))
    if score is None:
        return None
    rank = 1 + sum(other > score for other in ranked.values()) if id_ in ranked else None
    return Placed(rank, score)


async def _term(term: str, weight: float, chunks: int, where: Where, lexical: Lexical) -> Term:
    """Return the term with the chunks that hold it, of those that the asker may read.

    Its weight says how many: ln(1 + (N − n + ½) / (n + ½)) for n of N.
    """
    if not await lexical.find([term], 1, Where(where.groups)):
        return Term(term, weight, 0)
    ratio = math.expm1(weight)
    return Term(term, weight, max(1, round((chunks + 0.5 - 0.5 * ratio) / (1 + ratio))))


def _listed(scores: Mapping[str, float]) -> Listed:
    return Listed(len(scores), min(scores.values(), default=0.0))


def _chunk(search: HybridSearch, id_: str, doc_id: str) -> Chunk:
    return next(chunk for chunk in chunks_of(search.documents[doc_id]) if chunk.id == id_)
