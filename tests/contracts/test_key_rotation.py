"""Keys that change while the bot is at work: nothing is lost, and the retired one opens nothing that is left."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import select, text, update

from adapters.secrets.fernet import FernetCipher, new_key
from adapters.storage import remains
from adapters.storage.database import Database, open_database
from adapters.storage.installations import SqlInstallations
from adapters.storage.tables import installations
from core.errors import ConfigError, StorageError

OLD, NEW, OTHER = (new_key() for _ in range(3))
GRANT = {"token": "xoxb-very-secret"}
TEAMS = tuple(f"T{number}" for number in range(12))


def store(database: Database, *keys: str) -> SqlInstallations:
    """Return the installations as a copy of the bot with these keys sees them."""
    return SqlInstallations(database, FernetCipher(keys))


async def installed(database: Database, teams: Sequence[str] = TEAMS, key: str = OLD) -> SqlInstallations:
    """Let the app be installed in workspaces, sealed with a key."""
    kept = store(database, key)
    for team in teams:
        await kept.save("slack", team, team, GRANT | {"team": team})
    return kept


async def all_open(kept: SqlInstallations, teams: Sequence[str] = TEAMS) -> bool:
    """Return whether each workspace has its own tokens with these keys."""
    found = [await kept.find("slack", team) for team in teams]
    return [GRANT | {"team": team} for team in teams] == [one.secrets for one in found if one]


class Stumbling(FernetCipher):
    """A cipher that breaks off, as the process that seals does, after so many."""

    left = 5

    def seal(self, text: str) -> str:
        if self.left == 0:
            raise KeyboardInterrupt
        self.left -= 1
        return super().seal(text)


async def test_a_change_that_breaks_off_half_way_loses_nothing(database: Database) -> None:
    """With both keys all open; with one of them some do, and are named; done again, the rest follows."""
    await installed(database)
    with pytest.raises(KeyboardInterrupt):
        await SqlInstallations(database, Stumbling([NEW, OLD])).reseal()
    half = [await store(database, key).locked() for key in (OLD, NEW)]

    assert (5, 7) == tuple(len(one) for one in half)
    assert set(TEAMS) == {*half[0], *half[1]}
    assert (5, half[1]) == await store(database, NEW).reseal()
    assert await all_open(store(database, OLD, NEW))
    assert (12, []) == await store(database, NEW, OLD).reseal()
    assert await all_open(store(database, NEW))
    assert list(TEAMS) == sorted(await store(database, OLD).locked(), key=TEAMS.index)


async def test_what_a_copy_of_before_seals_meanwhile_is_sealed_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A token that is renewed between the look and the change stands, under the newest key in the end."""
    before, both = await installed(database), store(database, NEW, OLD)
    reseal, stale = both._reseal, [await before.find("slack", team) for team in TEAMS[:2]]

    async def late(row: object) -> None:
        while stale and (one := stale.pop()):
            assert await before.change(one, GRANT | {"team": one.tenant, "renewed": True})
        await reseal(row)  # type: ignore[arg-type] # a row, as it was given

    monkeypatch.setattr(both, "_reseal", late)

    assert (12, []) == await both.reseal()
    assert not await store(database, NEW).locked()
    renewed = [await store(database, NEW).find("slack", team) for team in TEAMS[:2]]
    assert all(one and one.secrets["renewed"] for one in renewed)


