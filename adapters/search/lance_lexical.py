"""Lexical search in LanceDB's full text, over our own terms: for corpora whose terms one process should not hold."""

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.search.lance_filter import clauses, one_of
from adapters.search.lance_ledger import Ledger
from adapters.search.lance_store import LanceStore, reading
from adapters.search.lexical_port import Where
from core.ingest.generation import Tables

_ASKED = 200  # terms that one search asks for
_COUNTED = 10_000  # chunks that are counted of those that hold a term, where some are closed to who asks
_ODD = re.compile(r"[\s\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class LanceLexical:
    """The chunks of one generation, settled for full text, and the ledger of their terms; memory holds neither.

    A term never holds white space, which parts the terms of a chunk.
    """

    store: LanceStore
    tables: Tables

    async def find(self, terms: Sequence[str], limit: int, where: Where | None) -> dict[str, float]:
        """Return the best chunks that hold any of the terms, best first, ties by id, with their scores.

        At most the first 200 distinct terms are asked for. Raises SearchError.
        """
        wanted = " ".join(list(dict.fromkeys(filter(_is_term, terms)))[:_ASKED])
        if not wanted or limit <= 0:
            return {}
        from lancedb import query as asking

        match: Any = asking.MatchQuery  # mypy does not see its defaults
        with reading():
            query = (await self._chunks()).query().nearest_to_text(match(wanted, "tokens"))
            if where is not None:
                query = query.where(clauses(where))
            rows = await query.select(["id", "_score"]).limit(limit).to_arrow()
        found = zip(rows["_score"].to_pylist(), rows["id"].to_pylist(), strict=True)
        return {id_: -score for score, id_ in sorted((-float(score), id_) for score, id_ in found)}

    async def weights(self, terms: Sequence[str], where: Where | None) -> dict[str, float]:
        """Return how rare each term is (BM25's smoothed idf), most for one in no chunk. Raises SearchError.

        With a filter the chunks count that its groups may read, and no others; of a term, no more than 10,000 do then.
        """
        asked = list(filter(_is_term, dict.fromkeys(terms)))
        with reading():
            chunks = await self._chunks()
            size = readable = await chunks.count_rows()
            if where is not None:
                readable = await chunks.count_rows(clauses(Where(where.groups)))
            if where is not None and readable < size:
                groups = Where(where.groups)
                held = Counter({term: await _holding(chunks, term, groups) for term in asked[:_ASKED]})
            else:
                version = self.tables.chunks if self.tables.chunks is not None else await chunks.version()
                held = await Ledger(self.store, self.tables.base).held(asked, version)
        size = max(readable, 1)
        counts = {term: min(max(held[term], 1), size) for term in terms}
        return {term: math.log(1 + (size - n + 0.5) / (n + 0.5)) for term, n in counts.items()}

    async def size(self, where: Where | None) -> int:
        """Return how many chunks there are, with a filter of those that its groups may read. Raises SearchError."""
        with reading():
            chunks = await self._chunks()
            return int(await chunks.count_rows(clauses(Where(where.groups)) if where else None))

    async def terms_in(self, ids: Collection[str], terms: Collection[str]) -> dict[str, frozenset[str]]:
        """Return for each of the chunks that there is which of the terms it holds. Raises SearchError."""
        if not ids:
            return {}
        with reading():
            found = (await self._chunks()).query().where(one_of("id", sorted(ids))).select(["id", "tokens"])
            rows = await found.to_arrow()
        held = zip(rows["id"].to_pylist(), rows["tokens"].to_pylist(), strict=True)
        return {id_: frozenset(tokens.split()).intersection(terms) for id_, tokens in held}

    async def documents_of(self, ids: Collection[str]) -> dict[str, str]:
        """Return the document of each chunk that is there. Raises SearchError."""
        if not ids:
            return {}
        with reading():
            found = (await self._chunks()).query().where(one_of("id", sorted(ids))).select(["id", "doc_id"])
            rows = await found.to_arrow()
        return dict(zip(rows["id"].to_pylist(), rows["doc_id"].to_pylist(), strict=True))

    async def _chunks(self) -> Any:
        return await self.store.table(f"chunks_g{self.tables.base}", self.tables.chunks)


async def _holding(chunks: Any, term: str, groups: Where) -> int:
    """Return how many of the chunks that the groups may read hold the term, as far as it is counted."""
    from lancedb import query as asking

    match: Any = asking.MatchQuery  # mypy does not see its defaults
    query = chunks.query().nearest_to_text(match(term, "tokens")).where(clauses(groups))
    return int((await query.select(["id"]).limit(_COUNTED).to_arrow()).num_rows)


def _is_term(term: str) -> bool:
    return bool(term) and not _ODD.search(term)
