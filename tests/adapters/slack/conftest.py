"""Fixtures for the tests of the Slack adapter."""

from collections.abc import AsyncIterator

import pytest

from tests.adapters.slack.scene import Scene, scene


@pytest.fixture
async def stage() -> AsyncIterator[Scene]:
    """The bot at work in a workspace, over Socket Mode."""
    async with scene() as running:
        yield running
