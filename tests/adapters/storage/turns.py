"""Questions and finished turns for the tests of the storage."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from core.answer import Answer
from core.conversation import Audience, MessageRef, Question
from core.delivery import FIRST, Part
from core.facts import FactsPayload
from core.followup import Standalone
from core.plan import GENERAL, DocumentSearch, QueryPlan
from core.reply import Paragraph, RenderedReply, Text
from core.turn import TurnRecord
from core.work import Waiting, Welcome

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def ask(
    text: str,
    *,
    thread: str | None = None,
    place: str = "7",
    minute: float = 0,
    message: str | None = None,
    version: int = 0,
    resend: str | None = None,
    asker: str = "U1",
    root: str | None = None,
    groups: frozenset[str] = frozenset(),
    overheard: bool = False,
) -> Question:
    """Return a question asked some minutes after noon; its id is the text of its message's reference."""
    ref = MessageRef("telegram", place, message or str(minute))
    return Question(
        id=str(ref),
        platform=ref.platform,
        thread=thread or f"telegram:{place}",
        text=text,
        asker=asker,
        audience=Audience("acme", groups),
        asked_at=NOON + timedelta(minutes=minute),
        place=ref.place,
        message=ref.message,
        root=root,
        version=version,
        resend=resend,
        overheard=overheard,
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


def part(text: str, name: str = FIRST) -> Part:
    """Return one message of a reply."""
    return Part(name, {"text": text})


def signed(sign: Part) -> Callable[[Waiting], Welcome]:
    """Return what shows the sign, however long the line is."""
    return lambda _: Welcome(sign)


def refused(*parts: Part) -> Callable[[Waiting], Welcome]:
    """Return what refuses every question in these messages."""
    return lambda _: Welcome(refusal=parts)
