"""What is counted in and what is left out: a price without breakfast is none that includes it."""

import re
from collections.abc import Iterator
from functools import lru_cache

from core.proof.backing import Backing
from core.proof.denials import akin, denials
from core.proof.units import unit_of
from core.proof.words import Reading, Word, read

# What counts in, or leaves out, the noun behind it; and what does so with the noun before it.
_IN = re.compile(
    r"\b(?<!not )(?:including|inclusive of|includes?|incl|counting|together with|along with|plus|comes? with)\b"
    r"|\b(?<!не )(?:включая|включает|включают|вместе со?|считая|с учетом|в том числе|вкупе со?|плюс)\b"
)
_OUT = re.compile(
    r"\b(?:without|excluding|exclusive of|excludes?|except(?: for)?|not including|(?:does|do) not include|not counting|minus|apart from)\b"
    r"|\b(?:без учета|без|не включая|не включает|не включают|исключая|за исключением|кроме|не считая|за вычетом|помимо)\b"
)
_WITH = re.compile(r"\b(?:with|со?)\b")
_IN_BEFORE = re.compile(r"(?<!not )\b(?:included|inclusive)\b|(?<!не )\b(?:включен[аоы]?|включительно|вход(?:ит|ят))\b")
_OUT_BEFORE = re.compile(
    r"\b(?:not included|excluded|(?:is|are) extra|charged separately)\b"
    r"|\b(?:не включен[аоы]?|исключен[аоы]?|не вход(?:ит|ят)|оплачива(?:ет|ют)ся отдельно)\b"
)
_MAY = re.compile(
    r"without|xclu|nclu|except|minus|apart|extra|separately|count|без|ключ|кроме|считая|вычет|помимо|вход|отдельно"
)
_REACH = 3


def doubt_of_including(text: str, backing: Backing) -> str | None:
    """Return what the claim leaves out though its quotes count it in, or the other way round."""
    claim, quote = read(text), backing.quoted
    if not _MAY.search(claim.low) or claim.low == quote.low:
        return None
    counted, left = _counted_in(claim), _left_out(claim)
    theirs, out = _counted_in(quote), _left_out(quote)
    # «Без пропуска не пускают»: that is to have it.
    once = len(denials(claim)) <= 1
    for word in left if once else ():
        if _has(word, (*theirs, *_with(quote))) and not _has(word, out):
            return f"it leaves out “{word.text}”, its quotes count it in"
    for word in counted:
        if _has(word, out) and not _has(word, theirs):
            return f"it counts in “{word.text}”, its quotes leave it out"
    return None


def _has(word: Word, others: tuple[Word, ...]) -> bool:
    return any(akin(word.stem, other.stem) for other in others)


@lru_cache(maxsize=256)
def _counted_in(reading: Reading) -> tuple[Word, ...]:
    return (*_behind(_IN, reading), *_ahead(_IN_BEFORE, reading))


@lru_cache(maxsize=256)
def _left_out(reading: Reading) -> tuple[Word, ...]:
    return (*_behind(_OUT, reading), *_ahead(_OUT_BEFORE, reading))


@lru_cache(maxsize=256)
def _with(reading: Reading) -> tuple[Word, ...]:
    return tuple(_behind(_WITH, reading))


def _behind(sign: re.Pattern[str], reading: Reading) -> Iterator[Word]:
    """Yield the noun that a word leads in: the first or the last of its few words, as one may belong to the other."""
    for found in sign.finditer(reading.low):
        following = [word for word in reading.words if word.start >= found.end()][:_REACH]
        told: list[Word] = []
        for word in following:
            if told and (word.comma or not word.tells or word.clause != told[0].clause):
                break
            if word.kind == "word" and word.tells and unit_of(word.low) is None:
                told.append(word)
        yield from told


def _ahead(sign: re.Pattern[str], reading: Reading) -> Iterator[Word]:
    """Yield the noun right before what is said of it: “heating included”, «завтрак не входит»."""
    for found in sign.finditer(reading.low):
        before = [word for word in reading.words if word.end <= found.start() and word.tells and word.kind == "word"]
        yield from (word for word in before[-1:] if found.start() - word.end < _REACH * _REACH)
