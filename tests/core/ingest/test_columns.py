"""Whether the first row of a table names its columns."""

import pytest

from core.ingest.columns import is_form, is_header, joined_head, names_columns


def table(text: str) -> list[tuple[str, ...]]:
    """Return the rows of a table whose lines end at "/" and whose cells are parted by "|"."""
    return [tuple(cell.strip() for cell in line.split("|")) for line in text.split(" / ")]


@pytest.mark.parametrize(
    "text",
    [
        "Employee|Anna Kelly / Position|Lab technician / Start date|3 March 2025 / Salary|£31,500",
        "Company|Brightwater Ltd / Phone|+44 20 7946 0958 / VAT number|GB 123 4567 89 / Director|Colin Marsh",
        "Наименование|ООО «Ромашка» / ИНН|7701234567 / КПП|770101001 / Директор|Сидоров Пётр Ильич",
        "Наименование|ООО «Ромашка» / ИНН|7701234567 / КПП|770101001",
        "Сотрудник|Орлова Марина Сергеевна / Должность|Бухгалтер / Дата приёма|12.05.2024 / Оклад|95 000 руб.",
        "Учреждение|Поликлиника № 4 / Лицензия|ЛО-77-01 / Главный врач|Зорина Анна Львовна",
        "Clinic name|Harbour Clinic / Licence|HC-2207 / Chief doctor|Dr Nina Frey",
        "Sponsor|Vera Lund / Budget|$2.4M / Deadline|30 Sep 2026",
        "Employee|Anna Kelly / Position|Lab technician / Manager|Tom Reed",
        "Client|Acme / Fee|£50",
        "Item|Price / Milk|89,90 / Bread|45,50 / Cheese|on request",
    ],
)
def test_forms(text: str) -> None:
    """The first line of a form is one like the others, whatever the document has it in."""
    assert not names_columns(table(text), likely=False)


@pytest.mark.parametrize(
    "text",
    [
        "Стаж|Дни / год|28 / пять лет|30",
        "Страна|Сумма / Нидерланды|95 евро / Португалия|70 евро",
        "Date|Event / 2024-01-02|Launch / 2024-03-02|Review",
        "Name|City / Anna Kelly|Rome / Tom Reed|Bonn",
        "Role|Person / Lead|Anna Kelly / Tester|Tom Reed",
        "Item|Price / Milk|89,90 / Bread|45,50 / Tea|12,00 / Cheese|on request",
        "Question|Answer / How do I log in?|With your badge, at the reader. / Who helps?|The desk on the second floor.",
        "Room|Day|State / Blue|Monday|open / Red|Monday|closed",
        "Region|2024 H1|2024 H2 / North|110|120 / South|210|220",
        "Setting|Default|Meaning / timeout|30 s|how long we wait / name|footnote|what it is called",
        "№|Товар|Количество / 1|Гвозди 50 мм|1200 / |Итого|1200",
        "Colour|State / Red|open / Blue|open / Green|shut / Grey|shut",
        "Город|Страна" + " / Бонн|Германия / Рим|Италия" * 7,
    ],
)
def test_names_of_columns(text: str) -> None:
    """Words over values, a word over names, one word over many: the first row is none like the others."""
    assert names_columns(table(text), likely=False)


@pytest.mark.parametrize(
    "text",
    [
        "Anna Kelly|Nurse|Ground floor / Tom Reed|Porter|Cellar / Bill Stone|Caretaker|Attic",
        "Анна Котова|Врач|1 этаж / Пётр Лис|Санитар|Подвал",
        "Blue|Monday|open / Red|Tuesday|closed / Green|Monday|open",
        "Van 7|LT-100|no / Van 8|LT-101|yes",
        "Anna|12 / Bob|3",
        "Имя|Город",
    ],
)
def test_rows_without_names(text: str) -> None:
    """What is like the rows under it, or has none under it, is a row, even where names are likely."""
    assert not names_columns(table(text), likely=True)


def test_what_is_likely_and_what_is_marked() -> None:
    """In doubt the kind of document decides; a row that is set like a heading, or printed again, is one."""
    people = table("Имя|Город / Анна|Рим / Bob|")
    form = table("Client|Anna Kelly / Fee|£50 / Paid|no")

    assert names_columns(people, likely=True)
    assert not names_columns(people, likely=False)
    assert names_columns(form, likely=False, marked=True)
    assert names_columns([*people, people[0]], likely=False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Регион|2024||2025| / |H1|H2|H1|H2 / Север|1|2|3|4", "Регион|2024 H1|2024 H2|2025 H1|2025 H2"),
        ("Region|2024| / Region|H1|H2 / North|1|2", "Region|2024 H1|2024 H2"),
        ("2024||2025| / H1|H2|H1|H2 / 1|2|3|4", "2024 H1|2024 H2|2025 H1|2025 H2"),
        ("Region|Sales||Note / |Plan|Fact| / North|1|2|x", "Region|Sales Plan|Sales Fact|Note"),
        ("Name||Phone / Anna|Kelly|555 / Tom|Reed|556", None),
        ("Name|Phone| / Anna|555|home / Tom|556|work", None),
        ("Region|2024| / |H1|H2", None),
        ("Region|2024|2025 / North|1|2 / South|3|4", None),
        ("Region||2025 / North|1|2 / South|3|4", None),
        ("Region|2024||| / |1|2|3|4 / South|3|4|5|6", None),
    ],
)
def test_names_in_two_rows(text: str, expected: str | None) -> None:
    """A cell over several others names each of them together with what stands below it; rows of values name nothing."""
    assert joined_head(table(text)) == (expected and tuple(expected.split("|")))


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (("Имя", "Город"), True),
        (("Region", "2023", "2024"), True),
        (("", "Q1", "Q2"), True),
        (("Имя", "Имя"), False),
        (("Anna", "12"), False),
        (("Anna", "2025-03-31"), False),
        (("12 %", "€ 5.00"), False),
        (("2023", "2024"), False),
        (("Имя", "", "", ""), False),
        (("Имя", "слово " * 20), False),
        (("Имя",), False),
    ],
)
def test_what_looks_like_names_of_columns(row: tuple[str, ...], *, expected: bool) -> None:
    """Different short words name columns, years among them; values, repetitions and long texts do not."""
    assert is_header(row) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Name|Anna Petrova / Born|3 May 1990 / Office|Leeds",
        "ФИО|Анна Петрова / Дата приёма|12.05.2024 / Кабинет|14",
        "Start|1 May 2025 / Owner|Anna",
        "Почта|help@example.org / Часы|с 9 до 18",
    ],
)
def test_forms_that_had_to_be_set_with_a_head(text: str) -> None:
    """A value over values of other kinds is the first line of a form, though Markdown makes it a head."""
    assert is_form(table(text))


@pytest.mark.parametrize(
    "text",
    [
        "Name|Job Title / Anna|Nurse / Bob|Doctor",
        "Metric|2024 / Sales|10 / Staff|12",
        "Setting|Default Value / timeout|30 / name|footnote / url|https://example.org",
        "Товар|Цена / Ручка|100 / Тетрадь|30",
        "Role|Person / Lead|Anna Kelly / Tester|Tom Reed",
        "Name|Anna Petrova",
        "a|b|c / d|e|f",
        "10|3 May 2025 / 11|Anna",
        "|Anna Petrova / Born|3 May 1990",
        "Name|Anna Petrova / Born|",
    ],
)
def test_heads_of_tables_are_no_forms(text: str) -> None:
    """What names the columns stays their name."""
    assert not is_form(table(text))
