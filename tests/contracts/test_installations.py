"""The bot in many workspaces: tokens that only a key opens, states that come back once, workspaces that were left."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, update

from adapters.secrets.fernet import FernetCipher, new_key
from adapters.storage.channels import SqlChannels
from adapters.storage.database import Database
from adapters.storage.departures import SqlDepartures
from adapters.storage.inbox import SqlInbox
from adapters.storage.index_tables import index_orders
from adapters.storage.installations import SqlInstallations
from adapters.storage.tables import (
    audit,
    channel_settings,
    departures,
    feedback,
    group_members,
    install_states,
    installations,
    messages,
    outbox,
    pins,
    spending,
    turns,
)
from adapters.storage.threads import SqlThreads
from core.conversation import Audience
from core.errors import ConfigError, StorageError
from core.installing import Installed
from core.turn import Spent
from tests.adapters.storage.turns import NOON, ask, finish, part

KEYS = [new_key() for _ in range(3)]
GRANT = {"bot_token": "xoxb-very-secret", "refresh_token": "xoxe-very-secret", "bot_user": "U0BOT"}


def store(database: Database, keys: Sequence[str] = KEYS[:1]) -> SqlInstallations:
    """Return the installations as a copy of the bot with these keys sees them."""
    return SqlInstallations(database, FernetCipher(keys))


async def found(kept: SqlInstallations, tenant: str = "T1") -> Installed:
    """Return the bot in the workspace, which must be there."""
    installed = await kept.find("slack", tenant)
    assert installed
    return installed


async def test_tokens_are_stored_sealed(database: Database) -> None:
    """Whoever reads the table reads no token, and each workspace has its own."""
    kept = store(database)
    await kept.save("slack", "T1", "Acme", GRANT)
    await kept.save("slack", "T2", "Бета", {"bot_token": "xoxb-other"})
    async with database.reading() as connection:
        rows = (await connection.execute(select(installations))).all()

    assert "secret" not in str(rows)
    assert "U0BOT" not in str(rows)
    assert [GRANT, {"bot_token": "xoxb-other"}] == [(await found(kept, tenant)).secrets for tenant in ("T1", "T2")]
    assert {"T1": "Acme", "T2": "Бета"} == await kept.names("slack")
    assert "secret" not in repr(await found(kept))
    assert await kept.find("telegram", "T1") is None


async def test_a_wrong_key_is_said_without_the_secret(database: Database) -> None:
    """The error names the variable and what to do; nothing of what is stored or of a key is shown."""
    await store(database).save("slack", "T1", "Acme", GRANT)
    wrong = store(database, KEYS[1:2])
    with pytest.raises(ConfigError, match="FOOTNOTE_SECRET_KEYS: none of the keys opens") as error:
        await wrong.find("slack", "T1")

    assert not any(secret in str(error.value) for secret in (*KEYS, "secret="))
    assert ["T1"] == await wrong.locked()
    assert (0, ["T1"]) == await wrong.reseal()


@pytest.mark.parametrize("keys", [[], ["short"], [KEYS[0], "ключ"], [KEYS[0], KEYS[1][:-2]]])
def test_what_is_no_key_is_refused(keys: list[str]) -> None:
    """Each is named by its place, never by its letters."""
    with pytest.raises(ConfigError, match=r"FOOTNOTE_SECRET_KEYS.*footnote secrets new") as error:
        FernetCipher(keys)

    assert not any(key in str(error.value) for key in keys)


async def test_keys_are_changed_while_the_bot_runs(database: Database) -> None:
    """A new key in front seals, the old one still opens; once everything is sealed anew the old one may go."""
    await store(database).save("slack", "T1", "Acme", GRANT)
    both = store(database, [KEYS[1], KEYS[0]])
    assert GRANT == (await found(both)).secrets
    assert (1, []) == await both.reseal()

    assert GRANT == (await found(store(database, KEYS[1:2]))).secrets
    assert ["T1"] == await store(database).locked()


async def test_a_row_of_another_workspace_opens_nothing(database: Database) -> None:
    """Tokens that somebody moves from one row to another are not used there."""
    kept = store(database)
    await kept.save("slack", "T1", "Acme", GRANT)
    await kept.save("slack", "T2", "Beta", {"bot_token": "xoxb-other"})
    async with database.writing() as connection:
        sealed = await connection.scalar(select(installations.c.sealed).where(installations.c.tenant == "T1"))
        await connection.execute(update(installations).where(installations.c.tenant == "T2").values(sealed=sealed))

    with pytest.raises(ConfigError, match="T2 was sealed for another workspace"):
        await kept.find("slack", "T2")
    assert ["T2"] == await kept.locked()


async def test_one_copy_at_a_time_changes_tokens(database: Database) -> None:
    """Of many that want to, one may, until it has changed them or its time is over."""
    kept = store(database)
    await kept.save("slack", "T1", "Acme", GRANT)
    installed = await found(kept)
    turns_taken = await asyncio.gather(*(kept.take_turn(installed, 60) for _ in range(8)))
    assert turns_taken.count(True) == 1

    assert await kept.change(installed, GRANT | {"bot_token": "xoxb-new"})
    assert not await kept.take_turn(installed, 60)
    assert not await kept.change(installed, GRANT)
    anew = await found(kept)
    assert ("xoxb-new", installed.version + 1) == (anew.secrets["bot_token"], anew.version)
    assert await kept.take_turn(anew, -1.0)
    assert await kept.take_turn(anew, 60)


async def test_tokens_of_before_a_removal_change_nothing(database: Database) -> None:
    """Who still holds what was removed cannot put it back over what was installed since."""
    kept = store(database)
    await kept.save("slack", "T1", "Acme", GRANT)
    old = await found(kept)
    assert [await kept.remove("slack", "T1"), await kept.remove("slack", "T1")] == [True, False]
    assert not await kept.change(old, GRANT)
    await kept.save("slack", "T1", "Acme", {"bot_token": "xoxb-again"})

    assert not await kept.change(old, GRANT)
    assert not await kept.change(replace(old, version=old.version + 1), GRANT)
    assert (await found(kept)).secrets == {"bot_token": "xoxb-again"}


async def test_a_state_comes_back_once(database: Database) -> None:
    """Any copy takes it, once, while it is fresh; what nobody issued is refused, and old ones are not kept."""
    one, other = store(database), store(database)
    word = await one.issue(60)
    assert [await other.consume(word), await one.consume(word)] == [True, False]
    assert [await one.consume(odd) for odd in ("", "wrong", "слово", "\ud800")] == [False] * 4

    stale = await one.issue(-1)
    assert not await one.consume(stale)
    fresh = await one.issue(60)
    async with database.reading() as connection:
        rows = (await connection.execute(select(install_states))).all()
    assert (len(rows), fresh in str(rows)) == (1, False)


async def test_who_begins_without_end_keeps_nobody_from_installing(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To begin stores nothing; what comes back is bounded, as each is a question to Slack."""
    monkeypatch.setattr("adapters.storage.installations.MOST_STATES", 2)
    kept = store(database)
    words = [await kept.issue(60) for _ in range(50)]
    async with database.reading() as connection:
        assert (await connection.execute(select(install_states))).all() == []
    assert [await kept.consume(word) for word in words[:2]] == [True, True]
    with pytest.raises(StorageError, match="try again in some minutes"):
        await kept.consume(words[2])

    async with database.writing() as connection:
        await connection.execute(update(install_states).values(expires_at=NOON - timedelta(days=1)))
    assert await kept.consume(words[2])


