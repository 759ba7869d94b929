"""The record of one answered question: its result contract (R-21) and what the audit keeps."""

from dataclasses import dataclass
from datetime import datetime

from core.answer import Answer
from core.conversation import Question
from core.facts import FactsPayload
from core.followup import FollowUpDecision
from core.plan import QueryPlan
from core.reply import RenderedReply


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """Everything that happened to one question. `problems`: what failed on the way without hindering an answer."""

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
