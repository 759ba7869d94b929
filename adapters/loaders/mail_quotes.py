"""What a letter repeats of older ones: told from how mail programs mark it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from core.ingest.pieces import Piece

# A heading is short; what stands above a quoted letter may name many people.
_LONGEST_HEADING: Final = 200
_LINES: Final = 3
# The line above what is quoted names a day or an address, and says that somebody wrote.
_WROTE: Final = re.compile(
    r"(?=.*(?:@|\d)).{4,400}?\b(?:wrote|writes|schrieb|писал|писала|написал|написала|пишет)\b[^:]{0,200}:",
    re.IGNORECASE,
)
_TIMED: Final = re.compile(r"@|\d{1,2}:\d{2}")
_ABOVE: Final = re.compile(
    r"(?:-{2,} ?(?:Original Message|Исходное сообщение|Ursprüngliche Nachricht) ?-{2,} ?)?"
    r"(?:From|От|От кого|Von): .{1,400}?(?:Sent|Date|Отправлено|Дата|Gesendet|Datum): ",
    re.IGNORECASE,
)
_MARK: Final = re.compile(
    r"-{2,} ?(?:Original Message|Исходное сообщение|Ursprüngliche Nachricht) ?-{2,}", re.IGNORECASE
)


def with_earlier(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the pieces of a letter, what it quotes as `earlier`; the line that introduces an end of such is a heading.

    Some programs write the older letter below a few lines of its head and mark nothing: there all below is older.
    """
    below = next((place for place in range(len(pieces)) if _begins_older(pieces, place)), len(pieces))
    quoted = [piece.kind == "quote" or _introduces(pieces, place) for place, piece in enumerate(pieces)]
    older = [known or place >= below for place, known in enumerate(quoted)]
    tail = next((place for place in range(len(pieces), 0, -1) if not older[place - 1]), 0)
    for place, piece in enumerate(pieces):
        if older[place] and place == tail > 0 and piece.kind == "paragraph" and len(piece.text) <= _LONGEST_HEADING:
            yield replace(piece, kind="heading", depth=6)
        else:
            yield replace(piece, kind="earlier", depth=0, series=None, labels=(), term=0) if older[place] else piece


def _begins_older(pieces: Sequence[Piece], place: int) -> bool:
    if pieces[place].kind not in ("paragraph", "heading"):
        return False
    text = " ".join(piece.text for piece in pieces[place : place + _LINES])
    if _MARK.match(text) or _ABOVE.match(text):
        return True
    alone = place + 1 == len(pieces) or pieces[place + 1].kind != "quote"
    return alone and bool(_TIMED.search(pieces[place].text)) and bool(_WROTE.fullmatch(pieces[place].text))


def _introduces(pieces: Sequence[Piece], place: int) -> bool:
    quoted = place + 1 < len(pieces) and pieces[place + 1].kind == "quote"
    return quoted and pieces[place].kind == "paragraph" and bool(_WROTE.fullmatch(pieces[place].text))
