"""One word exchanged: another part, rate, ordinal, particle, doer, hour or preposition is another statement."""

import pytest

from core.answer import Draft, DraftClaim, Pointer
from core.context import AnswerContext
from core.facts import Fact, Part, Place, Source, Span
from core.plan import Style
from core.text import Untrusted, language_of
from core.verify import verify


def is_shown(claim: str, quote: str) -> bool:
    """Return whether the claim is shown in its own words on that quote."""
    text = Untrusted(quote)
    span = Span(0, len(text))
    fact = Fact(text, Source("a.md", "A"), span, "a-0", Place(()), (Part(span, "paragraph"),))
    question = {"en": "What do the documents say?", "ru": "Что говорится в документах?"}[language_of(claim)]
    context = AnswerContext(question, (fact,), language_of(claim), Style.BULLETS, "factual", 20, 8, 3, 150)
    answer = verify(Draft((DraftClaim(claim, (Pointer(1, quote),)),)), context, last=False)
    return [claim] == [one.text for one in answer.claims if one.verdict == "supported"]


@pytest.mark.parametrize(
    ("quote", "claim"),
    [
        ("Solar panels give a third of the power in Lyon.", "Solar panels give a quarter of the power in Lyon."),
        ("A quarter of the staff works remotely.", "A third of the staff works remotely."),
        ("A quarter of the staff works remotely.", "20% of the staff works remotely."),
        ("Панели дают треть электричества в Сочи.", "Панели дают четверть электричества в Сочи."),
        ("Четверть сотрудников работает удалённо.", "Треть сотрудников работает удалённо."),
        ("The hotel limit is €160 per night in Paris.", "The hotel limit is €160 per week in Paris."),
        ("Parking costs £5 a night.", "Parking costs £5 a week."),
        ("Parking costs £5 nightly.", "Parking costs £5 weekly."),
        ("The deposit is €30 per person.", "The deposit is €30 per day."),
        ("The rent is €900.", "The rent is €900 per month."),
        ("Парковка стоит 200 рублей за ночь.", "Парковка стоит 200 рублей за неделю."),
        ("The first floor is for guests.", "The second floor is for guests."),
        ("The third reminder goes to the manager.", "The second reminder goes to the manager."),
        ("Visitors must sign in at reception.", "Visitors must sign out at reception."),
        ("The pump must be switched off before cleaning.", "The pump must be switched on before cleaning."),
        ("The driver pays the fine.", "The company pays the fine."),
        ("Водитель платит штраф.", "Компания платит штраф."),
        ("Расходы на доставку несёт покупатель.", "Расходы на доставку несёт компания."),
        ("Покупатель платит продавцу задаток.", "Продавец платит покупателю задаток."),
        ("Владелец сообщает жильцу о ремонте.", "Жилец сообщает владельцу о ремонте."),
        ("The bug was found by Ivan and fixed by Petr.", "The bug was fixed by Ivan."),
        ("Ошибку нашёл Иван, а исправил Пётр.", "Ошибку исправил Иван."),
        ("Deliveries are accepted until noon.", "Deliveries are accepted from noon."),
        ("Доставку принимают до полудня.", "Доставку принимают с полудня."),
        ("Either the manager or the deputy signs.", "Both the manager and the deputy sign."),
        ("Премия выплачивается сверх оклада.", "Премия выплачивается вместо оклада."),
        ("Музей закрыт по понедельникам.", "Музей закрыт кроме понедельников."),
        ("The refund goes to the original card.", "The refund goes to a new card."),
        ("The test failed on Monday and passed on Tuesday.", "The test passed on Monday."),
        ("Тест упал в понедельник и прошёл во вторник.", "Тест прошёл в понедельник."),
        ("The red button stops the belt and the green one starts it.", "The red button starts the belt."),
        ("Красная кнопка останавливает ленту, зелёная запускает.", "Красная кнопка запускает ленту."),
    ],
)
def test_what_it_says_otherwise_is_not_shown(quote: str, claim: str) -> None:
    """One word of the quote is exchanged, and with it what is said."""
    assert not is_shown(claim, quote)
    assert is_shown(quote, quote)


@pytest.mark.parametrize(
    ("quote", "claim"),
    [
        ("A quarter of the staff works remotely.", "25% of the staff works remotely."),
        ("25% of the staff works remotely.", "A quarter of the staff works remotely."),
        ("Четверть сотрудников работает удалённо.", "25% сотрудников работают удалённо."),
        ("Треть бюджета уходит на рекламу.", "На рекламу идёт треть бюджета."),
        ("Отчёт сдают в первой четверти.", "В первой четверти сдают отчёт."),
        ("The second floor is for guests.", "Guests have the 2nd floor."),
        ("Guests stay three nights.", "Guests stay for 3 nights."),
        ("Fees: 30 euros monthly per seat.", "The fee is €30 per month for each seat."),
        ("Гостиница стоит до 160 евро за ночь.", "За ночь в гостинице платят до 160 евро."),
        ("Visitors sign in at reception and sign out at the gate.", "Visitors sign out at the gate."),
        ("The light goes on at 6 and off at 9.", "The light goes on at 6."),
        ("We reimburse travel costs of employees.", "The company reimburses travel costs."),
        ("The employer pays half of the pension.", "The company pays half of the pension."),
        ("Мы возмещаем сотрудникам проезд.", "Компания возмещает сотрудникам проезд."),
        ("Покупатель платит продавцу задаток.", "Продавцу покупатель платит задаток."),
        ("The bug was found by Ivan and fixed by Petr.", "The bug was fixed by Petr."),
        ("Ошибку нашёл Иван, а исправил Пётр.", "Пётр исправил ошибку."),
        ("Deliveries are accepted until noon.", "Until noon, deliveries are accepted."),
        ("The test failed on Monday and passed on Tuesday.", "The test passed on Tuesday."),
        ("Тест упал в понедельник и прошёл во вторник.", "Во вторник тест прошёл."),
        ("The pump starts the flow and cools the engine to 40 degrees.", "The pump cools the engine."),
        ("Насос запускает поток и охлаждает мотор до 40 градусов.", "Насос охлаждает мотор."),
    ],
)
def test_the_same_in_other_words_is_shown(quote: str, claim: str) -> None:
    """A part may be said in per cent, an ordinal with a digit, the rest in another order."""
    assert is_shown(claim, quote)
