"""Slack as a platform: connects, takes events, and stops without losing what is under way."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.connect import Identity, identify, over_http, over_socket
from adapters.slack.desk import Desk
from adapters.slack.send import describe
from core.errors import ConfigError
from core.ports import Answerer

# Seconds that one call to Slack may take, and that answers under way get when the bot is stopped.
CALL_TIMEOUT = 30.0
GRACE = 5.0
# app_rate_limited is told by HTTP in place of the events that it withholds.
_EVENTS = ("event_callback", "app_rate_limited")

_log = logging.getLogger(__name__)
# The libraries log whole requests, with people's words in them; only their errors are wanted.
_vendor_log = logging.getLogger(f"{__name__}.vendor")
_vendor_log.setLevel(logging.ERROR)


@dataclass(frozen=True, slots=True)
class SlackSettings:
    """What Slack needs: the app token for Socket Mode, or else the signing secret for HTTP."""

    bot_token: str = field(repr=False)
    app_token: str | None = field(default=None, repr=False)
    signing_secret: str | None = field(default=None, repr=False)
    http_host: str = "127.0.0.1"
    http_port: int = 3000
    api_base_url: str | None = None
    max_parallel: int = 8


class SlackPlatform:
    """The port `Platform` for one Slack workspace."""

    name: str = "slack"

    def __init__(self, settings: SlackSettings) -> None:
        self._settings = settings

    async def run(self, answerer: Answerer, ready: Callable[[str], Awaitable[None]]) -> None:
        """Serve until cancelled; then answers under way get a few seconds.

        Raises ConfigError when a token is wrong, and DeliveryError when Slack cannot be reached at the start.
        """
        timeout = aiohttp.ClientTimeout(total=CALL_TIMEOUT)
        async with aiohttp.ClientSession(timeout=timeout) as session:
            client = self._client(self._settings.bot_token, session)
            me = await identify(client)
            desk = Desk(me.user, client, answerer, self._settings.max_parallel)
            try:
                async with self._way_in(make_app(me, desk, self._settings), session) as way:
                    await ready(f"Slack: connected as @{me.name} in {me.workspace} ({way})")
                    await asyncio.Event().wait()
            finally:
                await desk.finish(GRACE)

    def _way_in(self, app: AsyncApp, session: aiohttp.ClientSession) -> AbstractAsyncContextManager[str]:
        if self._settings.app_token:
            return over_socket(app, self._client(self._settings.app_token, session))
        if self._settings.signing_secret:
            return over_http(app, self._settings.http_host, self._settings.http_port)
        raise ConfigError("Slack has no way in: set SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP)")

    def _client(self, token: str, session: aiohttp.ClientSession) -> AsyncWebClient:
        """Return a client that repeats nothing by itself: the library's default would post a message twice."""
        base_url = self._settings.api_base_url or AsyncWebClient.BASE_URL
        return AsyncWebClient(token, base_url, session=session, logger=_vendor_log, retry_handlers=[])


def make_app(me: Identity, desk: Desk, settings: SlackSettings) -> AsyncApp:
    """Return the Bolt app that gives each event to the desk before it acknowledges it."""

    async def known() -> AuthorizeResult:
        return AuthorizeResult(enterprise_id=None, team_id=me.team, bot_user_id=me.user, bot_id=me.bot)

    async def take(body: dict[str, Any], next_: Callable[[], Awaitable[BoltResponse]]) -> BoltResponse:
        if body.get("type") not in _EVENTS:
            return await next_()
        try:
            await desk.take(body)
        except Exception as error:  # noqa: BLE001 - whatever it is, Slack sends the event again
            _log.error("An event was not recorded, so Slack is left to send it again: %s", describe(error))
            return BoltResponse(status=500, body="")
        return BoltResponse(status=200, body="")

    # With a token, Bolt would ask Slack who it is at the first event, and acknowledge that event unread if this fails.
    client = AsyncWebClient(base_url=settings.api_base_url or AsyncWebClient.BASE_URL, logger=_vendor_log)
    secret = settings.signing_secret or ""
    app = AsyncApp(client=client, authorize=known, signing_secret=secret, logger=_vendor_log)
    app.use(take)
    return app
