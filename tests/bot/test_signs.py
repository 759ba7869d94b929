"""A sign shows the latest of what it is told, at its pace, and nothing once it is closed."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from bot import signs
from bot.signs import Sign
from core.answer import Claim
from core.conversation import MessageRef, Question
from core.delivery import FIRST, Body, Doubtful, Later, Outcome, Part, Refused, Shown
from core.plan import Style
from core.render import text_of
from core.reply import RenderedReply
from core.telling import Looking, Proven, Reading, Understanding
from tests.bot.work import made

STANDS = Shown(MessageRef("slack", "C1", "m1"))
PROVEN = Proven((Claim("Дмитрий применял RAG.", (), "supported"),), Style.BULLETS)


@dataclass
class Screen:
    """Where a sign is shown: `open` lets it be; `outcomes` are those of the next tries."""

    shown: list[str] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    open: asyncio.Event = field(default_factory=asyncio.Event)
    most: int = 10

    async def show(self, _: Question, body: Body) -> Outcome:
        await self.open.wait()
        self.shown.append(str(body["text"]))
        return self.outcomes.pop(0) if self.outcomes else STANDS

    def parts(self, reply: RenderedReply) -> tuple[Part, ...]:
        lines = text_of(reply).splitlines()
        pages = [lines[start : start + self.most] for start in range(0, len(lines), self.most)]
        return tuple(Part(FIRST, {"text": "\n".join(page)}) for page in pages)

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(5):
            while not holds():
                await asyncio.sleep(0.001)


@asynccontextmanager
async def sign_on(screen: Screen) -> AsyncIterator[Sign]:
    """Give an open sign; it is closed at the end."""
    screen.open.set()
    sign = Sign(made("K1"), screen.parts, screen.show)
    try:
        yield sign
    finally:
        await sign.close()


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show a sign at once, and each change of it soon."""
    monkeypatch.setattr(signs, "FIRST_AFTER", 0.0)
    monkeypatch.setattr(signs, "EVERY", 0.01)


async def test_what_is_proven_stays_above_what_is_being_done() -> None:
    """Each state holds all that was proven before."""
    screen = Screen()
    async with sign_on(screen) as sign:
        for number, step in enumerate((Looking(), PROVEN, Reading(2, ("Отпуск",))), 1):
            sign.tell(step)
            await screen.until(lambda number=number: len(screen.shown) == number)  # type: ignore[misc]

    assert ["Looking through the documents…", "• Дмитрий применял RAG.", "• Дмитрий применял RAG."] == [
        said.splitlines()[0] for said in screen.shown
    ]
    assert screen.shown[2].endswith("Reading “Отпуск” (passages: 2)…")


async def test_only_the_latest_is_shown() -> None:
    """What comes while a call is under way is shown as one change."""
    screen = Screen()
    async with sign_on(screen) as sign:
        screen.open.clear()
        sign.tell(Understanding())
        await asyncio.sleep(0.02)
        sign.tell(Looking())
        sign.tell(PROVEN)
        screen.open.set()
        await screen.until(lambda: len(screen.shown) == 2)

    assert (2, True) == (len(screen.shown), "Confirmed so far: 1" in screen.shown[1])


async def test_a_quick_answer_has_no_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is spent on what nobody would have the time to read."""
    monkeypatch.setattr(signs, "FIRST_AFTER", 60.0)
    screen = Screen()
    async with sign_on(screen) as sign:
        sign.tell(PROVEN)
        await asyncio.sleep(0.02)

    assert [] == screen.shown


async def test_closing_waits_for_what_is_on_its_way() -> None:
    """So the answer comes after it; and what is told later is never shown."""
    screen = Screen()
    async with sign_on(screen) as sign:
        screen.open.clear()
        sign.tell(Looking())
        await asyncio.sleep(0.02)
        closing = asyncio.create_task(sign.close())
        await asyncio.sleep(0.02)
        early = closing.done()
        screen.open.set()
        await closing
        sign.tell(PROVEN)
        await asyncio.sleep(0.05)

    assert (False, 1) == (early, len(screen.shown))


@pytest.mark.parametrize("outcome", [Refused("no"), Doubtful("perhaps")])
async def test_what_is_refused_or_doubtful_is_the_last(outcome: Outcome) -> None:
    """From then on only the answer comes."""
    screen = Screen(outcomes=[outcome])
    async with sign_on(screen) as sign:
        sign.tell(Looking())
        await screen.until(lambda: bool(screen.shown))
        sign.tell(PROVEN)
        await asyncio.sleep(0.05)

    assert 1 == len(screen.shown)


async def test_what_has_to_wait_is_told_later() -> None:
    """Without anything new to tell."""
    screen = Screen(outcomes=[Later(0.01, "messages go first")])
    async with sign_on(screen) as sign:
        sign.tell(Looking())
        await screen.until(lambda: len(screen.shown) == 2)

    assert 1 == len(set(screen.shown))


async def test_a_sign_that_passes_is_shown_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A draft of Telegram's is gone after a while."""
    monkeypatch.setattr(signs, "LASTS", 0.01)
    screen = Screen(outcomes=[Shown(None), STANDS])
    async with sign_on(screen) as sign:
        sign.tell(Looking())
        await screen.until(lambda: len(screen.shown) == 2)
        await asyncio.sleep(0.05)

    assert 2 == len(screen.shown)


async def test_more_than_a_message_is_not_told() -> None:
    """What was shown stays until the answer comes with all of it."""
    screen = Screen(most=1)
    async with sign_on(screen) as sign:
        sign.tell(Looking())
        await screen.until(lambda: bool(screen.shown))
        sign.tell(PROVEN)
        await asyncio.sleep(0.05)

    assert ["Looking through the documents…"] == screen.shown


async def test_a_defect_costs_the_sign_alone() -> None:
    """Whoever tells hears nothing of it, and closing works."""
    screen = Screen()
    screen.most = 0
    async with sign_on(screen) as sign:
        sign.tell(Looking())
        await asyncio.sleep(0.02)
        sign.tell(PROVEN)

    assert [] == screen.shown
