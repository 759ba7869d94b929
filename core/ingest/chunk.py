"""Documents to chunks: what is indexed, and the passages in it that get a vector."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from core.facts import Span
from core.ingest.document import Block, Document
from core.ingest.pieces import cuts_at
from core.text import sentences

# Part of every id: a new number makes every chunk new to the index.
CHUNKER_VERSION = "3"
# Characters: blocks are gathered up to TARGET; a list or table stays whole up to LONG, and so does an item with what is
# under it; a sentence under SHORT says too little on its own to be found by meaning.
TARGET, LONG, SHORT = 900, 2_400, 25
# Characters of a passage: with the heading above it, what the embedded encoder reads to its end. Sentences of scripts
# that mark no end of theirs, and of tables that were pasted as text, are longer.
LONGEST = 900


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive blocks of one section; its heading is in `headings`, and in `blocks` only if nothing is under it.

    `blocks` are indices into the document's.
    """

    id: str
    doc_id: str
    n: int
    start: int
    end: int
    headings: tuple[str, ...]
    blocks: tuple[int, ...]


# Indices of blocks that must not be parted.
_Unit = tuple[int, ...]


def chunks_of(document: Document) -> tuple[Chunk, ...]:
    """Return the chunks in order; every block is in exactly one, but for the headings that stand above others."""
    seen: dict[str, int] = {}
    return tuple(_chunk(document, n, group, seen) for n, group in enumerate(_groups(document)))


def chunk_count(document: Document) -> int:
    """Return how many chunks the document has, in a small part of the time that it takes to make them."""
    return sum(1 for _ in _groups(document))


def _groups(document: Document) -> Iterator[_Unit]:
    for section in _sections(document.blocks):
        yield from _packed(_units(section, document.blocks), document.blocks)


def _sections(blocks: Sequence[Block]) -> Iterator[_Unit]:
    """Yield what stands between two headings, and headings in a row with nothing under them, such as names."""
    section: list[int] = []
    for place, block in enumerate(blocks):
        bare = _is_bare(blocks, place)
        if section and block.kind == "heading" and not (bare and _is_beside(blocks[section[0]], block)):
            yield tuple(section)
            section = []
        if bare or block.kind != "heading":
            section.append(place)
    if section:
        yield tuple(section)


def _is_bare(blocks: Sequence[Block], place: int) -> bool:
    """Return whether it is a heading with nothing under it: no other chunk would tell its words."""
    after = blocks[place + 1 : place + 2]
    under = after and (after[0].kind != "heading" or after[0].depth > blocks[place].depth)
    return blocks[place].kind == "heading" and not under


def _is_beside(first: Block, heading: Block) -> bool:
    return first.kind == "heading" and first.headings == heading.headings


def _units(section: _Unit, blocks: Sequence[Block]) -> Iterator[_Unit]:
    """Yield the section in units: a list or table with the paragraph before it, else a block by itself."""
    unit: list[int] = []
    for place in section:
        if unit and not _continues(unit, place, blocks):
            yield tuple(unit)
            unit = []
        unit.append(place)
    yield tuple(unit)


def _continues(unit: Sequence[int], place: int, blocks: Sequence[Block]) -> bool:
    block, last = blocks[place], blocks[unit[-1]]
    if block.depth > 0:
        return last.depth > 0 or last.kind == "item"
    if block.series is None:
        return False
    introduced = last.kind == "paragraph" and last.depth == 0 and len(unit) == 1
    return introduced or any(blocks[member].series == block.series for member in unit)


def _packed(units: Iterator[_Unit], blocks: Sequence[Block]) -> Iterator[_Unit]:
    """Yield the units of a section together while they fit into TARGET; one over LONG is split between its items."""
    group: _Unit = ()
    for part in (part for unit in units for part in _parts(unit, blocks)):
        if group and _length((*group, *part), blocks) > TARGET:
            yield group
            group = ()
        group = (*group, *part)
    yield group


def _parts(unit: _Unit, blocks: Sequence[Block]) -> Iterator[_Unit]:
    if _length(unit, blocks) <= LONG:
        yield unit
        return
    part: list[int] = []
    for place in unit:
        at_border = blocks[place].series is not None and any(blocks[member].series is not None for member in part)
        if part and _length((part[0], place), blocks) > (TARGET if at_border else LONG):
            yield tuple(part)
            part = []
        part.append(place)
    yield tuple(part)


def _length(unit: Sequence[int], blocks: Sequence[Block]) -> int:
    return blocks[unit[-1]].end - blocks[unit[0]].start


def _chunk(document: Document, n: int, group: _Unit, seen: dict[str, int]) -> Chunk:
    first, last = document.blocks[group[0]], document.blocks[group[-1]]
    text = document.text[first.start : last.end]
    key = "\x1f".join((document.id, *first.headings, text, CHUNKER_VERSION))
    digest = sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    seen[digest] = seen.get(digest, 0) + 1
    return Chunk(
        id=digest if seen[digest] == 1 else f"{digest}-{seen[digest]}",
        doc_id=document.id,
        n=n,
        start=first.start,
        end=last.end,
        headings=first.headings,
        blocks=group,
    )


def passages_in(chunk: Chunk, document: Document) -> tuple[Span, ...]:
    """Return the sentences, items, rows and so on in the chunk, which get a vector each.

    To part a text into sentences is most of the work of chunking, so it is done for the chunks alone that need it.
    """
    return tuple(span for place in chunk.blocks for span in passages_of(document.text, document.blocks[place]))


def passages_of(text: str, block: Block) -> tuple[Span, ...]:
    """Return the sentences of a paragraph, short ones together with a neighbour, or else the block as it is.

    A sentence that is longer than LONGEST is parted at spaces, where there are any.
    """
    if block.kind != "paragraph":
        return (block.span,)
    merged: list[Span] = []
    spans = sentences(text[block.start : block.end])
    cuts = (cut for start, end in spans for cut in cuts_at(text, block.start + start, block.start + end, LONGEST))
    for start, end in cuts:
        span = Span(start, end)
        if merged and min(merged[-1].end - merged[-1].start, end - start) < SHORT:
            merged[-1] = Span(merged[-1].start, span.end)
        else:
            merged.append(span)
    return tuple(merged)
