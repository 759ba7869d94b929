"""What answers questions over a generation: loaded as a whole, or made from what answered over the one before."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from dateutil.tz import tzlocal

from bot.pinning import Pinned
from bot.settings import Settings
from bot.wiring import Stores, SystemClock, fits, make_graph, make_search, pins_of
from core.entities import Entity, Registry, make_registry, resolve_entities
from core.errors import SearchError
from core.ingest.corpus import CorpusGraph
from core.ingest.document import Document
from core.ingest.domain import Domain, declared_kinds, read_domain
from core.ingest.edges import Relation
from core.ingest.generation import Generation, Tables
from core.ingest.graph import entities_of, named_alike, with_names
from core.ingest.names import Named, named, registry_of
from core.ingest.sync import compare
from core.known import Names, names_of
from core.namesakes import namesakes_of
from core.outside import Options, Ports
from core.plan import Intent
from core.planner import IntentIndex, index_intents, mask, with_kinds
from core.ports import Embedder, Graph, Knowledge, LanguageModel, Search

# Documents that are read from the catalogue in one go: the event loop is held up no longer than these take.
_READ_AT_ONCE = 50

Intents = Callable[[], Awaitable[IntentIndex]]


class LiveSearch(Search, Protocol):
    """A search from which the next generation's can be made."""

    def changed(
        self,
        tables: Tables,
        documents: Mapping[str, Document],
        registry: Registry,
        ids: Collection[str],
        names: Names | None = None,
    ) -> "LiveSearch":
        """Return the search over a generation of which only these documents' rows are others."""

    async def warm(self) -> None:
        """Load what the first question would wait for. Raises SearchError."""


class LiveGraph(Graph, Protocol):
    """A graph from which the next generation's can be made."""

    @property
    def built(self) -> CorpusGraph | None:
        """The graph, or None while nobody has asked for it."""

    async def graph(self) -> CorpusGraph:
        """Return the graph, built the first time."""

    async def changed(
        self,
        removed: Collection[str],
        added: Sequence[Document],
        declared: Sequence[Entity],
        relations: Sequence[Relation] = (),
    ) -> "LiveGraph":
        """Return the graph of the next generation."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A generation at hand. `digests`: those of its documents, by their ids; `documents` carry all their names."""

    generation: Generation
    domain: Domain
    digests: Mapping[str, str]
    documents: Mapping[str, Document]
    names: Names
    search: LiveSearch
    graph: LiveGraph
    intents: Intents

    @property
    def registry(self) -> Registry:
        """All names of the corpus."""
        return self.names.whole.registry

    async def warm(self) -> None:
        """Make everything that is otherwise made for the first question that needs it. Raises PortError."""
        await self.search.warm()
        await self.graph.graph()
        await self.intents()


async def load(generation: Generation, stores: Stores, before: Loaded | None = None) -> Loaded:
    """Return the generation at hand, equal whether it is made from the one before or loaded as a whole.

    What was made alike is taken over: then only documents that changed are read. Raises SearchError when the
    generation was made by another version or is gone, and StorageError.
    """
    if not fits(generation, stores.embedder):
        raise SearchError("the index was built by another version; build it again with: footnote index")
    digests = {one.doc_id: one.digest for one in await stores.catalog.holdings(generation.number)}
    if before and before.generation.make == generation.make:
        return await _made_from(before, generation, digests, stores)
    return await _whole(generation, digests, stores)


async def _whole(generation: Generation, digests: Mapping[str, str], stores: Stores) -> Loaded:
    domain = read_domain(generation.make.domain)
    found = await _read(generation, list(digests), domain, stores)
    documents = {id_: found[id_] for id_ in sorted(found)}
    names = await asyncio.to_thread(_names, documents, domain)
    registry = names.whole.registry
    return Loaded(
        generation,
        domain,
        digests,
        documents,
        names,
        make_search(stores, generation.tables, documents, registry, names),
        make_graph(documents, domain),
        _indexed(domain, registry, stores.embedder),
    )


async def _made_from(before: Loaded, generation: Generation, digests: Mapping[str, str], stores: Stores) -> Loaded:
    changes = compare(before.digests, digests)
    fresh = await _read(generation, (*changes.added, *changes.changed), before.domain, stores)
    documents = {id_: fresh.get(id_) or before.documents[id_] for id_ in sorted(digests)}
    touched = {*fresh, *changes.removed}
    graph, registry, stale = await _renamed(before, documents, touched)
    names = await asyncio.to_thread(_names_after, before, documents, touched, registry, graph.built)
    if stale is None:
        search: LiveSearch = make_search(stores, generation.tables, documents, registry, names)
    else:
        search = before.search.changed(generation.tables, documents, registry, stale, names)
    alike = await asyncio.to_thread(_masked_alike, before.domain.intents, before.registry, registry)
    intents = _counted(before, registry) if alike else _indexed(before.domain, registry, stores.embedder)
    return Loaded(generation, before.domain, digests, documents, names, search, graph, intents)


