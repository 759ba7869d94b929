"""The copies of the bot that share a database: who is alive, and who does what only one may do."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from adapters.storage.database import open_database
from adapters.storage.replicas import SqlReplicas
from core.work import LEFT


@pytest.fixture
async def replicas(place: str) -> AsyncIterator[tuple[SqlReplicas, SqlReplicas]]:
    """Give two replicas, each with connections of its own."""
    one, two = open_database(place), open_database(place)
    yield SqlReplicas(one, "one"), SqlReplicas(two, "два")
    await one.close()
    await two.close()


async def test_a_replica_sees_the_others_beat(replicas: tuple[SqlReplicas, SqlReplicas]) -> None:
    """Each sees the last count of each, its own among them."""
    one, two = replicas
    await two.beat(7)

    assert [{"one": 1, "два": 7}, {"one": 1, "два": 8}] == [await one.beat(1), await two.beat(8)]


async def test_who_leaves_says_so(replicas: tuple[SqlReplicas, SqlReplicas]) -> None:
    """Others see the goodbye, whoever leaves without having come is nobody, and a replica may come back."""
    one, two = replicas
    await two.leave()
    alone = await one.beat(1)
    await two.beat(5)
    await two.leave()
    left = await one.beat(2)
    await two.beat(1)

    assert [{"one": 1}, {"one": 2, "два": LEFT}, {"one": 3, "два": 1}] == [alone, left, await one.beat(3)]


async def test_who_is_buried_is_forgotten(replicas: tuple[SqlReplicas, SqlReplicas]) -> None:
    """Twice is as good as once; one that was not dead appears again with its next beat."""
    one, two = replicas
    await two.beat(1)
    await one.bury("два")
    await one.bury("два")
    without = await one.beat(1)
    await two.beat(2)

    assert [{"one": 1}, {"one": 2, "два": 2}] == [without, await one.beat(2)]


async def test_a_lease_has_one_holder(replicas: tuple[SqlReplicas, SqlReplicas]) -> None:
    """The first one that asks, each time that it asks; another lease may be another's."""
    one, two = replicas

    assert [True, False, True] == [
        await one.lease("telegram"),
        await two.lease("telegram"),
        await one.lease("telegram"),
    ]
    assert [True, False] == [await two.lease("sync"), await one.lease("sync")]


async def test_a_lease_is_free_when_its_holder_is_gone(replicas: tuple[SqlReplicas, SqlReplicas]) -> None:
    """After a goodbye as after a death; what others hold stays theirs."""
    one, two = replicas
    await one.lease("telegram")
    await two.lease("sync")
    await one.leave()
    assert await two.lease("telegram")

    await one.bury("два")
    assert await one.lease("telegram")
    assert await two.lease("sync")


async def test_of_many_that_ask_at_once_one_holds_it(replicas: tuple[SqlReplicas, SqlReplicas]) -> None:
    """There is never a moment with two."""
    held = await asyncio.gather(*(replicas[n % 2].lease("telegram") for n in range(10)))

    assert held in ([True, False] * 5, [False, True] * 5)
