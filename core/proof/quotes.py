"""Where a quote stands in a stored text: exactly there, however it was copied."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from html import unescape

from core.facts import Span
from core.text import clean

_MIN_QUOTE = 2
_FOLDED = str.maketrans(
    {**dict.fromkeys("’‘‚‛′", "'"), **dict.fromkeys("“”„‟«»″", '"'), **dict.fromkeys("‐‑‒–—―−", "-"), "ё": "е"}
)
_BREVE = "\u0306"  # it makes й of и; other marks are stress, or left out as often as not
# What a model leaves out or puts in when it copies a list: the signs in front of its items.
_MARKER = re.compile(r"(?:^|(?<=\n))[ \t]*(?:[-*•·‣◦–—]|\d{1,3}[.)]|[a-zа-я]\))[ \t]+")

# Marks of emphasis and code, and of a quoted line; two hyphens for a dash.
_MARKDOWN = re.compile(r"\*+|(?<!\w)_+|_+(?!\w)|`+|~~|(?:^|(?<=\n))[ \t]*(?:>[ \t]?)+")
_DASHES = re.compile(r"(?<=\s)-{2,3}(?=\s)")
# What stands around a copy: quotation marks, the dots of words left out, the stop of a sentence that goes on.
_AROUND = re.compile(
    r"^[\s\"'“”„‟«»‘’‚‹›]*(?:[\[(]?(?:…|\.{2,})[\])]?)?[\s\"'“”„‟«»‘’‚‹›]*"
    r"|[\s\"'“”„‟«»‘’‚‹›.,;:!?…]*(?:[\[(](?:…|\.{2,})[\])])?[\s\"'“”„‟«»‘’‚‹›.,;:…]*$"
)
# So much must be left of a quote without these.
_MIN_BARE = 4
_WORD = re.compile(r"[^\W\d_]+")
_MIXED = re.compile(r"[A-Za-z][А-Яа-яЁё]|[А-Яа-яЁё][A-Za-z]")
_LATIN, _CYRILLIC = "AaBCcEeHKMOoPpTXxy", "АаВСсЕеНКМОоРрТХху"
_TO_CYRILLIC, _TO_LATIN = str.maketrans(_LATIN, _CYRILLIC), str.maketrans(_CYRILLIC, _LATIN)


def find_quote(quote: str, text: str) -> Span | None:
    """Return where the quote stands in the text: exactly, or but for how it is written.

    Case, quotation marks, dashes, white space, accents, ligatures and invisible characters may differ; marks around it
    and in it that are those of a copy (quotation marks, dots, emphasis) may be there beside its words.
    """
    if len(quote.strip()) < _MIN_QUOTE:
        return None
    if (start := text.find(quote)) >= 0:
        return Span(start, start + len(quote))
    return _copied(quote, text) or next(filter(None, (_copied(one, text) for one in _bare(quote))), None)


def _copied(quote: str, text: str) -> Span | None:
    return _found(_fold(quote)[0], *_fold(text), text) or _found(_unlisted(quote), *_fold_items(text), text)


def _bare(quote: str) -> Iterator[str]:
    """Yield the quote without the marks that a copy of it may have, ever fewer of them left."""
    plain = _in_one_script(_DASHES.sub("-", unescape(quote)))
    if plain != quote:
        yield plain
    unmarked = _MARKDOWN.sub("", plain)
    if unmarked != plain:
        yield unmarked
    bare = _AROUND.sub("", unmarked)
    if bare != unmarked and len(bare) >= _MIN_BARE:
        yield bare


def _in_one_script(text: str) -> str:
    """Return the text with the words that mix two alphabets in that of most of their letters: «Cрок» with a Latin C."""
    return _WORD.sub(_of_most, text) if _MIXED.search(text) else text


def _of_most(found: re.Match[str]) -> str:
    word = found.group()
    latin = sum(char.isascii() for char in word if char.isalpha())
    return word.translate(_TO_LATIN if 2 * latin > len(word) else _TO_CYRILLIC) if _MIXED.search(word) else word


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


@lru_cache(maxsize=4_096)
def _folded(char: str) -> str:
    if char.isspace():
        return " "
    apart = unicodedata.normalize("NFKD", clean(char)).translate(_FOLDED).lower()
    return "".join(one for one in apart if one == _BREVE or not unicodedata.combining(one))
