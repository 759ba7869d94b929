"""What several copies of the bot say, counted in memory by one clock."""

from collections import defaultdict
from collections.abc import Callable, Sequence

from core.pacing import Limit


class TallyInMemory:
    """The port `Tally`, exact to the moment.

    `away` stands for a database that does not answer; `asked` tells how often it was asked.
    """

    def __init__(self, elapsed: Callable[[], float]) -> None:
        self.away = False
        self.asked = 0
        self._elapsed = elapsed
        self._made: dict[str, list[float]] = defaultdict(list)

    async def take(self, name: str, limits: Sequence[Limit]) -> float:
        """Count one call and return 0, or count nothing and return the seconds until it may be made."""
        self.asked += 1
        if self.away:
            return 1.0
        now, made = self._elapsed(), self._made[name]
        full = [made[-limit.calls] + limit.seconds - now for limit in limits if len(made) >= limit.calls]
        wait = max(full, default=0.0)
        if wait > 0:
            return wait
        made.append(now)
        return 0.0
