"""The audit log shows whatever is done to it behind our back, and what an answer was based on."""

import asyncio
import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from adapters.storage.audit import SqlAudit, erase, of_person
from adapters.storage.database import Database, open_database
from adapters.storage.feedback import SqlFeedback
from adapters.storage.tables import audit
from adapters.storage.threads import SqlThreads
from bot.audit import Broken, Sound, exported, verified
from core.audited import Wanted
from core.chain import commitment_of, linked
from core.conversation import MessageRef
from core.errors import ConfigError, StorageError
from core.feedback import Deed
from tests.adapters.storage.turns import NOON, ask, finish

QUESTIONS = ("Где применял RAG?", "How many vacation days?", "А в Aston?", "Who approves travel?")


@pytest.fixture
def log(database: Database) -> SqlAudit:
    """Return the log."""
    return SqlAudit(database)


async def filled(database: Database) -> None:
    """Answer four questions of two people, the last one with a refusal, and let one say what it is worth."""
    threads = SqlThreads(database, 3)
    for minute, words in enumerate(QUESTIONS):
        question = ask(words, minute=minute, asker=f"{minute % 2 + 1}")
        await threads.close(question, [], finish(question, refusal=minute == len(QUESTIONS) - 1))
    await judged(database, NOON)


async def judged(database: Database, at: datetime) -> None:
    """Let the first asker say what the answer is worth."""
    message = MessageRef("telegram", "7", "sent")
    deed = Deed(message, "telegram:1", "press-1", "press", "down", at, "старые сроки")
    await SqlFeedback(database).judge_answer(deed, "telegram:7:0")


async def unguarded(database: Database, *statements: str) -> None:
    """Do something to the log as somebody who owns the database could."""
    async with database.writing() as connection:
        if database.dialect == "sqlite":
            await connection.execute(text("DROP TRIGGER audit_is_not_changed"))
            await connection.execute(text("DROP TRIGGER audit_is_not_removed"))
        else:
            await connection.execute(text("SET LOCAL session_replication_role = replica"))
        for statement in statements:
            await connection.execute(text(statement))


async def test_a_log_that_nobody_touched_is_sound(database: Database, log: SqlAudit) -> None:
    """It says how many entries there are, and the hash that it ends with."""
    assert await verified(log) == Sound(0, 0, "")
    await filled(database)
    outcome = await verified(log)

    assert isinstance(outcome, Sound)
    assert (5, 0) == (outcome.entries, outcome.erased)
    assert outcome == await verified(log, noted=outcome.digest)


@pytest.mark.parametrize(
    "deed",
    [
        "UPDATE audit SET record = '{}' WHERE id = 2",
        "UPDATE audit SET asker = '9' WHERE id = 2",
        "UPDATE audit SET at = '2026-03-02 11:00:00+00' WHERE id = 2",
        "DELETE FROM audit WHERE id = 2",
        "UPDATE audit_end SET number = 1",
    ],
)
async def test_the_database_itself_refuses_to_change_the_log(database: Database, log: SqlAudit, deed: str) -> None:
    """A program with a defect, or a hand on the console, is told no; the end alone may be moved, which shows."""
    await filled(database)
    if "audit_end" in deed:
        async with database.writing() as connection:
            await connection.execute(text(deed))
        assert isinstance(await verified(log), Broken)
        return
    with pytest.raises(StorageError):
        async with database.writing() as connection:
            await connection.execute(text(deed))

    assert isinstance(await verified(log), Sound)


@pytest.mark.parametrize(
    ("deeds", "number", "reason"),
    [
        (["UPDATE audit SET asker = '9' WHERE id = 2"], 2, "content was changed"),
        (["UPDATE audit SET digest = '0' WHERE id = 2"], 2, "does not follow"),
        (["DELETE FROM audit WHERE id = 2"], 3, "does not follow"),
        (["DELETE FROM audit WHERE id >= 4"], 4, "gone"),
        (["DELETE FROM audit WHERE id >= 4", "UPDATE audit_end SET number = 3"], 3, "ends otherwise"),
        (["UPDATE audit SET record = '{}', salt = NULL WHERE id = 2"], 2, "no entry says"),
        (["UPDATE audit SET id = 20 WHERE id = 2"], 3, "does not follow"),
        (["UPDATE audit SET erased_at = '2026-03-02 11:00:00+00' WHERE id = 2"], 2, "hidden"),
        (["UPDATE audit SET words = '' WHERE id = 2"], 2, "hidden"),
        (["UPDATE audit SET words = 'something else' WHERE id = 5"], 5, "hidden"),
    ],
)
async def test_whatever_is_done_behind_our_back_shows(
    database: Database, log: SqlAudit, deeds: list[str], number: int, reason: str
) -> None:
    """The first entry concerned is named."""
    await filled(database)
    await unguarded(database, *deeds)
    outcome = await verified(log)

    assert isinstance(outcome, Broken)
    assert number == outcome.number
    assert reason in outcome.reason


