"""A document as it was understood: its readable text, the blocks it is made of, and what is known about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.facts import Link, Source, Span

BlockKind = Literal["heading", "paragraph", "item", "row", "code", "quote", "earlier", "field"]


@dataclass(frozen=True, slots=True)
class Block:
    """One structural piece: `document.text[start:end]` is exactly its readable text.

    `headings` are the section titles above it (the document's own title left out). Items of one list, rows of one
    table and the fields at the top share a `series`. `labels` are a row's column names. `depth`: heading level or
    nesting of an item, from 1 and 0. `links` are the links in it, with their places in the document's text. `term`: how
    many of its first characters are the words that the rest explains, as in "**Term**: what it means". What is
    `earlier` a letter repeats of older ones.
    """

    kind: BlockKind
    start: int
    end: int
    headings: tuple[str, ...] = ()
    depth: int = 0
    series: int | None = None
    labels: tuple[str, ...] = ()
    page: int | None = None
    links: tuple[Link, ...] = ()
    term: int = 0

    @property
    def span(self) -> Span:
        """The block's place in the document's text."""
        return Span(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Proposal:
    """An edge that a model read out of the text `within`, in its own words: they prove nothing before they are checked.

    `within` is None where only the chunk is known, not yet its place.
    """

    subject: str
    relation: str
    object: str
    quote: str
    within: Span | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """One file or page. `text` is what a reader sees, without markup; every span counts its characters.

    `id` and `path` are the path below the corpus folder with forward slashes; `fields` is the front matter as text.
    `proposals` are what models made of it, where they were asked.
    """

    id: str
    title: str
    text: str
    blocks: tuple[Block, ...]
    kind: str = "page"
    aliases: tuple[str, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)
    labels: frozenset[str] = frozenset()
    readers: frozenset[str] = frozenset()
    updated: str | None = None
    replaced_by: str | None = None
    superseded: bool = False
    link: str | None = None
    digest: str = ""
    proposals: tuple[Proposal, ...] = ()
    authority: int = 0

    def source(self) -> Source:
        """Return the document as evidence names it."""
        return Source(
            doc_id=self.id,
            title=self.title,
            link=self.link,
            updated=self.updated,
            superseded=self.superseded,
            labels=self.labels,
            authority=self.authority,
        )
