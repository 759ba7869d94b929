"""The record of a question to which something was said before anything was looked up."""

from core.answer import Answer
from core.conversation import Question
from core.facts import FactsPayload
from core.followup import FollowUpDecision, Unclear
from core.metering import Metered, Stopwatch
from core.plan import default_plan
from core.reply import RenderedReply
from core.turn import TurnRecord


def unlooked(  # noqa: PLR0913 - what is known by then
    question: Question,
    decision: FollowUpDecision,
    reply: RenderedReply,
    watch: Stopwatch,
    meter: Metered,
    *,
    problems: tuple[str, ...],
) -> TurnRecord:
    """Return the record: no plan but the one that always works, no facts, and no statement."""
    return TurnRecord(
        question=question,
        decision=decision,
        plan=default_plan(question.text),
        planned_by="nobody",
        payload=FactsPayload(),
        answer=Answer((), reply.language, is_refusal=not isinstance(decision, Unclear)),
        reply=reply,
        seconds=watch.total(),
        finished_at=watch.now(),
        timings=tuple(watch.laps),
        problems=problems,
        spent=meter.spent,
    )
