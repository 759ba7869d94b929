"""The graph port over plain dicts: built from a generation's documents at first use."""

import asyncio
from collections.abc import Sequence

from core.conversation import Audience
from core.entities import Entity
from core.facts import Fact
from core.ingest.document import Document
from core.ingest.graph import CorpusGraph, build_graph, query_graph
from core.plan import GraphQuery, Intent


class MemoryGraph:
    """What the structure of one generation's documents says of entities."""

    def __init__(self, documents: Sequence[Document], declared: Sequence[Entity]) -> None:
        self._documents = documents
        self._declared = declared
        self._building = asyncio.Lock()
        self._graph: CorpusGraph | None = None

    async def query(self, call: GraphQuery, intent: Intent, audience: Audience) -> Sequence[Fact]:
        """Return the facts that answer the intent for the entity, in document order."""
        return query_graph(await self.graph(), call, intent, audience)

    async def graph(self) -> CorpusGraph:
        """Return the graph, built in a worker thread the first time."""
        async with self._building:
            if self._graph is None:
                self._graph = await asyncio.to_thread(build_graph, self._documents, self._declared)
            return self._graph
