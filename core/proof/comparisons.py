"""What a text compares with what: each comparison with both of its sides, on which scale, and which way."""

import re
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from core.proof.dates import is_date_word
from core.proof.degrees import ALIKE, LESS, MORE, Scales, compares, degree_of, denied, key_of, scales_of, turned
from core.proof.lexicon import light
from core.proof.patterns import compiled
from core.proof.units import unit_of
from core.proof.words import SENTENCE, Reading, Word

MAY_COMPARE = compiled(
    r"\b(?:than|compared|comparison|as \w+(?: \w+){0,3} as|exceed\w*|surpass\w*|outnumber\w*|outperform\w*|\w+er)\b"
    r"|\w(?:ее|же|ше|че|ще|ле)\b|\b(?:более|менее|чем|так\w* же|так \w+,? как|столько же|сравнени\w+|превыша\w+|превы[сш]\w+|превосход\w+"
    r"|уступа\w+|опережа\w+|одинаков\w+|equal\w*|same)\b"
)
_EXCEEDS = compiled(r"(?:exceed|surpass|outnumber|outperform)(?:s|ed|ing)?|превы(?:ша|си)\w+|превосход\w+|опережа\w+")
_YIELDS = compiled(r"уступа\w+")
_DENIERS = frozenset("not no never не neither nor".split())
_BE = frozenset("is are was were be been being".split())
# What is no other thing to be compared with.
_MEASURES = frozenset(
    "once ever before usual usually enough expected planned required necessary needed average normal half ever"
    " обычно обычного прежде нужно положенного ожидалось планировалось всегда среднего нормы половины".split()
)
OF_ALL = frozenset(["всего", "всех"])
_TIMES = frozenset("times twice thrice".split())
_LEADING_STEMS = frozenset("time compar comparison сравнен".split())
_PREPOSITIONS = frozenset("in on at for from with by of to under over в на за с со к о об у по для из от".split())
_NO_ADJECTIVE = frozenset("well per of such".split())
_IF_BEING = frozenset("soon long far much".split())
_VERB = compiled(r"\b\w{1,40}(?:[еиую]т|[ая]т|ть|ться|тся|л|ли|ло)")
_WIDTH, _BEFORE_THAN, _NEAR = 4, 6, 3


class Comparison(NamedTuple):
    """One comparison of a sentence: `left` is above, below or like `right`, on these scales, by what it has.

    `what`: keys of what it is compared by, where no scale tells.
    """

    relation: str
    scales: frozenset[str]
    what: frozenset[str]
    left: frozenset[str]
    right: frozenset[str]
    sentence: int
    shown: str


@lru_cache(maxsize=256)
def comparisons(reading: Reading) -> tuple[Comparison, ...]:
    """Return what each sentence compares with what."""
    if not MAY_COMPARE.search(reading.low):
        return ()
    return tuple(one for number, words in sentences_of(reading) for one in _in_sentence(number, words))


def sentences_of(reading: Reading) -> list[tuple[int, list[Word]]]:
    """Return the words of each sentence, with its number."""
    return [(number, list(words)) for number, words in groupby(reading.words, key=SENTENCE)]


def _in_sentence(number: int, words: list[Word]) -> list[Comparison]:
    found: list[Comparison] = []
    taken: set[int] = set()
    compared = _compared_with(words)
    for at, word in enumerate(words):
        one: _Found | None = None
        if word.low in {"than", "чем"}:
            one = _than(at, words)
        elif word.low == "as":
            one = _as(at, words)
        elif word.low in {"как", "сколько"}:
            one = _alike_ru(at, words)
        elif _EXCEEDS.fullmatch(word.low) or _YIELDS.fullmatch(word.low):
            relation = LESS if _YIELDS.fullmatch(word.low) else MORE
            one = _Found(relation, frozenset([("amount", MORE)]), "", range(at, at + 1), _right(at + 1, words))
        if one is not None:
            found.append(_comparison(number, words, one))
            taken |= set(one.span)
    for at, word in enumerate(words):
        if at in taken or not compares(word.low) or _is_no_longer(at, words):
            continue
        bare = _bare(at, words, compared)
        if bare is not None and taken.isdisjoint(bare.span):
            found.append(_comparison(number, words, bare))
            taken |= set(bare.span)
    return found


