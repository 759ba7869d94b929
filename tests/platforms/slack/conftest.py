"""Fixtures for the stand-in's own tests."""

from collections.abc import AsyncIterator

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from tests.platforms.slack import (
    SlackStandIn,
)
from tests.platforms.slack.driving import (
    bot_client,
    workspace,
)


@pytest.fixture
async def slack() -> AsyncIterator[SlackStandIn]:
    """A workspace with people, channels and the bot."""
    async with workspace() as stand_in:
        yield stand_in


@pytest.fixture
def client(slack: SlackStandIn) -> AsyncWebClient:
    """The real client with the bot's token."""
    return bot_client(slack)
