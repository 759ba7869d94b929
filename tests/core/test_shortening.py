"""A chain of follow-ups, and what of it the next one leans on."""

import pytest

from core.shortening import in_short, is_name


@pytest.mark.parametrize(
    ("question", "earlier", "short"),
    [
        ("And Porto?", "London (What is the rate in Berlin?)", "What is the rate in Berlin?"),
        ("А Казань?", "Москва (Какая цена в Берлине?)", "Какая цена в Берлине?"),
        ("And in 2025?", "Which ones? (How many incidents are there?)", "How many incidents are there?"),
        ("А в Астоне?", "почему? (Где применял RAG?)", "Где применял RAG?"),
        ("the allowance", "And Porto? (London (What is the rate?))", "And Porto? (What is the rate?)"),
        (
            "А стек?",
            "нет, я про Лоцман (почему? (А какие там достижения? (Астон)))",
            "нет, я про Лоцман (А какие там достижения?)",
        ),
        ("Heron", "Technologies (Kestrel)", "Technologies"),
        ("No, I meant Heron", "What was the budget? (Kestrel)", "What was the budget?"),
    ],
)
def test_what_has_been_replaced_goes(question: str, earlier: str, short: str) -> None:
    """A name goes for a name, what says nothing by itself always, and before a correction what it corrects."""
    assert short == in_short(question, earlier)


@pytest.mark.parametrize(
    ("question", "earlier"),
    [
        ("Heron", "Lantern (Kestrel)"),
        ("Эхолот", "Лоцман (Астон)"),
        ("And Porto?", "the daily allowance (What is the rate in Berlin?)"),
        ("А технологии?", "Лоцман (Достижения)"),
        ("Кто его ведёт?", "А бюджет? (Что такое Лоцман?)"),
    ],
)
def test_what_is_leaned_on_stays(question: str, earlier: str) -> None:
    """A question, and words that nothing took the place of, stay as they are."""
    assert earlier == in_short(question, earlier)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("And Porto?", True),
        ("No, I meant the Apps team", True),
        ("нет, я про Лоцман", True),
        ("What about New York and Paris?", True),
        ("the daily allowance", False),
        ("А стек?", False),
        ("Which Porto?", False),
        ("And Porto, Leeds, London, Paris, Rome?", False),
        ("А Порту, Лидс, Лондон, Париж, Рим?", False),
        ("Какой Лоцман?", False),
        ("?!", False),
    ],
)
def test_a_name_alone(text: str, expected: bool) -> None:  # noqa: FBT001 - a table of cases
    """Words written as names, behind those that a message opens with, and nothing that asks."""
    assert expected == is_name(text)
