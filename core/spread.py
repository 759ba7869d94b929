"""Lists that lie spread over pages of one kind: what each of them says under the label that is asked for."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.asking import Sort, asked_for
from core.context import AnswerContext
from core.evidence import Unit
from core.facts import Fact, Part
from core.plan import DocumentSearch, QueryPlan, Shape
from core.text import stem, terms, words

_LABEL = re.compile(r"([^\W\d_][\w -]{0,30}?):\s+\S")
# Letters that two words have in common at least to be of one family: leads and leader.
_FAMILY = 4
# Pages that say it; and the share of the question that their labels and titles must hold.
_SEVERAL, _HELD = 2, 0.5
# Places that are looked at once it is known what they say: as many as a search may bring.
_WIDE = 20
# What is found by what the others have in common counts this share of the best of them.
_BESIDE = 0.5
# Words that say of a thing only that it is somewhere: the label says what is asked of it.
_IS_THERE = frozenset(
    map(stem, "located situated placed lie stand находятся находится расположены расположен стоят".split())
)


def spread_list(units: Sequence[Unit], context: AnswerContext) -> list[Unit]:
    """Return what several pages of one folder say under a label that the question says, in the order of their titles.

    None where one of the pages holds more of the question than the others: then it asks for that one alone.
    """
    if not _asks_of_several(context.sort, lists=context.lists):
        return []
    asked = frozenset(terms(context.question))
    labelled: dict[tuple[str, str], dict[str, Unit]] = {}
    for unit in units:
        said = _label_said(unit.fact, unit.part, asked)
        if said and not unit.fact.source.superseded:
            labelled.setdefault(said, {}).setdefault(unit.fact.source.doc_id, unit)
    found = [_alike(terms(label), tuple(pages.values()), context) for (_, label), pages in labelled.items()]
    best = max(found, key=len, default=())
    return sorted(map(_under_title, best), key=lambda unit: unit.fact.source.title) if len(best) >= _SEVERAL else []


def _under_title(unit: Unit) -> Unit:
    """Return the unit under its page: two pages may say the same, each of itself."""
    return replace(unit, fact=replace(unit.fact, group=unit.fact.source.title))


@dataclass(frozen=True, slots=True)
class Wider:
    """A search for more pages of a folder that say what several of the found ones say under one label.

    `known`: what was found before, by its chunks; `score`: how good anything must be to stand beside that.
    """

    search: DocumentSearch
    folder: str
    label: str
    known: Mapping[str, Fact]
    score: float

    def kept(self, facts: Iterable[Fact]) -> tuple[Fact, ...]:
        """Return what says it. How near it is to the words that it was found by tells nothing of the question."""
        found = (fact for fact in facts if any(self._is_in(fact, part) for part in fact.parts))
        known = (self.known.get(fact.chunk_id) or _unweighed(fact) for fact in found)
        return tuple(replace(fact, score=max(fact.score, self.score)) for fact in known)

    def _is_in(self, fact: Fact, part: Part) -> bool:
        return _label_said(fact, part, self.label.split()) == (self.folder, self.label)


def wider_search(question: str, plan: QueryPlan, facts: Iterable[Fact]) -> Wider | None:
    """Return the search for more pages like the found ones, if several of these say what is asked under one label.

    It looks for the label and the words that the titles of those pages have in common. A name asks of one page alone.
    """
    if plan.entities or not (
        plan.fallback.enabled and _asks_of_several(asked_for(question), lists=plan.shape is Shape.LIST)
    ):
        return None
    asked = frozenset(terms(question))
    searched = [fact for fact in facts if not fact.structural]
    labelled: dict[tuple[str, str], dict[str, Fact]] = {}
    for fact in searched:
        for said in filter(None, (_label_said(fact, part, asked) for part in fact.parts)):
            labelled.setdefault(said, {})[fact.source.doc_id] = fact
    (folder, label), pages = max(labelled.items(), key=lambda one: len(one[1]), default=(("", ""), {}))
    if len(pages) < _SEVERAL:
        return None
    first, *others = (fact.source.title for fact in pages.values())
    common = [word for word in words(first) if all(set(terms(word)) <= set(terms(other)) for other in others)]
    search = DocumentSearch(query=" ".join([label, *common])[:500], top_k=_WIDE)
    score = _BESIDE * max(fact.score for fact in pages.values())
    return Wider(search, folder, label, {fact.chunk_id: fact for fact in searched}, score)


def _unweighed(fact: Fact) -> Fact:
    return replace(fact, score=0.0, parts=tuple(replace(part, similarity=0.0) for part in fact.parts))


def _asks_of_several(sort: Sort | None, *, lists: bool) -> bool:
    return sort == "person" or (lists and sort is None)


def _label_said(fact: Fact, part: Part, asked: Iterable[str]) -> tuple[str, str] | None:
    """Return the folder of the page and the label of the part, if the question says the label."""
    found = _LABEL.match(fact.words(part.span)) if part.kind in ("field", "item", "paragraph") else None
    said = terms(found[1]) if found else []
    if not found or not said or not all(_is_said(term, asked) for term in said):
        return None
    return fact.source.doc_id.rpartition("/")[0], " ".join(said)


def _is_said(term: str, asked: Iterable[str]) -> bool:
    """Return whether the question says the term, or a word of its family."""
    return any(term == one or (len(min(term, one, key=len)) >= _FAMILY and _begins(term, one)) for one in asked)


def _begins(term: str, other: str) -> bool:
    return term.startswith(other) or other.startswith(term)


def _alike(label: Sequence[str], units: Sequence[Unit], context: AnswerContext) -> tuple[Unit, ...]:
    """Return those of the units whose pages hold most of the question beside the label; none where that is too little.

    What is asked must be what the page of each is called, or their folder: “the clubs” are Chess Club and what stands
    beside it.
    """
    weights = [(term, weight) for term, weight in context.weights if term not in _IS_THERE]
    told = [(term, weight) for term, weight in weights if not _is_said(term, label)]
    said = sum(weight for _, weight in weights) - sum(weight for _, weight in told)
    folder = frozenset(terms(units[0].fact.source.doc_id.rpartition("/")[0]))
    beside = [sum(weight for term, weight in told if term in unit.fact.around | folder) for unit in units]
    most = max(beside)
    total = sum(weight for _, weight in weights)
    if not most or most + said < _HELD * total:
        return ()
    return tuple(unit for unit, held in zip(units, beside, strict=True) if held == most)
