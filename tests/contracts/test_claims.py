"""What is done by one of several copies of the bot, claimed in the database that they share."""

import asyncio

from adapters.storage.claims import SqlClaims
from adapters.storage.database import Database


async def test_of_all_who_claim_it_at_once_one_does_it(database: Database) -> None:
    """Whoever comes later has it neither, as long as the claim holds; another thing is claimed by itself."""
    copies = [SqlClaims(database) for _ in range(4)]
    first = await asyncio.gather(*(copy.claim("command:1", 60.0) for copy in copies))

    assert [False, False, False, True] == sorted(first)
    assert not await copies[0].claim("command:1", 60.0)
    assert await copies[0].claim("command:2", 60.0)


async def test_what_was_not_done_is_claimed_anew(database: Database) -> None:
    """Once it was let go of, or its time is over."""
    claims = SqlClaims(database)
    assert await claims.claim("given back", 60.0)
    await claims.release("given back")
    assert await claims.claim("over", -1.0)

    assert await claims.claim("given back", 60.0)
    assert await claims.claim("over", 60.0)
    assert not await claims.claim("over", 60.0)
