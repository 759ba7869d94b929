"""What a claim leaves out, lifts, moves in time or exchanges: its quote stands for it; and what it may do."""

import pytest

from core.checks import doubt_of, fault_of
from core.proof.backing import Backing
from core.proof.conditions import doubt_of_conditions
from core.proof.contrary import doubt_of_denials
from core.proof.following import doubt_of_following
from core.proof.relations import doubt_of_relations
from core.proof.replies import replying
from core.proof.tense import doubt_of_tense


def behind(quote: str, question: str = "") -> Backing:
    """Return a backing of a quote alone."""
    return Backing(quote, "", question)


@pytest.mark.parametrize(
    ("quote", "claim"),
    [
        ("Members may park here if they show a ticket.", "Members may park here."),
        ("Parking is not allowed unless the guard agrees.", "Parking is not allowed."),
        ("Boats are hired out provided that the wind is weak.", "Boats are hired out."),
        ("The sauna is open daily, except for school holidays.", "The sauna is open daily."),
        ("Hotfixes may be released only with the consent of the owner.", "Hotfixes may be released."),
        ("Trainees may drive once an instructor has signed the sheet.", "Trainees may drive."),
        ("After three missed payments the account may be closed.", "The account may be closed."),
        ("Coats are free; bags larger than 3 litres are checked.", "Bags are checked."),
        ("Стоянка разрешена, если показать пропуск.", "Стоянка разрешена."),
        ("Стоянка запрещена, кроме машин с пропуском.", "Стоянка запрещена."),
        ("Лодки выдают при условии, что ветер слабый.", "Лодки выдают."),
        ("Выпуск возможен только с согласия владельца.", "Выпуск возможен."),
        ("Стажёр может водить после подписи инструктора.", "Стажёр может водить."),
        ("Сумки больше 3 литров проверяют.", "Сумки проверяют."),
    ],
)
def test_a_condition_may_not_be_left_out(quote: str, claim: str) -> None:
    """What is so in one case only is not said of every case; its own words hold, with the condition in them."""
    assert doubt_of_conditions(claim, behind(quote)) is not None
    assert doubt_of(quote, behind(quote)) is None


@pytest.mark.parametrize(
    ("quote", "claim"),
    [
        ("Members may park here if they show a permit.", "Members may park here even if they show no permit."),
        ("The pool is free, except for lessons.", "The pool is free, including lessons."),
        ("Books are lent if nobody waits for them.", "Books are lent if somebody waits for them."),
        ("Стоянка разрешена, если показать пропуск.", "Стоянка разрешена, даже если не показать пропуск."),
        ("Бассейн бесплатный, кроме занятий.", "Бассейн бесплатный, включая занятия."),
        ("Книги выдают, если их никто не ждёт.", "Книги выдают, если их ждут."),
    ],
)
def test_a_condition_may_not_be_lifted_or_turned_round(quote: str, claim: str) -> None:
    """A thing that is so in a case is not so in the other case."""
    backing = behind(quote)

    assert fault_of(claim, backing) or doubt_of(claim, backing)


@pytest.mark.parametrize(
    ("quote", "claim", "question"),
    [
        ("Members may park here if they show a permit.", "With a permit shown, members may park here.", ""),
        ("A note is needed if you are ill for long.", "A note is needed.", "What if I am ill for long?"),
        ("Reports are due on Monday; if it is a holiday, a day later.", "Reports are due on Monday.", ""),
        ("The reserve is kept and may be used only by the board.", "The reserve is kept.", ""),
        ("The plan takes no more than three days.", "The plan takes three days at most.", ""),
        ("Search became faster after the move.", "Search became faster.", ""),
        ("Books are lent if nobody waits for them.", "Nobody waits for the books.", ""),
        ("The lock opened at 9:12, over 20 minutes late.", "The lock opened at 9:12.", ""),
        ("Справка нужна, если болеть долго.", "Справка нужна.", "Что, если болеть долго?"),
        ("Отчёты сдают в понедельник, а если это праздник — во вторник.", "Отчёты сдают в понедельник.", ""),
        ("Резерв хранят, тратить его может только совет.", "Резерв хранят.", ""),
        ("Поиск ускорился после переезда.", "Поиск ускорился.", ""),
    ],
)
def test_what_is_set_on_no_condition_needs_none(quote: str, claim: str, question: str) -> None:
    """Nor does what the question supposes, nor another statement beside it."""
    assert doubt_of_conditions(claim, behind(quote, question)) is None


