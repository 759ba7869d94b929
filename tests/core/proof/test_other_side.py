"""The same said from its other side is kept: a bound by what is beyond it, an hour by its name, a doer by his deed."""

import pytest

from tests.core.test_one_word_exchanged import is_shown


@pytest.mark.parametrize(
    ("quote", "claim", "kept"),
    [
        ("A sample may be thawed once at most.", "No sample may be thawed more than once.", True),
        ("A sample may be thawed once at most.", "No sample may be thawed more than twice.", False),
        ("A sample may be thawed at most twice.", "A sample may not be thawed more than twice.", True),
        ("A sample may be thawed at most twice.", "A sample may not be thawed more than three times.", False),
        ("Each pupil may borrow at most four books.", "No pupil may borrow more than four books.", True),
        ("Each pupil may borrow at most four books.", "No pupil may borrow less than four books.", False),
        ("Образец можно размораживать не более одного раза.", "Размораживать образец больше одного раза нельзя.", True),
        ("Образец можно размораживать не более одного раза.", "Размораживать образец больше двух раз нельзя.", False),
        ("Ученик может взять не более четырёх книг.", "Нельзя взять больше четырёх книг.", True),
        ("Ученик может взять не более четырёх книг.", "Нельзя взять меньше четырёх книг.", False),
    ],
)
def test_what_may_not_be_done_more_often_may_be_so_often(quote: str, claim: str, *, kept: bool) -> None:
    """“No more than once” allows just what “once at most” does; another number, or “less”, does not."""
    assert kept == is_shown(claim, quote)


@pytest.mark.parametrize(
    ("quote", "claim", "kept"),
    [
        ("Bookings can be cancelled free of charge until noon.", "Cancelling a booking is free until 12:00.", True),
        ("Bookings can be cancelled free of charge until noon.", "Cancelling a booking is free until 13:00.", False),
        ("Bookings can be cancelled free of charge until noon.", "Cancelling a booking is free from 12:00.", False),
        ("Бронь отменяют бесплатно до полудня.", "Бронь отменяют бесплатно до 12:00.", True),
        ("Бронь отменяют бесплатно до полудня.", "Бронь отменяют бесплатно после 12:00.", False),
        ("The shop is open until midnight.", "The shop is open until 12:00.", False),
        ("Магазин открыт до полуночи.", "Магазин открыт до 24:00.", True),
    ],
)
def test_an_hour_has_its_name(quote: str, claim: str, *, kept: bool) -> None:
    """Noon is 12:00 and midnight 24:00, on the side that the quotes put them."""
    assert kept == is_shown(claim, quote)


@pytest.mark.parametrize(
    ("quote", "claim", "kept"),
    [
        (
            "Access is granted by the leader and withdrawn by the administrator.",
            "The administrator withdraws access.",
            True,
        ),
        ("Access is granted by the leader and withdrawn by the administrator.", "The leader withdraws access.", False),
        (
            "Access is granted by the leader and withdrawn by the administrator.",
            "The administrator grants access.",
            False,
        ),
        ("Доступ выдаёт руководитель, а отзывает администратор.", "Администратор отзывает доступ.", True),
        ("Доступ выдаёт руководитель, а отзывает администратор.", "Руководитель отзывает доступ.", False),
        (
            "Окунева преподаёт химию и руководит кафедрой. Каждый учитель ведёт кружок.",
            "Руководитель кафедры — Окунева.",
            True,
        ),
        ("Окунева преподаёт химию и руководит кафедрой. Линд преподаёт музыку.", "Руководитель кафедры — Линд.", False),
        ("Окунева руководит кафедрой. Каждый учитель ведёт кружок.", "Учитель руководит кафедрой.", False),
        (
            "Ines Tavares directs the lab. Every technician wears gloves.",
            "The director of the lab is Ines Tavares.",
            True,
        ),
        ("Ines Tavares directs the lab. Every technician wears gloves.", "The technician directs the lab.", False),
    ],
)
def test_who_does_it_may_be_told_by_his_deed(quote: str, claim: str, *, kept: bool) -> None:
    """Of two deeds each keeps its doer, and whoever leads a thing is its leader."""
    assert kept == is_shown(claim, quote)


@pytest.mark.parametrize(
    ("quote", "claim", "kept"),
    [
        ("Only guild members may pilot tankers.", "Nobody but guild members may pilot tankers.", True),
        ("Only guild members may pilot tankers.", "No one except guild members can pilot tankers.", True),
        ("Berth 4 may be used only by tankers.", "No ship but a tanker may use Berth 4.", True),
        ("Only guild members may pilot tankers.", "Nobody but tankers may pilot guild members.", False),
        ("Only guild members may pilot tankers.", "Nobody but captains may pilot tankers.", False),
        ("Members may pilot only tankers.", "Nobody but members may pilot tankers.", False),
        ("Танкеры могут проводить только лоцманы.", "Никто, кроме лоцманов, не может проводить танкеры.", True),
        ("Танкеры могут проводить только лоцманы.", "Никто, кроме капитанов, не может проводить танкеры.", False),
        ("Лоцманы могут проводить только танкеры.", "Никто, кроме лоцманов, не может проводить танкеры.", False),
    ],
)
def test_nobody_but_one_is_only_that_one(quote: str, claim: str, *, kept: bool) -> None:
    """“Nobody but members may” says what “only members may” does, of the same ones."""
    assert kept == is_shown(claim, quote)
