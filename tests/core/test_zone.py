"""Days and years are those of where people are: on New Year's morning in Vladivostok it is still last year in UTC."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.settings import Settings
from tests.core.test_pipeline import ask, ports, question
from tests.doubles.models import ScriptedModel

MORNING = datetime(2026, 12, 31, 22, 0, tzinfo=UTC)


@pytest.mark.parametrize("text", ["Where is RAG used?", "Где применял RAG в этом году?"])
@pytest.mark.parametrize(
    ("zone", "day"), [("UTC", "2026-12-31"), ("Asia/Vladivostok", "2027-01-01"), ("America/Lima", "2026-12-31")]
)
async def test_the_day_is_that_of_the_zone(text: str, zone: str, day: str) -> None:
    """The model is told the day on which somebody asks there, and a plan's year is that of this day."""
    model = ScriptedModel(lambda _: '{"claims": [], "abstain": true}', roles=("answer",))
    record = await ask(ports(model=model, zone=ZoneInfo(zone)), replace(question(text), asked_at=MORNING))

    assert f"Asked on {day}" in model.requests[-1].user
    assert (record.plan.period is not None) is ("году" in text)
    assert record.plan.period is None or str(record.plan.period.since) == f"{day[:4]}-01-01"
    assert MORNING == record.question.asked_at


def test_the_zone_is_a_setting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without one it is the machine's own."""
    monkeypatch.setenv("TIMEZONE", "Asia/Vladivostok")
    assert ZoneInfo("Asia/Vladivostok") == Settings(FOOTNOTE_DATA_DIR=tmp_path).timezone  # type: ignore[call-arg]

    monkeypatch.delenv("TIMEZONE")
    assert Settings(FOOTNOTE_DATA_DIR=tmp_path).timezone is None  # type: ignore[call-arg]
