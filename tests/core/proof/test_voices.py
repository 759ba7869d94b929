"""Who does what to whom, in whatever voice, and whose somebody it is."""

import pytest

from core.proof.backing import Backing
from core.proof.heads import doubt_of_heads
from core.proof.subjects import fault_of_roles
from core.proof.voices import fault_of_voice

FOUNDED = "Компания «Заря» купила компанию «Луч»."


@pytest.mark.parametrize(
    ("claim", "quote", "held"),
    [
        ("Ingrid was trained by Pavel.", "Ingrid trained Pavel.", False),
        ("The museum visited the minister.", "The museum was visited by the minister on Monday.", False),
        ("In March Northwind was sued by Tailspin.", "Northwind sued Tailspin in March.", False),
        ("Emil Roth was beaten by Otto Lang.", "Emil Roth beat Otto Lang in 2018.", False),
        ("The outage caused a cable fault.", "The outage was caused by a cable fault.", False),
        ("Pavel was trained by Ingrid.", "Ingrid trained Pavel.", True),
        ("The minister visited the museum.", "The museum was visited by the minister on Monday.", True),
        ("The head of the lab checks the report.", "The report is checked by the head of the lab.", True),
        ("The report is sent by Friday.", "The report sent the team home.", True),
        ("The report is checked by the head.", "The report is checked by the head, and checked again.", True),
    ],
)
def test_the_passive_does_not_turn_who_acts(claim: str, quote: str, *, held: bool) -> None:
    """Who acts stands behind “by” where the verb is in the passive."""
    assert held == (fault_of_voice(claim, Backing(quote, "", "")) is None)


@pytest.mark.parametrize(
    ("claim", "quote", "held"),
    [
        ("Зайцев победил Соколова в финале.", "Соколов победил Зайцева в финале.", False),
        ("Петрова в 2018 году лечил Сидоров.", "Петров лечил Сидорова в 2018 году.", False),
        ("Сидоров лечил в 2018 году Петрова.", "Петров лечил Сидорова в 2018 году.", False),
        ("Попов обучил Смирнову.", "Смирнова обучила Попова.", False),
        ("Ильин был обвинён Громовым.", "Ильин обвинил Громова.", False),
        ("Громов обвинил Ильина.", "Громов был обвинён Ильиным.", False),
        ("Дмитрия назначил Михаил.", "Вчера Дмитрий назначил Михаила.", False),
        ("Компанию «Заря» купила компания «Луч».", FOUNDED, False),
        ("Компания «Заря» куплена компанией «Луч».", FOUNDED, False),
        ("Театр «Волна» поддержал фонд «Маяк».", "Фонд «Маяк» поддержал театр «Волна».", False),
        ("Волконского сменил Орловский.", "Вчера Волконский сменил Орловского.", False),
        ("В финале Зайцева победил Соколов.", "Соколов победил Зайцева в финале.", True),
        ("Громов был обвинён Ильиным.", "Ильин обвинил Громова.", True),
        ("Ильин обвинил Громова.", "Громов был обвинён Ильиным.", True),
        ("Компанию «Луч» купила компания «Заря».", FOUNDED, True),
        ("Отчёт готовится отделом.", "Отдел готовит отчёт.", True),
        ("Договор подписан Ивановым и Козловым.", "Договор подписали Иванов и Козлов.", True),
        ("Гостя встречает сотрудник, который его пригласил.", "Гостей встречает пригласивший сотрудник.", True),
    ],
)
def test_russian_names_keep_their_case(claim: str, quote: str, *, held: bool) -> None:
    """Surnames, first names and names in quotation marks are told apart by how they are declined."""
    assert held == (fault_of_roles(claim, Backing(quote, "", "")) is None)


@pytest.mark.parametrize(
    ("claim", "quote", "held"),
    [
        ("The mayor opens the fair.", "The deputy mayor opens the fair.", False),
        ("The deputy mayor opens the fair.", "The mayor opens the fair.", False),
        ("The tenant wrote to the court.", "The tenant's lawyer wrote to the court.", False),
        ("The founder keeps the archive.", "The widow of the founder keeps the archive.", False),
        ("The director signs.", "An assistant to the director signs.", False),
        ("The neighbours sued.", "The neighbours' lawyer sued.", False),
        ("Мэр открывает ярмарку.", "Заместитель мэра открывает ярмарку.", False),
        ("Директор ушёл.", "Адвокат бывшего директора ушёл.", False),
        ("Вдова обжаловала решение.", "Адвокат вдовы обжаловал решение.", False),
        ("The fair is opened by the deputy mayor.", "The deputy mayor opens the fair.", True),
        ("The lawyer of the tenant wrote to the court.", "The tenant's lawyer wrote to the court.", True),
        ("The assistant signs.", "An assistant to the director signs.", True),
        ("The principal signs.", "The principal and her secretary sign, the principal's stamp is kept.", True),
        ("Helen is Maria's manager.", "Maria reports to Helen.", True),
        ("The fair is opened for the mayor.", "The deputy mayor opens the fair.", True),
        ("The mayor has a horse.", "The deputy mayor opens the fair.", True),
        ("Ярмарку открывает заместитель мэра.", "Заместитель мэра открывает ярмарку.", True),
        ("Декан подписывает приказ.", "Декан и заместитель декана подписывают приказ.", True),
        ("Учитель ведёт кружок.", "Учитель физики ведёт кружок.", True),
        ("Мэр — друг, для города.", "Друг, мэр города.", True),
    ],
)
def test_somebodys_deputy_is_not_he(claim: str, quote: str, *, held: bool) -> None:
    """What is said of an assistant, a lawyer or a brother of somebody is not said of him, nor the other way round."""
    assert held == (doubt_of_heads(claim, Backing(quote, "", "")) is None)
