"""Whether messages reach us, and when the last sign of it was."""

from collections.abc import Callable
from typing import Literal

from core.delivery import Health

How = Literal["polling", "webhook"]


class Pulse:
    """Kept by whoever receives; `elapsed` gives seconds on a clock that never goes back."""

    def __init__(self, elapsed: Callable[[], float]) -> None:
        self.elapsed = elapsed
        self._how: How | None = None
        self._patience: float | None = None
        self._begun = 0.0
        self._last: float | None = None
        self._trouble = ""
        self._cut_off = False

    def begin(self, how: How, patience: float | None = None) -> None:
        """Messages are received from now on; `patience`: after so many seconds of silence something is wrong."""
        self._how, self._patience, self._begun = how, patience, self.elapsed()
        self._last, self._trouble, self._cut_off = None, "", False

    def beat(self) -> None:
        """Telegram gave a sign of life: an answer to a poll, or a call of the webhook."""
        self._last, self._trouble, self._cut_off = self.elapsed(), "", False

    def troubled(self, words: str, *, cut_off: bool = False) -> None:
        """Something is wrong, until the next beat; `cut_off`: it surely keeps messages from us."""
        self._trouble, self._cut_off = words, cut_off

    def mended(self, words: str) -> None:
        """What was told in these words is wrong no longer, though there is no new sign of life."""
        if self._trouble == words:
            self._trouble, self._cut_off = "", False

    def silence(self) -> float:
        """Return the seconds since the last sign of life, or since messages are received when there was none."""
        return self.elapsed() - (self._begun if self._last is None else self._last)

    def end(self) -> None:
        """Nothing is received any more."""
        self._how = None

    def health(self) -> Health:
        """Return whether messages reach us, in words too."""
        if self._how is None:
            return Health(alive=False, words="not receiving messages")
        now = self.elapsed()
        silent = None if self._last is None else now - self._last
        alive = not self._cut_off and (self._patience is None or self.silence() <= self._patience)
        sign = "answer" if self._how == "polling" else "call"
        last = f"no {sign} yet" if silent is None else f"last {sign} {silent:.0f} s ago"
        words = f"{self._how}, {last}; {self._trouble}" if self._trouble else f"{self._how}, {last}"
        return Health(alive, words, silent)