@pytest.mark.parametrize(
    ("quote", "claim"),
    [
        ("The licence had expired on Monday.", "The licence will expire on Monday."),
        ("Keys are handed out at noon.", "Keys were handed out at noon."),
        ("Its chair is Ida Moe.", "Ida Moe was the chair."),
        ("Ключи выдают в полдень.", "Ключи выдали в полдень."),
        ("Мост перестроили весной.", "Мост перестраивают весной."),
    ],
)
def test_a_claim_keeps_to_the_time_of_its_quotes(quote: str, claim: str) -> None:
    """What was is not what is or will be."""
    assert doubt_of_tense(claim, behind(quote)) is not None
    assert doubt_of_tense(quote, behind(quote)) is None


@pytest.mark.parametrize(
    ("quote", "claim"),
    [
        ("Keys are handed out once both have signed.", "Keys are handed out when both sign."),
        ("Ключи выдают, если оба расписались.", "Ключи выдают, если оба распишутся."),
        ("The gate has closed.", "The gate had closed."),
        ("Gate 7 is closed.", "Gate 7 is closed."),
    ],
)
def test_a_condition_has_a_tense_of_its_own(quote: str, claim: str) -> None:
    """What is to have happened first may be told either way."""
    assert doubt_of_tense(claim, behind(quote)) is None


@pytest.mark.parametrize(
    ("quote", "claim"),
    [
        ("Call the guard before the visit.", "Call the guard after the visit."),
        ("Doors open until the concert.", "Doors open during the concert."),
        ("The lock is changed when the ship returns.", "The lock is changed before the ship returns."),
        ("It was the archive in 2019.", "It was the archive until 2019."),
        ("Samples go a week after the report.", "Samples go a week before the report."),
        ("The gate is open on working days.", "The gate is open every day."),
        ("Pay by ten the same day.", "Pay by ten the next day."),
        ("The report came the day it was due.", "The report came the previous day."),
        ("Seals are renewed 30 days before the end.", "Seals are renewed every 30 days."),
        ("Звоните охране до визита.", "Звоните охране во время визита."),
        ("Двери открыты перед концертом.", "Двери открыты после концерта."),
        ("Ворота открыты по будням.", "Ворота открыты каждый день."),
        ("Платить до десяти того же дня.", "Платить до десяти следующего дня."),
        ("Пробы увозят через неделю после отчёта.", "Пробы увозят за неделю до отчёта."),
    ],
)
def test_a_claim_keeps_to_the_order_of_its_quotes(quote: str, claim: str) -> None:
    """Before, during and after are not the same, nor are some days and every day."""
    assert doubt_of_relations(claim, behind(quote)) is not None
    assert doubt_of_relations(quote, behind(quote)) is None


@pytest.mark.parametrize(
    ("quote", "claim"),
    [
        ("Samples stay until the report, and go a week after it.", "Samples go a week after the report."),
        ("Orders before 14:00 leave at once; later orders leave tomorrow.", "Orders after 14:00 leave tomorrow."),
        ("Пробы хранят до отчёта, а через неделю после него увозят.", "Через неделю после отчёта пробы увозят."),
    ],
)
def test_one_thing_may_stand_in_two_relations(quote: str, claim: str) -> None:
    """What a pronoun repeats, or what lies beyond a limit, is told of the same thing."""
    assert doubt_of_relations(claim, behind(quote)) is None


