"""A heading that several pages have: what each of them says under it, where the question says no more than that."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.asked import SHOWS
from core.asking import asking_terms
from core.context import AnswerContext
from core.entities import is_name_term
from core.evidence import Unit
from core.facts import Fact
from core.plan import DocumentSearch, QueryPlan
from core.text import terms

_SEVERAL = 2
# Places that are looked at once several pages are known to have it: as many as a search may bring.
_WIDE = 20


def under_what_is_typed(units: Sequence[Unit], context: AnswerContext) -> list[Unit]:
    """Return the units of a follow-up that stand under a heading of which it says all; else all units.

    What is carried on counts as far back as the last question that says what it asks for.
    """
    said = _topics(" ".join(context.lately))
    under = [unit for unit in units if said and 0 < len(heading := _heading(unit.fact)) and heading <= said]
    return under or list(units)


def same_heading(units: Sequence[Unit], context: AnswerContext) -> list[Unit]:
    """Return what several pages say under the heading that is all that the question asks for, page by page.

    None where it says of which page, where one page is called so, or where only one page has it.
    """
    said = _topics(context.own or context.question)
    under = [unit for unit in units if said and _heading(unit.fact) == said and not unit.fact.source.superseded]
    pages: dict[str, list[Unit]] = {}
    for unit in under:
        pages.setdefault(unit.fact.source.doc_id, []).append(unit)
    share = {doc_id: max(unit.own + unit.around for unit in members) for doc_id, members in pages.items()}
    most = max(share.values(), default=0.0)
    pages = {doc_id: members for doc_id, members in pages.items() if share[doc_id] >= most - 1e-6}
    if len(pages) < _SEVERAL or context.names or any(is_name_term(term) for term, _ in context.weights):
        return []
    if any(said == frozenset(terms(unit.fact.source.title)) for unit in units):
        return []
    found = sorted(pages.values(), key=lambda members: members[0].fact.source.title)
    return [_under_title(unit) for members in found for unit in sorted(_telling(members), key=_place)]


def _telling(units: Sequence[Unit]) -> Sequence[Unit]:
    """Return the units without what only leads to a list (“Results so far:”), unless that is all there is."""
    return [unit for unit in units if not unit.words.rstrip().endswith(":")] or units


def _place(unit: Unit) -> int:
    return unit.part.span.start


@dataclass(frozen=True, slots=True)
class Alike:
    """A search for all pages with a heading that several of the found ones have, which is all that is asked for.

    `known`: what was found before, by its chunks; `score`: how good the others must be to stand beside that.
    """

    search: DocumentSearch
    heading: frozenset[str]
    score: float

    def kept(self, facts: Iterable[Fact]) -> tuple[Fact, ...]:
        """Return what stands under the heading."""
        under = (fact for fact in facts if _heading(fact) == self.heading)
        return tuple(replace(fact, score=max(fact.score, self.score)) for fact in under)


def alike_search(question: str, plan: QueryPlan, facts: Iterable[Fact]) -> Alike | None:
    """Return the search for more pages with the heading that is asked for, if several of the found ones have it."""
    said = _topics(question)
    if not said or plan.entities or not plan.fallback.enabled:
        return None
    under = [fact for fact in facts if not fact.structural and _heading(fact) == said]
    if len({fact.source.doc_id for fact in under}) < _SEVERAL:
        return None
    heading = str(under[0].place.headings[-1])
    return Alike(DocumentSearch(query=heading[:500], top_k=_WIDE), said, max(fact.score for fact in under))


def _topics(text: str) -> frozenset[str]:
    """Return what a question asks for, without the words that only say how."""
    return frozenset(terms(text)) - SHOWS - asking_terms(text)


def _heading(fact: Fact) -> frozenset[str]:
    return frozenset(terms(str(fact.place.headings[-1]))) if fact.place.headings else frozenset()


def _under_title(unit: Unit) -> Unit:
    return replace(unit, fact=replace(unit.fact, group=unit.fact.source.title))