@pytest.mark.parametrize(
    "deed",
    [
        """UPDATE audit SET record = '{"question": "Кто?", "answer": "Anna"}', erased_at = NULL WHERE id = 2""",
        "UPDATE audit SET asker = '9' WHERE id = 2",
        "UPDATE audit SET words = 'кто? anna' WHERE id = 2",
        "UPDATE audit SET question_id = 'telegram:7:9' WHERE id = 2",
    ],
)
async def test_nothing_is_put_where_a_content_was_erased(database: Database, log: SqlAudit, deed: str) -> None:
    """No hash speaks for what stands there; it would be shown like an entry."""
    await filled(database)
    async with database.writing() as connection:
        await erase(database, connection, of_person("telegram:2"), "forgotten", 10)
    assert isinstance(await verified(log), Sound)
    await unguarded(database, deed)
    outcome = await verified(log)

    assert isinstance(outcome, Broken)
    assert (2, "something else stands in its place") == (outcome.number, outcome.reason.split(", and ")[1])


async def test_nothing_is_slipped_in_before_the_first(database: Database, log: SqlAudit) -> None:
    """No trigger keeps anybody from adding; a search would show it."""
    await filled(database)
    same = "version, tenant, asker, at, words, record, kind, salt, commitment, digest"
    slipped = f"INSERT INTO audit (id, question_id, {same}) SELECT -5, 'telegram:7:9', {same} FROM audit WHERE id = 1"  # noqa: S608 - a forger's own
    async with database.writing() as connection:
        await connection.execute(text(slipped))
    outcome = await verified(log)

    assert isinstance(outcome, Broken)
    assert (-5, "does not follow") == (outcome.number, outcome.reason[3:18])


async def test_a_chain_that_was_made_anew_shows_by_a_noted_hash(database: Database, log: SqlAudit) -> None:
    """Whoever may do everything can write another chain; not one that goes through a hash noted elsewhere."""
    await filled(database)
    noted = await verified(log)
    assert isinstance(noted, Sound)
    kept = [one async for one in log.kept()]
    deeds, before = [], ""
    for one in kept:
        assert one.content is not None
        content = dict(one.content) | {"tenant": "other"}
        link = linked(before, one.link.number, one.link.at, commitment_of(content, "00"))
        before = link.digest
        values = f"tenant = 'other', salt = '00', commitment = '{link.commitment}', digest = '{link.digest}'"
        deeds.append(f"UPDATE audit SET {values} WHERE id = {link.number}")  # noqa: S608 - a forger's own
    await unguarded(database, *deeds, f"UPDATE audit_end SET digest = '{before}'")  # noqa: S608 - a forger's own

    assert isinstance(await verified(log), Sound)
    assert isinstance(await verified(log, noted.digest), Broken)


async def test_what_is_erased_leaves_the_chain_whole(database: Database, log: SqlAudit) -> None:
    """Its content and whose it was go; that it was there, and that it was erased and why, stays."""
    await filled(database)
    async with database.writing() as connection:
        assert await erase(database, connection, of_person("telegram:1"), "forgotten", 10) == 3
    outcome = await verified(log)
    gone, said = await log.entry(1), await log.entry(6)

    assert isinstance(outcome, Sound)
    assert (6, 3) == (outcome.entries, outcome.erased)
    assert gone is not None
    assert (True, {}, "", "erased:1") == (gone.erased, gone.record, gone.asker, gone.question_id)
    assert said is not None
    assert said.record == {"erased": [[1, 1], [3, 3], [5, 5]], "because": "forgotten"}
    assert [QUESTIONS[3], QUESTIONS[1]] == [one.record["question"] for one in await log.search(Wanted(), 10)]
    assert isinstance(gone.at, datetime)


