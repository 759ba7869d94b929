"""Answers in words to our own question which one is meant."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.selecting import looks_like_a_number, selected, takes_the_other

PEOPLE = ["Dmitry Orlov", "Dmitry Petrov", "Анна Орлова (person)"]
PLACES = ["Склад в Казани", "Berlin workshop", "Контора в Берлине"]


SECOND = """2 | 2. | №2 | option 2 | вариант 2 | the second | Second one | второй | Вторая | второе | Petrov? | petrov|
Dmitry Petrov | I mean Petrov | про Petrov | the Petrov one, please | no, I meant Petrov"""
NONE = """0 | 4 | 12 | fifth | Dmitry | What does Petrov do? | | ? | второй этаж где? | 2 days | Sidorov | neither"""


@pytest.mark.parametrize("text", SECOND.split("|"))
def test_the_second_is_chosen(text: str) -> None:
    """By its number, by its place in either language, by its words or a part that no other option has."""
    assert 1 == selected(text, PEOPLE)


@pytest.mark.parametrize(
    ("text", "which"),
    [
        ("the Berlin one", 1),
        ("казанский", 0),
        ("тот, который в Казани", 0),
        ("берлинская контора", 2),
        ("the one", None),
    ],
)
def test_own_words_choose(text: str, which: int | None) -> None:
    """What stands around a name chooses nothing, and a word of its family does."""
    assert which == selected(text, PLACES)


@pytest.mark.parametrize("text", ["No, the other one", "the other", "нет, другой", "Не тот, другая", "вторую"])
def test_the_other_is_taken(text: str) -> None:
    """In as many words; a question about another thing takes nothing back."""
    assert takes_the_other(text)
    assert not takes_the_other(f"{text} в Твери сколько стоит?")


@pytest.mark.parametrize("text", NONE.split("|"))
def test_anything_else_chooses_nothing(text: str) -> None:
    """Numbers beyond the options, words that fit several or none, and new questions."""
    assert selected(text, PEOPLE) is None


@settings(derandomize=True, deadline=None)
@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=30), min_size=2, max_size=4, unique=True))
def test_no_text_chooses_what_is_not_offered(text: str, options: list[str]) -> None:
    """Whatever is written, the choice is one of the options or none."""
    assert selected(text, options) in {None, *range(len(options))}
    assert looks_like_a_number(text) in (True, False)
