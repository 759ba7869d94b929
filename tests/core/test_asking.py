"""What sort of thing a question asks for, and whether a text holds one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.asking import Sort, asked_for, asking_terms, holds, is_polar
from core.text import terms

ASKED: list[tuple[str, Sort | None]] = [
    ("By what time should I call in?", "clock"),
    ("What time does the gate close?", "clock"),
    ("До скольких открыты ворота?", "clock"),
    ("В котором часу начинается смена?", "clock"),
    ("В скольких проектах есть RAG?", "number"),
    ("What number do I call about a leak?", "phone"),
    ("По какому номеру звонить ночью?", "phone"),
    ("How much does the audit cost?", "money"),
    ("What does a Mossprobe cost?", "money"),
    ("How much do we spend on electricity in Leeds?", "money"),
    ("How many vacation days do I get?", "number"),
    ("How old is the building?", "number"),
    ("How long is the probation period?", "duration"),
    ("For how many months is the offer valid?", "duration"),
    ("When does support for the FLG-2 end?", "moment"),
    ("And since when?", "moment"),
    ("What date is the freeze?", "moment"),
    ("In what year was it founded?", "moment"),
    ("What is Anna's phone number?", "phone"),
    ("What is the email address of the help desk?", "email"),
    ("Сколько стоит часовая консультация?", "money"),
    ("Какая зарплата у Дмитрия?", "money"),
    ("Какая была цена?", "money"),
    ("Сколько дней отпуска мне положено?", "number"),
    ("Скольких человек он нанял?", "number"),
    ("Как долго длится испытательный срок?", "duration"),
    ("Когда заканчивается поддержка?", "moment"),
    ("А с какого числа?", "moment"),
    ("В каком году основана компания?", "moment"),
    ("Какой номер телефона у Дмитрия?", "phone"),
    ("Какой адрес электронной почты у поддержки?", "email"),
    ("How often are secrets rotated?", "duration"),
    ("Как быстро отвечает поддержка?", "duration"),
    ("В какой срок нужно сдать отчёт?", "duration"),
    ("Who leads Project Lantern?", "person"),
    ("And whom do I tell?", "person"),
    ("А у кого спросить?", "person"),
    ("Why did the certificate expire?", "reason"),
    ("What was the root cause of INC-2041?", "reason"),
    ("Почему закончилось место?", "reason"),
    ("Что стало причиной сбоя?", "reason"),
    ("The people who left, what did they say?", None),
    ("What happened when the disks were full?", None),
    ("When many people are arrested, what do they do?", None),
    ("Which talks did he give in 2024?", None),
    ("Кто ведёт проект?", "person"),
    ("Какие доклады он сделал?", None),
    ("Сообщает ли бот, когда база недоступна?", None),
    ("", None),
]
HELD: list[tuple[str, Sort, bool]] = [
    ("Call before 09:30.", "clock", True),
    ("Report it the same day.", "clock", False),
    ("Ворота закрывают в 9 вечера.", "clock", True),
    ("Сообщите в тот же день.", "clock", False),
    ("It costs €40 a month.", "money", True),
    ("Аудит стоит 120 000 рублей.", "money", True),
    ("Это бесплатно.", "money", True),
    ("It takes 40 days.", "money", False),
    ("Он получил 14 сервисов.", "money", False),
    ("You get 27 days.", "number", True),
    ("Nobody but the two of us.", "number", True),
    ("Команда насчитывала восемь разработчиков.", "number", True),
    ("Everybody gets leave.", "number", False),
    ("Отпуск положен каждому.", "number", False),
    ("It stays for twelve months.", "duration", True),
    ("Ответ приходит за три рабочих дня.", "duration", True),
    ("Действует бессрочно.", "duration", True),
    ("Three times the salary.", "duration", False),
    ("It ended on 4 May 2024.", "moment", True),
    ("Начинается в 09:30.", "moment", True),
    ("По вторникам", "moment", True),
    ("The office opens at 8.", "moment", True),
    ("Tea is served at four o'clock.", "moment", True),
    ("Кофе подают в восемь утра.", "moment", True),
    ("The gate closes at noon.", "moment", True),
    ("Ворота закрывают в полдень.", "moment", True),
    ("Standup is by nine, lunch from half past twelve.", "moment", True),
    ("Совещание в половине десятого.", "moment", True),
    ("The canteen opens 8 a.m.", "moment", True),
    ("The offsite takes place in spring.", "moment", True),
    ("Выезд проводят осенью.", "moment", True),
    ("The village was founded in 44 BC.", "moment", True),
    ("В двух словах: не знаем.", "moment", False),
    ("There are four of them in the clock tower.", "moment", False),
    ("Aston is a company.", "moment", False),
    ("Компания делает системы на заказ.", "moment", False),
    ("Call +31 71 555 0177.", "phone", True),
    ("Звоните: 8 (912) 555-01-77", "phone", True),
    ("Since 2019 there are 14 of them.", "phone", False),
    ("Пишите на dmitry@sokolov.example", "email", True),
    ("Write to @dmitry.", "email", False),
    ("Lead: Ines Carvalhal", "person", True),
    ("Проект вела Анна ван дер Берг", "person", True),
    ("Ask the office manager.", "person", True),
    ("Это решает руководитель отдела.", "person", True),
    ("Company: Aston", "person", False),
    ("Компания: Астон", "person", False),
    ("It failed because the disk was full.", "reason", True),
    ("Root cause", "reason", True),
    ("Сбой произошёл из-за сертификата.", "reason", True),
    ("The disk was full.", "reason", False),
    ("Диск был полон.", "reason", False),
    ("Rotated every 90 days.", "duration", True),
    ("Отчёт сдают ежемесячно.", "duration", True),
]


@pytest.mark.parametrize(("question", "sort"), ASKED)
def test_the_sort_of_thing_that_is_asked_for(question: str, sort: Sort | None) -> None:
    """Question words and nouns that name such a thing tell; anything else may be asked for anything."""
    assert sort == asked_for(question)


@pytest.mark.parametrize(("text", "sort", "expected"), HELD)
def test_whether_such_a_thing_stands_there(text: str, sort: Sort, expected: bool) -> None:  # noqa: FBT001
    """In digits or in words, with all benefit of the doubt."""
    assert expected == holds(text, sort)


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("Who leads Beacon?", "Grace leads Beacon.", True),
        ("Кто ведёт Маяк?", "Грейс ведёт Маяк.", True),
        ("Who leads Beacon?", "It is new. Grace leads Beacon.", True),
        ("Who leads Beacon?", "Beacon leads the market.", False),
        ("Who leads Beacon?", "The leads of Beacon are warm.", False),
        ("Who approves expenses?", "Travel expenses need a receipt.", False),
    ],
)
def test_a_single_name_that_begins_a_sentence_does_what_is_asked(question: str, text: str, *, expected: bool) -> None:
    """Nobody else is named: the name is no word of the question, and what follows it is what somebody is asked for."""
    assert expected == holds(text, "person", question)


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("How often are secrets rotated?", "secrets rotated"),
        ("Как быстро отвечает поддержка?", "отвечает поддержка"),
        ("Which talks did he give?", "Which talks did he give?"),
    ],
)
def test_what_only_asks_need_not_be_held(question: str, left: str) -> None:
    """The words that tell the sort of an answer stand in no answer; all others may."""
    assert set(terms(left)) == set(terms(question)) - asking_terms(question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("May I work abroad?", True),
        ("And is there a gym?", True),
        ("Можно ли работать из другой страны?", True),
        ("Нужно просить заранее?", True),
        ("Which days may I work abroad?", False),
        ("Какие документы нужны?", False),
    ],
)
def test_whether_a_yes_or_a_no_is_asked_for(question: str, expected: bool) -> None:  # noqa: FBT001
    """The verb comes first, or “ли” stands behind it."""
    assert expected == is_polar(question)


@given(st.text(max_size=400))
def test_any_text_can_be_asked_and_looked_at(text: str) -> None:
    """Never an exception, whatever somebody pastes."""
    sort = asked_for(text)
    assert sort is None or holds(text, sort) in (True, False)
