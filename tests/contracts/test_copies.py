"""A message that a device sends twice, on each database: one is answered, and the other one should that one go."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from sqlalchemy import select

from adapters.storage.database import Database, open_database
from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.retention import SqlRetention
from adapters.storage.tables import turns
from adapters.storage.threads import SqlThreads
from core.conversation import Question
from core.work import Welcome
from tests.adapters.storage.turns import NOON, ask, finish, part
from tests.contracts.letters import HERE, at, reply, show_all

HERE_ALONE = HERE[:1]
WORDS = pytest.mark.parametrize("words", ["Where is RAG used?", "Где применял RAG?"])


@pytest.fixture
async def replicas(place: str) -> AsyncIterator[list[SqlInbox]]:
    """Give four lines on one database, each with connections of its own."""
    databases = [open_database(place) for _ in range(4)]
    yield [SqlInbox(database) for database in databases]
    for database in databases:
        await database.close()


def copy(number: int, words: str = "Где RAG?", **known: object) -> Question:
    """Return one of the messages with the same mark, in a thread of its own."""
    asked = ask(words, message=str(number), minute=number, thread=f"t{number}", root=str(number), resend="mark")
    return replace(asked, **known)  # type: ignore[arg-type]


async def _take(inbox: SqlInbox) -> list[str]:
    return [taken.id for taken in await inbox.take(9, "one", HERE_ALONE)]


async def _answer(threads: SqlThreads, question: Question) -> None:
    await threads.close(question, reply("Там."), finish(question))


async def _texts(database: Database) -> set[str]:
    async with database.reading() as connection:
        return set((await connection.scalars(select(turns.c.text))).all())


@WORDS
@pytest.mark.parametrize("when", ["waiting", "working", "done"])
async def test_the_other_one_is_asked_when_the_first_is_deleted(
    inbox: SqlInbox, outbox: SqlOutbox, threads: SqlThreads, words: str, when: str
) -> None:
    """However far the first one came; its answer goes, and the other one's comes where that stands."""
    first, other = copy(1, words), copy(2, words)
    known = [await inbox.record(first), await inbox.record(other)]
    if when != "waiting":
        await _take(inbox)
    if when == "done":
        await _answer(threads, first)
        await show_all(outbox)
    assert await inbox.withdraw(at(1))
    again = await inbox.record(other)

    assert [True, False, False] == [*known, again]
    assert other == await inbox.question(other.id, 0)
    assert [other.id] == await _take(inbox)
    await _answer(threads, other)
    assert ([None] if when == "done" else []) + ["Там."] == await show_all(outbox)
    assert (0, 0) == await inbox.counts()


async def test_of_many_the_next_one_stands_in(inbox: SqlInbox) -> None:
    """One at a time, whichever are deleted, until none is left; each comes again in vain."""
    copies = [copy(number) for number in range(1, 6)]
    for one in copies:
        await inbox.record(one)
    asked = []
    for number in (3, 1, 2, 4, 5):
        assert await inbox.withdraw(at(number))
        assert [False] * 5 == [await inbox.record(one) for one in copies]
        asked.append(await _take(inbox))

    assert [[copies[0].id], [copies[1].id], [copies[3].id], [copies[4].id], []] == asked
    assert await inbox.record(copy(6))


async def test_one_that_comes_after_the_first_was_deleted_is_asked(inbox: SqlInbox) -> None:
    """Also where the first one was never heard of before."""
    await inbox.record(copy(1))
    await inbox.withdraw(at(1))
    await inbox.withdraw(at(2), copy(2))
    new = [await inbox.record(copy(number)) for number in (1, 2, 3, 4)]

    assert [False, False, True, False] == new
    assert [copy(3).id] == await _take(inbox)


async def test_one_that_is_gone_does_not_stand_in(inbox: SqlInbox) -> None:
    """Both were deleted, in whatever order that is told, and however early."""
    await inbox.record(copy(1))
    await inbox.withdraw(at(2), copy(2))
    assert not await inbox.record(copy(2))
    await inbox.record(copy(3))
    await inbox.withdraw(at(3))
    await inbox.withdraw(at(1))

    assert [] == await _take(inbox)


@WORDS
async def test_one_that_is_edited_is_a_question_of_its_own(inbox: SqlInbox, threads: SqlThreads, words: str) -> None:
    """It says something else now; the first one keeps its answer, and is not asked again through it."""
    first, other = copy(1, words), copy(2, words)
    edited = replace(other, text=f"{words} И где?", version=5)
    await inbox.record(first)
    await inbox.record(other)
    await _take(inbox)
    await _answer(threads, first)
    assert ["same", "changed", "same"] == [
        await inbox.edit(one) for one in (replace(other, version=4), edited, replace(edited, version=6))
    ]
    assert [other.id] == await _take(inbox)
    await _answer(threads, edited)
    await inbox.withdraw(at(1))

    assert [] == await _take(inbox)


