"""Presentations are read as a reader sees them."""

from pptx import Presentation
from pptx.util import Inches

from tests.adapters.loaders.made import one, rows_of, saved, slides


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
