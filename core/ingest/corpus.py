"""The graph of a corpus as a snapshot: what every document says, and how a few changed documents make the next one."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TypeVar

from core.entities import Entity, Registry, changed_forms, make_registry, resolve_entities, word_forms
from core.facts import Span
from core.ingest.addresses import Addresses, addresses_of, searched
from core.ingest.document import Document
from core.ingest.edges import Edge, Known, Mention, Relation, edges_of
from core.ingest.namings import named_in
from core.ingest.proposals import proposed_edges
from core.ingest.statements import ENDING_IN_WORDS, Naming, Statement, namings_of, statements_of
from core.text import sentences

# Documents of which the words are kept together.
_SHELF = 256
_T = TypeVar("_T", Mention, Edge)
_Index = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Said:
    """What one document says: by its own form, and then with the names of the corpus in it."""

    statements: tuple[Statement, ...] = ()
    namings: tuple[Naming, ...] = ()
    mentions: tuple[tuple[str, Mention], ...] = ()
    edges: tuple[Edge, ...] = ()


@dataclass(frozen=True, slots=True)
class CorpusGraph:
    """What the documents' structure says: pages of entities, every place that names them, and edges with their spans.

    Documents stand in the order of their ids, however they came. `edges` holds each edge under both its ends, in that
    order. A snapshot: a change makes another one. The rest is what the next snapshot is made from: `said` by document,
    `places`, in the order in which documents came, `words`, by shelf, and `addresses` to their documents.
    """

    registry: Registry
    documents: Mapping[str, Document]
    mentions: Mapping[str, tuple[Mention, ...]]
    edges: Mapping[str, tuple[Edge, ...]] = field(default_factory=dict)
    relations: tuple[Relation, ...] = ()
    declared: tuple[Entity, ...] = ()
    pages: Mapping[str, str] = field(default_factory=dict, repr=False)
    said: Mapping[str, Said] = field(default_factory=dict, repr=False)
    places: Mapping[str, int] = field(default_factory=dict, repr=False)
    words: Mapping[int, _Index] = field(default_factory=dict, repr=False)
    addresses: Addresses = field(default_factory=dict, repr=False)

    def changed(
        self,
        removed: Collection[str],
        added: Iterable[Document],
        declared: Sequence[Entity],
        relations: Sequence[Relation] | None = None,
    ) -> "CorpusGraph":
        """Return the graph without some documents and with others, equal to one that is built anew.

        A document with a known id takes the place of the old one. `relations`: None leaves them.
        Only documents that changed, or hold a word that a name which came or went begins with, are read again.
        """
        return _changed(self, frozenset(removed), tuple(added), tuple(declared), relations)

    def read_anew(self, before: "CorpusGraph") -> frozenset[str]:
        """Return the documents that this graph, made from `before`, lost or read again.

        Every other one names the same entities in the same places, in its headings and its own names too.
        """
        lost = before.said.keys() - self.said.keys()
        return frozenset(lost.union(id_ for id_, said in self.said.items() if before.said.get(id_) is not said))


def build_graph(
    documents: Sequence[Document], declared: Sequence[Entity], relations: Sequence[Relation] = ()
) -> CorpusGraph:
    """Return the graph of the documents, of the entities that the corpus declares and of its relations."""
    return CorpusGraph(Registry(), {}, {}).changed((), documents, declared, relations)


def entities_of(documents: Iterable[Document], declared: Sequence[Entity]) -> Iterator[Entity]:
    """Yield the declared entities, one for each document that none of them is the page of, then what documents name.

    However the documents come, those of them stand in the order of the documents' ids. The last are terms of
    glossaries and short forms, which may be further names of an entity before them.
    """
    known = sorted(documents, key=attrgetter("id"))
    own = (*declared, *entities_of_pages(known, declared))
    yield from own
    yield from named_in((namings_of(one, statements_of(one)) for one in known), make_registry(own))


def named_alike(before: Iterable[Document], after: Iterable[Document]) -> bool:
    """Return whether documents go by the same names as those whose place they take: then the registry stays."""
    old, new = ({one.id: _names(one, _by_itself(one)) for one in some} for some in (before, after))
    return old == new


def entities_of_pages(documents: Iterable[Document], declared: Sequence[Entity]) -> Iterator[Entity]:
    """Yield an entity for each document that no declared one is the page of, unless it was superseded."""
    pages = {entity.page for entity in declared}
    for document in documents:
        if document.id not in pages and not document.superseded:
            yield Entity(document.id, document.title, document.kind, _aliases(document), document.id)


def _aliases(document: Document) -> tuple[str, ...]:
    """Return the document's aliases and the short form that its title gives in brackets: "Full Name (FN)"."""
    full, bracket, rest = document.title.partition("(")
    short = rest.partition(")")[0].strip()
    return (*document.aliases, full.strip(), short) if bracket and full.strip() and short else document.aliases


