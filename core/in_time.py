"""What holds at the time that a question asks about, told by the years that words, headings and titles name.

Few pages say when they hold: what names no year may hold at any time.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from core.answer import Answer
from core.asking import holds
from core.context import AnswerContext
from core.evidence import ENOUGH, NEAR, Unit, ranked_units
from core.facts import Fact
from core.phrases import phrase
from core.plan import Period
from core.when import days_stated, meet
from core.yearless import other_years

# Whether it is of the asked time: by what says so nearest to it; "unsaid" where nothing does.
_When = Literal["then", "otherwise", "unsaid"]
_MOST_OTHERS = 3
# What only names the time asked about must hold this share of what passages of other times hold of the question.
_TOPIC = 0.5


def units_then(units: Sequence[Unit], context: AnswerContext) -> list[Unit]:
    """Return the units without those that speak of another time than the question asks about, if it asks about one.

    Where some speak of that very time and bear on the question, those that say nothing of when are left out, too.
    """
    if context.period is None or _is_to_come(context):
        return list(units)
    told = _told(units, context.period)
    if not any(when == "then" for _, when in told):
        told = next(filter(None, (_told_then(units, one) for one in _other_years(units, context))), told)
    least = _TOPIC * max((_topic(unit, context) for unit, when in told if when == "otherwise"), default=0.0)
    then = [unit for unit, when in told if when == "then" and _topic(unit, context) >= least]
    if any(unit.evidence >= ENOUGH for unit in then):
        return then
    return [unit for unit, when in told if when != "otherwise" and _topic(unit, context) >= least]


def _told(units: Sequence[Unit], period: Period) -> list[tuple[Unit, _When]]:
    return [(unit, _when(unit.words, unit.fact, period)) for unit in units]


def _told_then(units: Sequence[Unit], period: Period) -> list[tuple[Unit, _When]]:
    """Return when each of them holds; nothing where none bears on the question and is of that time."""
    told = _told(units, period)
    return told if any(when == "then" and unit.evidence >= ENOUGH for unit, when in told) else []


def _other_years(units: Sequence[Unit], context: AnswerContext) -> Iterable[Period]:
    """Return the days asked about in other years, where the question names none and the documents do."""
    if context.period is None:
        return ()
    texts = {
        text for unit in units for text in (unit.fact.source.title, *map(str, unit.fact.place.headings), unit.words)
    }
    return other_years(context.question, context.period, filter(None, map(_stated, texts)))


def _topic(unit: Unit, context: AnswerContext) -> float:
    """Return how much of the question beside its figures stands in the unit or above it."""
    held = unit.part.terms | unit.fact.around
    return sum(weight for term, weight in context.weights if term in held and not any(map(str.isdigit, term)))


def said_of_time(answer: Answer, context: AnswerContext) -> Answer:
    """Return the answer; a refusal says so where the documents know it of another time, and shows what they know."""
    if not answer.is_refusal or context.period is None or _is_to_come(context):
        return answer
    if not (answer.nearest and _others(context, context.period)):
        return answer
    return replace(answer, lead=phrase("other_time", answer.language, days=_named(context.period)))


def nearest_then(context: AnswerContext) -> tuple[int, ...]:
    """Return the numbers of the facts that answer of another time than was asked about, the best first."""
    if context.period is None or _is_to_come(context):
        return ()
    return tuple(dict.fromkeys(unit.number for unit in _others(context, context.period)))[:_MOST_OTHERS]


def _is_to_come(context: AnswerContext) -> bool:
    """Return whether it asks about days that have not begun: what is laid down for them stands in pages of before."""
    since, today = context.period.since if context.period else None, context.asked_on
    return bool(since and today and since > today) and str(since.year if since else "") not in context.question


def _others(context: AnswerContext, period: Period) -> list[Unit]:
    """Return the units that would answer, were it not that they speak of another time."""
    units = [unit for unit in ranked_units(context) if not unit.fact.structural and unit.evidence >= NEAR]
    others = [unit for unit in units if _when(unit.words, unit.fact, period) == "otherwise"]
    return [unit for unit in others if context.sort is None or holds(unit.words, context.sort, context.question)]


def _when(words: str, fact: Fact, period: Period) -> _When:
    """Return when the words hold: their own years tell, else those above them; of what is told there, any may."""
    own, *above = (_stated(one) for one in (words, "\n".join(map(str, fact.place.headings)), fact.source.title))
    if own is None:
        own = next(filter(None, above), None)
        above = []
    if own is None:
        return "unsaid"
    return "then" if any(meet(one, period) for one in (own, *above) if one) else "otherwise"


@lru_cache(maxsize=4_096)
def _stated(text: str) -> Period | None:
    return days_stated(text)


def _named(period: Period) -> str:
    """Return the days in figures: a year where it is one."""
    since, until = period.since, period.until
    if since and until and (since.month, since.day, until.month, until.day) == (1, 1, 12, 31):
        return str(since.year) if since.year == until.year else f"{since.year}–{until.year}"
    return str(since) if since == until else f"{since or '…'} – {until or '…'}"
