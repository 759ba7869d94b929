"""Things of a kind by what a field of their pages says: "Which incidents were Severity 1?"."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from core.asked import SHOWS, thing_asked
from core.asking import asking_terms
from core.counting import says_no
from core.facts import Fact, Part
from core.kinds import known_kind
from core.plan import DocumentSearch, QueryPlan
from core.text import terms

# Places that are looked at: as many as a search may bring. Words that say more are no field's.
_WIDE, _MOST = 20, 4


@dataclass(frozen=True, slots=True)
class Fielded:
    """A search of the pages of a kind for the fields that say all that is asked of its things."""

    search: DocumentSearch
    said: frozenset[str]

    def kept(self, facts: Iterable[Fact]) -> tuple[Fact, ...]:
        """Return those fields, each under the title of its page, in the order of these; no older version's."""
        own = [fact for fact in facts if not fact.source.superseded]
        found = {(fact.source.doc_id, part.span): (fact, part) for fact in own for part in fact.parts}
        told = [_alone(fact, part) for fact, part in found.values() if self._says_it(fact, part)]
        return tuple(sorted(told, key=lambda fact: fact.source.title))

    def _says_it(self, fact: Fact, part: Part) -> bool:
        return part.kind == "field" and self.said <= frozenset(terms(fact.words(part.span)))


def field_search(question: str, plan: QueryPlan) -> Fielded | None:
    """Return the search, where the question asks which things of a known kind are so and so, in a few words.

    None for what is looked up by a name, and for what is denied: that no field says.
    """
    thing = thing_asked(question)
    kind = known_kind(thing) if thing else None
    if not kind or plan.entities or not plan.fallback.enabled or says_no(question):
        return None
    said = frozenset(terms(question)) - frozenset(terms(thing)) - SHOWS - asking_terms(question)
    if not 0 < len(said) <= _MOST:
        return None
    return Fielded(DocumentSearch(query=question[:500], doc_types=(kind,), top_k=_WIDE), said)


def _alone(fact: Fact, part: Part) -> Fact:
    """Return the field as what the structure of its page says."""
    words, title = fact.words(part.span), fact.source.title
    return replace(fact, text=words, span=part.span, parts=(part,), structural=True, group=title, links=())
