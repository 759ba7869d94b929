"""Questions for all things of a kind that there are, which are questions of their own wherever they are asked."""

import re

from core.asked import SHOWS, thing_asked
from core.counting import counts_all
from core.kinds import known_kind
from core.text import all_terms, normalise, terms

_TELLS_TO_LIST = re.compile(
    r"\W*(?:please |пожалуйста,? )?(?:list|name|show|give|перечисли|назови|покажи|выведи)(?:те)?\b"
    r"|\W*(?:which|what|какие)\b.*\b(?:(?:are|were) there|(?:have|has) there been|(?:do|did|have) we (?:have|got)|exist"
    r"|есть|были|бывают|существуют|имеются)\b"
)
_THERE = frozenset(all_terms("there are were have has been got exist есть были бывают существуют имеются все all"))


def asks_of_all(question: str) -> bool:
    """Return whether it asks for all things of a kind, or how many of them there are, and for nothing that ties them.

    “Which projects are there?” and “List the projects” do; “Which projects?” may go on from what was asked before.
    """
    thing = thing_asked(question)
    if counts_all(question):
        return True
    if not known_kind(thing) or not _TELLS_TO_LIST.match(normalise(question)):
        return False
    return all(term in SHOWS or term in _THERE or term in terms(thing) for term in terms(question))
