"""The graph of a corpus, built without a model: pages, sections, fields and mentions, each with its span."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.conversation import Audience
from core.entities import Entity, Registry, make_registry, resolve_entities
from core.facts import Fact, Part, Place, Span
from core.ingest.document import Block, Document
from core.plan import GraphQuery, Intent
from core.text import Untrusted, all_terms, sentences

_OPENING_BLOCKS = 4
_MAX_MENTIONS_PER_PAGE = 2


@dataclass(frozen=True, slots=True)
class Mention:
    """A sentence, item or row that names an entity."""

    doc_id: str
    block: int
    span: Span


@dataclass(frozen=True, slots=True)
class CorpusGraph:
    """What the documents' structure says: pages of entities, and every place that names them."""

    registry: Registry
    documents: Mapping[str, Document]
    mentions: Mapping[str, tuple[Mention, ...]]


def build_graph(documents: Sequence[Document], declared: Sequence[Entity]) -> CorpusGraph:
    """Return the graph of the documents and of the entities that the corpus declares."""
    registry = make_registry(entities_of(documents, declared))
    mentions: dict[str, list[Mention]] = defaultdict(list)
    for document in documents:
        for entity, mention in _mentions(document, registry):
            mentions[entity].append(mention)
    return CorpusGraph(
        registry,
        {document.id: document for document in documents},
        {entity: tuple(found) for entity, found in mentions.items()},
    )


def entities_of(documents: Iterable[Document], declared: Sequence[Entity]) -> Iterator[Entity]:
    """Yield the declared entities, then one for each document that none of them is the page of."""
    yield from declared
    pages = {entity.page for entity in declared}
    for document in documents:
        if document.id not in pages and not document.superseded:
            yield Entity(document.id, document.title, document.kind, _aliases(document), document.id)


def with_names(documents: Iterable[Document], declared: Sequence[Entity]) -> tuple[Document, ...]:
    """Return the documents, each with the names of the entities that it is the page of as aliases."""
    names: dict[str, list[str]] = defaultdict(list)
    for entity in declared:
        if entity.page:
            names[entity.page] += entity.names
    return tuple(
        replace(document, aliases=tuple(dict.fromkeys((*document.aliases, *names[document.id]))))
        for document in documents
    )


def context_of(document: Document, headings: Sequence[str]) -> str:
    """Return what a passage is about: its document's names and the headings above it. For search, never quotable."""
    return " ".join((document.title, *document.aliases, *headings))


def query_graph(graph: CorpusGraph, call: GraphQuery, intent: Intent, audience: Audience) -> tuple[Fact, ...]:
    """Return the facts that answer the intent for the entity, in document order, but for what is not readable."""
    readable = _readable(graph, (call.entity_id, call.also or call.entity_id), audience)
    found = _found(readable, call.entity_id, intent)
    return tuple(fact for fact in found if not call.also or _concerns(readable, fact, call.also))


def _readable(graph: CorpusGraph, entities: Iterable[str], audience: Audience) -> CorpusGraph:
    """Return what the audience may read of these entities: nothing else can be chosen, or stand in the way."""
    documents = {id_: document for id_, document in graph.documents.items() if audience.may_read(document.readers)}
    mentions = {e: tuple(m for m in graph.mentions.get(e, ()) if m.doc_id in documents) for e in entities}
    return CorpusGraph(graph.registry, documents, mentions)


def _found(graph: CorpusGraph, entity: str, intent: Intent) -> Iterator[Fact]:
    match intent.find:
        case "section":
            return _section(graph, entity, intent)
        case "mentions":
            return _mentioned(graph, entity, intent)
        case "overview":
            return _opening(graph, entity)
        case "field":
            return _fields(graph, entity, intent)
    return iter(())


def _section(graph: CorpusGraph, entity: str, intent: Intent) -> Iterator[Fact]:
    wanted = {tuple(all_terms(heading)) for heading in intent.headings}
    for document in _pages_about(graph, entity, wanted):
        inside = [i for i, block in enumerate(document.blocks) if _under(block, wanted)]
        listed = [i for i in inside if document.blocks[i].kind in ("item", "row")]
        for index in listed or inside:
            yield fact_of(document, index)


