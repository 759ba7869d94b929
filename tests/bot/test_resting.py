"""Where a platform takes nothing just now, nothing is asked of it that is a mere courtesy."""

from pathlib import Path

import pytest

from core.delivery import Later
from tests.bot.work import Company


@pytest.fixture
def company(tmp_path: Path) -> Company:
    """Return an empty data folder, with a stage whose channel C1 asks for a long pause after the first answer."""
    company = Company(tmp_path / "data")
    company.stage.shows_sign = False
    company.stage.script = [(Later(600.0, "slow down", whole_place=True), False)]
    return company


async def test_a_pause_is_kept_by_the_next_process(company: Company) -> None:
    """Each call meanwhile makes a pause longer: also a sign that somebody is at work, which nobody would miss."""
    async with company.at_work() as desk:
        await desk.ask("K1", thread="a")
        await desk.until(lambda: len(desk.stage.attempts) == 1)
    async with company.at_work() as desk:
        await desk.ask("Ю2", thread="b")
        await desk.ask("K3", thread="c", place="C2")
        await desk.until(lambda: desk.calls.keys() >= {("answer", "Ю2"), ("answer", "K3")})

    assert sorted(desk.stage.worked) == ["K1", "K3"]
