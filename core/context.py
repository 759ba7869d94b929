"""From what was found to what an answer may use: joined, without repeats, limited and numbered."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from core.facts import Fact, FactsPayload
from core.plan import QueryPlan, Style
from core.text import Language, language_of, normalise, terms

_MAX_WORDS: dict[str, int] = {"factual": 150, "compare": 150, "summary": 300}
# A passage that scores below this share of the best one is noise.
_KEEP_SHARE = 0.35
_SUPERSEDED = 0.5


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """The facts of an answer in order; a draft names them by their number, counted from 1."""

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

    @property
    def structural(self) -> bool:
        """Whether the facts are an answer as a whole, taken from the documents' structure."""
        return any(fact.structural for fact in self.facts)


def build_context(
    question: str, asked: str, payload: FactsPayload, plan: QueryPlan, names: tuple[str, ...] = ()
) -> AnswerContext:
    """Return the context for a question; `asked` is what the user wrote and decides the language.

    `names` are the names in the question that stand for no known entity.
    """
    return AnswerContext(
        question=question,
        facts=tuple(_relevant(_distinct(payload.facts))),
        language=language_of(asked),
        style=plan.render_style,
        kind=plan.answer_style,
        max_items=plan.limits.max_items,
        max_groups=plan.limits.max_groups,
        max_paragraphs=plan.limits.max_paragraphs,
        max_words=_MAX_WORDS[plan.answer_style],
        weights=tuple(sorted(_weighed(payload.weights, question, asked).items())),
        names=names,
    )


def _weighed(weights: Mapping[str, float], question: str, asked: str) -> dict[str, float]:
    """Return the weights of the question's terms; in a follow-up its own words count twice those carried on."""
    own = set(terms(asked)) if question != asked else set()
    return {term: weight * (2 if term in own else 1) for term, weight in weights.items()}


def _distinct(facts: Iterable[Fact]) -> list[Fact]:
    """Return the facts with each text once: of two alike the one from the graph, else the one that is worth more."""
    kept: dict[str, Fact] = {}
    for fact in facts:
        key = f"{fact.group or ''}|{normalise(fact.text)}"
        kept[key] = max(kept.get(key, fact), fact, key=lambda one: (one.structural, _worth(one)))
    return list(kept.values())


def _relevant(facts: list[Fact]) -> list[Fact]:
    """Return the graph's facts alone if there are any, else the passages near enough to the best one, best first."""
    near = [fact for fact in facts if fact.structural]
    if not near:
        best = max(map(_worth, facts), default=0.0)
        near = sorted((fact for fact in facts if _worth(fact) >= _KEEP_SHARE * best), key=_worth, reverse=True)
    return [fact for fact in near if not fact.source.superseded] or near


def _worth(fact: Fact) -> float:
    """Return the fact's score; a page that a newer one replaces speaks only when nothing else does."""
    return fact.score * (_SUPERSEDED if fact.source.superseded else 1.0)
