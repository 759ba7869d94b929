"""What is compared with what, which way, and by how much something changes."""

import pytest

from core.proof.backing import Backing
from core.proof.changing import fault_of_changing
from core.proof.comparing import doubt_of_comparing, fault_of_comparing, from_the_quotes_side

RIVER = "The river route is longer than the coast road."
SCANNER = "The Volga scanner is more accurate than the Neva scanner."
PUPILS = "The morning group has twice as many pupils as the evening group."
ROOMS = "В старом корпусе вдвое больше аудиторий, чем в новом."
BIRCH = "Берёза легче дуба."
PLANS = "Тариф «Город» дешевле тарифа «Область»."


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The coast road is longer than the river route.", RIVER),
        ("The coast road is longer.", RIVER),
        ("The river route is as long as the coast road.", RIVER),
        ("The river route is less long than the coast road.", RIVER),
        ("The Neva scanner is more accurate than the Volga scanner.", SCANNER),
        ("The Volga scanner is the most accurate.", SCANNER),
        ("The evening group has twice as many pupils as the morning group.", PUPILS),
        ("The morning group has fewer pupils than the evening group.", PUPILS),
        ("Plan B is cheaper than plan A.", "Plan A is cheaper than plan B."),
        ("Sales in April were higher than in May.", "Sales in May were higher than in April."),
        ("Cod is more expensive than salmon.", "Cod is as expensive as salmon."),
        ("Iron is slower than steel.", "Iron is not faster than steel."),
        ("July visits exceeded October visits.", "October visits exceeded July visits."),
        ("Oak is less heavy than pine.", "Compared with pine, oak is heavier."),
        ("В новом корпусе вдвое больше аудиторий, чем в старом.", ROOMS),
        ("В старом корпусе столько же аудиторий, сколько в новом.", ROOMS),
        ("Дуб легче берёзы.", BIRCH),
        ("Берёза тяжелее дуба.", BIRCH),
        ("Берёза — самое лёгкое дерево.", BIRCH),
        ("Берёза легче всех.", BIRCH),
        ("Тариф «Область» дешевле тарифа «Город».", PLANS),
        ("Корпус А выше корпуса Б.", "Корпус Б выше корпуса А."),
        ("Март был менее холодным, чем февраль.", "Март был холоднее февраля."),
        ("Север уступает югу.", "Север превосходит юг."),
        ("Дуб так же лёгок, как берёза.", BIRCH),
        ("Берёза не так легка, как дуб.", BIRCH),
        ("Oat milk is the best.", "Oat milk is better than rice milk."),
        ("Gas costs twice as little as oil.", "Gas is dearer than oil, and costs twice as much as oil."),
        ("Than the road is nothing longer: the road is longer.", RIVER),
    ],
)
def test_a_comparison_is_not_turned_round_or_levelled(claim: str, quote: str) -> None:
    """Another side, another way, “as … as” for “more than”, and the most for more than one other are faults."""
    assert fault_of_comparing(claim, Backing(quote, "", "")) is not None


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The coast road is shorter than the river route.", RIVER),
        ("The river route is the longer one.", RIVER),
        ("The river route is at least as long as the coast road.", RIVER),
        ("The Neva scanner is less accurate than the Volga scanner.", SCANNER),
        ("There are twice as many pupils in the morning group as in the evening group.", PUPILS),
        ("The evening group has fewer pupils.", PUPILS),
        ("Compared with pine, oak is heavier.", "Oak is heavier than pine."),
        ("Sales were higher in May than in April.", "Sales in May were higher than in April."),
        ("Postgres is not as fast as Redis.", "Redis is faster than Postgres."),
        ("Payment is due no later than Friday.", "Pay by Friday; it is longer than a month."),
        ("It takes longer than six hours.", "It takes longer than six hours and is better than ever."),
        ("Redis is the fastest.", "Redis is the fastest, and faster than Postgres."),
        ("Дуб тяжелее берёзы.", BIRCH),
        ("По сравнению с новым корпусом в старом вдвое больше аудиторий.", ROOMS),
        ("Февраль был теплее марта.", "Март был холоднее февраля."),
        ("Тариф «Область» дороже тарифа «Город».", PLANS),
        ("Заявку больше не принимают.", "Заявку больше не принимают, склад больше офиса."),
        ("Дуб не так лёгок, как берёза.", BIRCH),
        ("Bring tea rather than milk, as soon as it boils, as per the list as sent.", RIVER),
        ("It is as long as 5 metres, more often than not.", RIVER),
        ("The slowest is Redis.", SCANNER),
        ("It is longer.", RIVER),
        ("The attic is more spacious than the cellar.", RIVER),
        ("Труднее всего было начать.", "Берёза легче дуба, начать было труднее всего."),
    ],
)
def test_a_comparison_may_be_told_from_its_other_side(claim: str, quote: str) -> None:
    """A converse, another order of the words and what compares with a number are no faults."""
    assert fault_of_comparing(claim, Backing(quote, "", "")) is None


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("Parking is cheaper for visitors than for guests.", "Parking costs 18 euros for guests and 25 for visitors."),
        ("Для гостей стоянка дешевле, чем для жильцов.", "Стоянка стоит 18 евро для жильцов и 25 для гостей."),
    ],
)
def test_what_the_quotes_do_not_compare_is_doubted(claim: str, quote: str) -> None:
    """Two that the quotes only name beside each other are not set against each other."""
    assert doubt_of_comparing(claim, Backing(quote, "", "")) is not None
    assert doubt_of_comparing(claim, Backing(claim, "", "")) is None


