"""What was set for single channels and chats."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import func, select

from adapters.storage.database import Database
from adapters.storage.tables import channel_settings as settings_of
from adapters.storage.tables import turns
from core.conversation import MODES, Mode
from core.work import Place


class SqlChannels:
    """The settings of channels and chats in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, platform: str, place: str) -> Mapping[str, Any]:
        """Return what is set for a channel or chat, which is nothing unless somebody has set it."""
        query = select(settings_of.c.settings).where(settings_of.c.platform == platform, settings_of.c.place == place)
        async with self._database.reading() as connection:
            found: Mapping[str, Any] | None = await connection.scalar(query)
        return found or {}

    async def mode(self, platform: str, place: str) -> Mode:
        """Return who is heard there: who mentions us, unless somebody has set another mode."""
        return _mode((await self.get(platform, place)).get("mode"))

    async def set_mode(self, place: Place, mode: Mode, *, changed_by: str, at: datetime) -> None:
        """Let from now on be heard there whom the mode says; whatever else is set stays."""
        settings = await self.get(*place)
        await self.put(*place, {**settings, "mode": mode}, changed_by=changed_by, at=at)

    async def modes(self) -> dict[Place, Mode]:
        """Return the mode of each channel and chat for which anything was ever set, in order."""
        query = select(settings_of).order_by(settings_of.c.platform, settings_of.c.place)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return {(row.platform, row.place): _mode(row.settings.get("mode")) for row in rows}

    async def groups(self, platform: str) -> list[str]:
        """Return the groups of Telegram in which anybody was ever heard, the latest first."""
        latest = func.max(turns.c.asked_at)
        query = select(turns.c.place).where(turns.c.platform == platform, turns.c.place.startswith("-"))
        async with self._database.reading() as connection:
            return list(await connection.scalars(query.group_by(turns.c.place).order_by(latest.desc())))

    async def put(
        self, platform: str, place: str, settings: Mapping[str, Any], *, changed_by: str, at: datetime
    ) -> None:
        """Set this for a channel or chat in place of all that was set before; of two, the later one stays."""
        change = {"settings": dict(settings), "changed_by": changed_by, "changed_at": at}
        new = self._database.insert(settings_of).values({"platform": platform, "place": place} | change)
        latest = new.on_conflict_do_update(
            index_elements=["platform", "place"], set_=change, where=settings_of.c.changed_at <= new.excluded.changed_at
        )
        async with self._database.writing() as connection:
            await connection.execute(latest)


def _mode(set_: object) -> Mode:
    return next((mode for mode in MODES if mode == set_), MODES[0])
