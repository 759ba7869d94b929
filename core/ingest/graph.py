"""What the graph of a corpus answers: sections, mentions, openings, fields and relations, each fact with its span."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from core.conversation import Audience
from core.counting import says_no
from core.entities import Entity
from core.facts import Fact, Part, Place, Span
from core.ingest.addresses import title_key
from core.ingest.corpus import CorpusGraph, Said, build_graph, entities_of, named_alike
from core.ingest.document import Block, Document
from core.ingest.edges import Edge, Mention, Relation
from core.ingest.statements import DEFINES
from core.kinds import is_kind
from core.outward import outward
from core.plan import GraphQuery, Intent
from core.text import Untrusted, sentences, words

__all__ = [
    "CorpusGraph", "Edge", "Mention", "Relation", "build_graph", "context_of", "entities_of", "fact_of", "named_alike",
    "place_in", "query_graph", "with_names",
]  # fmt: skip

_OPENING_BLOCKS = 4
_MAX_MENTIONS_PER_PAGE = 2


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
    view = _View(graph, audience)
    found = _found(view, call.entity_id, intent)
    if not call.also:
        return tuple(found)
    concerned = {mention.doc_id for mention in view.mentions(call.also)}
    return tuple(fact for fact in found if fact.source.doc_id in concerned)


@dataclass(frozen=True, slots=True)
class _View:
    """What the audience may read of the graph: nothing else can be chosen, or stand in the way."""

    graph: CorpusGraph
    audience: Audience

    def document(self, id_: str | None) -> Document | None:
        """Return the document when it may be read."""
        found = self.graph.documents.get(id_ or "")
        return found if found and self.audience.may_read(found.readers) else None

    def page(self, entity: str) -> Document | None:
        """Return the document that is about the entity."""
        return self.document(self.graph.registry.entities[entity].page)

    def mentions(self, entity: str) -> list[Mention]:
        """Return the places that name the entity."""
        return [one for one in self.graph.mentions.get(entity, ()) if self.document(one.doc_id)]

    def is_within(self, doc_id: str, kinds: Collection[str]) -> bool:
        """Return whether the document is of one of the kinds, or the page of something that is; of none, any is."""
        of = {self.graph.documents[doc_id].kind, self.kind(doc_id)}
        return not kinds or not of.isdisjoint(kinds) or any(is_kind(word, kind) for word in kinds for kind in of)

    def kind(self, doc_id: str) -> str:
        """Return the type of what the document is the page of, else its own kind."""
        own = self.graph.registry.entities.get(self.graph.pages.get(doc_id, ""))
        return own.type if own else self.graph.documents[doc_id].kind

    def edges(self, entity: str, relations: Iterable[str]) -> list[Edge]:
        """Return the edges of these relations from and to the entity."""
        wanted = frozenset(relations)
        found = (edge for edge in self.graph.edges.get(entity, ()) if edge.relation in wanted)
        return [edge for edge in found if self.document(edge.doc_id)]


def _found(view: _View, entity: str, intent: Intent) -> Iterator[Fact]:
    match intent.find:
        case "section":
            return _section(view, entity, intent)
        case "mentions":
            return _mentioned(view, entity, intent)
        case "overview" | "whole":
            return _opening(view, entity) if intent.find == "overview" else _whole(view, entity)
        case "field":
            return _fields(view, entity, intent)
        case "pages" | "ties":
            return _openings_of(view, entity, intent) if intent.find == "pages" else _tied(view, entity)
    return iter(())


def _section(view: _View, entity: str, intent: Intent) -> Iterator[Fact]:
    wanted = frozenset(map(title_key, intent.headings))
    for document in _pages_about(view, entity, wanted):
        inside = [i for i, block in enumerate(document.blocks) if _under(block, wanted)]
        listed = [i for i in inside if document.blocks[i].kind in ("item", "row")]
        for index in listed or inside:
            yield fact_of(document, index)


def _whole(view: _View, entity: str) -> Iterator[Fact]:
    """Yield all that the entity's page says, each section by itself: not what only leads to a list, and fields last."""
    page = view.page(entity)
    if page is None:
        return
    told = [
        n for n, block in enumerate(page.blocks) if block.kind != "heading" and not (_leads(page, n) or _dated(page, n))
    ]
    for index in sorted(told, key=lambda n: page.blocks[n].kind == "field"):
        headings = page.blocks[index].headings
        yield fact_of(page, index, group=headings[-1] if headings else page.title)