class _Found(NamedTuple):
    """A comparison by its places: `span` of the words that make it, `right` of what it is compared with."""

    relation: str
    scales: Scales
    what: str
    span: range
    right: range

    def unless(self, *, denied_so: bool) -> "_Found":
        """Return the comparison, denied if it is."""
        return self._replace(relation=denied(self.relation)) if denied_so else self


def _than(at: int, words: list[Word]) -> _Found | None:
    """Return the comparison that “than” makes: from the word that compares to the end of what it is compared with."""
    right = _right(at + 1, words)
    if _is_bound(at + 1, words):
        return None
    for place in range(at - 1, max(-1, at - 1 - _BEFORE_THAN), -1):
        word = words[place]
        if word.low in {"rather", "other", "прежде", "иначе"} or word.clause != words[at].clause:
            return None
        degree = degree_of(word.low)
        if degree is None and not compares(word.low) and not _ends_so(word.low, at - place):
            continue
        following = words[place + 1] if place + 1 < at else None
        if _is_date(place, at + 1, words):
            return None
        span = range(place, at + 1)
        return _graded(degree, word, following, span, right).unless(denied_so=_denies(place, words))
    return None


def _ends_so(low: str, steps: int) -> bool:
    return steps == 1 and low.isascii() and low.endswith("er") and len(low) > _WIDTH


def _graded(degree: str | None, word: Word, following: Word | None, span: range, right: range) -> _Found:
    relation, what = degree or MORE, ""
    scales = scales_of(word.low)
    if degree is not None and following is not None and (own := scales_of(following.low)):
        scales = own
        ways = {way for _, way in own}
        relation = degree if MORE in ways else turned(degree)
    elif degree is not None:
        what = key_of(following.low) if following is not None and following.tells else ""
    elif scales:
        relation = next(way for _, way in sorted(scales))
        what = key_of(following.low) if following is not None and following.tells else ""
    else:
        what = key_of(word.low)
    return _Found(relation, scales, what, span, right)


def _as(at: int, words: list[Word]) -> _Found | None:
    """Return the comparison of “as … as”."""
    ends = [
        place
        for place in range(at + 2, min(at + 2 + _WIDTH, len(words)))
        if words[place].low == "as" and words[place].clause == words[at].clause
    ]
    if not ends:
        same = at > 1 and any(word.low == "same" for word in words[max(0, at - _WIDTH) : at])
        return _Found(ALIKE, frozenset(), "", range(at, at + 1), _right(at + 1, words)) if same else None
    end, first = ends[0], words[at + 1].low
    before = words[at - 1].low if at else ""
    if first in _NO_ADJECTIVE or _is_bound(end + 1, words):
        return None
    if first in _IF_BEING and before not in _BE | _TIMES | _DENIERS:
        return None
    scales = scales_of(first)
    relation = LESS if before == "half" else MORE if before in _TIMES else ALIKE
    if relation == ALIKE and {"at", "least"} <= {word.low for word in words[max(0, at - 2) : at]}:
        relation = ">="
    if scales and {way for _, way in scales} == {LESS} and relation != ALIKE:
        relation = turned(relation)
    named = words[at + 2] if at + 2 < end and words[at + 2].tells else None
    what = key_of(named.low) if named is not None else "" if scales else key_of(first)
    start = at - 1 if before in _TIMES | {"half"} else at
    relation = _denial(relation, scales) if _denies(at, words) else relation
    return _Found(relation, scales, what, range(start, end + 1), _right(end + 1, words))


def _denial(relation: str, scales: Scales) -> str:
    """Return what “not as … as” says: below, on a scale that goes down above."""
    below = denied(relation)
    return turned(below) if relation == ALIKE and {way for _, way in scales} == {LESS} else below


def _alike_ru(at: int, words: list[Word]) -> _Found | None:
    """Return the comparison of «такой же, как» and «столько же, сколько»."""
    for place in range(at - 1, max(0, at - 1 - _BEFORE_THAN), -1):
        if words[place].low == "же" and re.match(r"так|столько|тот|та|то|те", words[place - 1].low):
            said = words[place + 1] if place + 1 < at else None
            scales = scales_of(said.low) if said is not None else frozenset()
            what = key_of(said.low) if said is not None and said.tells and not scales else ""
            return _Found(ALIKE, scales, what, range(place - 1, at + 1), _right(at + 1, words))
        if words[place].low == "так" and place + 1 < at:
            said = words[place + 1]
            scales = scales_of(said.low)
            relation = _denial(ALIKE, scales) if _denies(place, words) else ALIKE
            what = "" if scales else key_of(said.low)
            return _Found(relation, scales, what, range(place, at + 1), _right(at + 1, words))
    return None


