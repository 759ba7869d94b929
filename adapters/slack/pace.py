"""How often we speak in a channel and change what is said, so that no limit of Slack's is learnt from a refusal."""

import asyncio
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable

from adapters.slack.calls import Paced
from core.pacing import Limit, share

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
# Of each limit a copy of the bot has a share of at least so much, over a longer time where it must be.
FEWEST = 1
# Calls reach Slack a little closer together than they leave us.
MARGIN = 0.1
# Channels whose latest posts are remembered: more than speak within three seconds.
_MOST_CHANNELS = 2_000
# Seconds that a call waits for its turn by itself, so that a message may go on to its next form.
_PATIENCE = 5.0


class Pace:
    """Counts the posts in each channel, and what is changed, deleted and said to one person in each workspace.

    `elapsed` gives seconds on a clock that never goes back. `copies`: how many copies of the bot speak, this one among
    them; Slack counts what all of them say, so each keeps to its share.
    """

    def __init__(self, elapsed: Callable[[], float], copies: Callable[[], int] = lambda: 1) -> None:
        self.copies = copies
        self._elapsed = elapsed
        self._changes: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=UPDATES))
        self._removals: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=UPDATES))
        self._whispers: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=WHISPERS))
        self._rests: dict[str, float] = {}
        self._posts: OrderedDict[str, deque[float]] = OrderedDict()
        # The direct channels of people who are written to by their own id.
        self._direct: OrderedDict[str, str] = OrderedDict()

    async def turn(self, workspace: str, method: str, channel: str) -> None:
        """Count one call as soon as its turn has come. Raises Paced where that is too far off."""
        waited = 0.0
        while wait := self._wait_for(workspace, method, channel):
            waited += wait
            if waited > _PATIENCE:
                raise Paced(wait)
            await asyncio.sleep(wait)
        match method:
            case "chat.postMessage":
                self.post(channel)
            case "chat.update":
                self.take(workspace)
            case "chat.delete":
                self._removals[workspace].append(self._elapsed())
            case "chat.postEphemeral":
                self._whispers[workspace].append(self._elapsed())

    def met(self, person: str, channel: str) -> None:
        """Learn in which channel somebody is written to by their own id: the two are one place."""
        if person == channel:
            return
        self._direct[person] = channel
        self._direct.move_to_end(person)
        made = sorted((*self._posts.pop(person, ()), *self._posts.pop(channel, ())))
        self._posts[channel] = deque(made, maxlen=POSTS)
        if len(self._direct) > _MOST_CHANNELS:
            self._direct.popitem(last=False)

    def wait_to_post(self, channel: str) -> float:
        """Return the seconds until a message may be posted in the channel; 0 is now."""
        made = self._posts.get(self._direct.get(channel, channel), deque())
        return self._full(made, Limit(POSTS, POSTS_SECONDS))

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

    def _wait_for(self, workspace: str, method: str, channel: str) -> float:
        match method:
            case "chat.postMessage":
                return self.wait_to_post(channel)
            case "chat.update":
                return self.wait_to_change(workspace)
            case "chat.delete":
                return self._full(self._removals[workspace], Limit(UPDATES, SECONDS))
            case "chat.postEphemeral":
                return self._full(self._whispers[workspace], Limit(WHISPERS, SECONDS))
        return 0.0

    def _wait(self, workspace: str, most: int) -> float:
        now = self._elapsed()
        full = self._full(self._changes[workspace], Limit(most, SECONDS))
        return max(full, self._rests.get(workspace, now) - now)

    def _full(self, made: deque[float], limit: Limit) -> float:
        ours = share(limit, self.copies(), FEWEST)
        if len(made) < ours.calls:
            return 0.0
        return max(made[-ours.calls] + ours.seconds + MARGIN - self._elapsed(), 0.0)

    def take(self, workspace: str) -> None:
        """Count one change, of a sign or of anything else."""
        self._changes[workspace].append(self._elapsed())

    def rest(self, workspace: str, seconds: float) -> None:
        """Let nothing change for so long, because Slack said so."""
        self._rests[workspace] = self._elapsed() + seconds
