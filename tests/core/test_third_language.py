"""A third language of our own words is one file, and nothing changes for the two that are there."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.phrases import TONGUES, dollars, language_chosen, language_named, language_read, number, phrase, read_files
from core.prompts import answer_user
from core.render import text_of
from core.text import analysed_as, language_of
from tests.core.test_pipeline import Shelf, ports, question, replied
from tests.core.test_prompts import context
from tests.doubles.german import MARK


@pytest.mark.usefixtures("german")
async def test_a_question_in_it_is_answered_in_its_words() -> None:
    """What is said when nothing is proven, and what is asked of the model, are German."""
    asked = "Wer ist für das RAG in Lotsman da?"
    told = await replied(ports(Shelf()), question(asked))

    assert told
    assert "de" == told.language
    assert text_of(told).startswith(phrase("refusal", "de"))
    assert phrase("refusal", "de").startswith(MARK)
    assert "Answer in German, in at most 150 words." in answer_user(asked, context(question=asked), "M")


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wer leitet das Projekt Lantern?", "de"),
        ("Wie viele Tage Urlaub für neue Kollegen?", "de"),
        ("What was the budget in Q3?", "en"),
        ("Kafka?", "en"),
        ("Who runs Die Zeit and Das Boot in the office?", "en"),
        ("Кто ведёт Die Zeit?", "ru"),
        ("Сколько дней отпуска?", "ru"),
        ("", "en"),
        ("東京?", "en"),
    ],
)
def test_it_is_told_by_its_small_words(text: str, expected: str) -> None:
    """Only where there are more of them than of English ones, and never where the letters are of another script."""
    assert expected == language_of(text)


@pytest.mark.usefixtures("german")
def test_what_has_rules_for_two_languages_reads_it_as_english() -> None:
    """Search and proof go on as for any text that is not Russian."""
    assert ("en", "ru") == (analysed_as("Wer leitet das Büro für Lantern?"), analysed_as("Кто ведёт Lantern?"))


@pytest.mark.usefixtures("german")
def test_numbers_and_money_are_written_as_the_file_says() -> None:
    """A sentence that the file has not is said in English."""
    assert ("1.234,5", "1.234,50 US-$") == (number("1,234.5", "de"), dollars(1234.5, "de"))
    assert phrase("list_all", "en") == phrase("list_all", "de")


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("locale", "named"),
    [
        ("de-DE", "de"),
        ("de", "de"),
        ("DE_at", "de"),
        (" de-CH,de;q=0.9,en;q=0.8", "de"),
        ("ru-RU", "ru"),
        ("ru;q=1", "ru"),
        ("en-US", "en"),
        ("den", None),
        ("fr,de", None),
        ("*", None),
        ("", None),
        (None, None),
    ],
)
def test_a_locale_names_its_language(locale: str | None, named: str | None) -> None:
    """By its first part alone; who has chosen none of ours is spoken to in English, and judged by their words."""
    assert named == language_named(locale)
    assert (named or "en") == language_read(locale)
    assert (None if named == "en" else named) == language_chosen(locale)


def test_a_language_whose_file_is_gone_is_english() -> None:
    """A question may have been stored in it."""
    assert phrase("refusal", "en") == phrase("refusal", "de")
    assert ["en", "ru"] == list(TONGUES) == list(read_files())


@settings(derandomize=True, max_examples=300)
@given(st.text(alphabet="abcdeАБВабвёЁжüßñ語1 .,?-"))
def test_two_languages_are_told_by_their_letters_alone(text: str) -> None:
    """Without a third, the language of a text is the one whose rules of words fit it."""
    assert analysed_as(text) == language_of(text)
