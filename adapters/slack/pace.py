"""How often we speak in a channel and change what is said, so that no limit of Slack's is learnt from a refusal."""

import asyncio
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from math import inf

from adapters.slack.calls import Paced
from core.pacing import Limit, Tally, share

# docs.slack.dev/apis/web-api/rate-limits: chat.update and chat.delete are each of tier 3, 50 a minute and more in a
# workspace, and chat.postEphemeral is of tier 4, 100 and more.
UPDATES = 50
WHISPERS = 100
SECONDS = 60.0
# Signs take less than half of it: answers go first.
SIGNS = 20
# The same page: chat.postMessage takes one message a second in a channel, with short bursts. That a workspace takes
# several hundred a minute is no number to count to: there Slack says itself when it is enough.
POSTS, POSTS_SECONDS = 3, 3.0
# Of each other limit a copy of the bot has a share of at least so much, over a longer time where it must be.
FEWEST = 1
# Calls reach Slack a little closer together than they leave us.
MARGIN = 0.1
# Channels whose latest posts are remembered: more than speak within three seconds.
_MOST_CHANNELS = 2_000
# Seconds within which a post is made that was counted before it was handed on.
_BOOKED = 0.5
# Seconds that a call waits for its turn by itself, so that a message may go on to its next form.
_PATIENCE = 5.0


class Pace:
    """Counts the posts in each channel, and what is changed, deleted and said to one person in each workspace.

    `elapsed` gives seconds on a clock that never goes back. `copies`: how many copies of the bot speak, this one among
    them; Slack counts what all of them say. With a `tally` so do they, in each channel; of what a workspace takes in a
    minute, each keeps to its share.
    """

    def __init__(
        self, elapsed: Callable[[], float], copies: Callable[[], int] = lambda: 1, tally: Tally | None = None
    ) -> None:
        self.copies = copies
        self.tally = tally
        self._elapsed = elapsed
        self._changes: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=UPDATES))
        self._removals: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=UPDATES))
        self._whispers: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=WHISPERS))
        self._rests: dict[str, float] = {}
        self._posts: OrderedDict[str, deque[float]] = OrderedDict()
        # The direct channels of people who are written to by their own id.
        self._direct: OrderedDict[str, str] = OrderedDict()
        # Channels in which other copies have used up what Slack takes, and until when.
        self._full_until: dict[str, float] = {}
        # Channels for which a post is counted that is about to be made, and when it was.
        self._booked: dict[str, float] = {}

    async def turn(self, workspace: str, method: str, channel: str) -> None:
        """Count one call as soon as its turn has come. Raises Paced where that is too far off."""
        waited = 0.0
        while wait := await self._counted(workspace, method, channel):
            waited += wait
            if waited > _PATIENCE:
                raise Paced(wait)
            await asyncio.sleep(wait)

    async def book(self, channel: str) -> float:
        """Count one post and return 0, or count nothing and return the seconds until it may be made.

        Once counted it has its turn at once, as long as it is made within a moment.
        """
        if wait := await self._post(channel):
            return wait
        now = self._elapsed()
        self._booked = {place: at for place, at in self._booked.items() if now - at < _BOOKED} | {channel: now}
        return 0.0

    async def _counted(self, workspace: str, method: str, channel: str) -> float:
        """Count one call and return 0, or count nothing and return the seconds until it may be made."""
        now = self._elapsed()
        match method:
            case "chat.postMessage":
                is_booked = now - self._booked.pop(channel, -inf) < _BOOKED
                return 0.0 if is_booked else await self._post(channel)
            case "chat.update":
                made, limit = self._changes[workspace], Limit(UPDATES, SECONDS)
                wait = self.wait_to_change(workspace)
            case "chat.delete":
                made, limit = self._removals[workspace], Limit(UPDATES, SECONDS)
                wait = self._full(made, limit)
            case "chat.postEphemeral":
                made, limit = self._whispers[workspace], Limit(WHISPERS, SECONDS)
                wait = self._full(made, limit)
            case _:
                return 0.0
        if not wait:
            made.append(now)
        return wait

    async def _post(self, channel: str) -> float:
        if wait := self.wait_to_post(channel):
            return wait
        if wait := await self._told(channel):
            now = self._elapsed()
            self._full_until = {place: until for place, until in self._full_until.items() if until > now}
            self._full_until[self._direct.get(channel, channel)] = now + wait
            return wait
        self.post(channel)
        return 0.0

    async def _told(self, channel: str) -> float:
        """Count one post for all copies; return 0, or the seconds until there may be one."""
        if self.tally is None:
            return 0.0
        return await self.tally.take(
            f"slack {self._direct.get(channel, channel)}", [Limit(POSTS, POSTS_SECONDS + MARGIN)]
        )

    async def met(self, person: str, channel: str) -> None:
        """Learn in which channel somebody is written to by their own id: the two are one place."""
        if person == channel:
            return
        is_new = self._direct.get(person) != channel
        self._direct[person] = channel
        self._direct.move_to_end(person)
        if is_new:
            # What was posted under the person's id counts under the channel's from now on.
            await self._told(channel)
        made = sorted((*self._posts.pop(person, ()), *self._posts.pop(channel, ())))
        self._posts[channel] = deque(made, maxlen=POSTS)
        if len(self._direct) > _MOST_CHANNELS:
            self._direct.popitem(last=False)

    def wait_to_post(self, channel: str) -> float:
        """Return the seconds until a message may be posted in the channel; 0 is now."""
        channel = self._direct.get(channel, channel)
        made = self._posts.get(channel, deque())
        others = self._full_until.get(channel, 0.0) - self._elapsed()
        return max(self._wait_in(made, Limit(POSTS, POSTS_SECONDS)), others, 0.0)

    def post(self, channel: str) -> None:
        """Count one message that is posted."""
        channel = self._direct.get(channel, channel)
        self._posts.setdefault(channel, deque(maxlen=POSTS)).append(self._elapsed())
        self._posts.move_to_end(channel)
        if len(self._posts) > _MOST_CHANNELS:
            self._posts.popitem(last=False)

    def wait(self, workspace: str) -> float:
        """Return the seconds until a sign may change there if nothing else is changed; 0 is now."""
        return self._wait(workspace, SIGNS)

    def wait_to_change(self, workspace: str) -> float:
        """Return the seconds until anything else may be changed there; 0 is now."""
        return self._wait(workspace, UPDATES)

    def _wait(self, workspace: str, most: int) -> float:
        now = self._elapsed()
        full = self._full(self._changes[workspace], Limit(most, SECONDS))
        return max(full, self._rests.get(workspace, now) - now)

    def _full(self, made: deque[float], limit: Limit) -> float:
        return self._wait_in(made, share(limit, self.copies(), FEWEST))

    def _wait_in(self, made: deque[float], limit: Limit) -> float:
        if len(made) < limit.calls:
            return 0.0
        return max(made[-limit.calls] + limit.seconds + MARGIN - self._elapsed(), 0.0)

    def take(self, workspace: str) -> None:
        """Count one change, of a sign or of anything else."""
        self._changes[workspace].append(self._elapsed())

    def rest(self, workspace: str, seconds: float) -> None:
        """Let nothing change for so long, because Slack said so."""
        self._rests[workspace] = self._elapsed() + seconds
