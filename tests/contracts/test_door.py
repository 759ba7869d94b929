"""Questions at the door, on each database: kept, and nothing of them seen, until it is known who asks."""

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import select

from adapters.storage.database import Database
from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.tables import turns
from adapters.storage.threads import SqlThreads
from core.conversation import Question
from core.remarks import Around
from core.work import Welcome
from tests.adapters.storage.turns import ask, finish, part, refused, signed
from tests.contracts.letters import HERE, at, reply, show_all, states

SIGN, TOO_MANY = part("Ищу…"), part("too many")


def at_door(text: str = "Где RAG?", *, version: int = 0, message: str = "1") -> Question:
    """Return a question of which it is not known whether it may be answered."""
    return replace(ask(text, version=version, message=message), at_door=True)


async def test_nothing_is_seen_before_it_is_let_in(inbox: SqlInbox, outbox: SqlOutbox) -> None:
    """It stands in the line and says that it is at the door; then its sign is seen, once, whoever lets it in again."""
    question = replace(at_door(), private=True, around=Around(spoken="ru"))
    await inbox.record(question, signed(SIGN))
    before = (await show_all(outbox), await outbox.due(HERE[:1]), await outbox.unsent(), await inbox.counts())
    [taken] = await inbox.take(1, "one", HERE[:1])
    let_in = replace(question, at_door=False)
    stands = await asyncio.gather(inbox.let_in(let_in), inbox.let_in(let_in))

    assert ([], {}, 0, (1, 0)) == before
    assert question == taken
    assert [True, True] == stands
    assert let_in == await inbox.question(question.id, 0)
    assert ["Ищу…"] == await show_all(outbox)


async def test_what_slack_says_of_the_asker_is_kept(inbox: SqlInbox) -> None:
    """The language that they read is learnt at the door."""
    question = replace(at_door(""), around=Around())
    await inbox.record(question)
    let_in = replace(question, at_door=False, around=Around(spoken="ru"))
    await inbox.let_in(let_in)

    assert let_in == await inbox.question(question.id, 0)


async def test_one_for_which_too_many_wait_is_told_so_once_it_is_let_in(
    inbox: SqlInbox, outbox: SqlOutbox, database: Database
) -> None:
    """Until then it waits, as nobody who may not ask is to hear anything; then it is done."""
    await inbox.record(at_door(), refused(TOO_MANY))
    before = (await inbox.counts(), await states(database))

    assert ((1, 0), {"answer-1": "held"}) == before
    assert not await inbox.let_in(at_door())
    assert (0, 0) == await inbox.counts()
    assert ["too many"] == await show_all(outbox)


async def test_one_that_is_turned_away_was_never_there(
    inbox: SqlInbox, outbox: SqlOutbox, threads: SqlThreads, database: Database
) -> None:
    """None of its words is kept, and nothing is ever shown; who may ask later is answered."""
    await inbox.record(at_door(), signed(SIGN))
    await inbox.turn_away(at_door())
    gone = (await inbox.question(at_door().id, 0), await inbox.counts(), await states(database))
    knows = await threads.knows(at_door().thread)
    again = await inbox.record(ask("Где RAG?", message="1"), signed(SIGN))

    assert ((None, (0, 0), {}), False, True) == (gone, knows, again)
    assert ["Ищу…"] == await show_all(outbox)


@pytest.mark.parametrize("words", ["Where is RAG?", "Где RAG?"])
async def test_of_one_that_is_refused_without_a_word_no_word_is_kept(
    inbox: SqlInbox, database: Database, words: str
) -> None:
    """Nobody will find out who asked it, so that its words may be an outsider's; new or edited."""
    silence = Welcome(silence=True)
    await inbox.record(at_door(words), lambda _: silence)
    known = await inbox.record(at_door(words), lambda _: silence)
    await inbox.record(ask(words, message="2"))
    await inbox.edit(at_door(f"{words}!", message="2", version=2), lambda _: replace(silence, dropped=True))

    async with database.reading() as connection:
        rows = (await connection.execute(select(turns.c.text, turns.c.setting, turns.c.state))).all()
    assert (False, [("", None, "done")] * 2) == (known, [tuple(row) for row in rows])


async def test_only_what_stands_is_let_in_or_turned_away(inbox: SqlInbox, outbox: SqlOutbox) -> None:
    """Of a question that reads otherwise by now, or was taken back, nothing is decided."""
    await inbox.record(at_door(), signed(SIGN))
    await inbox.edit(at_door("Где Kafka?", version=2))
    stale = await inbox.let_in(at_door())
    await inbox.turn_away(at_door())
    waits = await inbox.question(at_door().id, 2)
    unseen = await show_all(outbox)
    fresh = await inbox.let_in(at_door("Где Kafka?", version=2))

    assert (False, [], True) == (stale, unseen, fresh)
    assert waits == at_door("Где Kafka?", version=2)
    assert ["Ищу…"] == await show_all(outbox)


async def test_an_edit_by_somebody_who_may_not_ask_any_more_takes_the_answer_back(
    inbox: SqlInbox, outbox: SqlOutbox, threads: SqlThreads
) -> None:
    """What stands there answers what is not asked any more."""
    question = ask("Где RAG?", message="1")
    await inbox.record(question)
    await threads.close(question, reply("Там."), finish(question))
    await show_all(outbox)
    await inbox.edit(at_door("Где Kafka?", version=2))
    before = await show_all(outbox)
    await inbox.turn_away(at_door("Где Kafka?", version=2))

    assert ([], [None]) == (before, await show_all(outbox))
    assert (0, 0) == await inbox.counts()


@pytest.mark.parametrize("is_let_in", [True, False])
async def test_an_edit_for_which_too_many_wait(inbox: SqlInbox, outbox: SqlOutbox, *, is_let_in: bool) -> None:
    """It is said in place of the sign once the asker may hear it."""
    await inbox.record(at_door(), signed(SIGN))
    await inbox.take(1, "one", HERE[:1])
    change = await inbox.edit(at_door("Где Kafka?", version=2), refused(TOO_MANY))
    unseen = await show_all(outbox)
    edited = at_door("Где Kafka?", version=2)
    await (inbox.let_in(edited) if is_let_in else inbox.turn_away(edited))

    assert ("changed", []) == (change, unseen)
    assert (["too many"] if is_let_in else []) == await show_all(outbox)
    assert (0, 0) == await inbox.counts()


async def test_one_that_is_taken_back_at_the_door_leaves_nothing(inbox: SqlInbox, outbox: SqlOutbox) -> None:
    """It is not let in afterwards."""
    await inbox.record(at_door(), signed(SIGN))
    await inbox.withdraw(at(1))

    assert not await inbox.let_in(at_door())
    assert [] == await show_all(outbox)
