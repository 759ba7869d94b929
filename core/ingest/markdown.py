"""Markdown to readable text: what a reader sees, in blocks, without markup."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count, groupby, pairwise, takewhile

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from core.facts import Link, Span
from core.ingest.columns import is_form
from core.ingest.document import Block, BlockKind
from core.ingest.linked import Linked, cut, joined, on_one_line, with_bars_closed
from core.ingest.markdown_fields import below_the_head, field_lines
from core.ingest.markdown_html import BREAK, ends_link, led_by
from core.ingest.markdown_marks import settled
from core.ingest.markdown_rules import add_rules
from core.ingest.markdown_tables import html_parts
from core.ingest.pieces import Piece, lay_out, one_line
from core.text import clean

# A list in a list is two levels. Deeper than this is an attack on the stack, not a document, and is read flat.
MAX_NESTING = 60

_NESTING_MARKS = re.compile(r"^[ \t>*+-]+", re.MULTILINE)

_EXPLAINS = re.compile(r"\s*[:—–]|\s+-\s")
_TASK = re.compile(r"^\[([ xX])\](?=\s+\S)")
_ALERT = re.compile(r"^\[![\w-]+(?:\|[^\]]*)?\][+-]?(?:\s+|$)")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the walk stands: inside which list, how deep, in a quotation or not."""

    numbers: Iterator[int] = field(default_factory=count)
    depth: int = 0
    quoted: bool = False


def parse(markdown: str, title: str | None = None) -> tuple[str, tuple[Block, ...]]:
    """Return the readable text of a Markdown document and its blocks; `lay_out` tells what the title does."""
    return lay_out(pieces_of(markdown), title)


def pieces_of(markdown: str) -> tuple[Piece, ...]:
    """Return the pieces of a Markdown document in reading order. Never fails; time grows with the length."""
    source = clean(markdown.replace("\r\n", "\n").replace("\r", "\n"))
    tree = SyntaxTreeNode(_tokens(source))
    return tuple(below_the_head([piece for piece in _walk(tree, _Place()) if piece.text.strip()]))


def _tokens(source: str) -> list[Token]:
    """Return the tokens; the parser leaves out what is nested too deeply, so such a text is first made flat."""
    tokens = _parser().parse(source)
    if any(token.level >= MAX_NESTING - 1 for token in tokens):
        tokens = _parser().parse(_NESTING_MARKS.sub("", source))
    return settled(tokens)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable(["table", "strikethrough"])
    return add_rules(parser)


def _walk(node: SyntaxTreeNode, place: _Place) -> Iterator[Piece]:
    match node.type:
        case "heading" if place.depth == 0 and not place.quoted:
            yield _piece("heading", _readable(node), depth=int(node.tag[1:]))
        case "heading" | "paragraph":
            yield from _paragraph(node, place)
        case "bullet_list" | "ordered_list":
            yield from _list(node, place)
        case "table":
            yield from _rows(node, place)
        case "fence" | "code_block":
            yield Piece("code", clean(node.content).strip("\n").rstrip(), depth=place.depth)
        case _:
            inside = replace(place, quoted=place.quoted or node.type == "blockquote")
            yield from _walk_all(node.children, inside)


def _walk_all(nodes: Sequence[SyntaxTreeNode], place: _Place) -> Iterator[Piece]:
    """Yield the pieces of neighbours; HTML goes on behind an empty line, where Markdown begins a new block of it."""
    for is_html, run in groupby(nodes, key=lambda node: node.type == "html_block"):
        if is_html:
            yield from _html("\n".join(node.content for node in run), place)
        else:
            for node in run:
                yield from _walk(node, place)


def _html(html: str, place: _Place) -> Iterator[Piece]:
    for part in html_parts(html):
        if isinstance(part, Linked):
            yield _piece("paragraph", part, place.depth)
        else:
            series = next(place.numbers)
            yield from (replace(_piece("row", row.read, place.depth, series), labels=row.labels) for row in part)


def _piece(kind: BlockKind, linked: Linked, depth: int, series: int | None = None, term: int = 0) -> Piece:
    return Piece(kind, linked.text, depth=depth, series=series, links=linked.links, term=term)


def _paragraph(node: SyntaxTreeNode, place: _Place) -> Iterator[Piece]:
    if place.quoted:
        yield from _quoted(node, place)
        return
    lines = _lines(_tokens_of(node))
    if any(map(_is_meaning, lines[1:])):
        yield from _definitions(lines, place)
    elif fields := field_lines(lines):
        series = next(place.numbers)
        for line in fields:
            yield _piece("field", on_one_line(_seen(line)), place.depth, series, _term(line))
    else:
        yield _piece("paragraph", _readable(node), place.depth, term=_term(_tokens_of(node)))


def _quoted(node: SyntaxTreeNode, place: _Place) -> Iterator[Piece]:
    """Yield a paragraph of a quotation; a title that stands in the first line of a box is a piece of its own."""
    first, *rest = (_seen(line) for line in _lines(_tokens_of(node)))
    if not _ALERT.match(first.text):
        yield _piece("quote", _readable(node), place.depth)
        return
    yield _piece("quote", _without(_ALERT, on_one_line(first)), place.depth)
    yield _piece("quote", on_one_line(joined(rest, " ")), place.depth)


