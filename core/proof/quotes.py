"""Where a quote stands in a stored text: exactly there, however it was copied."""

import re
import unicodedata
from functools import lru_cache

from core.facts import Span
from core.text import clean

_MIN_QUOTE = 2
_FOLDED = str.maketrans(
    {**dict.fromkeys("’‘‚‛′", "'"), **dict.fromkeys("“”„‟«»″", '"'), **dict.fromkeys("‐‑‒–—―−", "-"), "ё": "е"}
)
_BREVE = "\u0306"  # it makes й of и; other marks are stress, or left out as often as not
# What a model leaves out or puts in when it copies a list: the signs in front of its items.
_MARKER = re.compile(r"(?:^|(?<=\n))[ \t]*(?:[-*•·‣◦–—]|\d{1,3}[.)]|[a-zа-я]\))[ \t]+")


def find_quote(quote: str, text: str) -> Span | None:
    """Return where the quote stands in the text: exactly, or but for how it is written.

    Case, quotation marks, dashes, white space, accents, ligatures and invisible characters may differ.
    """
    if len(quote.strip()) < _MIN_QUOTE:
        return None
    if (start := text.find(quote)) >= 0:
        return Span(start, start + len(quote))
    return _found(_fold(quote)[0], *_fold(text), text) or _found(_unlisted(quote), *_fold_items(text), text)


def _found(quote: str, folded: str, places: list[int], text: str) -> Span | None:
    wanted = quote.strip()
    found = re.search(re.escape(wanted) + f"(?!{_BREVE})", folded)
    if found is None or len(wanted) < _MIN_QUOTE:
        return None
    end = places[found.end() - 1] + 1
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1
    return Span(places[found.start()], end)


def _unlisted(quote: str) -> str:
    return _fold(_MARKER.sub(" ", quote))[0]


def _fold_items(text: str) -> tuple[str, list[int]]:
    """Return the text folded without the signs in front of list items, and its characters' places."""
    return _fold(_MARKER.sub(lambda found: " " * len(found.group()), text))


def _fold(text: str) -> tuple[str, list[int]]:
    """Return the text folded for comparison and, for each of its characters, its place in the original."""
    chars: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        for folded in _folded(char):
            if folded != " " or chars[-1:] != [" "]:
                chars.append(folded)
                places.append(place)
    return "".join(chars), places


@lru_cache(maxsize=10_000)
def _folded(char: str) -> str:
    if char.isspace():
        return " "
    apart = unicodedata.normalize("NFKD", clean(char)).translate(_FOLDED).lower()
    return "".join(one for one in apart if one == _BREVE or not unicodedata.combining(one))
