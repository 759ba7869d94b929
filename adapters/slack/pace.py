"""How often a sign may change, so that Slack's limit on changes is left to the answers."""

from collections import defaultdict, deque
from collections.abc import Callable

# docs.slack.dev/apis/web-api/rate-limits: chat.update is of tier 3, 50 a minute and more in each workspace.
UPDATES = 50
SECONDS = 60.0
# Signs take less than half of it: what is left answers two copies of the bot as well.
SIGNS = 20


class Pace:
    """Counts the changes in each workspace; `elapsed` gives seconds on a clock that never goes back."""

    def __init__(self, elapsed: Callable[[], float]) -> None:
        self._elapsed = elapsed
        self._changes: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=UPDATES))
        self._rests: dict[str, float] = {}

    def wait(self, workspace: str) -> float:
        """Return the seconds until a sign may change there if nothing else is changed; 0 is now."""
        now, made = self._elapsed(), self._changes[workspace]
        full = made[-SIGNS] + SECONDS - now if len(made) >= SIGNS else 0.0
        return max(full, self._rests.get(workspace, now) - now, 0.0)

    def take(self, workspace: str) -> None:
        """Count one change, of a sign or of anything else."""
        self._changes[workspace].append(self._elapsed())

    def rest(self, workspace: str, seconds: float) -> None:
        """Let no sign change for so long, because Slack said so."""
        self._rests[workspace] = self._elapsed() + seconds
