"""The sign in place of an answer is lent to whoever makes the answer, and to nobody else, on each database."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from adapters.storage.database import Database
from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.resting import rest, rests_now
from adapters.storage.tables import rates
from adapters.storage.threads import SqlThreads
from core.conversation import MessageRef, Question
from core.work import Claim, Loan, Welcome
from tests.adapters.storage.turns import ask, part, signed
from tests.contracts.letters import at, claimed, reply, show_all, text_of

SIGN, ME, OTHER = "Looking…", "me", "other"


@pytest.fixture
def inbox(database: Database) -> SqlInbox:
    """Return the line of the questions."""
    return SqlInbox(database)


@pytest.fixture
def outbox(database: Database) -> SqlOutbox:
    """Return the outbox of the replica that answers."""
    return SqlOutbox(database, ME)


async def at_work(inbox: SqlInbox, outbox: SqlOutbox, *, shown: bool = True, sign: bool = True) -> Question:
    """Return a question that is being answered, with its sign in the chat."""
    question = ask("Где применял RAG?")
    await inbox.record(question, signed(part(SIGN)) if sign else lambda _: Welcome())
    [taken] = await inbox.take(1, ME, (question.platform,))
    if shown and sign:
        await show_all(outbox)
    return taken


async def lent(outbox: SqlOutbox, question: Question) -> Claim:
    """Return the sign, which is to be had."""
    loan = await outbox.borrow(question.id, question.version)
    assert loan is not None
    assert loan.claim is not None
    return loan.claim


async def test_a_sign_is_lent_and_given_back(inbox: SqlInbox, outbox: SqlOutbox) -> None:
    """Once at a time; given back, it is as it was."""
    question = await at_work(inbox, outbox)
    claim = await lent(outbox, question)
    again = await outbox.borrow(question.id, question.version)
    await outbox.sent(claim, claim.outgoing.shown)

    assert (SIGN, None) == (text_of(claim), again)
    assert claim.outgoing.shown == (await lent(outbox, question)).outgoing.shown


async def test_an_answer_waits_for_the_sign_to_be_given_back(
    inbox: SqlInbox, outbox: SqlOutbox, threads: SqlThreads
) -> None:
    """So nothing that is told can come after it; and then nothing is told any more."""
    question = await at_work(inbox, outbox)
    claim = await lent(outbox, question)
    await threads.close(question, reply("the answer"))
    early = await show_all(outbox)
    await outbox.sent(claim, claim.outgoing.shown)
    late = await show_all(outbox)

    assert ([], ["the answer"]) == (early, late)
    assert await outbox.borrow(question.id, question.version) is None


async def test_a_sign_that_is_gone_with_its_borrower_is_shown_again(inbox: SqlInbox, outbox: SqlOutbox) -> None:
    """Who takes over from a copy that died says again that the answer is to come, where that stands."""
    question = await at_work(inbox, outbox)
    claim = await lent(outbox, question)
    other = SqlOutbox(outbox._database, OTHER)
    await other.take_over(ME)
    again = await claimed(other)

    assert (SIGN, claim.outgoing.shown, True) == (text_of(again), again.outgoing.shown, again.in_doubt)


async def test_nothing_is_lent_to_who_does_not_answer(inbox: SqlInbox, outbox: SqlOutbox) -> None:
    """Not to another copy, nor for a version that nobody asks any more, nor once it is taken back."""
    question = await at_work(inbox, outbox)
    other = await SqlOutbox(outbox._database, OTHER).borrow(question.id, question.version)
    older = await outbox.borrow(question.id, question.version + 1)
    await inbox.withdraw(MessageRef(question.platform, question.place, question.message))

    assert (None, None) == (other, older)
    assert await outbox.borrow(question.id, question.version) is None


async def test_an_edit_ends_the_loan(inbox: SqlInbox, outbox: SqlOutbox) -> None:
    """The run that answers what was asked before shows nothing any more."""
    question = await at_work(inbox, outbox)
    await inbox.edit(ask("Что такое RAG?", version=question.version + 1))
    early = await outbox.borrow(question.id, question.version)
    [anew] = await inbox.take(1, ME, (question.platform,))

    assert early is None
    assert await outbox.borrow(question.id, question.version) is None
    assert SIGN == text_of(await lent(outbox, anew))


async def test_where_no_sign_stands_there_is_none_to_lend(inbox: SqlInbox, outbox: SqlOutbox) -> None:
    """A platform may have another sign for it."""
    question = await at_work(inbox, outbox, sign=False)

    assert Loan(None) == await outbox.borrow(question.id, question.version)


async def test_a_sign_on_its_way_is_not_lent(inbox: SqlInbox, outbox: SqlOutbox) -> None:
    """First it is shown."""
    question = await at_work(inbox, outbox, shown=False)

    assert await outbox.borrow(question.id, question.version) is None


async def test_a_sign_is_changed_or_replaced_never_both(
    inbox: SqlInbox, outbox: SqlOutbox, threads: SqlThreads
) -> None:
    """Whoever comes first, the other waits or finds nothing."""
    question = await at_work(inbox, outbox)
    _, loan = await asyncio.gather(
        threads.close(question, reply("the answer")), outbox.borrow(question.id, question.version)
    )
    if loan and loan.claim:
        assert [] == await show_all(outbox)
        await outbox.sent(loan.claim, at("m1") if loan.claim.outgoing.shown is None else loan.claim.outgoing.shown)

    assert ["the answer"] == await show_all(outbox)


@pytest.mark.parametrize("sign", [True, False])
async def test_nothing_is_lent_where_nothing_may_be_shown(
    inbox: SqlInbox, outbox: SqlOutbox, database: Database, *, sign: bool
) -> None:
    """A platform that told any copy to wait is asked for nothing there meanwhile, by none of them."""
    questions = [ask("Где применял RAG?"), ask("Where was RAG used?", place="8")]
    for question in questions:
        await inbox.record(question, signed(part(SIGN)) if sign else lambda _: Welcome())
    await inbox.take(2, ME, ("telegram",))
    for question in questions:
        await show_all(outbox, question.place)
    async with database.writing() as connection:
        await rest(database, connection, ("telegram", "7"), datetime.now(UTC) + timedelta(minutes=1))
    during, elsewhere = [await outbox.borrow(one.id, one.version) for one in questions]
    rests = [await rests_now(database, ("telegram", place)) for place in ("7", "8")]
    async with database.writing() as connection:
        await connection.execute(update(rates).values(until=0.0))

    assert (during, elsewhere is not None, rests) == (None, True, [True, False])
    assert not await rests_now(database, ("telegram", "7"))
    assert await outbox.borrow(questions[0].id, questions[0].version) is not None
