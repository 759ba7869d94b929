"""The revisions and the tables tell the same story, on each database."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, create_engine, inspect, text
from sqlalchemy.pool import NullPool

import migrations
from adapters.storage.audit import SqlAudit
from adapters.storage.catalog import SqlCatalog
from adapters.storage.database import open_database
from adapters.storage.inbox import SqlInbox
from adapters.storage.schema import metadata
from adapters.storage.threads import SqlThreads
from bot.audit import Sound, verified
from core.audited import Wanted
from core.conversation import AlreadyAnswered, Thread
from core.errors import ConfigError, StorageError
from core.ingest.generation import Tables
from tests.adapters.storage.turns import ask, finish, part, signed

_TURN = text("""
    INSERT INTO turns (question_id, thread, platform, asker, tenant, text, standalone, entities, state, answered,
      asked_at, finished_at, result)
    VALUES (:id, 'telegram:7', 'telegram', 'U1', 'acme', :text, :standalone, '["rag"]', :state, :answered,
      '2026-03-02 12:00:00.000000', '2026-03-02 12:00:05.000000', '{"answer": "В Aston."}')
""")
_LOGGED = text("""
    INSERT INTO audit (question_id, tenant, asker, at, words, record)
    VALUES (:id, 'acme', 'U1', '2026-03-02 12:00:05.000000', :words, '{"question": "Где?"}')
""")


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[URL]:
    """Give the URL of an empty database of each kind."""
    if request.param == "sqlite":
        yield URL.create("sqlite", database=str(tmp_path / "footnote.db"))
        return
    with request.getfixturevalue("postgres").database("template0") as url:
        yield url


@pytest.fixture
def engine(url: URL) -> Engine:
    """Return an engine of that database."""
    return create_engine(url, poolclass=NullPool)


def _place(url: URL) -> str:
    return url.render_as_string(hide_password=False)


def _upgrade(url: URL, revision: str) -> None:
    command.upgrade(migrations.configuration(url), revision)


def _newest(engine: Engine) -> str | None:
    return ScriptDirectory.from_config(migrations.configuration(engine.url)).get_current_head()


def _states(connection: Connection) -> dict[str, str]:
    return {row.question_id: row.state for row in connection.execute(text("SELECT question_id, state FROM turns"))}


def _fill(connection: Connection) -> None:
    """Write what the first version of the bot may have left."""
    answered = {"id": "telegram:7:1", "text": "Где RAG?", "standalone": "Где RAG?", "state": "done", "answered": True}
    unanswered = {"id": "telegram:7:2", "text": "А он?", "standalone": None, "state": "open", "answered": None}
    connection.execute(_TURN, [answered, unanswered])
    connection.execute(_LOGGED, [{"id": "telegram:7:1", "words": words} for words in ("first", "again")])


def test_the_newest_revision_is_the_tables(engine: Engine) -> None:
    """After all revisions the database is what the code expects, to the last index."""
    migrations.upgrade(engine.url)

    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "target_metadata": metadata})
        assert compare_metadata(context, metadata) == []


def test_numbers_that_are_never_used_twice_stay_so(engine: Engine) -> None:
    """SQLite gives a number again when the row that had it last is gone, but in tables that forbid it."""
    if engine.dialect.name != "sqlite":
        pytest.skip("sequences of PostgreSQL never go back")
    migrations.upgrade(engine.url)
    strict = {name for name, table in metadata.tables.items() if table.dialect_options["sqlite"]["autoincrement"]}
    with engine.connect() as connection:
        made = connection.execute(text("SELECT name FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%'")).scalars()

        assert strict == set(made)


def test_the_way_back_leaves_nothing(engine: Engine) -> None:
    """Every revision can be undone, and done again."""
    migrations.upgrade(engine.url)
    migrations.downgrade(engine.url, "base")
    left = inspect(engine).get_table_names()
    migrations.upgrade(engine.url)

    assert ["alembic_version"] == left
    assert set(metadata.tables) < set(inspect(engine).get_table_names())


async def test_what_was_stored_before_stays(engine: Engine) -> None:
    """Answered questions are history, unanswered ones are not answered so late, and the log has one entry for each."""
    _upgrade(engine.url, "0001")
    with engine.begin() as connection:
        _fill(connection)
    database = open_database(_place(engine.url))
    await database.prepare()

    threads, inbox = SqlThreads(database, 5), SqlInbox(database)
    thread = await threads.open(ask("А в Aston?", minute=1, message="9"))
    assert isinstance(thread, Thread)
    assert [("Где RAG?", ("rag",), ask("?").asked_at)] == [(t.question, t.entities, t.asked_at) for t in thread.turns]
    assert AlreadyAnswered("telegram:7:2") == await threads.open(ask("А он?", message="2"))
    assert ((0, 0), []) == (await inbox.counts(), await inbox.take(5, "one", ("telegram",)))
    assert ["telegram:7:1"] == [entry.question_id for entry in await SqlAudit(database).search(Wanted(), 10)]
    assert isinstance(await verified(SqlAudit(database)), Sound)
    await database.close()


async def test_the_way_back_keeps_turns_and_the_log(engine: Engine) -> None:
    """Whoever goes back to the version before loses the line and the outbox, and no conversation."""
    _upgrade(engine.url, "0001")
    with engine.begin() as connection:
        _fill(connection)
    database = open_database(_place(engine.url))
    await database.prepare()
    question, waiting = ask("Где применял графы?", message="3", minute=1), ask("?", message="4", thread="other")
    await SqlInbox(database).record(waiting, signed(part("…")))
    await SqlThreads(database, 5).close(question, [part("В Aston.")], finish(question, reply="В Aston."))
    await database.close()
    migrations.downgrade(engine.url, "0001")

    with engine.connect() as connection:
        expected = {"telegram:7:1": "done", "telegram:7:2": "open", question.id: "done", waiting.id: "open"}
        assert expected == _states(connection)
        assert connection.scalar(text("SELECT count(*) FROM audit")) == 2
        results = connection.scalars(text("SELECT result FROM turns WHERE state = 'done'")).all()
        assert all("Aston" in str(result) for result in results)
    migrations.upgrade(engine.url)


async def test_on_the_way_back_a_copy_asks_nothing(engine: Engine) -> None:
    """The version before does not know what a copy is; to it, it is a question that has been dealt with."""
    database = open_database(_place(engine.url))
    await database.prepare()
    copies = [ask("Где RAG?", message=number, resend="a") for number in ("1", "2")]
    for one in copies:
        await SqlInbox(database).record(one)
    await database.close()
    migrations.downgrade(engine.url, "0023")

    with engine.connect() as connection:
        assert {copies[0].id: "waiting", copies[1].id: "done"} == _states(connection)
    migrations.upgrade(engine.url)


_BUILT = text("""
    INSERT INTO generations (number, state, source, title, embedder, dimension, analyzer, created_at, counts, domain)
    VALUES (:number, :state, './docs', 'Портфолио', 'use', 512, '1', '2026-03-02 12:00:00.000000', '{}', '{}')
