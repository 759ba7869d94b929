"""Scripted failures and the optional flood limit."""

from __future__ import annotations

import time
from collections import defaultdict, deque
from dataclasses import dataclass, field
from typing import Literal

from .errors import Refusal, describe, too_many_requests

Drop = Literal["before", "after"]

GROUP_WINDOW = 60.0
GROUP_LIMIT = 20
CHAT_INTERVAL = 1.0
LIMITED_METHODS = frozenset({"sendmessage", "editmessagetext", "editmessagereplymarkup"})


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one call.

    `drop` closes the connection before or after the effect; `delay` holds back the answer of a
    call that did take effect, so that the caller times out.
    """

    refusal: Refusal | None = None
    drop: Drop | None = None
    delay: float = 0.0


NO_FAULT = Fault()


def plan_fault(
    *,
    status: int | None = None,
    description: str | None = None,
    retry_after: int | None = None,
    drop: Drop | None = None,
    delay: float = 0.0,
) -> Fault:
    """Return the fault that the arguments of `fail_next` describe."""
    if retry_after is not None:
        return Fault(too_many_requests(retry_after))
    if status is None:
        return Fault(drop=drop, delay=delay)
    return Fault(Refusal(status, description or describe(status)), drop, delay)


@dataclass
class Faults:
    """Failures in store for each method; each one strikes once."""

    _planned: dict[str, deque[Fault]] = field(default_factory=lambda: defaultdict(deque))

    def add(self, method: str, fault: Fault, times: int) -> None:
        """Let the next `times` calls of the method fail."""
        self._planned[method.lower()].extend([fault] * times)

    def take(self, method: str) -> Fault:
        """Return what goes wrong with this call."""
        planned = self._planned[method.lower()]
        return planned.popleft() if planned else NO_FAULT


@dataclass
class FloodLimit:
    """One message a second for each chat, twenty a minute for each group."""

    _sent: dict[str, deque[float]] = field(default_factory=lambda: defaultdict(deque))

    def check(self, method: str, chat_id: str) -> None:
        """Count the call, or refuse it with the seconds to wait."""
        if method.lower() not in LIMITED_METHODS:
            return
        sent, moment = self._sent[chat_id], time.monotonic()
        while sent and moment - sent[0] > GROUP_WINDOW:
            sent.popleft()
        if sent and moment - sent[-1] < CHAT_INTERVAL:
            raise too_many_requests(1)
        if chat_id.startswith("-") and len(sent) >= GROUP_LIMIT:
            raise too_many_requests(max(1, round(GROUP_WINDOW - (moment - sent[0]))))
        sent.append(moment)