def _changed(
    old: CorpusGraph,
    removed: frozenset[str],
    added: Sequence[Document],
    declared: tuple[Entity, ...],
    relations: Sequence[Relation] | None,
) -> CorpusGraph:
    wanted = old.relations if relations is None else tuple(relations)
    documents = _documents(old, removed, added)
    touched = [id_ for id_ in {**old.documents, **documents} if old.documents.get(id_) is not documents.get(id_)]
    before = {id_: old.documents[id_] for id_ in touched if id_ in old.documents}
    after = {id_: documents[id_] for id_ in touched if id_ in documents}
    places = _places(old, documents)
    own = {id_: _by_itself(document) for id_, document in after.items()}
    said = {id_: one for id_, one in old.said.items() if id_ in documents} | own
    pages, registry = _named(old, documents, said, declared, touched)
    addresses = _moved(old.addresses, _keys(before, addresses_of), _keys(after, addresses_of))
    words = _reworded(old, _keys(before, _looked_up), _keys(after, _looked_up), places)
    known = Known(registry, addresses, pages, wanted)
    stale = (
        set(documents) if wanted != old.relations else {*own, *_stale(old, known, words, _readdressed(before, after))}
    )
    fresh = {id_: _with_names(documents[id_], said[id_], known) for id_ in stale if id_ in documents}
    gone = [old.said[id_] for id_ in {*before, *stale} if id_ in old.said]
    in_order = [fresh[id_] for id_ in sorted(fresh)]
    mentions = _placed(old.mentions, _mentions_in(gone), _mentions_in(in_order), {*before, *stale})
    edges = _placed(old.edges, _edges_in(gone), _edges_in(in_order), {*before, *stale})
    return CorpusGraph(
        registry, documents, mentions, edges, wanted, declared, pages, said | fresh, places, words, addresses
    )


def _documents(old: CorpusGraph, removed: frozenset[str], added: Sequence[Document]) -> dict[str, Document]:
    new = {document.id: document for document in added}
    kept = {id_: one for id_, one in old.documents.items() if id_ in new or id_ not in removed}
    both = {**kept, **{id_: one for id_, one in new.items() if kept.get(id_) != one}}
    return {id_: both[id_] for id_ in sorted(both)}


def _places(old: CorpusGraph, documents: Mapping[str, Document]) -> dict[str, int]:
    """Return the place of each document in the order in which they came; places that were left stay empty."""
    places = {id_: place for id_, place in old.places.items() if id_ in documents}
    following = max(places.values(), default=-1) + 1
    return places | {id_: following + n for n, id_ in enumerate(one for one in documents if one not in places)}


def _by_itself(document: Document) -> Said:
    statements = statements_of(document)
    return Said(statements, namings_of(document, statements))


def _named(
    old: CorpusGraph,
    documents: Mapping[str, Document],
    said: Mapping[str, Said],
    declared: tuple[Entity, ...],
    touched: Iterable[str],
) -> tuple[Mapping[str, str], Registry]:
    """Return the pages of entities and the registry: the old ones when no name came or went."""
    if declared == old.declared and all(
        _names(old.documents.get(id_), old.said.get(id_)) == _names(documents.get(id_), said.get(id_))
        for id_ in touched
    ):
        return old.pages, old.registry
    own = (*declared, *entities_of_pages(documents.values(), declared))
    pages = {entity.page: entity.id for entity in reversed(own) if entity.page}
    base = make_registry(own)
    return pages, make_registry(named_in((said[id_].namings for id_ in documents), base), base)


def _names(document: Document | None, said: Said | None) -> object:
    if document is None or said is None:
        return None
    return document.title, document.kind, document.aliases, document.superseded, said.namings


def _stale(old: CorpusGraph, known: Known, words: Mapping[int, _Index], readdressed: Iterable[str]) -> Iterator[str]:
    """Yield the documents that a name or an address which came or went may stand in, or whose own entity changed."""
    keys = set(readdressed)
    if known.registry is not old.registry:
        keys |= changed_forms(old.registry, known.registry)
        retyped = {id_ for id_, _ in old.registry.entities.items() ^ known.registry.entities.items()}
        yield from (mention.doc_id for id_ in retyped for mention in old.mentions.get(id_, ()))
        yield from (id_ for id_, _ in old.pages.items() ^ known.pages.items())
        found = (registry.entities.get(id_) for registry in (old.registry, known.registry) for id_ in retyped)
        yield from (entity.page for entity in found if entity and entity.page)
    for shelf in words.values():
        for key in keys:
            yield from shelf.get(key, ())


