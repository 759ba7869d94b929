"""What is kept too long goes; what is in use, on its way or needed to know a message again stays."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from adapters.storage.admissions import SqlAdmissions
from adapters.storage.audit import SqlAudit
from adapters.storage.database import Database
from adapters.storage.feedback import SqlFeedback
from adapters.storage.inbox import SqlInbox
from adapters.storage.orders import SqlOrders
from adapters.storage.outbox import SqlOutbox
from adapters.storage.pins import SqlPins
from adapters.storage.retention import SqlRetention
from adapters.storage.schema import metadata
from adapters.storage.tables import messages, outbox, spending, turns
from adapters.storage.threads import SqlThreads
from bot.audit import Sound, verified
from bot.retention import bounded, swept
from core.audited import Wanted
from core.conversation import AlreadyAnswered, MessageRef, Question
from core.errors import StorageError
from core.feedback import Deed
from core.pin import Pin
from tests.adapters.storage.turns import NOON, ask, finish, part

DAY = 24 * 60
NOTHING = {"messages": 0, "orders": 0, "strangers": 0}
KEPT = timedelta(days=30)
NOW = NOON + timedelta(days=40)

# What bounds each table. A new one that grows with use belongs into SqlRetention, and here.
SWEPT = {"turns", "messages", "outbox", "feedback", "spending", "audit", "index_orders", "admissions", "rates"}
BOUNDED = {
    "audit_end": "one row",
    "replicas": "those that are gone are buried",
    "leases": "one a task",
    "channel_settings": "one a channel",
    "pins": "one for each answer that an admin has checked",
    "group_members": "what an import says, in place of what it said before",
    "installations": "one a workspace",
    "departures": "one a workspace",
    "install_states": "expire in minutes, and the next installation removes them",
    "generations": "the index's own sweep keeps the last ones",
    "documents": "go with the last generation that holds them",
    "holdings": "go with their generation",
    "items": "go with their generation",
    "index_parts": "go with their generation",
    "proposals": "go with their documents",
}


@pytest.fixture
def retention(database: Database) -> SqlRetention:
    """Return what removes."""
    return SqlRetention(database)


async def no_pause(_: float) -> None:
    """Wait for nothing."""


async def answer(database: Database, question: Question) -> Question:
    """Let a question be asked, answered and shown."""
    await SqlInbox(database).record(question)
    await SqlThreads(database, 3).close(question, [part("It is there.")], finish(question))
    sender = SqlOutbox(database, "one")
    while claim := await sender.claim((question.platform, question.place)):
        await sender.sent(claim, MessageRef("telegram", question.place, f"sent-{claim.outgoing.id}"))
    return question


async def counted(database: Database) -> list[int]:
    """Return how many turns, messages and rows of the outbox there are."""
    async with database.reading() as connection:
        return [
            int(await connection.scalar(select(func.count()).select_from(table)) or 0)
            for table in (turns, messages, outbox)
        ]


def test_every_table_is_bounded() -> None:
    """Whatever grows with use has an end."""
    assert set(metadata.tables) - SWEPT - set(BOUNDED) == set()


async def test_an_old_conversation_goes_with_all_that_belongs_to_it(
    database: Database, retention: SqlRetention
) -> None:
    """Questions, answers, messages and opinions; the log keeps its chain, and of its content only the new."""
    old = await answer(database, ask("Где применял RAG?", thread="old", message="1"))
    new = await answer(database, ask("How many days?", thread="new", message="2", minute=39 * DAY))
    deed = Deed(MessageRef("telegram", "7", "sent"), "telegram:1", "1", "press", "up", NOON)
    await SqlFeedback(database).judge_answer(deed, old.id)
    due = await retention.due(NOW - KEPT, NOW)
    gone = await swept(retention, KEPT, NOW, no_pause)

    assert {"questions": 1, "opinions": 1, "costs": 0, "log": 2} | NOTHING == due
    assert {"questions": 1, "opinions": 0, "costs": 0, "log": 2} | NOTHING == gone
    assert [1, 1, 1] == await counted(database)
    log = SqlAudit(database)
    assert [new.text] == [one.record["question"] for one in await log.search(Wanted(), 10)]
    assert isinstance(await verified(log), Sound)
    assert not any((await swept(retention, KEPT, NOW, no_pause)).values())


async def test_a_checked_answer_outlives_who_asked(database: Database, retention: SqlRetention) -> None:
    """It is kept for everybody; once its question is gone, nothing says any more in whose chat it was asked."""
    old = await answer(database, ask("Где применял RAG?", place="4242424242", thread="old", message="1"))
    new = await answer(database, ask("How many days?", thread="new", message="2", minute=39 * DAY))
    pins = SqlPins(database)
    for question in (old, new):
        await pins.put(Pin("acme", question.text, question.id, 0, {}, "telegram:1", NOON))
    await swept(retention, KEPT, NOW, no_pause)

    kept = {pin.words: pin.question for pin in await pins.all()}
    assert {old.text: "pin:1", new.text: new.id} == kept
    assert [old.text] == [pin.words for pin in await pins.standing("acme", old.text)]


async def test_a_thread_in_use_is_kept_whole(database: Database, retention: SqlRetention) -> None:
    """A new question there leans on the old ones."""
    await answer(database, ask("Где применял RAG?", thread="t", message="1"))
    await answer(database, ask("А в Aston?", thread="t", message="2", minute=39 * DAY))
    await swept(retention, KEPT, NOW, no_pause)

    assert 2 == (await counted(database))[0]


async def test_what_is_on_its_way_stays(database: Database, retention: SqlRetention) -> None:
    """An answer that could not be shown yet, and a question that waits, are not old: nobody has seen them."""
    shown = ask("Кто?", thread="a", message="1")
    await SqlThreads(database, 3).close(shown, [part("Он.")], finish(shown))
    await SqlInbox(database).record(ask("Wer?", thread="b", message="2"))
    await swept(retention, KEPT, NOW, no_pause)

    assert 2 == (await counted(database))[0]


async def test_for_ever_keeps_everything(database: Database, retention: SqlRetention) -> None:
    """RETENTION=forever removes nothing of what was answered."""
    await answer(database, ask("Где?", message="1"))
    gone = await swept(retention, None, NOON + timedelta(days=10_000), no_pause)

    assert not any(gone.values())
    assert [1, 1, 1] == await counted(database)


async def test_many_go_in_batches(database: Database, retention: SqlRetention) -> None:
    """However many there are, none is left, and others may write in between."""
    threads, pauses = SqlThreads(database, 3), []
    for number in range(450):
        question = ask("Где?", thread=f"t{number}", message=str(number))
        await threads.close(question, ())

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    gone = await swept(retention, KEPT, NOW, pause)

    assert 450 == gone["questions"]
    assert 3 == len(pauses)
    assert 0 == (await counted(database))[0]


async def test_costs_of_long_ago_go(database: Database, retention: SqlRetention) -> None:
    """A day's costs are needed for the budget of that day, and looked at for a while."""
    async with database.writing() as connection:
        for at in (NOON, NOW):
            row = {"tenant": "acme", "day": at.date(), "calls": 1, "tokens": 1, "cost": 0.1}
            await connection.execute(spending.insert().values(row))

    assert 1 == (await swept(retention, KEPT, NOW, no_pause))["costs"]


