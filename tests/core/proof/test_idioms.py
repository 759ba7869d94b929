"""Phrases that stand for one word, and other ways to say one thing."""

import pytest

from core.checks import doubt_of, fault_of
from core.proof.backing import Backing
from core.proof.idioms import plainly

KEPT = [
    ("Parking at the depot is free of charge for volunteers.", "Parking at the depot costs nothing for volunteers."),
    ("The helpline answers at any hour.", "The helpline answers around the clock."),
    ("Lost keys have to be reported without delay.", "Lost keys have to be reported right away."),
    ("Requests come in up to 48 hours in advance.", "Requests come in at least 48 hours beforehand."),
    ("A table costs £5 above six guests; otherwise it costs £9.", "A table costs £9 up to six guests."),
    ("Coats may be left here. Bags must be locked away.", "Bags have to be locked away."),
    ("The interval between two services is 12 months.", "A service is due once every 12 months."),
    ("She keeps bees in Kent.", "Her bees are kept in Kent."),
    ("The treasurer treats each case apart.", "Each case gets treatment apart from the treasurer."),
    ("Стоянка для волонтёров бесплатна.", "Волонтёрам не нужно платить за стоянку."),
    ("Диспетчер отвечает в любое время.", "Диспетчер отвечает круглосуточно."),
    ("О краже сообщают незамедлительно.", "О краже сообщают сразу же."),
    ("Заявки подают не позднее чем за 48 часов.", "Заявки подают минимум за 48 часов."),
    ("Без медицинской справки к занятиям не допускают.", "К занятиям без медсправки не пускают."),
    ("Корпус не пропускает пыль и выдерживает мороз до 15 градусов.", "Корпус выдерживает мороз до 15 градусов."),
    ("Интервал между проверками — 3 года.", "Проверка бывает раз в 3 года."),
]
REFUSED = [
    ("Parking at the depot is free of charge for volunteers.", "Parking at the depot costs something for volunteers."),
    ("Requests come in up to 48 hours in advance.", "Requests come in at most 48 hours beforehand."),
    (
        "Requests come in no earlier than 48 hours before the visit.",
        "Requests come in at least 48 hours before the visit.",
    ),
    ("A table costs £5 above six guests; otherwise it costs £9.", "A table costs £9 above six guests."),
    ("The bell stops ringing after 20 seconds.", "The bell still rings after 20 seconds."),
    ("The bonus of the last quarter is not paid out.", "The bonus of the last year is not paid out."),
    ("Members may fish with a licence.", "Members may fish even without a licence."),
    ("All drivers fasten the load.", "Someone fastens the load."),
    ("The lid is locked if nobody watches the oven.", "The lid is locked when somebody watches the oven."),
    ("Стоянка для волонтёров бесплатна.", "Волонтёрам нужно платить за стоянку."),
    ("Осмотр проходят раз в полгода.", "Осмотр проходят раз в год."),
    ("Премию за последний квартал не платят.", "Премию за последний год не платят."),
    ("Сигнал перестаёт звучать через 20 секунд.", "Сигнал продолжает звучать через 20 секунд."),
    ("Лодку дают только членам клуба.", "Лодку дают любым желающим."),
    ("Рыбачить можно с билетом.", "Рыбачить можно даже без билета."),
]


@pytest.mark.parametrize(("quote", "claim"), KEPT)
def test_another_way_to_say_it_is_proven(quote: str, claim: str) -> None:
    """What changes no fact is no fault."""
    backing = Backing(quote, "", "")

    assert (None, None) == (fault_of(claim, backing), doubt_of(claim, backing))


@pytest.mark.parametrize(("quote", "claim"), REFUSED)
def test_what_changes_the_fact_is_refused(quote: str, claim: str) -> None:
    """A cost for none, the other side of a limit, another period, or a case that is left out."""
    backing = Backing(quote, "", "")

    assert fault_of(claim, backing) or doubt_of(claim, backing)


def test_a_phrase_keeps_its_capital() -> None:
    """Where a sentence begins is still to be seen."""
    assert "Free for all. Immediately" == plainly("Free of charge for all. Right away")
    assert "nothing to change" == plainly("nothing to change")
