"""Pieces of a document in reading order, and how they become one text with blocks."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from core.facts import Link
from core.ingest.document import Block, BlockKind
from core.ingest.linked import Linked, cut, moved, with_addresses
from core.text import clean, sentences

# A paragraph beyond this is cut at sentence ends: nobody reads it whole.
LONG_PARAGRAPH = 2_400
# Characters: whatever it is, a piece beyond this is cut at a line end or a space. A fact must fit into a prompt, and
# the lines of a log have no sentence ends.
LONG_PIECE = 16_000
# Kinds of which each part is as much as the whole.
_RUNNING = ("paragraph", "quote", "earlier", "code")


@dataclass(frozen=True, slots=True)
class Piece:
    """One structural piece before its place in the text is known; the fields are those of `Block`.

    The spans of `links` count the piece's own text.
    """

    kind: BlockKind
    text: str
    depth: int = 0
    series: int | None = None
    labels: tuple[str, ...] = ()
    page: int | None = None
    links: tuple[Link, ...] = ()
    term: int = 0


def one_line(text: str) -> str:
    """Return the text on one line: no invisible characters, each run of white space one space."""
    return " ".join(clean(text).split())


def same_title(left: str, right: str) -> bool:
    """Return whether two titles read the same."""
    return one_line(left).casefold() == one_line(right).casefold()


def title_of(pieces: Iterable[Piece]) -> str | None:
    """Return the text of the first level-1 heading."""
    return next((piece.text for piece in pieces if piece.kind == "heading" and piece.depth == 1), None)


def lay_out(pieces: Iterable[Piece], title: str | None = None) -> tuple[str, tuple[Block, ...]]:
    """Return the document's text, one block after the other with a line end between them, and the blocks.

    Without a title the first level-1 heading is the title. The heading that equals it is left out of the text;
    neither it nor a lone level-1 heading at the top appears in the paths of the blocks.
    """
    kept = tuple(portion for piece in pieces for portion in _portions(piece))
    shown = title_of(kept) if title is None else title
    top = _title_place(kept, shown)
    drop = top is not None and shown is not None and same_title(kept[top].text, shown)
    body = tuple(piece for place, piece in enumerate(kept) if not (drop and place == top))
    blocks = tuple(_blocks(body, above_all=None if drop or top is None else top))
    return "\n".join(piece.text for piece in body), blocks


def _portions(piece: Piece) -> Iterator[Piece]:
    """Yield the piece, a very long one in parts; of a list item, a row and so on the further parts are paragraphs."""
    if not piece.text.strip():
        return
    starts, ends = [link.span.start for link in piece.links], [link.span.end for link in piece.links]
    for start, end in _cuts(piece):
        links = piece.links[bisect_right(ends, start) : bisect_left(starts, end)]
        part = cut(Linked(piece.text, links), start, end) if end - start < len(piece.text) else piece
        first = replace(piece, text=part.text, links=part.links, term=0 if start else min(piece.term, end))
        plain = start > 0 and piece.kind not in _RUNNING
        if first.text.strip():
            yield replace(first, kind="paragraph", series=None, labels=()) if plain else first


def _cuts(piece: Piece) -> Iterator[tuple[int, int]]:
    whole = [(0, len(piece.text))]
    by_sentence = piece.kind == "paragraph" and len(piece.text) > LONG_PARAGRAPH
    for start, end in _sentence_cuts(piece.text) if by_sentence else whole:
        yield from cuts_at(piece.text, start, end, LONG_PIECE, "\n" if piece.kind == "code" else " ")


def _sentence_cuts(text: str) -> Iterator[tuple[int, int]]:
    cuts = list(sentences(text))
    begin, last = cuts[0]
    for start, end in cuts[1:]:
        if end - begin > LONG_PARAGRAPH:
            yield begin, last
            begin = start
        last = end
    yield begin, last


def cuts_at(text: str, start: int, end: int, longest: int, border: str = " ") -> Iterator[tuple[int, int]]:
    """Yield parts of at most so many characters that end before a border, or anywhere when there is none."""
    while end - start > longest:
        found = text.rfind(border, start + 1, start + longest)
        stop = found if found > 0 else start + longest
        yield start, stop
        start = stop + (found > 0)
    yield start, end


def _title_place(pieces: tuple[Piece, ...], title: str | None) -> int | None:
    tops = [place for place, piece in enumerate(pieces) if piece.kind == "heading" and piece.depth == 1]
    equal = [place for place in tops if title is not None and same_title(pieces[place].text, title)]
    if equal:
        return equal[0]
    first = next((place for place, piece in enumerate(pieces) if piece.kind == "heading"), None)
    return first if tops == [first] else None


def _blocks(pieces: Iterable[Piece], above_all: int | None) -> Iterator[Block]:
    path: list[tuple[int, str]] = []
    start = 0
    for place, piece in enumerate(pieces):
        if piece.kind == "heading":
            path = [entry for entry in path if entry[0] < piece.depth]
        yield _block(piece, start, tuple(text for _, text in path))
        if piece.kind == "heading" and place != above_all:
            path.append((piece.depth, piece.text))
        start += len(piece.text) + 1


def _links(piece: Piece) -> tuple[Link, ...]:
    """Return the links of the piece, with the addresses that are written out in it; those in code are part of it."""
    return piece.links if piece.kind == "code" else with_addresses(Linked(piece.text, piece.links)).links


def _block(piece: Piece, start: int, headings: tuple[str, ...]) -> Block:
    return Block(
        kind=piece.kind,
        start=start,
        end=start + len(piece.text),
        headings=headings,
        depth=piece.depth,
        series=piece.series,
        labels=piece.labels,
        page=piece.page,
        links=moved(_links(piece), start),
        term=piece.term,
    )
