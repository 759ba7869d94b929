"""Tokens that end, each changed for the next before it does, by one copy of the bot at a time."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from slack_sdk.errors import SlackTokenRotationError
from slack_sdk.oauth.installation_store import Bot
from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator

from adapters.slack.grants import Grant, grant_of
from adapters.slack.refusals import refusal_of
from core.errors import ConfigError, StorageError, whereabouts
from core.installing import Installations, Installed

_log = logging.getLogger("footnote")

# Seconds in which only the copy that began asks for the next token: longer than a call may take.
TURN = 60.0
# Seconds that the others wait for it once the old token has ended, and between their looks.
_PATIENCE = 10.0
_LOOK = 0.1
# Seconds between tries to store a token that Slack gives only once, and how many there are.
_AGAIN = 0.5
_TRIES = 120
# The rotation changes every token that ends within so many minutes.
_ALWAYS = 10**9

Rotate = Callable[[Grant], Awaitable[Grant | None]]


class Renewal:
    """Changes tokens; `rotate` asks Slack for the next, which makes the one before worthless in time."""

    def __init__(self, installations: Installations, rotate: Rotate) -> None:
        self._installations = installations
        self._rotate = rotate
        self._tasks: set[asyncio.Task[Installed | None]] = set()

    async def current(self, installed: Installed) -> Installed | None:
        """Return the workspace with a token that lasts, or as it is where Slack gives none; None when it is gone.

        Raises StorageError.
        """
        return await self._anew(installed) if grant_of(installed).is_due() else installed

    async def after(self, team: str, token: str) -> str | None:
        """Return the token that follows one which Slack says has ended; None when there is none. Raises nothing."""
        try:
            installed = await self._installations.find("slack", team)
            if installed and grant_of(installed).token == token:
                installed = await self._anew(installed) if grant_of(installed).renewal else None
        except (StorageError, ConfigError) as error:
            _log.warning("Slack: the next token of workspace %s could not be read: %s", team, whereabouts(error))
            return None
        new = grant_of(installed).token if installed else token
        return new if new != token else None

    async def finish(self) -> None:
        """Wait for tokens that are being changed: Slack gives each only once."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=TURN)

    async def _anew(self, installed: Installed) -> Installed | None:
        if not await self._installations.take_turn(installed, TURN):
            return await self._others(installed)
        task = asyncio.create_task(self._changed(installed))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        # Who waits for it may be cancelled; the token that comes must be stored all the same.
        return await asyncio.shield(task)

    async def _changed(self, installed: Installed) -> Installed | None:
        grant = await self._asked(grant_of(installed))
        if grant is None:
            return installed
        for _ in range(_TRIES):
            try:
                await self._installations.change(installed, grant.secrets())
                return await self._installations.find("slack", installed.tenant)
            except StorageError as error:
                _log.warning("Slack: the new token of workspace %s waits: %s", installed.tenant, error.reason)
                await asyncio.sleep(_AGAIN)
        _log.error("Slack: the new token of workspace %s is lost; install the app there again", installed.tenant)
        return installed

    async def _asked(self, grant: Grant) -> Grant | None:
        try:
            return await self._rotate(grant)
        except SlackTokenRotationError as error:
            _log.warning("Slack: no new token for workspace %s: %s", grant.team, refusal_of(error.api_error).reason)
        except Exception as error:  # noqa: BLE001 - whatever it is, the old token may still do
            _log.warning("Slack: no new token for workspace %s (%s)", grant.team, type(error).__name__)
        return None

    async def _others(self, installed: Installed) -> Installed | None:
        """Return what another copy makes of it, waited for only when the old token is of no use any more."""
        if not grant_of(installed).is_over():
            return installed
        loop = asyncio.get_running_loop()
        end = loop.time() + _PATIENCE
        found: Installed | None = installed
        while found and found.version == installed.version and loop.time() < end:
            await asyncio.sleep(_LOOK)
            found = await self._installations.find("slack", installed.tenant)
        return found


def rotation(rotator: AsyncTokenRotator) -> Rotate:
    """Return what asks Slack for the token that follows a workspace's."""

    async def rotate(grant: Grant) -> Grant | None:
        bot: Bot | None = await rotator.perform_bot_token_rotation(bot=grant.bot(), minutes_before_expiration=_ALWAYS)
        return grant.renewed(bot) if bot else None

    return rotate
