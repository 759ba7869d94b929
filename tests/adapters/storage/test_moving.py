"""A group that becomes a supergroup keeps what is its own."""

from datetime import UTC, datetime

from sqlalchemy import insert, select

from adapters.storage.channels import SqlChannels
from adapters.storage.database import Database
from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.tables import admissions
from adapters.storage.threads import SqlThreads
from core.conversation import MessageRef
from tests.adapters.storage.turns import ask, finish, part

OLD, NEW = ("telegram", "-7"), ("telegram", "-1007")
NOW = datetime(2026, 3, 2, tzinfo=UTC)


async def test_questions_and_messages_move_with_their_chat(database: Database) -> None:
    """What waits is answered in the new place, where the old numbers name other messages; what stands is still ours."""
    inbox, threads, outbox = SqlInbox(database), SqlThreads(database, 5), SqlOutbox(database, "one")
    done, waiting = ask("Where?", place="-7", message="1"), ask("Когда?", place="-7", message="2", thread="t")
    await inbox.record(done)
    await threads.close(done, [part("Here.")], finish(done))
    await inbox.record(waiting)

    await inbox.move(OLD, NEW)
    await inbox.move(OLD, NEW)

    claim = await outbox.claim(NEW)
    assert claim
    assert (claim.outgoing.asked.place, claim.outgoing.asked.message) == ("-1007", "")
    await outbox.sent(claim, MessageRef("telegram", "-1007", "50"))
    taken = await inbox.take(5, "one", ["telegram"])
    assert [("Когда?", "-1007", "")] == [(each.text, each.place, each.message) for each in taken]
    assert done.thread == await threads.thread_of(MessageRef("telegram", "-1007", "50"))
    assert done.thread == await threads.thread_of(MessageRef("telegram", "-7", "1"))
    assert await outbox.claim(OLD) is None


async def test_settings_move_unless_the_new_chat_has_its_own(database: Database) -> None:
    """Whoever set something for the new chat knew better."""
    channels, inbox = SqlChannels(database), SqlInbox(database)
    await channels.set_mode(OLD, "all", changed_by="x", at=NOW)
    await inbox.move(OLD, NEW)

    assert {NEW: "all"} == await channels.modes()
    await channels.set_mode(OLD, "gate", changed_by="x", at=NOW)
    await inbox.move(OLD, NEW)
    assert {NEW: "all"} == await channels.modes()


async def test_who_is_let_in_stays_so(database: Database) -> None:
    """Also when the new chat was told already that it is not; other chats are left alone."""
    rows = (("chat:-7", "allowed"), ("chat:-1007", "told"), ("chat:-8", "told"))
    async with database.writing() as connection:
        for who, state in rows:
            row = {"platform": "telegram", "who": who, "state": state, "times": 1}
            await connection.execute(insert(admissions).values(row | {"changed_by": "x", "changed_at": NOW}))

    await SqlInbox(database).move(OLD, NEW)

    async with database.reading() as connection:
        kept = {row.who: row.state for row in (await connection.execute(select(admissions))).all()}
    assert {"chat:-1007": "allowed", "chat:-8": "told"} == kept
