"""Whether what is quoted is said of another one of numbered things: what code 41 means does not tell what code 55 does.

A number, a Roman numeral or a letter behind a noun says which of several alike is meant: Type II, «склад № 2».
It is judged only where the same noun stands there with another one, and no range or bound is meant by it.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from core.asking import parted
from core.context import AnswerContext
from core.evidence import Unit
from core.proof.headings import standing_over
from core.text import normalise, stem

_SIGN = r"(?:№|#|no\.|nr\.|номер|number)?\s?"
_WHICH = r"(?:\d{1,4}[a-zа-я]?|[ivx]{2,4}|(?-i:[A-ZА-Я]))"
# A year and a version are judged elsewhere; what is measured or counted names nothing.
_PAIR = re.compile(
    rf"(?<![\w-])([^\W\d_][\w-]+) {_SIGN}(?!(?:19|20)\d\d\b)({_WHICH})(?![\w%°€$£₽]|[.,:/]\d)"
    r"(?! ?(?:[%°€$£₽]|(?:second|minute|hour|day|night|week|month|year|percent|time|person|people|piece|item"
    r"|секунд|минут|час|дн|день|сут|ноч|недел|месяц|год|лет|раз|руб|евро|человек|процент)\w*\b"
    r"|(?:eur|usd|gbp|rub|kg|km|g|m|cm|mm|l|кг|км|м|см|мм|л|шт)\b))",
    re.IGNORECASE,
)
_MONTH = r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|янв|фев|мар|апр|ма[яй]|июн|июл|авг|сен|окт|ноя|дек"
_NO_SIGN = rf"(?: ?(?:[%°€$£₽]|{_MONTH})|[.,:/]\d)"
_BOUND_BEFORE = re.compile(
    r"\b(?:from|above|below|over|under|to|least|most|till|until|through|beyond|exceeding|от|до|с|со|выше|ниже|свыше|менее"
    r"|более|старше|младше|не)\W*$",
    re.IGNORECASE,
)
_BOUND_BEHIND = re.compile(
    r"\W{0,2}(?:[-–—]\s?\w|(?:to|through|till|until|up|upwards?|onwards?|до|по)\b|(?:and|or|и|или) (?:up|above|higher"
    r"|over|more|below|lower|less|later|earlier|older|younger|выше|ниже|более|менее|больше|меньше|старше|младше)\b)",
    re.IGNORECASE,
)


def is_of_another(quoted: Sequence[Unit], context: AnswerContext) -> bool:
    """Return whether the question asks of one of numbered things, and the units or their page tell of others alone."""
    asked = _asked(parted(context.question)[0])
    if not asked or any(unit.foreign for unit in quoted):
        return False
    own = "\n".join(str(line) for unit in quoted for line in (*standing_over(unit.part.span, unit.fact), unit.words))
    pages = {unit.fact.source.doc_id for unit in quoted}
    page = "\n".join(f"{fact.source.title}\n{fact.text}" for fact in context.facts if fact.source.doc_id in pages)
    return any(_is_otherwise(text, noun, which) for noun, which in asked for text in (own, f"{own}\n{page}"))


@lru_cache(maxsize=256)
def _asked(question: str) -> tuple[tuple[str, str], ...]:
    return tuple((noun, which) for noun, which, _ in _pairs(question))


def _is_otherwise(text: str, noun: str, which: str) -> bool:
    """Return whether the text says the noun with other signs alone, none of them a bound, and never this sign."""
    # A letter by itself may be a word of another kind, as «в» is: only as it is written is it the sign.
    sign = which.upper() if which.isalpha() and len(which) == 1 else f"(?i:{re.escape(which)})"
    if re.search(rf"(?<![\w.,:/-]){sign}(?!\w)(?!{_NO_SIGN})", text):
        return False
    others = [bounded for other, _, bounded in _pairs(text) if other == noun]
    return bool(others) and not any(others)


@lru_cache(maxsize=1_024)
def _found(text: str) -> tuple[tuple[str, str, bool], ...]:
    found = []
    for pair in _PAIR.finditer(text):
        before, behind = text[: pair.start()], text[pair.end() :]
        is_bound = bool(_BOUND_BEFORE.search(before[-12:]) or _BOUND_BEHIND.match(behind))
        found.append((stem(normalise(pair[1])), normalise(pair[2]), is_bound))
    return tuple(found)


def _pairs(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield each noun with the sign behind it, and whether that is the end of a range or a bound."""
    yield from _found(" ".join(text.split(" ")))
