"""From what was found to what an answer may use: joined, without repeats, limited and numbered."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from core.asking import Sort, asked_for, asking_terms, parted
from core.entities import EntityMatch, Registry, Unknown, name_term
from core.facts import Fact, FactsPayload, Sought, Span
from core.leaning import points_back, signs_of
from core.merging import MOST_OLDER, Conflict, conflicts_of, joined, outdated, told_of
from core.plan import Period, QueryPlan, Shape, Style
from core.proof.whose import Named
from core.supposed import saying_otherwise, supposes
from core.text import Language, Untrusted, language_of, terms, words

_MAX_WORDS: dict[str, int] = {"factual": 150, "compare": 150, "summary": 300}
# A passage that scores below this share of the best one is noise.
_KEEP_SHARE = 0.35
_SUPERSEDED = 0.5
_ALL_KNOWN, _NOTHING_KNOWN = Unknown(), Registry()
# Facts that a model is shown, and places that are cited beside it.
MOST_GIVEN = 40
_MOST_TWINS = 4
# Passages among which one is looked for that says otherwise than the best.
_MOST_DIFFERING = 40
_PERSON = "person"


@dataclass(frozen=True, slots=True, eq=False)
class AnswerContext:
    """The facts of an answer in order; a draft names them by their number, counted from 1.

    `beside` are numbered on after them: what says the same elsewhere (`twins`: the number of a fact, then of what says
    the same) and older versions of pages with what they say otherwise (`conflicts`). They are cited, never listed.
    `seen` are the items of a list that the reader has been shown, by their keys; `lists`: all of a thing is wanted.
    `own`: the words that were typed, where the question in full holds more than these; `lately`: with those of the
    questions before back to the last that says what it asks for, the latest first: "and in Perm?" says nothing of it.
    `brought`: somebody else's words that the question is about; `told`: these, where they alone say what is looked
    for. `names` are those in what was typed that stand for no
    known entity, `strange` those in the question in full, `named` the names in it that stand for one.
    `by_page`: each page of the facts is one of them, and there are no others, or as far as can be told
    (`at_least`); `by_absence`: for what it does not say; `absent`: the names of what that is.
    `parts`: the things that it asks for one after the other, each with its terms. `sought`: under which headings what
    it asks for stands, where the structure did not have it. `asked_on`, `period`: when it was asked, and the days that
    it speaks of. `verbatim`: what proves the answer is asked for, so that the documents' own words are told.
    There is one context of a question, known by being the same one: what is found in it is kept by it.
    """

    question: str
    facts: tuple[Fact, ...]
    language: Language
    style: Style
    kind: Literal["factual", "compare", "summary"]
    max_items: int
    max_groups: int
    max_paragraphs: int
    max_words: int
    weights: tuple[tuple[str, float], ...] = ()
    names: tuple[str, ...] = ()
    strange: tuple[str, ...] = ()
    named: tuple[Named, ...] = ()
    beside: tuple[Fact, ...] = ()
    twins: tuple[tuple[int, int], ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    seen: frozenset[str] = frozenset()
    lists: bool = False
    brought: Untrusted | None = None
    told: str = ""
    by_page: bool = False
    by_absence: bool = False
    absent: tuple[str, ...] = ()
    at_least: bool = False
    parts: tuple[tuple[str, frozenset[str]], ...] = ()
    sought: tuple[Sought, ...] = ()
    asked_on: date | None = None
    period: Period | None = None
    verbatim: bool = False
    own: str = ""
    lately: tuple[str, ...] = ()

    @property
    def sort(self) -> Sort | None:
        """What sort of thing is asked for, None where its words do not tell."""
        return next(filter(None, map(asked_for, self.lately or (self.question,))), None)

    @property
    def structural(self) -> bool:
        """Whether the facts are an answer as a whole, taken from the documents' structure."""
        return any(fact.structural for fact in self.facts)

    @property
    def given(self) -> tuple[Fact, ...]:
        """The facts that a model is shown: the first ones, as many as it can attend to."""
        return self.facts[:MOST_GIVEN]

    def shown(self, only: frozenset[int] | None = None) -> tuple[tuple[int, Fact], ...]:
        """Return the facts that a model is shown with their numbers, or `only` those with these."""
        return tuple(one for one in enumerate(self.given, 1) if only is None or one[0] in only)

    def numbered(self, number: int) -> Fact | None:
        """Return the fact of that number, also of those beside the list."""
        facts = (*self.facts, *self.beside)
        return facts[number - 1] if 1 <= number <= len(facts) else None

    def holding(self, chunk_id: str, span: Span) -> list[Fact]:
        """Return the facts of a chunk that hold a span of its document."""
        every = (*self.facts, *self.beside)
        return [fact for fact in every if fact.chunk_id == chunk_id and fact.span.contains(span)]


