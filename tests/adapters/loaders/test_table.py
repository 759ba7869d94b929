"""Rows of cells become tables with the names of their columns."""

import gc
import time
from itertools import count

import pytest

from adapters.loaders import table
from adapters.loaders.delimited import delimiter_of
from core.errors import IngestError
from core.ingest.document import Document
from tests.adapters.loaders.made import inside, one, rows_of, shapes, workbook

PEOPLE = (("Имя", "Город"), ("Анна", "Рим"), ("Bob", ""))


def test_the_first_row_names_the_columns() -> None:
    """Words over values are labels; they are no row of their own."""
    assert rows_of(one("a.csv", "Имя,Город,Сумма\nАнна,Рим,12\nBob,,3")) == [
        (("Имя", "Город", "Сумма"), "Анна | Рим | 12"),
        (("Имя", "Город", "Сумма"), "Bob |  | 3"),
    ]


def test_a_table_without_names() -> None:
    """Where the first row is a row like the others it is kept as one."""
    assert rows_of(one("a.csv", "Анна,12\nBob,3")) == [((), "Анна | 12"), ((), "Bob | 3")]


def test_lines_above_and_a_second_table() -> None:
    """A line of one cell is a paragraph; after an empty row other columns are another table with its own series."""
    rows = (("Отпуск 2025",), (), *PEOPLE, (), ("", "", "", "Страна", "Сумма"), ("", "", "", "NL", "95"), (), ("Note",))
    pieces = list(table.pieces_of(table.bounded(rows, "a"), count()))

    assert [(piece.kind, piece.text, piece.labels, piece.series) for piece in pieces] == [
        ("paragraph", "Отпуск 2025", (), None),
        ("row", "Анна | Рим", ("Имя", "Город"), 0),
        ("row", "Bob | ", ("Имя", "Город"), 0),
        ("row", "NL | 95", ("Страна", "Сумма"), 1),
        ("paragraph", "Note", (), None),
    ]


def test_an_empty_row_does_not_end_a_table() -> None:
    """Rows after a gap that fit under the columns belong to the table."""
    rows = (*PEOPLE, (), ("Eva", "Bonn"))

    assert [piece.series for piece in table.pieces_of(table.bounded(rows, "a"), count())] == [0, 0, 0]


def test_cells_keep_to_themselves() -> None:
    """Line ends become spaces and a bar loses its own, so that " | " always parts two cells."""
    assert one("a.csv", 'Name,Text\nАнна,"a | b\nc"').text == "Анна | a|b c"


@pytest.mark.parametrize(
    ("sample", "mark"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2,5\n", ";"),
        ("a\tb c, d\n1\t2\n", "\t"),
        ("a|b\n1|2\n", "|"),
        ("Имя;Адрес\nАнна;Рим, ул. Новая, 1\nБоб;Бонн\n", ";"),
        ("Наименование;Цена, руб.\nМолоко;89,90\nХлеб;45,50\n", ";"),
        ("Item;Price, EUR\nMilk, 3,2 %;89,90\nJam, red, 1,5 kg;5,50\n", ";"),
        ("Отчёт за март\n" + "Молоко\t89,90\n" * 20, "\t"),
        ("1,2,3\n4,5,6\n", ","),
        ("Имя, Город\nАнна, Рим\n", ","),
        ("one word", ";"),
        ("", ";"),
    ],
)
def test_what_parts_the_cells(sample: str, mark: str) -> None:
    """The mark that gives most rows the same number of cells parts them."""
    assert delimiter_of(sample) == mark


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1251", "koi8-r", "cp866"])
def test_encodings_of_tables(encoding: str) -> None:
    """A table is read in the encoding that its program wrote."""
    text = "Имя;Город\r\nАнна Петрова;Великий Новгород\r\nBob;Роттердам\r\n"

    assert one("a.csv", text.encode(encoding)).text == "Анна Петрова | Великий Новгород\nBob | Роттердам"


def test_the_word_of_excel() -> None:
    """A first line that states the mark is believed and not shown."""
    assert one("a.tsv", "sep=;\nИмя;Город\nАнна;Рим, Бонн").text == "Анна | Рим, Бонн"


def test_a_quotation_mark_without_end() -> None:
    """What swallows the rest of the file is named."""
    (bad,) = inside("a.csv", 'a,b\n1,"' + "слово " * 40_000)

    assert "a quotation mark that is not closed" in str(bad)


@pytest.mark.parametrize("limit", ["ROWS_LIMIT", "CELLS_LIMIT"])
def test_too_large_a_table(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    """Beyond the limits a table is refused as soon as they are met."""
    monkeypatch.setattr(table, limit, 10)
    rows = iter([("Анна", "Rome")] * 1_000)

    with pytest.raises(IngestError, match="split it"):
        table.bounded(rows, "a.csv")
    assert len(list(rows)) > 900


def test_time_grows_with_the_length() -> None:
    """A table of 10,000 rows takes about ten times as long as one of 1,000, in every format that has tables."""
    for name, make in (
        ("a.csv", lambda n: "имя,город,дни\n" + "".join(f"Анна {i},Рим,{i}\n" for i in range(n))),
        ("a.md", lambda n: "|имя|дни|\n|-|-|\n" + "".join(f"|Анна {i}|{i}|\n" for i in range(n))),
        ("a.jsonl", lambda n: "".join(f'{{"name": "Анна {i}", "days": {i}}}\n' for i in range(n))),
        ("a.xlsx", lambda n: workbook(("S", [["имя", "дни"], *([f"Анна {i}", i] for i in range(n))]))),
    ):
        times = [_seconds(name, make(n), n) for n in (1_000, 10_000)]

        assert times[1] < 40 * max(times[0], 0.01), name


def _seconds(name: str, data: str | bytes, rows: int) -> float:
    gc.collect()
    gc.disable()  # it would go over all that other tests have left
    try:
        began = time.process_time()
        document = one(name, data)
        taken = time.process_time() - began
    finally:
        gc.enable()
    assert isinstance(document, Document)
    assert len(rows_of(document)) == rows
    assert shapes(document)[-1][1].endswith(f" | {rows - 1}")
    return taken


def test_a_list_without_names() -> None:
    """A first row of the same make as the others is one of them."""
    assert rows_of(one("a.csv", "Anna Kelly,Nurse,Ground floor\nПётр Лис,Санитар,Подвал")) == [
        ((), "Anna Kelly | Nurse | Ground floor"),
        ((), "Пётр Лис | Санитар | Подвал"),
    ]


def test_names_in_two_rows() -> None:
    """A year over its halves names each of them."""
    assert rows_of(one("a.csv", "Регион,2024,\n,H1,H2\nNorth,110,120")) == [
        (("Регион", "2024 H1", "2024 H2"), "North | 110 | 120"),
    ]
