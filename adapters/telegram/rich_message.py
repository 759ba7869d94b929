"""An answer with a table as a rich message (Bot API 10.2, newer than the library): its tables are tables there."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from adapters.telegram.format import BULLET, line_of, said
from adapters.telegram.richtext import Rich
from core.reply import Bullets, Node, Paragraph, RenderedReply, Table, Tasks

# core.telegram.org/bots/api, rich message limits.
MAX_COLUMNS, MAX_BLOCKS, MAX_CHARS = 20, 500, 32_768

_Block = dict[str, Any]


def rich_of(reply: RenderedReply) -> dict[str, Any] | None:
    """Return the answer in blocks, its words as they are in text; None without a table, or when it is too much.

    No link, mention or command in it is live, as in text.
    """
    tables = [node for node in reply.nodes if isinstance(node, Table)]
    if not tables or not all(1 <= _columns(table) <= MAX_COLUMNS for table in tables):
        return None
    blocks = [block for node in reply.nodes for block in _blocks(node) if block.get("text") != []]
    # The blocks' own names count here and not there, so this is early at most.
    if len(blocks) > MAX_BLOCKS or len(json.dumps(blocks, ensure_ascii=False)) > MAX_CHARS:
        return None
    return {"blocks": blocks, "skip_entity_detection": True}


def _blocks(node: Node) -> Iterator[_Block]:
    match node:
        case Paragraph(line):
            yield _paragraph(line_of(line))
        case Bullets(items, heading):
            if heading is not None:
                yield _paragraph(line_of(heading))
            yield from (_paragraph(Rich(BULLET) + line_of(item)) for item in items)
        case Table(header, rows):
            width = _columns(node)
            cells = [_row([said(name) for name in header], width, is_header=True)]
            cells += [_row([line_of(cell) for cell in row], width) for row in rows]
            yield {"type": "table", "cells": cells, "is_bordered": True}
        case Tasks(line=line):
            yield _paragraph(said(line))


def _columns(table: Table) -> int:
    return max(len(table.header), *(len(row) for row in table.rows), 0)


def _paragraph(rich: Rich) -> _Block:
    return {"type": "paragraph", "text": _text(rich)}


def _row(cells: Sequence[Rich], width: int, *, is_header: bool = False) -> list[_Block]:
    """Return the cells, and empty ones up to the width; a cell without words has no text."""
    place = {"align": "left", "valign": "top"} | ({"is_header": True} if is_header else {})
    given = [*cells, *(Rich() for _ in range(width - len(cells)))]
    return [place | ({"text": _text(cell)} if cell.text.strip() else {}) for cell in given]


def _text(rich: Rich) -> list[Any]:
    """Return the words in pieces, each plain or in its style."""
    pieces: list[Any] = []
    at = 0
    for mark in sorted(rich.marks, key=lambda mark: mark.start):
        pieces += [rich.text[at : mark.start], {"type": mark.kind, "text": rich.text[mark.start : mark.end]}]
        at = mark.end
    return [piece for piece in (*pieces, rich.text[at:]) if piece]
