"""Names that hold each other, or differ in little."""

import pytest

from core.proof.backing import Backing
from core.proof.mixed import doubt_of_mixing
from core.proof.names import fault_of_names

DESKS = "Maria Lopez manages the front desk and Marco Lopes manages the kitchen."


@pytest.mark.parametrize(
    ("claim", "quote", "held"),
    [
        ("Pro costs 30 euros.", "Pro Max costs 30 euros.", False),
        ("Pro costs 30 euros.", "Pro costs 20 euros and Pro Max costs 30 euros.", False),
        ("The Nova subscription costs 4 euros.", "The Nova Lite subscription costs 4 euros.", False),
        ("The Galaxy S24 has two speakers.", "The Galaxy S24 Ultra has two speakers.", False),
        ("The city of York pays.", "The city of New York pays.", False),
        ("Flights to Jose leave at noon.", "Flights to San Jose leave at noon.", False),
        ("Поезд идёт в Новгород.", "Поезд идёт в Нижний Новгород.", False),
        ("Тариф «Старт» стоит 300 рублей.", "Тариф «Старт Плюс» стоит 300 рублей.", False),
        ("Тариф «Плюс» стоит 300 рублей.", "Тариф «Старт Плюс» стоит 300 рублей.", False),
        ("Marco Lopez manages the kitchen.", DESKS, False),
        ("Johnson leads the lab.", "Johnston leads the lab.", False),
        ("А. Кузнецов принимает заявки.", "В. Кузнецов принимает заявки.", False),
        ("П. Кузнецов принимает заявки.", "Валерий Кузнецов принимает заявки.", False),
        ("Кузнецов А. принимает заявки.", "Кузнецов В. принимает заявки.", False),
        ("Александра Смирнова ведёт проект.", "Александр Смирнов ведёт проект.", False),
        ("Евгений Белов ведёт кружок.", "Евгения Белова ведёт кружок.", False),
        ("Кружок ведёт Евгения Белова.", "Евгений Белов ведёт кружок.", False),
        ("Set retry_limit to 5.", "Set retry_limits to 5.", False),
        ("Nova Lite costs 4 euros.", "The Nova Lite subscription costs 4 euros.", True),
        ("The Pro plan costs 20 euros.", "Pro costs 20 euros and Pro Max costs 30 euros.", True),
        ("Northwind sells tea.", "Northwind Traders sells tea.", True),
        ("Marsh designed the bridge.", "The bridge was designed by Elena Marsh.", True),
        ("Anna Klein runs the shop.", "Anna and Boris Klein run the shop.", True),
        ("В «Старт Плюс» входит роуминг.", "Тариф «Старт Плюс» включает роуминг.", True),
        ("Заявки принимает В. Кузнецов.", "Валерий Кузнецов принимает заявки.", True),
        ("Проект Александра Смирнова ведёт он сам.", "Александр Смирнов ведёт проект.", True),
        ("Сергей Панин в отпуске.", "Ирина Зуева замещает Сергея Панина во время отпуска.", True),
        ("Евгений Белов в отпуске.", "Директор замещает Евгения Белова во время отпуска.", True),
        ("Set retry_limits to 5.", "Set retry_limits to 5.", True),
    ],
)
def test_a_name_is_whole_and_nobody_elses(claim: str, quote: str, *, held: bool) -> None:
    """A name is not cut out of a longer one, put together of two, or given another initial or another gender."""
    assert held == (fault_of_names(claim, Backing(quote, "", "")) is None)


@pytest.mark.parametrize(
    ("claim", "quote", "held"),
    [
        ("In 2009 Laura Chen and Mark Weiss began.", "Laura Chen and Mark Weiss began in 2009.", True),
        ("В 2009 году Лаура Чен и Марк Вайс начали.", "Лаура Чен и Марк Вайс начали в 2009 году.", True),
        ("Omar joined in 2014.", "Lena joined in 2014 and Omar joined in 2016.", False),
    ],
)
def test_two_names_joined_are_one_subject(claim: str, quote: str, *, held: bool) -> None:
    """An “and” between names parts no sentence that has said nothing of the first of them."""
    assert held == (doubt_of_mixing(claim, Backing(quote, "", "")) is None)
