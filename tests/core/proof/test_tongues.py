"""A claim is written in the language of its question."""

import pytest

from core.answer import Draft, DraftClaim, Pointer
from core.proof.tongues import fault_of_language
from core.text import language_of
from core.verify import verify
from tests.core.scenes import context, facts_of


@pytest.mark.parametrize(
    ("question", "text", "quotes", "faulty"),
    [
        ("Who leads Delta?", "Проект Delta ведёт Anna Kern.", "Anna Kern leads Delta.", True),
        ("Who leads Delta?", "Anna Kern leads Delta.", "Проект Delta ведёт Anna Kern.", False),
        ("Who leads it?", "Анна Керн.", "Проект ведёт Анна Керн.", False),
        ("Кто ведёт проект?", "Anna Kern leads the project.", "Anna Kern leads the project since May.", True),
        ("Кто ведёт проект?", "Проект ведёт Anna Kern.", "Anna Kern leads the project.", False),
        ("Какие библиотеки нужны?", "pandas, numpy, scipy", "It needs pandas, numpy, scipy.", False),
        ("Какие библиотеки нужны?", "It needs pandas and numpy.", "It needs pandas, numpy, scipy.", True),
        ("What is it, что это такое?", "Это проект банка.", "It is a project of the bank.", False),
    ],
)
def test_names_aside_it_is_told_by_its_script(question: str, text: str, quotes: str, *, faulty: bool) -> None:
    """What is only copied, and names, stand as they are."""
    assert faulty == (fault_of_language(text, quotes, question, language_of(question)) is not None)


@pytest.mark.parametrize(
    ("question", "claim", "quote", "language"),
    [
        (
            "Who leads the Delta project?",
            "Проект Delta ведёт Anna Kern.",
            "Anna Kern leads the Delta project.",
            "English",
        ),
        ("Кто ведёт проект?", "The project is led by Анна Керн.", "Анна Керн ведёт проект.", "Russian"),
    ],
)
def test_a_claim_in_another_language_is_written_again_once_and_then_its_quote(
    question: str, claim: str, quote: str, language: str
) -> None:
    """The repair is told which language it is to be."""
    draft = Draft((DraftClaim(claim, (Pointer(1, quote),)),))
    asked = context(*facts_of("page.md", f"# Delta project\n\n{quote}\n"), question=question)

    assert language in verify(draft, asked, last=False).rejected[0].reason
    assert [quote] == [one.text for one in verify(draft, asked).claims]
