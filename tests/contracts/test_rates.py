"""How often is asked, counted in a database that several copies of the bot share."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from sqlalchemy import select

from adapters.storage.database import Database
from adapters.storage.inbox import SqlInbox
from adapters.storage.retention import SqlRetention
from adapters.storage.tables import rates
from core.rates import keys_of
from core.work import Waiting, Welcome
from tests.adapters.storage.turns import ask, part

USES = {"person:77": 36.0, "place:7": 6.0}


async def kept(database: Database) -> dict[str, float]:
    """Return in how many seconds from now each is refilled."""
    now = datetime.now(UTC).timestamp()
    async with database.reading() as connection:
        return {row.key: row.until - now for row in (await connection.execute(select(rates))).all()}


async def test_what_each_question_takes_adds_up_across_copies(database: Database) -> None:
    """Of many that are stored at once by two copies not one is lost; what is brought again takes nothing."""
    one, other = SqlInbox(database), SqlInbox(database)
    questions = [ask("?", message=str(number), place=str(number % 3)) for number in range(12)]
    for _ in range(2):
        await asyncio.gather(
            *(
                (one if number % 2 else other).record(question, lambda _: Welcome(uses=USES))
                for number, question in enumerate(questions)
            )
        )
    found = await kept(database)

    assert set(USES) == set(found)
    assert all(12 * USES[key] - 30 < found[key] <= 12 * USES[key] for key in USES)


async def test_the_next_question_hears_what_is_used_up(inbox: SqlInbox) -> None:
    """Of its own person, place and workspace alone; a refusal keeps what it says it uses."""
    first, second, heard = ask("a", message="1", asker="77"), ask("b", message="2", asker="77"), list[Waiting]()
    keys = keys_of(first)

    def hears(line: Waiting) -> Welcome:
        heard.append(line)
        return Welcome(refusal=(part("later"),), uses={keys["told"]: 60.0})

    await inbox.record(first, lambda _: Welcome(uses={keys["person"]: 60.0, "person:other": 60.0}))
    await inbox.record(second, hears)
    await inbox.edit(replace(second, text="c", version=1), hears)

    assert [{keys["person"]}, {keys["person"], keys["told"]}] == [set(line.used) for line in heard]


async def test_what_is_full_again_is_forgotten(database: Database) -> None:
    """Who asked is kept here for an hour, not for good; with the sweep, also where everything else is kept."""
    await SqlInbox(database).record(ask("?"), lambda _: Welcome(uses=USES))
    now = datetime.now(UTC)
    await SqlRetention(database).sweep(None, now)
    assert set(USES) == set(await kept(database))
    await SqlRetention(database).sweep(None, now + timedelta(minutes=1))

    assert {} == await kept(database)
