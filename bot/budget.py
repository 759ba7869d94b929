"""The day's budget: a workspace that has spent it gets quotes until midnight UTC."""

from datetime import date
from typing import Literal, Protocol

from core.errors import ModelError
from core.ports import Clock, Completion, LanguageModel, ModelRequest
from core.turn import Spent


class Spending(Protocol):
    """What models have cost."""

    async def of(self, tenant: str, day: date) -> Spent:
        """Return what they cost the workspace on a day of UTC. Raises StorageError."""


class Budgeted:
    """The port `LanguageModel` for one workspace, which asks nobody any more once the day's budget is spent.

    What counts is what finished questions cost: those under way may exceed it by what they cost themselves.
    """

    def __init__(self, model: LanguageModel, spending: Spending, tenant: str, dollars: float, clock: Clock) -> None:
        self._model = model
        self._spending = spending
        self._tenant = tenant
        self._dollars = dollars
        self._clock = clock

    def offers(self, role: Literal["planner", "answer"]) -> bool:
        """Return whether a model is configured for the role."""
        return self._model.offers(role)

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the reply. Raises ModelError, also when the budget is spent, and StorageError."""
        spent = await self._spending.of(self._tenant, self._clock.now().date())
        if spent.cost >= self._dollars:
            raise ModelError(
                f"today's budget of ${self._dollars:g} for models is spent (DAILY_BUDGET_USD): answers are quotes "
                "until midnight UTC"
            )
        return await self._model.complete(request)
