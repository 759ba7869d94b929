"""Whether a value is so, where documents differ: what the others say of it stands beside, whoever is right."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from core.answer import Answer
from core.context import AnswerContext
from core.evidence import Unit
from core.phrases import phrase
from core.supposed import differ, supposes
from core.text import terms

_MOST_BESIDE = 2


def with_the_others(quoted: list[Unit], units: Sequence[Unit], context: AnswerContext) -> list[Unit]:
    """Return what is quoted with what other pages say of the value that is asked about, the most trusted first.

    Of pages of one authority the newer comes first. “Is the allowance 500 euros?” is not told by the one page that
    says so alone.
    """
    if not supposes(context.question) or any(unit.part.kind != "paragraph" for unit in quoted):
        return quoted
    here = {unit.fact.source.doc_id for unit in quoted}
    others: dict[str, Unit] = {}
    for unit in units:
        page = unit.fact.source.doc_id
        if page not in here and unit.part.kind == "paragraph" and any(differ(unit.words, one.words) for one in quoted):
            others.setdefault(page, unit)
    if not others:
        return quoted
    found = (*quoted, *list(others.values())[:_MOST_BESIDE])
    return sorted(found, key=lambda one: (one.fact.source.authority, one.fact.source.updated or ""), reverse=True)


def naming_dispute(answer: Answer, context: AnswerContext) -> Answer:
    """Return the answer with the word that its documents differ, where a value is asked about and they do.

    Pages of one kind, as those of two offices are, speak of two things.
    """
    if answer.lead or answer.is_refusal or not supposes(context.question):
        return answer
    said = [(claim.text, claim.citations[0].source.title) for claim in answer.claims if claim.verdict == "quoted"]
    for (one, title), (other, its) in combinations(said, 2):
        if not _are_of_one_kind(title, its) and differ(one, other):
            return replace(answer, lead=phrase("they_differ", context.language))
    return answer


def _are_of_one_kind(one: str, other: str) -> bool:
    return one != other and not set(terms(one)).isdisjoint(terms(other))
