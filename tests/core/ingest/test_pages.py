"""Printed lines become pieces."""

from collections.abc import Sequence
from dataclasses import replace

from core.ingest.pages import Cell, Line, pieces_of
from core.ingest.pieces import Piece

FULL = 500.0


def line(text: str, bottom: float, *, size: float = 10, page: int = 1, bold: bool = False, left: float = 70) -> Line:
    """Return a printed line; " | " in the text parts cells in columns of 150 points."""
    cells = tuple(
        Cell(part, left + 150 * place, left + 150 * place + 5 * len(part))
        for place, part in enumerate(text.split(" | "))
    )
    return Line(cells, bottom, size, page, bold)


def shapes(lines: Sequence[Line]) -> list[tuple[str, int, str]]:
    """Return kind, depth and text of each piece."""
    return [(piece.kind, piece.depth, piece.text) for piece in pieces_of(lines)]


LONG = "This is a line of running text that reaches from one margin to the other margin of"


def test_lines_close_together_are_one_paragraph() -> None:
    """A gap wider than the usual line distance parts paragraphs."""
    lines = [line(LONG, 700), line("the printed page.", 688), line(LONG, 664), line("the next page.", 652)]

    assert shapes(lines) == [
        ("paragraph", 0, f"{LONG} the printed page."),
        ("paragraph", 0, f"{LONG} the next page."),
    ]


def test_a_short_last_line_ends_a_paragraph() -> None:
    """Without gaps, a sentence that ends before the margin ends its paragraph."""
    lines = [line(LONG, 700), line("a page.", 688), line(LONG, 676), line("another.", 664)]

    assert [text for _, _, text in shapes(lines)] == [f"{LONG} a page.", f"{LONG} another."]


def test_larger_type_is_a_heading() -> None:
    """The largest size, used once, is the title; sizes between it and the body's are levels in order."""
    lines = [
        line("Учебный отпуск", 750, size=20),
        line("Дни", 720, size=14),
        line(LONG, 700),
        line("Детали", 670, size=12),
        line(LONG, 650),
        line("Оплата", 620, size=14),
        line(LONG, 600),
    ]

    assert [piece for piece in shapes(lines) if piece[0] == "heading"] == [
        ("heading", 1, "Учебный отпуск"),
        ("heading", 2, "Дни"),
        ("heading", 3, "Детали"),
        ("heading", 2, "Оплата"),
    ]


def test_headings_of_one_size_are_sections() -> None:
    """When several headings share the largest size, none of them is the title."""
    lines = [line("One", 740, size=14), line(LONG, 720), line("Two", 690, size=14), line(LONG, 670)]

    assert [depth for kind, depth, _ in shapes(lines) if kind == "heading"] == [2, 2]


def test_bold_capital_and_numbered_lines_are_headings() -> None:
    """In the size of the body a heading is bold, in capitals or numbered like 2.1."""
    lines = [
        line("Payment", 700, bold=True),
        line(LONG, 688),
        line("СРОКИ", 660),
        line(LONG, 640),
        line("2.1 Exceptions", 610),
        line(LONG, 590),
    ]

    assert [text for kind, _, text in shapes(lines) if kind == "heading"] == ["Payment", "СРОКИ", "2.1 Exceptions"]


def test_a_wrapped_title_is_one_heading() -> None:
    """Two lines in large type, one under the other, are one heading."""
    lines = [
        line("A title that", 750, size=20),
        line("needs two lines", 728, size=20),
        line(LONG, 690),
        line(LONG, 678),
    ]

    assert shapes(lines)[0] == ("heading", 1, "A title that needs two lines")


