"""Items and rows to lists and tables: which of them belong together, told from their indents and columns."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count

from core.ingest.pieces import Piece


@dataclass(slots=True)
class _Open:
    """The lists, outermost first as (indent, number), and the table that the next piece may continue."""

    numbers: Iterator[int] = field(default_factory=count)
    lists: list[tuple[int, int]] = field(default_factory=list)
    table: tuple[tuple[str, ...], int] | None = None


def number_series(pieces: Iterable[Piece], tolerance: int = 1) -> Iterator[Piece]:
    """Yield the pieces; items and rows get the number of their list or table, and an item's indent becomes nesting.

    Neighbouring rows with the same labels are one table. An indent within the tolerance is the same list.
    """
    state = _Open()
    for piece in pieces:
        state.lists = state.lists if piece.kind == "item" else []
        state.table = state.table if piece.kind == "row" else None
        match piece.kind:
            case "item":
                yield _item(piece, state, tolerance)
            case "row":
                yield _row(piece, state)
            case _:
                yield piece


def _item(piece: Piece, state: _Open, tolerance: int) -> Piece:
    state.lists = [entry for entry in state.lists if entry[0] <= piece.depth + tolerance]
    if not state.lists or piece.depth > state.lists[-1][0] + tolerance:
        state.lists.append((piece.depth, next(state.numbers)))
    return replace(piece, depth=len(state.lists) - 1, series=state.lists[-1][1])


def _row(piece: Piece, state: _Open) -> Piece:
    if state.table is None or state.table[0] != piece.labels:
        state.table = piece.labels, next(state.numbers)
    return replace(piece, series=state.table[1])
