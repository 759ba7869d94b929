"""What admin replies are put together from."""

import pytest

from bot.admin.words import time_in_words
from core.text import Language


@pytest.mark.parametrize(
    ("seconds", "language", "words"),
    [
        (0.4, "en", "less than a second"),
        (0.4, "ru", "меньше секунды"),
        (1.0, "en", "1 s"),
        (61.9, "ru", "1 мин 1 с"),
    ],
)
def test_a_moment_is_no_zero(seconds: float, language: Language, words: str) -> None:
    """A run that took half a second did not take “0 s”."""
    assert words == time_in_words(seconds, language)