def test_bullets_and_numbers_are_items() -> None:
    """Marks are not text, however wide the tab after them; the next line belongs to the item; an indent nests."""
    lines = [
        line("Bring:", 700),
        Line((Cell("•", 70, 74), Cell("a pass that", 110, 160)), 680, 10, 1),
        line("is valid;", 668, left=110),
        line("– a copy;", 650, left=130),
        Line((Cell("•", 70, 74), Cell("a pen.", 110, 130)), 632, 10, 1),
        line("1. go", 600),
    ]

    assert shapes(lines) == [
        ("paragraph", 0, "Bring:"),
        ("item", 0, "a pass that is valid;"),
        ("item", 1, "a copy;"),
        ("item", 0, "a pen."),
        ("item", 0, "go"),
    ]


def test_aligned_cells_are_a_table() -> None:
    """Lines with the same columns are rows; the first names the columns, on the next page too."""
    lines = [
        line(LONG, 700),
        line("Страна | Сумма", 680),
        line("Нидерланды | 95 евро", 660),
        line("Страна | Сумма", 700, page=2),
        line("Португалия | 70 евро", 680, page=2),
        line(LONG, 640, page=2),
    ]
    rows = [piece for piece in pieces_of(lines) if piece.kind == "row"]

    assert [row.text for row in rows] == ["Нидерланды | 95 евро", "Португалия | 70 евро"]
    assert {row.labels for row in rows} == {("Страна", "Сумма")}
    assert [row.page for row in rows] == [1, 2]
    assert {row.series for row in rows} == {0}


def test_two_tables_are_two_series() -> None:
    """A paragraph between two tables parts them."""
    lines = [
        line("a | b", 700),
        line("1 | 2", 680),
        line(LONG, 640),
        line("a | b", 600),
        line("3 | 4", 580),
    ]

    assert [piece.series for piece in pieces_of(lines) if piece.kind == "row"] == [0, 1]


def test_running_heads_and_page_numbers_are_left_out() -> None:
    """What is printed on the edge of several pages, and page numbers there, is not text."""
    lines = [
        line("Handbook 2025 | Page 1", 800),
        line(LONG, 700),
        line("Handbook 2025 | Page 2", 800, page=2),
        line(LONG, 700, page=2),
        line("- 2 -", 30, page=2),
    ]

    assert [text for _, _, text in shapes(lines)] == [LONG, LONG]


def test_a_sentence_runs_over_the_page() -> None:
    """A sentence without an end goes on when the next page begins with a small letter; it is of the page it began on.

    What is said after it stands on the next page, and is evidence from there.
    """
    lines = [line(LONG, 700), line("the printed", 688), line("page. It goes on.", 700, page=2), line(LONG, 600, page=2)]

    assert pieces_of(lines)[:2] == (
        Piece("paragraph", f"{LONG} the printed page.", page=1),
        Piece("paragraph", "It goes on.", page=2),
    )


def test_a_paragraph_runs_over_three_pages() -> None:
    """Each of its sentences has the page on which it begins, in Russian too, and none of its words is lost."""
    said = [
        "Отпуск длится 28 дней. Его можно",
        "перенести на лето. Заявление пода-",
        "ют заранее. Ответ приходит в среду.",
    ]
    lines = [line(text, 700, page=page) for page, text in enumerate(said, 4)]

    assert [(piece.text, piece.page) for piece in pieces_of(lines)] == [
        ("Отпуск длится 28 дней. Его можно перенести на лето.", 4),
        ("Заявление подают заранее.", 5),
        ("Ответ приходит в среду.", 6),
    ]


def test_a_page_begins_a_paragraph() -> None:
    """After the end of a sentence a new page is a new paragraph, with its number."""
    lines = [line(LONG, 700), line("the end.", 688), line(LONG, 700, page=2)]

    assert [piece.page for piece in pieces_of(lines)] == [1, 2]


def test_nothing_printed_is_nothing() -> None:
    """Empty pages have no pieces."""
    assert pieces_of([]) == ()
    assert pieces_of([line(" ", 700)]) == ()