async def test_a_copy_that_goes_on_with_the_old_key_is_named(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it seals anew whatever is sealed, nobody is told that the old key may go."""
    before, both = await installed(database, TEAMS[:1]), store(database, NEW, OLD)
    reseal = both._reseal

    async def undone(row: object) -> None:
        await reseal(row)  # type: ignore[arg-type] # a row, as it was given
        await before.save("slack", "T0", "T0", GRANT)

    monkeypatch.setattr(both, "_reseal", undone)

    with pytest.raises(StorageError, match="T0 are changed by a copy that seals with another key: start all copies"):
        await both.reseal()
    assert await before.find("slack", "T0")


async def test_two_that_change_the_key_at_once(database: Database) -> None:
    """With the same keys both are done; with keys of their own each names what only the other opens."""
    await installed(database)
    done = await asyncio.gather(*(store(database, NEW, OLD).reseal() for _ in range(3)))
    assert [(12, [])] * 3 == done
    assert await all_open(store(database, NEW))

    one, other = await asyncio.gather(store(database, OTHER, NEW).reseal(), store(database, OLD, NEW).reseal())
    assert await all_open(store(database, OTHER, OLD))
    assert 12 == one[0] + other[0]
    assert set(TEAMS) == {*one[1], *other[1]}


async def test_a_workspace_that_is_removed_meanwhile_does_not_come_back(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is gone is not stored again, nor counted."""
    await installed(database, TEAMS[:2])
    both = store(database, NEW, OLD)
    reseal = both._reseal

    async def removed(row: object) -> None:
        await both.remove("slack", "T0")
        await reseal(row)  # type: ignore[arg-type] # a row, as it was given

    monkeypatch.setattr(both, "_reseal", removed)

    assert (1, []) == await both.reseal()
    assert await both.find("slack", "T0") is None


async def test_a_turn_that_is_under_way_goes_on(database: Database) -> None:
    """A copy that has asked Slack for the next token, which comes once, stores it after the change of the key."""
    await installed(database, TEAMS[:1])
    both = store(database, NEW, OLD)
    found = await both.find("slack", "T0")
    assert found
    assert await both.take_turn(found, 60)
    await store(database, NEW, OLD).reseal()

    assert await both.change(found, GRANT | {"token": "xoxb-next"})
    now = await store(database, NEW).find("slack", "T0")
    assert now
    assert "xoxb-next" == now.secrets["token"]


async def test_a_word_of_ours_is_nobodys_tokens(database: Database) -> None:
    """Who can write the table, and was given a sealed word to install with, breaks neither start nor change of keys."""
    kept = await installed(database, TEAMS[:3])
    word = await kept.issue(60)
    async with database.writing() as connection:
        await connection.execute(
            update(installations).where(installations.c.tenant == "T1").values(sealed=word + "=" * (-len(word) % 4))
        )

    with pytest.raises(ConfigError, match="T1 was sealed for another workspace"):
        await kept.find("slack", "T1")
    assert ["T1"] == await kept.locked()
    assert (2, ["T1"]) == await store(database, NEW, OLD).reseal()


async def test_a_retired_key_makes_no_word_to_install_with(database: Database) -> None:
    """Whoever has it issues words that nobody takes."""
    word = await store(database, OLD).issue(60)

    assert not await store(database, NEW).consume(word)
    assert await store(database, NEW, OLD).consume(word)


async def test_nothing_that_the_retired_key_opens_is_left_in_the_files(database: Database) -> None:
    """Neither in the table's file nor in what SQLite has written beside it, while another copy has the file open."""
    await installed(database)
    async with database.reading() as connection:
        sealed = [one.encode() for one in await connection.scalars(select(installations.c.sealed))]
        await asyncio.sleep(0)
        files = await _files(database)
        assert any(one in b"".join(file.read_bytes() for file in files) for one in sealed)
    await store(database, NEW, OLD).reseal()
    left = b"".join(file.read_bytes() for file in await _files(database))

    assert not [one for one in sealed if one in left]
    async with database.reading() as connection:
        anew = [one.encode() for one in await connection.scalars(select(installations.c.sealed))]
    assert all(one in left for one in anew)


async def _files(database: Database) -> list[Path]:
    """Return the files that hold the table, as they stand on the disk."""
    async with database.reading() as connection:
        if not database.is_shared:
            (_, _, path) = (await connection.execute(text("PRAGMA database_list"))).one()
            return sorted(Path(path).parent.glob(f"{Path(path).name}*"))
        await connection.execute(text("CHECKPOINT"))
        folder = await connection.scalar(text("SHOW data_directory"))
        file = await connection.scalar(text("SELECT pg_relation_filepath('installations')"))
    return [Path(str(folder)) / str(file)]


async def test_a_change_that_somebody_reads_over_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite keeps what was there for who reads it just now: then the old key is not said to be over."""
    monkeypatch.setattr(remains, "_TRIES", 1)
    database = open_database(tmp_path / "footnote.db")
    await database.prepare()
    await installed(database, TEAMS[:2])
    async with database.reading() as connection:
        await connection.execute(text("BEGIN"))
        await connection.execute(select(installations))
        with pytest.raises(StorageError, match=r"still stands in footnote\.db-wal"):
            await store(database, NEW, OLD).reseal()
        await connection.execute(text("COMMIT"))

    assert (2, []) == await store(database, NEW, OLD).reseal()
    await database.close()


async def test_a_key_that_is_repeated_is_one() -> None:
    """Twice the same opens once; only what the first has sealed is the newest's."""
    sealed = FernetCipher([OLD]).seal("слово")

    assert FernetCipher([NEW, OLD, OLD]).open(sealed) == "слово"
    assert FernetCipher([OLD, NEW]).is_newest(sealed)
    assert not FernetCipher([NEW, OLD]).is_newest(sealed)
    assert not FernetCipher([OLD]).is_newest("слово")
