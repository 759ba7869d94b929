"""Workspaces that refuse every call: nothing is asked of them for a while, and what is meant for them waits."""

import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.calls import BARRED_SECONDS, BARRING, Parked
from adapters.slack.pace import Pace
from adapters.slack.refusals import UNGRANTED, code_of, refusal_of
from core.errors import PortError
from core.installing import Departures

_log = logging.getLogger("footnote")

EXPIRED = "token_expired"
# The bot is not there any more, whatever the operator's settings say.
_GONE = ("token_revoked", "account_inactive")

# For want of a scope of these an answer waits.
_SAYING = ("chat.postMessage", "chat.update", "chat.delete", "chat.postEphemeral")

# Returns the token that follows the given one, None when there is none.
Renew = Callable[[str], Awaitable[str | None]]


@dataclass(slots=True)
class _Place:
    token: str = field(repr=False)
    reason: str
    until: float


class Parking:
    """The workspaces that refuse us, each with the reason; a workspace with another token is a new one."""

    def __init__(self, departures: Departures | None = None) -> None:
        self._departures = departures
        self._places: dict[str, _Place] = {}
        # Workspaces where the app may not say something yet, by the calls that were refused.
        self._ungranted: dict[str, dict[str, str]] = {}
        # Workspaces whose tokens cannot be read here, each with the reason.
        self.locked: dict[str, str] = {}

    def reasons(self) -> dict[str, str]:
        """Return why each refuses."""
        ungranted = {team: "; ".join(sorted({*reasons.values()})) for team, reasons in self._ungranted.items()}
        return ungranted | {team: place.reason for team, place in self._places.items()}

    def lack(self, team: str, method: str, reason: str) -> None:
        """Tell once that a call is refused for want of a scope; other calls go on."""
        if method not in self._ungranted.setdefault(team, {}):
            _log.error("Slack: workspace %s lets us not do %s, its messages wait: %s", team, method, reason)
        self._ungranted[team][method] = reason

    def grant(self, team: str, method: str) -> None:
        """Note that the call is taken, perhaps again."""
        if self._ungranted.get(team, {}).pop(method, None):
            _log.info("Slack: workspace %s lets us do %s again", team, method)
            if not self._ungranted[team]:
                del self._ungranted[team]

    def reason(self, team: str, token: str) -> str | None:
        """Return why the workspace is not to be asked now."""
        place = self._places.get(team)
        return place.reason if place and place.token == token and time.monotonic() < place.until else None

    async def park(self, team: str, token: str, code: str, reason: str) -> None:
        """Leave the workspace alone for a while; when the bot is not there any more, its data is to go in time."""
        if team not in self._places:
            _log.error("Slack: workspace %s refuses us, its messages wait: %s", team, reason)
        self._places[team] = _Place(token, reason, time.monotonic() + BARRED_SECONDS)
        if code in _GONE and self._departures:
            try:
                await self._departures.left("slack", team, datetime.now(UTC))
            except PortError as error:
                _log.warning("Slack: that workspace %s was left is noted later: %s", team, error.reason)

    def forget(self, team: str) -> None:
        """Know nothing of a workspace that has left: nothing waits for it any more."""
        self._places.pop(team, None)
        self._ungranted.pop(team, None)
        self.locked.pop(team, None)

    async def free(self, team: str) -> None:
        """Note that the workspace takes calls again."""
        if self._places.pop(team, None) is None:
            return
        _log.info("Slack: workspace %s takes us in again", team)
        if self._departures:
            try:
                await self._departures.stays("slack", team)
            except PortError as error:
                _log.warning("Slack: that workspace %s is back could not be noted: %s", team, error.reason)


class WorkspaceClient(AsyncWebClient):
    """A client that leaves a workspace alone while it is parked, and goes on with the next token when one ends.

    Whatever it says keeps to the `pace`, for whichever reason and in whichever form it is said.
    """

    def __init__(self, team: str, parking: Parking, pace: Pace, renew: Renew | None = None, **given: Any) -> None:
        super().__init__(**given)
        self._team = team
        self._parking = parking
        self._pace = pace
        self._renew = renew

    async def api_call(self, api_method: str, **given: Any) -> AsyncSlackResponse:
        """Return the answer. Raises Parked, Paced, and as the library does."""
        token = str(self.token)
        if reason := self._parking.reason(self._team, token):
            raise Parked(reason)
        channel = str((given.get("json") or given.get("params") or {}).get("channel") or "")
        await self._pace.turn(self._team, api_method, channel)
        try:
            answer = await super().api_call(api_method, **given)
        except SlackApiError as error:
            if code_of(error) != EXPIRED or self._renew is None or (new := await self._renew(token)) is None:
                await self._note(token, api_method, error)
                raise
            # Nothing was done with the old one, so the call may be made again, once.
            self.token = new
            self._renew = None
            return await self.api_call(api_method, **given)
        await self._parking.free(self._team)
        self._parking.grant(self._team, api_method)
        if api_method == "chat.postMessage":
            await self._pace.met(channel, str(answer.get("channel") or channel))
        return answer

    async def _note(self, token: str, method: str, error: SlackApiError) -> None:
        code = code_of(error)
        if code == UNGRANTED and method in _SAYING:
            self._parking.lack(self._team, method, refusal_of(error).reason)
        if code in BARRING:
            await self._parking.park(self._team, token, code, refusal_of(error).reason)