@pytest.mark.parametrize(
    ("quote", "claim"),
    [
        ("The form is signed by the director of the branch.", "The form is signed by the treasurer of the branch."),
        ("Badges for drivers are renewed each spring.", "Badges for nobody but drivers are renewed each spring."),
        (
            "Deposits of at least 500 euros are paid into this account.",
            "Deposits of 500 euros are paid into this account.",
        ),
        ("Форму подписывает директор этого филиала.", "Форму подписывает казначей этого филиала."),
        ("Залог не менее 500 рублей вносят на этот счёт.", "Залог 500 рублей вносят на этот счёт."),
    ],
)
def test_a_word_exchanged_among_words_of_the_quotes_is_doubted(quote: str, claim: str) -> None:
    """Who keeps to the words of a document and puts in another one has changed what it says."""
    assert doubt_of_following(claim, behind(quote)) is not None
    assert doubt_of_following(quote, behind(quote)) is None


def test_a_word_of_the_heading_in_the_place_of_another_is_doubted() -> None:
    """What stands above the quotes is no word for what stands in them; elsewhere in the claim it may stand."""
    quote = "The book is renewed once a year at the cost of the cafe."

    backing = Backing(quote, "Notes for the worker", "")
    assert doubt_of_following("The book is renewed once a year at the cost of the worker.", backing) is not None
    assert doubt_of_following("Worker: the book is renewed once a year at the cost of the cafe.", backing) is None


@pytest.mark.parametrize(
    ("quote", "claim"),
    [
        ("The fee is 20 euros.", "The fee will not be 20 euros."),
        ("Сбор составляет 20 рублей.", "Сбор не составляет 20 рублей."),
    ],
)
def test_a_denial_of_its_own_is_doubted(quote: str, claim: str) -> None:
    """Unless the quotes say so in another word."""
    assert doubt_of_denials(claim, behind(quote)) is not None
    assert doubt_of_denials(quote, behind(quote)) is None


@pytest.mark.parametrize(
    ("quote", "claim"),
    [
        ("The office is closed on Sundays.", "The office is not open on Sundays."),
        ("Только члены клуба голосуют.", "Кроме членов клуба никто не голосует."),
        ("Если ошибка осталась, звоните мастеру.", "Если ошибка не исчезла, звоните мастеру."),
    ],
)
def test_a_denial_in_another_word_is_none_of_its_own(quote: str, claim: str) -> None:
    """Closed is not open, and only these is nobody else."""
    assert doubt_of_denials(claim, behind(quote)) is None


KEPT = [
    ("Is the library open on Sunday?", "No, on Sunday the library is closed."),
    ("Is the library open on Sunday?", "No, the library is not open on Sunday."),
    ("Is the wardrobe free?", "Yes, the wardrobe is free, except for suitcases."),
    ("Can an account be closed?", "Yes, an account can be closed as long as its balance is not negative."),
    ("Is music allowed at night?", "No, music is forbidden at night."),
    ("Открыта ли библиотека в воскресенье?", "Нет, в воскресенье библиотека закрыта."),
    ("Есть ли глютен в сырниках?", "Нет, в сырниках нет глютена."),
    ("Можно ли работать без медкнижки?", "Нет, без медкнижки работать нельзя."),
    ("Бесплатный ли гардероб?", "Да, гардероб бесплатный, кроме чемоданов."),
]
LEFT_OUT = [
    ("Is the library open on Sunday?", "Yes, on Sunday the library is closed.", "On Sunday the library is closed."),
    ("Do I need a note?", "No, a note is needed from the fourth day.", "A note is needed from the fourth day."),
    ("May I stay 30 days?", "Yes, but you may stay at most 25 days.", "You may stay at most 25 days."),
    ("Are all fines refunded?", "Yes, fines are refunded.", "Fines are refunded."),
    ("Is the lamp waterproof?", "Yes, the lamp weighs 3 kg.", "The lamp weighs 3 kg."),
    ("Is it blue or red?", "Yes, it is blue.", "It is blue."),
    ("May Ann drive?", "Yes, Bob may drive.", "Bob may drive."),
    ("When is the library open?", "Yes, the library is open on Monday.", "The library is open on Monday."),
    ("Нужна ли справка?", "Нет, справка нужна.", "Справка нужна."),
    ("Разрешены ли телефоны?", "Да, телефоны запрещены всем.", "Телефоны запрещены всем."),
    ("Когда открыта библиотека?", "Да, библиотека открыта в субботу.", "Библиотека открыта в субботу."),
]


