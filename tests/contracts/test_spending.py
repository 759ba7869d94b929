"""What models cost each workspace each day: added as turns are closed, once each."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from adapters.storage.database import Database
from adapters.storage.inbox import SqlInbox
from adapters.storage.spending import SqlSpending
from adapters.storage.threads import SqlThreads
from core.conversation import Audience
from core.turn import Spent
from tests.adapters.storage.turns import NOON, ask, finish, part

TODAY = NOON.date()


@pytest.fixture
def spending(database: Database) -> SqlSpending:
    """Return the sums, where nothing has been spent."""
    return SqlSpending(database)


async def close(threads: SqlThreads, text: str, spent: Spent, *, tenant: str = "acme", minute: float = 0) -> None:
    """Close the turn of a question that cost so much."""
    question = replace(ask(text, minute=minute), audience=Audience(tenant))
    await threads.close(question, [part("It is there.")], replace(finish(question), spent=spent))


async def test_costs_add_up_by_workspace_and_day(threads: SqlThreads, spending: SqlSpending) -> None:
    """Another workspace and another day count for themselves; a question without a model costs nothing."""
    await close(threads, "Where?", Spent(2, 900, 0.25))
    await close(threads, "Где?", Spent(3, 100, 0.5), minute=1)
    await close(threads, "How?", Spent(), minute=2)
    await close(threads, "Сколько?", Spent(1, 10, 0.125), tenant="бета", minute=3)
    await close(threads, "When?", Spent(1, 10, 4.0), minute=24 * 60)

    assert {"acme": Spent(5, 1000, 0.75), "бета": Spent(1, 10, 0.125)} == await spending.on(TODAY)
    assert Spent(1, 10, 4.0) == await spending.of("acme", TODAY + timedelta(days=1))
    assert Spent() == await spending.of("gamma", TODAY)


async def test_to_find_out_whether_a_message_is_for_us_is_paid_for(
    inbox: SqlInbox, threads: SqlThreads, spending: SqlSpending
) -> None:
    """Though nobody hears of it, once."""
    heard = replace(ask("Кто придёт?", overheard=True), audience=Audience("acme"))
    await inbox.record(heard)
    for _ in range(2):
        await threads.pass_over(heard, "not for us", Spent(1, 40, 0.125))
    today = datetime.now(UTC).date()

    assert Spent(1, 40, 0.125) == await spending.of("acme", today)


async def test_a_turn_is_paid_for_once(threads: SqlThreads, spending: SqlSpending) -> None:
    """Closing it again, as after a crash, adds nothing."""
    for _ in range(3):
        await close(threads, "Where?", Spent(2, 900, 0.25))

    assert Spent(2, 900, 0.25) == await spending.of("acme", TODAY)


async def test_what_ends_at_once_is_all_counted(threads: SqlThreads, spending: SqlSpending) -> None:
    """Twenty turns that are closed side by side."""
    await asyncio.gather(*(close(threads, f"Вопрос {n}?", Spent(1, 7, 0.5), minute=n) for n in range(20)))

    assert Spent(20, 140, 10.0) == await spending.of("acme", TODAY)
