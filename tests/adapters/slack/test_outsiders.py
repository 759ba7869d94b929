"""Guests, other organisations and shared channels in Slack: no answer, and one polite line, unless all are let in."""

from typing import Any
from unittest.mock import AsyncMock

import pytest
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.app import SlackPlatform
from adapters.slack.channels import Channels
from core.conversation import MessageRef
from core.delivery import Later, Outgoing, Refused, Shown
from core.phrases import phrase
from tests.adapters.slack.scene import DAYS, Scene, outgoing, scene, settings, workspace
from tests.adapters.slack.test_commands import whispers
from tests.platforms.slack import visible_text


async def made_outside(stage: Scene, kind: str) -> None:
    """Let U1 be a guest, a stranger or from another team, or the channel be shared."""
    if kind == "shared":
        await stage.slack.share_channel("C1")
        await stage.slack.settled()
    traits: dict[str, Any] = {"guest": {"is_guest": True}, "elsewhere": {"team_id": "T0OTHER"}}.get(kind, {})
    stage.slack.add_user("U1", name="Ada", **traits)


@pytest.mark.parametrize(
    ("kind", "name"), [("guest", "outside_person"), ("elsewhere", "outside_person"), ("shared", "outside_channel")]
)
async def test_outsiders_get_one_polite_line(stage: Scene, kind: str, name: str) -> None:
    """Nothing is stored or shown to others; who asks again is not told again."""
    await made_outside(stage, kind)
    root = await stage.asks("How many days?")
    assert [("U1", None, phrase(name, "en"))] == await whispers(stage)
    await stage.asks("Сколько дней?", thread_ts=root)
    await stage.quiet()

    assert {} == stage.desk.questions
    assert [] == stage.slack.answers("C1", root)
    assert 1 == len(stage.slack.ephemerals)


async def test_a_guest_gets_nothing_in_a_direct_message_either(stage: Scene) -> None:
    """In their own language."""
    stage.slack.add_user("U1", name="Ada", is_guest=True, locale="ru-RU")
    await stage.slack.post_as("U1", stage.slack.open_dm("U1"), "Сколько дней?")

    assert [phrase("outside_person", "ru")] == [one[2] for one in await whispers(stage)]
    assert {} == stage.desk.questions


@pytest.mark.parametrize("kind", ["guest", "elsewhere", "shared"])
async def test_the_operator_may_let_all_in(kind: str) -> None:
    """Then nobody is looked up either."""
    async with scene(lets_outsiders_in=True) as stage:
        await made_outside(stage, kind)
        ts = await stage.asks("How many days?")
        await stage.answered("C1", ts)

        assert [] == stage.slack.calls_to("users.info") + stage.slack.calls_to("conversations.info")


async def test_commands_and_presses_of_outsiders_do_nothing(stage: Scene) -> None:
    """Neither in a mention nor by slash, nor by a button that stands there from before."""
    ts = await stage.asks("How many days?")
    await stage.answered("C1", ts)
    body = stage.platform.button("Show?", "show:1", "Show")
    shown = await stage.platform.show(Outgoing(1, "q", "note", body, MessageRef("slack", "T0TEAM:C1", ts), ts))
    assert isinstance(shown, Shown)
    assert shown.message is not None
    await made_outside(stage, "shared")
    await stage.slack.click_as("U2", "C1", shown.message.message, "footnote_button")
    await stage.slack.command_as("U2", "C1", "/footnote", "why")
    await stage.slack.command_as("U2", "C1", "/ask", "How many days?")
    await stage.asks("/why", user="U2")

    assert {phrase("outside_channel", "en")} == {one[2] for one in await whispers(stage, 4)}
    assert ([], []) == (stage.desk.presses, stage.desk.commands)


async def test_a_channel_that_is_shared_meanwhile_gets_no_answer(stage: Scene) -> None:
    """It is looked at again before each message: a sentence stands in place of the answer, nothing of its evidence."""
    stage.script.gate.clear()
    ts = await stage.asks("How many days?")
    await stage.at_work(1)
    await stage.slack.share_channel("C1")
    await stage.slack.settled()
    stage.script.gate.set()
    await stage.quiet()

    assert [phrase("outside_now", "en")] == [visible_text(one) for one in stage.slack.answers("C1", ts)]
    assert isinstance(stage.desk.outcomes[-1][1], Refused)


async def test_that_it_is_shared_no_more_is_looked_up(stage: Scene) -> None:
    """One organisation may have left and another stayed."""
    await made_outside(stage, "shared")
    await stage.asks("How many days?")
    await whispers(stage)
    stage.slack.add_channel("C1", members=["U1", "U2", stage.slack.bot_user_id])
    await stage.slack.deliver({"type": "channel_unshared", "channel": "C1", "previously_connected_team_id": "T0OTHER"})
    ts = await stage.asks("How many days?")

    assert await stage.answered("C1", ts)


async def test_who_may_not_be_looked_up_counts_as_outside(stage: Scene) -> None:
    """Without the permission nobody is answered; the asker hears that one is missing."""
    stage.slack.fail_next("users.info", error="missing_scope", times=5)
    await stage.asks("How many days?")

    assert [phrase("outside_unknown", "en")] == [one[2] for one in await whispers(stage)]
    assert {} == stage.desk.questions


@pytest.mark.parametrize("trouble", [{"error": "missing_scope"}, {"error": "token_revoked"}, {"status": 503}])
async def test_where_readers_cannot_be_looked_up_nothing_is_shown(trouble: dict[str, Any]) -> None:
    """It waits; a process that has heard no event of the channel has to ask."""
    async with workspace() as slack:
        ts = await slack.post_as("U1", "C1", "How many days?")
        platform = SlackPlatform(settings(slack))
        async with platform.connected():
            slack.fail_next("conversations.info", **trouble)
            outcome = await platform.show(outgoing(ts, platform.parts(DAYS)[0]))

    assert isinstance(outcome, Later)
    assert [] == slack.answers("C1", ts)


@pytest.mark.parametrize("trouble", [{"status": 503}, {"status": 429, "retry_after": 5}, {"drop": "before"}])
async def test_what_cannot_be_looked_up_now_comes_again(stage: Scene, trouble: dict[str, Any]) -> None:
    """The event is not acknowledged, so Slack sends it again, and the question is answered then, once."""
    stage.slack.fail_next("users.info", **trouble)
    ts = await stage.asks("How many days?")
    await stage.answered("C1", ts)

    assert 1 == len(stage.desk.questions)


@pytest.mark.parametrize(
    ("told", "is_shared"),
    [
        ({}, False),
        ({"is_ext_shared": False, "is_pending_ext_shared": False}, False),
        ({"is_ext_shared": True}, True),
        ({"is_pending_ext_shared": True}, True),
        ({"is_org_shared": True}, False),
    ],
)
async def test_who_is_invited_counts_as_there(told: dict[str, Any], *, is_shared: bool) -> None:
    """Whoever accepts will read what was said before; another workspace of one organisation is no outsider."""
    client = AsyncWebClient()
    answer = {"ok": True, "channel": told}
    client.conversations_info = AsyncMock(  # type: ignore[method-assign]
        return_value=AsyncSlackResponse(
            client=client, http_verb="POST", api_url="", req_args={}, data=answer, headers={}, status_code=200
        )
    )

    assert is_shared is await Channels(client).is_shared("C1")
    assert not await Channels(client).is_shared("D1")
