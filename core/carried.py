"""Whether what is quoted for a follow-up is only what the question before it was about.

A follow-up is searched for together with the question that it leans on, whose words bring its answer near again.
"""

from collections.abc import Iterable

from core.asking import asking_terms
from core.context import AnswerContext
from core.evidence import Unit
from core.leaning import is_general, points_back
from core.proof.backing import Held
from core.proof.headings import standing_over
from core.proof.words import Word, read

# One word may be said otherwise where the answer stands; several that all are is another question.
_ENOUGH = 2


def is_only_carried(units: Iterable[Unit], context: AnswerContext) -> bool:
    """Return whether none of the words that the follow-up adds stands in what is quoted or over it, in any form."""
    quoted = list(units)
    added = _added(context)
    if len(added) < _ENOUGH or all(unit.foreign for unit in quoted):
        return False
    over = dict.fromkeys(line for unit in quoted for line in standing_over(unit.part.span, unit.fact))
    held = Held(read("\n".join((*(unit.words for unit in quoted), *over))).stems)
    around = frozenset[str]().union(*(unit.fact.around | unit.part.terms for unit in quoted))
    return not any(held.holds(word) or word.stem in around for word in added)


def _added(context: AnswerContext) -> list[Word]:
    """Return the words of the follow-up itself that say of what it is; none for any other question."""
    if not context.own:
        return []
    known, asking = {term for term, _ in context.weights}, asking_terms(context.own)
    said = (word for word in read(context.own).content if word.stem in known and word.stem not in asking)
    return [word for word in said if not (is_general(word.stem) or points_back(word.stem))]
