"""Every sentence of our own exists in both languages and says the same things."""

import string
from importlib import import_module

import pytest

from core.phrases import TONGUES, dollars, en, phrase
from core.text import Language, language_of

# A word of the language itself, so that a value does not decide which language a sentence is in.
_WORDS: dict[Language, str] = {"en": "word", "ru": "слово"}


def slots(text: str) -> set[str]:
    """Return the names of the values that a sentence takes."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


class Word(str):
    """A word that has the last of the forms that a sentence lists for numbers."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return spec.rpartition("|")[2] or str(self)


class Filled(dict[str, Word]):
    """A word for any value."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self._word = Word(word)

    def __missing__(self, key: str) -> Word:
        return self._word


@pytest.mark.parametrize("language", TONGUES)
def test_every_language_says_everything(language: Language) -> None:
    """Each language has every sentence, with the same values, and in that language where its letters tell it."""
    said = import_module(f"core.phrases.{language}").PHRASES

    assert set(en.PHRASES) == set(said)
    for name, sentence in said.items():
        assert slots(en.PHRASES[name]) == slots(sentence), name
        if not TONGUES[language].words:
            assert language == language_of(sentence.format_map(Filled(_WORDS[language]))), name


@pytest.mark.parametrize(("language", "expected"), [("en", "…and 3 more."), ("ru", "…и ещё 3 пункта.")])
def test_a_sentence_is_filled_in(language: Language, expected: str) -> None:
    """Values stand where the sentence has room for them."""
    assert expected == phrase("more", language, count=3)


@pytest.mark.parametrize(
    ("language", "counts"),
    [
        ("en", {1: "one more", 2: "2 more", 21: "21 more"}),
        (
            "ru",
            {
                1: "один пункт",
                2: "2 пункта",
                4: "4 пункта",
                5: "5 пунктов",
                11: "11 пунктов",
                12: "12 пунктов",
                21: "21 пункт",
                22: "22 пункта",
                101: "101 пункт",
                111: "111 пунктов",
                114: "114 пунктов",
            },
        ),
    ],
)
def test_a_noun_goes_with_its_number(language: Language, counts: dict[int, str]) -> None:
    """Where one item remains it is “one more”, never “1 more”; in Russian three forms go with numbers."""
    for count, words in counts.items():
        assert words in phrase("more", language, count=count)
        assert phrase("show_more", language, count=count).endswith(words)
        assert phrase("index_more", language, count=count).endswith(words.split()[0] if language == "ru" else words)


def test_a_value_is_not_a_template() -> None:
    """Braces in a document's title stay braces."""
    assert "From “{title} {0}”:" == phrase("from", "en", title="{title} {0}")


def test_money_is_written_as_each_language_writes_it() -> None:
    """To the cent, with the sign where it stands in that language."""
    assert ("$0.00", "$1,234.50") == (dollars(0.0, "en"), dollars(1234.5, "en"))
    assert ("0,00\xa0$", "1\xa0234,50\xa0$") == (dollars(0.0, "ru"), dollars(1234.5, "ru"))
