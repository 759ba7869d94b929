"""What may introduce an answer: the words of its question and what all of its statements have in common, no more.

A sentence in front of several statements has no evidence of its own. What is said of one of them, it may say of all;
so it may hold nothing that only one of them does.
"""

from collections.abc import Sequence

from core.asking import is_polar
from core.proof.backing import Backing, held_of
from core.proof.numbers import amounts
from core.proof.quantifiers import reach
from core.proof.words import Word, read

# What a lead may say to introduce the claims, besides their own words.
INTRODUCING = """
here is what the documents say, list, state, show: the following, as follows, listed below, found, the answer, in short
вот что говорится, сказано, указано в документах: следующее, перечислено ниже, нашлось, ответ, список, кратко
"""
_HOW_FAR = frozenset(["all", "some", "most", "only"])
_SEVERAL = 2


def introduces(lead: str, each: Sequence[str], backing: Backing) -> bool:
    """Return whether a lead says nothing but words of the question, of what heads all claims, or of each of them.

    `each`: every claim with its quotes. `backing`: its question is what was asked, what stands around is what heads all
    of them and their number. Where a yes or a no is asked for, the question's words would say it.
    """
    said, polar = read(lead), is_polar(backing.question)
    if len(each) < _SEVERAL and not polar:
        return True
    asked = frozenset[str]() if polar else backing.granted.stems
    common = frozenset.intersection(*(read(one).stems for one in each)) if not polar else frozenset()
    held = held_of(asked | common | backing.above.stems | read(INTRODUCING).stems)
    if (reach(said) & _HOW_FAR) - reach(backing.asked):
        return False
    counted = {amount.value for amount in (*amounts(backing.asked), *amounts(backing.above))}
    if any(amount.value not in counted for amount in amounts(said) if not amount.weak):
        return False
    return all(held.holds(word) for word in said.content if _says(word))


def _says(word: Word) -> bool:
    return word.kind not in {"sign", "number"} and not word.numeral
