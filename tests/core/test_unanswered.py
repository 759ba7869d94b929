"""Which messages are no questions."""

import pytest

from core.unanswered import unanswerable


@pytest.mark.parametrize("text", ["2024?", "15.03?", "15.03.2024", "2024-03-15?", "HR", "да?"])
def test_a_year_or_a_date_is_a_question(text: str) -> None:
    """Without a letter it still says what is asked; what it is asked of, the thread tells."""
    assert unanswerable(text) is None


@pytest.mark.parametrize("text", ["", "?", "1", "2)", "👍", "…", "a", "99999"])
def test_a_sign_or_a_bare_number_is_none(text: str) -> None:
    """Nothing could be looked for."""
    assert unanswerable(text) is not None


@pytest.mark.parametrize("sign", ["(", ")", ":(", "👍"])
def test_thousands_of_signs_are_no_face(sign: str) -> None:
    """Noise is neither a thank-you nor a complaint; a few of them are one."""
    assert unanswerable("…") == unanswerable(sign * 5_000)
    assert unanswerable("…") != unanswerable(sign * 3)
