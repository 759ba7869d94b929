"""The ways in, Socket Mode or HTTP, and whether anything still comes through them."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import aiohttp
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.request.payload_utils import (
    to_action,
    to_command,
    to_event,
    to_message,
    to_options,
    to_shortcut,
    to_view,
)
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.connect import socket_address
from adapters.slack.door import EVENT_BYTES, Door, Handler, nothing_else
from core.delivery import Health
from core.errors import ConfigError, DeliveryError

EVENTS_PATH = "/slack/events"
# Seconds between two pings over the socket, and pings unanswered after which nothing is taken to arrive any more.
PING_INTERVAL = 10.0
MISSED_PINGS = 3
# Seconds.
CONNECT_TIMEOUT = 30.0
_CLOSE_TIMEOUT = 2.0
_NO_PAGES: Mapping[str, Handler] = MappingProxyType({})

_log = logging.getLogger(__name__)
_closing_log = logging.getLogger(f"{__name__}.closing")
_closing_log.setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class Way:
    """An open way in, in words, and whether anything comes through it."""

    words: str
    health: Callable[[], Health]


@asynccontextmanager
async def over_socket(app: AsyncApp, client: AsyncWebClient) -> AsyncIterator[Way]:
    """Receive events over Socket Mode while inside; `client` holds the app token.

    Raises ConfigError when the token is refused, DeliveryError when Slack cannot be reached.
    """
    address = await socket_address(client)
    handler = _Socket(app, client)
    handler.client.wss_uri = address
    try:
        await handler.open()
        yield Way("Socket Mode", handler.health)
    finally:
        await handler.shut()


@asynccontextmanager
async def over_http(
    app: AsyncApp, door: Door, address: tuple[str, int], pages: Mapping[str, Handler] = _NO_PAGES
) -> AsyncIterator[Way]:
    """Receive events as signed HTTP requests while inside, and show the pages by their paths; all else is 404.

    Raises ConfigError when the port cannot be had.
    """
    heard: list[float] = []

    async def receive(request: web.Request) -> web.Response:
        asked = await door.read(request)
        if isinstance(asked, int):
            return web.Response(status=asked)
        heard[:] = [time.monotonic()]
        answer = await app.async_dispatch(asked)
        if answer.status == web.HTTPOk.status_code:
            door.answered(request)
        return await to_aiohttp_response(answer)

    def health() -> Health:
        if not heard:
            return Health(alive=True, words="HTTP, no event yet")
        silent = time.monotonic() - heard[0]
        return Health(alive=True, words=f"HTTP, last event {silent:.0f} s ago", silent=silent)

    server = web.Application(client_max_size=EVENT_BYTES, middlewares=[nothing_else])
    server.router.add_post(EVENTS_PATH, receive)
    for path, page in pages.items():
        server.router.add_get(path, page)
    runner = web.AppRunner(server, access_log=None, shutdown_timeout=_CLOSE_TIMEOUT)
    await runner.setup()
    try:
        await _listen(runner, *address)
        yield Way(f"HTTP on {address[0]}:{runner.addresses[0][1]}{EVENTS_PATH}", health)
    finally:
        await runner.cleanup()


class _Socket(AsyncSocketModeHandler):
    """Bolt's handler, which besides notes when Slack was last heard and acknowledges what cannot be read."""

    def __init__(self, app: AsyncApp, client: AsyncWebClient) -> None:
        super().__init__(app, client.token, web_client=client, ping_interval=PING_INTERVAL)
        self._heard: float | None = None
        # The client keeps the time of day of its latest answered ping: how old one is goes by that only when it is new.
        self._answered: float | None = None
        self.client.on_message_listeners.append(self._note)

    async def handle(self, client: SocketModeClient, req: SocketModeRequest) -> None:  # type: ignore[override]
        """Take an envelope; sending again what has no form that Bolt knows would be of no use."""
        try:
            if _is_readable(req.payload):
                await super().handle(client, req)
            else:
                await client.send_socket_mode_response(SocketModeResponse(envelope_id=req.envelope_id))
        except (ConnectionError, aiohttp.ClientError) as error:
            _log.info("An event could not be acknowledged and comes again (%s)", type(error).__name__)

    async def open(self) -> None:
        """Connect. Raises DeliveryError."""
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT):
                await self.connect_async()  # type: ignore[no-untyped-call]
        except TimeoutError:
            raise DeliveryError("Slack's Socket Mode cannot be reached", retry=True) from None
        self._heard = time.monotonic()

    async def shut(self) -> None:
        """Close the socket and wait for the client's tasks, which it only asks to stop."""
        client: Any = self.client
        # An event that can no longer be acknowledged comes again after the next start; the log would show a traceback.
        client.logger = _closing_log
        await self.close_async()  # type: ignore[no-untyped-call]
        tasks = (client.message_processor, client.current_session_monitor, client.message_receiver)
        await asyncio.gather(*(task for task in tasks if task is not None), return_exceptions=True)

    def health(self) -> Health:
        """Return whether the socket is connected and Slack was heard within a few pings."""
        session = self.client.current_session
        is_open = session is not None and not session.closed
        silent = self._silence()
        alive = is_open and silent is not None and silent <= MISSED_PINGS * PING_INTERVAL
        words = "Socket Mode" if is_open else "Socket Mode, not connected"
        return Health(alive, words if silent is None else f"{words}, last sign of life {silent:.0f} s ago", silent)

    def _silence(self) -> float | None:
        now, answered = time.monotonic(), self.client.last_ping_pong_time
        if answered and answered != self._answered:
            self._answered = answered
            self._heard = max(self._heard or 0.0, now - max(0.0, time.time() - answered))
        return None if self._heard is None else now - self._heard

    async def _note(self, _: object) -> None:
        self._heard = time.monotonic()


def _is_readable(body: dict[str, Any]) -> bool:
    try:
        request = AsyncBoltRequest(mode="socket_mode", body=body)
        for read in (to_action, to_command, to_event, to_message, to_options, to_shortcut, to_view):
            read(request.body)
    except Exception:  # noqa: BLE001 - Bolt looks into fields whose form it takes for granted
        return False
    return True


async def _listen(runner: web.AppRunner, host: str, port: int) -> None:
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ConfigError(f"SLACK_HTTP_HOST, SLACK_HTTP_PORT: cannot listen on {host}:{port} ({reason})") from None
