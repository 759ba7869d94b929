"""What a question costs: calls, tokens and money, counted where a reply comes in, and the time of each step."""

from datetime import datetime
from typing import Literal

from core.errors import ModelError
from core.ports import Clock, Completion, LanguageModel, ModelRequest
from core.turn import Spent


class Metered:
    """The port `LanguageModel` for one question, which counts what was `spent`."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.spent = Spent()

    def offers(self, role: Literal["planner", "answer"]) -> bool:
        """Return whether a model is configured for the role."""
        return self._model.offers(role)

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the reply. Raises ModelError; what was written and cannot be used is paid for, too."""
        try:
            reply = await self._model.complete(request)
        except ModelError as error:
            if error.tokens or error.cost:
                self._pay(error)
            raise
        self._pay(reply)
        return reply

    def _pay(self, what: Completion | ModelError) -> None:
        self.spent += Spent(1, what.tokens, what.cost)


class Stopwatch:
    """How long each step took."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.laps: list[tuple[str, float]] = []
        self._start = self._last = clock.elapsed()

    def lap(self, name: str) -> None:
        """Note the time since the last lap under a step's name."""
        now = self._clock.elapsed()
        self.laps.append((name, now - self._last))
        self._last = now

    def now(self) -> datetime:
        """Return the time of day."""
        return self._clock.now()

    def total(self) -> float:
        """Return the seconds since the start."""
        return self._clock.elapsed() - self._start
