"""How often a platform lets us speak, counted for all copies of the bot together or kept to as one's share of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Limit:
    """At most so many calls in any stretch of so many seconds."""

    calls: int
    seconds: float


class Tally(Protocol):
    """Counts what all copies of the bot say. Never raises PortError: where it cannot count, nobody is to speak."""

    async def take(self, name: str, limits: Sequence[Limit]) -> float:
        """Count one call and return 0, or count nothing and return the seconds until it may be made."""


def share(limit: Limit, copies: int, fewest: int) -> Limit:
    """Return what each of so many copies may use, so that all together keep the limit.

    Where that would be less than the `fewest` calls, each may make these, in a stretch that is longer by as much.
    """
    calls = max(limit.calls // copies, min(fewest, limit.calls))
    return Limit(calls, limit.seconds * max(1.0, calls * copies / limit.calls))