def _bare(at: int, words: list[Word], compared: range) -> _Found | None:
    """Return the comparison of a word with nothing like “than” behind it: дешевле тарифа, cheaper."""
    word = words[at]
    degree = degree_of(word.low)
    following = words[at + 1] if at + 1 < len(words) else None
    deny = _denies(at, words)
    if degree is not None and not compared:
        return None
    if compared or word.low.isascii():
        said = following if degree is not None else None
        return _graded(degree, word, said, range(at, at + 1), compared).unless(denied_so=deny)
    if following is not None and (following.low in OF_ALL or _is_bound(at + 1, words) or _is_date(at, at + 1, words)):
        return None
    right = _right(at + 1, words) if following is not None and _may_be_genitive(following) else range(0)
    short = range(right.start, min(right.stop, at + 1 + _NEAR))
    return _graded(None, word, None, range(at, at + 1), short).unless(denied_so=deny)


def _may_be_genitive(word: Word) -> bool:
    """Return whether a word behind a Russian comparative may be what something is compared with: no verb, no preposition."""
    return not word.comma and word.low not in _PREPOSITIONS and _VERB.fullmatch(word.low) is None


def _compared_with(words: list[Word]) -> range:
    """Return the place of what “compared with” and «по сравнению с» name."""
    for at, word in enumerate(words):
        if word.low in {"compared", "comparison", "сравнению", "сравнении"} and at + 1 < len(words):
            start = at + 2 if words[at + 1].low in {"with", "to", "с", "со"} else at + 1
            return _right(start, words)
    return range(0)


def _right(start: int, words: list[Word]) -> range:
    """Return the places of what something is compared with: up to the next part of the sentence."""
    first = words[start] if start < len(words) else None
    if first is None:
        return range(0)
    for at in range(start, len(words)):
        word = words[at]
        fresh = word.clause != first.clause or (word.comma and at > start)
        leads = at > start + 1 and word.low in _PREPOSITIONS and not word.low.isascii()
        if fresh or leads or compares(word.low):
            return range(start, at)
    return range(start, len(words))


def _is_bound(start: int, words: list[Word]) -> bool:
    """Return whether a comparison is with a number or a stretch: longer than six hours, старше 18 лет."""
    near = [word for word in words[start : start + 2] if word.low not in {"the", "a", "an", "на", "в"}][:1]
    return not near or any(
        word.low in _MEASURES or word.kind in {"number", "sign"} or word.numeral or unit_of(word.low) is not None
        for word in near
    )


def _is_date(at: int, start: int, words: list[Word]) -> bool:
    """Return whether a time is compared with a date: no later than Friday."""
    near = next((word.low for word in words[start : start + 3] if word.low not in {"the", "a", "on", "in", "в"}), "")
    return is_date_word(near) and any(name == "time" for name, _ in scales_of(words[at].low))


def _is_no_longer(at: int, words: list[Word]) -> bool:
    before = words[at - 1].low if at else ""
    after = words[at + 1].low if at + 1 < len(words) else ""
    return before in {"no", "any"} or (words[at].low == "больше" and "не" in {before, after})


def _denies(at: int, words: list[Word]) -> bool:
    near = words[max(0, at - _NEAR) : at]
    return any(word.low in _DENIERS and word.clause == words[at].clause for word in near)


def _comparison(number: int, words: list[Word], found: _Found) -> Comparison:
    relation, scales, what, span, right = found
    shown = " ".join(word.text for word in words[span.start : max(span.stop, right.stop)])
    skipped = set(span) | set(right)
    left = frozenset(_term(word) for at, word in enumerate(words) if at not in skipped and _names(word))
    told = frozenset(_term(words[at]) for at in right if _names(words[at]) and at not in span)
    names = frozenset(name for name, _ in scales)
    return Comparison(relation, names, frozenset([what] if what else []), left - {what}, told - {what}, number, shown)


def _term(word: Word) -> str:
    return word.low if len(word.text) == 1 else word.stem


def _names(word: Word) -> bool:
    """Return whether a word may tell what is compared: plan A, too."""
    is_label = len(word.text) == 1 and word.text.isupper() and word.text.isalpha() and not word.opens
    if word.kind in {"number", "ident"} or is_label:
        return True
    tells = word.tells or (word.capital and not word.opens)
    return word.kind == "word" and tells and word.stem not in light() | _LEADING_STEMS and not word.numeral
