"""The ways in: Socket Mode or HTTP, and the checks that tell a wrong token before anybody asks."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.calls import PASSING, TOO_MANY
from adapters.slack.refusals import code_of, refusal_of, status_of
from core.errors import BotError, ConfigError, DeliveryError

EVENTS_PATH = "/slack/events"
# Seconds.
CONNECT_TIMEOUT = 30.0
_CLOSE_TIMEOUT = 2.0
_PERSONAL = "xoxp-"
_FAILURES = (SlackApiError, aiohttp.ClientError, OSError, ValueError)

_closing_log = logging.getLogger(f"{__name__}.closing")
_closing_log.setLevel(logging.CRITICAL)

BOT_VARIABLE = "SLACK_BOT_TOKEN (OAuth & Permissions, Bot User OAuth Token, begins with xoxb-)"
APP_VARIABLE = "SLACK_APP_TOKEN (Basic Information, App-Level Tokens, scope connections:write, begins with xapp-)"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the bot is in its workspace."""

    team: str
    workspace: str
    user: str
    bot: str
    name: str


async def identify(client: AsyncWebClient) -> Identity:
    """Return who the bot token belongs to. Raises ConfigError when Slack refuses it, DeliveryError when unreachable."""
    try:
        answer = await client.auth_test()
    except _FAILURES as error:
        raise _startup_error(BOT_VARIABLE, error) from None
    if not answer.get("bot_id") and str(client.token).startswith(_PERSONAL):
        raise ConfigError(f"{BOT_VARIABLE} is not a bot's but a person's")
    return Identity(
        team=str(answer.get("team_id", "")),
        workspace=str(answer.get("team", "")),
        user=str(answer.get("user_id", "")),
        bot=str(answer.get("bot_id", "")),
        name=str(answer.get("user", "")),
    )


@asynccontextmanager
async def over_socket(app: AsyncApp, client: AsyncWebClient) -> AsyncIterator[str]:
    """Receive events over Socket Mode while inside; `client` holds the app token. Gives the way in, in words."""
    address = await _socket_address(client)
    handler = AsyncSocketModeHandler(app, client.token, web_client=client)
    handler.client.wss_uri = address
    try:
        await _connect(handler)
        yield "Socket Mode"
    finally:
        await _close(handler)


@asynccontextmanager
async def over_http(app: AsyncApp, host: str, port: int) -> AsyncIterator[str]:
    """Receive events as signed HTTP requests while inside. Gives the way in, in words. Raises ConfigError."""

    async def receive(request: web.Request) -> web.Response:
        return await to_aiohttp_response(await app.async_dispatch(await to_bolt_request(request)))

    server = web.Application()
    server.router.add_post(EVENTS_PATH, receive)
    runner = web.AppRunner(server, access_log=None, shutdown_timeout=_CLOSE_TIMEOUT)
    await runner.setup()
    try:
        await _listen(runner, host, port)
        yield f"HTTP on {host}:{runner.addresses[0][1]}{EVENTS_PATH}"
    finally:
        await runner.cleanup()


async def _socket_address(client: AsyncWebClient) -> str:
    try:
        answer = await client.apps_connections_open(app_token=client.token or "")
    except _FAILURES as error:
        raise _startup_error(APP_VARIABLE, error) from None
    return str(answer["url"])


async def _connect(handler: AsyncSocketModeHandler) -> None:
    try:
        async with asyncio.timeout(CONNECT_TIMEOUT):
            await handler.connect_async()  # type: ignore[no-untyped-call]
    except TimeoutError:
        raise DeliveryError("Slack's Socket Mode cannot be reached", retry=True) from None


async def _listen(runner: web.AppRunner, host: str, port: int) -> None:
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ConfigError(f"SLACK_HTTP_HOST, SLACK_HTTP_PORT: cannot listen on {host}:{port} ({reason})") from None


async def _close(handler: AsyncSocketModeHandler) -> None:
    """Close the socket and wait for the client's tasks, which it only asks to stop."""
    client: Any = handler.client
    # An event that can no longer be acknowledged comes again after the next start; it would be told with a traceback.
    client.logger = _closing_log
    await handler.close_async()  # type: ignore[no-untyped-call]
    tasks = (client.message_processor, client.current_session_monitor, client.message_receiver)
    await asyncio.gather(*(task for task in tasks if task is not None), return_exceptions=True)


def _startup_error(variable: str, error: Exception) -> BotError:
    """Return the error that tells the operator what to do."""
    if isinstance(error, ValueError):
        return ConfigError(f"{variable} holds characters that no token has: copy it again")
    if not isinstance(error, SlackApiError):
        return DeliveryError(f"Slack cannot be reached ({type(error).__name__})", retry=True)
    if status_of(error) >= TOO_MANY or code_of(error) in (None, "ratelimited", *PASSING):
        return DeliveryError(f"Slack cannot answer now ({code_of(error) or status_of(error)})", retry=True)
    return ConfigError(f"{variable}: {refusal_of(error).reason}")
