"""What a short question asks for."""

import pytest

from core.brevity import in_brief

KINDS = frozenset({"project"})


@pytest.mark.parametrize(
    ("masked", "brief"),
    [
        ("а какой там стек? (project)", "стек project"),
        ("and what is its tech stack? (project)", "tech stack project"),
    ],
)
def test_the_words_that_ask_for_something_are_kept(masked: str, brief: str) -> None:
    """And the kind that it is asked of."""
    assert brief == in_brief(masked, KINDS)


@pytest.mark.parametrize(
    ("masked", "kinds"),
    [
        ("стек project", KINDS),
        ("what is project?", KINDS),
        ("сколько строк было в таблице заявок project", KINDS),
        ("какой стек?", frozenset()),
    ],
)
def test_others_have_no_brief_form(masked: str, kinds: frozenset[str]) -> None:
    """What is as short itself, names alone, longer questions, and those that name nothing."""
    assert not in_brief(masked, kinds)
