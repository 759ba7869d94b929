"""The stand-in's Web API, called through the client that the bot uses."""

import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from slack_sdk.web.async_client import AsyncWebClient

from tests.platforms.slack import (
    SlackStandIn,
)
from tests.platforms.slack.driving import (
    bot_client,
    error_of,
    refusal,
    section,
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


async def test_a_post_in_a_thread_is_seen_there(slack: SlackStandIn, client: AsyncWebClient) -> None:
    """A reply appears in its thread, after the question, under the bot's name."""
    question = await slack.post_as("U1", "C1", "How many?")

    answer = await client.chat_postMessage(channel="C1", text="Two.", thread_ts=question)

    assert ["How many?", "Two."] == [m.text for m in slack.thread("C1", question)]
    assert answer["message"]["user"] == slack.bot_user_id
    assert "U1" == answer["message"]["parent_user_id"]


async def test_arguments_may_come_as_a_form(slack: SlackStandIn) -> None:
    """A form with JSON inside its fields means the same as a JSON body."""
    blocks = json.dumps([section("a")])
    form = {"channel": "C1", "text": "a", "blocks": blocks, "token": slack.app.bot_token}

    async with (
        aiohttp.ClientSession() as session,
        session.post(slack.api_base_url + "chat.postMessage", data=form) as response,
    ):
        posted = await response.json()

    (message,) = slack.thread("C1", posted["ts"])
    assert "section" == message.blocks[0]["type"]
    assert "token" not in slack.calls[0].arguments


async def test_an_update_keeps_the_earlier_wording(slack: SlackStandIn, client: AsyncWebClient) -> None:
    """An update with only a text removes the blocks, marks the edit, and keeps the history."""
    posted = await client.chat_postMessage(channel="C1", text="a", blocks=[section("a")])

    await client.chat_update(channel="C1", ts=posted["ts"], text="b")

    (message,) = slack.thread("C1", posted["ts"])
    assert ("b", ()) == (message.text, message.blocks)
    assert ["a"] == [revision.text for revision in message.history]
    assert message.edited is not None


async def test_metadata_is_read_back_only_on_request(slack: SlackStandIn, client: AsyncWebClient) -> None:
    """`conversations.replies` gives metadata when `include_all_metadata` is set, not otherwise."""
    metadata = {"event_type": "answer", "event_payload": {"id": "7"}}
    posted = await client.chat_postMessage(channel="C1", text="a", metadata=metadata)

    plain = await client.conversations_replies(channel="C1", ts=posted["ts"])
    full = await client.conversations_replies(channel="C1", ts=posted["ts"], include_all_metadata=True)

    assert "metadata" not in plain["messages"][0]
    assert metadata == full["messages"][0]["metadata"]


async def test_replies_come_in_pages(slack: SlackStandIn, client: AsyncWebClient) -> None:
    """A thread longer than the limit is read page by page, with a cursor."""
    root = await slack.post_as("U1", "C1", "root")
    for number in range(3):
        await slack.post_as("U2", "C1", str(number), thread_ts=root)

    texts = [
        message["text"]
        async for page in await client.conversations_replies(channel="C1", ts=root, limit=3)
        for message in page["messages"]
    ]

    assert ["root", "0", "1", "2"] == texts


@pytest.mark.parametrize(("token", "error"), [(None, "not_authed"), ("xoxb-other", "invalid_auth")])
async def test_a_wrong_token_is_refused(slack: SlackStandIn, token: str | None, error: str) -> None:
    """A call without the installed bot's token does nothing."""
    stranger = AsyncWebClient(token=token, base_url=slack.api_base_url)

    assert error == await error_of(stranger.chat_postMessage(channel="C1", text="a"))


async def test_tokens_are_not_interchangeable(slack: SlackStandIn) -> None:
    """The app token opens sockets and nothing else; the bot token does not open sockets."""
    bot = AsyncWebClient(base_url=slack.api_base_url)
    app = AsyncWebClient(token=slack.app.app_token, base_url=slack.api_base_url)

    opening = bot.apps_connections_open(app_token=slack.app.bot_token)

    assert "not_allowed_token_type" == await error_of(opening)
    assert "not_allowed_token_type" == await error_of(app.auth_test())


async def test_a_scope_that_was_not_granted_is_refused() -> None:
    """`missing_scope` names the scope, so that the fix can be shown."""
    async with SlackStandIn(scopes=["chat:write"]) as slack:
        slack.add_channel("C1", members=[slack.bot_user_id])
        client = bot_client(slack)

        refused = await refusal(client.conversations_replies(channel="C1", ts="1.0"))

    assert ("missing_scope", "channels:history") == (
        refused.response["error"],
        refused.response["needed"],
    )


async def test_an_unknown_method_is_refused_and_recorded(slack: SlackStandIn, client: AsyncWebClient) -> None:
    """What the stand-in does not know fails, and a test can see that it was tried."""
    assert "unknown_method" == await error_of(client.api_call("chat.invent", json={"a": 1}))
    assert {"a": 1} == slack.calls_to("chat.invent")[0].arguments


async def test_channels_are_closed_to_strangers(slack: SlackStandIn, client: AsyncWebClient) -> None:
    """The bot posts where it is a member, and private channels do not exist for it elsewhere."""
    slack.add_channel("G1", members=["U1"], kind="group")
    slack.add_channel("C3", members=[slack.bot_user_id], is_archived=True)

    errors = [
        await error_of(client.chat_postMessage(channel=channel, text="a")) for channel in ("C2", "C9", "G1", "C3")
    ]

    assert ["not_in_channel", "channel_not_found", "channel_not_found", "is_archived"] == errors


async def test_a_thread_is_named_by_its_root(slack: SlackStandIn, client: AsyncWebClient) -> None:
    """Neither a reply's timestamp nor an invented one starts or continues a thread."""
    root = await slack.post_as("U1", "C1", "root")
    reply = await slack.post_as("U1", "C1", "reply", thread_ts=root)

    for ts in (reply, "1700000000.000001"):
        posting = client.chat_postMessage(channel="C1", text="a", thread_ts=ts)
        assert "thread_not_found" == await error_of(posting)


async def test_the_bot_changes_only_its_own_messages(slack: SlackStandIn, client: AsyncWebClient) -> None:
    """Somebody else's message can be neither reworded nor deleted."""
    ts = await slack.post_as("U1", "C1", "mine")

    assert "cant_update_message" == await error_of(client.chat_update(channel="C1", ts=ts, text="x"))
    assert "cant_delete_message" == await error_of(client.chat_delete(channel="C1", ts=ts))
    assert "message_not_found" == await error_of(client.chat_update(channel="C1", ts="1700000000.000001", text="x"))


async def test_text_limits_differ_between_post_and_update(slack: SlackStandIn, client: AsyncWebClient) -> None:
    """A post is cut at 40,000 characters with a warning; an update is refused over 4,000 bytes."""
    posted = await client.chat_postMessage(channel="C1", text="é" * 40_001)

    assert "message_truncated" == posted["warning"]
    assert 40_000 == len(slack.thread("C1", posted["ts"])[0].text)
    await client.chat_update(channel="C1", ts=posted["ts"], text="é" * 2_000)
    assert "msg_too_long" == await error_of(client.chat_update(channel="C1", ts=posted["ts"], text="é" * 2_000 + "!"))


async def test_a_message_needs_words(slack: SlackStandIn, client: AsyncWebClient) -> None:
    """Nothing to say is refused; blocks without a text pass with a warning."""
    with pytest.warns(UserWarning, match="`text` argument is missing"):
        assert "no_text" == await error_of(client.chat_postMessage(channel="C1", text=" "))
        posted = await client.chat_postMessage(channel="C1", blocks=[section("a")])

    assert ["missing_text_in_message"] == posted["response_metadata"]["warnings"]


async def test_a_scripted_rate_limit_says_when_to_come_back(slack: SlackStandIn, client: AsyncWebClient) -> None:
    """A 429 carries `Retry-After` and nothing is posted; the next call goes through."""
    slack.fail_next("chat.postMessage", status=429, retry_after=7)

    refused = await refusal(client.chat_postMessage(channel="C1", text="a"))

    assert (429, "7") == (refused.response.status_code, refused.response.headers["Retry-After"])
    assert (await client.chat_postMessage(channel="C1", text="a"))["ok"]
    assert [429, 200] == [call.status for call in slack.calls_to("chat.postMessage")]


async def test_one_message_a_second_can_be_enforced() -> None:
    """With the rule on, three messages may come at once, and a fourth within three seconds is turned away."""
    async with SlackStandIn(one_message_a_second=True) as slack:
        slack.add_channel("C1", members=[slack.bot_user_id])
        client = bot_client(slack)
        for text in "abc":
            await client.chat_postMessage(channel="C1", text=text)

        assert "ratelimited" == await error_of(client.chat_postMessage(channel="C1", text="d"))


@pytest.mark.parametrize(("drop", "kept"), [("before", 0), ("after", 1)])
async def test_a_lost_connection_may_hide_an_effect(slack: SlackStandIn, drop: Any, kept: int) -> None:
    """The caller sees the same failure whether or not the message was posted."""
    client = AsyncWebClient(token=slack.app.bot_token, base_url=slack.api_base_url, retry_handlers=[])
    slack.fail_next("chat.postMessage", drop=drop)

    with pytest.raises(aiohttp.ClientError):
        await client.chat_postMessage(channel="C1", text="a")

    assert kept == len(slack.workspace.messages)


async def test_a_server_error_is_not_an_answer(slack: SlackStandIn, client: AsyncWebClient) -> None:
    """A 500 has no JSON body, and nothing happened."""
    slack.fail_next("chat.postMessage", status=500)

    refused = await refusal(client.chat_postMessage(channel="C1", text="a"))

    assert 500 == refused.response.status_code
    assert {} == slack.workspace.messages


async def test_small_methods_answer_in_slacks_shapes(slack: SlackStandIn, client: AsyncWebClient) -> None:
    """Identity, people, links, reactions, status lines and private messages all work."""
    root = await slack.post_as("U1", "C1", "root")
    reply = await slack.post_as("U1", "C1", "reply", thread_ts=root)
    direct = (await client.conversations_open(users="U1"))["channel"]["id"]
    link = await client.chat_getPermalink(channel="C1", message_ts=reply)
    await client.reactions_add(channel="C1", timestamp=root, name="eyes")
    await client.assistant_threads_setStatus(channel_id="C1", thread_ts=root, status="reads…")
    await client.chat_postEphemeral(channel="C1", user="U1", text="only you")

    assert slack.bot_user_id == (await client.auth_test())["user_id"]
    assert "Ada" == (await client.users_info(user="U1"))["user"]["real_name"]
    assert "footnote" == (await client.bots_info(bot="B0BOT"))["bot"]["name"]
    assert slack.open_dm("U1") == direct
    assert link["permalink"].endswith(f"?thread_ts={root}&cid=C1")
    assert "already_reacted" == await error_of(client.reactions_add(channel="C1", timestamp=root, name="eyes"))
    assert ["reads…"] == [status.text for status in slack.statuses]
    assert [("U1", "only you")] == [(m.only_for, m.text) for m in slack.ephemerals]


async def test_the_status_line_ends_with_the_answer(slack: SlackStandIn, client: AsyncWebClient) -> None:
    """A message of the bot in the thread clears the status line there."""
    root = await slack.post_as("U1", "C1", "root")
    await client.assistant_threads_setStatus(channel_id="C1", thread_ts=root, status="reads…")

    await client.chat_postMessage(channel="C1", text="done", thread_ts=root)

    assert ["reads…", ""] == [status.text for status in slack.statuses]