""")
_PAGE = text("INSERT INTO documents (generation, doc_id, digest, body) VALUES (:generation, :doc_id, :digest, :body)")


async def test_documents_go_there_and_back(engine: Engine) -> None:
    """A document that two generations hold is kept once, and copied for each on the way back; numbers go on."""
    page = '{"id": "отпуск.md", "title": "Отпуск", "text": "27 дней", "blocks": []}'
    _upgrade(engine.url, "0002")
    with engine.begin() as connection:
        for number, state in ((1, "retired"), (2, "live"), (3, "building")):
            connection.execute(_BUILT, {"number": number, "state": state})
            row = {"generation": number, "doc_id": "отпуск.md", "digest": "same", "body": page}
            connection.execute(_PAGE, row)
    database = open_database(_place(engine.url))
    await database.prepare()
    catalog = SqlCatalog(database)
    live = await catalog.live()
    kept = [await catalog.documents(number) for number in (1, 2, 3)]
    await database.close()
    migrations.downgrade(engine.url, "0002")

    assert live is not None
    assert (2, Tables(2)) == (live.number, live.tables)
    assert [["27 дней"], ["27 дней"], []] == [[document.text for document in documents] for documents in kept]
    with engine.connect() as connection:
        back = connection.execute(text("SELECT generation, digest FROM documents ORDER BY generation")).all()
    assert [(1, "same"), (2, "same")] == [tuple(row) for row in back]
    migrations.upgrade(engine.url)


@pytest.mark.parametrize(("revision", "obstacle"), [("base", "documents"), ("0001", "channel_settings")])
async def test_a_failed_upgrade_leaves_the_database_as_it_was(engine: Engine, revision: str, obstacle: str) -> None:
    """Half a schema would block every later start; one sentence says that nothing has changed."""
    _upgrade(engine.url, "0001") if revision == "0001" else None
    with engine.begin() as connection:
        if revision == "0001":
            _fill(connection)
        connection.execute(text(f"CREATE TABLE {obstacle} (mine TEXT)"))
    before = sorted(inspect(engine).get_table_names())
    database = open_database(_place(engine.url))
    with pytest.raises(StorageError) as failed:
        await database.prepare()
    await database.close()

    assert str(failed.value).startswith(
        f"storage: the database could not be brought to schema '{_newest(engine)}' and stays as it was ("
    )
    assert before == sorted(inspect(engine).get_table_names())
    with engine.connect() as connection:
        if revision == "0001":
            assert {"telegram:7:1": "done", "telegram:7:2": "open"} == _states(connection)
            assert "place" not in {column["name"] for column in inspect(engine).get_columns("turns")}
        connection.execute(text(f"DROP TABLE {obstacle}"))
        connection.commit()
    database = open_database(_place(engine.url))
    await database.prepare()
    await database.close()


async def test_a_newer_schema_is_refused(place: str) -> None:
    """An older Footnote does not write into a database whose rules it does not know, and says what to do."""
    database = open_database(place)
    async with database.writing() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    with pytest.raises(ConfigError, match=r"'9999' of a newer Footnote.*Install the newer version"):
        await database.prepare()
    await database.close()


def test_the_names_of_the_files_are_the_revisions() -> None:
    """A start reads the revisions from the names of the files alone."""
    script = ScriptDirectory.from_config(migrations.configuration("sqlite://"))
    history = [revision.revision for revision in script.walk_revisions()]

    assert tuple(reversed(history)) == migrations.revisions()
    assert [migrations.revisions()[-1]] == script.get_heads()


def test_a_new_revision_is_written_from_the_tables(engine: Engine, tmp_path: Path) -> None:
    """A written revision runs by itself: it names plain types and not the code of its day."""
    config = migrations.configuration(engine.url)
    versions = tmp_path / "versions"
    config.set_main_option("path_separator", "os")
    config.set_main_option("version_locations", str(versions))
    command.revision(config, "first tables", autogenerate=True, rev_id="0001")
    command.upgrade(config, "head")

    assert "sa.DateTime(timezone=True)" in (versions / "0001_first_tables.py").read_text()
    assert set(metadata.tables) < set(inspect(engine).get_table_names())
