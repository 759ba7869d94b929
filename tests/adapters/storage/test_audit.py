"""The audit log keeps every finished turn and finds it again."""

import asyncio
import json
from dataclasses import replace

import pytest

from adapters.storage.audit import SqlAudit
from adapters.storage.database import Database
from adapters.storage.inbox import SqlInbox
from adapters.storage.threads import SqlThreads
from core.audited import AuditEntry, Wanted
from core.result import result_of
from core.turn import TurnRecord
from tests.adapters.storage.turns import ask, finish


@pytest.fixture
def audit(database: Database) -> SqlAudit:
    """Return an empty log."""
    return SqlAudit(database)


@pytest.fixture
def threads(database: Database) -> SqlThreads:
    """Return the threads whose ends are logged."""
    return SqlThreads(database, 3)


async def _end(threads: SqlThreads, record: TurnRecord) -> None:
    await threads.close(record.question, [], record)


async def _found(audit: SqlAudit, text: str) -> list[str]:
    return [entry.record["question"] for entry in await audit.search(Wanted(text), 10)]


async def test_an_entry_says_who_asked_what_when(audit: SqlAudit, threads: SqlThreads) -> None:
    """An entry is the turn's result with the asker, the tenant and the moment."""
    record = finish(ask("Где применял RAG?"), reply="В Aston.")
    await _end(threads, record)

    result = json.loads(json.dumps(result_of(record)))
    expected = AuditEntry(record.question.id, "acme", "U1", record.finished_at, result, number=1)
    assert (expected,) == await audit.search(Wanted(), 10)


async def test_the_latest_come_first_and_no_more_than_asked(audit: SqlAudit, threads: SqlThreads) -> None:
    """The log is read from its end."""
    for minute, text in enumerate(("one", "two", "three")):
        await _end(threads, finish(ask(text, minute=minute)))

    assert [entry.record["question"] for entry in await audit.search(Wanted(), 2)] == ["three", "two"]


async def test_entries_written_together_are_all_kept(audit: SqlAudit, threads: SqlThreads) -> None:
    """Nothing is lost when many turns end at once."""
    await asyncio.gather(*(_end(threads, finish(ask(f"question {n}", minute=n))) for n in range(20)))

    assert len(await audit.search(Wanted(), 100)) == 20


async def test_a_turn_is_logged_once_for_each_version(audit: SqlAudit, threads: SqlThreads, database: Database) -> None:
    """A last step that is repeated adds nothing, also at the same time; an edited question is answered anew."""
    first = finish(ask("Где применял RAG?"))
    edited = finish(ask("Где применял RAG и графы?", version=1))
    await asyncio.gather(*(_end(threads, first) for _ in range(5)))
    await SqlInbox(database).edit(edited.question)
    await _end(threads, edited)
    await _end(threads, first)

    assert [edited.question.text, first.question.text] == [
        entry.record["question"] for entry in await audit.search(Wanted(), 10)
    ]


async def test_what_changes_nothing_is_not_logged(audit: SqlAudit, threads: SqlThreads, database: Database) -> None:
    """An answer to words that were edited meanwhile is nowhere to be seen, and not in the log either."""
    question = ask("Где применял RAG?")
    await SqlInbox(database).record(question)
    await SqlInbox(database).edit(replace(question, text="Где применял графы?", version=1))
    await _end(threads, finish(question))

    assert await audit.search(Wanted(), 10) == ()


@pytest.mark.parametrize("text", ["где ПРИМЕНЯЛ", "в актёрском зале", "АКТЕРСКОМ", "u1", "telegram:7:4"])
async def test_the_search_finds_question_answer_asker_and_id(audit: SqlAudit, threads: SqlThreads, text: str) -> None:
    """Upper case and ё make no difference, in Russian neither."""
    await _end(threads, finish(ask("Где применял RAG?", message="4"), reply="В актёрском зале."))

    assert await _found(audit, text) == ["Где применял RAG?"]


@pytest.mark.parametrize("text", ["100%", "a_b"])
async def test_the_search_takes_every_character_as_it_is(audit: SqlAudit, threads: SqlThreads, text: str) -> None:
    """A percent sign is a percent sign."""
    for minute, question in enumerate(("is it 100% done", "is it 1000 done", "what is a_b", "what is axb")):
        await _end(threads, finish(ask(question, minute=minute)))

    found = await _found(audit, text)
    assert len(found) == 1
    assert text in found[0]
