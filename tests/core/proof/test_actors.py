"""Who acts in a claim acts in its quotes, too."""

import pytest

from core.proof.actors import doubt_of_actors
from core.proof.backing import Backing

NOTICE = "The landlord announces repairs a week ahead. The tenant clears the room."
SURVEY = "The surveyor measures the plot. He sends the plan to the notary within ten days."
ACCEPTANCE = "Склад принимает кладовщик. Бухгалтер подписывает накладную в день приёмки."


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The plumber announces repairs a week ahead.", NOTICE),
        ("The tenant announces repairs a week ahead.", NOTICE),
        ("The notary measures the plot.", SURVEY),
        ("Накладную в день приёмки подписывает директор.", ACCEPTANCE),
        ("Накладную в день приёмки подписывает кладовщик.", ACCEPTANCE),
        ("Участок обмеряет нотариус.", "Участок обмеряет землемер, а план заверяет нотариус."),
    ],
)
def test_who_acts_is_not_exchanged(claim: str, quote: str) -> None:
    """Somebody else in the place of the one who acts is doubted: whom the quotes name elsewhere, or do not name."""
    assert doubt_of_actors(claim, Backing(quote, "", "")) is not None


@pytest.mark.parametrize(
    ("claim", "quote", "around"),
    [
        ("Repairs are announced by the landlord a week ahead.", NOTICE, ""),
        ("Repairs are announced a week ahead.", NOTICE, ""),
        ("The surveyor sends the plan within ten days.", SURVEY, ""),
        ("Guests have to book ahead.", "Book ahead for a table by the window.", ""),
        ("Customers are asked to wait.", "Visitors are asked to wait.", ""),
        ("The examiner marks the papers.", "The papers are marked within a week.", "Examiners"),
        ("The bosses approve it.", "The managers approve it.", ""),
        ("В день приёмки бухгалтер подписывает накладную.", ACCEPTANCE, ""),
        ("Накладную подписывают в день приёмки.", ACCEPTANCE, ""),
        ("Посетителям нужно подождать.", "Гостей просят подождать.", ""),
    ],
)
def test_who_acts_may_be_left_out_or_told_in_other_words(claim: str, quote: str, around: str) -> None:
    """A passive, a pronoun, a synonym and a reader who is only spoken to are no exchange."""
    assert doubt_of_actors(claim, Backing(quote, around, "")) is None
