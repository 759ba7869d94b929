"""Plain text becomes pieces."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ingest.pieces import Piece
from core.ingest.plaintext import pieces_of


def shapes(text: str) -> list[tuple[str, int, str]]:
    """Return kind, depth and text of each piece."""
    return [(piece.kind, piece.depth, piece.text) for piece in pieces_of(text)]


@pytest.mark.parametrize(
    "text",
    [
        "ОТПУСК\n\nДНИ\n\nКаждому положено 28 дней.",
        "Отпуск\n======\n\nДни\n---\n\nКаждому положено 28 дней.",
        "Отпуск\n\nДни\n\nКаждому положено 28 дней.",
        "Отпуск\n======\nДни\n----\nКаждому положено\n28 дней.",
        "ОТПУСК\nДНИ\n\nКаждому положено 28 дней.",
    ],
)
def test_headings(text: str) -> None:
    """Underlines, capitals and lines standing alone are headings; the first of them is the title."""
    pieces = pieces_of(text)

    assert pieces[0].kind == "heading"
    assert pieces[0].depth == 1
    assert pieces[-1] == Piece("paragraph", "Каждому положено 28 дней.")


def test_styles_rank_by_strength() -> None:
    """Under headings in capitals or double underlines, the others are one level lower."""
    text = "TITLE\n\nFIRST PART\n\nIt begins here.\n\nDetail\n------\n\nMore of it.\n\nOther\n=====\n\nIt ends."

    assert [piece.depth for piece in pieces_of(text) if piece.kind == "heading"] == [1, 2, 3, 2]


def test_numbered_headings() -> None:
    """A number gives the level; the number stays in the heading, which documents refer to."""
    text = "Guide\n\n1. Start\n\nSwitch it on.\n\n1.1 Cable\n\nUse the red one."

    assert [piece for piece in shapes(text) if piece[0] == "heading"] == [
        ("heading", 1, "Guide"),
        ("heading", 2, "1. Start"),
        ("heading", 3, "1.1 Cable"),
    ]


def test_numbered_items_apart_are_no_headings() -> None:
    """Numbered lines with empty lines between them are a list, its numbers no text."""
    pieces = pieces_of("1. Open the lid\n\n2. Press the button\n\n3. Wait")

    assert [(piece.kind, piece.text, piece.series) for piece in pieces] == [
        ("item", "Open the lid", 0),
        ("item", "Press the button", 0),
        ("item", "Wait", 0),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Это предложение заканчивается точкой.",
        "GATEWAY_RETRY_LIMIT",
        "Maintained by Hanneke. Last updated: 2025-02-24",
        "a line that begins small",
        "Rather a long line which nobody would take for a heading because it has so very many words",
    ],
)
def test_sentences_and_names_are_no_headings(line: str) -> None:
    """A line that ends like a sentence, is too long or is an identifier is text."""
    assert shapes(f"{line}\n\nWhat follows is a paragraph.")[0] == ("paragraph", 0, line)


def test_the_last_line_is_no_heading() -> None:
    """A heading has something under it."""
    assert shapes("We look forward to it.\n\nBest regards")[-1] == ("paragraph", 0, "Best regards")


def test_wrapped_lines_are_one_paragraph() -> None:
    """Line ends inside a paragraph are spaces."""
    assert shapes("первая строка,\r\nвторая\tстрока.\r\n\r\nконец.") == [
        ("paragraph", 0, "первая строка, вторая строка."),
        ("paragraph", 0, "конец."),
    ]


def test_lists() -> None:
    """Bullets and numbers start items, which may wrap and nest; the sentence before a list stays a paragraph."""
    text = "Please bring:\n- a pass,\n  not expired\n  * a copy\n- a pen\n\n• паспорт\n\nThen:\n1) go"

    assert shapes(text) == [
        ("paragraph", 0, "Please bring:"),
        ("item", 0, "a pass, not expired"),
        ("item", 1, "a copy"),
        ("item", 0, "a pen"),
        ("item", 0, "паспорт"),
        ("paragraph", 0, "Then:"),
        ("item", 0, "go"),
    ]
    assert [piece.series for piece in pieces_of(text) if piece.kind == "item"] == [0, 1, 0, 0, 2]


def test_header_lines_are_fields() -> None:
    """`key: value` lines above the first section are fields."""
    text = "ОТПУСК\nВладелец: Анна Петрова\nLast updated: 2025-01-20\n\nДНИ\n\nОтдел: любой\n"

    assert [piece[::2] for piece in shapes(text)] == [
        ("heading", "ОТПУСК"),
        ("field", "Владелец: Анна Петрова"),
        ("field", "Last updated: 2025-01-20"),
        ("heading", "ДНИ"),
        ("paragraph", "Отдел: любой"),
    ]


def test_a_dialogue_is_no_header() -> None:
    """Where a key repeats, the lines are text."""
    assert {kind for kind, _, _ in shapes("Anna: hello\nBob: hi\nAnna: bye")} == {"paragraph"}


def test_very_many_header_lines() -> None:
    """Time grows with the number of `key: value` lines, not with its square."""
    began = process_time()
    pieces = pieces_of("".join(f"Ключ {place}: value\n" for place in range(20_000)))

    assert len(pieces) == 20_000
    assert process_time() - began < 10


@given(st.text(alphabet="Aбя🙂 -*•=:.1)\n\t\r\u00a0\u2028", max_size=150))
def test_no_visible_character_is_lost(text: str) -> None:
    """Only bullets, numbers of items, underlines, colons of headings and white space are dropped."""
    kept = "".join(char for char in text if char in "Aбя🙂")

    assert "".join(char for piece in pieces_of(text) for char in piece.text if char in "Aбя🙂") == kept


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        (
            "Смены:\nДень      Утро     Вечер\nСреда     Ольга    Пётр\nЧетверг            Ольга\nМеняться нельзя.",
            ["Смены:", "День | Утро | Вечер", "Среда | Ольга | Пётр", "Четверг |  | Ольга", "Меняться нельзя."],
        ),
        ("| a | b |\n| c | d |", ["a | b", "c | d"]),
        ("a | b\nc | d", ["a | b", "c | d"]),
        ("Anna\tnurse\t\nTom\tporter\t4", ["Anna | nurse | ", "Tom | porter | 4"]),
        ("one   two\nthree four   five", ["one | two", "three four | five"]),
        ("one   two\nthree four   five   six", ["one two three four five six"]),
        ("one   two\n---------\nthree", ["one two", "three"]),
        ("a | b\n-----\n\nc", ["a | b", "c"]),
        ("one   two\nthreefour   five", ["one | two", "threefour | five"]),
        ("one   two   " + "x" * 400 + "\nthree   four   five", ["one | two | " + "x" * 400, "three | four | five"]),
        ("It ends.  So it does.\nIt begins.  So it does.", ["It ends. So it does. It begins. So it does."]),
    ],
)
def test_columns_are_tables(table: str, rows: list[str]) -> None:
    """Bars, tabs and places part the cells of a table; what does not stand in columns is running text."""
    assert [text for _, _, text in shapes(table)] == rows


@pytest.mark.parametrize(
    ("table", "labels"),
    [
        ("| Зона | Цена |\n|---|---|\n| Город | много |", ("Зона", "Цена")),
        ("ZONE      PRICE\nCity       6.50\nCountry    8.20", ("ZONE", "PRICE")),
        ("City       6.50\nCountry    8.20", ()),
        ("Anna    nurse\nTom     porter", ()),
    ],
)
def test_a_table_names_its_columns(table: str, labels: tuple[str, ...]) -> None:
    """The first row names the columns when a rule parts it from the others, or numbers under its words do."""
    rows = [piece for piece in pieces_of(table) if piece.kind == "row"]

    assert {row.labels for row in rows} == {labels}
    assert len(rows) == (2 if not labels or "много" not in table else 1)


@pytest.mark.parametrize(
    ("lines", "kinds"),
    [
        ("Contacts:\nAnna Kelly, nurse, room 4\nTom Reed, porter, cellar", ["paragraph", "item", "item"]),
        ("Директор - Лариса Тихонова\nЗавуч - Андрей Лапин, 2-14", ["item", "item"]),
        ("9:00 Завтрак\n12:30 Обед\n18:00 Ужин", ["item", "item", "item"]),
        ("Rita Vale\nHead of the kitchen", ["paragraph"]),
        ("Anna Kelly, our nurse, is in room\nfour, as always", ["paragraph"]),
        ("Anna, who is here.\nTom, who is not.", ["paragraph"]),
        (
            "We, that is Anna and Tom, and all the others who came along to see\nWestminster, went home in the evening",
            ["paragraph"],
        ),
    ],
)
def test_short_lines_that_say_the_like_are_a_list(lines: str, kinds: list[str]) -> None:
    """Lines that speak of one thing each do not run on; an address, a wrapped sentence and several ones do."""
    assert [kind for kind, _, _ in shapes(lines)] == kinds


def test_lines_of_two_looks_in_turn_take_little_time() -> None:
    """Fifty thousand lines that look like rows, each beside one that does not, take no more than their number."""
    start = process_time()
    pieces_of("a   b\nc\n" * 50_000)

    assert process_time() - start < 10


@pytest.mark.parametrize(
    "form",
    [
        "Имя            Анна Петрова\nСтаж           12\nКабинет        4",
        "Name      Anna Petrova\nBorn      1990\nRoom      14",
        "Name | Anna Petrova\nStaff number | 204\nRoom | 14",
    ],
)
def test_the_first_line_of_a_form_is_one_of_it(form: str) -> None:
    """Numbers under a person's name do not make the name that of a column."""
    pieces = pieces_of(form)

    assert {piece.labels for piece in pieces} == {()}
    assert "Петрова" in pieces[0].text or "Petrova" in pieces[0].text


def test_clauses_are_items() -> None:
    """Each clause can be asked for by its number, and is no part of the line above it; versions and sums begin none."""
    text = (
        "1. Оплата\n1.1. Срок - 5 дней,\nесли не сказано иначе.\n1.2 Аванса нет.\n\nWe use\n3.11 of it and\n10.5 euros."
    )

    assert [(piece.kind, piece.depth, piece.text) for piece in pieces_of(text)] == [
        ("item", 0, "Оплата"),
        ("item", 1, "1.1. Срок - 5 дней, если не сказано иначе."),
        ("item", 1, "1.2 Аванса нет."),
        ("paragraph", 0, "We use 3.11 of it and 10.5 euros."),
    ]
