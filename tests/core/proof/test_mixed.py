"""What the quotes say of one thing is not told of another, though each word of the claim stands in them."""

import pytest

from core.answer import Draft, DraftClaim, Pointer
from core.proof.backing import Backing
from core.proof.mixed import doubt_of_mixing
from core.verify import verify
from tests.core.scenes import context, facts_of

RENT = "Плату за воду съёмщик вносит отдельно; ремонт оплачивает хозяин, а вывоз снега оплачивает город."
PASS = "Скидка по карте — 10 % на книги и 25 % на ноты."
HOURS = "The shop is open from 9:00 to 18:00, on Saturday until 14:00, closed on Sunday."
POOL = "Бассейн открыт с 7:00 до 22:00, в субботу — до 18:00, в воскресенье закрыт."
BOARD = "Its head is Vera Lind; her deputy is Omar Haddad, who took over from Paul Stein in June 2022."
CLUBS = "Гончарная мастерская — вторник, ведёт Пётр Лосев.\nХор — пятница, ведёт Анна Рогова."
RESET = "The alarms are deleted, the volume is kept."
TEAM = "Anna Berg, Boris Klein and Vera Lind lead the sales office between 9:00 and 17:00."


@pytest.mark.parametrize(
    ("claim", "quote", "kept"),
    [
        ("Ремонт оплачивает хозяин.", RENT, True),
        ("Ремонт оплачивает город.", RENT, False),
        ("Вывоз снега оплачивает хозяин.", RENT, False),
        ("Скидка на ноты — 25 %.", PASS, True),
        ("Скидка на ноты — 10 %.", PASS, False),
        ("На ноты скидка 10 %.", PASS, False),
        ("On Saturday the shop is open until 14:00.", HOURS, True),
        ("On Saturday the shop is open until 18:00.", HOURS, False),
        ("On Saturday the shop is closed.", HOURS, False),
        ("The shop is closed on Sunday.", HOURS, True),
        ("В субботу бассейн открыт до 18:00.", POOL, True),
        ("В субботу бассейн открыт до 22:00.", POOL, False),
        ("The head is Vera Lind.", BOARD, True),
        ("The head is Omar Haddad.", BOARD, False),
        ("The deputy is Paul Stein.", BOARD, False),
        ("Omar Haddad took over from Paul Stein in June 2022.", BOARD, True),
        ("Хор ведёт Анна Рогова.", CLUBS, True),
        ("Хор ведёт Пётр Лосев.", CLUBS, False),
        ("Гончарную мастерскую ведёт Анна Рогова.", CLUBS, False),
        ("A reset deletes the alarms.", RESET, True),
        ("The alarms are kept, the volume is deleted.", RESET, False),
        ("A reset deletes the volume.", RESET, False),
        ("Plan A includes 50 GB.", "The Plan A includes 50 GB; Plan B includes 1 TB.", True),
        ("Plan B includes 50 GB.", "Plan A includes 50 GB; Plan B includes 1 TB.", False),
        ("Anna Berg leads the sales office.", TEAM, True),
        ("The sales office is led between 9:00 and 17:00 by Vera Lind.", TEAM, True),
        ("Migrations take about 4 minutes.", "A rollback takes about 4 minutes; migrations are kept.", False),
        ("A rollback takes about 4 minutes.", "A rollback takes about 4 minutes; migrations are kept.", True),
    ],
)
def test_a_part_of_the_quotes_keeps_its_own(claim: str, quote: str, *, kept: bool) -> None:
    """A value is told of what it is said of; what comes later goes on about what came before."""
    assert kept == (doubt_of_mixing(claim, Backing(quote, "", "")) is None)


PAGE = """# Office

Trips under €900 are approved by your team lead. Anything above that goes to Marta Lind, who answers in two days.

- **Omar Haddad**, Head of People: leave, grievances.
- **Vera Stein**, Head of Rooms: desks, keys and parking.

Бюджет до 90 000 рублей утверждает начальник отдела, как и все поездки внутри страны.

- **Анна Рогова**, бухгалтер: отчёты, налоги.
"""


