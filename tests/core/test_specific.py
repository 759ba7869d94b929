"""A passage answers only if it holds what makes the question specific, and a list only if it denies what is denied."""

import pytest

from tests.core.scenes import facts_of
from tests.core.test_headed import told

BAKERY = """# Working at the bakery

## Absence

Everybody has 24 days of paid leave. Moving house brings one free day. Carers get six days a year.

## Money

The breakfast allowance is £6. A lost apron costs £18. Night work brings £3 an hour.
The bonus is paid on the 12th. Keys are handed out by the caretaker.

## Ovens

The big oven was repaired in 2021 by a firm from Leeds. The mixer is cleaned every evening. Gloves hang by the door.

## Before baking

- wash your hands
- tie back your hair

## Never do this while baking

- wear rings
- leave the flour open
"""
PEKARNYA = """# Работа в пекарне

## Отсутствие

У каждого 24 дня оплачиваемого отпуска. На переезд дают один свободный день. Донорам положено два выходных.

## Деньги

Завтрак оплачивают до 200 рублей. Потерянный фартук стоит 900 рублей. Ночной час дороже на 150 рублей.
Премию платят 12 числа. Ключи выдаёт комендант.

## Печи

Большую печь починили в 2021 году. Тестомес моют каждый вечер. Прихватки висят у двери.

## Перед выпечкой

- вымыть руки
- убрать волосы

## Во время выпечки запрещено

- носить кольца
- оставлять муку открытой
"""
FIELDS = (
    "# Flood of 4 May\n\n**Incident lead:** Tilda Marsh\n**Severity:** 2\n\n## Course\n\nThe cellar was under water.\n"
)
POLYA = "# Пекарня\n\n**Владелец:** Олег Ним\n**Приём владельца:** среда, 9:00–11:00\n\n## Вход\n\nВход со двора.\n"


def _told(question: str) -> str:
    page = BAKERY if question.isascii() else PEKARNYA
    return " / ".join(told(question, *facts_of("bakery.md", page), near="", lists=False))


@pytest.mark.parametrize(
    "question",
    [
        "How many days of adoption leave are there?",
        "What is the dinner allowance?",
        "How much does a lost jacket cost?",
        "What is the salary for night work?",
        "Who repaired the mixer?",
        "Who designed the big oven?",
        "When was the big oven repaired in 2017?",
        "How often are the gloves washed?",
        "How many people clean the ovens?",
        "Сколько дней учебного отпуска?",
        "Сколько стоит потерянная куртка?",
        "До какой суммы оплачивают ужин?",
        "Кто чертил большую печь?",
        "Когда починили печь в 2017 году?",
        "Какой оклад за ночной час?",
        "Как часто стирают прихватки?",
    ],
)
def test_what_is_said_of_something_beside_it_is_no_answer(question: str) -> None:
    """Of another leave, another garment, another deed or another year nothing is said."""
    assert not _told(question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many days of paid leave are there?", "24 days"),
        ("What does moving house bring?", "one free day"),
        ("How much is the breakfast allowance?", "£6"),
        ("What does a lost apron cost?", "£18"),
        ("When is the bonus paid?", "12th"),
        ("Who hands out the keys?", "caretaker"),
        ("How often is the mixer cleaned?", "every evening"),
        ("Сколько дней оплачиваемого отпуска?", "24 дня"),
        ("Что положено при переезде?", "один свободный день"),
        ("Сколько стоит потерянный фартук?", "900 рублей"),
        ("Когда платят премию?", "12 числа"),
        ("Кто выдаёт ключи?", "комендант"),
        ("Как часто моют тестомес?", "каждый вечер"),
    ],
)
def test_what_is_said_of_it_answers(question: str, expected: str) -> None:
    """Words of the same meaning, and other forms of a word, are as good; who is told by what they are."""
    assert expected in _told(question)


@pytest.mark.parametrize(
    ("question", "shown", "hidden"),
    [
        ("What should I do before baking?", "wash your hands", "rings"),
        ("What must I never do while baking?", "wear rings", "wash"),
        ("Что сделать перед выпечкой?", "вымыть руки", "кольца"),
        ("Что запрещено во время выпечки?", "носить кольца", "руки"),
    ],
)
def test_a_list_of_what_is_not_to_be_is_another_one(question: str, shown: str, hidden: str) -> None:
    """What is to be done is no answer to what is not, and the other way round."""
    said = _told(question)

    assert shown in said
    assert hidden not in said


@pytest.mark.parametrize("question", ["What must I not wash before baking?", "Чего нельзя мыть перед выпечкой?"])
def test_where_only_the_opposite_list_stands_nothing_is_told(question: str) -> None:
    """The list under the heading of what is to be done holds every word but the denial."""
    assert not _told(question)


@pytest.mark.parametrize(
    ("page", "question", "expected"),
    [
        (FIELDS, "Who led the flood incident?", ["Incident lead: Tilda Marsh"]),
        (FIELDS, "Who reported the flood?", []),
        (POLYA, "Когда принимает владелец?", ["Приём владельца: среда, 9:00–11:00"]),
        (POLYA, "Кто владеет пекарней?", ["Владелец: Олег Ним"]),
        (POLYA, "Когда принимает бухгалтер?", []),
    ],
)
def test_a_field_answers_in_whatever_form_its_label_is_asked_for(page: str, question: str, expected: list[str]) -> None:
    """A lead led, and who receives has reception hours; of another person or another deed the field says nothing."""
    assert expected == told(question, *facts_of("page.md", page), lists=False)
