"""A clock that was ahead for a while, and is right now: what was stored meanwhile does not wait for it."""

from datetime import UTC, datetime, timedelta, tzinfo
from types import ModuleType

import pytest
from sqlalchemy import update

from adapters.storage import inbox as inbox_module
from adapters.storage import outbox as outbox_module
from adapters.storage import parts as parts_module
from adapters.storage.database import Database
from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.resting import LONGEST
from adapters.storage.tables import outbox, rates
from adapters.storage.threads import SqlThreads
from tests.adapters.storage.turns import ask, part

_MODULES: tuple[ModuleType, ...] = (inbox_module, outbox_module, parts_module)
HERE = ("telegram", "7")


class _Ahead(datetime):
    @classmethod
    def now(cls, tz: tzinfo | None = None) -> "_Ahead":  # type: ignore[override]
        return cls.fromtimestamp(datetime.now(tz).timestamp() + 3600, tz)


async def test_a_question_does_not_wait_for_the_clock(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither one that came while it was ahead, nor a later one of its thread behind it."""
    line = SqlInbox(database)
    with monkeypatch.context() as patch:
        patch.setattr(inbox_module, "datetime", _Ahead)
        await line.record(ask("first", thread="t", minute=0))
    await line.record(ask("second", thread="t", minute=1))
    taken = await line.take(9, "one", ("telegram",), settle=60)

    assert ["first"] == [question.text for question in taken]


async def test_what_has_just_come_still_settles(database: Database) -> None:
    """Clocks of two copies differ a little: that is not a clock which was ahead."""
    await SqlInbox(database).record(ask("first"))

    assert [] == await SqlInbox(database).take(9, "one", ("telegram",), settle=60)


async def test_a_message_does_not_wait_for_the_clock(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was to be shown at once, and at once it is: also one that is let go, or offered again."""
    sender = SqlOutbox(database, "one")
    with monkeypatch.context() as patch:
        for module in _MODULES:
            patch.setattr(module, "datetime", _Ahead)
        await SqlThreads(database, 5).close(ask("?"), [part("there")])
        assert await sender.claim(HERE)
        await sender.take_over("one")
    due = await sender.due(("telegram",))
    claim = await sender.claim(HERE)

    assert due[HERE] < datetime.now(UTC)
    assert claim is not None


async def test_no_message_waits_longer_than_the_longest_pause(database: Database) -> None:
    """Whatever says so: a clock that was years ahead, or a platform that asks for weeks, is asked again after a day."""
    sender = SqlOutbox(database, "one")
    await SqlThreads(database, 5).close(ask("?"), [part("there")])
    claim = await sender.claim(HERE)
    assert claim
    await sender.later(claim, 7 * LONGEST, "flood", whole_place=True)
    asked_to = (await sender.due(("telegram",)))[HERE] - datetime.now(UTC)
    kept = await sender.claim(HERE)
    async with database.writing() as connection:
        await connection.execute(update(outbox).values(due_at=datetime.now(UTC) + timedelta(days=400)))
        await connection.execute(update(rates).values(until=rates.c.until + 400 * LONGEST))
    due = await sender.due(("telegram",))

    assert timedelta(hours=23) < asked_to <= timedelta(days=1)
    assert kept is None
    assert due[HERE] < datetime.now(UTC)
    assert await sender.claim(HERE)
