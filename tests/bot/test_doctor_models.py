"""What `footnote doctor` says of models."""

from typing import Literal

import pytest

from bot.doctor import Finding, _model
from core.ports import Completion, ModelRequest


class Priced:
    """A model that costs so much a reply."""

    def __init__(self, cost: float) -> None:
        self._cost = cost

    def offers(self, role: Literal["planner", "answer"]) -> bool:
        return role == "answer"

    async def complete(self, _: ModelRequest) -> Completion:
        return Completion('{"ok": true}', "own/model", 12, self._cost)


@pytest.mark.parametrize(
    ("cost", "is_limited", "told"),
    [
        (0.0, True, "; its price is not known, so for DAILY_BUDGET_USD it costs nothing"),
        (0.01, True, ""),
        (0.0, False, ""),
    ],
)
async def test_a_model_without_a_price_is_told_of_where_there_is_a_budget(
    cost: float,
    is_limited: bool,  # noqa: FBT001 - a table
    told: str,
) -> None:
    """Else the operator would believe that the budget holds it."""
    found = await _model("answer", Priced(cost), is_limited=is_limited)

    assert Finding("ok", f"ANSWER_MODEL: own/model answers{told}") == found
