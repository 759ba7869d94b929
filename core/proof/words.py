"""A text as its words: each with its stem, its clause and its sentence; read once and kept."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Literal, NamedTuple

from core.proof.days import DATE_WORDS
from core.proof.idioms import plainly
from core.proof.lexicon import light
from core.proof.numerals import VALUES
from core.proof.units import FACTORS, unit_of
from core.text import STOP_WORDS, apart, bare, sentences, stem

Kind = Literal["word", "number", "ident", "link", "sign"]

NUMERALS = frozenset([*VALUES, *FACTORS, "minus", "минус"])

_STRESS = re.compile("[\u0300-\u0305\u0307-\u036f]")
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("’‘‚‛′ʼ", "'"),
        **dict.fromkeys("‐‑‒−", "-"),
        **dict.fromkeys("“”„‟«»″", '"'),
        "ё": "е",
        "Ё": "Е",
        "№": "#",
        "½": " 0.5 ",
        "⁄": "/",
    }
)
_LINK = (
    r"(?P<link>\b\w{2,12}://\S{1,400}|\bwww\.\S{1,400}|[^\s@<>()\"]{1,64}@[\w.-]{1,190}|@\w{1,60}"
    r"|(?<![\w.@/-])[^\W\d_][\w-]{0,62}(?:\.[\w-]{1,63}){0,6}\.[a-zа-я]{2,24}\b(?:/\S{0,400})?)|"
)
_REST = (
    r"(?P<ident>v?\d{1,9}(?:\.\d{1,9}){2,6}[\w-]{0,20}|[^\W\d_]{1,40}(?:[_-][^\W\d_]{1,40}){0,6}[-_]?\d[\w-]*(?:\.\w+)*"
    r"|[^\W\d_]{1,40}(?:_[^\W_]{1,40})+)"
    r"|(?P<number>\d+(?:[ .,:]\d+)*)"
    r"|(?P<word>[^\W\d_]+(?:'[^\W\d_]+)*[+#]{0,2})"
    r"|(?P<sign>[€$£₽%#]|[<>≥≤±~≈])"
)
_TOKEN, _TOKEN_OR_LINK = re.compile(_REST), re.compile(_LINK + _REST)
_MAY_LINK = re.compile(r"@|://|www\.|\w\.[a-zа-я]{2}")
# What parts clauses: signs between words, words behind a comma, words by themselves.
_CUTS = re.compile(r"[;:()—\n]|\s[–-]\s|[.!?…]\s")
_BEHIND_COMMA = frozenset(
    "but and so which who while whereas although though unless except because as yet or then not nor if where when"
    " а но и что чтобы хотя если кроме поэтому когда пока зато однако иначе то не где который которая которое которые"
    " которую которых которому которого".split()
)
_BY_THEMSELVES = frozenset(
    "but while whereas because if unless although except без without кроме если хотя но instead".split()
)
_AND = frozenset("and и а".split())
_AFTER_AND = frozenset(
    "is are was were does do did has have had may can must will should cannot not no never nobody не нет ни нельзя можно никогда никто".split()
)
_IN_TWO = frozenset(
    [("as", "long"), ("provided", "that"), ("provided", "nobody"), ("provided", "no"), ("при", "условии")]
)
_CONDITIONS = frozenset("if when unless once after если когда после при".split())


class Word(NamedTuple):
    """One word, number or sign of a text, from `start` to `end` of the read text.

    `own`: it is a possessive; `opens`: it begins a sentence; `comma`: it stands after one. `tells`: it carries meaning of
    its own, `says`: it does, or is a number or a name; `spoken`: it does, and is no number, unit or date. `dated`: it is a
    month or a day, `numeral`: a number in letters. `capital`: it is written like a name.
    """

    text: str
    low: str
    stem: str
    kind: Kind
    start: int
    end: int
    clause: int
    sentence: int
    opens: bool
    comma: bool
    own: bool
    tells: bool
    capital: bool
    says: bool
    dated: bool
    numeral: bool
    spoken: bool


SENTENCE: Callable[[Word], int] = attrgetter("sentence")


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A text with its words in order. `text` is folded: one form of quotation marks, hyphens, spaces and ё.

    There is one reading of a text, so that it is known by being the same one: what is found in it is kept by it.
    """

    text: str
    low: str
    words: tuple[Word, ...]
    stems: frozenset[str]
    lows: frozenset[str]
    content: tuple[Word, ...]
    sentences: int


@lru_cache(maxsize=1_024)
def read(text: str) -> Reading:
    """Return the text as its words."""
    first, *rest = text.split("\n")
    return _joined(_line(first), [_line(line) for line in rest]) if rest else _line(first)


