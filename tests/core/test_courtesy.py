"""What a message of signs alone says."""

import pytest

from core.courtesy import courtesy


@pytest.mark.parametrize(
    ("signs", "said"),
    [
        ("👍", "thanks"),
        ("🙏🙏", "thanks"),
        ("❤️ :)", "thanks"),
        ("😀" * 4_096, None),
        ("🚗", "ok"),
        ("👍😢", "sorry"),
        (":(", "sorry"),
        ("🤔", None),
        ("👍?", None),
        ("...", None),
    ],
)
def test_only_signs_that_thank_are_thanked_for(signs: str, said: str | None) -> None:
    """A grin or a car gets a friendly word, and no "You are welcome!"; what asks is no courtesy."""
    assert said == courtesy(signs)
