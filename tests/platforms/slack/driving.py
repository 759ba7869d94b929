"""Ways to drive the stand-in with the real clients, shared by its own tests."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tests.platforms.slack import (
    Patience,
    SlackStandIn,
)

Json = dict[str, Any]
QUICK = Patience(ack_timeout=0.2, retries=3, retry_pause=0.02)


@asynccontextmanager
async def workspace() -> AsyncIterator[SlackStandIn]:
    """Serve a workspace with two people, the bot, and channels it is in and out of."""
    slack = SlackStandIn(patience=QUICK)
    slack.add_user("U1", name="Ada")
    slack.add_user("U2", name="Grace")
    slack.add_channel("C1", members=["U1", "U2", slack.bot_user_id])
    slack.add_channel("C2", members=["U1"])
    async with slack:
        yield slack


def bot_client(slack: SlackStandIn) -> AsyncWebClient:
    """Return the real client with the bot's token."""
    return AsyncWebClient(token=slack.app.bot_token, base_url=slack.api_base_url)


@asynccontextmanager
async def bolt(slack: SlackStandIn, *, catch_all: bool = True) -> AsyncIterator[list[Json]]:
    """Run a Bolt app over Socket Mode; give the bodies of the events it was sent."""
    web_client = bot_client(slack)
    app = AsyncApp(client=web_client, signing_secret=slack.app.signing_secret)
    seen: list[Json] = []

    async def note(body: Json) -> None:
        seen.append(body)

    app.event("app_mention")(note)
    app.message()(note)
    if catch_all:
        app.event({"type": "message", "subtype": "message_changed"})(note)
        app.event({"type": "message", "subtype": "message_deleted"})(note)
        app.event("reaction_added")(note)
    handler = AsyncSocketModeHandler(
        app,
        slack.app.app_token,
        web_client=AsyncWebClient(token=slack.app.app_token, base_url=slack.api_base_url),
        ping_interval=0.2,
    )
    await handler.connect_async()  # type: ignore[no-untyped-call]
    try:
        await slack.socket_connected()
        yield seen
    finally:
        await handler.close_async()  # type: ignore[no-untyped-call]


@asynccontextmanager
async def endpoint(handle: Any) -> AsyncIterator[str]:
    """Serve one HTTP handler; give its URL."""
    server = web.Application()
    server.router.add_post("/slack/events", handle)
    runner = web.AppRunner(server, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events"
    finally:
        await runner.cleanup()


def over_http(app: AsyncApp) -> Any:
    """Return the handler that passes requests to Bolt and its answers back."""

    async def handle(request: web.Request) -> web.Response:
        bolt_request = await to_bolt_request(request)
        return await to_aiohttp_response(await app.async_dispatch(bolt_request))

    return handle


def section(text: str) -> Json:
    """Return a section block in mrkdwn."""
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


def rich(*elements: Json) -> Json:
    """Return a rich_text block of one section."""
    return {
        "type": "rich_text",
        "elements": [{"type": "rich_text_section", "elements": list(elements)}],
    }


def button(**traits: Any) -> Json:
    """Return a button."""
    return {"type": "button", "text": {"type": "plain_text", "text": "Why"}, **traits}


def actions(*elements: Json) -> Json:
    """Return an actions block."""
    return {"type": "actions", "elements": list(elements)}


async def refusal(call: Any) -> SlackApiError:
    """Return the error with which the call is refused."""
    with pytest.raises(SlackApiError) as refused:
        await call
    return refused.value


async def error_of(call: Any) -> str:
    """Return the error code with which the call is refused."""
    return str((await refusal(call)).response["error"])


def plain(text: str) -> Json:
    """Return a plain_text object."""
    return {"type": "plain_text", "text": text}
