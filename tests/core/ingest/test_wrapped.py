"""Wrapped lines become running text."""

from core.ingest.wrapped import joined, words_of


def test_lines_are_joined_by_a_space() -> None:
    """A line end is a space."""
    assert joined(["one ", " two", "три"]) == "one two три"


def test_a_broken_word_is_mended() -> None:
    """A hyphen at the end of a line before a small letter belongs to the line, not to the word."""
    assert joined(["Сотруд-", "ники полу-", "чают"]) == "Сотрудники получают"


def test_a_compound_keeps_its_hyphen() -> None:
    """A word that the document spells with a hyphen elsewhere keeps it."""
    assert joined(["long-", "term plan"], words_of(["a long-term plan"])) == "long-term plan"


def test_a_name_keeps_its_hyphen() -> None:
    """Before a capital or a digit the hyphen is part of the name."""
    assert joined(["Team Nord-", "West"]) == "Team Nord- West"
