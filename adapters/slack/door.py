"""The HTTP door: what is no request of Slack's own stays outside before anything in it is read."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_bolt_request
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.request.payload_utils import to_action
from slack_sdk.signature import SignatureVerifier

# An edit of a message of 40,000 characters tells both wordings, each as text and as blocks, with up to twelve bytes
# for a character (two \uXXXX); aiohttp's own limit is 1 MiB.
EVENT_BYTES = 4 * 1024**2
# Seconds in which a request must have come whole: Slack itself gives an event up after three.
BODY_SECONDS = 10.0
# docs.slack.dev: events are JSON, commands and presses are forms.
_TYPES = ("application/json", "application/x-www-form-urlencoded")
# Seconds for which Slack's signature is good (docs.slack.dev/authentication/verifying-requests-from-slack), both ways.
_FRESH = 600.0
_MOST_ANSWERED = 50_000

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Door:
    """Lets Slack's own requests in, signed with the secret, each once."""

    def __init__(self, signing_secret: str) -> None:
        self._verifier = SignatureVerifier(signing_secret)
        self._answered: dict[str, float] = {}

    async def read(self, request: web.Request) -> AsyncBoltRequest | int:
        """Return the request, or the status that it is sent away with; 200 when the very same was answered before."""
        if request.content_type not in _TYPES:
            return web.HTTPUnsupportedMediaType.status_code
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await request.read()
        except TimeoutError:
            return web.HTTPRequestTimeout.status_code
        if not self._is_signed(request, body):
            return web.HTTPUnauthorized.status_code
        if _proof(request) in self._answered:
            return web.HTTPOk.status_code
        return await _parsed(request)

    def answered(self, request: web.Request) -> None:
        """Note that a request was answered: Slack signs each try anew, so who brings this one again is not Slack."""
        now = time.monotonic()
        self._answered[_proof(request)] = now
        while self._answered:
            oldest = next(iter(self._answered))
            if now - self._answered[oldest] < _FRESH and len(self._answered) <= _MOST_ANSWERED:
                return
            del self._answered[oldest]

    def _is_signed(self, request: web.Request, body: bytes) -> bool:
        try:
            return self._verifier.is_valid_request(body, dict(request.headers))
        except (ValueError, TypeError, OverflowError):  # a time or a signature that is none
            return False


@web.middleware
async def nothing_else(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer 404 to whatever is not served, by any method."""
    try:
        return await handler(request)
    except (web.HTTPNotFound, web.HTTPMethodNotAllowed):
        return web.Response(status=web.HTTPNotFound.status_code)


def _proof(request: web.Request) -> str:
    return request.headers.get("X-Slack-Signature", "")


async def _parsed(request: web.Request) -> AsyncBoltRequest | int:
    try:
        asked = await to_bolt_request(request)
        to_action(asked.body)
    except Exception:  # noqa: BLE001 - Bolt looks into fields whose form it takes for granted
        return web.HTTPBadRequest.status_code
    return asked
