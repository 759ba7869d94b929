"""Documents to chunks: what is indexed, and the passages in it that get a vector."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from core.facts import Span
from core.ingest.document import Block, Document
from core.text import sentences

# Part of every id: a new number makes every chunk new to the index.
CHUNKER_VERSION = "1"
# Characters: blocks are gathered up to TARGET; a list or table stays whole up to LONG; a sentence under SHORT says
# too little on its own to be found by meaning.
TARGET, LONG, SHORT = 900, 2_400, 25


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive blocks of one section; the section's heading is in `headings`, not in `blocks`.

    `blocks` are indices into the document's; `passages` are the sentences, items, rows and so on in it.
    """

    id: str
    doc_id: str
    n: int
    start: int
    end: int
    headings: tuple[str, ...]
    blocks: tuple[int, ...]
    passages: tuple[Span, ...]


# Indices of blocks that must not be parted.
_Unit = tuple[int, ...]


def chunks_of(document: Document) -> tuple[Chunk, ...]:
    """Return the chunks in order; every block but the headings is in exactly one."""
    groups = [
        group
        for section in _sections(document.blocks)
        for group in _packed(_units(section, document.blocks), document.blocks)
    ]
    seen: dict[str, int] = {}
    return tuple(_chunk(document, n, group, seen) for n, group in enumerate(groups))


def _sections(blocks: Sequence[Block]) -> Iterator[_Unit]:
    section: list[int] = []
    for place, block in enumerate(blocks):
        if block.kind != "heading":
            section.append(place)
        elif section:
            yield tuple(section)
            section = []
    if section:
        yield tuple(section)


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
        if at_border and _length((*part, place), blocks) > TARGET:
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
        passages=tuple(span for place in group for span in passages_of(document.text, document.blocks[place])),
    )


def passages_of(text: str, block: Block) -> tuple[Span, ...]:
    """Return the sentences of a paragraph, short ones together with a neighbour, or else the block as it is."""
    if block.kind != "paragraph":
        return (block.span,)
    merged: list[Span] = []
    for start, end in sentences(text[block.start : block.end]):
        span = Span(block.start + start, block.start + end)
        if merged and min(merged[-1].end - merged[-1].start, end - start) < SHORT:
            merged[-1] = Span(merged[-1].start, span.end)
        else:
            merged.append(span)
    return tuple(merged)
