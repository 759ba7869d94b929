"""What is said, without calling us, in a thread that we have answered in: whether it goes on with us.

People talk on beside an answer, so that in doubt it is theirs. Who asked before goes on more easily than others do.
"""

import re
from typing import Literal

from core.addressed import (
    MAX_ASKED,
    asks_in_words,
    bids,
    calls_somebody,
    has_subject,
    is_about_now,
    is_small_talk,
    seeks,
    spoken_to,
)
from core.gist import gist
from core.leaning import Signs, signs_of
from core.summons import is_about_us
from core.text import normalise
from core.titles import names_a_thing

# "surely": whatever comes of it, whoever said it is told. "perhaps": if the documents know it; else nothing is seen.
Joins = Literal["surely", "perhaps"]

# What adds to a question, and does not but react to its answer.
_ADDS = re.compile(r"(?:and|or|but|also|what about|how about|а|и|или|но|также|как насчет)\b")
# “Shall I call them?”, «созвонимся?»: what people are to do.
_INVITES = re.compile(r"shall (?:i|we)\b|\w+мся\b")
_DIGIT = re.compile(r"\d")
# "More", «ещё»: the rest of a list.
_MORE = re.compile(r"(?:show |tell me |any |some |give me )?more|(?:а |и )?(?:покажи |дай )?(?:еще|дальше|остальн\w+)")


def joins(text: str, *, asked_before: bool) -> Joins | None:
    """Return whether the words may go on with us, None where they are for others; `asked_before`: by who said them."""
    if asked_before and _MORE.fullmatch(normalise(text).strip(" ?!.…")):
        return "surely"
    if is_small_talk(text) or is_about_us(text) or (len(text) > MAX_ASKED and not asked_before):
        return None
    said = gist(text)
    folded, signs = normalise(said).strip(), signs_of(said)
    asks = asks_in_words(folded) or bids(folded)
    goes_on = asks or _is_piece(signs, folded)
    is_talk = calls_somebody(text) or is_about_now(folded) or _INVITES.match(folded) is not None
    if not asked_before:
        return "perhaps" if goes_on and has_subject(said) and not (is_talk or spoken_to(folded)) else None
    if is_talk or (spoken_to(folded) and not (seeks(folded) or bids(folded))):
        return "perhaps" if asks and has_subject(said) and not calls_somebody(text) else None
    if goes_on:
        return "surely"
    chooses = signs.brief and bool(signs.stands or signs.names or _DIGIT.search(folded))
    names_one = has_subject(said) and (folded.endswith("?") or names_a_thing(normalise(text)))
    return "perhaps" if chooses or names_one else None


def _is_piece(signs: Signs, folded: str) -> bool:
    """Return whether it is but a piece of a question, which goes on from the one before: “and for Leeds?”."""
    asks = folded.endswith("?")
    adds = _ADDS.match(folded) is not None and not folded.endswith("!")
    goes_on = signs.opens and signs.brief and (asks or adds)
    return bool(goes_on or ((signs.hangs or signs.bare) and (asks or adds))) and not signs.turns_away
