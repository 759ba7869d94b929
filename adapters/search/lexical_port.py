"""What lexical engines take and give: a row of the index, a filter over rows, and the port itself."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, Protocol


class Row(NamedTuple):
    """One chunk as lexical search sees it: its terms in order, and what filters ask about it.

    Terms hold no white space. `readers`: the groups that may read it; nobody named means everybody. `dated`: None when
    the day is not known.
    """

    id: str
    terms: Sequence[str]
    doc_id: str = ""
    kind: str = ""
    readers: frozenset[str] = frozenset()
    language: str = ""
    dated: date | None = None


@dataclass(frozen=True, slots=True)
class Where:
    """Which rows a search may find; an empty set narrows nothing.

    `groups` are the asker's, and there is no way to leave them out: with none of them only rows that everybody may
    read are found. A row without a date is outside every range of dates; both ends of a range belong to it.
    """

    groups: frozenset[str]
    kinds: frozenset[str] = frozenset()
    doc_ids: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()
    since: date | None = None
    until: date | None = None

    @property
    def narrows(self) -> bool:
        """Whether more is asked of a row than that it may be read."""
        return bool(self.kinds or self.doc_ids or self.languages or self.since or self.until)


class Lexical(Protocol):
    """Search by terms over one generation of chunks."""

    async def find(self, terms: Sequence[str], limit: int, where: Where | None) -> dict[str, float]:
        """Return the best chunks that hold any of the terms, best first, with their scores. Raises SearchError."""

    async def weights(self, terms: Sequence[str], where: Where | None) -> dict[str, float]:
        """Return how rare each term is (BM25's smoothed idf), most for one in no chunk. Raises SearchError.

        With a filter the chunks count that its groups may read, and no others.
        """

    async def size(self, where: Where | None) -> int:
        """Return how many chunks there are, with a filter of those that its groups may read. Raises SearchError."""

    async def terms_in(self, ids: Collection[str], terms: Collection[str]) -> dict[str, frozenset[str]]:
        """Return for each of the chunks that there is which of the terms it holds. Raises SearchError."""

    async def documents_of(self, ids: Collection[str]) -> dict[str, str]:
        """Return the document of each chunk that is there. Raises SearchError."""
