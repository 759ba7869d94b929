"""What a document says about itself in its first lines."""

from core.facts import Link, Span
from core.ingest.header import without_header
from core.ingest.pieces import Piece


def test_field_lines_are_taken() -> None:
    """Fields leave the pieces; the first of two statements holds."""
    pieces = (Piece("field", "Owner: Anna"), Piece("field", "Owner: Bob"), Piece("paragraph", "Text."))

    assert without_header(pieces) == ({"Owner": "Anna"}, (Piece("paragraph", "Text."),))


def test_a_field_that_leads_somewhere_stays() -> None:
    """A statement with a link in it is no mere text: taken out it would lose where it leads."""
    pieces = (Piece("field", "Почта: Анна", links=(Link("mailto:a@example.org", Span(7, 11)),)),)

    assert without_header(pieces) == ({}, pieces)


def test_a_byline_is_taken_apart() -> None:
    """In a line parted by dots, what reads `key: value` is taken and the rest stays."""
    byline = Piece("paragraph", "Правило 7 · Владелец: Анна Петрова · Updated: 2025-01-15", page=1)

    fields, pieces = without_header((Piece("heading", "Отпуск", 1), byline))

    assert fields == {"Владелец": "Анна Петрова", "Updated": "2025-01-15"}
    assert pieces == (Piece("heading", "Отпуск", 1), Piece("paragraph", "Правило 7", page=1))


def test_a_byline_of_fields_alone_disappears() -> None:
    """Nothing is left of a line that holds nothing else."""
    assert without_header((Piece("paragraph", "Owner: Anna | Team: Apps"),))[1] == ()


def test_the_date_may_stand_in_a_sentence() -> None:
    """A date after "Last updated" in the first lines is that of the document; the sentence stays."""
    pieces = (Piece("paragraph", "Maintained by Hanneke. Last updated: 2025-02-24"),)

    assert without_header(pieces) == ({"updated": "2025-02-24"}, pieces)


def test_further_down_nothing_is_taken() -> None:
    """The head of a document is short: later lines are text."""
    pieces = (*(Piece("paragraph", "Text.") for _ in range(6)), Piece("paragraph", "A · Owner: Anna"))

    assert without_header(pieces) == ({}, pieces)
