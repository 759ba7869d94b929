"""A text in the parts of its sentences that each say one thing of one subject."""

from bisect import bisect
from functools import lru_cache
from typing import NamedTuple

from core.proof.given import GIVEN_NAMES
from core.proof.numbers import Amount, amounts
from core.proof.patterns import compiled
from core.proof.words import Reading, Word

_SEGMENT = compiled(
    r",\s|;|\n|\s(?:while|whereas|but|а|но)\s|\s(?:and|и)\s(?=[A-ZА-Я\d«€$£₽]|(?:at|in|on|for|by|from|to|в|на|для|по|из|с)\s[A-ZА-Я«\d]|the\b|a\b|an\b|those\b|для\b|its\b|из\b)"
)
# A part that goes on about the one before it.
_LEANS = compiled(
    r"^(?:she|he|it|they|this|that|which|who|whom|of (?:which|them|whom)|its|their|his|her|one of|both|there|then|если|она|он|оно|они|это|котор\w+|их|его|ее|из них|один из|оба|там|затем|if|unless|when|otherwise|in (?:all )?other cases|в остальных случаях|в противном случае|иначе)\b"
    r"|\b(?:that amount|this amount|that limit|(?:above|below|beyond|over|under) (?:that|this)|этой суммы|этого|of them|из них|one of|один из)\b"
)
# Which side of a limit is spoken of; “no more than” and «не более» are below it.
_BELOW = compiled(
    r"\b(?:(?:no|not) (?:more|greater|later) than|up to|at most|below|under|less than|within|before|until"
    r"|не (?:более|больше|выше|позднее|позже)|до|ниже|меньше|менее|раньше)\b"
)
_BEYOND = compiled(
    r"\b(?:above|over|beyond|(?:more|greater|larger) than|exceed\w*|выше|свыше|больше|более|сверх|превыша\w+)\b"
)
# Not below a limit, which is on its other side.
_NOT_BELOW = compiled(
    r"\b(?:at least|(?:no|not) (?:less|fewer|lower) than|не (?:опускается )?(?:менее|меньше|ниже|раньше))\b"
)
# What is said of all that is on the other side of the limit before it.
_OTHERWISE = compiled(r"^(?:otherwise|in (?:all )?other cases|в остальных случаях|в противном случае|иначе)\b")
_ELLIPTIC = compiled(r"^(?:(?:but|and|а|но|и)\s)?(?:not|не)\b|\b(?:ones?|those)\b(?! of)")
_DENIES = compiled(r"\b(?:not|no|не|нет)\b")
_FEW, _YEAR = 2, 4
_AND = compiled(r"\s(?:and|и)\s(?=[A-ZА-Я])")
_IS_YEAR = compiled(r"(?:19|20)\d\d")
_OF_YEAR = frozenset("год году года".split())
_JOINING = frozenset(
    "she he later earlier while whereas but and or тогда а но и или otherwise иначе остальных противном случае other cases".split()
)


class Segment(NamedTuple):
    """A part of a sentence that says one thing of one subject: who that is, all that is said, numbers and dates apart.

    `side`: which side of a limit it speaks of, if of one. `elliptic`: it goes on with what the part before says.
    """

    subject: frozenset[str]
    said: frozenset[str]
    values: frozenset[str]
    units: frozenset[str]
    leans: bool
    side: str
    otherwise: bool = False
    elliptic: bool = False


@lru_cache(maxsize=256)
def segments(reading: Reading) -> tuple[Segment, ...]:
    """Return the parts of a text between commas, semicolons and conjunctions, each as what it says of one subject."""
    units = {amount.place: amount for amount in amounts(reading)}
    places = {word.start: place for place, word in enumerate(reading.words)}
    return tuple(
        _segment(part, [units[places[w.start]] for w in part if places[w.start] in units], reading)
        for part in parts_of(reading)
    )


def whole_of(reading: Reading) -> Segment:
    """Return the text as one part: what its conditions limit is said of all of it."""
    return _segment(list(reading.words), list(amounts(reading)), reading)