@pytest.mark.parametrize(("question", "claim"), KEPT)
def test_a_yes_or_no_stands_where_the_claim_says_so(question: str, claim: str) -> None:
    """It is proven apart from its claim, by the claim and the question."""
    assert claim == replying(claim, question)[1]


@pytest.mark.parametrize(("question", "claim", "shown"), LEFT_OUT)
def test_a_yes_or_no_that_the_claim_does_not_bear_out_is_left_out(question: str, claim: str, shown: str) -> None:
    """The claim stays, and is proven without it."""
    assert (shown, shown) == replying(claim, question)


@pytest.mark.parametrize("claim", ["No. 5 is closed.", "No dogs are allowed.", "Yes.", "Нет.", "Да"])
def test_what_is_no_reply_with_a_claim_behind_it_stays(claim: str) -> None:
    """A number, a denial, or a bare yes, which is judged as a claim."""
    assert (claim, claim) == replying(claim, "Is gate 5 open?")


@pytest.mark.parametrize(
    ("quote", "claim"),
    [
        ("Nobody may enter the plant without a helmet.", "A helmet is required to enter the plant."),
        ("A helmet is required to enter the plant.", "Nobody may enter the plant without a helmet."),
        ("Parcels are brought by courier, not by post.", "Parcels are brought by courier rather than by post."),
        ("The cloakroom is free, except for suitcases.", "The cloakroom is free, but a suitcase is not free."),
        ("The tool rolls back in a minute.", "A rollback with the tool takes a minute."),
        ("The driver was not hurt.", "The driver was unhurt."),
        ("The key was taken by the guard.", "The guard took the key."),
        ("Members should lock their bikes.", "It is recommended that members lock their bikes."),
        ("Без согласия директора премию не выплачивают.", "Для выплаты премии нужно согласие директора."),
        ("Заявки рассматривают в мае.", "Заявки рассмотрят в мае."),
        ("Ошибку нашёл клиент.", "Ошибка найдена клиентом."),
        ("Войти можно только по пропуску.", "Войти можно лишь по пропуску."),
        ("Кружок — среда, 16:00.", "Кружок — в среду в 16:00."),
        ("В воскресенье касса закрыта.", "В воскресенье касса не работает."),
    ],
)
def test_the_same_in_other_words_is_kept(quote: str, claim: str) -> None:
    """Two denials are a demand, a verb has several forms, and open is what works."""
    assert fault_of(claim, behind(quote)) is None


@pytest.mark.parametrize(
    ("quote", "claim"),
    [
        ("The desk is open from 9 to 16, on Sunday it is closed.", "On Sunday the desk is open."),
        ("Members may use the hall.", "Members must use the hall."),
        ("Both clerks have signed.", "One of the clerks has signed."),
        ("Касса открыта с 9:00 до 16:00, в воскресенье закрыта.", "В воскресенье касса открыта."),
        ("На переменах пользоваться телефоном можно.", "На переменах пользоваться телефоном нельзя."),
        ("Без пропуска на склад не пускают.", "Без пропуска на склад пускают."),
        ("Оба кассира расписались.", "Один из кассиров расписался."),
    ],
)
def test_the_contrary_is_no_other_word_for_it(quote: str, claim: str) -> None:
    """On its day, and with its denial."""
    backing = behind(quote)

    assert fault_of(claim, backing) or doubt_of(claim, backing)