@pytest.mark.parametrize(
    ("claim", "quotes"),
    [
        ("Omar Haddad approves trips under €900.", ("Trips under €900", "leave, grievances")),
        ("Trips under €900 are approved by Marta Lind.", ("Trips under €900", "Anything above that")),
        ("Vera Stein is responsible for grievances.", ("leave, grievances", "desks, keys")),
        ("Бюджет до 90 000 рублей утверждает Анна Рогова.", ("Бюджет до 90 000", "отчёты, налоги")),
    ],
)
def test_two_quotes_are_not_put_together(claim: str, quotes: tuple[str, ...]) -> None:
    """Somebody of one line is not told to do what another line says."""
    facts = facts_of("office.md", PAGE)
    numbers = [next(n for n, fact in enumerate(facts, 1) if quote in fact.text) for quote in quotes]
    draft = Draft((DraftClaim(claim, tuple(map(Pointer, numbers, quotes))),))

    answer = verify(draft, context(*facts, question="Who does what? Кто что делает?"), last=False)

    assert [] == [one.text for one in answer.claims if one.verdict == "supported"]


TABLE = """# Travel

| City | Hotel per night | Meals per day |
|---|---|---|
| Oslo | €210 | €65 |
| Rome | €160 | €50 |

# Поездки

| Город | Гостиница за ночь | Питание в день |
|---|---|---|
| Осло | 9 000 рублей | 3 100 рублей |
| Рим | 7 000 рублей | 2 500 рублей |
"""


@pytest.mark.parametrize(
    ("claim", "rows", "kept"),
    [
        ("A hotel in Oslo may cost €210 per night.", ("Oslo",), True),
        ("A hotel in Oslo may cost €65 per night.", ("Oslo",), False),
        ("Meals in Oslo: €210 per day.", ("Oslo",), False),
        ("Meals in Oslo: €65 per day, a hotel €210 per night.", ("Oslo",), True),
        ("In Rome, €160.", ("Rome",), True),
        ("€160.", ("Rome",), True),
        ("In Rome, €50.", ("Rome",), False),
        ("A hotel in Oslo may cost €160 per night.", ("Oslo", "Rome"), False),
        ("Гостиница в Осло стоит до 9 000 рублей за ночь.", ("Осло",), True),
        ("Гостиница в Осло стоит до 3 100 рублей за ночь.", ("Осло",), False),
        ("Питание в Риме — 7 000 рублей в день.", ("Рим",), False),
        ("Питание в Риме — 2 500 рублей в день.", ("Рим",), True),
    ],
)
def test_a_value_of_a_table_keeps_its_row_and_column(claim: str, rows: tuple[str, ...], *, kept: bool) -> None:
    """What a hotel costs is not what meals cost; where a claim does not say, the question does."""
    facts = facts_of("travel.md", TABLE)
    lines = [
        next((n, line) for n, f in enumerate(facts, 1) for line in f.text.split("\n") if line.startswith(row))
        for row in rows
    ]
    draft = Draft((DraftClaim(claim, tuple(Pointer(*line) for line in lines)),))

    answer = verify(
        draft, context(*facts, question="How much is a hotel in Rome, Oslo? Сколько стоит гостиница?"), last=False
    )

    assert kept == any(one.verdict == "supported" for one in answer.claims)


DESKS = """# Offices

- The Oslo office of Anna Berg opened in May and has 40 desks.
- The Rome office of Omar Haddad closed in June and has 25 rooms.

- Офис в Осло ведёт Анна Рогова, открыт до 18:00.
- Офис в Риме ведёт Пётр Лосев, открыт до 14:00.
"""


@pytest.mark.parametrize(
    ("lead", "lines", "kept"),
    [
        ("The Oslo office has 40 desks:", (0, 1), False),
        ("The Oslo office has 40 desks:", (0,), True),
        ("The Rome office, 40 desks:", (0, 1), False),
        ("The 2 offices:", (0, 1), True),
        ("Пётр Лосев ведёт офис в Риме:", (2, 3), False),
        ("Пётр Лосев ведёт офис в Риме:", (3,), True),
        ("Пётр Лосев ведёт офис в Осло:", (2, 3), False),
        ("Офис в Осло открыт до 14:00:", (2, 3), False),
        ("Анна Рогова, офис в Риме:", (2, 3), False),
    ],
)
def test_a_lead_with_a_name_or_a_number_is_held_by_one_claim(lead: str, lines: tuple[int, ...], *, kept: bool) -> None:
    """What only one of two claims says does not introduce both; nor do two make a lead true with one word of each."""
    facts = facts_of("offices.md", DESKS)
    items = [line.removeprefix("- ") for line in DESKS.splitlines() if line.startswith("- ")]
    said = [items[line] for line in lines]
    claims = tuple(
        DraftClaim(text, (Pointer(next(n for n, f in enumerate(facts, 1) if text in f.text), text),)) for text in said
    )

    answer = verify(Draft(claims, lead), context(*facts, question="What offices are there? Какие есть офисы?"))

    assert (lead if kept else None) == answer.lead