def _joined(reading: Reading, following: Sequence[Reading]) -> Reading:
    """Return readings of lines as that of the lines under each other: a line begins a sentence."""
    words = list(reading.words)
    shift, sentence = len(reading.text) + 1, reading.sentences
    for line in following:
        clause = words[-1].clause + 1 if words else 0
        words += [_moved(word, shift, clause, sentence) for word in line.words]
        shift, sentence = shift + len(line.text) + 1, sentence + line.sentences
    every = (reading, *following)
    return Reading(
        "\n".join([line.text for line in every]),
        "\n".join([line.low for line in every]),
        tuple(words),
        frozenset().union(*[line.stems for line in every]),
        frozenset().union(*[line.lows for line in every]),
        tuple([word for word in words if word.tells]),
        sentence,
    )


def _moved(word: Word, shift: int, clause: int, sentence: int) -> Word:
    text, low, root, kind, start, end, own, of, *rest = word
    return Word(text, low, root, kind, start + shift, end + shift, own + clause, of + sentence, *rest)


@lru_cache(maxsize=2_048)
def _line(text: str) -> Reading:
    folded = plainly(_folded(bare(text)))
    low = folded.lower()
    if len(low) != len(folded):
        folded = low
    starts = [start for start, _ in sentences(folded)]
    words = tuple(_words(folded, low, starts[1:]))
    stems = frozenset([word.stem for word in words])
    lows = frozenset([word.low for word in words])
    return Reading(folded, low, words, stems, lows, tuple([word for word in words if word.tells]), len(starts))


def _folded(text: str) -> str:
    if text.isascii():
        return text
    composed = unicodedata.normalize("NFKC", apart(text).translate(_SIGNS))
    return unicodedata.normalize("NFC", _STRESS.sub("", composed)).translate(_SIGNS)


def _words(text: str, low: str, starts: Sequence[int]) -> list[Word]:
    found: list[Word] = []
    clause = sentence = end = 0
    fresh, conditional = True, False
    tokens = list((_TOKEN_OR_LINK if _MAY_LINK.search(low) else _TOKEN).finditer(text))
    lows = [low[token.start() : token.end()] for token in tokens]
    for token, own, following in zip(tokens, lows, [*lows[1:], ""], strict=False):
        at = token.start()
        while sentence < len(starts) and starts[sentence] <= at:
            sentence, fresh = sentence + 1, True
        between = text[end:at]
        comma = "," in between
        if found and (fresh or (comma and conditional) or _parts(between, own, following, comma=comma)):
            clause, conditional = clause + 1, False
        conditional = conditional or own in _CONDITIONS
        kind: Kind = token.lastgroup  # type: ignore[assignment]  # the pattern's groups are the kinds
        for shown, form, root, first, rest in _forms(token.group(), kind):
            place = (at, at + len(shown), clause, sentence)
            found.append(Word(shown, form, root, kind, *place, fresh and first, comma and first, *rest))
        fresh, end = False, token.end()
    return found


def _parts(between: str, own: str, following: str, *, comma: bool) -> bool:
    """Return whether a new clause begins at a word, given what stands before it."""
    if len(between) > 1 and _CUTS.search(between):
        return True
    if (own, following) in _IN_TWO or (own == "provided" and comma):
        return True
    return (comma and own in _BEHIND_COMMA) or own in _BY_THEMSELVES or (own in _AND and following in _AFTER_AND)


# Its text, folded, stemmed, whether it is the first of its token, and what it is: from `own` on, but for its place.
_Form = tuple[str, str, str, bool, tuple[bool, ...]]


@lru_cache(maxsize=4_096)
def _forms(text: str, kind: Kind) -> tuple[_Form, ...]:
    """Return what a token is wherever it stands: its words, folded, stemmed, and what they are; “can’t” is two."""
    low = text.lower()
    if kind != "word":
        bare_low = low.rstrip(".,;:!?)\"'")
        numeral, dated = bare_low in NUMERALS, bare_low in DATE_WORDS
        what = (False, False, text[0].isupper(), kind in {"number", "ident"}, dated, numeral, False)
        return ((text, bare_low, low, True, what),)
    if low.endswith("n't") or low == "cannot":
        verb = "can" if low in {"can't", "cannot"} else "will" if low == "won't" else low.removesuffix("n't")
        return _form(verb, verb), ("not", "not", "not", False, (False,) * 7)
    return (_form(text, low.removesuffix("'s").removesuffix("'"), own=low.endswith("'s")),)


def _form(text: str, low: str, *, own: bool = False) -> _Form:
    root, tells, dated, numeral = stem(low), low not in STOP_WORDS, low in DATE_WORDS, low in NUMERALS
    spoken = tells and not dated and not numeral and unit_of(low) is None
    return text, low, root, True, (own, tells, text[0].isupper(), tells and root not in light(), dated, numeral, spoken)
