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

    assert rows_of(inside("a.xlsx", data)[0]) == [(("a", "b"), "x | ")]  # type: ignore[arg-type]
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


@pytest.mark.parametrize(
    ("value", "number_format", "text"),
    [
        (1_234_567, '#,##0,"k"', "1,235k"),
        (3_400_000, '0.0,,"M"', "3.4M"),
        (3_400_000, "#,##0.0,,", "3.4"),
        (-1_500_000, '#,##0,;(#,##0,"т")', "-1,500т"),
        (1234, "00000", "01234"),
        (7, "000", "007"),
        (-7, "000", "-007"),
        (79161234567, "[<=9999999]###-####;(###) ###-####", "(7916) 123-4567"),
        (5551234, "[<=9999999]###-####;(###) ###-####", "555-1234"),
        (123456789, "000\\-00\\-0000", "123-45-6789"),
        (12.5, "00-00", "12.5"),
        (float("nan"), "00-00", "nan"),
        (5, ";;;", ""),
        (datetime(2025, 5, 1), "mmm-yy", "2025-05"),  # noqa: DTZ001
        (datetime(2025, 5, 1), "[$-419]mmmm yyyy", "2025-05"),  # noqa: DTZ001
    ],
)
def test_numbers_of_odd_forms(value: object, number_format: str, text: str) -> None:
    """Thousands that are not shown, zeros before a code, signs between digits: as the cell shows them."""
    assert shown(value, number_format) == text


def rich(text: str, marks: str = "") -> str:
    """Return a run of a cell that is set in several ways."""
    return f'<r><rPr>{marks}</rPr><t xml:space="preserve">{text}</t></r>'


STRINGS = "xl/sharedStrings.xml"
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def listed(data: bytes) -> dict[str, bytes]:
    """Return the list of the parts of a workbook with one for texts that several cells may share."""
    name, kind = "[Content_Types].xml", "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    with ZipFile(BytesIO(data)) as archive:
        types = archive.read(name).decode()
    return {name: types.replace("</Types>", f'<Override PartName="/{STRINGS}" ContentType="{kind}"/></Types>').encode()}


@pytest.mark.parametrize("shared", [False, True])
def test_words_of_a_cell_that_are_set_apart(shared: bool) -> None:  # noqa: FBT001
    """A power and the sign of a note do not melt into a number, and what is struck out is not said."""
    struck, raised, lowered = "<strike/>", '<vertAlign val="superscript"/>', '<vertAlign val="subscript"/>'
    cells = {
        "one": rich("10") + rich("6", raised) + rich(" CFU"),
        "two": rich("100 ", struck) + rich("120 м") + rich("2", raised),
        "three": rich("H") + rich("2", lowered) + rich("O"),
    }
    data = workbook(("S", [["Что", "Сколько"], *([name, f"{name}!"] for name in cells)]))
    sheet = data_of_sheet(data).decode()
    for number, (name, runs) in enumerate(cells.items()):
        inline = f't="inlineStr"><is><t>{name}!</t></is>'
        sheet = sheet.replace(inline, f't="s"><v>{number}</v>' if shared else f't="inlineStr"><is>{runs}</is>')
    items = "".join(f"<si>{runs}</si>" for runs in cells.values())
    change = {SHEET: sheet.encode(), STRINGS: f"<sst {MAIN}>{items}</sst>".encode(), **listed(data)}
    document = one("a.xlsx", repacked(data, change if shared else {SHEET: sheet.encode()}))

    assert [text for _, text in rows_of(document)][-3:] == ["one | 10⁶ CFU", "two | 120 м²", "three | H2O"]


def test_a_cell_struck_out() -> None:
    """A price that is struck out is no price any more; a row that is, is not there."""
    book = Workbook()
    (sheet,) = book.worksheets
    for row in (["Item", "Price", "Days"], ["Tea", 12, 3], ["Milk", 15, 2], ["Salt", 9, 1]):
        sheet.append(row)
    sheet["B2"].font = Font(strike=True)
    for cell in sheet[4]:
        cell.font = Font(strike=True)

    assert [text for _, text in rows_of(one("a.xlsx", saved(book)))] == ["Tea |  | 3", "Milk | 15 | 2"]


@pytest.mark.parametrize(("formulas", "told"), [(1, "but a formula has"), (2, "but 2 formulas have")])
def test_formulas_without_a_value_are_named(formulas: int, told: str) -> None:
    """What a program wrote and nobody has computed is missing; the report says so, and the rest is read."""
    rows = [["a", "b"], *([f"x{n}", f"={n}+1"] for n in range(formulas))]
    document, problem = inside("a.xlsx", workbook(("S", rows)))

    assert "x0" in document.text  # type: ignore[union-attr]
    assert str(problem) == f"a.xlsx: is read, {told} no value yet: open it in Excel and save it"


def test_an_empty_text_of_a_formula_is_a_value() -> None:
    """A formula that makes an empty text has been computed."""
    data = workbook(("S", [["a", "b"], ["x", '=""']]))
    computed = data_of_sheet(data).replace(b'<c r="B2"', b'<c t="str" r="B2"')

    assert len(inside("a.xlsx", repacked(data, {SHEET: computed}))) == 1


@pytest.mark.parametrize("bold", [False, True])
def test_a_second_table_under_the_first(bold: bool) -> None:  # noqa: FBT001
    """Behind a gap, words under numbers or in bold name the columns of another table, narrower though it is."""
    first = [["Регион", "Цена", "Срок"], ["Север", "нет" if bold else 10, "день" if bold else 20]]
    rows = [*first, [], ["Кто", "Телефон"], ["Анна", "204"], ["Иван", "205"]]
    book = Workbook()
    (sheet,) = book.worksheets
    for row in rows:
        sheet.append(row)
    for cell in (*sheet[1], *sheet[4]):
        cell.font = Font(bold=bold)

    assert rows_of(one("a.xlsx", saved(book)))[1:] == [
        (("Кто", "Телефон"), "Анна | 204"),
        (("Кто", "Телефон"), "Иван | 205"),
    ]


def test_a_gap_in_a_table_of_numbers() -> None:
    """A row of words behind a gap is one of the table when nothing speaks for another, and one with numbers always."""
    rows = [["Регион", "Цена", "Срок"], ["Север", 10, 20], [], ["Юг", 11, 21], [], ["Итого", "нет", "нет"]]

    assert {labels for labels, _ in rows_of(one("a.xlsx", workbook(("S", rows))))} == {("Регион", "Цена", "Срок")}
