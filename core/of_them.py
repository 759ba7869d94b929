"""A follow-up of a list that was asked for: how many of it there are, and which of it are so and so.

"How many of them?" after "Which incidents were there?" asks how many incidents there were, "Which of them were Severity
1?" which incidents were. So the question says by itself what it asks for.
"""

import re
from dataclasses import replace

from core.asked import SHOWS, thing_asked
from core.asking import parted
from core.counting import HOW_MANY
from core.followup import FollowUp, in_full
from core.instead import plainly
from core.kinds import counted_form, known_kind, listed_form
from core.leaning import asks, without_opening
from core.ports import Knowledge
from core.shortening import is_name
from core.text import normalise, terms

# Nothing but a number is asked for, of what was spoken of.
_HOW_MANY = re.compile(
    r"(?:how many|what(?: is|['’]s) the (?:total )?(?:number|count))(?: (?:of (?:them|these|those)|are (?:there|they)|"
    r"were (?:there|they)|(?:is|was) (?:that|it)|in (?:total|all)|altogether|exactly))*"
    r"|(?:сколько|каково? (?:их )?(?:число|количество))(?: (?:их|всего|таких|там|это|есть|было|штук|именно))*"
)
# What the earlier question begins with, that asks for a list: "how many" takes its place.
_LIST_OF = re.compile(
    r"(?:(?:which|what|(?:list|name|show|give)(?: me)?)(?: (?:all|every|each))?(?: (?:of )?(?:the|our|your))?|"
    r"(?:перечисли|назови|покажи|выведи|дай)(?:те)?(?: мне)?(?: (?:все|всех|список))?|как(?:ие|их|ими)|список|все)\s+"
    r"(?=\w)",
    re.IGNORECASE,
)
_WHICH_OF_THEM = re.compile(
    r"(?P<which>which|what|who|как(?:ие|их|ими))\s+(?:(?:out )?of|among|из|среди)\s+"
    r"(?:them|these|those|них|этих|тех)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+\s*")
_ADJECTIVE = re.compile(r"([ыи])е(?=\s*$)")
_AROUND = " \t\n?!.,…"


def of_the_list(decision: FollowUp, text: str, known: Knowledge) -> FollowUp:
    """Return the follow-up in the words of the list that was asked for before, where it asks for a number or a part.

    Nothing changes where the earlier question asks for no list, where a part of one is to be of a kind that nobody
    knows, or when a model has read it.
    """
    if decision.own is not None or decision.question != in_full(text, decision.carried.question):
        return decision
    own, earlier = without_opening(text).strip(), plainly(decision.carried.question, known)
    counts = _HOW_MANY.fullmatch(normalise(own).strip(_AROUND))
    full = _counted(earlier) if counts else _part_of(own, earlier)
    return replace(decision, question=full, instead=full, typed=text) if full else decision


def _counted(earlier: str) -> str | None:
    """Return the earlier question as one for a number: "List all projects" asks "How many projects?"."""
    whole, rest = parted(earlier)
    if HOW_MANY.search(normalise(whole)):
        return earlier
    if is_name(whole):
        return _counted(rest) if rest else None
    said = without_opening(whole)
    if found := _LIST_OF.match(said):
        said = said[found.end() :]
    elif asks(whole) or rest:
        return None
    counted = _how_many(said.rstrip(_AROUND))
    return in_full(counted, rest) if rest and counted else counted


def _how_many(said: str) -> str | None:
    """Return the question for the number of the things; None in Russian where nobody knows how they are declined."""
    if not re.search("[а-яё]", said, re.IGNORECASE):
        return f"How many {said}?"
    before, thing, after = "", "", said
    while (found := _WORD.match(after)) and not thing:
        word, after = found.group(), after[found.end() :]
        if _ADJECTIVE.search(normalise(word)):
            before += _ADJECTIVE.sub(r"\1х", word)
        elif (thing := counted_form(word)) == "":
            return None
    return f"Сколько {before}{thing}{after}?" if thing else None


def _part_of(own: str, earlier: str) -> str | None:
    """Return the question with the word for what was listed, where it asks which of that are so and so."""
    found = _WHICH_OF_THEM.match(own)
    thing = thing_asked(earlier) if found else ""
    if not found or not known_kind(thing):
        return None
    which = "Which" if found["which"].isascii() else found["which"].capitalize()
    full = f"{which} {listed_form(thing)}{own[found.end() :]}"
    return full if _is_only(thing, earlier) else None


def _is_only(thing: str, earlier: str) -> bool:
    """Return whether the earlier question asks for all things of the kind, and says nothing else of them."""
    said = [term for term in terms(earlier) if term not in SHOWS]
    return said == terms(thing)
