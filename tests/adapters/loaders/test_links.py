"""Links of PDF pages, slides and sheets are taken with the words that they stand on, relative ones too."""

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from openpyxl import Workbook
from openpyxl.worksheet.hyperlink import Hyperlink
from pptx import Presentation
from pptx.util import Inches

from adapters.loaders import load_corpus
from core.ingest.corpus import build_graph
from core.ingest.document import Document
from tests.adapters.loaders.made import Print, one, pdf, repacked, saved, write

URI = "/URI /URI ({})".format


def links_of(document: Document) -> list[tuple[str, str]]:
    """Return the words and the target of every link."""
    return [(link.span.within(document.text), link.target) for block in document.blocks for link in block.links]


def line(bottom: float, text: str) -> Print:
    """Return a line in the body's type; 11 points of Helvetica stand about 5.5 apart."""
    return 70, bottom, 11, False, text


def test_links_of_a_page() -> None:
    """Addresses, relative paths and other files are links of the words in their boxes; places in the file are none."""
    width = 400
    page = [
        line(700, "Leave is asked for with"),
        (220, 700, 11, False, "the form"),
        line(680, "Подробно в правилах."),
        line(640, "See the travel rules, which also tell what is paid for hotels and"),
        line(626, "trains."),
        line(590, "Table of contents"),
    ]
    boxes = [
        (219, 698, 400, 712, URI("https://forms.example/leave?a=1")),
        (69, 678, width, 692, URI("policies/leave.docx#days")),
        (69, 638, 595, 652, "/GoToR /F (travel.pdf) /D [0 /Fit]"),
        (69, 624, width, 638, "/GoToR /F (travel.pdf) /D [0 /Fit]"),
        (69, 588, width, 602, "/GoTo /D [0 /Fit]"),
        (300, 100, width, 120, URI("https://nothing.example/")),
    ]

    assert links_of(one("a.pdf", pdf([page], links={1: boxes}))) == [
        ("the form", "https://forms.example/leave?a=1"),
        ("Подробно в правилах", "policies/leave.docx#days"),
        ("See the travel rules, which also tell what is paid for hotels and trains", "travel.pdf"),
    ]


def test_words_that_are_said_often() -> None:
    """Of the same words twice each has its own link, by what stands around them; where that is alike there is none."""
    page = [
        line(700, "The leave form is here."),
        line(680, "Форма командировки: here."),
        line(640, "x"),
        line(600, "x"),
    ]
    boxes = [
        (140, 678, 300, 692, URI("trip.pdf")),
        (143, 698, 200, 712, URI("leave.pdf")),
        (69, 598, 90, 612, URI("x.pdf")),
    ]

    known = one("a.pdf", pdf([page], links={1: boxes}))

    assert [target for words, target in links_of(known) if "here" in words] == ["leave.pdf", "trip.pdf"]
    assert "x.pdf" in [target for _, target in links_of(known)]
    alike = [line(700 - 20 * n, "Read more") for n in range(30)]
    assert links_of(one("a.pdf", pdf([alike], links={1: [(69, 498, 200, 512, URI("m.pdf"))]}))) == []


def test_a_link_of_words_that_are_no_text() -> None:
    """The name of a column is told with each row and is none of its text: its link is not put on the same word."""
    rows = [("Город", "Form"), ("Leeds", "A7"), ("Porto", "B9")]
    page = [
        (left, 700 - 18 * n, 11, not n, text)
        for n, row in enumerate(rows)
        for left, text in zip((70, 270), row, strict=True)
    ]
    page.append(line(560, "Fill in the Form before you travel."))
    head = (269, 698, 330, 712, URI("https://forms.example/"))

    known = one("a.pdf", pdf([page], links={1: [head]}))

    assert [block.labels for block in known.blocks if block.kind == "row"] == [("Город", "Form")] * 2
    assert links_of(known) == []


