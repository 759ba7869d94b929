"""Why something is so: an answer states a cause, and the bare event is none."""

import pytest

from core.reasons import states_cause
from tests.core.scenes import facts_of
from tests.core.test_quoting import asked, draft_quotes, quoted

OUTAGE = (
    "# Outage of 2026\n\nThe pump stopped at night. It stood still for three hours.\n\n"
    "## Root cause\n\nA seal was worn out. Nobody had looked at it.\n\n## Cost\n\nIt came to £900.\n"
)
OUTAGE_RU = (
    "# Остановка 2026 года\n\nНасос остановился ночью. Он стоял три часа.\n\n"
    "## Причина\n\nИзносилась прокладка. Её никто не осматривал.\n\n## Ущерб\n\nПотеряли 900 рублей.\n"
)
EVENT = "# Pump\n\nThe pump stopped at night. It stood still for three hours.\n"
EVENT_RU = "# Насос\n\nНасос остановился ночью. Он стоял три часа.\n"


@pytest.mark.parametrize(
    ("question", "page", "near", "told"),
    [
        ("Why did the pump stop?", OUTAGE, "The pump", "A seal was worn out. Nobody had looked at it."),
        ("Почему остановился насос?", OUTAGE_RU, "Насос", "Износилась прокладка. Её никто не осматривал."),
    ],
)
def test_the_section_of_the_cause_is_told_as_it_stands(question: str, page: str, near: str, told: str) -> None:
    """It is told from its beginning, whatever sentence of it is nearest."""
    assert [told] == quoted(question, *facts_of("a.md", page), near=near)


@pytest.mark.parametrize(
    ("question", "page", "near"),
    [("Why did the pump stop?", EVENT, "The pump"), ("Почему остановился насос?", EVENT_RU, "Насос")],
)
def test_the_event_is_no_reason(question: str, page: str, near: str) -> None:
    """What says again what happened is offered as the nearest thing, not as the answer."""
    draft = draft_quotes(asked(question, *facts_of("a.md", page), near=near))

    assert () == draft.claims
    assert draft.abstain
    assert draft.abstain.nearest


@pytest.mark.parametrize(
    ("question", "page", "near"),
    [
        ("Why did the pump stop?", EVENT.replace("hours.", "hours. The cause was a worn seal."), "The pump"),
        ("Почему остановился насос?", EVENT_RU.replace("часа.", "часа. Причиной была прокладка."), "Насос"),
    ],
)
def test_a_cause_beside_the_event_is_told_with_it(question: str, page: str, near: str) -> None:
    """The sentence that names the cause need not say again of what."""
    [told] = quoted(question, *facts_of("a.md", page), near=near)

    assert "seal" in told or "прокладка" in told


@pytest.mark.parametrize(
    ("question", "page", "near"),
    [
        ("Why did the pump stop?", OUTAGE.replace("Root cause", "Why we chose this colour"), "The pump"),
        ("Почему остановился насос?", OUTAGE_RU.replace("## Причина", "## Почему выбрали этот цвет"), "Насос"),
    ],
)
def test_the_cause_of_something_else_is_not_told(question: str, page: str, near: str) -> None:
    """A heading that says of what it is the cause heads no other one."""
    assert [] == quoted(question, *facts_of("a.md", page), near=near)


@pytest.mark.parametrize(
    ("question", "page", "near"),
    [
        ("Why did the lift stop?", OUTAGE, "The pump"),
        ("Почему остановился лифт?", OUTAGE_RU, "Насос"),
    ],
)
def test_the_cause_of_another_event_is_not_told(question: str, page: str, near: str) -> None:
    """That one thing stopped does not say why another did."""
    assert [] == quoted(question, *facts_of("a.md", page), near=near, similarity=0.9)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("The rota moved to Tuesday when Oslo joined.", True),
        ("It stopped: the seal was worn.", True),
        ("It stopped at 10:30 on Monday.", False),
        ("Печь встала после скачка напряжения.", True),
        ("Печь встала в 10:30 в понедельник.", False),
    ],
)
def test_what_links_one_thing_to_another_may_say_why(text: str, *, is_one: bool) -> None:
    """Nobody need write “because”; a clock time is no link."""
    assert is_one is states_cause(text)