def test_a_form_names_no_columns() -> None:
    """The first line of a form is one of its rows; what is set in bold over it, or printed again, names columns."""
    form = [line("Clinic name | Harbour Clinic", 700), line("Лицензия | ЛО-77-01", 680), line("Chief | Nina Frey", 660)]

    assert [(piece.labels, piece.text) for piece in pieces_of(form)] == [
        ((), "Clinic name | Harbour Clinic"),
        ((), "Лицензия | ЛО-77-01"),
        ((), "Chief | Nina Frey"),
    ]
    named = pieces_of([line("Имя | Город", 720, bold=True), *form])
    assert [piece.labels for piece in named] == [("Имя", "Город")] * 3


def test_a_code_is_no_heading() -> None:
    """The number of a licence in capitals can be quoted; words in capitals stay a heading, with a number too."""
    lines = [line(LONG, 700), line("ЛО-77-01", 670), line("HC 2207", 640), line("ЧАСТЬ 2", 610), line(LONG, 580)]

    assert [kind for kind, _, _ in shapes(lines)] == ["paragraph", "paragraph", "paragraph", "heading", "paragraph"]


def test_columns_written_one_after_the_other_are_one_table() -> None:
    """A form of which the file holds first the names and then the values reads line by line, as it is printed."""
    names = [line(text, 700 - 16 * n) for n, text in enumerate(("Clinic name", "Лицензия", "Chief doctor"))]
    values = [line(text, 700.5 - 16 * n, left=270) for n, text in enumerate(("Harbour", "ЛО-77-01", "Dr Nina Frey"))]
    pieces = pieces_of([line(LONG, 750), *names, *values, line(LONG, 600)])

    assert [(piece.kind, piece.text) for piece in pieces if piece.kind != "row"] == [("paragraph", LONG)] * 2
    assert {"Лицензия | ЛО-77-01", "Chief doctor | Dr Nina Frey"} <= {piece.text for piece in pieces}


def test_columns_of_running_text_are_read_one_after_the_other() -> None:
    """What goes on in the next line is no table, nor are columns filled to the edge or at other heights."""
    left = [line(text, 700 - 12 * n) for n, text in enumerate(("The clinic opens at", "seven on weekdays."))]
    right = [line(text, 700 - 12 * n, left=270) for n, text in enumerate(("Parking costs two", "euros an hour."))]
    full = [line("Visitors must register at the reception", 700 - 12 * n) for n in range(2)]
    lower = [line(text, 690 - 12 * n, left=270) for n, text in enumerate(("Harbour", "Dr Nina Frey"))]

    for lines in ((*left, *right), (*full, *right), (*full, *lower)):
        assert "row" not in [kind for kind, _, _ in shapes([line(LONG, 750), *lines])]


def test_what_stands_at_the_top_of_each_page_and_says_something_else() -> None:
    """Lines alike but for their numbers are running heads only when these are the same or the pages'."""
    rooms, lines = {1: (7, 3), 2: (40, 5), 3: (12, 4)}, []
    for page, (room, people) in rooms.items():
        lines += [line("Acme 2025", 820, page=page), line(f"Visits {page} of 3", 30, page=page)]
        lines += [line(f"Room {room} is for {people} people.", 790, page=page), line(LONG, 700, page=page)]

    texts = [piece.text for piece in pieces_of(lines)]

    assert sum("Room" in text for text in texts) == len(rooms)
    assert not any("Acme" in text or "Visits" in text for text in texts)


def cells(rows: Sequence[tuple[float, int, str]], *, bold: bool = False) -> list[Line]:
    """Return lines of one cell each: how high, in which column of 150 points, what."""
    return [line(text, bottom, left=70 + 150 * column, bold=bold) for bottom, column, text in rows]


HEAD = line("Benefit | Who | Amount", 700, bold=True)
ROWS = [
    "Insurance | Everyone after the trial period | 1,200 EUR",
    "Gym | Permanent staff | 300 EUR",
    "Bicycle with a motor | Office staff | up to 900 EUR per year",
]


