"""Calls to Slack that get through rate limits, failing servers and lost connections."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import aiohttp
from slack_sdk.errors import SlackApiError

from adapters.slack.refusals import code_of, refusal_of, retry_after, status_of
from core.errors import DeliveryError

# How long one call is told to wait, all in all, before it is given up: messages are limited to about one a second in
# a channel (docs.slack.dev/apis/web-api/rate-limits), so a minute is sixty answers waiting in one channel.
PATIENCE = 60.0
# Before each further attempt after a failure.
PAUSES = (0.5, 1.0, 2.0)
# HTTP statuses.
TOO_MANY = 429
SERVER_TROUBLE = 500
# Slack's own trouble, said with status 200.
PASSING = ("internal_error", "fatal_error", "service_unavailable", "request_timeout")
_FAILURES = (SlackApiError, aiohttp.ClientError, TimeoutError, OSError)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Busy:
    seconds: float


@dataclass(frozen=True, slots=True)
class _Lost:
    """No usable answer; `was_sent`: the call may have taken effect."""

    was_sent: bool


async def persist(send: Callable[[], Awaitable[T]], look: Callable[[], Awaitable[T | None]] | None = None) -> T:
    """Return the result of the call, tried again as long as that may help. Raises DeliveryError.

    `look` finds what a call of unknown outcome has done; without it the call must be one that may be repeated.
    """
    patience, pauses = PATIENCE, iter(PAUSES)
    while True:
        try:
            return await send()
        except _FAILURES as error:
            trouble = _trouble(error)
        if isinstance(trouble, _Busy):
            patience -= trouble.seconds
            if patience < 0:
                raise DeliveryError("Slack is too busy to take the message", retry=True)
            await asyncio.sleep(trouble.seconds)
            continue
        pause = next(pauses, None)
        await asyncio.sleep(pause or 0.0)
        if look and trouble.was_sent and (found := await look()) is not None:
            return found
        if pause is None:
            raise DeliveryError("Slack cannot be reached or does not answer", retry=True)


def _trouble(error: Exception) -> _Busy | _Lost:
    """Return what to do about a failure. Raises Refusal when nothing can be done."""
    if isinstance(error, SlackApiError):
        if status_of(error) == TOO_MANY or code_of(error) in ("ratelimited", "rate_limited"):
            return _Busy(retry_after(error))
        if status_of(error) >= SERVER_TROUBLE or code_of(error) is None or code_of(error) in PASSING:
            return _Lost(was_sent=True)
        raise refusal_of(error) from None
    return _Lost(was_sent=not isinstance(error, aiohttp.ClientConnectorError))
