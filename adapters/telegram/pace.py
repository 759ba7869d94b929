"""How often we may speak: never more than Telegram takes in any stretch of time, counted before each call."""

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass

from core.pacing import Limit, Tally, share

# core.telegram.org/bots/faq, "My bot is hitting limits": one a second in a chat with short bursts, 20 a minute in a
# group, 30 a second in all. Edits and deletions spend the same budgets as messages.
PRIVATE = (Limit(3, 3.0),)
GROUP = (Limit(20, 60.0), *PRIVATE)
EVERYWHERE = Limit(30, 1.0)

# A message may take as many calls, so no share is ever fewer.
FEWEST = 3

# Longer than the longest stretch, so a chat that is silent as long has nothing left to count.
IDLE_SECONDS = 61.0
# Calls reach Telegram a little closer together than they leave us.
MARGIN = 0.05
MOST_PENALTIES = 10_000


@dataclass(slots=True)
class _Turn:
    """When it is a chat's turn, and how many calls it is for."""

    at: float
    calls: int


class Pace:
    """Counts the calls to each chat, and to all; `elapsed` gives seconds on a clock that never goes back.

    `copies`: how many copies of the bot speak, this one among them. With a `tally` they count together what each chat
    gets; of what all chats get, and of what is left to courtesies, each keeps to its share.
    Where all chats together want more than Telegram takes, each has its turn: whoever waits longest goes first, and
    nobody looks again in vain.
    """

    def __init__(
        self, elapsed: Callable[[], float], copies: Callable[[], int] = lambda: 1, tally: Tally | None = None
    ) -> None:
        self.copies = copies
        self.tally = tally
        self._elapsed = elapsed
        self._everywhere = deque[float](maxlen=EVERYWHERE.calls)
        self._turns: dict[int, _Turn] = {}
        self._chats: OrderedDict[int, deque[float]] = OrderedDict()
        self._penalties: dict[int, float] = {}
        # Chats to which other copies have sent what Telegram takes, and until when.
        self._full_until: dict[int, float] = {}

    def wait(self, chat: int, calls: int = 1) -> float:
        """Return the seconds until the chat may get so many calls if nothing else is sent there; 0 is now.

        A chat that waits for the others has its turn then; it is kept for a minute.
        """
        own = self.wait_of_chat(chat, calls)
        return max(own, self._turn(chat, calls, own, self._elapsed()))

    def wait_of_chat(self, chat: int, calls: int = 1) -> float:
        """Return the seconds until the chat itself may get so many calls, whichever copy makes them; 0 is now."""
        now = self._elapsed()
        made = self._chats.get(chat, deque())
        waits = [_wait(made, limit, calls, now) for limit in _limits(chat)]
        return max(self._penalties.get(chat, now) - now, self._full_until.get(chat, now) - now, *waits, 0.0)

    async def turn(self, chat: int) -> float:
        """Count one call that is made now and return 0, or count nothing and return the seconds until it may be."""
        if self.tally:
            limits = [Limit(limit.calls, limit.seconds + MARGIN) for limit in _limits(chat)]
            if wait := await self.tally.take(f"telegram {chat}", limits):
                now = self._elapsed()
                self._full_until = {other: end for other, end in self._full_until.items() if end > now}
                self._full_until[chat] = now + wait
                return wait
        self.take(chat)
        return 0.0

    def spares(self, chat: int) -> bool:
        """Return whether a call that is a mere courtesy leaves at least half of every budget, and nobody waits."""
        now = self._elapsed()
        made, copies = self._chats.get(chat, deque()), self.copies()
        budgets = (*((made, limit) for limit in _limits(chat)), (self._everywhere, EVERYWHERE))
        shares = [(made, share(limit, copies, FEWEST)) for made, limit in budgets]
        free = all(_wait(made, limit, limit.calls - limit.calls // 2 + 1, now) == 0 for made, limit in shares)
        waited_for = any(turn.at > now - EVERYWHERE.seconds for turn in self._turns.values())
        return free and not waited_for and self.wait_of_chat(chat) == 0

    def take(self, chat: int) -> None:
        """Count one call."""
        now = self._elapsed()
        made = self._chats.setdefault(chat, deque(maxlen=_most(_limits(chat))))
        self._chats.move_to_end(chat)
        made.append(now)
        self._everywhere.append(now)
        self._used(chat, now)
        while next(iter(self._chats.values()))[-1] < now - IDLE_SECONDS * self.copies():
            self._chats.popitem(last=False)

    def penalize(self, chat: int, seconds: float) -> None:
        """Let nothing go to the chat for so long, because Telegram said so: a call meanwhile makes it longer."""
        now = self._elapsed()
        self._penalties = {other: end for other, end in self._penalties.items() if end > now}
        if len(self._penalties) >= MOST_PENALTIES:
            del self._penalties[next(iter(self._penalties))]
        self._penalties[chat] = max(self._penalties.get(chat, 0.0), now + seconds)

    def _turn(self, chat: int, calls: int, own: float, now: float) -> float:
        """Return the seconds until all chats together leave room for this one, after those that came before it."""
        turn, limit = self._turns.get(chat), share(EVERYWHERE, self.copies(), FEWEST)
        if turn and turn.calls >= calls:
            # Late is no matter: what counts then is what has been sent.
            return turn.at - now if turn.at > now else _wait(self._everywhere, limit, calls, now)
        self._turns.pop(chat, None)
        promised = [each.at for each in self._turns.values() for _ in range(each.calls)]
        wait = _wait(deque(sorted((*self._everywhere, *promised))), limit, calls, now)
        # A chat that waits for itself takes nobody's place meanwhile.
        if wait > own:
            self._turns[chat] = _Turn(now + wait, calls)
        return wait

    def _used(self, chat: int, now: float) -> None:
        if turn := self._turns.get(chat):
            turn.calls -= 1
            if not turn.calls:
                del self._turns[chat]
        if self._turns and next(iter(self._turns.values())).at < now - IDLE_SECONDS:
            self._turns = {other: turn for other, turn in self._turns.items() if turn.at >= now - IDLE_SECONDS}


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
