"""The lexical port over one snapshot in memory."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from adapters.search.lexical import LexicalIndex
from adapters.search.lexical_port import Where


@dataclass(frozen=True, slots=True)
class MemoryLexical:
    """Searches take milliseconds and wait for nothing, so they run where they are called."""

    index: LexicalIndex

    async def find(self, terms: Sequence[str], limit: int, where: Where | None) -> dict[str, float]:
        """Return the best chunks that hold any of the terms, best first, ties in corpus order, with their scores."""
        return self.index.find(terms, limit, where)

    async def weights(self, terms: Sequence[str], where: Where | None) -> dict[str, float]:
        """Return how rare each term is (BM25's smoothed idf) among what the groups may read, most for one in none."""
        return self.index.weights(terms, where)

    async def size(self, where: Where | None) -> int:
        """Return how many chunks there are, with a filter of those that its groups may read."""
        return self.index.size(where)

    async def terms_in(self, ids: Collection[str], terms: Collection[str]) -> dict[str, frozenset[str]]:
        """Return for each of the chunks that there is which of the terms it holds."""
        return self.index.terms_in(ids, terms)

    async def documents_of(self, ids: Collection[str]) -> dict[str, str]:
        """Return the document of each chunk that is there."""
        return {id_: self.index.document_of(id_) for id_ in ids if id_ in self.index}
