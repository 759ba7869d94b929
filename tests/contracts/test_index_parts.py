"""The parts of an index run that copies share: each is made by one, whoever dies, and none is lost."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from adapters.storage.catalog import SqlCatalog
from adapters.storage.database import Database, open_database
from adapters.storage.index_parts import SqlParts
from adapters.storage.replicas import SqlReplicas
from core.entities import Registry
from core.ingest.generation import Generation, Make, Tables
from core.ingest.parts import CorpusNames, PartOrder

MAKE = Make("/docs", "letters", 8, "analyzer/1")
ALIKE = ("letters", "analyzer/1")


@pytest.fixture
async def building(database: Database) -> Generation:
    """Return a generation under way."""
    begun = await SqlCatalog(database).begin(MAKE, "Документы")
    assert begun
    return begun


@pytest.fixture
async def parts(place: str) -> AsyncIterator[tuple[SqlParts, SqlParts]]:
    """Give the parts as two copies see them, each with connections of its own."""
    one, two = open_database(place), open_database(place)
    yield SqlParts(one, "one"), SqlParts(two, "два")
    await one.close()
    await two.close()


def order(building: Generation, number: int, *documents: str) -> PartOrder:
    """Return an order for these documents."""
    known = Tables(1, 2, 3) if number % 2 else None
    return PartOrder(
        building.number, number, documents or (f"{number}.md", "ключ.md"), known, CorpusNames((), Registry())
    )


async def test_each_part_is_given_to_one_copy_in_order(parts: tuple[SqlParts, SqlParts], building: Generation) -> None:
    """As it was ordered, and the same order is there once."""
    one, two = parts
    ordered = [(await one.order(order(building, n), "names"))[0] for n in (0, 1, 2)]
    again = await two.order(order(building, 1), "names")
    taken = [await one.take(*ALIKE), await two.take(*ALIKE)]
    rest = await asyncio.gather(one.take(*ALIKE), two.take(*ALIKE))

    assert (ordered[1], False) == again
    assert ordered[:2] == taken
    assert {ordered[2], None} == set(rest)


async def test_a_part_is_for_whoever_makes_the_same_rows(
    parts: tuple[SqlParts, SqlParts], building: Generation
) -> None:
    """Another encoder or analyzer gets none."""
    one, two = parts
    await one.order(order(building, 0), "names")

    assert [None, None] == [await two.take("other", "analyzer/1"), await two.take("letters", "analyzer/2")]
    assert await two.take(*ALIKE)


async def test_other_names_make_another_part(parts: tuple[SqlParts, SqlParts], building: Generation) -> None:
    """So do other documents: what is staged under a name is always the same."""
    one, _ = parts
    names = [(await one.order(order(building, *known), names))[0].name for *known, names in ((0, "a"), (0, "б"))]

    assert 2 == len(set(names))


async def test_what_is_made_is_seen_by_all(parts: tuple[SqlParts, SqlParts], building: Generation) -> None:
    """And is not made again, unless its rows are lost."""
    one, two = parts
    await one.order(order(building, 0), "names")
    part = await two.take(*ALIKE)
    assert part
    before = await one.made_of(building.number)
    noted = await two.made(part)

    assert ({}, True, {part.name: two.staged(part)}) == (before, noted, await one.made_of(building.number))
    assert (part, True) == await one.order(order(building, 0), "names")
    assert await one.take(*ALIKE) is None
    await one.lost(part)
    assert part == await one.take(*ALIKE)


async def test_what_a_copy_leaves_waits_again(parts: tuple[SqlParts, SqlParts], building: Generation) -> None:
    """Given back by itself, or taken over from the dead; what others make stays with them."""
    one, two = parts
    for number in (0, 1):
        await one.order(order(building, number), "names")
    mine, theirs = await one.take(*ALIKE), await two.take(*ALIKE)
    assert mine
    assert theirs
    await two.give_back(mine)
    kept = await one.is_wanted(mine), await two.take(*ALIKE)
    await one.give_back(mine)
    assert mine == await two.take(*ALIKE)
    await one.take_over("два")

    assert ((True, None), False) == (kept, await two.is_wanted(theirs))
    assert [mine, theirs] == [await one.take(*ALIKE), await one.take(*ALIKE)]


async def test_who_lost_a_part_cannot_hand_it_in(parts: tuple[SqlParts, SqlParts], building: Generation) -> None:
    """A copy that was given up for dead and wakes up has staged it under a name of its own, which counts nothing."""
    one, two = parts
    await one.order(order(building, 0), "names")
    late = await two.take(*ALIKE)
    assert late
    await one.take_over("два")
    waiting = await two.made(late)
    part = await one.take(*ALIKE)
    working = await two.made(late)

    assert (late, False, False, True) == (part, waiting, working, await one.made(late))
    assert {late.name: one.staged(late)} == await two.made_of(building.number)
    assert one.staged(late) != two.staged(late)


async def test_a_run_that_is_to_stop_gives_out_nothing(
    parts: tuple[SqlParts, SqlParts], building: Generation, database: Database
) -> None:
    """Who makes a part hears of it, and so does who waits for one."""
    one, two = parts
    for number in (0, 1):
        await one.order(order(building, number), "names")
    part = await two.take(*ALIKE)
    assert part
    await SqlCatalog(database).stop()

    assert [None, False, None] == [
        await one.take(*ALIKE),
        await two.is_wanted(part),
        await one.made_of(building.number),
    ]


async def test_what_was_made_outlives_its_run(
    parts: tuple[SqlParts, SqlParts], building: Generation, database: Database
) -> None:
    """Orders are withdrawn when a run ends, by who leads it; the next run of the generation finds what was made."""
    one, two = parts
    for number in (0, 1, 2):
        await one.order(order(building, number), "names")
    made, late = await two.take(*ALIKE), await two.take(*ALIKE)
    assert made
    assert late
    await two.made(made)
    under_way = await one.is_under_way(building.number)
    refused = await one.withdraw("index"), await one.is_under_way(building.number)
    await SqlReplicas(database, "one").lease("index")

    assert (False, True) == refused
    assert [True, True, False] == [
        under_way, await one.withdraw("index"), await one.is_under_way(building.number)
    ]  # fmt: skip
    assert (False, {two.staged(made)}) == (await two.made(late), await one.names())
    assert await one.made_of(building.number) == {}
    assert [(made, True), False] == [
        await one.order(order(building, 0), "names"),
        (await one.order(order(building, 1), "names"))[1],
    ]


async def test_parts_go_with_their_generation(
    parts: tuple[SqlParts, SqlParts], building: Generation, database: Database
) -> None:
    """When it is complete, or dropped."""
    one, _ = parts
    await one.order(order(building, 0), "names")
    await one.take(*ALIKE)
    await one.forget()
    kept = len(await one.names())
    await SqlCatalog(database).publish(building.number, {})
    await one.forget()

    assert (1, set()) == (kept, await one.names())