@lru_cache(maxsize=256)
def parts_of(reading: Reading) -> tuple[list[Word], ...]:
    """Return the words between commas, semicolons and conjunctions; a part that says nothing joins the last."""
    cuts = sorted(cuts_of(reading))
    parts: list[list[Word]] = [[]]
    passed = bisect(cuts, 0)
    for word in reading.words:
        behind = bisect(cuts, word.start)
        parted = behind > passed or (parts[-1] and parts[-1][-1].sentence != word.sentence)
        if parted and is_whole(parts[-1]):
            parts.append([])
        parts[-1].append(word)
        passed = behind
    if len(parts) > 1 and not is_whole(parts[-1]):
        parts[-2:] = [parts[-2] + parts[-1]]
    return tuple(filter(None, parts))


@lru_cache(maxsize=256)
def cuts_of(reading: Reading) -> frozenset[int]:
    """Return the places in the text at which a part may begin."""
    return frozenset(
        found.end() for found in _SEGMENT.finditer(reading.text) if not _is_among_names(found.start(), reading)
    )


def _is_among_names(place: int, reading: Reading) -> bool:
    """Return whether an “and” stands between the names of two who do one thing, and no more before it."""
    if not _AND.match(reading.text, place):
        return False
    sentence = next((word.sentence for word in reading.words if word.start > place), -1)
    before = [word for word in reading.words if word.start < place and word.sentence == sentence]
    named = [word for word in before if word.capital and word.tells and not word.dated]
    return bool(named) and all(
        word in named or word.dated or not word.tells or _IS_YEAR.fullmatch(word.low) or word.low in _OF_YEAR
        for word in before
    )


def is_whole(part: list[Word]) -> bool:
    """Return whether the words say something of something: two that carry meaning, or one and a number."""
    return len([word for word in part if word.tells or word.kind in {"number", "ident"}]) >= 2  # noqa: PLR2004


def leans(low: str) -> bool:
    """Return whether a part goes on about the one before it: “which…”, “it…”."""
    return bool(_LEANS.search(low))


def is_elliptic(low: str, said: frozenset[str]) -> bool:
    """Return whether a part leaves out what the one before it says: “but not as …”, “the large one …”, «в Word нет»."""
    return _ELLIPTIC.search(low) is not None or (len(said) <= _FEW and _DENIES.search(low) is not None)


def is_otherwise(low: str) -> bool:
    """Return whether a part speaks of all that the one before it does not."""
    return _OTHERWISE.search(low) is not None


def _segment(part: list[Word], numbers: list[Amount], reading: Reading) -> Segment:
    content = [word for word in part if word.kind == "ident" or (word.spoken and word.low not in _JOINING)]
    names = frozenset(word.stem for word in content if word.capital and (not word.opens or word.low in GIVEN_NAMES))
    said = frozenset(word.stem for word in content)
    values = {one.value for one in numbers if not one.weak} | {word.low for word in part if word.dated}
    low = reading.low[part[0].start : part[-1].end]
    kinds = {kind for one in numbers if not one.weak for kind in _kinds(one)}
    kinds |= {"date" for word in part if word.dated}
    return Segment(
        names or _first(part, content),
        said,
        frozenset(values),
        frozenset(kinds),
        leans(low),
        _side(low),
        is_otherwise(low),
        is_elliptic(low, said),
    )


def _side(low: str) -> str:
    low = _NOT_BELOW.sub(" above ", low)
    below, beyond = _BELOW.search(low), _BEYOND.search(_BELOW.sub(" ", low))
    return "" if bool(below) == bool(beyond) else "below" if below else "beyond"


def _first(part: list[Word], content: list[Word]) -> frozenset[str]:
    """Return what a part begins with, a number that belongs to it too: priority 2, gate 7."""
    if not content:
        return frozenset()
    place = part.index(content[0])
    number = [
        one.low for one in part[place + 1 : place + 2] if one.kind == "number" and one.start <= content[0].end + 1
    ]
    return frozenset([content[0].stem, *number])


def _kinds(amount: Amount) -> set[str]:
    kinds = {"number", *([amount.unit] if amount.unit else []), *(["time"] if ":" in amount.value else [])}
    is_year = amount.value.isdigit() and len(amount.value) == _YEAR and amount.value[:2] in {"19", "20"}
    return kinds | ({"date"} if is_year else set())


def is_content(word: Word) -> bool:
    """Return whether a word says what is spoken of: no number, unit or date, and no word that carries none."""
    return word.spoken
