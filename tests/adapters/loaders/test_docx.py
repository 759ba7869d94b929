"""Word documents are read as a reader sees them."""

import pytest

from adapters.loaders import office
from adapters.loaders.docx import read_docx
from core.errors import IngestError
from tests.adapters.loaders.made import archive, docx, paragraph, repacked, table

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


def _styled(name: str, properties: str = "", based: str = "") -> str:
    parent = f'<w:basedOn w:val="{based}"/>' if based else ""
    return (
        f'<w:style w:type="paragraph" w:styleId="{name}"><w:name w:val="{name}"/>{parent}'
        f"<w:pPr>{properties}</w:pPr></w:style>"
    )


def test_headings_by_their_outline_level() -> None:
    """A heading is one also by its own outline level, and in a company's own style, whatever that is called."""
    level = '<w:outlineLvl w:val="{}"/>'.format
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    styles = _styled("Раздел", level(0)) + _styled("Sub", level(1)) + _styled("Sub2", based="Sub")
    data = repacked(
        docx(
            paragraph("Отпуск", "Раздел"),
            paragraph("Days", "Sub2"),
            f"<w:p><w:pPr>{level(2)}</w:pPr><w:r><w:t>Третий</w:t></w:r></w:p>",
            f'<w:p><w:pPr><w:pStyle w:val="Sub"/>{level(9)}</w:pPr><w:r><w:t>text</w:t></w:r></w:p>',
        ),
        {"word/styles.xml": f"<w:styles {space}>{styles}</w:styles>".encode()},
    )

    assert [(piece.kind, piece.depth, piece.text) for piece in read_docx(data, "a.docx").pieces] == [
        ("heading", 1, "Отпуск"),
        ("heading", 2, "Days"),
        ("heading", 3, "Третий"),
        ("paragraph", 0, "text"),
    ]


def test_fields_that_never_end() -> None:
    """Fields opened without end would take the reader hours, and are named."""
    field = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
    with pytest.raises(IngestError, match="save it again"):
        read_docx(docx(f"<w:p>{field * 20_000}<w:r><w:t>Дни</w:t></w:r></w:p>"), "a.docx")


def test_hidden_words() -> None:
    """What Word hides stays hidden; what it shows in spite of the mark is read."""
    run = "<w:r><w:rPr><w:vanish{}/></w:rPr><w:t>{}</w:t></w:r>".format
    words = ("<w:r><w:t>Цена 5</w:t></w:r>", run("", " (cost 2)"), run(' w:val="0"', " рублей"))

    assert read_docx(docx(f"<w:p>{''.join(words)}</w:p>"), "a.docx").pieces[0].text == "Цена 5 рублей"


def test_merged_cells() -> None:
    """A cell merged over several rows is in each of them."""
    merged = [
        f"<w:tr><w:tc><w:tcPr><w:vMerge{how}/></w:tcPr>{paragraph(text)}</w:tc><w:tc>{paragraph(n)}</w:tc></w:tr>"
        for how, text, n in ((' w:val="restart"', "Север", "1"), ("", "", "2"))
    ]
    data = docx(table(("Region", "N")).replace("</w:tbl>", "".join(merged) + "</w:tbl>"))

    assert [piece.text for piece in read_docx(data, "a.docx").pieces] == ["Север | 1", "Север | 2"]


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


def test_raised_and_struck_out_words() -> None:
    """A raised digit does not melt into a sum or a number, and what is struck out, once or twice, is not said."""
    run = "<w:r><w:rPr><w:{}/></w:rPr><w:t>{}</w:t></w:r>".format
    plain = '<w:r><w:t xml:space="preserve">{}</w:t></w:r>'.format
    up = 'vertAlign w:val="superscript"'
    data = docx(
        f"<w:p>{plain('Оклад £31,500')}{run(up, '1')}{plain(' в год')}</w:p>",
        f"<w:p>{plain('1.5 × 10')}{run(up, '6')}{plain(' cells')}</w:p>",
        f"<w:p>{plain('Bonus ')}{run('strike', '£900')}{run('dstrike', '£1,000')}{plain(' £1,200')}</w:p>",
    )

    assert [piece.text for piece in read_docx(data, "a.docx").pieces] == [
        "Оклад £31,500 в год",
        "1.5 × 10⁶ cells",
        "Bonus £1,200",
    ]


def test_a_form() -> None:
    """The first line of a form is one of its rows and names no column."""
    form = table(("Сотрудник", "Анна Котова"), ("Position", "Lab technician"), ("Оклад", "95 000 руб."))
    pieces = read_docx(docx(form), "a.docx").pieces

    assert [(piece.labels, piece.text) for piece in pieces] == [
        ((), "Сотрудник | Анна Котова"),
        ((), "Position | Lab technician"),
        ((), "Оклад | 95 000 руб."),
    ]
