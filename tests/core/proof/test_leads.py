"""What stands in front of several statements says nothing that only one of them does."""

import pytest

from core.answer import Draft, DraftClaim, Pointer
from core.verify import verify
from tests.core.scenes import context, facts_of

LYON, PORTO = "Anna Kern manages the Lyon office.", "Rui Alves manages the Porto office."
TULA, KAZAN = "Ольга Петрова руководит офисом в Туле.", "Игорь Власов руководит офисом в Казани."
PAGES = (("Lyon office", LYON), ("Porto office", PORTO), ("Офис в Туле", TULA), ("Офис в Казани", KAZAN))
FACTS = tuple(fact for n, (title, text) in enumerate(PAGES) for fact in facts_of(f"{n}.md", f"# {title}\n\n{text}\n"))


def led(lead: str, question: str, *said: str) -> str | None:
    claims = (
        DraftClaim(one, (Pointer(next(n for n, f in enumerate(FACTS, 1) if one in f.text), one),)) for one in said
    )
    return verify(Draft(tuple(claims), lead=lead), context(*FACTS, question=question)).lead


@pytest.mark.parametrize(
    ("lead", "kept"),
    [
        ("The managers of the offices:", True),
        ("Two managers manage the offices:", True),
        ("Here is what the documents say about the offices:", True),
        ("Rui Alves manages both offices:", False),
        ("Anna Kern and Rui Alves manage both offices:", False),
        ("Anna Kern manages the Porto office:", False),
        ("Anna Kern manages the Lyon office:", False),
        ("All offices have a manager:", False),
        ("Only two offices have a manager:", False),
        ("Three managers of the offices:", False),
        ("The offices have the same manager:", False),
        ("The offices in France and Portugal:", False),
        ("Кто каким офисом руководит:", False),
    ],
)
def test_a_lead_says_what_is_asked_and_what_all_have_in_common(lead: str, *, kept: bool) -> None:
    """A name, a number or a word of one claim alone may be swapped."""
    assert (lead if kept else None) == led(lead, "Who manages which office?", LYON, PORTO)


@pytest.mark.parametrize(
    ("lead", "kept"),
    [
        ("Офисами руководят:", True),
        ("Вот кто руководит офисами:", True),
        ("Игорь Власов руководит обоими офисами:", False),
        ("Ольга Петрова руководит офисом в Казани:", False),
        ("У всех офисов один руководитель:", False),
        ("Тремя офисами руководят:", False),
    ],
)
def test_so_it_is_in_russian(lead: str, *, kept: bool) -> None:
    """A lead is held to the same in both languages."""
    assert (lead if kept else None) == led(lead, "Кто каким офисом руководит?", TULA, KAZAN)


def test_the_words_of_a_question_for_a_yes_introduce_nothing() -> None:
    """They would say it before anything is proven."""
    asked = "Does Anna Kern manage the Lyon office?"

    assert led("Anna Kern manages the Lyon office:", asked, LYON, PORTO) is None
    assert led("In short:", asked, LYON, PORTO) == "In short:"