async def _renamed(
    before: Loaded, documents: Mapping[str, Document], touched: Collection[str]
) -> tuple[LiveGraph, Registry, frozenset[str] | None]:
    """Return the graph and the registry over the documents, and whose terms may be others; None: anybody's.

    Without a graph that has been built nothing tells where a name stands that came or went.
    """
    domain, old = before.domain, before.graph.built
    gone = [id_ for id_ in touched if id_ not in documents]
    fresh = [documents[id_] for id_ in touched if id_ in documents]
    if old:
        graph = await before.graph.changed(gone, fresh, domain.entities, domain.relations)
        new = await graph.graph()
        registry = before.registry if new.registry is old.registry else new.registry
        return graph, registry, frozenset(touched).union(await asyncio.to_thread(new.read_anew, old))
    replaced = [before.documents[id_] for id_ in touched if id_ in before.documents]
    if await asyncio.to_thread(named_alike, replaced, fresh):
        return make_graph(documents, domain), before.registry, frozenset(touched)
    return make_graph(documents, domain), await asyncio.to_thread(_registry, documents, domain), None


async def _read(generation: Generation, ids: Sequence[str], domain: Domain, stores: Stores) -> dict[str, Document]:
    """Return documents of the generation with all their names. Raises SearchError when some are not there any more."""
    found: dict[str, Document] = {}
    for part in _in_parts(ids):
        documents = await stores.catalog.documents(generation.number, part)
        if stores.proposer:
            documents = await stores.proposer.attached(documents, domain.relations)
        found |= {one.id: one for one in await asyncio.to_thread(with_names, documents, domain.entities)}
    if len(found) != len(ids):
        raise SearchError("the index was replaced while it was read; ask again")
    return found


def _in_parts(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), _READ_AT_ONCE):
        yield ids[start : start + _READ_AT_ONCE]


def _registry(documents: Mapping[str, Document], domain: Domain) -> Registry:
    return make_registry(tuple(entities_of(documents.values(), domain.entities)))


def _names(documents: Mapping[str, Document], domain: Domain) -> Names:
    """Return all names of the documents, and which of them who may know."""
    known = [named(one) for one in documents.values()]
    registry = registry_of(known, domain.entities)
    readers = (one.readers for one in documents.values())
    return names_of(zip(known, readers, strict=True), domain.entities, registry, namesakes_of(registry))


def _names_after(
    before: Loaded,
    documents: Mapping[str, Document],
    touched: Collection[str],
    registry: Registry,
    graph: CorpusGraph | None,
) -> Names:
    """Return the names once these documents are others: what was made before, where none of it changes."""
    changed = [one[id_] for id_ in touched for one in (before.documents, documents) if id_ in one]
    is_same = registry is before.registry
    if is_same and not any(one.readers for one in changed):
        return before.names
    namesakes = before.names.whole.namesakes if is_same else namesakes_of(registry)
    said = graph.said if graph else {}
    known = [Named(one, said[one.id].namings) if one.id in said else named(one) for one in documents.values()]
    readers = (one.readers for one in documents.values())
    return names_of(zip(known, readers, strict=True), before.domain.entities, registry, namesakes)


def _masked_alike(intents: Sequence[Intent], old: Registry, new: Registry) -> bool:
    """Return whether the examples of the intents name the same kinds of thing as before."""
    examples = () if old is new else [text for intent in intents for text in intent.examples]
    return all(mask(text, resolve_entities(text, old)) == mask(text, resolve_entities(text, new)) for text in examples)


def _indexed(domain: Domain, registry: Registry, embedder: Embedder) -> Intents:
    """Return a function that makes the index of the intents at its first call and gives the same one after."""
    lock = asyncio.Lock()
    made: list[IntentIndex] = []

    async def get() -> IntentIndex:
        async with lock:
            if not made:
                made.append(await index_intents(domain.intents, registry, embedder))
            return made[0]

    return get


def _counted(before: Loaded, registry: Registry) -> Intents:
    """Return the index of the intents as it was, with the kinds of things of which there are as many as now."""
    if registry is before.registry:
        return before.intents
    made: list[IntentIndex] = []
    waiting = [before.intents]

    async def get() -> IntentIndex:
        if not made:
            made.append(with_kinds(await waiting[0](), registry))
            # What was known before is not kept for ever.
            waiting.clear()
        return made[0]

    return get


def _knowledge(loaded: Loaded) -> Knowledge:
    domain = loaded.domain
    relations = tuple((one.name, one.source, one.target) for one in domain.relations)
    whole = loaded.names.whole
    return Knowledge(
        whole.registry,
        domain.intents,
        domain.title,
        declared_kinds(domain),
        relations,
        whole.namesakes,
        loaded.names,
        {one.id: one.readers for one in loaded.documents.values() if one.readers},
        loaded.generation.number,
        len(loaded.documents),
    )


def ports_over(loaded: Loaded, stores: Stores, model: LanguageModel, settings: Settings) -> Ports:
    """Return everything that a question needs, over a generation at hand."""
    return Ports(
        threads=stores.threads,
        search=loaded.search,
        graph=loaded.graph,
        model=model,
        embedder=stores.embedder,
        clock=SystemClock(),
        new_marker=lambda: secrets.token_hex(6),
        knowledge=_knowledge(loaded),
        intents=loaded.intents,
        pins=Pinned(pins_of(stores.database), loaded.documents, SystemClock().now, stores.threads.told_of),
        entailment=stores.entailment,
        options=Options(
            plan_confidence=settings.plan_confidence_threshold,
            max_tool_calls=settings.max_tool_calls,
            tool_seconds=settings.tool_seconds,
            planner_max_tokens=settings.planner_max_tokens,
            factual_max_tokens=settings.answer_max_tokens,
            summary_max_tokens=settings.summary_max_tokens,
            entailment_threshold=settings.entailment_threshold,
            zone=settings.timezone or tzlocal(),
        ),
    )
