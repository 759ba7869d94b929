"""How often we speak in a channel and change what is said, so that no limit of Slack's is learnt from a refusal."""

from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable

# docs.slack.dev/apis/web-api/rate-limits: chat.update is of tier 3, 50 a minute and more in each workspace.
UPDATES = 50
SECONDS = 60.0
# Signs take less than half of it: what is left answers two copies of the bot as well.
SIGNS = 20
# The same page: chat.postMessage takes one message a second in a channel, with short bursts. That a workspace takes
# several hundred a minute is no number to count to: there Slack says itself when it is enough.
POSTS, POSTS_SECONDS = 3, 3.0
# Channels whose latest posts are remembered: more than speak within three seconds.
_MOST_CHANNELS = 2_000


class Pace:
    """Counts the posts in each channel and the changes in each workspace.

    `elapsed` gives seconds on a clock that never goes back.
    """

    def __init__(self, elapsed: Callable[[], float]) -> None:
        self._elapsed = elapsed
        self._changes: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=UPDATES))
        self._rests: dict[str, float] = {}
        self._posts: OrderedDict[str, deque[float]] = OrderedDict()

    def wait_to_post(self, channel: str) -> float:
        """Return the seconds until a message may be posted in the channel; 0 is now."""
        made = self._posts.get(channel, ())
        return max(made[-POSTS] + POSTS_SECONDS - self._elapsed(), 0.0) if len(made) >= POSTS else 0.0

    def post(self, channel: str) -> None:
        """Count one message that is posted."""
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
        now, made = self._elapsed(), self._changes[workspace]
        full = made[-most] + SECONDS - now if len(made) >= most else 0.0
        return max(full, self._rests.get(workspace, now) - now, 0.0)

    def take(self, workspace: str) -> None:
        """Count one change, of a sign or of anything else."""
        self._changes[workspace].append(self._elapsed())

    def rest(self, workspace: str, seconds: float) -> None:
        """Let nothing change for so long, because Slack said so."""
        self._rests[workspace] = self._elapsed() + seconds