async def test_a_state_that_is_written_otherwise_is_the_same_one(database: Database) -> None:
    """Padding and signs that its reader leaves out make no second word of it; what else is sealed is none."""
    kept = store(database)
    word = await kept.issue(60)
    assert await kept.consume(word)
    for other in (word + "=", word + "==", word[:9] + " " + word[9:], word[:9] + "!" + word[9:]):
        assert not await kept.consume(other)
    await kept.save("slack", "T1", "One", GRANT)
    async with database.reading() as connection:
        sealed = await connection.scalar(select(installations.c.sealed))
    assert not await kept.consume(str(sealed))


async def test_a_state_outlives_a_change_of_keys(database: Database) -> None:
    """As what is stored does: the old key opens it until it is taken out."""
    word = await store(database, KEYS[:1]).issue(60)

    assert not await store(database, KEYS[1:2]).consume(word)
    assert await store(database, [KEYS[1], KEYS[0]]).consume(word)


async def test_a_state_is_taken_by_one_of_many(database: Database) -> None:
    """Twenty that bring the same word at once: one goes on."""
    word = await store(database).issue(60)

    assert (await asyncio.gather(*(store(database).consume(word) for _ in range(20)))).count(True) == 1


async def test_what_a_left_workspace_had_goes_in_time(database: Database, threads: SqlThreads, inbox: SqlInbox) -> None:
    """Nothing of it stays in any table, and nothing of another goes; before its time nothing goes at all."""
    for tenant, text in (("T1", "Where is it?"), ("T2", "Где это?")):
        asked = replace(ask(text, place=f"{tenant}:C1", message=tenant), platform="slack", audience=Audience(tenant))
        await threads.close(asked, [part("There.")], replace(finish(asked), spent=Spent(1, 10, 0.5)))
        await SqlChannels(database).set_mode(("slack", f"{tenant}:C1"), "all", changed_by="U1", at=NOON)
        async with database.writing() as connection:
            row = {"question_id": asked.id, "version": 0, "person": "U1", "tenant": tenant, "at": NOON, "deeds": []}
            await connection.execute(database.insert(feedback).values(row))
            kept = {"tenant": tenant, "words": text, "question_id": asked.id, "version": 0, "result": {}}
            await connection.execute(database.insert(pins).values(kept | {"pinned_by": "U1", "pinned_at": NOON}))
            order = {"person": f"slack:{tenant}:U1", "platform": "slack", "place": f"{tenant}:U1", "language": "ru"}
            ended = {"asked_at": NOON, "state": "done", "ended_at": NOON}
            await connection.execute(database.insert(index_orders).values(order | ended))
            sent = {"ref": f"slack:{tenant}:C1:9", "thread": asked.thread, "question_id": asked.id}
            await connection.execute(database.insert(messages).values(sent))
            for member in (f"slack:{tenant}:U1", f"slack:{tenant}:anna@northwind.example", f"workspace:{tenant}"):
                imported = {"origin": "people.csv", "group_name": "staff", "member": member}
                await connection.execute(database.insert(group_members).values(imported))
    left = SqlDepartures(database)
    await left.left("slack", "T1", NOON)
    await left.left("slack", "T1", NOON + timedelta(days=9))
    assert await left.since(NOON) == []
    assert await left.forget("T1", NOON) is None
    assert await left.since(NOON + timedelta(days=1)) == ["T1"]
    gone = await left.forget("T1", NOON + timedelta(days=1))

    tables = (turns, outbox, messages, audit, feedback, spending, channel_settings, pins, index_orders, group_members)
    assert gone
    assert set(gone) == {table.name for table in tables}
    async with database.reading() as connection:
        for table in (*tables, departures):
            rows = str((await connection.execute(select(table))).all())
            assert ("T1" in rows, "T2" in rows) == (False, table is not departures), table.name
    assert await left.forget("T1", NOON + timedelta(days=1)) is None


async def test_a_workspace_that_comes_back_keeps_its_data(database: Database) -> None:
    """Installed again before its time, it loses nothing."""
    left, now = SqlDepartures(database), datetime.now(UTC)
    await left.left("slack", "T1", NOON)
    await left.stays("slack", "T1")

    assert (await left.since(now), await left.forget("T1", now)) == ([], None)
