"""What needs Slack waits until it is connected."""

import asyncio

import pytest

from adapters.slack import app
from adapters.slack.app import SlackPlatform
from core.running import Distant
from tests.adapters.slack.scene import settings as slack_settings
from tests.adapters.slack.scene import workspace


async def test_it_is_at_hand_while_it_is_connected() -> None:
    """Before that it is waited for, and after it again."""
    async with workspace() as slack:
        platform = SlackPlatform(slack_settings(slack))
        assert isinstance(platform, Distant)
        waiting = asyncio.create_task(platform.at_hand())
        await asyncio.sleep(0.05)
        before = waiting.done()
        async with platform.connected():
            await asyncio.wait_for(waiting, 5)
            await asyncio.wait_for(platform.at_hand(), 5)
        again = asyncio.create_task(platform.at_hand())
        await asyncio.sleep(0.05)
        after = again.done()
        again.cancel()

    assert (before, after) == (False, False)


async def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Slack that cannot be reached leaves its answers to those of whom nothing need be asked."""
    monkeypatch.setattr(app, "_JOINING", 0.05)
    async with workspace() as slack:
        await asyncio.wait_for(SlackPlatform(slack_settings(slack)).at_hand(), 5)
