"""The graph port over plain dicts: built from a generation's documents at first use, or from the graph before it."""

import asyncio
from collections.abc import Collection, Sequence

from core.conversation import Audience
from core.entities import Entity
from core.facts import Fact
from core.ingest.document import Document
from core.ingest.edges import Relation
from core.ingest.graph import CorpusGraph, build_graph, query_graph
from core.plan import GraphQuery, Intent


class MemoryGraph:
    """What the structure of one generation's documents says of entities."""

    def __init__(
        self, documents: Sequence[Document], declared: Sequence[Entity], relations: Sequence[Relation] = ()
    ) -> None:
        self._documents = documents
        self._declared = declared
        self._relations = relations
        self._building = asyncio.Lock()
        self._graph: CorpusGraph | None = None

    async def query(self, call: GraphQuery, intent: Intent, audience: Audience) -> Sequence[Fact]:
        """Return the facts that answer the intent for the entity, in document order."""
        return query_graph(await self.graph(), call, intent, audience)

    @property
    def built(self) -> CorpusGraph | None:
        """The graph, or None while nobody has asked for it."""
        return self._graph

    async def graph(self) -> CorpusGraph:
        """Return the graph, built in a worker thread the first time."""
        async with self._building:
            if self._graph is None:
                self._graph = await asyncio.to_thread(build_graph, self._documents, self._declared, self._relations)
            return self._graph

    async def changed(
        self,
        removed: Collection[str],
        added: Sequence[Document],
        declared: Sequence[Entity],
        relations: Sequence[Relation] = (),
    ) -> "MemoryGraph":
        """Return the graph of the next generation; this one stays as it is, for those who still ask it."""
        before = await self.graph()
        graph = await asyncio.to_thread(before.changed, removed, added, declared, relations)
        following = MemoryGraph(tuple(graph.documents.values()), declared, relations)
        following._graph = graph
        return following
