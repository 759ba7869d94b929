"""Retrieved text with its place: what an answer may be built from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from core.text import Untrusted

PartKind = Literal["paragraph", "item", "row", "code", "quote", "earlier", "field"]
Because = Literal["nothing", "missing", "little", "headed", "stated", "spread", "alike"]


@dataclass(frozen=True, slots=True)
class Span:
    """Offsets in a document's stored text, in characters, end excluded."""

    start: int
    end: int

    def within(self, text: str) -> str:
        """Return the text of the span."""
        return text[self.start : self.end]

    def contains(self, other: "Span") -> bool:
        """Return whether the other span lies inside this one."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Link:
    """A place in a text that leads elsewhere: `target` as it was written, an address, a path or a page's name."""

    target: str
    span: Span


@dataclass(frozen=True, slots=True)
class Source:
    """A document version, as evidence names it. Everything here comes from stored metadata.

    Of two with one title the one of more `authority` speaks; a draft that may be used has less than none.
    """

    doc_id: str
    title: str
    link: str | None = None
    updated: str | None = None
    superseded: bool = False
    labels: frozenset[str] = frozenset()
    authority: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """Where in its document a fact stands."""

    headings: tuple[Untrusted, ...] = ()
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One unit of a fact: a sentence, an item, a row. Its span counts in the document's text.

    Items of one list and rows of one table share a `series`; `labels` are a row's column names; `terms` is what the
    part holds for search. `similarity` is the cosine to the question, 0 when it was not among the nearest passages.
    `page` is its own: a fact may go on over the page.
    """

    span: Span
    kind: PartKind
    block: int = 0
    series: int | None = None
    labels: tuple[Untrusted, ...] = ()
    similarity: float = 0.0
    terms: frozenset[str] = frozenset()
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A passage of a document: `text` is exactly the document's text at `span`, and holds the parts.

    `structural`: it comes from the graph and is an answer as a whole; else search thinks it is relevant by `score`.
    `group` is the heading under which an answer lists it; `around` are the search terms of its title and headings.
    `kind`: what its page is, where the graph was asked for pages. `links` are the links in it, with their places in the
    document's text.
    """

    text: Untrusted
    source: Source
    span: Span
    chunk_id: str
    place: Place = Place()
    parts: tuple[Part, ...] = ()
    around: frozenset[str] = frozenset()
    score: float = 0.0
    structural: bool = False
    group: str | None = None
    kind: str = ""
    links: tuple[Link, ...] = ()

    def words(self, span: Span) -> Untrusted:
        """Return the fact's text at a span of its document."""
        return Untrusted(self.text[span.start - self.span.start : span.end - self.span.start])

    def place_of(self, span: Span) -> Place:
        """Return where a span of its document begins: under the fact's headings, on the page of the part there."""
        pages = (part.page for part in self.parts if part.span.start <= span.start < part.span.end)
        page = next(pages, None)
        return self.place if page is None else replace(self.place, page=page)


@dataclass(frozen=True, slots=True)
class ToolRun:
    """One tool as it was called, and how much it found.

    `because`: why the fallback ran: nothing was found, something that the plan names was missing, it was too little, or
    another place is headed by just what was asked, or several pages say it under one label or heading.
    `problem`: why it brought nothing, or not all.
    """

    tool: str
    arguments: Mapping[str, str]
    found: int
    fallback: bool = False
    because: Because | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Sought:
    """What the structure was asked for and did not hold: what stands under such headings on the page of a name.

    `name` is its search term, `headings` are the addresses of the headings.
    """

    name: str
    headings: frozenset[str]


@dataclass(frozen=True, slots=True)
class FactsPayload:
    """What the plan's tools found. `weights`: how rare each term of the question is in the corpus.

    `missing`: the entities, and the intents asked of none, of which the documents' structure held nothing. `by_page`:
    the facts are all that the structure has, and each page with one is one of the things that were asked for; there may
    be more of them where `at_least` holds. `parts`: what was searched for one after the other, and the terms of each;
    empty where one search was made. `sought`: what the structure was asked for in vain.
    """

    facts: tuple[Fact, ...] = ()
    coverage: float = 0.0
    runs: tuple[ToolRun, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    by_page: bool = False
    parts: tuple[tuple[str, frozenset[str]], ...] = ()
    at_least: bool = False
    sought: tuple[Sought, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """What went wrong with tools without hindering the others."""
        return tuple(run.problem for run in self.runs if run.problem)

    @property
    def found(self) -> bool:
        """Whether there is any fact at all."""
        return bool(self.facts)


def held_terms(facts: Sequence[Fact]) -> frozenset[str]:
    """Return the search terms that the facts hold, with those of their titles and headings."""
    return frozenset(
        term for fact in facts for terms in (fact.around, *(part.terms for part in fact.parts)) for term in terms
    )
