"""The WebSocket side: hello, envelopes, acknowledgements, redelivery, disconnects."""

import asyncio
import json
import secrets
from contextlib import suppress
from dataclasses import dataclass, field

from aiohttp import WSMsgType, web

from tests.platforms.slack.deliveries import Delivery, Patience, retry_reason
from tests.platforms.slack.models import App, Json

MOST_SOCKETS = 10


@dataclass(eq=False)
class Link:
    """One open WebSocket and the connection under it."""

    socket: web.WebSocketResponse
    transport: asyncio.Transport | None

    async def send(self, message: Json) -> None:
        """Send a message; a connection that has just gone swallows it, as networks do."""
        with suppress(ConnectionError):
            await self.socket.send_json(message)


@dataclass
class SocketMode:
    """The open sockets of the app; each delivery goes to one of them, in turn."""

    app: App
    patience: Patience
    violations: list[str]
    muted: bool = False
    _links: list[Link] = field(default_factory=list)
    _tickets: set[str] = field(default_factory=set)
    _waiting: dict[str, tuple[Delivery, asyncio.Event]] = field(default_factory=dict)
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    opened: int = 0

    def new_path(self) -> str:
        """Return a path that one WebSocket may connect to, once."""
        ticket = secrets.token_hex(8)
        self._tickets.add(ticket)
        return f"/link/?ticket={ticket}&app_id={self.app.app_id}"

    async def connect(self, request: web.Request) -> web.StreamResponse:
        """Serve one WebSocket until either side closes it."""
        ticket = request.query.get("ticket", "")
        if ticket not in self._tickets:
            return web.Response(status=404, text="unknown ticket")
        self._tickets.remove(ticket)
        socket = web.WebSocketResponse(autoping=False)
        await socket.prepare(request)
        await self._serve(Link(socket, request.transport))
        return socket

    async def _serve(self, link: Link) -> None:
        if len(self._links) >= MOST_SOCKETS:
            await link.send({"type": "disconnect", "reason": "too_many_websockets"})
            await link.socket.close()
            return
        try:
            await link.send(self._hello())
            await self._join(link)
            await self._listen(link.socket)
        finally:
            self._leave(link)

    def _hello(self) -> Json:
        return {
            "type": "hello",
            "num_connections": len(self._links) + 1,
            "debug_info": {"host": "applink-test", "approximate_connection_time": 3600},
            "connection_info": {"app_id": self.app.app_id},
        }

    async def _join(self, link: Link) -> None:
        async with self._changed:
            self._links.append(link)
            self.opened += 1
            self._changed.notify_all()

    def _leave(self, link: Link) -> None:
        if link in self._links:
            self._links.remove(link)

    async def _listen(self, socket: web.WebSocketResponse) -> None:
        while not socket.closed:
            message = await socket.receive()
            if message.type is WSMsgType.PING and not self.muted:
                await socket.pong(message.data)
            elif message.type is WSMsgType.TEXT:
                self._acknowledge(message.data)
            elif message.type not in (WSMsgType.PING, WSMsgType.PONG):
                return

    def _acknowledge(self, text: str) -> None:
        answer = _parsed(text)
        envelope_id = answer.get("envelope_id")
        delivery, acked = self._waiting.pop(str(envelope_id), (None, None))
        if delivery is None or acked is None:
            self.violations.append(f"acknowledged an unknown or late envelope: {text}")
            return
        if answer.get("payload") and delivery.kind == "events_api":
            self.violations.append(f"answered an event with a payload: {text}")
        delivery.accept(answer.get("payload"))
        acked.set()

    async def deliver(self, delivery: Delivery) -> None:
        """Hand the delivery over, again and again until it is acknowledged or given up."""
        tries = 1 + (self.patience.retries if delivery.is_retried else 0)
        for number in range(tries):
            if number:
                delivery.retry_num += 1
                await asyncio.sleep(self.patience.retry_pause)
            await self._attempt(delivery)
            if delivery.acked:
                return

    async def _attempt(self, delivery: Delivery) -> None:
        link = await self._next_link()
        envelope = _envelope(delivery)
        acked = asyncio.Event()
        self._waiting[envelope["envelope_id"]] = (delivery, acked)
        delivery.envelope_ids.append(envelope["envelope_id"])
        try:
            if not self.muted:
                await link.send(envelope)
            await asyncio.wait_for(acked.wait(), self.patience.ack_timeout)
            delivery.statuses.append(200)
        except TimeoutError:
            delivery.statuses.append("timeout")
        finally:
            self._waiting.pop(envelope["envelope_id"], None)

    async def _next_link(self) -> Link:
        await self.connected()
        link = self._links.pop(0)
        self._links.append(link)
        return link

    async def connected(self, count: int = 1) -> None:
        """Wait until at least `count` sockets are open."""
        async with self._changed:
            await self._changed.wait_for(lambda: len(self._links) >= count)

    async def disconnect(self, reason: str) -> None:
        """Ask every socket to reconnect; nothing more is sent to the old ones."""
        leaving, self._links[:] = list(self._links), []
        for link in leaving:
            debug_info = {"host": "applink-test"}
            await link.send({"type": "disconnect", "reason": reason, "debug_info": debug_info})

    def drop(self) -> None:
        """Cut every connection without a word."""
        leaving, self._links[:] = list(self._links), []
        for link in leaving:
            if link.transport is not None:
                link.transport.abort()

    async def close(self) -> None:
        """Close every socket."""
        for link in list(self._links):
            await link.socket.close(code=1001)


def _envelope(delivery: Delivery) -> Json:
    envelope: Json = {
        "envelope_id": secrets.token_hex(16),
        "type": delivery.kind,
        "payload": delivery.payload,
        "accepts_response_payload": delivery.kind != "events_api",
    }
    if delivery.kind == "events_api":
        reason = retry_reason(delivery) if delivery.retry_num else ""
        envelope |= {"retry_attempt": delivery.retry_num, "retry_reason": reason}
    return envelope


def _parsed(text: str) -> Json:
    try:
        answer = json.loads(text)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}
