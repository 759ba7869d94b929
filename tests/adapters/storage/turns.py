"""Questions and finished turns for the tests of the storage."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from core.answer import Answer
from core.conversation import Audience, MessageRef, Question
from core.facts import FactsPayload
from core.followup import Standalone
from core.plan import GENERAL, DocumentSearch, QueryPlan
from core.reply import Paragraph, RenderedReply, Text
from core.turn import TurnRecord

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def ask(text: str, *, thread: str = "telegram:7", minute: int = 0, message: str | None = None) -> Question:
    """Return a question asked some minutes after noon; its id is the text of its message's reference."""
    ref = MessageRef("telegram", thread, message or str(minute))
    return Question(
        id=str(ref),
        platform="telegram",
        thread=thread,
        text=text,
        asker="U1",
        audience=Audience("acme"),
        asked_at=NOON + timedelta(minutes=minute),
    )


def finish(
    question: Question,
    *,
    standalone: str | None = None,
    entities: Sequence[str] = (),
    reply: str = "It is there.",
    refusal: bool = False,
    seconds: float = 2.0,
) -> TurnRecord:
    """Return the record of the question, answered after some seconds."""
    search = DocumentSearch(query=question.text)
    return TurnRecord(
        question=question,
        decision=Standalone(standalone or question.text, "it names all that it is about"),
        plan=QueryPlan(intents=(GENERAL,), entities=tuple(entities), tool_calls=(search,)),
        planned_by="default",
        payload=FactsPayload(),
        answer=Answer(claims=(), language="en", is_refusal=refusal),
        reply=RenderedReply(nodes=(Paragraph((Text(reply),)),), evidence=(), language="en"),
        seconds=seconds,
        finished_at=question.asked_at + timedelta(seconds=seconds),
    )
