"""What people say of answers: everybody's latest word."""

from datetime import timedelta

import pytest

from adapters.storage.database import Database
from adapters.storage.feedback import Feedback, SqlFeedback
from tests.adapters.storage.turns import NOON

LATER = NOON + timedelta(minutes=1)


@pytest.fixture
def feedback(database: Database) -> SqlFeedback:
    """Return what nobody has said anything to."""
    return SqlFeedback(database)


async def test_everybody_has_a_word(feedback: SqlFeedback) -> None:
    """With its reason, in the order of time; of another answer nothing is said."""
    await feedback.give("q1", person="U2", tenant="acme", helpful=False, reason="Не тот проект 🦔", at=LATER)
    await feedback.give("q1", person="U1", tenant="acme", helpful=True, reason=None, at=NOON)

    expected = (
        Feedback("U1", "acme", helpful=True, reason=None, at=NOON),
        Feedback("U2", "acme", helpful=False, reason="Не тот проект 🦔", at=LATER),
    )
    assert expected == await feedback.of("q1")
    assert await feedback.of("q2") == ()


@pytest.mark.parametrize("order", [(0, 1), (1, 0), (0, 1, 0)])
async def test_the_latest_word_of_a_person_counts(feedback: SqlFeedback, order: tuple[int, ...]) -> None:
    """In whatever order the presses arrive, and however often."""
    words = [(True, "helped", NOON), (False, "wrong after all", LATER)]
    for nth in order:
        helpful, reason, at = words[nth]
        await feedback.give("q1", person="U1", tenant="acme", helpful=helpful, reason=reason, at=at)

    assert (Feedback("U1", "acme", helpful=False, reason="wrong after all", at=LATER),) == await feedback.of("q1")
