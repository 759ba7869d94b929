"""A person's data can be had, and forgotten, down to the last word."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from adapters.storage.admissions import SqlAdmissions
from adapters.storage.audit import SqlAudit
from adapters.storage.channels import SqlChannels
from adapters.storage.database import Database
from adapters.storage.feedback import SqlFeedback
from adapters.storage.inbox import SqlInbox
from adapters.storage.orders import SqlOrders
from adapters.storage.outbox import SqlOutbox
from adapters.storage.persons import SqlPersons
from adapters.storage.pins import SqlPins
from adapters.storage.retention import SqlRetention
from adapters.storage.schema import metadata
from adapters.storage.tables import feedback, outbox
from adapters.storage.threads import SqlThreads
from bot.audit import Sound, verified
from bot.forgetting import forgotten, in_words
from bot.retention import swept
from core.conversation import AlreadyAnswered, MessageRef, Question
from core.errors import ConfigError
from core.feedback import Deed
from core.people import Person, read_person
from core.pin import Pin
from tests.adapters.storage.turns import ask, finish, part, signed

ANNA, BORIS = Person("telegram", "4242424242"), Person("telegram", "77")
LATER = datetime.now(UTC) + timedelta(days=3)


class Stores:
    """Just the database of the stores."""

    def __init__(self, database: Database) -> None:
        self.database = database


async def answered(database: Database, question: Question, reply: str) -> None:
    """Let a question be asked, answered and shown."""
    await SqlInbox(database).record(question)
    await SqlThreads(database, 3).close(question, [part(reply)], finish(question, reply=reply))
    sender = SqlOutbox(database, "one")
    while claim := await sender.claim((question.platform, question.place)):
        await sender.sent(claim, MessageRef("telegram", question.place, f"sent-{claim.outgoing.id}"))


async def lived(database: Database) -> None:
    """Let Anna and Boris ask, say what they think, and set a channel; Anna still waits for an answer."""
    minutes = (datetime.now(UTC) - ask("?").asked_at).total_seconds() / 60
    anna = ask("Сколько стоит лечение зубов?", message="1", asker="4242424242", thread="a", minute=minutes)
    boris = ask("How many days?", message="2", asker="77", thread="b", minute=minutes)
    await answered(database, anna, "Зубы: 500 рублей.")
    await answered(database, boris, "27 days.")
    opinions = SqlFeedback(database)
    for who, reason in ((ANNA, "не про зубы"), (BORIS, "short")):
        message = MessageRef("telegram", "7", "sent")
        deed = Deed(message, str(who), "", "reason", "down", anna.asked_at, reason)
        await opinions.judge_answer(deed, boris.id)
    for person, place in ((ANNA, "7"), (BORIS, "8")):
        channel = ("telegram", place)
        await SqlChannels(database).set_mode(channel, "all", changed_by=str(person), at=anna.asked_at)
    for person, by in ((ANNA, BORIS), (BORIS, ANNA)):
        who = f"person:{person.number}"
        await SqlAdmissions(database).allow("telegram", who, by=str(by), at=anna.asked_at)
    waiting = ask("А зубной протез?", message="3", asker="4242424242", thread="a", minute=minutes)
    await SqlInbox(database).record(waiting, signed(part("…")))


async def everything(database: Database) -> str:
    """Return all that stands in the database, as text."""
    async with database.reading() as connection:
        rows = [(await connection.execute(select(table))).all() for table in metadata.sorted_tables]
    return str(rows)


async def test_nothing_of_a_forgotten_person_is_left(database: Database) -> None:
    """No word, no number, nowhere in the database; the others have lost nothing, and the log still holds."""
    await lived(database)
    gone = await forgotten(Stores(database), "telegram:4242424242")  # type: ignore[arg-type]  # all that it looks at
    left = await everything(database)

    assert (2, ("telegram:7:3",), 1, 2) == (gone.questions, gone.cancelled, gone.opinions, gone.entries)
    assert gone.let_in
    assert "They will have to be let in again." in in_words("telegram:4242424242", gone)
    for word in ("4242424242", "зуб", "Зуб", "500 "):
        assert word not in left
    assert "How many days?" in left
    assert "short" in left
    assert isinstance(await verified(SqlAudit(database)), Sound)


async def test_no_chat_says_later_who_was_in_it(database: Database) -> None:
    """A private chat in Telegram has its person's number: two days later nothing names it, nor what an admin did there.

    Until then it stays known that these messages were dealt with.
    """
    number = ANNA.number
    now = datetime.now(UTC)
    minutes = (now - ask("?").asked_at).total_seconds() / 60
    await answered(database, ask("Зубы?", place=number, message="1", asker=number, minute=minutes), "Зубы: 500.")
    orders = SqlOrders(database)
    order, _ = await orders.place(str(ANNA), ("telegram", number), "ru", now)
    await orders.end(order, [part("Готово.")])
    sender = SqlOutbox(database, "one")
    while claim := await sender.claim(("telegram", number)):
        await sender.sent(claim, MessageRef("telegram", number, "9"))

    async def no_pause(_: float) -> None: ...

    await forgotten(Stores(database), str(ANNA))  # type: ignore[arg-type]  # all that it looks at
    await swept(SqlRetention(database), timedelta(days=180), LATER, no_pause)

    assert number not in await everything(database)


@pytest.mark.parametrize("on_its_way", [False, True])
async def test_an_answer_that_waits_to_be_shown_goes_at_once(database: Database, *, on_its_way: bool) -> None:
    """Nobody would look again who reads there; what arrives in this very moment leaves nothing that names its chat."""
    number = ANNA.number
    question = ask("Зубы?", place=number, message="1", asker=number, thread=f"telegram:{number}")
    await SqlInbox(database).record(question)
    await SqlThreads(database, 3).close(question, [part("Зубы: 500.")], finish(question, reply="Зубы: 500."))
    sender = SqlOutbox(database, "one")
    claim = await sender.claim(("telegram", number)) if on_its_way else None
    await forgotten(Stores(database), str(ANNA))  # type: ignore[arg-type]  # all that it looks at
    if claim:
        await sender.sent(claim, MessageRef("telegram", number, "9"))

    assert await sender.claim(("telegram", number)) is None
    await only_known_as_dealt_with(database, number)


async def test_a_message_that_was_to_change_stays_as_it_is(database: Database) -> None:
    """A press has changed its buttons, and that is not shown yet: its words are not kept for that."""
    number = ANNA.number
    await answered(database, ask("Зубы?", place=number, message="1", asker=number), "Зубы: 500.")
    sender = SqlOutbox(database, "one")
    async with database.reading() as connection:
        (shown,) = (await connection.scalars(select(outbox.c.shown))).all()
    message = MessageRef("telegram", shown["place"], shown["message"])
    assert await sender.rewrite(message, lambda body: {**body, "buttons": 1})
    await forgotten(Stores(database), str(ANNA))  # type: ignore[arg-type]  # all that it looks at

    assert await sender.claim(("telegram", number)) is None
    await only_known_as_dealt_with(database, number)


async def test_a_sign_that_was_taken_away_names_no_chat(database: Database) -> None:
    """A question that waits has a sign in its chat, which goes first, and then what said so."""
    number = ANNA.number
    waiting = ask("Зубы?", place=number, message="1", asker=number, thread=f"telegram:{number}")
    await SqlInbox(database).record(waiting, signed(part("…")))
    sender = SqlOutbox(database, "one")
    claim = await sender.claim(("telegram", number))
    assert claim
    await sender.sent(claim, MessageRef("telegram", number, "9"))
    await forgotten(Stores(database), str(ANNA))  # type: ignore[arg-type]  # all that it looks at
    going = await sender.claim(("telegram", number))
    assert going
    assert going.outgoing.body is None
    await sender.sent(going, None)

    await only_known_as_dealt_with(database, number)


async def only_known_as_dealt_with(database: Database, number: str) -> None:
    """Nothing names the chat but the one row that says that its message was dealt with; no word stands anywhere."""
    naming: set[tuple[str, str]] = set()
    async with database.reading() as connection:
        for table in metadata.sorted_tables:
            rows = (await connection.execute(select(table))).mappings().all()
            naming |= {(table.name, name) for row in rows for name, value in row.items() if number in str(value)}
    at_most = {("turns", "question_id"), ("turns", "thread"), ("turns", "place")}

    assert naming <= at_most
    assert "Зубы" not in await everything(database)


async def test_a_setting_of_a_private_chat_goes(database: Database) -> None:
    """The chat is named by its person; what they set elsewhere stays, without them."""
    for place in (ANNA.number, "-100"):
        await SqlChannels(database).set_mode(("telegram", place), "all", changed_by=str(ANNA), at=datetime.now(UTC))
    await forgotten(Stores(database), str(ANNA))  # type: ignore[arg-type]  # all that it looks at

    assert {("telegram", "-100"): "all"} == dict(await SqlChannels(database).modes())
    assert ANNA.number not in await everything(database)


async def test_what_is_under_way_is_cancelled(database: Database) -> None:
    """An answer that comes too late is not stored; the sign that stood for it goes; whoever works on it is told."""
    await lived(database)
    question = ask("А зубной протез?", message="3", asker="4242424242", thread="a")
    stopped: list[str] = []

    async def stop(question_id: str, _: int | None) -> None:
        stopped.append(question_id)

    await forgotten(Stores(database), "telegram:4242424242", stop)  # type: ignore[arg-type]  # all that it looks at
    await SqlThreads(database, 3).close(question, [part("Зубы.")], finish(question))

    assert [question.id] == stopped
    assert "Зубы" not in await everything(database)
    assert (0, 0) == await SqlInbox(database).counts()


async def test_what_a_platform_brings_again_is_not_answered_again(database: Database) -> None:
    """For two days it stays known that a message was dealt with; after that not even this."""
    await lived(database)
    await forgotten(Stores(database), "telegram:4242424242")  # type: ignore[arg-type]  # all that it looks at
    again = ask("Сколько стоит лечение зубов?", message="1", asker="4242424242", thread="a")
    known = await SqlThreads(database, 3).open(again)

    async def no_pause(_: float) -> None: ...

    assert AlreadyAnswered(again.id) == known
    assert not await SqlInbox(database).record(again)
    sender = SqlOutbox(database, "one")
    while claim := await sender.claim(("telegram", "7")):
        await sender.sent(claim, None)
    gone = await swept(SqlRetention(database), None, LATER, no_pause)
    assert 2 == gone["questions"]


async def test_who_was_only_let_in_is_told_that_this_goes_too(database: Database) -> None:
    """Nothing was asked yet: still something is stored, and taken away."""
    await SqlAdmissions(database).allow("telegram", "person:77", by="telegram:1", at=ask("a").asked_at)
    first = await forgotten(Stores(database), "telegram:77")  # type: ignore[arg-type]  # all that it looks at
    again = await forgotten(Stores(database), "telegram:77")  # type: ignore[arg-type]  # all that it looks at

    assert (True, True, False) == (first.let_in, first.anything, again.anything)


async def test_an_unknown_person_is_nothing_to_forget(database: Database) -> None:
    """Nobody else loses anything by it."""
    await lived(database)
    before = await everything(database)
    gone = await forgotten(Stores(database), "slack:T1:U4242424242")  # type: ignore[arg-type]  # all that it looks at

    assert not gone.anything
    assert before == await everything(database)


async def test_a_person_gets_all_that_is_stored(database: Database) -> None:
    """Questions with their answers, opinions and log entries, and nothing of anybody else."""
    await lived(database)
    kept = Pin("acme", "How many days?", "telegram:77:2", 0, {"answer": "27 days."}, str(ANNA), datetime.now(UTC))
    await SqlPins(database).put(kept)
    rows = [row async for row in SqlPersons(database).data_of(ANNA)]

    beside = ["admission", "checked an answer", "let somebody in", "set a channel"]
    assert ["audit", "audit", "feedback", "question", "question", *beside] == sorted(
        (row["what"] for row in rows), key=lambda what: (what in beside, what)
    )
    assert "Зубы: 500 рублей." in str(rows)
    for others in ("27 days", "How many", ":77"):
        assert others not in str(rows)


async def test_a_person_with_much_gets_all_of_it(database: Database) -> None:
    """Opinions on several versions of one answer are read in several goes, and none is left out."""
    rows = [
        {"question_id": f"q{number // 3}", "version": number % 3, "person": str(ANNA), "tenant": "acme"}
        | {"verdict": "up", "reason": None, "at": datetime.now(UTC), "deeds": []}
        for number in range(1100)
    ]
    async with database.writing() as connection:
        await connection.execute(feedback.insert(), rows)

    assert len(rows) == len([row async for row in SqlPersons(database).data_of(ANNA)])


@pytest.mark.parametrize("name", ["anna", "slack:U1", "telegram:-5", "slack:T1:U1:x", "telegram:4242424242 ", ""])
def test_a_name_is_nobody(name: str) -> None:
    """Only what a platform gives out itself names one person."""
    with pytest.raises(ConfigError, match="is nobody"):
        read_person(name)


def test_a_person_is_written_as_read() -> None:
    """Both platforms' ways."""
    assert Person("slack", "U1", "T1") == read_person("slack:T1:U1")
    assert "slack:T1:U1" == str(Person("slack", "U1", "T1"))
    assert "telegram:42" == str(read_person("telegram:42"))