def _leads(page: Document, index: int) -> bool:
    """Return whether the block says only that a list follows."""
    following = page.blocks[index + 1 : index + 2]
    leads = page.blocks[index].span.within(page.text).rstrip().endswith(":")
    return leads and page.blocks[index].kind == "paragraph" and any(one.kind in ("item", "row") for one in following)


def _dated(page: Document, index: int) -> bool:
    """Return whether the block is the field that says when the page was updated, which stands beside every quote."""
    value = page.blocks[index].span.within(page.text).partition(":")[2].strip()
    return page.blocks[index].kind == "field" and value == page.updated


def _pages_about(view: _View, entity: str, wanted: frozenset[str]) -> list[Document]:
    """Return the entity's own page if it has such a section, else the pages that have it and name the entity."""
    page = view.page(entity)
    if page and any(_under(block, wanted) for block in page.blocks):
        return [page]
    if page and view.graph.registry.entities[entity].type != "person":
        return []
    titles = [id_ for key in wanted for id_ in view.graph.addresses.get(key, ())]
    titled = sorted(set(titles))
    naming = dict.fromkeys(mention.doc_id for mention in view.mentions(entity))
    having = (one for one in map(view.document, naming) if one and any(_under(block, wanted) for block in one.blocks))
    return [one for one in map(view.document, titled) if one] or list(islice(having, 1))


def _under(block: Block, wanted: frozenset[str]) -> bool:
    return block.kind != "heading" and any(title_key(heading) in wanted for heading in block.headings)


def _mentioned(view: _View, entity: str, intent: Intent) -> Iterator[Fact]:
    by_page: dict[str, list[Mention]] = defaultdict(list)
    for mention in view.mentions(entity):
        by_page[mention.doc_id].append(mention)
    wanted = [doc_id for doc_id in by_page if intent.rather and view.is_within(doc_id, intent.rather)]
    for doc_id in wanted or (one for one in by_page if view.is_within(one, intent.within)):
        document = view.graph.documents[doc_id]
        for mention in _telling(document, by_page[doc_id]):
            fact = fact_of(document, mention.block, mention.span, group=document.title)
            yield replace(fact, kind=view.kind(doc_id))


def _openings_of(view: _View, entity: str, intent: Intent) -> Iterator[Fact]:
    """Yield how each page of the kinds opens that is tied to the entity; each of them all, where no entity is given.

    What ties them is a declared relation, or where there is none that the page names it.
    """
    related = {edge.doc_id for edge in view.edges(entity, (one.name for one in view.graph.relations))}
    naming = related or {mention.doc_id for mention in view.mentions(entity)}
    opening: set[tuple[str, Span]] = set()
    for id_, document in view.graph.documents.items():
        wanted = view.document(id_) and not document.superseded and view.is_within(id_, intent.within)
        if wanted and (not entity or id_ in naming) and (fact := _first_sentence(document)):
            opening.add((id_, fact.span))
            yield replace(fact, kind=view.kind(id_))
    others = () if entity else _named_elsewhere(view, intent)
    # What a page opens with is told already: it is the page of the thing, though it is called otherwise.
    yield from (fact for fact in others if (fact.source.doc_id, fact.span) not in opening)


def _named_elsewhere(view: _View, intent: Intent) -> Iterator[Fact]:
    """Yield for each thing of the kinds that has no page a passage that names it, at best with its kind beside it.

    Where a page goes by its name, though it says to be of another kind, that is how the page opens.
    """
    known = view.graph.registry.entities.values()
    called = {title_key(name): entity for entity in known if entity.page for name in entity.names}
    for entity in known:
        if entity.page is not None or not any(is_kind(kind, entity.type) for kind in intent.within):
            continue
        if own := called.get(title_key(entity.name)):
            page = view.page(own.id)
            if page and (fact := _first_sentence(page)):
                yield replace(fact, kind=entity.type)
            continue
        by_page: dict[str, list[Mention]] = defaultdict(list)
        for mention in view.mentions(entity.id):
            by_page[mention.doc_id].append(mention)
        told = [one for id_, found in by_page.items() for one in _telling(view.graph.documents[id_], found)]
        if told:
            best = max(told, key=lambda one: _worth(one, entity, view.graph.documents[one.doc_id]))
            fact = fact_of(view.graph.documents[best.doc_id], best.block, best.span, group=entity.name)
            yield replace(fact, kind=entity.type)


