"""Slack as a platform: what people do there comes in, and messages are shown there."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial

import aiohttp
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack import send
from adapters.slack.buttons import after
from adapters.slack.commands import whisper
from adapters.slack.connect import Identity, identify
from adapters.slack.intake import make_app, vendor_log
from adapters.slack.parts import parts_of, with_button
from adapters.slack.ways import Way, over_http, over_socket
from core.conversation import PlatformName, Question
from core.delivery import Body, Health, Later, Outcome, Outgoing, Part, Seen
from core.errors import ConfigError
from core.ports import Intake
from core.reply import RenderedReply

# Seconds that one call to Slack may take.
CALL_TIMEOUT = 30.0

_NOT_CONNECTED = Later(1.0, "Slack is not connected", whole_place=True)


@dataclass(frozen=True, slots=True)
class SlackSettings:
    """What Slack needs: the app token for Socket Mode, or else the signing secret for HTTP."""

    bot_token: str = field(repr=False)
    app_token: str | None = field(default=None, repr=False)
    signing_secret: str | None = field(default=None, repr=False)
    http_host: str = "127.0.0.1"
    http_port: int = 3000
    api_base_url: str | None = None


@dataclass(frozen=True, slots=True)
class _Line:
    """An open connection, and who we are on it."""

    session: aiohttp.ClientSession
    client: AsyncWebClient
    me: Identity


class SlackPlatform:
    """The port `Platform` for one Slack workspace."""

    name: PlatformName = "slack"
    # The sign is an ordinary message, which chat.update turns into the answer.
    shows_sign: bool = True
    # Slack gives each event to one of the connected sockets, so several copies share the work.
    alone: bool = False

    def __init__(self, settings: SlackSettings) -> None:
        self._settings = settings
        self._line: _Line | None = None
        self._way: Way | None = None

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """Hold the connection over which messages are shown while inside; an inner one is the same connection.

        Raises ConfigError when the bot token is wrong, and DeliveryError when Slack cannot be reached.
        """
        if self._line:
            yield
            return
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=CALL_TIMEOUT)) as session:
            client = self._client(self._settings.bot_token, session)
            self._line = _Line(session, client, await identify(client))
            try:
                yield
            finally:
                self._line = None

    async def run(self, intake: Intake, ready: Callable[[str], Awaitable[None]]) -> None:
        """Bring in what people do until cancelled; `ready` is told once, in words, when it begins.

        Raises ConfigError when a token is wrong or the port is taken, and DeliveryError when Slack cannot be reached.
        """
        async with self.connected():
            assert self._line
            me = self._line.me
            tell = partial(whisper, self._line.client)
            app = make_app(me.user, intake, self._settings.signing_secret or "", tell)
            async with self._way_in(app, self._line.session) as way:
                self._way = way
                try:
                    await ready(f"Slack: connected as @{me.name} in {me.workspace} ({way.words})")
                    await asyncio.Event().wait()
                finally:
                    self._way = None

    def parts(self, reply: RenderedReply) -> tuple[Part, ...]:
        """Return the reply in Slack's messages, the answer's first; none when there is nothing to see in it."""
        return parts_of(reply)

    def button(self, text: str, button: str, label: str) -> Body:
        """Return a message of one sentence with one button, whose press brings `button`."""
        return with_button(text, button, label)

    def after(self, body: Body, button: str) -> Body:
        """Return a message once a button of it was pressed: others of its kind are gone, and a choice is named."""
        return after(body, button)

    def working(self, question: Question) -> AbstractAsyncContextManager[None]:
        """Return nothing to be seen: the sign is a message."""
        del question
        return nullcontext()

    async def show(self, message: Outgoing) -> Outcome:
        """Post, change or remove the message, in one attempt; `Later` when not connected. Never raises PortError."""
        return await send.show(self._line.client, message) if self._line else _NOT_CONNECTED

    async def find(self, message: Outgoing) -> Seen:
        """Return whether a message of doubtful fate stands in its thread."""
        return await send.find(self._line.client, message) if self._line else _NOT_CONNECTED

    def health(self) -> Health:
        """Return whether events reach us."""
        return self._way.health() if self._way else Health(alive=False, words="not running")

    def _way_in(self, app: AsyncApp, session: aiohttp.ClientSession) -> AbstractAsyncContextManager[Way]:
        if self._settings.app_token:
            return over_socket(app, self._client(self._settings.app_token, session))
        if self._settings.signing_secret:
            return over_http(app, self._settings.http_host, self._settings.http_port)
        raise ConfigError("Slack has no way in: set SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP)")

    def _client(self, token: str, session: aiohttp.ClientSession) -> AsyncWebClient:
        """Return a client that repeats nothing by itself: the library's default would post a message twice."""
        base_url = self._settings.api_base_url or AsyncWebClient.BASE_URL
        return AsyncWebClient(token, base_url, session=session, logger=vendor_log, retry_handlers=[])
