"""Events, commands and clicks, received by Bolt over Socket Mode and over HTTP."""

import asyncio
from collections import Counter
from typing import Any

import pytest
from aiohttp import web
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from tests.platforms.slack import (
    SlackStandIn,
)
from tests.platforms.slack.driving import (
    actions,
    bolt,
    bot_client,
    button,
    endpoint,
    over_http,
)
from tests.platforms.slack.waiting import until

Json = dict[str, Any]


async def test_a_mention_arrives_twice(slack: SlackStandIn) -> None:
    """A mention comes as `app_mention` and as `message`: one `ts`, two event ids."""
    async with bolt(slack) as seen:
        ts = await slack.post_as("U1", "C1", f"<@{slack.bot_user_id}> How many?")
        await slack.settled()

    assert Counter(["app_mention", "message"]) == Counter(b["event"]["type"] for b in seen)
    assert [ts, ts] == [body["event"]["ts"] for body in seen]
    assert 2 == len({body["event_id"] for body in seen})
    assert [] == slack.violations


async def test_a_direct_message_arrives_once(slack: SlackStandIn) -> None:
    """In a direct channel a mention is not announced as such."""
    async with bolt(slack) as seen:
        await slack.post_as("U1", slack.open_dm("U1"), f"<@{slack.bot_user_id}> hello")
        await slack.settled()

    assert [("message", "im")] == [(b["event"]["type"], b["event"]["channel_type"]) for b in seen]


async def test_channels_without_the_bot_are_silent(slack: SlackStandIn) -> None:
    """Nothing is delivered from a channel that the bot is not in, not even a mention."""
    await slack.post_as("U1", "C2", f"<@{slack.bot_user_id}> hello")

    assert [] == slack.deliveries


async def test_edits_and_deletions_are_announced(slack: SlackStandIn) -> None:
    """An edit shows both wordings; a deleted question that has answers leaves a tombstone."""
    async with bolt(slack) as seen:
        ts = await slack.post_as("U1", "C1", "first")
        await slack.edit_as("U1", "C1", ts, "second")
        await slack.post_as("U2", "C1", "reply", thread_ts=ts)
        await slack.delete_as("U1", "C1", ts)
        await slack.settled()

    edits = [b["event"] for b in seen if b["event"].get("subtype") == "message_changed"]
    by_text = {edit["message"]["text"]: edit for edit in edits}
    assert "first" == by_text["second"]["previous_message"]["text"]
    assert "tombstone" == by_text["This message was deleted."]["message"]["subtype"]


async def test_a_mention_is_announced_with_each_edit(slack: SlackStandIn) -> None:
    """A mention added or kept by an edit comes as `app_mention`, marked with a whole second, each another."""
    async with bolt(slack) as seen:
        ts = await slack.post_as("U1", "C1", "How many?")
        await slack.edit_as("U1", "C1", ts, f"<@{slack.bot_user_id}> How many?")
        await slack.edit_as("U1", "C1", ts, f"<@{slack.bot_user_id}> How much?")
        await slack.settled()

    mentions = [b["event"] for b in seen if b["event"]["type"] == "app_mention"]
    edits = [mention["edited"] for mention in mentions]
    assert [(ts, "U1")] * 2 == [(mention["ts"], edit["user"]) for mention, edit in zip(mentions, edits, strict=True)]
    assert [True, True] == [edit["ts"].endswith(".000000") for edit in edits]
    assert 2 == len({edit["ts"] for edit in edits})


async def test_a_link_that_unfolds_changes_the_message(slack: SlackStandIn) -> None:
    """It comes as `message_changed` with the same text and no edit's mark, and no mention is announced for it."""
    async with bolt(slack) as seen:
        ts = await slack.post_as("U1", "C1", f"<@{slack.bot_user_id}> <https://x.example>")
        await slack.settled()
        seen.clear()
        await slack.unfold("C1", ts, "https://x.example")
        await slack.settled()

    (event,) = [b["event"] for b in seen]
    assert "message_changed" == event["subtype"]
    assert event["previous_message"]["text"] == event["message"]["text"]
    assert "edited" not in event["message"]


