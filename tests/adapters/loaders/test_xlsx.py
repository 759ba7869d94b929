"""Excel workbooks are read as a reader sees them."""

from datetime import date, datetime, time, timedelta
from io import BytesIO
from zipfile import ZipFile

import pytest
from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.worksheet.table import Table

from adapters.loaders import xlsx
from adapters.loaders.cells import shown
from core.errors import IngestError
from tests.adapters.loaders.made import inside, one, repacked, rows_of, saved, shapes, workbook


def test_a_workbook() -> None:
    """Each sheet is a section with its table; what stands above the table is a paragraph."""
    data = workbook(
        ("Бюджет", [["Бюджет 2025"], [], ["Команда", "Сумма"], ["Альфа", 1200], ["Beta", 0.5]]),
        ("Empty", []),
        ("Offices", [["City", "Desks"], ["Leeds", 40]]),
    )

    assert shapes(one("budget_2025.xlsx", data)) == [
        ("heading", "Бюджет"),
        ("paragraph", "Бюджет 2025"),
        ("row", "Альфа | 1200"),
        ("row", "Beta | 0.5"),
        ("heading", "Offices"),
        ("row", "Leeds | 40"),
    ]
    assert one("budget_2025.xlsx", data).title == "Budget 2025"
    assert rows_of(one("a.xlsx", data))[-1][0] == ("City", "Desks")


def test_merged_cells_and_hidden_sheets() -> None:
    """A cell merged over rows is in each of them; hidden sheets are not read."""
    book = Workbook()
    (sheet,) = book.worksheets
    for row in (["Команда", "Имя", "Дни"], ["Альфа", "Анна", 1], [None, "Bob", 2], [None, "Eva", 3]):
        sheet.append(row)
    sheet.merge_cells("A2:A3")
    for number, state in enumerate(("hidden", "veryHidden")):
        secret = book.create_sheet(f"S{number}")
        secret.append(["тайна"])
        secret.sheet_state = state

    known = one("a.xlsx", saved(book))

    assert [text for _, text in rows_of(known)] == [
        "Альфа | Анна | 1",
        "Альфа | Bob | 2",
        " | Eva | 3",
    ]


def test_formulas_are_their_values() -> None:
    """What Excel computed is read; a formula that it never computed is nothing."""
    data = workbook(("S", [["a", "b"], ["x", "=1+1"]]))
    computed = data_of_sheet(data).replace(b"<v />", b"<v>2</v>").replace(b"<v></v>", b"<v>2</v>")

    assert rows_of(one("a.xlsx", data)) == [(("a", "b"), "x | ")]
    assert rows_of(one("a.xlsx", repacked(data, {SHEET: computed}))) == [(("a", "b"), "x | 2")]


SHEET = "xl/worksheets/sheet1.xml"


def data_of_sheet(data: bytes) -> bytes:
    """Return the XML of the first sheet."""
    with ZipFile(BytesIO(data)) as archive:
        return archive.read(SHEET)


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        (None, "General", ""),
        (True, "General", "TRUE"),
        ("a\nб", "General", "a б"),
        (12, "General", "12"),
        (12.0, "General", "12"),
        (0.1 + 0.2, "General", "0.3"),
        (1234.5, "0", "1234"),
        (1234.567, "#,##0.00", "1,234.57"),
        (-1234.5, "#,##0.0;(#,##0.0)", "-1,234.5"),
        (0, '0.0;-0.0;"нет"', "0.0"),
        (0.155, "0.0%", "15.5%"),
        (1, "0%", "100%"),
        (95, '#,##0\\ "₽"', "95 ₽"),
        (95.5, '"$"#,##0.00', "$95.50"),
        (-5, "[$€-407]#,##0.00;[Red]-[$€-407]#,##0.00", "-€5.00"),
        (95, "#,##0\\ [$₽-419]", "95 ₽"),
        (2.5, "0.##", "2.5"),
        (2, "0.##", "2"),
        (12345, "0.00E+00", "12345"),
        (0.5, "# ?/?", "0.5"),
        (12, "@", "12"),
        (datetime(2025, 3, 31), "mm-dd-yy", "2025-03-31"),  # noqa: DTZ001 - a spreadsheet knows no time zones
        (datetime(2025, 3, 31), "dd.mm.yyyy", "31.03.2025"),  # noqa: DTZ001
        (datetime(2025, 3, 31), "DD.MM.YY;@", "31.03.25"),  # noqa: DTZ001
        (datetime(2025, 3, 31, 9, 5), "d/m/yyyy h:mm", "31/3/2025 9:05"),  # noqa: DTZ001
        (datetime(2025, 3, 31, 9, 5, 7), "mm:ss", "05:07"),  # noqa: DTZ001
        (datetime(2025, 3, 31, 9, 5), "[$-419]d mmmm yyyy", "2025-03-31 09:05"),  # noqa: DTZ001
        (datetime(2025, 3, 31), "[$-409]d mmm", "2025-03-31"),  # noqa: DTZ001
        (date(2025, 3, 31), "General", "2025-03-31"),
        (time(9, 5), "h:mm", "9:05"),
        (time(9, 5), "hh:mm", "09:05"),
        (time(9, 5, 7), "h:mm:ss", "9:05:07"),
        (time(9, 5), "h:mm AM/PM", "09:05"),
        (time(9, 5, 7), "General", "09:05:07"),
        (timedelta(hours=30, minutes=5), "[h]:mm", "30:05"),
        (timedelta(seconds=61), "[h]:mm:ss", "0:01:01"),
    ],
)
def test_cells_as_a_person_sees_them(value: object, number_format: str, text: str) -> None:
    """Dates, money, percentages and plain numbers are written as their cell shows them."""
    assert shown(value, number_format) == text


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ('<row r="1048577"><c r="A1048577"><v>1</v></c></row>', "has no text"),
        ('<row r="99999999999"><c r="A1"><v>1</v></c></row>', "has no text"),
        ('<row r="x"><c r="A1"><v>1</v></c></row>', "broken"),
        ('<row r="1"><c r="A1" t="s"><v>99</v></c></row>', "broken"),
        ('<row r="1"><c r="A1" s="99"><v>1</v></c></row>', "broken"),
        ("".join(f'<row r="{n}"><c r="ZZZ{n}"><v>1</v></c></row>' for n in range(1, 200)), "2,000,000 cells"),
    ],
)
def test_sheets_made_to_break_a_reader(cell: str, reason: str) -> None:
    """Rows and columns where no sheet has any cost no time, and wrong numbers are named."""
    data = workbook(("S", [["a"]]))
    begin, _, rest = data_of_sheet(data).partition(b"<sheetData>")
    sheet = begin + b"<sheetData>" + cell.encode() + b"</sheetData>" + rest.partition(b"</sheetData>")[2]
    (bad,) = inside("a.xlsx", repacked(data, {SHEET: sheet}))

    assert isinstance(bad, IngestError)
    assert reason in bad.reason


