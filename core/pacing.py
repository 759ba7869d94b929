"""How often a platform lets us speak, and what of that each of several copies of the bot may use."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limit:
    """At most so many calls in any stretch of so many seconds."""

    calls: int
    seconds: float


def share(limit: Limit, copies: int, fewest: int) -> Limit:
    """Return what each of so many copies may use, so that all together keep the limit.

    Where that would be less than the `fewest` calls, each may make these, in a stretch that is longer by as much.
    """
    calls = max(limit.calls // copies, min(fewest, limit.calls))
    return Limit(calls, limit.seconds * max(1.0, calls * copies / limit.calls))