def _worth(mention: Mention, entity: Entity, document: Document) -> tuple[bool, bool]:
    """Return what decides between passages that name a thing: a sentence, and its kind said in it."""
    said = words(mention.span.within(document.text))
    return document.blocks[mention.block].kind == "paragraph", any(is_kind(word, entity.type) for word in said)


def _tied(view: _View, entity: str) -> Iterator[Fact]:
    """Yield how each page begins that has to do with the entity: its own, what that names, and what names it.

    A sentence of its own page that says no to something ("in all projects but this one") ties nothing to it.
    """
    tied = {mention.doc_id for mention in view.mentions(entity)}
    tied.update(edge.doc_id for edge in view.edges(entity, (one.name for one in view.graph.relations)))
    if page := view.page(entity):
        said = view.graph.said.get(page.id, Said())
        named = (id_ for id_, mention in said.mentions if not says_no(mention.span.within(page.text)))
        tied.update((page.id, *filter(None, (view.graph.registry.entities[id_].page for id_ in named))))
    for document in filter(None, map(view.document, sorted(tied))):
        if document.blocks:
            yield fact_of(document, 0)


def _first_sentence(document: Document) -> Fact | None:
    for index, block in enumerate(document.blocks):
        if block.kind == "paragraph":
            first = next(sentences(block.span.within(document.text)), None)
            start = block.span.start
            span = Span(start + first[0], start + first[1]) if first else None
            return fact_of(document, index, span, group=document.title)
    return None


def _telling(document: Document, mentions: list[Mention]) -> list[Mention]:
    """Return the mentions that say something: whole sentences before items and rows, and these before bare fields."""
    for kinds in (("paragraph",), ("item", "row", "quote", "earlier", "code", "heading")):
        if telling := [one for one in mentions if document.blocks[one.block].kind in kinds]:
            return telling[:_MAX_MENTIONS_PER_PAGE]
    return mentions[:_MAX_MENTIONS_PER_PAGE]


def _opening(view: _View, entity: str) -> Iterator[Fact]:
    """Yield the opening of the entity's page; of something that has none, where it is explained."""
    page = view.page(entity)
    if page:
        paragraphs = [i for i, block in enumerate(page.blocks) if block.kind == "paragraph"]
        first = page.blocks[paragraphs[0]].headings if paragraphs else ()
        for index in [i for i in paragraphs if page.blocks[i].headings == first][:_OPENING_BLOCKS]:
            yield fact_of(page, index)
    elif view.graph.registry.entities[entity].page is None:
        explained = (edge for edge in view.edges(entity, (DEFINES,)) if edge.source == entity)
        yield from _facts_of(view, islice(explained, _OPENING_BLOCKS))


def _fields(view: _View, entity: str, intent: Intent) -> Iterator[Fact]:
    """Yield the fields of the entity's page, and of the relations named among the keys what is said of the entity."""
    page = view.page(entity)
    wanted = {key.casefold().replace("_", " ") for key in intent.keys}
    for index, block in enumerate(page.blocks if page else ()):
        if page and block.kind == "field" and block.span.within(page.text).partition(":")[0].casefold() in wanted:
            yield fact_of(page, index)
    yield from _facts_of(view, view.edges(entity, intent.keys))


def _facts_of(view: _View, edges: Iterable[Edge]) -> Iterator[Fact]:
    """Yield what proves the edges, each passage once, under its page's title."""
    for doc_id, block, span in dict.fromkeys((edge.doc_id, edge.block, edge.span) for edge in edges):
        document = view.graph.documents[doc_id]
        yield fact_of(document, block, span, group=document.title)


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
        links=outward(block.links, span),
    )


def place_in(block: Block) -> Place:
    """Return where a block stands, as evidence shows it."""
    return Place(tuple(map(Untrusted, block.headings)), block.page)
