"""How an answer goes, as a person at a terminal sees it."""

import io

import pytest
from rich.console import Console

from bot.onscreen import told_on
from core.plan import Style
from core.telling import Checking, Proven, Reading
from tests.core.scenes import drafted, judged

RECEIPT = "A receipt is attached for every item above €15."


def seen(*, terminal: bool) -> str:
    """Return all that was ever drawn while an answer was made."""
    drawn = io.StringIO()
    console = Console(file=drawn, force_terminal=terminal, width=100, color_system=None)
    claims = judged(drafted(RECEIPT, "Attach a receipt for every item above €15")).claims
    with told_on(console, "ru") as tell:
        for step in (Reading(3, ("Положение",)), Proven(claims, Style.BULLETS), Checking(2)):
            tell(step)
            # Drawn some times a second; here, each state once.
            console._live_stack[-1].refresh()
    return drawn.getvalue()


def test_what_is_proven_stands_over_what_is_being_done() -> None:
    """Each statement stays while the line under it changes."""
    told = seen(terminal=True)

    assert "Читаю «Положение»" in told
    assert RECEIPT in told
    assert told.index(RECEIPT) < told.rindex("Ещё раз проверяю")


def test_a_pipe_gets_the_answer_alone() -> None:
    """What is no terminal shows nothing of it."""
    assert seen(terminal=False).strip() == ""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_nothing_is_left_of_it(language: str) -> None:
    """The line is rubbed out when the answer comes."""
    drawn = io.StringIO()
    with told_on(Console(file=drawn, force_terminal=True, width=80), language):  # type: ignore[arg-type]
        pass

    assert drawn.getvalue().endswith("\x1b[2K")
