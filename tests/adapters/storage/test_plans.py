"""What is long past costs nothing: how each database finds what it is asked for.

The plans are looked at, not the clock: `benchmarks/threads.py` measures.
"""

import re
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event, text

from adapters.storage.cases import SqlCases
from adapters.storage.database import Database
from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.persons import SqlPersons
from adapters.storage.retention import SqlRetention
from adapters.storage.threads import SqlThreads
from core.conversation import MessageRef
from core.people import Person
from tests.adapters.storage.turns import ask, part, signed

PLATFORMS = ("telegram",)
OURS = {"turns", "working", "other", "outbox", "before", "later", "audit", "feedback"}
_SQLITE = re.compile(r"(?:SCAN|SEARCH) (\w+)(?: USING (?:COVERING )?(?:INDEX )?(\w+))?")
_POSTGRESQL = re.compile(
    r"(?:Seq Scan on (\w+)|Index (?:Only )?Scan(?: Backward)? using (\w+)|Bitmap Index Scan on (\w+))"
)
# SQLite finds a row by its own number as by an INTEGER PRIMARY KEY.
_KEYS = {
    *("sqlite_autoindex_turns_1", "INTEGER", "pk_turns", "pk_outbox"),
    *("sqlite_autoindex_rates_1", "pk_rates"),
}

_TURNS = text("""
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
    INSERT INTO turns
      (question_id, thread, platform, asker, tenant, text, standalone, entities, state, answered, asked_at, finished_at)
    SELECT 'telegram:7:' || -i, 'telegram:7', 'telegram', 'U1', 'acme', 'Где RAG?', 'Где RAG?', '[]', 'done', true,
      :noon, :noon FROM n
""")
_OUTBOX = text("""
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
    INSERT INTO outbox
      (question_id, part, platform, place, thread, message, final, state, version, tried, in_doubt, seq,
       due_at, changed_at)
    SELECT 'telegram:7:' || -i, 'answer-1', 'telegram', '7', 'telegram:7', '1', true, 'sent', 1, 1, false, i,
      :noon, :noon FROM n
""")
_RATES = text("""
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    INSERT INTO rates (key, until) SELECT 'person:telegram:telegram:' || i, 1.0 FROM n
""")


@pytest.fixture
async def database(database: Database) -> Database:
    """Return a database in which one chat has had 10,000 questions answered, and a few wait."""
    noon = ask("?").asked_at
    async with database.writing() as connection:
        server = connection.dialect.name == "postgresql"
        at = noon if server else noon.strftime("%Y-%m-%d %H:%M:%S.%f")
        await connection.execute(_TURNS, {"noon": at})
        await connection.execute(_OUTBOX, {"noon": at})
        await connection.execute(_RATES)
        if server:
            # As a server does by itself in time; SQLite goes by its rules alone.
            await connection.execute(text("ANALYZE"))
    for number in range(3):
        await SqlInbox(database).record(ask("?", thread=f"t{number}", message=str(number)), signed(part("…")))
    return database


async def _plans(database: Database, call: Callable[[], Awaitable[object]]) -> list[tuple[str, str]]:
    """Return each statement of the call with how the database would run it."""
    engine, seen = database._engine, list[tuple[str, Any]]()

    def see(_: Any, __: Any, statement: str, parameters: Any, *___: Any) -> None:
        seen.append((statement, parameters))

    event.listen(engine.sync_engine, "before_cursor_execute", see)
    await call()
    event.remove(engine.sync_engine, "before_cursor_execute", see)
    explain = "EXPLAIN QUERY PLAN " if engine.dialect.name == "sqlite" else "EXPLAIN "
    async with database.reading() as connection:
        found = [await connection.exec_driver_sql(explain + statement, values) for statement, values in seen]
        plans = ["\n".join(str(row[-1]) for row in rows) for rows in found]
    return [(statement, plan) for (statement, _), plan in zip(seen, plans, strict=True)]


def _ways(plan: str) -> set[str]:
    """Return the indexes by which our tables are read, and the names of tables that are read from end to end."""
    sqlite = {index or table for table, index in _SQLITE.findall(plan) if table in OURS}
    return sqlite | {"".join(names) for names in _POSTGRESQL.findall(plan)}


async def test_opening_a_long_thread_reads_its_end_alone(database: Database) -> None:
    """The order comes from the index, so the last turns are read and no others; and of these not the long result."""
    plans = await _plans(database, lambda: SqlThreads(database, 5).open(ask("now", minute=9)))

    [(earlier, plan)] = [one for one in plans if "LIMIT" in one[0] and "unclear IS NOT NULL" not in one[0]]
    assert {"ix_turns_thread_asked_at_finished_at"} == _ways(plan)
    assert not re.search("Sort|TEMP B-TREE", plan)
    assert "result" not in earlier


async def test_a_known_thread_is_found_by_its_index(database: Database) -> None:
    """Every message of a chat asks for it."""
    [(_, plan)] = await _plans(database, lambda: SqlThreads(database, 5).knows("telegram:8"))

    assert _ways(plan) <= {"ix_turns_thread_asked_at_finished_at"}


