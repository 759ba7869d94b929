"""What was set for single channels and chats."""

from datetime import datetime, timedelta

import pytest

from adapters.storage.channels import SqlChannels
from adapters.storage.database import Database
from tests.adapters.storage.turns import NOON

LATER = NOON + timedelta(minutes=1)


@pytest.fixture
def channels(database: Database) -> SqlChannels:
    """Return channels for which nothing is set."""
    return SqlChannels(database)


async def test_nothing_is_set_before_somebody_sets_it(channels: SqlChannels) -> None:
    """A channel that nobody knows has no settings, and neither has the same name on another platform."""
    await channels.put("slack", "C1", {"language": "ru"}, changed_by="U1", at=NOON)

    assert ({}, {}) == (await channels.get("slack", "C2"), await channels.get("telegram", "C1"))


async def test_settings_come_back_as_they_were_put(channels: SqlChannels) -> None:
    """Whatever JSON can hold."""
    settings = {"title": "Ответы 🦔", "documents": ["handbook", "финансы"], "limit": 3, "quiet": False, "note": None}
    await channels.put("telegram", "-100", settings, changed_by="U1", at=NOON)

    assert settings == await channels.get("telegram", "-100")


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_the_later_change_stays_whole(channels: SqlChannels, order: tuple[int, ...]) -> None:
    """It takes the place of the earlier one and is not mixed with it, in whatever order they arrive."""
    changes: list[tuple[dict[str, object], datetime]] = [
        ({"language": "ru", "limit": 3}, NOON),
        ({"language": "en"}, LATER),
    ]
    for nth in order:
        settings, at = changes[nth]
        await channels.put("slack", "C1", settings, changed_by="U1", at=at)

    assert {"language": "en"} == await channels.get("slack", "C1")


async def test_the_mode_is_a_setting_among_others(channels: SqlChannels) -> None:
    """A channel hears mentions until somebody sets another mode; what else is set stays, what is no mode is none."""
    before = await channels.mode("slack", "T1:C1")
    await channels.put("slack", "T1:C1", {"language": "ru"}, changed_by="U1", at=NOON)
    await channels.set_mode(("slack", "T1:C1"), "gate", changed_by="U1", at=LATER)
    await channels.put("telegram", "-100", {"mode": "shout"}, changed_by="U1", at=NOON)

    assert ("mention", "gate", "mention") == (
        before,
        await channels.mode("slack", "T1:C1"),
        await channels.mode("telegram", "-100"),
    )
    assert {"language": "ru", "mode": "gate"} == await channels.get("slack", "T1:C1")
    assert {("slack", "T1:C1"): "gate", ("telegram", "-100"): "mention"} == await channels.modes()
