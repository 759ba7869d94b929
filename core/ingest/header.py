"""What a document says about itself in its first lines, where the format has no place for it."""

import re
from collections.abc import Iterable, Mapping, Sequence

from core.ingest.pieces import Piece
from core.ingest.plaintext import FIELD

_BETWEEN = re.compile(r"\s+[·|•]\s+")
_UPDATED = re.compile(
    r"\b(?:last updated|updated|обновлено|последнее обновление):?\s+(\d{4}-\d{2}-\d{2}|\d{2}\.\d{2}\.\d{4})",
    re.IGNORECASE,
)
# How far down a line still belongs to the head of the document.
_HEAD = 6


def without_header(pieces: Sequence[Piece]) -> tuple[Mapping[str, str], tuple[Piece, ...]]:
    """Return what the first lines state as `key: value`, and the pieces without these statements.

    A line such as "Policy 7 · Owner: Anna Petrova · Updated: 2025-01-15" keeps only "Policy 7".
    """
    known: dict[str, str] = {}
    rest: list[Piece] = []
    for place, piece in enumerate(pieces):
        found, kept = _taken(piece) if place < _HEAD or piece.kind == "field" else ({}, (piece,))
        known.update((key, value) for key, value in found.items() if key not in known)
        rest.extend(kept)
    return {**_updated(rest[:_HEAD]), **known}, tuple(rest)


def _taken(piece: Piece) -> tuple[dict[str, str], tuple[Piece, ...]]:
    if piece.kind == "field" and piece.links:
        return {}, (piece,)
    parts = _BETWEEN.split(piece.text)
    stated = {match[1]: match[2] for part in parts if (match := FIELD.match(part))}
    if piece.kind == "field" or (piece.kind == "paragraph" and len(parts) > 1 and stated):
        plain = " · ".join(part for part in parts if not FIELD.match(part))
        return stated, (Piece("paragraph", plain, page=piece.page),) if plain else ()
    return {}, (piece,)


def _updated(pieces: Iterable[Piece]) -> dict[str, str]:
    found = (_UPDATED.search(piece.text) for piece in pieces if piece.kind == "paragraph")
    return next(({"updated": match[1]} for match in found if match), {})