def test_links_of_slides() -> None:
    """Words, cells, notes and buttons lead where they lead in PowerPoint; what leads to another slide leads nowhere."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text_frame.paragraphs[0].add_run().text = "Отпуск"
    slide.shapes.title.text_frame.paragraphs[0].runs[0].hyperlink.address = "leave.docx"
    words = slide.placeholders[1].text_frame.paragraphs[0]
    for text, address in (("See  the ", None), ("travel ", "../travel.pdf"), ("rules", "../travel.pdf"), (".", None)):
        run = words.add_run()
        run.text = text
        if address:
            run.hyperlink.address = address
    grid = slide.shapes.add_table(3, 2, 0, 0, Inches(4), Inches(1)).table
    for place, text in enumerate(("Что", "Где", "Такси", "форма | 2", "Hotel", "desk")):
        grid.cell(place // 2, place % 2).text = text
    grid.cell(1, 1).text_frame.paragraphs[0].runs[0].hyperlink.address = "https://forms.example/?a=1&b=2"
    button = slide.shapes.add_textbox(0, 0, Inches(1), Inches(1))
    button.text_frame.text = "Ask"
    button.click_action.hyperlink.address = "mailto:help@example.org"
    inside = slide.shapes.add_textbox(0, 0, Inches(1), Inches(1))
    inside.text_frame.text = "Next"
    inside.click_action.target_slide = deck.slides.add_slide(deck.slide_layouts[6])
    note = slide.notes_slide.notes_text_frame.paragraphs[0].add_run()
    note.text = "источник"
    note.hyperlink.address = "src.md"

    known = one("a.pptx", saved(deck))

    assert known.title == "Отпуск"
    assert links_of(known) == [
        ("travel rules", "../travel.pdf"),
        ("форма|2", "https://forms.example/?a=1&b=2"),
        ("Ask", "mailto:help@example.org"),
        ("источник", "src.md"),
    ]


def test_links_of_sheets() -> None:
    """Cells lead where they lead in Excel, by a link or a formula; what leads to another cell leads nowhere."""
    book = Workbook()
    (sheet,) = book.worksheets
    sheet.append(["Read [first] this"])
    sheet.append([])
    sheet.append(["Что", "Где"])
    for row in (["Отпуск", "форма | 1"], ["Travel", "X"], ["Inside", "cell"], ["Two", "cells"]):
        sheet.append(row)
    sheet["A1"].hyperlink = "../read.md"
    sheet["B4"].hyperlink = "leave.docx#days"
    sheet["B5"] = '=HYPERLINK("https://forms.example/?a=1&b=2","travel")'
    sheet["B6"].hyperlink = Hyperlink(ref="B6", location="Sheet!A1")
    sheet["A7"].hyperlink = "https://two.example/"
    sheet["A7"].hyperlink.ref = "A7:B7"
    data = saved(book)
    with_value = part(data).replace(b'<c r="B5"><f>', b'<c r="B5" t="str"><f>').replace(b"<v></v>", b"<v>travel</v>")
    data = repacked(data, {"xl/worksheets/sheet1.xml": with_value})

    assert links_of(one("a.xlsx", data)) == [
        ("Read [first] this", "../read.md"),
        ("форма|1", "leave.docx#days"),
        ("travel", "https://forms.example/?a=1&b=2"),
        ("Two", "https://two.example/"),
        ("cells", "https://two.example/"),
    ]


def part(workbook: bytes) -> bytes:
    """Return the XML of the first sheet."""
    with ZipFile(BytesIO(workbook)) as archive:
        return archive.read("xl/worksheets/sheet1.xml")


def test_a_merged_cell_leads_from_each_row() -> None:
    """A cell over several rows is in each of them, and so is its link."""
    book = Workbook()
    (sheet,) = book.worksheets
    for row in (["Команда", "Имя"], ["Альфа", "Анна"], [None, "Bob"]):
        sheet.append(row)
    sheet["A2"].hyperlink = "teams/alpha.md"
    sheet.merge_cells("A2:A3")

    assert links_of(one("a.xlsx", saved(book))) == [("Альфа", "teams/alpha.md")] * 2


def test_far_cells_cost_nothing() -> None:
    """A link over all cells that a sheet can have is taken for as many as a sheet may have links."""
    book = Workbook()
    (sheet,) = book.worksheets
    sheet.append(["one", "two"])
    sheet["A1"].hyperlink = "https://a.example/"
    sheet["A1"].hyperlink.ref = "A1:XFD1048576"

    assert links_of(one("a.xlsx", saved(book))) == [("one", "https://a.example/"), ("two", "https://a.example/")]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.txt", "See https://a.example/x.md, please.", ["https://a.example/x.md"]),
        ("a.txt", "См. (https://ru.example/Лист_(1)).", ["https://ru.example/Лист_(1)"]),
        (
            "a.md",
            "See [here](https://a.example/) or https://b.example/?q=1.",
            ["https://a.example/", "https://b.example/?q=1"],
        ),
        ("a.md", "[https://a.example/x](https://a.example/y)", ["https://a.example/y"]),
        ("a.md", "```\ncurl https://a.example/x\n```", []),
        ("a.csv", "Что,Где\nФорма,https://a.example/f\nA,b", ["https://a.example/f"]),
        ("a.txt", "A scheme alone, https://, is none; nor is http://.", []),
    ],
)
def test_addresses_that_are_written_out(name: str, text: str, expected: list[str]) -> None:
    """An address in a text is a link of every format, without the punctuation behind it; in code it is code."""
    assert [target for _, target in links_of(one(name, text))] == expected


def test_the_graph_has_them(tmp_path: Path) -> None:
    """A relative path, and the web address of a page, tie the document to the page that they lead to."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Slides"
    slide.placeholders[1].text = "rules"
    slide.placeholders[1].text_frame.paragraphs[0].runs[0].hyperlink.address = "../policies/travel.md"
    page = pdf([[line(700, "See the rules.")]], links={1: [(90, 698, 300, 712, URI("../policies/leave.md"))]})
    write(
        tmp_path,
        {
            "domain.yaml": "link_base: https://wiki.example/",
            "policies/leave.md": "# Leave\n\nText.\n",
            "policies/travel.md": "# Командировки\n\nТекст.\n",
            "more/a.pdf": page,
            "more/b.pptx": saved(deck),
            "more/c.txt": "Read https://wiki.example/policies/leave.md first.\n",
        },
    )

    corpus = load_corpus(tmp_path)
    edges = [edge for all_of in build_graph(corpus.documents, ()).edges.values() for edge in all_of]

    assert {(edge.source, edge.target) for edge in edges if edge.relation == "LINKS_TO"} == {
        ("more/a.pdf", "policies/leave.md"),
        ("more/b.pptx", "policies/travel.md"),
        ("more/c.txt", "policies/leave.md"),
    }
