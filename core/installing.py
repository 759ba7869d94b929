"""The bot in many workspaces: what it may enter each with, kept sealed, and which ones it has left."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from core.conversation import PlatformName


@dataclass(frozen=True, slots=True)
class Installed:
    """The bot in one workspace, since `at`.

    `secrets` is the platform's own record, as JSON; `version` grows with each change of it.
    """

    platform: PlatformName
    tenant: str
    name: str
    secrets: Mapping[str, Any] = field(repr=False)
    version: int
    at: datetime


class Cipher(Protocol):
    """Turns text into what nobody reads without a key, and back."""

    def seal(self, text: str) -> str:
        """Return the text, sealed with the newest key."""

    def is_newest(self, sealed: str) -> bool:
        """Return whether the newest key sealed it."""

    def open(self, sealed: str) -> str:
        """Return the text. Raises ConfigError, with nothing of it, when no key opens it."""


class Installations(Protocol):
    """The workspaces that the bot is installed in, shared by all copies of it; everything raises StorageError."""

    async def save(self, platform: PlatformName, tenant: str, name: str, secrets: Mapping[str, Any]) -> None:
        """Store the bot in a workspace, in place of what was known of it."""

    async def find(self, platform: PlatformName, tenant: str) -> Installed | None:
        """Return the bot in a workspace. Raises ConfigError when no key opens it."""

    async def locked(self) -> Sequence[str]:
        """Return the workspaces whose secrets no key opens."""

    async def names(self, platform: PlatformName) -> Mapping[str, str]:
        """Return the names of all workspaces by their ids."""

    async def take_turn(self, installed: Installed, seconds: float) -> bool:
        """Return whether we alone may change these secrets now; nobody else may for so many seconds."""

    async def change(self, installed: Installed, secrets: Mapping[str, Any]) -> bool:
        """Store other secrets, unless these were changed or removed meanwhile."""

    async def remove(self, platform: PlatformName, tenant: str) -> bool:
        """Delete the secrets of a workspace; False when there are none."""

    async def issue(self, seconds: float) -> str:
        """Return a word that `consume` takes once, by any copy of the bot, within so many seconds."""

    async def consume(self, word: str) -> bool:
        """Return whether the word was issued, is not too old and comes back for the first time."""


class Departures(Protocol):
    """The workspaces that the bot was removed from, whose data goes in time; everything raises StorageError."""

    async def left(self, platform: PlatformName, tenant: str, at: datetime) -> None:
        """Note that the bot is not there any more; the first time stands."""

    async def stays(self, platform: PlatformName, tenant: str) -> None:
        """Note that it is there."""

    async def since(self, before: datetime) -> Sequence[str]:
        """Return the workspaces that were left before a time."""

    async def forget(self, tenant: str, before: datetime) -> Mapping[str, int] | None:
        """Delete all that is stored of a workspace that was left before a time, and the departure with it.

        Returns how many rows of each table went; None when the bot is there again.
        """
