"""Questions for all of a kind say by themselves what they are about."""

import pytest

from core.at_all import asks_of_all


@pytest.mark.parametrize(
    "question",
    ["List the projects", "Which incidents were there?", "How many policies are there?", "Перечисли проекты",
     "Покажи все команды", "Какие проекты есть?", "Какие есть проекты?", "Which projects are there?",
     "What projects do we have?", "Какие существуют команды?", "List all projects", "Show me all the teams"],
)  # fmt: skip
def test_all_of_a_kind_is_asked_for(question: str) -> None:
    """By a word that tells to list, by "there are", or by their number."""
    assert asks_of_all(question)


@pytest.mark.parametrize(
    "question",
    ["Which projects?", "Какие проекты?", "List the projects of Aston", "Перечисли закрытые проекты", "List the lemons",
     "Перечисли", "How many of them?", "Why are there projects?"],
)  # fmt: skip
def test_less_than_all_is_not(question: str) -> None:
    """A bare "which projects?" leans on what came before, and so may whatever says more, or a word nobody knows."""
    assert not asks_of_all(question)
