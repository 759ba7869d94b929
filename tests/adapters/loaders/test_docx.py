"""Word documents are read as a reader sees them."""

import pytest

from adapters.loaders import office
from adapters.loaders.docx import read_docx
from core.errors import IngestError
from tests.adapters.loaders.made import archive, docx, paragraph, table

HANDBOOK = docx(
    paragraph("Отпуск", "Title"),
    paragraph("Правило 5 · Owner: Анна Петрова · Updated: 2025-01-15"),
    paragraph("Дни", "Heading1"),
    paragraph("Каждому 28 дней. 1. *не разметка*"),
    table(("Стаж", "Дни"), ("год", "28"), ("пять лет", "30")),
)


def test_a_document() -> None:
    """Titles, headings, paragraphs and tables come back; the first row of a table names the columns."""
    reading = read_docx(HANDBOOK, "a.docx")

    assert [(piece.kind, piece.depth, piece.text) for piece in reading.pieces] == [
        ("heading", 1, "Отпуск"),
        ("paragraph", 0, "Правило 5"),
        ("heading", 1, "Дни"),
        ("paragraph", 0, "Каждому 28 дней. 1. *не разметка*"),
        ("row", 0, "год | 28"),
        ("row", 0, "пять лет | 30"),
    ]
    assert reading.pieces[-1].labels == ("Стаж", "Дни")
    assert reading.meta == {"owner": "Анна Петрова", "updated": "2025-01-15"}


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(HANDBOOK[:-100], id="truncated"),
        pytest.param(b"not a zip archive", id="text"),
        pytest.param(archive({"a.txt": "x"}), id="other archive"),
        pytest.param(docx("<w:p><unclosed>"), id="broken XML"),
    ],
)
def test_broken_documents_are_named(data: bytes) -> None:
    """A file that Word would not open is refused, with the remedy."""
    with pytest.raises(IngestError, match="save it again"):
        read_docx(data, "a.docx")


def test_a_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive that grows beyond the limit is refused before it is unpacked."""
    monkeypatch.setattr(office, "UNPACKED_LIMIT", 100)

    with pytest.raises(IngestError, match="more than 100"):
        read_docx(HANDBOOK, "a.docx")
