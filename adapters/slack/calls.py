"""One call to Slack, once: its answer, or what came of it instead."""

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeVar

import aiohttp
from slack_sdk.errors import SlackApiError

from adapters.slack.refusals import Refusal, code_of, refusal_of, retry_after, status_of
from core.delivery import Later

# HTTP statuses.
TOO_MANY = 429
SERVER_TROUBLE = 500
# Said at times in place of status 429.
BUSY = ("ratelimited", "rate_limited")
# Slack's own trouble, said with status 200; fatal_error says that part of the work may have been done
# (docs.slack.dev/reference/methods/chat.postMessage, errors). A channel is moved for some minutes, and then takes them.
PASSING = (
    *("internal_error", "fatal_error", "service_unavailable", "request_timeout"),
    "external_channel_migrating",
)

# What the operator mends; until then every call is refused.
BARRING = frozenset(
    (
        "invalid_auth",
        "not_authed",
        "account_inactive",
        "token_revoked",
        "token_expired",
        "org_login_required",
        "team_access_not_granted",
        "team_added_to_org",
        "enterprise_is_restricted",
        "ekm_access_denied",
    )
)
# Seconds before the next try of an app whose token or rights must be mended.
BARRED_SECONDS = 60.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Busy:
    """Slack did nothing and asks for a pause of so many seconds; `is_ours`: it was not asked, by our own pace."""

    seconds: float
    is_ours: bool = False


@dataclass(frozen=True, slots=True)
class Barred:
    """Slack did nothing, and will not until somebody has given the app a token or a right."""

    reason: str


class Parked(Exception):
    """The workspace refuses every call for now, so this one was not made; its text says why."""


class Paced(Exception):
    """So much was said lately that this call was not made; it may be in so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Unsent:
    """The call never reached Slack."""

    reason: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """The call may have taken effect, or not."""

    reason: str


Trouble = Busy | Barred | Unsent | Unknown | Refusal


async def once(call: Awaitable[T]) -> T | Trouble:
    """Return the answer to the call, or what came of it instead. Never raises, except when cancelled."""
    try:
        return await call
    except Exception as error:  # noqa: BLE001 - the call is under way, so whatever it is, it has an outcome
        return _trouble(error)


def in_words(trouble: Trouble) -> str:
    """Return what came of a call, for the operator."""
    return f"Slack asks for a pause of {trouble.seconds:.0f} s" if isinstance(trouble, Busy) else trouble.reason


def paused(busy: Busy, *, whole_place: bool = True) -> Later:
    """Return when to try again what was put off; where that was our own pace, there is nothing to tell."""
    reason = "Slack's pace is kept" if busy.is_ours else "Slack asks for a pause"
    return Later(busy.seconds, reason, whole_place=whole_place, expected=busy.is_ours)


def _trouble(error: Exception) -> Trouble:
    if isinstance(error, SlackApiError):
        return _answered(error)
    if isinstance(error, Paced):
        return Busy(error.seconds, is_ours=True)
    if isinstance(error, Parked):
        return Barred(str(error))
    if isinstance(error, aiohttp.ClientConnectorError):
        return Unsent(f"Slack cannot be reached ({type(error).__name__})")
    return Unknown(f"Slack's answer was lost ({type(error).__name__})")


def _answered(error: SlackApiError) -> Trouble:
    code, status = code_of(error), status_of(error)
    if status == TOO_MANY or code in BUSY:
        return Busy(retry_after(error))
    if status >= SERVER_TROUBLE or code is None or code in PASSING:
        return Unknown(f"Slack failed ({code or status})")
    refusal = refusal_of(error)
    return Barred(refusal.reason) if code in BARRING else refusal
