"""`footnote migrate`: the schema forward and back, and every way in which that is refused."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

import migrations
from adapters.storage.database import open_database
from bot import migrate
from bot.commands import alone_in
from bot.replica import BEAT
from bot.runtime import _only_one
from bot.settings import Settings, read_settings
from bot.wiring import open_its_database, outbox_and_replicas
from core.errors import ConfigError
from tests.bot.terminal import footnote, refused
from tests.postgres import Postgres

# The newest schema with a table of its own, and the one before it.
NEWEST, BEFORE = migrations.revisions()[-1], "0005"
KEPT = "turns"
NEW = "proposals"

Hold = Callable[[Settings], AbstractContextManager[None]]


@pytest.fixture
def database(elsewhere: Path) -> Path:
    """Return where the database will be."""
    return elsewhere / "data" / "footnote.db"


def tables(database: Path) -> set[str]:
    """Return the names of the tables."""
    with closing(sqlite3.connect(database)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def test_forward(database: Path) -> None:
    """A folder that holds nothing yet gets the newest schema; a second time changes nothing and says the same."""
    first, second = footnote("migrate"), footnote("migrate")

    assert first.out == second.out == f"The database has schema {NEWEST}.\n"
    assert (first.status, first.err) == (0, "")
    assert {KEPT, NEW} <= tables(database)


def test_back_and_forward_again(database: Path) -> None:
    """What the older schema did not know goes, the rest stays; the way forward is open again."""
    footnote("migrate")
    back = footnote("migrate", "--to", BEFORE, "--yes")
    older = tables(database)
    forward = footnote("migrate")

    assert (back.status, back.out) == (0, f"The database has schema {BEFORE}.\n")
    assert (KEPT in older, NEW in older) == (True, False)
    assert forward.out == f"The database has schema {NEWEST}.\n"
    assert {KEPT, NEW} <= tables(database)


def test_back_to_nothing(database: Path) -> None:
    """`base` is a database without our tables."""
    footnote("migrate")
    back = footnote("migrate", "--to", "base", "--yes")

    assert (back.status, back.out) == (0, "The database has schema base.\n")
    assert tables(database) & {KEPT, NEW} == set()


@pytest.mark.parametrize(("typed", "done"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_who_is_not_sure_changes_nothing(database: Path, typed: str, done: bool) -> None:  # noqa: FBT001
    """Without `--yes` it says what will be lost and asks; only a yes counts."""
    footnote("migrate")
    asked = footnote("migrate", "--to", BEFORE, stdin=typed)

    said = f"The database has schema {BEFORE}." if done else "Nothing was changed."
    assert f"Going back to {BEFORE} removes the tables and columns that came after it" in asked.text
    assert "keep a backup" in asked.text
    assert asked.text.endswith(said)
    assert (asked.status, NEW in tables(database)) == (0, not done)


def test_the_newest_schema_is_no_way_back(database: Path) -> None:
    """Nothing comes after it that could be lost, so nothing is asked."""
    newest = migrations.revisions()[-1]
    outcome = footnote("migrate", "--to", newest)

    assert f"The database has schema {newest}." in outcome.out
    assert "removes" not in outcome.out


@pytest.mark.parametrize("holds", [_only_one, alone_in])
def test_nothing_is_taken_from_under_a_bot_at_work(
    holds: Hold, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What runs or indexes in the folder keeps its tables, however sure somebody is; once it stopped, they may go."""
    monkeypatch.setenv("FOOTNOTE_DATA_DIR", str(database.parent))
    footnote("migrate")
    with holds(read_settings()):
        refusal = refused(footnote("migrate", "--to", BEFORE, "--yes"))
        kept = tables(database)
    after = footnote("migrate", "--to", BEFORE, "--yes")

    assert "stop" in refusal
    assert NEW in kept
    assert (after.status, NEW in tables(database)) == (0, False)