def build_context(  # noqa: PLR0913 - what the steps before have found, each by its name
    question: str,
    asked: str,
    payload: FactsPayload,
    plan: QueryPlan,
    unknown: Unknown = _ALL_KNOWN,
    *,
    seen: frozenset[str] = frozenset(),
    known: Registry = _NOTHING_KNOWN,
    language: Language | None = None,
) -> AnswerContext:
    """Return the context for a question; `asked` is what the user wrote and decides the language, unless given."""
    clusters = joined(_whole(payload.facts), lambda fact: str(fact.text), _preferred, _told_of)
    facts, old = _relevant([cluster[0] for cluster in clusters], payload.missing, may_differ=supposes(question))
    twins = _twins(facts, clusters)
    first = len(facts) + len(twins) + 1
    return AnswerContext(
        question=question,
        facts=tuple(facts),
        language=language or language_of(asked),
        style=plan.render_style,
        kind=plan.answer_style,
        max_items=plan.limits.max_items,
        max_groups=plan.limits.max_groups,
        max_paragraphs=plan.limits.max_paragraphs,
        max_words=_MAX_WORDS[plan.answer_style],
        weights=tuple(sorted(_weighed(payload, question, asked).items())),
        names=unknown.typed,
        strange=unknown.whole,
        named=tuple(_named(question, match) for match in unknown.known),
        beside=(*(fact for _, fact in twins), *old),
        twins=tuple((number, len(facts) + place) for place, (number, _) in enumerate(twins, 1)),
        conflicts=tuple(conflicts_of(facts[:MOST_GIVEN], old, first)),
        seen=seen,
        lists=plan.shape in (Shape.LIST, Shape.COUNT),
        by_page=payload.by_page,
        by_absence=payload.by_page and bool(plan.without),
        absent=tuple(known.entities[id_].name for id_ in plan.without if id_ in known.entities),
        at_least=payload.at_least,
        parts=payload.parts,
        sought=payload.sought,
        period=plan.period,
        own="" if asked == question else asked,
        lately=() if asked == question else _lately(_said_in(question, asked)),
    )


def _named(question: str, match: EntityMatch) -> Named:
    entity = match.entity
    return Named(question[match.start : match.end], entity.names, entity.page, entity.type == _PERSON)


def _told_of(fact: Fact) -> tuple[str | None, str]:
    return (fact.group, "") if fact.structural or not fact.parts else told_of(fact, {part.kind for part in fact.parts})


def _weighed(payload: FactsPayload, question: str, asked: str) -> dict[str, float]:
    """Return the weights of the question's terms; in a follow-up its own words count twice those carried on.

    Those of the question before that count half as much again, and a page that was named before another name was does
    not count: what was named last is meant. What only says which sort of thing is asked for, as in “how often”, weighs
    nothing beside the rest.
    """
    asking = asking_terms(question) | asking_terms(asked)
    told = {term: weight for term, weight in payload.weights.items() if term not in asking} or payload.weights
    if question == asked:
        return dict(told)
    said = _said_in(question, asked)
    named = next((n for n, one in enumerate(said) if signs_of(one).names), len(said))
    shares = [(frozenset(terms(one)), 2.0 / 2**n) for n, one in enumerate(said)]
    titles = {name_term(fact.source.doc_id): frozenset(terms(fact.source.title)) for fact in payload.facts}
    gone = {term for term, title in titles.items() if not any(title & held for held, _ in shares[: named + 1])}
    return {
        term: weight * _share(titles.get(term) or frozenset({term}), shares)
        for term, weight in told.items()
        if term not in gone or named == len(said)
    }


