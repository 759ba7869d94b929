"""The bot in many workspaces: their tokens, sealed, and the installations under way."""

import hashlib
import json
import secrets as chance
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Row, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database
from adapters.storage.remains import leave_no_remains
from adapters.storage.tables import install_states, installations
from core.conversation import PlatformName
from core.errors import ConfigError, StorageError
from core.installing import Cipher, Installed

# Installations that may come back from the platform while a state is good, whoever brings them.
MOST_STATES = 600
# What a sealed state begins with, that nothing else is taken for one.
_STATE = "state"
# How often all are looked at until the newest key has sealed each.
_LOOKS = 5
_CHANGED = "are changed by a copy that seals with another key: start all copies anew with these keys, and try again"


class SqlInstallations:
    """The port `Installations` over a database; what it raises as ConfigError names no secret."""

    def __init__(self, database: Database, cipher: Cipher) -> None:
        self._database = database
        self._cipher = cipher

    async def save(self, platform: PlatformName, tenant: str, name: str, secrets: Mapping[str, Any]) -> None:
        """Store the bot in a workspace, in place of what was known of it."""
        now = datetime.now(UTC)
        row = {"name": name, "sealed": self._sealed(tenant, secrets), "installed_at": now, "changed_at": now}
        new = self._database.insert(installations).values(
            {"platform": platform, "tenant": tenant, "version": _first_version(now), "turn_until": None} | row
        )
        # One that was stored before is another version also when the clock went back.
        version = func.max if self._database.dialect == "sqlite" else func.greatest
        later = {"version": version(installations.c.version + 1, new.excluded.version), "turn_until": None}
        async with self._database.writing() as connection:
            await connection.execute(new.on_conflict_do_update(index_elements=["platform", "tenant"], set_=row | later))

    async def find(self, platform: PlatformName, tenant: str) -> Installed | None:
        """Return the bot in a workspace. Raises ConfigError when no key opens it."""
        async with self._database.reading() as connection:
            row = (await connection.execute(select(installations).where(*_of(platform, tenant)))).one_or_none()
        return self._opened(row) if row else None

    async def names(self, platform: PlatformName) -> dict[str, str]:
        """Return the names of all workspaces by their ids."""
        query = select(installations.c.tenant, installations.c.name).where(installations.c.platform == platform)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query.order_by(installations.c.tenant))).all()
        return {row.tenant: row.name for row in rows}

    async def take_turn(self, installed: Installed, seconds: float) -> bool:
        """Return whether we alone may change these secrets now; nobody else may for so many seconds."""
        now = datetime.now(UTC)
        free = or_(installations.c.turn_until.is_(None), installations.c.turn_until < now)
        turn = update(installations).where(*_same(installed), free).values(turn_until=now + timedelta(seconds=seconds))
        async with self._database.writing() as connection:
            return (await connection.execute(turn)).rowcount == 1

    async def change(self, installed: Installed, secrets: Mapping[str, Any]) -> bool:
        """Store other secrets, unless these were changed or removed meanwhile."""
        anew = {"version": installed.version + 1, "turn_until": None, "changed_at": datetime.now(UTC)}
        sealed = {"sealed": self._sealed(installed.tenant, secrets)}
        async with self._database.writing() as connection:
            done = await connection.execute(update(installations).where(*_same(installed)).values(anew | sealed))
            return done.rowcount == 1

    async def remove(self, platform: PlatformName, tenant: str) -> bool:
        """Delete the secrets of a workspace; False when there are none."""
        async with self._database.writing() as connection:
            return (await connection.execute(delete(installations).where(*_of(platform, tenant)))).rowcount > 0

    async def reseal(self) -> tuple[int, list[str]]:
        """Seal everything with the newest key; return how many are, and the workspaces that no key opens.

        What is changed meanwhile is looked at again: a copy that was started before may seal with an older key. Raises
        StorageError when there is no end to that, or when what the older keys open still stands in the database's file.
        """
        for _ in range(_LOOKS):
            rows = await self._rows()
            locked = [row.tenant for row in rows if not self._opens(row)]
            old = [row for row in rows if row.tenant not in locked and not self._cipher.is_newest(row.sealed)]
            if not old:
                await leave_no_remains(self._database, installations)
                return len(rows) - len(locked), locked
            for row in old:
                await self._reseal(row)
        raise StorageError(f"the tokens of workspace {old[0].tenant} {_CHANGED}", retry=True)

    async def _reseal(self, row: Row[Any]) -> None:
        """Seal a row with the newest key, unless it was changed meanwhile."""
        installed = self._opened(row)
        unchanged = *_same(installed), installations.c.sealed == row.sealed
        sealed = self._sealed(row.tenant, installed.secrets)
        async with self._database.writing() as connection:
            await connection.execute(update(installations).where(*unchanged).values(sealed=sealed))

    async def locked(self) -> list[str]:
        """Return the workspaces whose secrets no key opens."""
        return [row.tenant for row in await self._rows() if not self._opens(row)]

    async def issue(self, seconds: float) -> str:
        """Return a word that `consume` takes once, by any copy of the bot, within so many seconds.

        Nothing is stored for it: anybody may ask for as many as they like, and nobody else has to wait for that.
        """
        until = (datetime.now(UTC) + timedelta(seconds=seconds)).timestamp()
        return self._cipher.seal(json.dumps([_STATE, chance.token_urlsafe(16), until])).rstrip("=")

    async def consume(self, word: str) -> bool:
        """Return whether the word was issued, is not too old and comes back for the first time.

        Raises StorageError when far too many came back of late: each is a question to the platform.
        """
        now = datetime.now(UTC)
        known = self._issued(word)
        if known is None or known[1] < now:
            return False
        # Not of the word itself: more than one way of writing may be opened alike.
        row = {"digest": _digest(known[0]), "expires_at": known[1]}
        async with self._database.writing() as connection:
            await connection.execute(delete(install_states).where(install_states.c.expires_at < now))
            if await _states(connection) >= MOST_STATES:
                raise StorageError("too many installations are under way; try again in some minutes", retry=True)
            new = self._database.insert(install_states).values(row).on_conflict_do_nothing()
            return await connection.scalar(new.returning(install_states.c.digest)) is not None

    def _issued(self, word: str) -> tuple[str, datetime] | None:
        """Return what a word that we have issued is known by, and until when it is good."""
        try:
            kind, name, until = json.loads(self._cipher.open(word + "=" * (-len(word) % 4)))
            return (str(name), datetime.fromtimestamp(until, UTC)) if kind == _STATE else None
        except (ConfigError, ValueError, TypeError, OverflowError):
            return None

    async def _rows(self) -> list[Row[Any]]:
        async with self._database.reading() as connection:
            return list((await connection.execute(select(installations).order_by(installations.c.tenant))).all())

    def _opens(self, row: Row[Any]) -> bool:
        try:
            self._opened(row)
        except ConfigError:
            return False
        return True

    def _sealed(self, tenant: str, secrets: Mapping[str, Any]) -> str:
        # The workspace is sealed in, so that nobody who can write the table gives one the tokens of another.
        return self._cipher.seal(json.dumps([tenant, dict(secrets)]))

    def _opened(self, row: Row[Any]) -> Installed:
        match json.loads(self._cipher.open(row.sealed)):
            case [row.tenant, dict(secrets)]:
                pass
            case _:
                # The words that `issue` gives out are sealed, too, and known to whoever installs.
                raise ConfigError(
                    f"what is stored for {row.tenant} was sealed for another workspace; install it there again"
                )
        return Installed(row.platform, row.tenant, row.name, secrets, row.version, row.installed_at)


def _first_version(now: datetime) -> int:
    # Never one that was there before: who still holds the tokens of before a removal must not change the new ones.
    return int(now.timestamp() * 1_000_000)


def _of(platform: PlatformName, tenant: str) -> tuple[Any, ...]:
    return installations.c.platform == platform, installations.c.tenant == tenant


def _same(installed: Installed) -> tuple[Any, ...]:
    return *_of(installed.platform, installed.tenant), installations.c.version == installed.version


def _digest(word: str) -> str:
    return hashlib.sha256(word.encode("utf-8", "replace")).hexdigest()


async def _states(connection: AsyncConnection) -> int:
    return int(await connection.scalar(select(func.count()).select_from(install_states)) or 0)