def test_nothing_is_taken_from_under_copies_at_work(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over PostgreSQL a copy that beats keeps the tables; one that stopped, or was cut short, needs them no more."""
    with postgres.database() as place:
        url = place.render_as_string(hide_password=False)
        with beating(url):
            refusal = refused(footnote("migrate", "--to", BEFORE, "--yes", DATABASE_URL=url))
        monkeypatch.setattr(migrate, "DEAD_AFTER", 2 * BEAT)
        dead = footnote("migrate", "--to", BEFORE, "--yes", DATABASE_URL=url)
        older = footnote("migrate", "--to", "0001", "--yes", DATABASE_URL=url)
        oldest = footnote("migrate", "--to", "base", "--yes", DATABASE_URL=url)

    assert refusal == "a copy of Footnote works with this database: stop every one first; nothing was changed"
    assert [one.out for one in (dead, older, oldest)] == [
        f"The database has schema {one}.\n" for one in (BEFORE, "0001", "base")
    ]


@contextmanager
def beating(url: str) -> Iterator[None]:
    """Let a copy show that it lives while inside; it is gone without a word afterwards."""
    begun, over = Event(), Event()

    async def beat() -> None:
        database = open_database(url)
        _, replicas = outbox_and_replicas(database, "copy")
        count = 0
        while not over.is_set():
            count += 1
            await replicas.beat(count)
            begun.set()
            await asyncio.to_thread(over.wait, BEAT)
        await database.close()

    thread = Thread(target=asyncio.run, args=(beat(),))
    thread.start()
    begun.wait()
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.mark.parametrize("revision", ["0999", "head", "-1", "", "0001; DROP TABLE turns"])
def test_an_unknown_schema(database: Path, revision: str) -> None:
    """It is named, with those that there are, and nothing is changed, also when somebody is sure."""
    footnote("migrate")
    wrong = footnote("migrate", "--yes", f"--to={revision}")

    known = ", ".join(migrations.revisions())
    assert refused(wrong) == f"--to {revision}: there is no such schema; there are {known}, and base for no tables"
    assert {KEPT, NEW} <= tables(database)


@pytest.mark.parametrize("to", [(), ("--to", BEFORE, "--yes")])
@pytest.mark.parametrize(
    "url",
    [
        "mysql://ada:very-secret@localhost/footnote",
        "postgresql://ada:very@secret:x/footnote",
        "postgresql://ada:very-secret@127.0.0.1:1/footnote",
    ],
)
def test_a_wrong_database_url(url: str, to: tuple[str, ...]) -> None:
    """One sentence says what is wrong, without the password, and there is no trace of a database elsewhere."""
    sentence = refused(footnote("migrate", *to, DATABASE_URL=url))

    assert "very" not in sentence
    assert "database" in sentence.lower()


@pytest.mark.parametrize(
    "url", ["sqlite:///./мои/secret.db", "sqlite+aiosqlite:////srv/secret.db", "sqlite://", "SQLite:///secret.db"]
)
def test_sqlite_has_its_place_by_the_folder_alone(url: str, elsewhere: Path) -> None:
    """Only there one process at a time is seen to; whoever names a file, by its path or a URL, is told how to."""
    for named in (url, url.partition(":///")[2] or "secret.db"):
        settings = Settings(DATABASE_URL=named, FOOTNOTE_DATA_DIR=elsewhere / "data")  # type: ignore[call-arg]
        with pytest.raises(ConfigError, match=r"`DATABASE_URL`.*`FOOTNOTE_DATA_DIR`") as refusal:
            open_its_database(settings)
        assert "secret" not in str(refusal.value)


@pytest.mark.parametrize("command", ["migrate", "run"])
def test_a_command_over_sqlite_by_a_url_is_refused(elsewhere: Path, command: str) -> None:
    """Nothing is made at the place that was named."""
    place = elsewhere / "other.db"
    tokens = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1"} if command == "run" else {}
    refusal = refused(footnote(command, DATABASE_URL=f"sqlite:///{place}", **tokens))

    assert refusal.startswith("`DATABASE_URL`")
    assert not place.exists()


def test_a_folder_that_cannot_be_used(elsewhere: Path) -> None:
    """A file in the folder's place is named, with the variable."""
    (elsewhere / "data").write_text("not a folder")

    assert refused(footnote("migrate")).startswith(f"FOOTNOTE_DATA_DIR: {elsewhere / 'data'} cannot be used")