def _readdressed(before: Mapping[str, Document], after: Mapping[str, Document]) -> set[str]:
    old = {id_: set(addresses_of(document)) for id_, document in before.items()}
    new = {id_: set(addresses_of(document)) for id_, document in after.items()}
    return {key for id_ in {*old, *new} for key in old.get(id_, set()) ^ new.get(id_, set())}


def _looked_up(document: Document) -> Iterator[str]:
    """Yield what the document must be read again for when it comes to mean something else: words, and links.

    Its words are those of its names and headings too, which search terms are made from.
    """
    headings = {heading for block in document.blocks for heading in block.headings}
    yield from word_forms("\n".join((document.title, *document.aliases, *headings, document.text)))
    for block in document.blocks:
        for link in block.links:
            yield from searched(link.target, document.id)


def _with_names(document: Document, said: Said, known: Known) -> Said:
    mentions = tuple(_mentions(document, known.registry))
    edges = edges_of(document, said.statements, mentions, known)
    stated = {(edge.relation, edge.source, edge.target, edge.block) for edge in edges}
    proposed = (
        edge
        for edge in proposed_edges(document, known)
        if (edge.relation, edge.source, edge.target, edge.block) not in stated
    )
    return Said(said.statements, said.namings, mentions, tuple(dict.fromkeys((*edges, *proposed))))


def _mentions(document: Document, registry: Registry) -> Iterator[tuple[str, Mention]]:
    for index, block in enumerate(document.blocks):
        text = block.span.within(document.text)
        spans = sentences(text) if block.kind == "paragraph" else [(0, len(text))]
        for start, end in spans:
            named = (match.entity.id for match in resolve_entities(text[start:end], registry, typos=False))
            for entity in dict.fromkeys(named):
                yield entity, Mention(document.id, index, Span(block.start + start, block.start + end))


def _keys(documents: Mapping[str, Document], keys: Callable[[Document], Iterable[str]]) -> dict[str, set[str]]:
    return {id_: set(keys(document)) for id_, document in documents.items()}


def _moved(index: _Index, before: Mapping[str, set[str]], after: Mapping[str, set[str]]) -> _Index:
    """Return the index without what the documents had before and with what they have now."""
    lost: dict[str, set[str]] = defaultdict(set)
    won: dict[str, list[str]] = defaultdict(list)
    for id_ in dict.fromkeys((*before, *after)):
        old, new = before.get(id_, set()), after.get(id_, set())
        for key in old - new:
            lost[key].add(id_)
        for key in new - old:
            won[key].append(id_)
    moved = {**index}
    for key in {*lost, *won}:
        kept = [id_ for id_ in index.get(key, ()) if id_ not in lost[key]] if key in lost else index.get(key, ())
        moved[key] = tuple(sorted((*kept, *won.get(key, ()))))
        if not moved[key]:
            del moved[key]
    return moved


def _reworded(
    old: CorpusGraph, before: Mapping[str, set[str]], after: Mapping[str, set[str]], places: Mapping[str, int]
) -> Mapping[int, _Index]:
    """Return the index of words, which stands on shelves of neighbouring documents: a change leaves most untouched."""
    places = {**old.places, **places}
    shelves: dict[int, tuple[dict[str, set[str]], dict[str, set[str]]]] = defaultdict(lambda: ({}, {}))
    for side, keys in enumerate((before, after)):
        for id_, words in keys.items():
            shelves[places[id_] // _SHELF][side][id_] = words
    moved = {n: _moved(old.words.get(n, {}), lost, won) for n, (lost, won) in shelves.items()}
    return {**old.words, **moved}


def _mentions_in(said: Iterable[Said]) -> Iterator[tuple[str, Mention]]:
    return (one for each in said for one in each.mentions)


def _edges_in(said: Iterable[Said]) -> Iterator[tuple[str, Edge]]:
    for edge in (edge for each in said for edge in each.edges):
        for end in dict.fromkeys(
            (edge.source, edge.target) if edge.relation not in ENDING_IN_WORDS else (edge.source,)
        ):
            yield end, edge


def _placed(
    index: Mapping[str, tuple[_T, ...]],
    gone: Iterable[tuple[str, _T]],
    fresh: Iterable[tuple[str, _T]],
    read: Collection[str],
) -> Mapping[str, tuple[_T, ...]]:
    """Return the index with everything of the documents that were read again replaced, in the order of documents."""
    won: dict[str, list[_T]] = defaultdict(list)
    for key, value in fresh:
        won[key].append(value)
    placed = {**index}
    for key in {*(key for key, _ in gone), *won}:
        kept: list[_T] = [value for value in index.get(key, ()) if value.doc_id not in read]
        placed[key] = tuple(sorted(kept + won.get(key, []), key=attrgetter("doc_id")))
        if not placed[key]:
            del placed[key]
    return placed
