"""What is part of a thing: the list of its page, where the question asks for no more than what belongs to it."""

import re
from collections.abc import Sequence

from core.asking import is_polar
from core.context import AnswerContext
from core.entities import is_name_term
from core.evidence import Unit
from core.text import normalise, terms

_BELONGS = re.compile(
    r"\b(?:includ(?:e|es|ed)|contain(?:s|ed)?|compris(?:e|es|ed)|consists? of|(?:came|comes?) (?:with|in|out with)"
    r"|(?:is|are|was|were) (?:new|part of|in|inside)|brought|made up of|added)\b"
    r"|\b(?:вход(?:ит|ят|ил\w*)|вош\w+|включа(?:ет|ют|л\w*)|содерж(?:ит|ат|ал\w*)|состоит|нов(?:ое|ого)|появил\w+|принес\w*"
    r"|добавил\w*)\b"
)
_WHAT = re.compile(r"^(?:\W*(?:and|а|и)\b)?\W*(?:(?:из|в|с) )?(?:what|что|чего|чем)\b")
_LEAST = 2


def contents_of(units: Sequence[Unit], context: AnswerContext) -> list[Unit]:
    """Return the only list of the page that the question names, if it says nothing else but that this has parts.

    “What came with release 6.0?” is answered by the list of its page, whatever that stands under; none of several.
    """
    text = " ".join(normalise(context.question).split())
    found = _BELONGS.search(text)
    names = {term for term, _ in context.weights if is_name_term(term)}
    rest = {term for term, _ in context.weights if not is_name_term(term)}
    if not (found and names and _WHAT.match(text)) or is_polar(text) or context.sort or not rest <= {*terms(found[0])}:
        return []
    pages: dict[str, dict[int, list[Unit]]] = {}
    for unit in units:
        if unit.part.kind == "item" and unit.part.series is not None and names <= unit.fact.around:
            pages.setdefault(unit.fact.source.doc_id, {}).setdefault(unit.part.series, []).append(unit)
    lists = [members for page in pages.values() for members in page.values() if len(members) >= _LEAST]
    return sorted(lists[0], key=lambda unit: unit.part.span.start) if len(lists) == 1 else []
