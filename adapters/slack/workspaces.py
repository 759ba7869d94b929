"""Where the bot is installed: one workspace by a token from the settings, or many that installed it themselves."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.calls import BARRED_SECONDS, Parked, once
from adapters.slack.connect import Identity
from adapters.slack.grants import grant_of
from adapters.slack.parking import Parking, WorkspaceClient
from adapters.slack.renewal import Renewal
from core.delivery import Later
from core.errors import ConfigError, PortError
from core.installing import Departures, Installations, Installed

_log = logging.getLogger("footnote")

# In place of the ids of workspaces that may install the app.
ANY = "any"
_SOON = 1.0
_LOCKED = "no key in FOOTNOTE_SECRET_KEYS opens its tokens"
# Teams told of once each in the log.
_MOST_STRANGERS = 1_000

# Makes a client of a token; the rest is as the library takes it.
MakeClient = Callable[..., WorkspaceClient]


@dataclass(frozen=True, slots=True)
class Workspace:
    """The bot in one workspace: who it is there, and how it speaks there."""

    client: AsyncWebClient
    me: Identity


class Workspaces(Protocol):
    """Where the bot is installed."""

    parking: Parking

    async def of(self, team: str) -> Workspace | None:
        """Return the bot in a workspace, None when it is not there. Raises StorageError and ConfigError."""

    def client(self, team: str) -> AsyncWebClient:
        """Return what calls Slack as the bot in a workspace, looked up with each call."""

    async def left(self, team: str, at: datetime, *, for_sure: bool) -> None:
        """Give a workspace up that says it removed the bot. Raises StorageError."""


class OneWorkspace:
    """The workspace of the token in the settings."""

    def __init__(self, workspace: Workspace, parking: Parking, departures: Departures | None) -> None:
        self._workspace = workspace
        self._departures = departures
        self.parking = parking

    async def of(self, team: str) -> Workspace | None:
        """Return it, whatever the name: a channel that is shared may bear another's."""
        del team
        return self._workspace

    def client(self, team: str) -> AsyncWebClient:
        """Return what calls Slack as the bot."""
        del team
        return self._workspace.client

    async def left(self, team: str, at: datetime, *, for_sure: bool) -> None:
        """Note that the bot was removed, unless the token still works, so that the data goes in time."""
        del for_sure
        if self._departures and team == self._workspace.me.team and not await _works(self._workspace.client):
            _log.warning("Slack: the app was removed from workspace %s; its data goes after RETENTION", team)
            await self._departures.left("slack", team, at)


class ManyWorkspaces:
    """The workspaces that installed the app; `welcome` are the ids of those that may."""

    def __init__(
        self,
        installations: Installations,
        departures: Departures,
        renewal: Renewal,
        client: MakeClient,
        welcome: tuple[str, ...],
    ) -> None:
        self.parking = Parking(departures)
        self._installations = installations
        self._departures = departures
        self._renewal = renewal
        self._client = client
        self._welcome = welcome
        self._strangers: set[str] = set()

    async def of(self, team: str) -> Workspace | None:
        """Return the bot in a workspace, None when it is not there. Raises StorageError and ConfigError.

        What is stored is read each time: another copy may have changed it.
        """
        installed = await self._installed(team) if is_welcome(self._welcome, team) else None
        if installed is None:
            self._tell_once(team)
            return None
        self._strangers.discard(team)
        grant = grant_of(installed)

        async def renew(token: str) -> str | None:
            return await self._renewal.after(team, token)

        client = self._client(team=team, parking=self.parking, renew=renew, token=grant.token)
        return Workspace(client, Identity(installed.name, grant.bot_user, "", team))

    async def look(self) -> None:
        """Find out which workspaces no key opens, before anything is heard of them. Raises StorageError."""
        self.parking.locked |= dict.fromkeys(await self._installations.locked(), _LOCKED)

    async def _installed(self, team: str) -> Installed | None:
        """Return what is stored of a workspace, with a token that lasts; why nobody can read it is kept."""
        try:
            installed = await self._installations.find("slack", team)
            installed = await self._renewal.current(installed) if installed else None
        except ConfigError as error:
            self.parking.locked[team] = str(error)
            raise
        self.parking.locked.pop(team, None)
        return installed

    def client(self, team: str) -> AsyncWebClient:
        """Return what calls Slack as the bot in a workspace, with the token that it has by then."""
        return _ClientOf(team, self)

    async def left(self, team: str, at: datetime, *, for_sure: bool) -> None:
        """Delete the tokens of a workspace that removed the bot; its data goes in time.

        What tells of a removal may come late, after the app was installed again: then the token still works.
        """
        installed = await self._installations.find("slack", team)
        if installed is None:
            return
        is_late = installed.at > at
        if (is_late or not for_sure) and await self._still(team):
            return
        await self._departures.left("slack", team, at)
        await self._installations.remove("slack", team)
        self.parking.forget(team)
        _log.warning("Slack: workspace %s removed the app: its tokens are deleted, its data goes after RETENTION", team)

    async def _still(self, team: str) -> bool:
        workspace = await self.of(team)
        return workspace is not None and await _works(workspace.client)

    def _tell_once(self, team: str) -> None:
        if team not in self._strangers and len(self._strangers) < _MOST_STRANGERS:
            self._strangers.add(team)
            _log.info("Slack: workspace %s is not served: the app is not installed there, or may not be", team)


class _ClientOf(AsyncWebClient):
    """A client of one of many workspaces, which looks up with each call how that is to be made."""

    def __init__(self, team: str, workspaces: Workspaces) -> None:
        super().__init__()
        self._team = team
        self._workspaces = workspaces

    async def api_call(self, api_method: str, **given: Any) -> AsyncSlackResponse:
        """Return the answer. Raises Parked where the app is not installed, StorageError, and as the library does."""
        workspace = await self._workspaces.of(self._team)
        if workspace is None:
            raise Parked(f"the app is not installed in workspace {self._team}")
        return await workspace.client.api_call(api_method, **given)


def is_welcome(welcome: tuple[str, ...], *ids: str | None) -> bool:
    """Return whether a workspace or organisation with one of the ids may install the app."""
    return ANY in welcome or any(one in welcome for one in ids if one)


async def reached(workspaces: Workspaces, place: str) -> Workspace | Later:
    """Return the bot in the workspace of a place, WORKSPACE:CHANNEL, or when to try again. Raises nothing."""
    team = place.partition(":")[0]
    try:
        found = await workspaces.of(team)
    except PortError as error:
        return Later(_SOON, error.reason, whole_place=True)
    except ConfigError as error:
        return Later(BARRED_SECONDS, str(error), whole_place=True)
    return found or Later(BARRED_SECONDS, f"the app is not installed in workspace {team}", whole_place=True)


def team_of(body: Mapping[str, Any]) -> str:
    """Return the workspace that an event, a command or a press comes from, "" when it says none."""
    match body:
        case {"context_team_id": str(team)} | {"team_id": str(team)} | {"team": {"id": str(team)}}:
            return team
    return ""


async def _works(client: AsyncWebClient) -> bool:
    return isinstance(await once(client.auth_test()), AsyncSlackResponse)
