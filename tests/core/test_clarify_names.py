"""Which of several namesakes is meant: asked in every form of a question, kept once it is said, and never guessed."""

import pytest

from core.conversation import Thread
from core.followup import Standalone, Unclear
from core.readings import readings_of_a_name
from tests.core.test_clarify import Talk, claims
from tests.doubles.pages import Pages


@pytest.mark.parametrize(
    "text",
    [
        "Which team does Dmitry lead?",
        "Does Dmitry lead any team?",
        "What are all of Dmitry's teams?",
        "Whom does each team of Dmitry serve?",
        "Какие команды у Дмитрия?",
        "Какие у Дмитрия команды?",
        "Все команды Дмитрия",
        "Для каких команд работает Дмитрий?",
    ],
)
async def test_all_that_one_of_them_has_is_not_all_of_them(text: str) -> None:
    """Which and all are said of the teams: who is meant by the name is as open as without these words."""
    assert isinstance((await Talk().ask(text)).decision, Unclear)


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("Which projects does Alor pay for?", 2),
        ("Какие проекты оплачивает Alor?", 2),
        ("What did the project Alor move?", 1),
        ("What is the Alor project?", 1),
        ("Что за проект Alor?", 1),
        ("Which project is Alor?", 1),
    ],
)
def test_the_kind_that_is_asked_for_does_not_say_who_is_meant(text: str, readings: int) -> None:
    """A word for a kind says what the name is where it stands beside it; elsewhere it is what is looked for."""
    found = readings_of_a_name(Standalone(text, ""), Thread("t"), Talk().ports.knowledge)

    assert found
    assert readings == len(found.readings)


BOTH = ["Dmitry Orlov runs the payments team.", "Dmitry Petrov runs the warehouse."]
BOTH_RU = ["Дмитрий Орлов отвечает за платежи.", "Дмитрий Петров отвечает за склад."]


@pytest.mark.parametrize(
    ("text", "pages", "label"),
    [
        ("What does Dmitry do?", BOTH, "Dmitry Orlov, Dmitry Petrov"),
        ("За что отвечает Дмитрий?", BOTH_RU, "Дмитрий Орлов, Дмитрий Петров"),
    ],
)
async def test_who_does_not_choose_is_told_of_each(text: str, pages: list[str], label: str) -> None:
    """Nobody is picked in silence: the second time all who go by the name are looked up, and the reason says so."""
    talk = Talk(Pages(pages))
    asked = [await talk.ask(text) for _ in range(3)]

    assert [True, False, False] == [isinstance(one.decision, Unclear) for one in asked]
    assert [set(pages)] * 2 == [set(claims(one)) for one in asked[1:]]
    assert all(one.decision.because.endswith(f": {label}") for one in asked[1:])


@pytest.mark.parametrize(
    ("text", "choice", "between", "page"),
    [
        ("What does Dmitry do?", "2", "Who leads Lantern?", "Dmitry Petrov runs the warehouse."),
        ("What does Dmitry do?", "What is Dmitry Petrov?", "Who leads Lantern?", "Dmitry Petrov runs the warehouse."),
        ("За что отвечает Дмитрий?", "1", "Кто ведёт Маяк?", "Дмитрий Орлов отвечает за платежи."),
        ("What is Alor?", "2", "Who leads Lantern?", "The project Alor moved 14 services."),
    ],
)
async def test_a_choice_holds_after_other_questions(text: str, choice: str, between: str, page: str) -> None:
    """Who was chosen is meant from then on, though something else was talked of in between."""
    talk = Talk()
    for one in (text, choice, between):
        await talk.ask(one)

    assert [page] == claims(await talk.ask(text))