def _said_in(question: str, asked: str) -> list[str]:
    """Return what was typed, and the questions before that it leans on, the latest first."""
    said, rest = [asked], parted(question)[1] or question
    while rest:
        one, rest = parted(rest)
        said.append(one)
    return said


def _lately(said: Sequence[str]) -> tuple[str, ...]:
    """Return the questions up to the first that says more than a name."""
    for n, one in enumerate(said, 1):
        plain = " ".join(word for word in words(one) if word[0].islower())
        if any(not points_back(term) for term in terms(plain)):
            return tuple(said[:n])
    return tuple(said)


def _share(title: frozenset[str], shares: Sequence[tuple[frozenset[str], float]]) -> float:
    """Return how much a term counts, or a page of this title: as the question does that holds it, or most of it."""
    return max((share * len(title & said) / len(title) for said, share in shares if title & said), default=1.0)


def _whole(facts: Iterable[Fact]) -> list[Fact]:
    """Return the facts but for passages that lie inside another one of their document, and for the same one again."""
    kept: dict[tuple[str, Span, str, str | None, bool], Fact] = {}
    for fact in facts:
        key = (fact.source.doc_id, fact.span, fact.text, fact.group, fact.structural)
        kept[key] = max(kept.get(key, fact), fact, key=_worth)
    inside = _inside_others([fact for fact in kept.values() if not fact.structural])
    return [fact for fact in kept.values() if id(fact) not in inside]


def _inside_others(passages: Iterable[Fact]) -> set[int]:
    """Return the identities of the passages that lie inside another one."""
    inside: set[int] = set()
    widest: dict[str, Fact] = {}
    for fact in sorted(passages, key=lambda one: (one.span.start, -one.span.end)):
        wide = widest.setdefault(fact.source.doc_id, fact)
        if wide is not fact and wide.span.contains(fact.span) and fact.text in wide.text:
            inside.add(id(fact))
        elif fact.span.end > wide.span.end:
            widest[fact.source.doc_id] = fact
    return inside


def _preferred(fact: Fact) -> tuple[bool, float, str]:
    """Return what decides which of several that say the same is shown: the graph's, the better, the newer one."""
    return fact.structural, _worth(fact), fact.source.updated or ""


def _twins(facts: Sequence[Fact], clusters: Iterable[Sequence[Fact]]) -> list[tuple[int, Fact]]:
    """Return what says the same as one of the facts elsewhere, with that fact's number."""
    others = {id(cluster[0]): cluster[1:] for cluster in clusters}
    return [(number, twin) for number, fact in enumerate(facts, 1) for twin in others[id(fact)][:_MOST_TWINS]]


def _relevant(
    facts: Sequence[Fact], missing: tuple[str, ...], *, may_differ: bool = False
) -> tuple[list[Fact], list[Fact]]:
    """Return the facts of the answer, and those of older versions of their pages, which only contradict them.

    The graph's facts answer alone if there are any, but for what they lack; else the passages near enough to the best
    one, best first. Where the question supposes a value (`may_differ`), what says another one than the best comes too.
    """
    near = [fact for fact in facts if fact.structural]
    passages = [fact for fact in facts if not fact.structural]
    if near:
        passages = [fact for fact in passages if _tells_of(fact, missing)]
    best = max(map(_worth, passages), default=0.0)
    near += sorted((fact for fact in passages if _worth(fact) >= _KEEP_SHARE * best), key=_worth, reverse=True)
    if may_differ and near and not near[0].structural:
        near += saying_otherwise(passages[:_MOST_DIFFERING], near[:1])
    gone = outdated(facts)
    older = [fact for fact in facts if fact.source.superseded or fact.source.doc_id in gone]
    behind = set(map(id, older))
    current = [fact for fact in near if id(fact) not in behind]
    return (current, older[:MOST_OLDER]) if current else (near, [])


def _tells_of(fact: Fact, missing: tuple[str, ...]) -> bool:
    """Return whether a passage names something that the documents' structure lacks."""
    held = fact.around.union(*(part.terms for part in fact.parts))
    return any(name_term(name) in held for name in missing)


def _worth(fact: Fact) -> float:
    """Return the fact's score; a page that a newer one replaces speaks only when nothing else does."""
    return fact.score * (_SUPERSEDED if fact.source.superseded else 1.0)
