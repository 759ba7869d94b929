"""A claim that repeats its question is shown without it."""

import pytest

from core.proof.replies import replying


@pytest.mark.parametrize(
    ("question", "text", "shown"),
    [
        ("Who leads Beacon?", "Who leads Beacon? - Grace", "Grace"),
        ("Кто руководит проектом Lantern?", "Кто руководит проектом Lantern? — Ines Carvalhal", "Ines Carvalhal"),
        ("Who leads Beacon?", "Who leads Beacon?", "Who leads Beacon?"),
        ("Opening hours", "Opening hours are 8 to 5.", "Opening hours are 8 to 5."),
        ("Часы работы", "Часы работы: с 8 до 17.", "Часы работы: с 8 до 17."),
    ],
)
def test_the_question_in_front_of_an_answer_is_left_out(question: str, text: str, shown: str) -> None:
    """Only where it stands there word by word, and something behind it."""
    assert (shown, shown) == replying(text, question)