async def test_the_line_does_not_look_at_what_is_answered(database: Database) -> None:
    """Handing out, counting and taking over read the few rows that wait or are worked on."""
    inbox = SqlInbox(database)
    calls = {
        "take": lambda: inbox.take(2, "one", PLATFORMS),
        "counts": inbox.counts,
        "working": lambda: inbox.working("one"),
        "take_over": lambda: inbox.take_over("one"),
    }
    for name, call in calls.items():
        ways = set().union(*(_ways(plan) for _, plan in await _plans(database, call)))
        assert ways <= {"ix_turns_active", *_KEYS}, (name, ways)
        assert "ix_turns_active" in ways, name


async def test_copies_are_found_by_their_indexes(database: Database) -> None:
    """What a device has sent twice is found by its mark, and its copy by what it is a copy of."""
    inbox = SqlInbox(database)
    first, other = (ask("?", thread=f"t{number}", message=number, resend="mark") for number in ("8", "9"))
    await inbox.record(first)
    marked = [
        _ways(plan)
        for statement, plan in await _plans(database, lambda: inbox.record(other))
        if "WHERE turns.resend" in statement
    ]
    kept = [
        _ways(plan)
        for statement, plan in await _plans(database, lambda: inbox.withdraw(MessageRef("telegram", "7", "8")))
        if "copy_of = " in statement and "FROM turns" in statement
    ]

    assert marked in ([{"sqlite_autoindex_turns_2"}], [{"uq_turns_resend"}])
    assert [{"ix_turns_copies"}] == kept


async def test_a_new_question_counts_only_what_is_unanswered(database: Database) -> None:
    """How long the line is that it joins does not depend on how many were answered before."""
    plans = await _plans(database, lambda: SqlInbox(database).record(ask("new", thread="t9", message="9")))

    [ways] = [_ways(plan) for statement, plan in plans if "count(*) FILTER" in statement]
    assert {"ix_turns_active"} == ways


async def test_the_outbox_does_not_look_at_what_is_sent(database: Database) -> None:
    """Claiming, waiting and taking over read the few rows that are still to be shown, and the row itself by its key."""
    outbox = SqlOutbox(database, "one")

    async def wait() -> None:
        claim = await outbox.claim(("telegram", "7"))
        assert claim is not None
        await outbox.later(claim, 0, "wait", whole_place=True)

    calls: dict[str, Callable[[], Awaitable[object]]] = {
        "claim and wait": wait,
        "due": lambda: outbox.due(PLATFORMS),
        "unsent": outbox.unsent,
        "take_over": lambda: outbox.take_over("one"),
    }
    for name, call in calls.items():
        ways = set().union(*(_ways(plan) for _, plan in await _plans(database, call)))
        assert ways <= {"ix_outbox_unsent", "ix_outbox_places", *_KEYS}, (name, ways)
        assert ways & {"ix_outbox_unsent", "ix_outbox_places"}, name


async def test_a_new_message_finds_its_place_without_a_count(database: Database) -> None:
    """The last number of all comes from the index."""
    new = ask("new", thread="t9", message="9")
    plans = await _plans(database, lambda: SqlInbox(database).record(new, signed(part("…"))))

    [ways] = [_ways(plan) for statement, plan in plans if "max(outbox.seq)" in statement]
    assert {"ix_outbox_seq"} == ways


async def test_what_is_not_old_is_not_looked_at_to_be_removed(database: Database) -> None:
    """A look that finds nothing costs nothing, however much there is; and nobody who writes waits for one."""
    before, now = ask("?").asked_at - timedelta(days=180), ask("?").asked_at
    plans = await _plans(database, lambda: SqlRetention(database).sweep(before, now))
    ways = set().union(*(_ways(plan) for statement, plan in plans if " rates" not in statement))

    assert {"ix_turns_asked_at", "ix_outbox_changed_at"} <= ways
    if not database.is_shared:
        # A server reads an empty table from end to end; SQLite goes by its rules alone.
        assert "ix_audit_kept" in ways
        assert not ways & OURS


async def test_what_somebody_asked_last_is_found_by_its_index(database: Database) -> None:
    """However many others have asked there, and however much the person asked elsewhere."""
    here, threads, person = ("telegram", "7"), SqlThreads(database, 5), Person("telegram", "U9")
    calls: dict[str, Callable[[], Awaitable[object]]] = {
        "told_latest": lambda: threads.told_latest(here, "U9"),
        "answered_last": lambda: threads.answered_last(here, None, "U9"),
        "asked_last": lambda: threads.asked_last(here, "U9"),
        "latest": lambda: SqlCases(database).latest(here, "U9"),
        "forget": lambda: SqlPersons(database).forget(person, ask("?").asked_at),
    }
    for name, call in calls.items():
        ways = [_ways(plan) for statement, plan in await _plans(database, call) if "FROM turns" in statement]
        assert ways[0] <= {"ix_turns_platform_asker_place_asked_at"}, (name, ways)


async def test_what_was_asked_back_long_ago_is_found_by_its_index(database: Database) -> None:
    """A thread of many turns is looked through for the few that asked back, and not from end to end."""
    question = ask("now", thread="telegram:7", message="9")
    plans = await _plans(database, lambda: SqlThreads(database, 5).open(question))
    beyond = [plan for statement, plan in plans if "unclear IS NOT NULL" in statement]

    assert [{"ix_turns_asked_back"}] == [_ways(plan) for plan in beyond]