async def test_one_that_is_heard_of_only_as_edited_is_new(inbox: SqlInbox) -> None:
    """Its words are not those of the first one; its own mark says no more of whose copy it is."""
    await inbox.record(copy(1))
    edited = copy(2, "Где Kafka?", version=5)

    assert ("unknown", True) == (await inbox.edit(edited), await inbox.record(edited))
    assert [False, False] == [await inbox.record(copy(2)), await inbox.record(copy(3))]
    assert {copy(1).id, edited.id} == set(await _take(inbox))


async def test_one_at_the_door_waits_there_in_its_turn(inbox: SqlInbox) -> None:
    """Whoever stands in is looked at like the first; of who is turned away no copy is kept either."""
    for number in (1, 2, 3):
        await inbox.record(copy(number, at_door=True))
    await inbox.withdraw(at(1))
    [taken] = await inbox.take(9, "one", HERE_ALONE)
    assert copy(2, at_door=True) == taken
    await inbox.turn_away(taken)

    assert (0, 0) == await inbox.counts()
    assert await inbox.record(copy(3, at_door=True))


async def test_of_one_whose_asker_is_turned_away_no_word_is_kept(
    inbox: SqlInbox, threads: SqlThreads, database: Database
) -> None:
    """Neither of a new one nor of one that was edited, by somebody who may not ask any more."""
    await inbox.record(copy(1, at_door=True))
    await inbox.record(copy(2, at_door=True))
    await inbox.turn_away(copy(1, at_door=True))
    assert set() == await _texts(database)

    await inbox.record(copy(1))
    await inbox.record(copy(2))
    await _answer(threads, copy(1))
    edited = copy(1, "Где Kafka?", version=3, at_door=True)
    await inbox.edit(edited)
    await inbox.turn_away(edited)
    assert {""} == await _texts(database)


async def test_of_one_that_is_only_overheard_nothing_is_kept(inbox: SqlInbox, database: Database) -> None:
    """Nobody waits for an answer to it."""
    await inbox.record(copy(1, overheard=True))
    assert not await inbox.record(copy(2, "Где Kafka?", overheard=True))

    assert {"Где RAG?"} == await _texts(database)


async def test_one_is_no_part_of_a_conversation_before_it_is_asked(
    inbox: SqlInbox, threads: SqlThreads, database: Database
) -> None:
    """Nothing was said to it, so that nothing can be told of it; and in time it goes."""
    await inbox.record(copy(1))
    await inbox.record(copy(2))
    await _answer(threads, copy(1))

    assert (True, False) == (await threads.knows("t1"), await threads.knows("t2"))
    assert (None, None) == (await threads.told_by(at(2)), await threads.told_last("t2"))
    told = await threads.told_latest(HERE, "U1")
    assert told
    assert told.result
    async with database.writing() as connection:
        await connection.execute(turns.delete().where(turns.c.question_id == copy(1).id))
    await SqlRetention(database).sweep(NOON.replace(year=2027), NOON.replace(year=2027))
    assert set() == await _texts(database)


async def test_a_refusal_is_for_the_first_alone(inbox: SqlInbox, outbox: SqlOutbox) -> None:
    """The other one shows nothing, and is asked once the refused one is deleted."""
    await inbox.record(copy(1), lambda _: Welcome(refusal=(part("Слишком много."),)))
    await inbox.record(copy(2), lambda _: Welcome(refusal=(part("Слишком много."),)))
    assert ["Слишком много."] == await show_all(outbox)
    await inbox.withdraw(at(1))

    assert [None] == await show_all(outbox)
    assert [copy(2).id] == await _take(inbox)


async def test_one_of_many_is_asked_whatever_comes_at_once(replicas: list[SqlInbox]) -> None:
    """Copies and the deletion of the first, at several replicas: one that stands is asked, and one alone."""
    for turn in range(8):
        first, *others = [
            replace(copy(n), id=f"telegram:7:{id_}", message=id_, thread=id_, resend=f"mark {turn}")
            for n, id_ in enumerate(f"{turn}-{n}" for n in range(6))
        ]
        await replicas[0].record(first)
        deletion = replicas[1].withdraw(at(first.message))
        brought = [replicas[n % 4].record(one) for n, one in enumerate(others)]
        await asyncio.gather(*brought[:2], deletion, *brought[2:])
        asked = await _take(replicas[0])

        assert len(asked) == 1
        assert asked[0] in {one.id for one in others}