def _definitions(lines: Sequence[Sequence[Token]], place: _Place) -> Iterator[Piece]:
    """Yield a definition list, a term on a line and below it ": what it means", as items that read "term: meaning"."""
    series = next(place.numbers)
    starts = [n for n, line in enumerate(lines[1:]) if _is_meaning(line) and not _is_meaning(lines[n])]
    if starts[0]:
        before = on_one_line(joined(map(_seen, lines[: starts[0]]), " "))
        yield _piece("paragraph", before, place.depth)
    for start, end in pairwise((*starts, len(lines))):
        term = on_one_line(_seen(lines[start]))
        begins = [n for n in range(start + 1, end) if _is_meaning(lines[n])]
        for begin, stop in pairwise((*begins, end)):
            meaning = on_one_line(joined(map(_seen, lines[begin:stop]), " "))
            yield _piece("item", joined((term, meaning), ""), place.depth, series, len(term.text))


def _is_meaning(line: Sequence[Token]) -> bool:
    return bool(line) and line[0].type == "text" and line[0].content.startswith(": ")


def _lines(tokens: Sequence[Token]) -> list[list[Token]]:
    lines: list[list[Token]] = [[]]
    for token in tokens:
        if token.type in ("softbreak", "hardbreak") or BREAK.fullmatch(token.content):
            lines.append([])
        else:
            lines[-1].append(token)
    return lines


def _list(node: SyntaxTreeNode, place: _Place) -> Iterator[Piece]:
    series = next(place.numbers)
    inside = replace(place, depth=place.depth + 1)
    for item in node.children:
        lead = list(takewhile(lambda child: child.type in ("paragraph", "heading"), item.children))
        read = _ticked(joined((one for one in map(_readable, lead) if one.text), "\n"))
        term = _term(_tokens_of(lead[0])) if lead else 0
        yield _piece("item", read, place.depth, series, term)
        yield from _walk_all(item.children[len(lead) :], inside)


def _rows(table: SyntaxTreeNode, place: _Place) -> Iterator[Piece]:
    header, *rows = [_cells(row) for part in table.children for row in part.children]
    series = next(place.numbers)
    form = is_form([[cell.text for cell in cells] for cells in (header, *rows)])
    labels = tuple(cell.text for cell in header) if rows and any(cell.text for cell in header) and not form else ()
    for cells in rows if labels else [header, *rows]:
        if any(cell.text for cell in cells):
            yield replace(_piece("row", joined(cells, " | "), place.depth, series), labels=labels)


def _cells(row: SyntaxTreeNode) -> tuple[Linked, ...]:
    """Return the cells; a bar inside one loses its spaces, so that " | " always parts two cells."""
    return tuple(with_bars_closed(_readable(cell)) for cell in row.children)


def _ticked(linked: Linked) -> Linked:
    """Return the item of a list of tasks with its box as one sign, ticked or empty."""
    found = _TASK.match(linked.text)
    if found is None:
        return linked
    box = Linked("\u2610" if found[1] == " " else "\u2611")
    return joined((box, cut(linked, found.end())), "")


def _without(mark: re.Pattern[str], linked: Linked) -> Linked:
    found = mark.match(linked.text)
    return cut(linked, found.end()) if found else linked


def _term(tokens: Sequence[Token]) -> int:
    """Return how long the bold words at the beginning are when a colon or dash after them says that they are explained.

    The colon may be bold too: "**Term:** what it means".
    """
    spoken = [token for token in tokens if token.type != "text" or token.content]
    if not spoken or spoken[0].type != "strong_open":
        return 0
    end = next((n for n, token in enumerate(spoken) if token.type == "strong_close"), 0)
    bold = one_line(_seen(spoken[1:end]).text)
    term = bold.removesuffix(":").rstrip()
    after = _EXPLAINS.match((":" if term != bold else "") + _seen(spoken[end + 1 : end + 2]).text)
    return len(term) if after and term else 0


def _readable(node: SyntaxTreeNode) -> Linked:
    return on_one_line(_seen(_tokens_of(node)))


def _tokens_of(node: SyntaxTreeNode) -> list[Token]:
    return [token for child in node.children if child.token for token in child.token.children or ()]


def _seen(tokens: Sequence[Token]) -> Linked:
    """Return what a reader sees of the tokens, with the links among them, those of raw HTML too."""
    parts: list[str] = []
    links: list[Link] = []
    opened: list[tuple[int, str]] = []
    tagged: list[tuple[int, str]] = []
    length = 0
    for token in tokens:
        text = _visible(token)
        if token.type == "link_open":
            opened.append((length, str(token.attrs.get("href", ""))))
        elif token.type == "html_inline" and (target := led_by(token.content)) is not None:
            tagged.append((length, target))
        elif token.type == "link_close" or (token.type == "html_inline" and ends_link(token.content)):
            waiting = opened if token.type == "link_close" else tagged
            if waiting:
                start, target = waiting.pop()
                links.append(Link(target, Span(start, length)))
        parts.append(text)
        length += len(text)
    return Linked("".join(parts), tuple(link for link in links if link.target and link.span.start < link.span.end))


def _visible(token: Token) -> str:
    match token.type:
        case "softbreak" | "hardbreak":
            return " "
        case "html_inline":
            return " " if BREAK.fullmatch(token.content) else ""
        case "image":
            return "".join(map(_visible, token.children or ()))
        case _:
            return token.content
