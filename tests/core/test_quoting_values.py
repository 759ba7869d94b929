"""The value that is asked for is held by what is quoted: a time of day, a number that is stated, a row by its name."""

from dataclasses import replace

import pytest

from core.facts import Fact
from core.quoting import draft_quotes
from core.text import terms
from tests.core.scenes import facts_of
from tests.core.test_quoting import asked, quoted


def placed(markdown: str) -> list[Fact]:
    """Return the facts of a page, each knowing what it stands under."""
    over = ((one, "\n".join((one.source.title, *one.place.headings))) for one in facts_of("a.md", markdown))
    return [replace(one, around=frozenset(terms(line))) for one, line in over]


SICK = "# Sick\n\n## On leave\n\nReport sick the same day.\n\n## Calling in\n\nCall in sick before 09:30.\n"
SICK_RU = "# Болезнь\n\n## В отпуске\n\nО болезни сообщают в тот же день.\n\n## Звонок\n\nО болезни звонят до 09:30.\n"


@pytest.mark.parametrize(
    ("question", "page", "near", "told"),
    [
        ("By what time do I call in sick?", SICK, "sick", "Call in sick before 09:30."),
        ("До скольки звонят о болезни?", SICK_RU, "болезни", "О болезни звонят до 09:30."),
    ],
)
def test_what_time_is_told_by_a_time_of_day(question: str, page: str, near: str, told: str) -> None:
    """That it is the same day is no time, however near it is."""
    assert [told] == quoted(question, *placed(page), near=near)


STEPS = (
    "# Arrival list\n\nRead it in week 2.\n\n## The list\n\nEverybody ticks these 14 items:\n\n- key\n- badge\n- desk\n"
)
STEPS_RU = (
    "# Список дел\n\nЧитают на 2-й неделе.\n\n## Список\n\nВсе отмечают эти 14 пунктов:\n\n- ключ\n- пропуск\n- стол\n"
)


@pytest.mark.parametrize(
    ("question", "page", "near", "told"),
    [
        ("How many items are on the arrival list?", STEPS, "items:", "Everybody ticks these 14 items:"),
        ("Сколько пунктов в списке дел?", STEPS_RU, "пунктов:", "Все отмечают эти 14 пунктов:"),
    ],
)
def test_a_number_that_introduces_a_list_is_told(question: str, page: str, near: str, told: str) -> None:
    """Its items are not counted in its place, nor is another number told."""
    draft = draft_quotes(asked(question, *placed(page), near=near, lists=True))

    assert told == draft.claims[0].text


RATES = "# Trips\n\n| City | Night |\n|---|---|\n| Paris | €205 |\n| Leeds | €140 |\n"
RATES_RU = "# Поездки\n\n| Город | Ночь |\n|---|---|\n| Париж | 205 евро |\n| Лидс | 140 евро |\n"


@pytest.mark.parametrize(
    ("question", "page", "near", "row"),
    [
        ("Сколько можно тратить на отель в Париже?", RATES, "Paris", "Paris | €205"),
        ("What may a hotel in Paris cost?", RATES_RU, "Париж", "Париж | 205 евро"),
    ],
)
def test_a_name_is_known_by_its_sound_in_another_alphabet(question: str, page: str, near: str, row: str) -> None:
    """The row of that name answers, which without it would not be near enough."""
    facts = placed(page)

    assert [row] == quoted(question, *facts, near=near, similarity=0.36, names=("Париже", "Paris"))
    assert [] == quoted(question, *facts, near=near, similarity=0.36)
