"""How often we may speak: never more than Telegram takes in any stretch of time, counted before each call."""

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limit:
    """At most so many calls in any stretch of so many seconds."""

    calls: int
    seconds: float


# core.telegram.org/bots/faq, "My bot is hitting limits": one a second in a chat with short bursts, 20 a minute in a
# group, 30 a second in all. Edits and deletions spend the same budgets as messages.
PRIVATE = (Limit(3, 3.0),)
GROUP = (Limit(20, 60.0), Limit(3, 1.0))
EVERYWHERE = (Limit(30, 1.0),)

# Longer than the longest stretch, so a chat that is silent as long has nothing left to count.
IDLE_SECONDS = 61.0
# Calls reach Telegram a little closer together than they leave us.
MARGIN = 0.05
MOST_PENALTIES = 10_000


class Pace:
    """Counts the calls to each chat, and to all; `elapsed` gives seconds on a clock that never goes back."""

    def __init__(self, elapsed: Callable[[], float]) -> None:
        self._elapsed = elapsed
        self._everywhere = deque[float](maxlen=_most(EVERYWHERE))
        self._chats: OrderedDict[int, deque[float]] = OrderedDict()
        self._penalties: dict[int, float] = {}

    def wait(self, chat: int, calls: int = 1) -> float:
        """Return the seconds until the chat may get so many calls if nothing else is sent; 0 is now."""
        now = self._elapsed()
        waits = [_wait(made, limit, calls, now) for made, limit in self._budgets(chat)]
        return max(self._penalties.get(chat, now) - now, *waits, 0.0)

    def spares(self, chat: int) -> bool:
        """Return whether a call that is a mere courtesy leaves at least half of every budget."""
        now = self._elapsed()
        free = all(
            _wait(made, limit, limit.calls - limit.calls // 2 + 1, now) == 0 for made, limit in self._budgets(chat)
        )
        return free and self._penalties.get(chat, now) <= now

    def take(self, chat: int) -> None:
        """Count one call."""
        now = self._elapsed()
        made = self._chats.setdefault(chat, deque(maxlen=_most(_limits(chat))))
        self._chats.move_to_end(chat)
        made.append(now)
        self._everywhere.append(now)
        while next(iter(self._chats.values()))[-1] < now - IDLE_SECONDS:
            self._chats.popitem(last=False)

    def penalize(self, chat: int, seconds: float) -> None:
        """Let nothing go to the chat for so long, because Telegram said so: a call meanwhile makes it longer."""
        now = self._elapsed()
        self._penalties = {other: end for other, end in self._penalties.items() if end > now}
        if len(self._penalties) >= MOST_PENALTIES:
            del self._penalties[next(iter(self._penalties))]
        self._penalties[chat] = max(self._penalties.get(chat, 0.0), now + seconds)

    def _budgets(self, chat: int) -> Iterable[tuple[deque[float], Limit]]:
        made = self._chats.get(chat, deque())
        return [*((made, limit) for limit in _limits(chat)), *((self._everywhere, limit) for limit in EVERYWHERE)]


def _limits(chat: int) -> tuple[Limit, ...]:
    """Return the budgets of a chat; those of groups have negative ids."""
    return GROUP if chat < 0 else PRIVATE


def _most(limits: tuple[Limit, ...]) -> int:
    return max(limit.calls for limit in limits)


def _wait(made: deque[float], limit: Limit, calls: int, now: float) -> float:
    """Return the seconds until the oldest call that stands in the way has left the stretch."""
    others = max(limit.calls - calls, 0)
    if len(made) <= others:
        return 0.0
    wait = made[-1 - others] + limit.seconds - now
    return wait + MARGIN if wait > 0 else 0.0
