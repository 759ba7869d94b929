"""Words that look like a form and are none: nothing is counted, compared or dated by them, from question to plan."""

import pytest

from core.plan import Shape
from tests.corpora import Company

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize(
    ("question", "shape"),
    [
        ("What is the number of the Leeds office?", Shape.PLAIN),
        ("What is the number of incidents?", Shape.COUNT),
        ("Do you offer next day delivery?", Shape.PLAIN),
    ],
)
async def test_words_of_a_form_in_english(handbook: Company, question: str, shape: Shape) -> None:
    """The number of one thing is not counted, and the next day is not tomorrow."""
    plan = (await handbook.ask(question)).plan

    assert plan is not None
    assert (shape, None) == (plan.shape, plan.period)


@pytest.mark.parametrize(
    ("question", "shape"),
    [
        ("Сколько составляет ставка?", Shape.PLAIN),
        ("Сколько действует предложение?", Shape.PLAIN),
        ("Кто против RAG?", Shape.PLAIN),
        ("Сколько проектов на RAG?", Shape.COUNT),
        ("RAG против LangChain", Shape.COMPARE),
    ],
)
async def test_words_of_a_form_in_russian(portfolio: Company, question: str, shape: Shape) -> None:
    """How much something comes to is not counted, and who is against a thing does not compare it."""
    plan = (await portfolio.ask(question)).plan

    assert plan is not None
    assert shape is plan.shape
