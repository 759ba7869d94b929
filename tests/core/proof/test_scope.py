"""Of whom a statement is made: what narrows it, “not all”, “only”, “and” and “or”, the condition of its verb."""

import pytest

from core.checks import doubt_of, fault_of
from core.proof.backing import Backing
from core.proof.names import vocabulary_of


@pytest.mark.parametrize(
    ("quote", "claim", "kept"),
    [
        ("Residents over 65 travel free.", "All residents travel free.", False),
        ("Wholesale orders ship on Mondays.", "All orders ship on Mondays.", False),
        ("Members with a locker pay 8 euros more.", "Members pay 8 euros more.", False),
        ("Not every bus has a ramp.", "Buses do not have a ramp.", False),
        ("Bring a passport or a driving licence.", "Bring a passport and a driving licence.", False),
        ("Жители старше 65 лет ездят бесплатно.", "Жители ездят бесплатно.", False),
        ("Оптовые заказы отправляют по понедельникам.", "Заказы отправляют по понедельникам.", False),
        ("Члены клуба со шкафчиком доплачивают 300 рублей.", "Все члены клуба доплачивают 300 рублей.", False),
        ("Не во всех автобусах есть пандус.", "В автобусах нет пандуса.", False),
        ("Нужна доверенность или паспорт владельца.", "Нужна доверенность и паспорт владельца.", False),
        ("Residents over 65 travel free.", "Travel is free for residents over 65.", True),
        ("Wholesale orders ship on Mondays.", "On Mondays wholesale orders are shipped.", True),
        ("The new reading room seats 40 people.", "The reading room seats 40 people.", True),
        ("Employees of the port get a meal card.", "Port employees receive a meal card.", True),
        (
            "Tickets bought online can be returned within 14 days.",
            "Online tickets can be returned within 14 days.",
            True,
        ),
        (
            "The deposit is paid on arrival and is returned if the room is undamaged.",
            "You pay the deposit on arrival.",
            True,
        ),
        ("Жители старше 65 лет ездят бесплатно.", "Бесплатно ездят жители старше 65 лет.", True),
        ("Оптовые заказы отправляют по понедельникам.", "По понедельникам отправляют оптовые заказы.", True),
        ("Новый читальный зал рассчитан на 40 человек.", "Читальный зал рассчитан на 40 человек.", True),
        ("Работники порта получают талоны на обед.", "Талоны на обед получают работники порта.", True),
        ("Не во всех автобусах есть пандус.", "Пандус есть не во всех автобусах.", True),
        ("Оплата картой или наличными.", "Можно платить и картой, и наличными.", True),
        ("Залог вносят при заезде, и его возвращают, если номер цел.", "Залог вносят при заезде.", True),
        ("Guests under 18 may only stay with an adult.", "Only guests under 18 may stay with an adult.", False),
        ("Guests under 18 may only stay with an adult.", "Guests under 18 may stay only with an adult.", True),
        ("We accept Visa and Mastercard; American Express is not accepted.", "We accept only Visa.", False),
        (
            "We accept Visa and Mastercard; American Express is not accepted.",
            "We accept only Visa and Mastercard.",
            True,
        ),
        ("Студенты с картой получают скидку 20%.", "Все получают скидку 20%.", False),
        ("Скидка 10% действует для пенсионеров по средам.", "Скидка 10% действует для всех по средам.", False),
        ("Дети до 14 лет приходят только с родителями.", "Только дети до 14 лет приходят с родителями.", False),
        ("Оплата принимается картой или наличными, но не переводом.", "Оплата принимается только наличными.", False),
        (
            "Оплата принимается картой или наличными, но не переводом.",
            "Оплата принимается только картой или наличными.",
            True,
        ),
        ("Никто, кроме лечащего врача, не видит результаты.", "Лечащий врач не видит результаты.", False),
        ("Курить на территории нигде нельзя.", "Курить нельзя только на территории.", False),
        ("Only managers approve requests.", "Managers approve only requests.", False),
        ("The laundry no longer takes leather.", "The laundry never took leather.", False),
        ("Сауну могут бронировать только члены клуба.", "Только члены клуба могут бронировать сауну.", True),
        ("Overtime is paid with the manager's approval.", "Overtime is paid.", False),
        ("Переработка оплачивается с согласия начальника.", "Переработка оплачивается.", False),
        ("При отсутствии пропуска вход закрыт.", "Вход закрыт.", False),
        ("При наличии пропуска вход открыт.", "Вход открыт.", False),
        ("При наличии пропуска вход открыт.", "Вход открыт, если есть пропуск.", True),
        (
            "A deposit of 30% is charged at booking and is refunded if the stay is cancelled 14 days ahead.",
            "At booking a deposit of 30% is charged.",
            True,
        ),
        (
            "A deposit of 30% is charged at booking and is refunded if the stay is cancelled 14 days ahead.",
            "The deposit is refunded.",
            False,
        ),
        ("Overtime is paid with the manager's approval.", "Overtime is paid if the manager approves.", True),
        ("Tablets are given out by prescription.", "Tablets are given out.", False),
        (
            "Справку выдают лично пациенту или его представителю по доверенности.",
            "Справку выдают представителю пациента.",
            False,
        ),
    ],
)
def test_a_statement_is_told_of_those_that_it_is_made_of(quote: str, claim: str, *, kept: bool) -> None:
    """Some are not all, “not all” is not none, “only” and a condition stay with their word."""
    backing = Backing(quote, "", "", vocabulary_of([quote]))

    assert kept == ((fault_of(claim, backing) or doubt_of(claim, backing)) is None)
