"""What quotes deny, leave open, ask, tell as somebody's word or say with a reserve is not stated by a claim."""

import pytest

from core.checks import doubt_of, fault_of
from core.proof.backing import Backing
from core.proof.names import vocabulary_of
from core.verify import is_said


@pytest.mark.parametrize(
    ("quote", "claim", "kept"),
    [
        ("Drones may not be flown anywhere above the campus.", "Drones may be flown above the campus.", False),
        (
            "Visitors are not admitted under any circumstances after midnight.",
            "Visitors are admitted after midnight.",
            False,
        ),
        ("It is untrue that the ferry stops in Hellum.", "The ferry stops in Hellum.", False),
        ("There is no proof that the ointment heals burns.", "The ointment heals burns.", False),
        ("Everybody but the treasurer voted for the budget.", "The treasurer voted for the budget.", False),
        ("Does the ticket cover luggage? No, luggage is charged separately.", "The ticket covers luggage.", False),
        ("The bridge could be closed during the marathon.", "The bridge will be closed during the marathon.", False),
        ("The museum hopes to reopen its east hall in autumn.", "The museum reopened its east hall in autumn.", False),
        (
            "According to the manufacturer, the filter removes 99% of pollen.",
            "The filter removes 99% of pollen.",
            False,
        ),
        ("Nearly every seat has a power socket.", "Every seat has a power socket.", False),
        ("Parcels often arrive within two days.", "Parcels arrive within two days.", False),
        ("Снимать на видео не разрешается ни при каких условиях.", "Снимать на видео разрешается.", False),
        ("Ошибочно считать, что абонемент можно передать другому.", "Абонемент можно передать другому.", False),
        ("Слухи о том, что завод закрывают, не подтвердились.", "Завод закрывают.", False),
        ("Не доказано, что сироп помогает от кашля.", "Сироп помогает от кашля.", False),
        ("Входит ли завтрак в цену? Нет.", "Завтрак входит в цену.", False),
        ("Музей надеется открыть новый зал осенью.", "Музей открыл новый зал осенью.", False),
        ("Движение, возможно, перекроют на время марафона.", "Движение перекроют на время марафона.", False),
        ("По данным производителя, фильтр задерживает 99% пыльцы.", "Фильтр задерживает 99% пыльцы.", False),
        ("Посылки обычно приходят за два дня.", "Посылки приходят за два дня.", False),
        ("Почти все места заняты.", "Все места заняты.", False),
        ("Drones may not be flown anywhere above the campus.", "Flying drones above the campus is not allowed.", True),
        ("The bridge could be closed during the marathon.", "The bridge might close during the marathon.", True),
        (
            "According to the manufacturer, the filter removes 99% of pollen.",
            "The manufacturer says the filter removes 99% of pollen.",
            True,
        ),
        ("Members may bring one guest on Sundays.", "On Sundays members can bring one guest.", True),
        ("You must return the keys by noon.", "The keys have to be returned by noon.", True),
        ("The gym can hold 80 people.", "The gym holds 80 people.", True),
        ("Снимать на видео не разрешается ни при каких условиях.", "Снимать на видео нельзя.", True),
        ("Музей надеется открыть новый зал осенью.", "Музей планирует открыть новый зал осенью.", True),
        (
            "По данным производителя, фильтр задерживает 99% пыльцы.",
            "Производитель утверждает, что фильтр задерживает 99% пыльцы.",
            True,
        ),
        ("Посылки обычно приходят за два дня.", "Как правило, посылки приходят за два дня.", True),
        ("Гости могут пользоваться бассейном до 22:00.", "Бассейном можно пользоваться до 22:00.", True),
        ("Заявление должен подписать руководитель.", "Заявление подписывает руководитель.", True),
        ("Сотрудник может взять до пяти книг.", "Сотруднику разрешается взять до пяти книг.", True),
        ("Cats are not allowed anywhere.", "Cats are allowed.", False),
        ("Cats are not allowed anywhere in the hotel.", "Cats are allowed.", False),
        ("Phones are not permitted anywhere in the lab.", "Phones are permitted.", False),
        ("Photography is not permitted anywhere in the museum.", "Photography is permitted.", False),
        ("Dogs are not welcome anywhere.", "Dogs are welcome.", False),
        ("Everything but meat is served.", "Meat is served.", False),
        ("All rooms but the attic are heated.", "The attic is heated.", False),
        ("It is false that the office is closed on Friday.", "The office is closed on Friday.", False),
        ("The claim that the office is closed on Friday is wrong.", "The office is closed on Friday.", False),
        ("Нет данных, что лекарство безопасно.", "Лекарство безопасно.", False),
        ("Это миф, что офис закрыт в пятницу.", "Офис закрыт в пятницу.", False),
        ("Cats are not allowed anywhere.", "Cats are not allowed.", True),
        ("Cats are not allowed anywhere.", "No cats are allowed.", True),
        ("В 2027 году планируется открыть третий филиал.", "В 2027 году откроется третий филиал.", False),
        ("Не все анализы входят в полис.", "Ни один анализ не входит в полис.", False),
    ],
)
def test_a_reserve_or_a_denial_may_not_be_lost(quote: str, claim: str, *, kept: bool) -> None:
    """What is denied, open, asked, planned, usual or somebody's word is not told as what is so."""
    backing = Backing(quote, "", "", vocabulary_of([quote]))

    assert kept == ((fault_of(claim, backing) or doubt_of(claim, backing)) is None)


def test_a_question_does_not_say_what_it_asks() -> None:
    """A claim in the words of a quoted question is no sentence of its quotes."""
    assert not is_said("The food is free.", "Is the food free?\nThe food is free?")
    assert not is_said("Еда бесплатная.", "Еда бесплатная?")
    assert is_said("Еда бесплатная.", "Еда бесплатная? Еда бесплатная.")
