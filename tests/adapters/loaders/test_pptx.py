"""Presentations are read as a reader sees them."""

from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.util import Inches

from tests.adapters.loaders.made import one, rows_of, saved, shapes, slides


def made() -> bytes:
    """Return a presentation with all that one has: a title, a list, a table, notes, a group, a hidden slide."""
    deck = Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[0])
    first.shapes.title.text, first.placeholders[1].text = "Отпуск", "Правила на 2025 год"
    second = deck.slides.add_slide(deck.slide_layouts[1])
    second.shapes.title.text = "Дни"
    frame = second.placeholders[1].text_frame
    frame.text = "28 дней"
    for text, level in (("14 подряд", 1), ("перенос", 0)):
        line = frame.add_paragraph()
        line.text, line.level = text, level
    second.notes_slide.notes_text_frame.text = "Сказать о сроках.\nAsk HR."
    third = deck.slides.add_slide(deck.slide_layouts[6])
    table = third.shapes.add_table(2, 2, 0, 0, Inches(4), Inches(1)).table
    for place, text in enumerate(("Стаж", "Дни", "год", "28")):
        table.cell(place // 2, place % 2).text = text
    box = third.shapes.add_group_shape().shapes.add_textbox(0, 0, Inches(1), Inches(1))
    box.text_frame.text = "Сноска"
    hidden = deck.slides.add_slide(deck.slide_layouts[1])
    hidden.shapes.title.text = "тайна"
    hidden.element.set("show", "0")
    return saved(deck)


def test_a_presentation() -> None:
    """Slides are sections, their lists keep their nesting, tables their columns; the page is the slide's number."""
    known = one("a.pptx", made())

    assert known.title == "Отпуск"
    assert [(b.kind, b.depth, b.span.within(known.text), b.headings, b.page) for b in known.blocks] == [
        ("paragraph", 0, "Правила на 2025 год", (), 1),
        ("heading", 1, "Дни", (), 2),
        ("item", 0, "28 дней", ("Дни",), 2),
        ("item", 1, "14 подряд", ("Дни",), 2),
        ("item", 0, "перенос", ("Дни",), 2),
        ("heading", 2, "Заметки", ("Дни",), 2),
        ("paragraph", 0, "Сказать о сроках.", ("Дни", "Заметки"), 2),
        ("paragraph", 0, "Ask HR.", ("Дни", "Заметки"), 2),
        ("heading", 1, "Слайд 3", (), 3),
        ("row", 0, "год | 28", ("Слайд 3",), 3),
        ("paragraph", 0, "Сноска", ("Слайд 3",), 3),
    ]
    assert known.blocks[9].labels == ("Стаж", "Дни")


def test_an_english_presentation() -> None:
    """One line in the place of a list is a paragraph; a slide without a title has its number for one."""
    known = one("a.pptx", slides(("Leave", ["25 days"]), ("", ["Ask HR.", "Or IT."])))

    assert [(b.kind, b.span.within(known.text), b.headings) for b in known.blocks] == [
        ("paragraph", "25 days", ()),
        ("heading", "Slide 2", ()),
        ("item", "Ask HR.", ("Slide 2",)),
        ("item", "Or IT.", ("Slide 2",)),
    ]


def test_raised_and_struck_out_words() -> None:
    """A raised digit does not melt into the number before it; what is struck out is not said; lines stay apart."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Цены"
    frame = slide.shapes.add_textbox(Inches(1), Inches(2), Inches(5), Inches(2)).text_frame
    for text, mark in (("40 м", ""), ("2", "baseline"), (" по ", ""), ("900", "strike"), (" 1200 рублей, SO", "")):
        run = frame.paragraphs[0].add_run()
        run.text = text
        if mark:
            run.font._element.set(mark, "30000" if mark == "baseline" else "sngStrike")
    last = frame.paragraphs[0].add_run()
    last.text = "2"
    last.font._element.set("baseline", "-25000")

    assert one("a.pptx", saved(deck)).text.endswith("40 м² по 1200 рублей, SO2")


def test_a_form() -> None:
    """The first line of a form is one of its rows, though PowerPoint sets it like the names of columns."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Факты"
    lines = (("Sponsor", "Vera Lund"), ("Бюджет", "$2.4M"), ("Deadline", "30 Sep 2026"))
    made = slide.shapes.add_table(3, 2, Inches(1), Inches(2), Inches(5), Inches(2)).table
    for place, cell in enumerate(cell for line in lines for cell in line):
        made.cell(place // 2, place % 2).text = cell

    assert rows_of(one("a.pptx", saved(deck))) == [((), " | ".join(line)) for line in lines]


def test_a_chart() -> None:
    """What a chart draws can be asked for: its title, and its numbers under the names of its series."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Выручка"
    data = CategoryChartData()
    data.categories = ["2023", "2024"]
    data.add_series("План, млн", (1.5, 2))
    data.add_series("Факт, млн", (1.25, None))
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, 99, 99, data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "По годам"
    document = one("a.pptx", saved(deck))

    assert shapes(document)[-3:] == [("paragraph", "По годам"), ("row", "2023 | 1.5 | 1.25"), ("row", "2024 | 2 | ")]
    assert rows_of(document)[0][0] == ("", "План, млн", "Факт, млн")


def test_an_unknown_chart_keeps_its_title() -> None:
    """A kind of chart that the library does not know costs its numbers, not the presentation."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    data = CategoryChartData()
    data.categories = ["2023"]
    data.add_series("Plan", (1,))
    frame = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, 99, 99, data)
    frame.chart.has_title = True
    frame.chart.chart_title.text_frame.text = "Shares"
    for bars in frame.chart.part._element.iter("{*}barChart"):
        bars.tag = bars.tag.replace("barChart", "ofPieChart")

    assert shapes(one("a.pptx", saved(deck))) == [("paragraph", "Shares")]


DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
KINDS = "application/vnd.openxmlformats-officedocument"
DIAGRAM_FRAME = (
    '<p:graphicFrame xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="'
    + DRAWING
    + '"><p:nvGraphicFramePr><p:cNvPr id="9" name="D"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm>'
    '<a:off x="0" y="0"/><a:ext cx="9" cy="9"/></p:xfrm><a:graphic><a:graphicData uri="'
    + DIAGRAM
    + '"><dgm:relIds xmlns:dgm="'
    + DIAGRAM
    + '" xmlns:r="'
    + RELATIONS
    + '" r:dm="{}"/></a:graphicData></a:graphic></p:graphicFrame>'
)


def test_a_diagram() -> None:
    """The words of a diagram (SmartArt) are a list; one whose words are missing costs nothing else."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    words = "".join(
        f"<dgm:pt><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>" for text in ("Заявка", "Оплата", " ")
    )
    blob = f'<dgm:dataModel xmlns:dgm="{DIAGRAM}" xmlns:a="{DRAWING}"><dgm:ptLst>{words}</dgm:ptLst></dgm:dataModel>'
    part = Part(
        PackURI("/ppt/diagrams/data1.xml"), f"{KINDS}.drawingml.diagramData+xml", deck.part.package, blob.encode()
    )
    known = slide.part.relate_to(part, f"{RELATIONS}/diagramData")
    for name in (known, "lost"):
        slide.shapes._spTree.append(parse_xml(DIAGRAM_FRAME.format(name)))
    slide.shapes.add_textbox(0, 0, 9, 9).text_frame.text = "После"

    assert shapes(one("a.pptx", saved(deck)))[-3:] == [("item", "Заявка"), ("item", "Оплата"), ("paragraph", "После")]


def test_cells_merged_over_rows() -> None:
    """What stands once beside several rows is said of each of them."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    grid = slide.shapes.add_table(3, 3, 0, 0, 99, 99).table
    for row, texts in enumerate((("Регион", "Город", "Цена"), ("Север", "Лидс", "10"), ("", "Йорк", "12"))):
        for column, text in enumerate(texts):
            grid.cell(row, column).text = text
    grid.cell(1, 0).merge(grid.cell(2, 0))

    assert [text for _, text in rows_of(one("a.pptx", saved(deck)))] == ["Север | Лидс | 10", "Север | Йорк | 12"]