async def test_old_orders_go_with_their_messages(database: Database, retention: SqlRetention) -> None:
    """What an admin ordered to be indexed is told of in a message that belongs to no question."""
    orders = SqlOrders(database)
    order, _ = await orders.place("telegram:1", ("telegram", "7"), "en", NOON)
    await orders.show(order, {"text": "Reading…"})
    assert not any((await swept(retention, KEPT, datetime.now(UTC) + KEPT * 2, no_pause)).values())
    await orders.end(order, [part("Done.")])
    sender = SqlOutbox(database, "one")
    while claim := await sender.claim(("telegram", "7")):
        await sender.sent(claim, MessageRef("telegram", "7", "sent"))
    gone = await swept(retention, KEPT, datetime.now(UTC) + KEPT * 2, no_pause)

    assert (1, 1) == (gone["orders"], gone["messages"])
    assert [0, 0, 0] == await counted(database)


async def test_strangers_go_and_who_was_let_in_stays(database: Database, retention: SqlRetention) -> None:
    """Anybody can knock, so what is known of those who did has an end."""
    admissions = SqlAdmissions(database)
    await admissions.tell("telegram", "person:1", at=NOON)
    await admissions.allow("telegram", "person:2", by="telegram:9", at=NOON)
    gone = await swept(retention, KEPT, NOW, no_pause)

    assert 1 == gone["strangers"]
    assert None is await admissions.find("telegram", "person:1")
    assert None is not await admissions.find("telegram", "person:2")


async def test_a_withdrawn_question_stays_known(database: Database, retention: SqlRetention) -> None:
    """What was taken back yesterday may be brought again by its platform today."""
    await SqlInbox(database).withdraw(MessageRef("telegram", "7", "1"), ask("?", message="1", minute=39 * DAY))
    await swept(retention, KEPT, NOW, no_pause)

    question = ask("?", message="1", minute=39 * DAY)
    assert AlreadyAnswered(question.id) == await SqlThreads(database, 3).open(question)


class Over(Exception):
    """The end of the days that are played."""


class Played:
    """A clock that goes on as fast as anybody waits, and sweeps that are only noted."""

    def __init__(self, *, ours: bool = True, failing: bool = False) -> None:
        self.now, self.ours, self.failing = NOON, ours, failing
        self.days: list[float] = []

    async def due(self, *_: object) -> dict[str, int]:
        return {}

    async def sweep(self, *_: object) -> dict[str, int]:
        self.days.append(round((self.now - NOON) / timedelta(days=1), 1))
        if self.failing:
            raise StorageError("the database is away", retry=True)
        return {"questions": 0}

    async def is_ours(self) -> bool:
        return self.ours

    async def pause(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        if self.now > NOON + timedelta(days=3):
            raise Over

    async def play(self) -> list[float]:
        with pytest.raises(Over):
            await bounded(self, KEPT, self.is_ours, lambda: self.now, self.pause)
        return self.days


async def test_it_is_done_once_a_day_by_one_copy() -> None:
    """Soon after the start, then each day; a copy that is not the one does nothing."""
    assert [0.0, 1.0, 2.0] == await Played().play()
    assert [] == await Played(ours=False).play()


async def test_a_database_that_is_away_ends_nothing() -> None:
    """It is tried again at the next look."""
    assert len(await Played(failing=True).play()) > 100
