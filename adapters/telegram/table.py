"""Small tables as lines of equal width."""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest

# A 360-point phone shows 34 to 36 characters of Telegram's monospaced text in a line; longer ones wrap into a tangle.
MAX_WIDTH = 34

_COLUMN_GAP = "  "


def aligned(rows: Sequence[Sequence[str]]) -> str | None:
    """Return the rows under their ruled header, columns aligned; None when a phone could not show them in one line."""
    columns = [[" ".join(cell.split()) for cell in column] for column in zip_longest(*rows, fillvalue="")]
    widths = [max(map(_width, column)) for column in columns]
    if sum(widths) + len(_COLUMN_GAP) * (len(widths) - 1) > MAX_WIDTH:
        return None
    lines = [_COLUMN_GAP.join(map(_padded, row, widths)).rstrip() for row in zip(*columns, strict=True)]
    return "\n".join([*lines[:1], _COLUMN_GAP.join("─" * width for width in widths), *lines[1:]])


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - _width(cell))


def _width(text: str) -> int:
    return len(text) if text.isascii() else sum(map(_columns, text))


@lru_cache(maxsize=4_096)
def _columns(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