async def test_a_broadcast_reply_stays_one(slack: SlackStandIn) -> None:
    """A reply that was also sent to the channel keeps its subtype when it is edited."""
    async with bolt(slack) as seen:
        root = await slack.post_as("U1", "C1", "root")
        ts = await slack.post_as("U1", "C1", "reply", thread_ts=root, broadcast=True)
        await slack.edit_as("U1", "C1", ts, "a better reply")
        await slack.settled()

    (edit,) = [b["event"] for b in seen if b["event"].get("subtype") == "message_changed"]
    assert "thread_broadcast" == edit["message"]["subtype"]


async def test_a_message_may_be_sent_twice(slack: SlackStandIn) -> None:
    """A device that sends again gives both messages the same id of its own."""
    async with bolt(slack) as seen:
        for _ in range(2):
            await slack.post_as("U1", "C1", "How many?", client_msg_id="one")
        await slack.settled()

    assert ["one", "one"] == [b["event"]["client_msg_id"] for b in seen]
    assert 2 == len({b["event"]["ts"] for b in seen})


async def test_an_unacknowledged_event_comes_again(slack: SlackStandIn) -> None:
    """Events no listener takes stay unacknowledged and are tried three times more."""
    async with bolt(slack, catch_all=False):
        ts = await slack.post_as("U1", "C1", "a")
        await slack.settled()
        await slack.edit_as("U1", "C1", ts, "b")
        await slack.settled()

    edit = slack.deliveries[-1]
    assert (False, 3) == (edit.acked, edit.retry_num)
    assert ["timeout"] * 4 == edit.statuses
    assert 4 == len(set(edit.envelope_ids))


async def test_the_bots_own_posts_come_back(slack: SlackStandIn, client: AsyncWebClient) -> None:
    """Slack tells the app about the bot's own messages too; Bolt acknowledges and drops them."""
    async with bolt(slack) as seen:
        await client.chat_postMessage(channel="C1", text="mine")
        await slack.settled()

    (own,) = slack.deliveries
    assert slack.app.bot_id == own.payload["event"]["bot_id"]
    assert (True, []) == (own.acked, seen)


async def test_another_bot_looks_like_a_person(slack: SlackStandIn) -> None:
    """A message with another bot's `bot_id` and no subtype reaches the listeners."""
    async with bolt(slack) as seen:
        await slack.post_as("U2", "C1", "beep", bot_id="B0OTHER")
        await slack.settled()

    assert ["B0OTHER"] == [body["event"]["bot_id"] for body in seen]


async def test_a_raw_event_can_be_a_redelivery(slack: SlackStandIn) -> None:
    """An event with a known id and a retry number arrives as Slack repeats it."""
    event = {"type": "app_mention", "user": "U1", "text": "a", "ts": "1.0", "channel": "C1"}
    async with bolt(slack) as seen:
        await slack.deliver(event, event_id="Ev1")
        await slack.deliver(event, event_id="Ev1", retry_num=1)
        await slack.settled()

    assert ["Ev1", "Ev1"] == [body["event_id"] for body in seen]


async def test_the_app_reconnects_when_asked_or_cut_off(slack: SlackStandIn) -> None:
    """After a `disconnect` message and after a cut connection, events reach the new socket."""
    async with bolt(slack) as seen:
        await slack.sockets.disconnect("refresh_requested")
        await slack.post_as("U1", "C1", "one")
        await slack.settled()
        slack.sockets.drop()
        await slack.post_as("U1", "C1", "two")
        await slack.settled()

    assert ["one", "two"] == [body["event"]["text"] for body in seen]
    assert 3 == slack.sockets.opened


async def test_each_event_goes_to_one_socket(slack: SlackStandIn) -> None:
    """Two copies of the app share the events between them."""
    async with bolt(slack) as first, bolt(slack) as second:
        await slack.socket_connected(2)
        for number in range(4):
            await slack.post_as("U1", "C1", str(number))
        await slack.settled()

    assert (2, 2) == (len(first), len(second))


