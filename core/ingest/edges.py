"""Statements to edges: names and links become the entities and documents that they stand for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.entities import Registry, resolve_entities
from core.facts import Span
from core.ingest.addresses import Addresses, anchor_of, led_to, title_key
from core.ingest.document import Block, Document
from core.ingest.statements import ALIAS, BETWEEN_DOCUMENTS, LISTS, REPLACED_BY, Statement

# Characters: what is longer is no name.
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation that a corpus declares: things of kind `source` are so related to things of kind `target`.

    It stands in the items, rows and sentences under one of the `headings`, in the fields `keys`, and in the table
    `columns` of these names. No kind fits every one.
    """

    name: str
    source: str = ""
    target: str = ""
    headings: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """A sentence, item or row that names an entity."""

    doc_id: str
    block: int
    span: Span


@dataclass(frozen=True, slots=True)
class Edge:
    """`source` is so related to `target`, as the document says at the span.

    Both are ids of entities or documents where they are known, else the document's own words. `label` is the column,
    key, heading or link text; `headings` and `parent` (a block) say where an item stands.
    """

    relation: str
    source: str
    target: str
    doc_id: str
    block: int
    span: Span
    label: str = ""
    headings: tuple[str, ...] = ()
    parent: int | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What names and links are looked up in; `pages`: the entity that a document is the page of."""

    registry: Registry
    addresses: Addresses
    pages: Mapping[str, str]
    relations: tuple[Relation, ...] = ()

    def page(self, doc_id: str) -> str:
        """Return the entity that the document is the page of, else the document."""
        return self.pages.get(doc_id, doc_id)

    def named(self, words: str) -> str | None:
        """Return the entity that the words name, all of them: "Fernlink Gateway (FLG)" has two names of one."""
        if len(words) > _LONGEST_NAME:
            return None
        found = resolve_entities(words, self.registry, typos=False)
        between = (
            words[a:b] for a, b in pairwise((0, *(at for one in found for at in (one.start, one.end)), len(words)))
        )
        whole = not any(char.isalnum() for rest in list(between)[::2] for char in rest)
        ids = {one.entity.id for one in found}
        return ids.pop() if whole and len(ids) == 1 else None


def edges_of(
    document: Document, statements: Sequence[Statement], mentions: Sequence[tuple[str, Mention]], known: Known
) -> tuple[Edge, ...]:
    """Return the document's edges: built in ones in reading order, then those of the declared relations."""
    stated = (edge for one in statements for edge in _edge(document, one, known))
    declared = (edge for relation in known.relations for edge in _declared(document, relation, mentions, known))
    return tuple(dict.fromkeys((*stated, *declared)))


def _edge(document: Document, one: Statement, known: Known) -> Iterator[Edge]:
    headings = document.blocks[one.block].headings
    if one.relation in BETWEEN_DOCUMENTS:
        led = led_to(one.object, document.id, known.addresses)
        # What a link out of the corpus leads to is nothing that is known; what took a page's place has a name at least.
        if target := led or (one.object if one.relation == REPLACED_BY else None):
            label = anchor_of(one.object) or one.label
            yield Edge(one.relation, document.id, target, document.id, one.block, one.span, label, headings)
        return
    source = (known.named(one.subject) or one.subject) if one.subject else known.page(document.id)
    target = one.object if one.relation in (LISTS, ALIAS) else known.named(one.object) or one.object
    yield Edge(one.relation, source, target, document.id, one.block, one.span, one.label, headings, one.parent)


def _declared(
    document: Document, relation: Relation, mentions: Sequence[tuple[str, Mention]], known: Known
) -> Iterator[Edge]:
    page = known.page(document.id)
    fits = not relation.source or _kind(page, known, document.kind) == relation.source
    headings = frozenset(map(title_key, relation.headings))
    keys = {key.casefold().replace("_", " ") for key in relation.keys}
    by_block: dict[int, list[tuple[str, Mention]]] = {}
    for one in mentions:
        by_block.setdefault(one[1].block, []).append(one)
    for n, block in enumerate(document.blocks):
        if block.kind == "heading":
            continue
        said = _Said(document, n, block, relation, by_block.get(n, ()))
        if block.kind == "row" and relation.columns:
            yield from _column(said, page if fits else None, known)
        if fits and _is_under(block, headings):
            yield from _listed(said, page, known)
        if fits and block.kind == "field" and _key(said) in keys:
            yield from _values(said, page, known)


@dataclass(frozen=True, slots=True)
class _Said:
    """A block that may state a relation, and the entities that it names."""

    document: Document
    n: int
    block: Block
    relation: Relation
    mentions: Sequence[tuple[str, Mention]]

    def edge(self, source: str, target: str, label: str = "", span: Span | None = None) -> Edge:
        """Return the edge that the block, or a span of it, proves."""
        at = span or self.block.span
        return Edge(self.relation.name, source, target, self.document.id, self.n, at, label, self.block.headings)


def _is_under(block: Block, headings: frozenset[str]) -> bool:
    return bool(headings) and any(title_key(heading) in headings for heading in block.headings)


def _key(said: _Said) -> str:
    return said.block.span.within(said.document.text).partition(":")[0].strip().casefold()


def _listed(said: _Said, page: str, known: Known) -> Iterator[Edge]:
    """Yield an edge for each fitting entity that is named; for an item that names none, one to its own words."""
    label = said.block.headings[-1]
    fitting = [(id_, at.span) for id_, at in said.mentions if id_ != page and _fits(id_, said.relation.target, known)]
    for id_, span in dict.fromkeys(fitting):
        yield said.edge(page, id_, label, span)
    if not fitting and said.block.kind == "item":
        yield said.edge(page, said.block.span.within(said.document.text), label)


def _values(said: _Said, page: str, known: Known) -> Iterator[Edge]:
    key, _, value = said.block.span.within(said.document.text).partition(":")
    for words in filter(None, map(str.strip, value.split(","))):
        yield said.edge(page, _target(words, said.relation.target, known), key)


def _column(said: _Said, page: str | None, known: Known) -> Iterator[Edge]:
    """Yield the cells of the declared columns: of the thing in the first column when that fits, else of the page's."""
    cells = said.block.span.within(said.document.text).split(" | ")
    wanted = {column.casefold() for column in said.relation.columns}
    first = known.named(cells[0])
    own = first if first and _fits(first, said.relation.source, known) else None
    for n, (label, cell) in enumerate(zip(said.block.labels, cells, strict=False)):
        source = own if own and n else page
        if source and label.casefold() in wanted and cell.strip():
            yield said.edge(source, _target(cell.strip(), said.relation.target, known), label)


def _target(words: str, kind: str, known: Known) -> str:
    found = known.named(words)
    return found if found and _fits(found, kind, known) else words


def _fits(entity: str, kind: str, known: Known) -> bool:
    return not kind or _kind(entity, known) == kind


def _kind(entity: str, known: Known, otherwise: str = "") -> str:
    found = known.registry.entities.get(entity)
    return found.type if found else otherwise
