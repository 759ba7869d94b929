"""The day's budget of a workspace: within it models are asked, beyond it answers are quotes."""

from datetime import UTC, date, datetime
from typing import Literal

import pytest

from bot.budget import Budgeted
from core.errors import ModelError
from core.ports import Completion, ModelRequest
from core.turn import Spent

NIGHT = datetime(2026, 3, 2, 23, 59, tzinfo=UTC)
REQUEST = ModelRequest("answer", "system", "Вопрос: где?", {}, max_tokens=10)


class Echo:
    """A model that answers everything."""

    def offers(self, role: Literal["planner", "answer"]) -> bool:
        return role == "answer"

    async def complete(self, request: ModelRequest) -> Completion:
        return Completion(request.user, "echo", 5, 0.5)


class Sums:
    """What was spent on one day."""

    def __init__(self, **spent: float) -> None:
        self._spent = spent

    async def of(self, tenant: str, day: date) -> Spent:
        return Spent(1, 1, self._spent.get(tenant, 0.0)) if day == NIGHT.date() else Spent()


class Hands:
    """A clock that shows one time."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def elapsed(self) -> float:
        return 0.0


def budgeted(dollars: float, *, tenant: str = "acme", now: datetime = NIGHT) -> Budgeted:
    """Return the models of a workspace; acme has spent two dollars."""
    return Budgeted(Echo(), Sums(acme=2.0), tenant, dollars, Hands(now))


async def test_within_the_budget_models_are_asked() -> None:
    """Below the sum; for another workspace; and the next day."""
    for model in (budgeted(2.01), budgeted(1, tenant="бета"), budgeted(1, now=NIGHT.replace(day=3))):
        assert Completion(REQUEST.user, "echo", 5, 0.5) == await model.complete(REQUEST)


@pytest.mark.parametrize("dollars", [2.0, 1.5, 0.0])
async def test_beyond_the_budget_nobody_is_asked(dollars: float) -> None:
    """The error names the variable and when it goes on; trying again is of no use."""
    with pytest.raises(ModelError, match=r"budget of \$.*DAILY_BUDGET_USD.*until midnight UTC") as raised:
        await budgeted(dollars).complete(REQUEST)

    assert not raised.value.retry


def test_a_spent_budget_takes_no_model_away() -> None:
    """What is configured stays configured, so that the reply says why it is made of quotes."""
    assert budgeted(0).offers("answer")
    assert not budgeted(9).offers("planner")