async def test_an_erasure_cannot_be_erased(database: Database, log: SqlAudit) -> None:
    """Else nobody could say any more what was erased by right."""
    await filled(database)
    async with database.writing() as connection:
        await erase(database, connection, of_person("telegram:1"), "forgotten", 10)
        assert await erase(database, connection, audit.c.id > 0, "everything", 10) == 2

    assert isinstance(await verified(log), Sound)


async def test_several_copies_write_one_chain(place: str, database: Database, log: SqlAudit) -> None:
    """Forty answers that end at once in four copies make one line without a gap."""
    others = [open_database(place) for _ in range(4)]

    async def end(number: int) -> None:
        question = ask(f"question {number}", minute=number, thread=f"t{number}")
        await SqlThreads(others[number % 4], 3).close(question, [], finish(question))

    await asyncio.gather(*map(end, range(40)))
    for other in others:
        await other.close()
    outcome = await verified(log)

    assert isinstance(outcome, Sound)
    assert outcome.entries == 40
    assert (40, outcome.digest) == await log.end()


async def test_the_end_of_the_chain_is_found_again(database: Database, log: SqlAudit) -> None:
    """Should the row that holds it be lost, the next answer is stored all the same, behind the last one."""
    await filled(database)
    async with database.writing() as connection:
        await connection.execute(text("DELETE FROM audit_end"))
    question = ask("Again?", minute=9)
    await SqlThreads(database, 3).close(question, [], finish(question))

    assert isinstance(await verified(log), Sound)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Wanted(), [3, 2, 1, 0]),
        (Wanted("aston"), [2]),
        (Wanted(since=NOON + timedelta(minutes=2)), [3, 2]),
        (Wanted(person="telegram:2"), [3, 1]),
        (Wanted(person="1"), [2, 0]),
        (Wanted(person="slack:acme:1"), []),
        (Wanted(refused=True), [3]),
        (Wanted("days", person="telegram:2"), [1]),
        (Wanted(tenant="acme"), [3, 2, 1, 0]),
        (Wanted(tenant="elsewhere"), []),
    ],
)
async def test_entries_are_found(database: Database, log: SqlAudit, wanted: Wanted, expected: list[int]) -> None:
    """By words, day, person and outcome, and by all of them together."""
    await filled(database)

    found = [one.record["question"] for one in await log.search(wanted, 10) if one.kind == "answer"]
    assert [QUESTIONS[number] for number in expected] == found


async def test_opinions_stand_in_the_chain(database: Database, log: SqlAudit) -> None:
    """What somebody said of an answer is an entry of its own; told of twice it is one."""
    await filled(database)
    await judged(database, NOON + timedelta(minutes=1))
    entry = await log.entry(5)

    assert entry is not None
    assert ("feedback", "telegram:1") == (entry.kind, entry.asker)
    assert ("telegram:7:0", "down") == (entry.record["feedback"]["of"], entry.record["feedback"]["verdict"])
    assert await log.entry(6) is None


@pytest.mark.parametrize(
    ("column", "said"),
    [
        *(("record", said) for said in ("'{bad'", "''", "'[]'", "'null'", "'{\"a\": 1e400}'")),
        *(("at", said) for said in ("'garbage'", "''", "'вчера'", "5")),
    ],
)
async def test_what_nobody_can_read_is_named_too(database: Database, log: SqlAudit, column: str, said: str) -> None:
    """By its number, and not only by an error; PostgreSQL itself takes most of it for none of the kind."""
    await filled(database)
    try:
        await unguarded(database, f"UPDATE audit SET {column} = {said} WHERE id = 3")  # noqa: S608 - a forger's own
    except StorageError:
        assert database.is_shared
        return
    outcome = await verified(log)

    assert isinstance(outcome, Broken)
    assert 3 == outcome.number


async def test_the_file_is_enough_to_verify(database: Database, log: SqlAudit, tmp_path: Path) -> None:
    """Whoever has only the lines of the file can check each hash; a file that is there is not written over."""
    await filled(database)
    file = tmp_path / "audit.jsonl"
    assert await exported(log.kept(), file) == 5
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]

    assert all(one["commitment"] == commitment_of(one["content"], one["salt"]) for one in lines)
    assert lines[0]["content"]["record"]["question"] == QUESTIONS[0]
    assert file.stat().st_mode & 0o077 == 0
    with pytest.raises(ConfigError, match="is there already"):
        await exported(log.kept(), file)
