"""Markdown to readable text: what a reader sees, in blocks, without markup."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from html import unescape
from itertools import count, takewhile

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from core.ingest.document import Block
from core.ingest.markdown_rules import add_rules
from core.ingest.pieces import Piece, lay_out, one_line
from core.text import clean

# A list in a list is two levels. Deeper than this is an attack on the stack, not a document, and is read flat.
MAX_NESTING = 60

_NESTING_MARKS = re.compile(r"^[ \t>*+-]+", re.MULTILINE)

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_UNSEEN = re.compile(r"<(script|style|template)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<[!?][^<>]*>")
_BORDER = re.compile(
    r"\n\s*\n|</?(?:p|div|li|ul|ol|tr|table|h[1-6]|summary|details|section|article|blockquote|dt|dd|hr)\b[^<>]*>",
    re.IGNORECASE,
)
_TASK = re.compile(r"^\[[ xX]\]\s+")
_ALERT = re.compile(r"^\[!\w+\]\s*")


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
    return tuple(piece for piece in _walk(tree, _Place()) if piece.text.strip())


def _tokens(source: str) -> list[Token]:
    """Return the tokens; the parser leaves out what is nested too deeply, so such a text is first made flat."""
    tokens = _parser().parse(source)
    if any(token.level >= MAX_NESTING - 1 for token in tokens):
        return _parser().parse(_NESTING_MARKS.sub("", source))
    return tokens


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable(["table", "strikethrough"])
    return add_rules(parser)


def _walk(node: SyntaxTreeNode, place: _Place) -> Iterator[Piece]:
    match node.type:
        case "heading" if place.depth == 0 and not place.quoted:
            yield Piece("heading", _readable(node), depth=int(node.tag[1:]))
        case "heading" | "paragraph":
            yield _paragraph(node, place)
        case "bullet_list" | "ordered_list":
            yield from _list(node, place)
        case "table":
            yield from _rows(node, place)
        case "fence" | "code_block":
            yield Piece("code", clean(node.content).strip("\n").rstrip(), depth=place.depth)
        case "html_block":
            yield from (Piece("paragraph", text, depth=place.depth) for text in _html_texts(node.content))
        case _:
            inside = replace(place, quoted=place.quoted or node.type == "blockquote")
            for child in node.children:
                yield from _walk(child, inside)


def _paragraph(node: SyntaxTreeNode, place: _Place) -> Piece:
    if place.quoted:
        return Piece("quote", _ALERT.sub("", _readable(node)), depth=place.depth)
    return Piece("paragraph", _readable(node), depth=place.depth)


def _list(node: SyntaxTreeNode, place: _Place) -> Iterator[Piece]:
    series = next(place.numbers)
    inside = replace(place, depth=place.depth + 1)
    for item in node.children:
        lead = list(takewhile(lambda child: child.type in ("paragraph", "heading"), item.children))
        text = "\n".join(filter(None, map(_readable, lead)))
        yield Piece("item", _TASK.sub("", text), depth=place.depth, series=series)
        for child in item.children[len(lead) :]:
            yield from _walk(child, inside)


def _rows(table: SyntaxTreeNode, place: _Place) -> Iterator[Piece]:
    header, *rows = [_cells(row) for part in table.children for row in part.children]
    series = next(place.numbers)
    labels = header if any(header) and rows else ()
    for cells in rows or [header]:
        if any(cells):
            yield Piece("row", " | ".join(cells), depth=place.depth, series=series, labels=labels)


def _cells(row: SyntaxTreeNode) -> tuple[str, ...]:
    """Return the cells; a bar inside one loses its spaces, so that " | " always parts two cells."""
    return tuple(_readable(cell).replace(" | ", "|") for cell in row.children)


def _readable(node: SyntaxTreeNode) -> str:
    tokens = [token for child in node.children if child.token for token in child.token.children or ()]
    return one_line("".join(map(_seen, tokens)))


def _seen(token: Token) -> str:
    match token.type:
        case "softbreak" | "hardbreak":
            return " "
        case "html_inline":
            return " " if _BREAK.fullmatch(token.content) else ""
        case "image":
            return "".join(map(_seen, token.children or ()))
        case _:
            return token.content


def _html_texts(html: str) -> Iterator[str]:
    seen = _BREAK.sub(" ", _UNSEEN.sub("", _COMMENT.sub("", html)))
    for part in _BORDER.split(seen):
        yield one_line(unescape(_TAG.sub("", part)))
