"""Word documents are read as a reader sees them."""

from io import BytesIO
from zipfile import ZipFile

import pytest

from adapters.loaders import office
from adapters.loaders.docx import read_docx
from core.errors import IngestError
from tests.adapters.loaders.made import archive, docx, one, paragraph, repacked, shapes, table

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


NUMBERS = "word/numbering.xml"


def clauses(*levels: str) -> str:
    """Return the definition of a list with the given texts of its levels, in use under number 1, and anew under 2."""
    made = "".join(
        f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for n, (text, _, form) in enumerate(level.partition("=") for level in levels)
    )
    anew = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    return (
        f'<w:numbering xmlns:w="{WORD}"><w:abstractNum w:abstractNumId="0">{made}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
        f'<w:num w:numId="2"><w:abstractNumId w:val="0"/>{anew}</w:num></w:numbering>'
    )


WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def clause(text: str, level: int, number: int = 1, style: str = "") -> str:
    """Return a paragraph that Word numbers."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    place = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    return f"<w:p><w:pPr>{named}{place}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def numbered(numbers: str, *body: str) -> bytes:
    """Return a Word document with a definition of its lists."""
    data = docx(*body)
    link = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering"
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"
    with ZipFile(BytesIO(data)) as archive:
        links = archive.read("word/_rels/document.xml.rels").decode()
        types = archive.read("[Content_Types].xml").decode()
    change = {
        NUMBERS: numbers,
        "word/_rels/document.xml.rels": links.replace(
            "</Relationships>", f'<Relationship Id="n" Type="{link}" Target="numbering.xml"/></Relationships>'
        ),
        "[Content_Types].xml": types.replace(
            "</Types>", f'<Override PartName="/{NUMBERS}" ContentType="{kind}"/></Types>'
        ),
    }
    return repacked(data, {name: text.encode() for name, text in change.items()})


def test_clauses_have_their_numbers() -> None:
    """People ask what clause 2.1 says; headings count, and keep their words alone; a list may begin anew."""
    body = (
        *(clause("Предмет", 0, style="Heading1"), clause("Поставка товара.", 1), clause("Оплата", 0, style="Heading1")),
        *(clause("В течение 5 дней.", 1), clause("наличными", 2), clause("картой", 2), clause("Без аванса.", 1)),
        *(clause("Приложение", 0, 2), clause("Список.", 1, 2)),
    )
    document = one("a.docx", numbered(clauses("%1.=decimal", "%1.%2.=decimal", "%3)=russianLower"), *body))

    assert [text for _, text in shapes(document)] == [
        *("1.1. Поставка товара.", "Оплата", "2.1. В течение 5 дней.", "а) наличными", "б) картой"),
        *("2.2. Без аванса.", "1. Приложение", "1.1. Список."),
    ]


def test_a_list_of_steps_has_no_numbers() -> None:
    """The items of a list that only counts are items: nobody speaks of clause 2."""
    body = (clause("Sign", 0), clause("by hand", 1), clause("Send", 0))
    document = one("a.docx", numbered(clauses("%1.=decimal", "%2)=lowerLetter"), *body))

    assert [text for _, text in shapes(document)] == ["Sign", "by hand", "Send"]


def box(text: str, fallback: str = "") -> str:
    """Return a paragraph with a text box as Word draws it."""
    held = f"<w:txbxContent>{paragraph(text)}</w:txbxContent>"
    shown = f'<v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox>{held}</v:textbox></v:shape>'
    old = f"<mc:Fallback><w:pict>{shown}</w:pict></mc:Fallback>"
    drawn = f'<mc:Choice Requires="wps"><w:drawing><w:inline>{held}</w:inline></w:drawing></mc:Choice>'
    names = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    shape = f"<mc:AlternateContent {names}>{drawn}{old if fallback else ''}</mc:AlternateContent>"
    return f"<w:p><w:r><w:t>Before.</w:t></w:r><w:r>{shape}</w:r></w:p>"


@pytest.mark.parametrize("fallback", ["", "old"])
def test_text_boxes(fallback: str) -> None:
    """What stands in a text box is read once, below its paragraph, with a drawing for old programs and without."""
    document = one("a.docx", docx(box("Телефон: 555-0199", fallback), paragraph("After.")))

    assert [text for _, text in shapes(document)] == ["Before.", "Телефон: 555-0199", "After."]


@pytest.mark.parametrize(("ends", "texts"), [(True, ["28 days."]), (False, ["Contents", "28 days."])])
def test_a_table_of_contents(ends: bool, texts: list[str]) -> None:  # noqa: FBT001
    """It repeats the headings and says nothing; one whose field ends elsewhere stays, for the field would be torn."""
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    inside_it = f"{paragraph('Contents')}<w:p>{mark.format('begin')}{mark.format('end') if ends else ''}</w:p>"
    held = (
        '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr>'
        f"<w:sdtContent>{inside_it}</w:sdtContent></w:sdt>"
    )
    after = "" if ends else f"<w:p>{mark.format('end')}</w:p>"

    assert [text for _, text in shapes(one("a.docx", docx(held, after, paragraph("28 days."))))] == texts
