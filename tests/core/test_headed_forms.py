"""In what forms a question says a heading, and in which it does not."""

import pytest

from core.headed import is_said
from tests.core.scenes import facts_of
from tests.core.test_quoting import quoted


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("Action items", "What actions followed the flood?"),
        ("Achievements", "What did the team accomplish?"),
        ("What we pay", "What kinds of meals are covered?"),
        ("What it may be used for", "What can the grant be spent on?"),
        ("Questions that are forbidden", "Which questions are not allowed?"),
        ("Перечень мер", "Какие меры приняты?"),
        ("Достижения", "Чего добилась команда?"),
        ("На что можно тратить", "На что тратить грант?"),
        ("Что нельзя приносить", "Что не разрешено приносить?"),
        ("What not to do on the farm", "What is forbidden on the farm?"),
        ("Чего нельзя делать на ферме", "Что запрещено на ферме?"),
        ("Duties", "What is she responsible for?"),
        ("Обязанности", "За что она отвечает?"),
        ("What you need", "What do volunteers need?"),
        ("Getting here", "How do I get to the centre?"),
    ],
)
def test_a_heading_is_said_in_other_words(heading: str, question: str) -> None:
    """Words of the same meaning, what only says that it is a list, and what is denied by one word or by two."""
    assert is_said(heading, question)


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("What we do not pay", "What kinds of meals are covered?"),
        ("Questions that are forbidden", "Which questions are allowed?"),
        ("How to use it", "What can the grant be spent on?"),
        ("What you may bring", "What must I bring?"),
        ("List of items", "What is on the menu?"),
        ("Что нельзя приносить", "Что приносить?"),
        ("Как тратить", "На что тратить грант?"),
        ("Что можно брать", "Что нужно брать?"),
        ("What you need", "What do volunteers get?"),
        ("Что делать на ферме", "Что есть на ферме?"),
        ("Getting here", "How do I get a badge?"),
        ("You", "What do you need?"),
    ],
)
def test_a_heading_of_something_else_is_not_said(heading: str, question: str) -> None:
    """The opposite is not, nor how where what for is asked, nor what may be where it must be."""
    assert not is_said(heading, question)


TERMS = "# Hiring\n\n## Periods\n\n| Kind | Length |\n|---|---|\n| Contracts | 7 years |\n| Tapes | 90 days |\n"


def test_a_table_of_others_is_not_the_one_thing_asked_for() -> None:
    """Of notice it says nothing, though it is of periods and holds a contract."""
    facts = facts_of("a.md", TERMS)

    assert [] == quoted("What is the notice period in my contract?", *facts, near="Contracts", lists=False)
    assert quoted("Which periods are there?", *facts, near="Contracts", lists=True)