def _pages_about(graph: CorpusGraph, entity: str, wanted: set[tuple[str, ...]]) -> list[Document]:
    """Return the entity's own page if it has such a section, else the pages that have it and name the entity."""
    page = graph.documents.get(graph.registry.entities[entity].page or "")
    if page and any(_under(block, wanted) for block in page.blocks):
        return [page]
    if page and graph.registry.entities[entity].type != "person":
        return []
    naming = dict.fromkeys(mention.doc_id for mention in graph.mentions.get(entity, ()))
    titled = [d for d in graph.documents.values() if tuple(all_terms(d.title)) in wanted]
    having = [d for d in map(graph.documents.__getitem__, naming) if any(_under(block, wanted) for block in d.blocks)]
    return titled or having[:1]


def _under(block: Block, wanted: set[tuple[str, ...]]) -> bool:
    return block.kind != "heading" and any(tuple(all_terms(heading)) in wanted for heading in block.headings)


def _mentioned(graph: CorpusGraph, entity: str, intent: Intent) -> Iterator[Fact]:
    by_page: dict[str, list[Mention]] = defaultdict(list)
    for mention in graph.mentions.get(entity, ()):
        if not intent.within or graph.documents[mention.doc_id].kind in intent.within:
            by_page[mention.doc_id].append(mention)
    for doc_id, mentions in by_page.items():
        document = graph.documents[doc_id]
        for mention in _telling(document, mentions):
            yield fact_of(document, mention.block, mention.span, group=document.title)


def _telling(document: Document, mentions: list[Mention]) -> list[Mention]:
    """Return the mentions that say something: whole sentences before bare items and fields, in document order."""
    sentences_ = [m for m in mentions if document.blocks[m.block].kind == "paragraph"]
    others = [m for m in mentions if document.blocks[m.block].kind != "paragraph"]
    return (sentences_ or others)[:_MAX_MENTIONS_PER_PAGE]


def _opening(graph: CorpusGraph, entity: str) -> Iterator[Fact]:
    page = graph.documents.get(graph.registry.entities[entity].page or "")
    if page:
        paragraphs = [i for i, block in enumerate(page.blocks) if block.kind == "paragraph"]
        first = page.blocks[paragraphs[0]].headings if paragraphs else ()
        for index in [i for i in paragraphs if page.blocks[i].headings == first][:_OPENING_BLOCKS]:
            yield fact_of(page, index)


def _fields(graph: CorpusGraph, entity: str, intent: Intent) -> Iterator[Fact]:
    page = graph.documents.get(graph.registry.entities[entity].page or "")
    wanted = {key.casefold().replace("_", " ") for key in intent.keys}
    for index, block in enumerate(page.blocks if page else ()):
        if page and block.kind == "field" and block.span.within(page.text).partition(":")[0].casefold() in wanted:
            yield fact_of(page, index)


def fact_of(document: Document, index: int, span: Span | None = None, group: str | None = None) -> Fact:
    """Return one block of a document, or a span of it, as a fact of the graph."""
    block = document.blocks[index]
    span = span or block.span
    kind = "paragraph" if block.kind == "heading" else block.kind
    part = Part(span, kind, index, block.series, tuple(map(Untrusted, block.labels)))
    return Fact(
        text=Untrusted(span.within(document.text)),
        source=document.source(),
        span=span,
        chunk_id=f"{document.digest[:12]}-b{index}",
        place=place_in(block),
        parts=(part,),
        score=1.0,
        structural=True,
        group=group,
    )


def place_in(block: Block) -> Place:
    """Return where a block stands, as evidence shows it."""
    return Place(tuple(map(Untrusted, block.headings)), block.page)


def _concerns(graph: CorpusGraph, fact: Fact, entity: str) -> bool:
    return any(mention.doc_id == fact.source.doc_id for mention in graph.mentions.get(entity, ()))


def _mentions(document: Document, registry: Registry) -> Iterator[tuple[str, Mention]]:
    for index, block in enumerate(document.blocks):
        text = block.span.within(document.text)
        spans = sentences(text) if block.kind == "paragraph" else [(0, len(text))]
        for start, end in spans:
            named = (match.entity.id for match in resolve_entities(text[start:end], registry, typos=False))
            for entity in dict.fromkeys(named):
                yield entity, Mention(document.id, index, Span(block.start + start, block.start + end))


def _aliases(document: Document) -> tuple[str, ...]:
    """Return the document's aliases and the short form that its title gives in brackets: "Full Name (FN)"."""
    full, bracket, rest = document.title.partition("(")
    short = rest.partition(")")[0].strip()
    return (*document.aliases, full.strip(), short) if bracket and full.strip() and short else document.aliases
