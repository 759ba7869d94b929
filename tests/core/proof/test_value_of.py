"""A number answers only for what the documents give it for: a team of eight is no budget of eight."""

import pytest

from core.answer import Draft, DraftClaim, Pointer
from core.verify import verify
from tests.core.scenes import facts_of
from tests.core.test_headed import weighed

PILOT = "# Pilot\n\n## Team\n\nThe team has eight people: four backend developers and two analysts.\n"
LOTSMAN = "# Лоцман\n\n## Команда\n\nВ команде восемь человек: четыре бэкенд-разработчика и два аналитика.\n"


def told(question: str, text: str) -> list[tuple[str, str]]:
    """Return what is shown of a model's statement on the sentence about the team, and whether in its own words."""
    page, quote = (PILOT, "The team has eight people") if question.isascii() else (LOTSMAN, "В команде восемь человек")
    context = weighed(question, *facts_of("a.md", page))
    [number] = [number for number, fact in enumerate(context.facts, 1) if quote in fact.text]
    answer = verify(Draft((DraftClaim(text, (Pointer(number, quote),)),)), context, last=False)
    return [(claim.text, claim.verdict) for claim in answer.claims]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What was the budget of Pilot?", "The budget of Pilot was eight people."),
        ("What was the budget of Pilot?", "Pilot had a budget of eight people."),
        ("Какой бюджет был у проекта Лоцман?", "Бюджет проекта Лоцман составлял восемь человек."),
        ("Какая смета была у проекта Лоцман?", "У проекта Лоцман смета была восемь человек."),
    ],
)
def test_a_number_is_not_given_for_what_only_the_question_says(question: str, text: str) -> None:
    """Every word but the budget stands there, and the number too."""
    assert (text, "supported") not in told(question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many people are on the team of Pilot?", "The team of Pilot has eight people."),
        ("Сколько человек в команде проекта Лоцман?", "В команде проекта Лоцман восемь человек."),
    ],
)
def test_a_number_is_given_for_what_it_counts(question: str, text: str) -> None:
    """What is asked may be said where the documents say it, too."""
    assert [(text, "supported")] == told(question, text)
