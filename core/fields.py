"""Fields that answer: what stands behind the label that a question says in any of its forms."""

import re
from collections.abc import Sequence

from core.asking import Sort, asked_for, asking_terms, holds, names_somebody
from core.context import AnswerContext
from core.evidence import Unit, value_of
from core.proof.backing import Held
from core.proof.words import Word, read

_LABEL = re.compile(r"([^\W\d_][\w -]{0,40}?):\s+\S")
# Of a person, such a label says no more than that it is one: «Ответственный за разбор», “Contact for new customers”.
_SOMEBODY = Held(read("responsible person contact owner head lead author ответственный контакт автор").stems)


def asked_field(units: Sequence[Unit], context: AnswerContext) -> list[Unit]:
    """Return the field that is asked for, where its page is called all the rest of the question; else nothing.

    A label answers in whatever form the question says it: “Incident lead: Rosa” tells who led the incident, «Приём
    директора: вторник» when the director receives, and “Owner: Platform team” who owns what its page is about.
    """
    sort = asked_for(context.question)
    asked = [word for word in read(context.question).content if word.stem not in asking_terms(context.question)]
    said = Held(frozenset(word.stem for word in asked))
    for unit in units:
        found = _LABEL.match(unit.words) if unit.part.kind == "field" else None
        if found and _is_said(found[1], said) and _is_all(asked, found[1], unit) and _fits(unit, sort, context):
            return [unit]
    return []


def _is_said(label: str, asked: Held) -> bool:
    """Return whether the question says all of the label, and at least one word of it."""
    words = read(label).content
    held = [asked.holds(word) for word in words]
    telling = [one for word, one in zip(words, held, strict=True) if not _SOMEBODY.holds(word)]
    return any(held) and all(telling)


def _is_all(asked: Sequence[Word], label: str, unit: Unit) -> bool:
    """Return whether the label and what its page is called hold every word of the question."""
    fact = unit.fact
    over = "\n".join((label, fact.source.title, *fact.place.headings, fact.source.doc_id.rpartition("/")[0]))
    held = Held(read(over).stems)
    return bool(asked) and all(held.holds(word) or word.stem in fact.around for word in asked)


def _fits(unit: Unit, sort: Sort | None, context: AnswerContext) -> bool:
    value = value_of(unit.words)
    if sort == "person":
        return names_somebody(value) or holds(value, sort, context.question)
    return sort is None or holds(value, sort)
