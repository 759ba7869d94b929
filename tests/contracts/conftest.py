"""The stores of one empty database, of each kind in turn."""

from collections.abc import AsyncIterator

import pytest

from adapters.storage.database import Database, open_database
from adapters.storage.inbox import SqlInbox
from adapters.storage.outbox import SqlOutbox
from adapters.storage.threads import SqlThreads


@pytest.fixture
def inbox(database: Database) -> SqlInbox:
    """Return the line that puts signs into the outbox."""
    return SqlInbox(database)


@pytest.fixture
def outbox(database: Database) -> SqlOutbox:
    """Return an empty outbox, as one replica sees it."""
    return SqlOutbox(database, "one")


@pytest.fixture
def other(database: Database) -> SqlOutbox:
    """Return the same outbox, as another replica sees it."""
    return SqlOutbox(database, "two")


@pytest.fixture
def threads(database: Database) -> SqlThreads:
    """Return the threads whose answers go into the outbox."""
    return SqlThreads(database, 3)


@pytest.fixture
async def outboxes(place: str) -> AsyncIterator[list[SqlOutbox]]:
    """Give the outbox of four replicas, each with connections of its own."""
    databases = [open_database(place) for _ in range(4)]
    yield [SqlOutbox(database, str(number)) for number, database in enumerate(databases)]
    for database in databases:
        await database.close()
