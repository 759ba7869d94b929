"""Raised digits read as what they say."""

import pytest

from core.ingest.raised import label_of, lowered, raised

NOTES = frozenset(("1", "2", "*"))


@pytest.mark.parametrize(
    ("before", "mark", "after", "expected"),
    [
        ("1.5 × 10", "6", " cells", "⁶"),
        ("10", "2", " objects", "²"),
        ("площадь 40 м", "2", ".", "²"),
        ("40 km", "2", "", "²"),
        ("40km", "2", "", "²"),
        ("x", "2", " + 1", "²"),
        ("10", "-3", "", "⁻³"),
        ("2", "10", "", "¹⁰"),
        ("10", "1.5", "", "^1.5"),
        ("the 1", "st", " day", "st"),
        ("Brand", "™", "", "™"),
        ("1", "1", "/2 cups", " 1"),
        ("", "1", "⁄2 cups", "1"),
    ],
)
def test_powers_and_words(before: str, mark: str, after: str, expected: str) -> None:
    """A power stays raised even where a note has its number; letters and fractions are read as they stand."""
    assert raised(mark, before, after, NOTES) == expected


@pytest.mark.parametrize(
    ("before", "mark", "after", "notes", "expected"),
    [
        ("costs $49", "1", " a month", NOTES, ""),
        ("costs $49", "3", " a month", NOTES, ""),
        ("24 000", "1", " ₽", NOTES, ""),
        ("24 000", "3", " рублей", NOTES, ""),
        ("within 4 hours", "1", ";", NOTES, ""),
        ("within 4 hours", "1, 2", ";", NOTES, ""),
        ("within 4 hours", "*", ";", NOTES, ""),
        ("within 4 hours", "3", ";", NOTES, "³"),
        ("в течение 4 часов", "[7]", "", frozenset[str](), ""),
        ("85", "2", " рабочих мест", NOTES, ""),
        ("85", "3", " рабочих мест", NOTES, "³"),
    ],
)
def test_marks_of_notes(before: str, mark: str, after: str, notes: frozenset[str], expected: str) -> None:
    """The mark of a note that is there, and any mark on a sum of money, is no part of the words."""
    assert raised(mark, before, after, notes) == expected


@pytest.mark.parametrize(
    ("before", "mark", "after", "expected"),
    [
        ("$19", "99", " per seat", ".99"),
        ("€ 1,250", "50", "", ".50"),
        ("1 999", "99", " ₽", ",99"),
        ("10", "99", " €", ",99"),
        ("10", "12", " euros", "¹²"),
        ("$19.99", "12", "", ""),
        ("£5", "*", "", "*"),
    ],
)
def test_cents(before: str, mark: str, after: str, expected: str) -> None:
    """Two raised digits behind a whole sum are its cents."""
    assert raised(mark, before, after) == expected


def test_lowered() -> None:
    """Behind a letter a lowered digit reads as one; behind a digit it stays lowered."""
    assert lowered("2", "H") == "2"
    assert lowered("2", "101") == "₂"
    assert lowered("max", "10") == "max"


def test_labels_of_notes() -> None:
    """What is raised at the beginning of a note is its label; a word is none."""
    assert [label_of(mark) for mark in ("1", " [12] ", "a", "**", "word", "")] == ["1", "12", "a", "**", "", ""]