def test_cells_on_several_lines() -> None:
    """A row goes on in the lines under it, however few of its cells do."""
    lines = [
        *(HEAD, line("Insurance | Everyone after the | 1,200 EUR", 680), *cells([(668, 1, "trial period")])),
        *(line("Gym | Permanent staff | 300 EUR", 648), line("Bicycle with | Office staff | up to 900 EUR", 628)),
        *cells([(616, 0, "a motor")]),
        line(LONG, 560),
    ]
    lines[5:6] = [replace(lines[5], cells=(*lines[5].cells, *cells([(616, 2, "per year")])[0].cells))]

    pieces = pieces_of(lines)

    assert [piece.text for piece in pieces] == [*ROWS, LONG]
    assert {piece.labels for piece in pieces[:3]} == {("Benefit", "Who", "Amount")}


def test_a_table_written_cell_by_cell() -> None:
    """Word writes all lines of a cell before the next one: what stands at one height is one row."""
    lines = [
        *(HEAD, line("Insurance | Everyone after the", 680), *cells([(668, 1, "trial period"), (680, 2, "1,200 EUR")])),
        line("Gym | Permanent staff | 300 EUR", 648),
        *cells([(628, 0, "Bicycle with"), (616, 0, "a motor"), (628, 1, "Office staff"), (628, 2, "up to 900 EUR")]),
        *cells([(616, 2, "per year")]),
        line(LONG, 560),
    ]

    assert [piece.text for piece in pieces_of(lines)] == [*ROWS, LONG]


def test_a_row_without_all_its_cells() -> None:
    """An empty cell stays empty, and the next row is not taken for more of the one above."""
    rows = ["Регион | Город | Цена", "Север | Лидс | 100", "Юг | Рим | 90"]
    lines = [line(text, 700 - 20 * n, bold=not n) for n, text in enumerate(rows)]
    lines.append(replace(line("x | Йорк | 120", 640), cells=line("x | Йорк | 120", 640).cells[1:]))

    assert [piece.text for piece in pieces_of(lines)] == [*rows[1:], " | Йорк | 120"]


def test_columns_of_running_text_written_across_the_page() -> None:
    """Two columns whose lines are written side by side are read one after the other; a table stays one."""
    left = [
        "The visits are organised by the",
        "team that invites the guest, and",
        "paid by it, too, so that nobody",
        "else has to.",
    ]
    right = [
        "The fee is forty euros for each",
        "visit and not more; children pay",
        "nothing at all when they come",
        "with a teacher.",
    ]
    pairs = zip(left, right, strict=True)
    lines = [replace(line(f"{a} | {b}", 700 - 12 * n), cells=two(a, b)) for n, (a, b) in enumerate(pairs)]

    assert [piece.text for piece in pieces_of(lines)] == [" ".join(left), " ".join(right)]


def two(left: str, right: str) -> tuple[Cell, Cell]:
    """Return two cells far enough from each other for running text."""
    return Cell(left, 70, 70 + 5 * len(left)), Cell(right, 320, 320 + 5 * len(right))


def test_a_table_of_sentences_is_no_running_text() -> None:
    """Cells that begin anew in each line are rows."""
    rows = [
        ("How do I log in to it", "With the badge at the reader"),
        ("Who helps me with that", "The desk on the second floor"),
    ]
    lines = [replace(line("x | y", 700 - 20 * n), cells=two(*row)) for n, row in enumerate(rows * 3)]

    assert {piece.kind for piece in pieces_of(lines)} == {"row"}


def test_clauses_begin_anew() -> None:
    """A clause is one paragraph also where its line does not end before the margin."""
    lines = [line(f"2.{n}. {LONG}", 700 - 12 * n) for n in range(1, 4)]

    assert [piece.text for piece in pieces_of(lines)] == [f"2.{n}. {LONG}" for n in range(1, 4)]


def test_a_bullet_in_large_type_above_a_heading() -> None:
    """A heading has a level also where what stands above it is as large and is none."""
    lines = [line("• Large item", 700, size=14), line("Large heading", 660, size=14), line(LONG, 640)]

    assert [(kind, text) for kind, _, text in shapes(lines)] == [
        ("item", "Large item"),
        ("heading", "Large heading"),
        ("paragraph", LONG),
    ]
