"""Fixtures for the tests of the Slack adapter."""

from collections.abc import AsyncIterator

import pytest

from tests.adapters.slack.scene import Scene, scene


@pytest.fixture(autouse=True)
def unpaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tests post and change without the pauses of a busy place; how those are kept is seen in test_pace.py."""
    monkeypatch.setattr("adapters.slack.pace.POSTS", 1_000)
    monkeypatch.setattr("adapters.slack.pace.UPDATES", 1_000)
    monkeypatch.setattr("adapters.slack.pace.WHISPERS", 1_000)


@pytest.fixture
async def stage() -> AsyncIterator[Scene]:
    """The bot at work in a workspace, over Socket Mode."""
    async with scene() as running:
        yield running
