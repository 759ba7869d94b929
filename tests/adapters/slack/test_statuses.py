"""Slack's own status under a question, which must not outlive the first message under it."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from unittest.mock import patch

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from core.conversation import Audience, MessageRef, Question
from core.delivery import Found, Shown
from core.render import say
from tests.adapters.slack.scene import Scene, outgoing

ON_THE_WAY = AsyncWebClient.assistant_threads_setStatus


async def slowly(client: AsyncWebClient, **given: Any) -> Any:
    """Set the status after a while."""
    await asyncio.sleep(0.3)
    return await ON_THE_WAY(client, **given)


@pytest.mark.parametrize("text", ["How many days?", "Сколько дней?"])
async def test_a_message_waits_for_the_status_on_its_way(stage: Scene, text: str) -> None:
    """Posted before it, it could not end it: it would stand under the answer for two minutes."""
    ts = await stage.slack.post_as("U1", "C1", text)
    place = "T0TEAM:C1"
    asked = Question(
        id=str(MessageRef("slack", place, ts)),
        platform="slack",
        thread="t",
        text=text,
        asker="U1",
        audience=Audience("T0TEAM"),
        asked_at=datetime.now(UTC),
        place=place,
        message=ts,
        root=ts,
    )
    message = outgoing(ts, stage.platform.parts(say("27", "en"))[0])
    with patch.object(AsyncWebClient, "assistant_threads_setStatus", slowly):
        stage.platform.at_work_on(asked)
        shown = await stage.platform.show(message)
        await asyncio.sleep(0.5)

    assert isinstance(shown, Shown)
    assert [True, False] == [bool(status.text) for status in stage.slack.statuses]


async def test_a_change_keeps_the_mark_by_which_a_message_is_found(stage: Scene) -> None:
    """Slack keeps it by itself, so that it is not sent again."""
    ts = await stage.slack.post_as("U1", "C1", "How many days?")
    message = outgoing(ts, stage.platform.parts(say("Looking", "en"))[0])
    posted = await stage.platform.show(message)
    assert isinstance(posted, Shown)
    changed = replace(message, body=stage.platform.parts(say("27", "en"))[0].body, shown=posted.message)
    await stage.platform.show(changed)
    [update] = stage.slack.calls_to("chat.update")

    assert posted.message is not None
    assert "metadata" not in update.arguments
    assert Found(posted.message) == await stage.platform.find(replace(changed, shown=None))
    assert ["answer-1"] == [(one.metadata or {})["event_payload"]["part"] for one in stage.slack.answers("C1", ts)]
