"""PDF documents are read as a reader sees them."""

from io import BytesIO

import pypdfium2 as pdfium  # type: ignore[import-untyped, unused-ignore]
import pytest

from adapters.loaders.pdf import read_pdf
from core.errors import IngestError
from tests.adapters.loaders.made import Print, pdf

LINE = "Каждому сотруднику положено двадцать восемь дней отпуска в год, и этот от-"


def body(bottom: float, text: str) -> Print:
    """Return a line in the body's type."""
    return 70, bottom, 11, False, text


FIRST = [
    (70, 760, 22, False, "Отпуск"),
    body(735, "Правило 5 · Владелец: Анна Петрова · Updated: 2025-01-15"),
    (70, 700, 14, True, "Дни"),
    body(680, LINE),
    body(666, "пуск можно перенести до 31 марта."),
    body(640, "Нужно принести:"),
    body(620, "• паспорт, который ещё"),
    body(606, "действует;"),
    body(590, "• СНИЛС."),
    body(30, "Страница 1"),
]
SECOND = [
    (70, 760, 14, True, "Суммы"),
    body(730, "Страна"),
    (270, 730, 11, False, "Сумма"),
    body(712, "Нидерланды"),
    (270, 712, 11, False, "95 евро"),
    body(694, "Португалия"),
    (270, 694, 11, False, "70 евро"),
    body(30, "Страница 2"),
]


def test_a_document() -> None:
    """Titles, mended paragraphs, items and tables come back from the printed lines, with their pages."""
    reading = read_pdf(pdf([FIRST, SECOND]), "a.pdf")

    assert [(piece.kind, piece.depth, piece.text, piece.page) for piece in reading.pieces] == [
        ("heading", 1, "Отпуск", 1),
        ("paragraph", 0, "Правило 5", 1),
        ("heading", 2, "Дни", 1),
        ("paragraph", 0, LINE[:-1] + "пуск можно перенести до 31 марта.", 1),
        ("paragraph", 0, "Нужно принести:", 1),
        ("item", 0, "паспорт, который ещё действует;", 1),
        ("item", 0, "СНИЛС.", 1),
        ("heading", 2, "Суммы", 2),
        ("row", 0, "Нидерланды | 95 евро", 2),
        ("row", 0, "Португалия | 70 евро", 2),
    ]
    assert reading.pieces[-1].labels == ("Страна", "Сумма")
    assert reading.meta == {"владелец": "Анна Петрова", "updated": "2025-01-15"}


def test_bold_lines_are_headings() -> None:
    """Bold type in the body's size makes a heading."""
    lines = [(70, 700, 11, True, "Payment"), body(680, "Salaries are paid on the 25th of the month by bank transfer.")]

    assert read_pdf(pdf([lines]), "a.pdf").pieces[0].kind == "heading"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(pdf([FIRST, SECOND])[:-400], "cut off", id="truncated"),
        pytest.param(b"not a PDF at all", "not a PDF", id="text"),
        pytest.param(b"%PDF-1.4\ngarbage\n%%EOF", "broken", id="garbage"),
        pytest.param(pdf([[]]), "OCR", id="no text"),
        pytest.param(
            pdf(
                [FIRST],
                f"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{'41' * 32}> /U <{'42' * 32}> >> /ID [<00> <00>]",
            ),
            "password",
            id="encrypted",
        ),
    ],
)
def test_what_cannot_be_read_is_named(data: bytes, reason: str) -> None:
    """Broken, protected and scanned files are refused, each with its remedy."""
    with pytest.raises(IngestError, match=reason):
        read_pdf(data, "a.pdf")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([("Приём стоит 80", 132), ("1", 139), ("EUR для взрослых.", 0)], "Приём стоит 80 EUR для взрослых."),
        ([("Up to 10", 114), ("6", 121), ("cells in each plate.", 0)], "Up to 10⁶ cells in each plate."),
        ([("A room of 40 m", 150), ("2", 157), ("for guests.", 0)], "A room of 40 m² for guests."),
        ([("Open for 4 hours", 156), ("2", 163), ("a day.", 0)], "Open for 4 hours a day."),
    ],
)
def test_raised_digits(lines: list[tuple[str, float]], expected: str) -> None:
    """What is set smaller and higher is a power, or the mark of a note, which is none of the words."""
    (first, left), (mark, after), (rest, _) = lines
    page = [
        body(740, LINE),
        (70, 700, 11, False, first),
        (left, 704, 6, False, mark),
        (after, 700, 11, False, rest),
        (70, 640, 7, False, "2 Except on holidays."),
    ]

    assert expected in [piece.text for piece in read_pdf(pdf([page]), "a.pdf").pieces]


def scanned(pages: int, *without: int) -> bytes:
    """Return a PDF of so many pages, of which some show nothing but an image."""
    document = pdfium.PdfDocument(
        pdf([[] if n in without else [body(700, f"Page of {n} words")] for n in range(pages)])
    )
    for number in without:
        page, image = document[number], pdfium.PdfImage.new(document)
        image.set_bitmap(pdfium.PdfBitmap.new_native(4, 4, pdfium.raw.FPDFBitmap_BGR))
        page.insert_obj(image)
        page.gen_content()
    out = BytesIO()
    document.save(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("pages", "without", "told"),
    [
        (3, (1,), "page 2 shows"),
        (4, (0, 2), "pages 1, 3 show"),
        (14, tuple(range(1, 14)), "pages 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 3 more show"),
    ],
)
def test_scanned_pages_are_named(pages: int, without: tuple[int, ...], told: str) -> None:
    """A page that shows only images is told with the remedy; the others are read."""
    read = read_pdf(scanned(pages, *without), "a.pdf")

    assert len({piece.page for piece in read.pieces}) == pages - len(without)
    assert read.unread == (f"is read, but {told} only images: run text recognition (OCR) on it",)


def test_an_empty_page_is_not_named() -> None:
    """Nothing is missing of a page on which nothing is."""
    assert read_pdf(pdf([[body(700, "First")], [], [body(700, "Third")]]), "a.pdf").unread == ()
