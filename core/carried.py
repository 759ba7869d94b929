"""Whether what is quoted for a follow-up is only what the question before it was about.

A follow-up is searched for together with the question that it leans on, whose words bring its answer near again.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from core.asking import asked_for, asking_terms, holds
from core.context import AnswerContext
from core.evidence import Unit
from core.leaning import is_general, points_back, without_opening
from core.proof.backing import Held
from core.proof.headings import standing_over
from core.proof.words import Word, read
from core.shortening import is_name
from core.text import terms

T = TypeVar("T")

# One word may be said otherwise where the answer stands; several that all are is another question.
_ENOUGH = 2
# A time, and no reason.
_SINCE_WHEN = re.compile(r"\bsince (?:\w+ ){0,2}\d{4}\b", re.IGNORECASE)


def is_only_carried(units: Iterable[Unit], context: AnswerContext) -> bool:
    """Return whether none of the words that the follow-up adds stands in what is quoted or over it, in any form."""
    quoted = list(units)
    if _only_asks_why(context.own):
        return not any(
            holds(_SINCE_WHEN.sub(" ", unit.words), "reason")
            or holds("\n".join(unit.fact.place.headings[-1:]), "reason")
            for unit in quoted
        )
    added = _added(context)
    if len(added) < _ENOUGH or all(unit.foreign for unit in quoted):
        return False
    over = dict.fromkeys(line for unit in quoted for line in standing_over(unit.part.span, unit.fact))
    held = Held(read("\n".join((*(unit.words for unit in quoted), *over))).stems)
    around = frozenset[str]().union(*(unit.fact.around | unit.part.terms for unit in quoted))
    return not any(held.holds(word) or word.stem in around for word in added)


def _only_asks_why(own: str) -> bool:
    """Return whether the follow-up says nothing but "why?"."""
    return asked_for(own) == "reason" and not any(not points_back(term) for term in set(terms(own)) - asking_terms(own))


def of_the_new_name(items: Sequence[T], units_of: Callable[[T], Sequence[Unit]], context: AnswerContext) -> list[T]:
    """Return, for a follow-up that is nothing but a name, those that say it or stand under it; all, where none do.

    "And Porto?" after a question about Berlin asks for one row of a table, and the other is as near.
    """
    if not (context.own and is_name(context.own)):
        return list(items)
    named = [word for word in read(without_opening(context.own)).content if not is_general(word.stem)]
    saying = [one for one in items if any(_says_one_of(named, unit) for unit in units_of(one))]
    under = [one for one in items if any(word.stem in unit.fact.around for word in named for unit in units_of(one))]
    return saying or under or list(items)


def _says_one_of(named: Iterable[Word], unit: Unit) -> bool:
    held = Held(read(unit.words).stems)
    return any(held.holds(word) for word in named)


def _added(context: AnswerContext) -> list[Word]:
    """Return the words of the follow-up itself that say of what it is; none for any other question."""
    if not context.own:
        return []
    known, asking = {term for term, _ in context.weights}, asking_terms(context.own)
    said = (word for word in read(context.own).content if word.stem in known and word.stem not in asking)
    return [word for word in said if not (is_general(word.stem) or points_back(word.stem))]
