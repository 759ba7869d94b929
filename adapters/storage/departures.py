"""The workspaces that the bot was removed from, and what is deleted of each when its time has come."""

from datetime import datetime

from sqlalchemy import ColumnElement, Table, and_, delete, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.audit import erase
from adapters.storage.database import Database
from adapters.storage.index_tables import index_orders
from adapters.storage.tables import (
    audit,
    channel_settings,
    departures,
    feedback,
    group_members,
    messages,
    outbox,
    pins,
    spending,
    turns,
)
from core.conversation import PlatformName

# Log entries whose content goes with one statement.
_AT_ONCE = 1_000


class SqlDepartures:
    """The port `Departures` over a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def left(self, platform: PlatformName, tenant: str, at: datetime) -> None:
        """Note that the bot is not there any more; the first time stands."""
        new = self._database.insert(departures).values(platform=platform, tenant=tenant, left_at=at)
        async with self._database.writing() as connection:
            await connection.execute(new.on_conflict_do_nothing())

    async def stays(self, platform: PlatformName, tenant: str) -> None:
        """Note that it is there."""
        async with self._database.writing() as connection:
            ours = (departures.c.platform == platform, departures.c.tenant == tenant)
            await connection.execute(delete(departures).where(*ours))

    async def since(self, before: datetime) -> list[str]:
        """Return the workspaces that were left before a time."""
        query = select(departures.c.tenant).where(departures.c.left_at < before).order_by(departures.c.tenant)
        async with self._database.reading() as connection:
            return list((await connection.scalars(query)).all())

    async def forget(self, tenant: str, before: datetime) -> dict[str, int] | None:
        """Delete all that is stored of a workspace that was left before a time, and the departure with it.

        Returns how many rows of each table went; None when the bot is there again.
        """
        due = delete(departures).where(departures.c.tenant == tenant, departures.c.left_at < before)
        async with self._database.writing() as connection:
            # The departure goes first: two copies that do this at once wait here, and one finds nothing.
            if (await connection.execute(due)).rowcount == 0:
                return None
            return await forget_tenant(self._database, connection, tenant)


async def forget_tenant(database: Database, connection: AsyncConnection, tenant: str) -> dict[str, int]:
    """Delete everything that is stored of a workspace; return how many rows of each table went.

    Of the log the content goes, and the chain still holds.
    """
    asked = select(turns.c.question_id).where(turns.c.tenant == tenant)
    # Slack's places are named WORKSPACE:CHANNEL.
    here = {
        table: table.c.place.startswith(f"{tenant}:", autoescape=True)
        for table in (outbox, channel_settings, index_orders)
    }
    what: dict[Table, ColumnElement[bool]] = {
        messages: messages.c.question_id.in_(asked),
        outbox: or_(outbox.c.question_id.in_(asked), here[outbox]),
        feedback: feedback.c.tenant == tenant,
        spending: spending.c.tenant == tenant,
        channel_settings: and_(channel_settings.c.platform == "slack", here[channel_settings]),
        index_orders: and_(index_orders.c.platform == "slack", here[index_orders]),
        pins: pins.c.tenant == tenant,
        # Whoever an import put into a group by a name that is of that workspace.
        group_members: or_(
            group_members.c.member == f"workspace:{tenant}",
            group_members.c.member.startswith(f"slack:{tenant}:", autoescape=True),
        ),
        turns: turns.c.tenant == tenant,
    }
    gone = {table.name: (await connection.execute(delete(table).where(rule))).rowcount for table, rule in what.items()}
    gone["audit"] = 0
    while erased := await erase(database, connection, audit.c.tenant == tenant, "departed", _AT_ONCE):
        gone["audit"] += erased
    return {name: count for name, count in gone.items() if count}
