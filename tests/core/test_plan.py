"""The query plan and its default."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.plan import GENERAL, DocumentSearch, QueryPlan, Style, default_plan


@pytest.mark.parametrize("question", ["Where was RAG used?", "Где применял RAG?"])
def test_the_default_plan_searches_for_the_questions_own_words(question: str) -> None:
    """Without a better plan, the documents are searched for what was asked, and a list is given."""
    plan = default_plan(question)

    assert ((GENERAL,), (DocumentSearch(query=question),), Style.BULLETS) == (
        plan.intents,
        plan.tool_calls,
        plan.render_style,
    )


@given(st.text(max_size=2_000))
def test_the_default_plan_always_works(question: str) -> None:
    """Whatever was asked, however long, the default plan is valid."""
    assert default_plan(question) == QueryPlan.model_validate_json(default_plan(question).model_dump_json())


def test_limits_are_those_of_the_requirements() -> None:
    """Unless the plan says otherwise: ten items, three paragraphs (R-7)."""
    limits = default_plan("?").limits

    assert (10, 8, 3) == (limits.max_items, limits.max_groups, limits.max_paragraphs)


def test_a_plan_is_frozen() -> None:
    """Nobody changes a plan after it was checked."""
    with pytest.raises(ValidationError):
        default_plan("?").confidence = 1.0  # type: ignore[misc]