@pytest.mark.parametrize(
    "claim",
    [
        "Даниил скорее ответит в Telegram.",
        "Почта идёт быстрее в Тулу.",
        "It is no longer needed.",
        "Read more than once.",
    ],
)
def test_what_compares_nothing_is_not_doubted(claim: str) -> None:
    """A comparative with nothing that it is set against compares nothing."""
    assert doubt_of_comparing(claim, Backing("Почту читают раз в день.", "", "")) is None


@pytest.mark.parametrize(
    ("claim", "quote", "told"),
    [
        ("The office is lower than the depot.", "The depot is higher than the office.", True),
        ("Офис ниже склада.", "Склад выше офиса.", True),
        ("It is old. Офис ниже склада.", "Склад выше офиса. Он старый.", True),
        ("Офис в Туле ниже склада.", "Склад выше офиса.", False),
        ("The office was never lower than the depot.", "The depot is higher than the office.", False),
        ("The office is lower than the depot <b>.", "The depot is higher than the office.", False),
        ("The office is higher than the depot.", "The depot is higher than the office.", False),
    ],
)
def test_a_converse_is_read_as_its_quote(claim: str, quote: str, *, told: bool) -> None:
    """A sentence that says nothing else is read as that of the quotes, and any other as it stands."""
    read_as = from_the_quotes_side(claim, quote)

    assert told == (quote.split(". ", maxsplit=1)[0].rstrip(".") in read_as)
    assert told == (claim != read_as)


@pytest.mark.parametrize(
    ("claim", "quote", "held"),
    [
        ("Membership rose to 40 people.", "Membership rose by 40 people.", False),
        ("The level dropped by 3 metres.", "The level dropped to 3 metres.", False),
        ("The price fell 15 euros.", "The price fell to 15 euros.", False),
        ("The price fell by €15.", "The price fell to €15.", False),
        ("Число учеников выросло на 60.", "Число учеников выросло до 60.", False),
        ("Плата снижена до 200 рублей.", "Плата снижена на 200 рублей.", False),
        ("Membership grew 40.", "Membership rose by 40 people.", True),
        ("The price fell from 20 to 15 euros.", "The price fell to 15 euros from 20.", True),
        ("The price rose 5%, to 20 euros.", "The price went up by 5% to 20 euros.", True),
        ("It rose by 5 to 5.", "It rose by 5, to 5.", True),
        ("Files up to 5 MB rise.", "Files that rise by 5 MB.", True),
        ("Цена выросла почти на 5%, до 20 рублей.", "Цена выросла до 20 рублей, на 5%.", True),
        ("Приём перенесён на 15 мая.", "Сборы выросли. Приём до 15 мая.", True),
    ],
)
def test_by_how_much_is_not_to_what(claim: str, quote: str, *, held: bool) -> None:
    """What a thing grows by is not what it grows to."""
    assert held == (fault_of_changing(claim, Backing(quote, "", "")) is None)