async def test_requests_are_signed(slack: SlackStandIn) -> None:
    """Bolt accepts a signed request, and refuses a forged or an old one."""
    web_client = bot_client(slack)
    app = AsyncApp(client=web_client, signing_secret=slack.app.signing_secret)
    event = {"type": "app_mention", "user": "U1", "text": "a", "ts": "1.0", "channel": "C1"}

    @app.event("app_mention")
    async def note() -> None:
        return None

    async with endpoint(over_http(app)) as url:
        assert await slack.verify_url(url)
        assert 200 == await slack.deliver_http(url, event)
        assert 401 == await slack.deliver_http(url, event, signature="v0=00")
        assert 401 == await slack.deliver_http(url, event, age=400)


async def test_a_slow_or_failing_url_is_tried_again(slack: SlackStandIn) -> None:
    """Anything but a prompt 200 is repeated, with the number and reason of the attempt."""
    attempts: list[tuple[str | None, str | None]] = []

    async def struggle(request: web.Request) -> web.Response:
        headers = request.headers
        attempts.append((headers.get("X-Slack-Retry-Num"), headers.get("X-Slack-Retry-Reason")))
        if len(attempts) == 1:
            await asyncio.sleep(0.5)
        return web.Response(status=200 if len(attempts) == 3 else 500)

    async with endpoint(struggle) as url:
        assert 200 == await slack.deliver_http(url, {"type": "app_home_opened"})

    assert [(None, None), ("1", "http_timeout"), ("2", "http_error")] == attempts


async def test_an_app_can_decline_retries(slack: SlackStandIn) -> None:
    """The header `X-Slack-No-Retry: 1` ends the attempts."""

    async def decline(request: web.Request) -> web.Response:
        return web.Response(status=500, headers={"X-Slack-No-Retry": "1"})

    async with endpoint(decline) as url:
        slack.send_events_to(url)
        await slack.post_as("U1", "C1", "a")
        await slack.settled()

    assert [500] == slack.deliveries[0].statuses


async def test_a_command_is_answered_twice_over(slack: SlackStandIn) -> None:
    """The acknowledgement's text and a later response are both private; five responses at most."""
    web_client = bot_client(slack)
    app = AsyncApp(client=web_client, signing_secret=slack.app.signing_secret)

    @app.command("/ask")
    async def ask(ack: Any, respond: Any, command: Json) -> None:
        await ack("Looking.")
        for number in range(6):
            await respond(f"{command['text']} {number}")

    async with endpoint(over_http(app)) as url:
        slack.send_events_to(url)
        await slack.command_as("U1", "C1", "/ask", "how many?")
        await slack.settled()
        await until(lambda: len(slack.ephemerals) == 6, lambda: str(slack.ephemerals), 2.0)

    texts = {message.text for message in slack.ephemerals}
    assert {"Looking."} | {f"how many? {number}" for number in range(5)} == texts
    assert {"U1"} == {message.only_for for message in slack.ephemerals}


async def test_a_click_reaches_the_app(slack: SlackStandIn, client: AsyncWebClient) -> None:
    """A click carries the button's value and place; what is not shown cannot be clicked."""
    clicks: list[Json] = []
    app = AsyncApp(client=client, signing_secret=slack.app.signing_secret)

    @app.action("why")
    async def why(ack: Any, body: Json) -> None:
        await ack()
        clicks.append(body)

    blocks = [actions(button(action_id="why", value="7"))]
    posted = await client.chat_postMessage(channel="C1", text="a", blocks=blocks)
    async with endpoint(over_http(app)) as url:
        slack.send_events_to(url)
        await slack.click_as("U1", "C1", posted["ts"], "why")
        await until(lambda: bool(clicks), lambda: "no click", 2.0)

    assert ("7", posted["ts"]) == (
        clicks[0]["actions"][0]["value"],
        clicks[0]["container"]["message_ts"],
    )
    with pytest.raises(LookupError):
        await slack.click_as("U1", "C1", posted["ts"], "hidden")
