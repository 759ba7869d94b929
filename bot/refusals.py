"""Since when each message is refused, and for how long it is tried again."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta

from core.work import Claim, Place

# What a platform has refused for so long is not tried any more: a button offers it. A process that was down meanwhile
# has not tried, so it counts from the first refusal that this one met.
GIVE_UP = timedelta(hours=24)
# The same where others were shown there meanwhile: it is this message that fails, and its thread must not wait a day.
GIVE_UP_ALONE = timedelta(minutes=20)


@dataclass(slots=True)
class _Refusal:
    """A version of a message, since when on the loop's clock it is refused, and whether others were shown there."""

    place: Place
    version: int
    since: float
    alone: bool = False


class Refusals:
    """The messages that this process has seen refused, by their numbers."""

    def __init__(self) -> None:
        self._known: dict[int, _Refusal] = {}

    def shown_in(self, place: Place) -> None:
        """Note that something was shown in a place: what is refused there is refused for itself."""
        for refusal in self._known.values():
            refusal.alone |= refusal.place == place

    def too_long(self, place: Place, claim: Claim) -> str | None:
        """Note that a message is refused in a place; return for how long it was, in words, if that is too long."""
        now, id_ = asyncio.get_running_loop().time(), claim.outgoing.id
        refusal = self._known.get(id_)
        if refusal is None or refusal.version != claim.version:
            refusal = self._known[id_] = _Refusal(place, claim.version, now)
        limit = GIVE_UP_ALONE if refusal.alone else GIVE_UP
        return str(limit) if now - refusal.since >= limit.total_seconds() else None

    def forget(self, claim: Claim) -> None:
        """Forget a message that is refused no more, or not tried any more."""
        self._known.pop(claim.outgoing.id, None)
