"""Somebody whose Slack is in a third language is spoken to in it."""

import pytest

from core.phrases import phrase
from tests.adapters.slack.scene import Scene
from tests.adapters.slack.test_commands import whispers
from tests.doubles.german import MARK


@pytest.mark.usefixtures("german")
async def test_a_german_slack_is_told_in_german(stage: Scene) -> None:
    """How to ask, by their locale; in no other words are we told which language they read."""
    stage.slack.add_user("U1", name="Ada", locale="de-DE")
    await stage.slack.command_as("U1", "C1", "/ask", "  ")

    [shown] = await whispers(stage)
    assert phrase("private_how", "de") == shown[2]
    assert shown[2].startswith(MARK)
