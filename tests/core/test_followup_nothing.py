"""A follow-up that nothing answers is not answered by what the question before it was."""

from dataclasses import replace

import pytest

from core.conversation import Audience
from core.ports import Found, SearchQuery
from core.text import terms
from tests.core.scenes import facts_of
from tests.core.test_pipeline import Memory, Shelf, ask, ports, question

PARKING = """# Parking rules

## Permits

Every employee may ask for one parking permit. A permit costs 35 euros a month.

Permits for electric cars are free of charge.

## Visitors

Visitors park on level 2. A visitor must sign the book at the gate.
"""
STORE = """# Правила склада

## Пропуск

Пропуск на склад выдаёт сотрудникам начальник смены. Пропуск действует 90 дней.

## Гости

Гость расписывается в журнале у ворот.
"""


class Searching(Shelf):
    """A shelf on which every word of the query weighs the same."""

    async def find(self, query: SearchQuery, audience: Audience) -> Found:
        found = await super().find(query, audience)
        return Found(found.facts, dict.fromkeys(terms(query.text), 1.0))


@pytest.mark.parametrize(
    ("page", "first", "then", "holds"),
    [
        (PARKING, "What does a parking permit cost?", "And who repairs the barrier there?", None),
        (PARKING, "What does a parking permit cost?", "And how many lifts does it have?", None),
        (PARKING, "What does a parking permit cost?", "And for electric cars?", "free of charge"),
        (PARKING, "What does a parking permit cost?", "And where do visitors park?", "level 2"),
        (STORE, "Кто выдаёт пропуск на склад?", "А кто чинит там шлагбаум?", None),
        (STORE, "Кто выдаёт пропуск на склад?", "А сколько он действует?", "90 дней"),
    ],
)
async def test_what_is_new_in_a_follow_up_must_stand_somewhere(
    page: str, first: str, then: str, holds: str | None
) -> None:
    """What it carries on from the question before brings any passage near; its own words are what it asks."""
    facts = [
        replace(one, parts=tuple(replace(part, similarity=0.35) for part in one.parts))
        for one in facts_of("a.md", page)
    ]
    given = ports(Searching(passages=facts), memory=Memory())
    await ask(given, question(first))
    record = await ask(given, question(then, 2))

    assert (holds is None) == record.answer.is_refusal, [claim.text for claim in record.answer.claims]
    assert holds is None or holds in " ".join(claim.text for claim in record.answer.claims)
    assert record.answer.nearest if holds is None else not record.answer.nearest
