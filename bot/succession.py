"""What a copy that is gone leaves, taken over in one order: its runs, its questions, its messages."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Protocol

from bot.jobs import question_of, run_id
from core.running import Inbox


class LeftRuns(Protocol):
    """The runs of all copies; everything raises StorageError."""

    async def take_over(self, replica: str) -> object:
        """Let the unfinished runs of a replica that is gone go on."""

    async def unfinished(self, ids: Collection[str]) -> frozenset[str]:
        """Return those of these runs that go on, whoever works on them."""


@dataclass(frozen=True, slots=True)
class Succession:
    """Takes over from copies by their names; `me` is whose it is from then on.

    Nothing of it is remembered here: whoever takes over may die after any step, or find that a step fails, and the
    next one finds the same. A question whose run goes on, wherever that is, belongs to us and does not wait in the
    line: else an earlier one of its thread could be answered beside it, or after it.
    """

    me: str
    runs: LeftRuns
    inbox: Inbox
    rest: tuple[Callable[[str], Awaitable[object]], ...]

    async def take_over(self, other: str) -> None:
        """Take over all that the other one has left; twice is harmless. Raises StorageError."""
        await self.runs.take_over(other)
        # Asked for after that: its runs may have been let go on before, and others may work on them by now.
        held = [run_id(one.id, one.version) for one in await self.inbox.working(other)]
        going_on = await self.runs.unfinished(held)
        await self.inbox.take_over(other, self.me, [question_of(run) for run in sorted(going_on)])
        for step in self.rest:
            await step(other)
