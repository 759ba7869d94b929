"""An answer that comes late is shown to those alone who may read all that it was made from."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.late import AFTER, LateLook
from core.conversation import Audience, MessageRef, Question
from core.delivery import Outgoing, Refused
from core.phrases import phrase
from core.ports import Knowledge
from core.turn import Told
from core.work import Claim
from tests.doubles.pages import NAMES
from tests.doubles.stage import Stage

TEAM = Audience("T1", frozenset({"people-team"}))
RESULT: dict[str, Any] = {
    "question": "",
    "citations": [{"doc_id": "pay.md"}],
    "nearest": [],
    "raw_context_used": [],
    "facts": {"sources": ["pay.md"]},
    "follow_up": {"decision": "standalone"},
    "plan": {},
}
CLOSED = {"pay.md": frozenset({"people-team"})}


def claim(*, seconds: float, part: str = "answer-1", tried: int = 0, final: bool = True) -> Claim:
    """Return a message of an answer that has been waiting for so long."""
    asked = MessageRef("slack", "T1:C1", "1.0")
    message = Outgoing(1, str(asked), part, {"text": "L4 earns €60,500"}, asked)
    return Claim(message, 1, "t", final, False, tried, datetime.now(UTC) - timedelta(seconds=seconds))


def look(now: Audience, text: str = "How much?", *, known: bool = True, closed: Any = CLOSED) -> LateLook:
    """Return a look that finds these people reading there now."""

    class Around:
        async def told_of(self, question_id: str) -> tuple[Told, str, bool] | None:
            assert "slack:T1:C1:1.0" == question_id
            return Told(text, TEAM, RESULT), "U1", True

        async def live(self) -> Any:
            knowledge = Knowledge(NAMES, (), "Pages", closed=closed)
            return SimpleNamespace(ports=SimpleNamespace(knowledge=knowledge)) if known else None

        async def of(self, question: Question, *, fresh: bool) -> Audience:
            assert ("T1:C1", "U1", True, True) == (question.place, question.asker, question.private, fresh)
            return now

    around = cast("Any", Around())
    return LateLook(around, around, around, {"slack": Stage()})


@pytest.mark.parametrize(("text", "language"), [("How much?", "en"), ("Сколько получает инженер?", "ru")])
async def test_who_came_meanwhile_is_shown_a_sentence(text: str, language: Any) -> None:
    """In place of the answer; its evidence is not shown at all."""
    late = AFTER.total_seconds() + 1
    shown = await look(Audience("T1"), text).may_show(claim(seconds=late))
    rest = await look(Audience("T1"), text).may_show(claim(seconds=late, part="evidence-1"))

    assert isinstance(shown, Outgoing)
    assert shown.body is not None
    assert phrase("readers_changed", language) in str(shown.body["text"])
    assert isinstance(rest, Refused)


@pytest.mark.parametrize(
    "given", [{"seconds": 1.0}, {"seconds": 999.0, "tried": 1}, {"seconds": 999.0, "final": False}]
)
async def test_what_is_on_time_is_not_asked_about(given: dict[str, Any]) -> None:
    """Nor what was sent before in this form, or is a sign."""
    message = claim(**given)

    assert message.outgoing is await look(Audience("T1")).may_show(message)


async def test_those_who_may_read_it_get_it_late() -> None:
    """And whoever asked of what is for everybody by now; where nobody can tell, it is not shown."""
    message = claim(seconds=999)

    assert message.outgoing is await look(TEAM).may_show(message)
    assert message.outgoing is await look(Audience("T1"), closed={}).may_show(message)
    assert message.outgoing != await look(TEAM, known=False).may_show(message)
