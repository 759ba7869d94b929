"""How the server reads a rich message in blocks: paragraphs and tables, whole or refused."""

from __future__ import annotations

from .errors import bad_request
from .model import Json, RichText
from .params import Params

MAX_COLUMNS, MAX_BLOCKS, MAX_CHARS = 20, 500, 32_768

_STYLES = {"bold", "italic", "code"}
_FIELDS = {
    "paragraph": {"type", "text"},
    "table": {"type", "cells", "is_bordered", "is_striped", "is_compact", "caption"},
}
_CELL = {"text", "is_header", "colspan", "rowspan", "align", "valign"}
_WAYS = ("html", "markdown", "blocks")


def read_message(params: Params) -> tuple[RichText, Json]:
    """Return the words of a rich message, blocks in lines and cells apart by bars, and the message itself."""
    message = params.structure("rich_message", "rich message")
    if not isinstance(message, dict) or [way for way in _WAYS if message.get(way)] != ["blocks"]:
        raise bad_request("exactly one of the fields html, markdown, or blocks must be used")
    blocks = message["blocks"]
    if not isinstance(blocks, list) or len(blocks) > MAX_BLOCKS:
        raise bad_request("RICH_MESSAGE_BLOCKS_INVALID")
    text = "\n".join(_block(block) for block in blocks)
    if not text.strip() or len(text) > MAX_CHARS:
        raise bad_request("RICH_MESSAGE_TEXT_INVALID")
    return RichText(text), message


def _block(block: object) -> str:
    kind = block.get("type") if isinstance(block, dict) else None
    if not isinstance(block, dict) or kind not in _FIELDS or not block.keys() <= _FIELDS[str(kind)]:
        raise bad_request(f"Can't parse rich block: {block!r}")
    return _text(block.get("text")) if kind == "paragraph" else _table(block.get("cells"))


def _table(rows: object) -> str:
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        raise bad_request("RICH_TABLE_INVALID")
    if len({len(row) for row in rows}) != 1 or not 1 <= len(rows[0]) <= MAX_COLUMNS:
        raise bad_request("RICH_TABLE_COLUMNS_INVALID")
    return "\n".join(" | ".join(_cell(cell) for cell in row) for row in rows)


def _cell(cell: object) -> str:
    if not isinstance(cell, dict) or not cell.keys() <= _CELL:
        raise bad_request(f"Can't parse table cell: {cell!r}")
    if cell.get("align") not in ("left", "center", "right") or cell.get("valign") not in ("top", "middle", "bottom"):
        raise bad_request("RICH_TABLE_CELL_INVALID")
    return _text(cell["text"]) if "text" in cell else ""


def _text(text: object) -> str:
    if isinstance(text, str) and text:
        return text
    if isinstance(text, list) and text:
        return "".join(map(_text, text))
    if isinstance(text, dict) and text.keys() == {"type", "text"} and text["type"] in _STYLES:
        return _text(text["text"])
    raise bad_request(f"Can't parse rich text: {text!r}")
