"""Every sentence of our own exists in both languages and says the same things."""

import string

import pytest

from core.phrases import _PHRASES, phrase
from core.text import Language, language_of


def slots(text: str) -> set[str]:
    """Return the names of the values that a sentence takes."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


class Filled(dict[str, str]):
    """A word for any value."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self._word = word

    def __missing__(self, key: str) -> str:
        return self._word


@pytest.mark.parametrize("name", sorted(_PHRASES))
def test_a_sentence_exists_in_both_languages(name: str) -> None:
    """English and Russian take the same values, and each is in its own language."""
    said = _PHRASES[name]

    assert {"en", "ru"} == set(said)
    assert slots(said["en"]) == slots(said["ru"])
    assert "en" == language_of(said["en"].format_map(Filled("word")))
    assert "ru" == language_of(said["ru"].format_map(Filled("слово")))


@pytest.mark.parametrize(("language", "expected"), [("en", "…and 3 more."), ("ru", "…и ещё 3.")])
def test_a_sentence_is_filled_in(language: Language, expected: str) -> None:
    """Values stand where the sentence has room for them."""
    assert expected == phrase("more", language, count=3)


def test_a_value_is_not_a_template() -> None:
    """Braces in a document's title stay braces."""
    assert "From “{title} {0}”:" == phrase("from", "en", title="{title} {0}")
