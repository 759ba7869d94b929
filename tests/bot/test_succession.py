"""What a copy that is gone leaves is taken over as one thing, however often it takes."""

from collections.abc import Collection

import pytest

from bot.succession import Succession
from core.errors import StorageError


class Left:
    """What a copy has left: two runs, which can be taken once, and a database that fails so many times."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.runs = frozenset({"slack:T1:C1:1#0", "telegram:7:2#3"})
        self.told: list[Collection[tuple[str, int]]] = []
        self.rest: list[str] = []

    async def take_runs(self, _: str) -> frozenset[str]:
        taken, self.runs = self.runs, frozenset()
        return taken

    async def take_questions(self, _: str, __: str, going_on: Collection[tuple[str, int]]) -> int:
        if self.failures:
            self.failures -= 1
            raise StorageError("the database is away", retry=True)
        self.told.append(going_on)
        return 0

    async def take_rest(self, other: str) -> None:
        self.rest.append(other)


@pytest.mark.parametrize("failures", [0, 1, 3])
async def test_a_second_try_knows_what_goes_on(failures: int) -> None:
    """The engine gives the runs once: a question that goes on never waits in the line because the next step failed."""
    left = Left(failures)
    succession = Succession("me", left.take_runs, left.take_questions, (left.take_rest,))
    for _ in range(failures):
        with pytest.raises(StorageError):
            await succession.take_over("gone")

    await succession.take_over("gone")
    await succession.take_over("gone")

    assert [[("slack:T1:C1:1", 0), ("telegram:7:2", 3)], []] == left.told
    assert ["gone", "gone"] == left.rest
