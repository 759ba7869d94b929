"""What a copy that is gone leaves, taken over in one order: its runs, its questions, its messages."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field

from bot.jobs import question_of


@dataclass(frozen=True, slots=True)
class Succession:
    """Takes over from copies by their names; `me` is whose it is from then on.

    `runs` returns the runs that go on, and does so once: a second try finds none left to take. So they are kept until
    their questions are ours: else one that goes on would wait in the line as well, and an earlier one of its thread
    could be answered after it.
    """

    me: str
    runs: Callable[[str], Awaitable[frozenset[str]]]
    questions: Callable[[str, str, Collection[tuple[str, int]]], Awaitable[int]]
    rest: tuple[Callable[[str], Awaitable[object]], ...]
    _going_on: dict[str, frozenset[str]] = field(default_factory=dict)

    async def take_over(self, other: str) -> None:
        """Take over all that the other one has left; twice is harmless. Raises StorageError."""
        self._going_on[other] = self._going_on.get(other, frozenset()) | await self.runs(other)
        await self.questions(other, self.me, [question_of(run) for run in sorted(self._going_on[other])])
        del self._going_on[other]
        for step in self.rest:
            await step(other)