def test_many_rows_far_below(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over all sheets the cells are counted, so that many small sheets are no bomb either."""
    monkeypatch.setattr(xlsx, "CELLS_LIMIT", 100)

    assert "more than 100 cells" in str(inside("a.xlsx", workbook(*((f"S{n}", [["a"]] * 9) for n in range(9))))[0])


def test_a_row_far_below() -> None:
    """A million empty rows above a value are one gap."""
    book = Workbook()
    book.worksheets[0].cell(1, 1, "a")
    book.worksheets[0].cell(1_048_576, 1, "б")

    assert [text for _, text in shapes(one("a.xlsx", saved(book)))][1:] == ["a", "б"]


def test_hidden_rows_and_columns() -> None:
    """What a reader of the sheet does not see is not read, in whatever order it is hidden."""
    book = Workbook()
    (sheet,) = book.worksheets
    for row in (["Имя", "Оклад", "Desk"], ["Анна", 71500, "D-12"], ["Bob", 66200, "D-14"], ["Eva", 80000, "D-15"]):
        sheet.append(row)
    sheet.column_dimensions["B"].hidden = True
    sheet.row_dimensions[3].hidden = True

    assert rows_of(one("a.xlsx", saved(book))) == [(("Имя", "Desk"), "Анна | D-12"), (("Имя", "Desk"), "Eva | D-15")]


def test_a_form_and_what_names_columns() -> None:
    """The first line of a form is one of its rows, unless bold type, a filter or a table of Excel says otherwise."""
    lines = [["Компания", "Brightwater Ltd"], ["Phone", "+44 20 7946 0958"], ["Директор", "Пётр Сидоров"]]
    form, bold, filtered, tabled = books = [Workbook() for _ in range(4)]
    for book in books:
        for line in lines:
            book.worksheets[0].append(line)
    for cell in bold.worksheets[0][1]:
        cell.font = Font(bold=True)
    filtered.worksheets[0].auto_filter.ref = "A1:B3"
    for cell, name in zip(tabled.worksheets[0][1], ("Компания", "Brightwater Ltd"), strict=True):
        cell.value = name
    tabled.worksheets[0].add_table(Table(displayName="T", ref="A1:B3"))

    assert [len(rows_of(one("a.xlsx", saved(book)))) for book in books] == [3, 2, 2, 2]
    assert rows_of(one("a.xlsx", saved(form)))[0] == ((), "Компания | Brightwater Ltd")
    assert rows_of(one("a.xlsx", saved(tabled)))[0] == (("Компания", "Brightwater Ltd"), "Phone | +44 20 7946 0958")


def test_names_in_two_rows() -> None:
    """A cell merged over several columns names each of them."""
    book = Workbook()
    (sheet,) = book.worksheets
    for row in (["Регион", 2024, None, 2025, None], [None, "H1", "H2", "H1", "H2"], ["North", 110, 120, 130, 140]):
        sheet.append(row)
    for cells in ("A1:A2", "B1:C1", "D1:E1"):
        sheet.merge_cells(cells)

    assert rows_of(one("a.xlsx", saved(book))) == [
        (("Регион", "2024 H1", "2024 H2", "2025 H1", "2025 H2"), "North | 110 | 120 | 130 | 140")
    ]
