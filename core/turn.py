"""The record of one answered question: its result contract (R-21) and what the audit keeps."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from core.answer import Answer
from core.conversation import Audience, Listed, Question
from core.facts import FactsPayload
from core.followup import FollowUpDecision
from core.plan import Intent, QueryPlan
from core.reply import RenderedReply


@dataclass(frozen=True, slots=True)
class Legend:
    """What the ids in a record stand for, in words.

    `recognised`: the names that the question holds, in its order. `names` are those of the entities in the plan, by
    their ids, and of what the question was taken to mean, which `closed` documents tell; `intents` are those that the
    plan asks for. `generation`: the index that was read, 0 when none was.
    """

    recognised: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    intents: tuple[Intent, ...] = ()
    generation: int = 0
    closed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Spent:
    """How often models replied, the tokens of both sides, and US dollars as far as prices are known."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0

    def __add__(self, other: "Spent") -> "Spent":
        """Return both taken together."""
        return Spent(self.calls + other.calls, self.tokens + other.tokens, self.cost + other.cost)


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """Everything that happened to one question.

    `problems`: what failed on the way without hindering an answer; `spent`: what the models cost; `listed`: the list
    that the reply shows a part of. `planned_by` is "nobody" when nothing was looked up: we asked back, or a list is
    gone. `pin`: the number of the answer that a person had checked and that was given again. `told`: the entities that
    each of its statements names.
    """

    question: Question
    decision: FollowUpDecision
    plan: QueryPlan
    planned_by: str
    payload: FactsPayload
    answer: Answer
    reply: RenderedReply
    seconds: float
    finished_at: datetime
    timings: tuple[tuple[str, float], ...] = ()
    problems: tuple[str, ...] = ()
    spent: Spent = Spent()
    listed: Listed | None = None
    legend: Legend = Legend()
    pin: int | None = None
    told: tuple[tuple[str, ...], ...] = ()

    @property
    def sources(self) -> frozenset[str]:
        """The documents that the reply shows something of, and closed ones that how its question was read does."""
        answer = self.answer
        cited = (citation for claim in answer.claims for citation in claim.citations)
        shown = frozenset(one.source.doc_id for one in (*cited, *answer.nearest, *answer.older))
        return shown | self.legend.closed


@dataclass(frozen=True, slots=True)
class Told:
    """What is stored of a finished turn: the question, whom its answer was for, and its result contract if it has one.

    There is none when it was not answered from documents, and once it has been removed.
    """

    question: str
    audience: Audience
    result: Mapping[str, Any] | None
