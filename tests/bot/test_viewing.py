"""Nobody is told how an answer came about before it is known who may read its documents."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from bot.answering import Bot
from bot.audiences import Audiences, Where
from bot.introducing import Introducer
from bot.viewing import Viewing
from core.conversation import Audience
from core.entities import make_registry
from core.ports import Knowledge
from core.running import GroupBook
from core.visiting import Caller

GUEST = Audience("T1", guests=True)
VIEWER = Where("slack", "T1:C1", "U1")
RESULT: dict[str, Any] = {
    "question": "What?",
    "plan": None,
    "citations": [{"doc_id": "pay.md"}],
    "nearest": [],
    "raw_context_used": [],
    "facts": {"sources": ["pay.md"]},
    "follow_up": {"decision": "standalone"},
}


@dataclass
class Starting:
    """A bot that has just begun: nothing is loaded; `index` is what it loads, if there is any."""

    index: Knowledge | None

    def knowledge(self) -> None:
        """Return that nothing is known yet."""

    async def known(self) -> Knowledge | None:
        return self.index


def index(closed: dict[str, frozenset[str]]) -> Knowledge:
    """Return what is known of documents for these readers."""
    return Knowledge(make_registry(()), (), "Acme", closed=closed)


@pytest.mark.parametrize(("known", "may_know"), [({"pay.md": frozenset({"hr"})}, False), ({}, True), (None, False)])
async def test_a_bot_that_has_just_begun_tells_nothing_too_much(known: Any, *, may_know: bool) -> None:
    """It looks first whom the documents are for; without an index nobody can tell."""
    bot = Starting(None if known is None else index(known))
    viewing = Viewing(cast("Bot", bot), Audiences(cast("GroupBook", None), {}))

    assert may_know is await viewing.may_know(RESULT, GUEST, VIEWER)


@pytest.mark.parametrize(("person", "sees"), [("slack:T1:U1", True), ("slack:T1:U2", False), ("", False)])
async def test_how_it_fares_is_for_administrators(person: str, *, sees: bool) -> None:
    """Unanswered questions, complaints and costs are nobody else's business, also before anything is indexed."""

    class Empty:
        async def live(self) -> None:
            return None

    class Counting:
        async def of(self, *_: Any) -> Any:
            return "the week"

    now = lambda: datetime(2026, 1, 5, tzinfo=UTC)  # noqa: E731
    introducer = Introducer(
        cast("Bot", Empty()), Audiences(cast("GroupBook", None), {}), Counting(), {"slack:T1:U1"}, now
    )
    shown = await introducer.introduced(Caller("slack", person, Audience("T1"), "en"))

    assert sees is (shown.week is not None)
