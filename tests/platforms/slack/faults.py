"""Failures scripted by a test: the next calls of a method go wrong in a chosen way."""

import asyncio
from collections import defaultdict, deque
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Fault:
    """One failure.

    With `drop="before"` the connection closes and nothing happens; with `drop="after"` the call
    takes effect and its answer is lost. `delay` holds back the answer after the effect.
    """

    status: int | None = None
    error: str | None = None
    retry_after: int | None = None
    drop: Literal["before", "after"] | None = None
    delay: float = 0.0

    @property
    def prevents_effect(self) -> bool:
        """Tell whether the call is turned down before it does anything."""
        return self.drop == "before" or self.status is not None or self.error is not None

    async def hold(self) -> None:
        """Wait as long as the answer is held back."""
        await asyncio.sleep(self.delay)


@dataclass
class Faults:
    """The failures to come, for each method in the order in which they were scripted."""

    _queues: dict[str, deque[Fault]] = field(default_factory=lambda: defaultdict(deque))
    _closed: dict[tuple[str, str], Fault] = field(default_factory=dict)

    def add(self, method: str, fault: Fault, times: int) -> None:
        """Let the next `times` calls of the method fail."""
        self._queues[method].extend([fault] * times)

    def close(self, method: str, channel: str, fault: Fault) -> None:
        """Let every call of the method for the channel fail."""
        self._closed[method, channel] = fault

    def clear(self, method: str) -> None:
        """Let nothing more go wrong with the method."""
        self._queues.pop(method, None)
        self._closed = {key: fault for key, fault in self._closed.items() if key[0] != method}

    def take(self, method: str, channel: object = None) -> Fault:
        """Return the failure for this call; by default one that changes nothing."""
        queue = self._queues[method]
        return queue.popleft() if queue else self._closed.get((method, str(channel)), Fault())
