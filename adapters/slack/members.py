"""Who reads in a Slack channel, by every name that Slack knows them by; asked for seldom, and anew when it changes."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack.calls import once
from adapters.slack.events import group_of
from core.audience import Reader, Room, folded

_log = logging.getLogger(__name__)

# Seconds for which members of a channel, and people and groups of a workspace, are taken as they were. Events tell of
# changes at once, but only one of several copies of the bot.
ROOM_KEPT, PEOPLE_KEPT = 60.0, 600.0
# Of more members or people nobody asks: the channel is then one whose readers are not known.
MOST_MEMBERS, MOST_PEOPLE = 2_000, 20_000
# Channels that are remembered at a time, those that were asked for last.
MOST_ROOMS = 1_000
# Seconds that it may take to learn who reads.
PATIENCE = 10.0
_PAGE = 500
_BARE = (
    "several workspaces may install the app, so an e-mail address counts in permissions only with its workspace, as "
    "slack:T024BE7LD:anna@northwind.example"
)
_SLACKBOT = "USLACKBOT"

# Events after which people or user groups of a workspace are others, and members of one channel
# (docs.slack.dev/reference/events).
_PEOPLE_CHANGED = frozenset(
    (
        *("team_join", "user_change", "user_profile_changed", "subteam_created", "subteam_updated"),
        *("subteam_members_changed", "subteam_self_added", "subteam_self_removed"),
    )
)
# The workspace has left: who its people are is not ours to remember.
_GONE = frozenset(("app_uninstalled", "tokens_revoked"))
_ROOM_CHANGED = frozenset(
    (
        *("member_joined_channel", "member_left_channel", "channel_shared", "channel_unshared"),
        *("channel_archive", "channel_converted_to_private", "group_left", "channel_left"),
        *("shared_channel_invite_accepted", "shared_channel_invite_approved"),
    )
)


@dataclass(frozen=True, slots=True)
class _People:
    """The people of a workspace: what each is called, None for bots; and when that was learnt."""

    names: Mapping[str, frozenset[str] | None]
    at: float


@dataclass
class SlackMembers:
    """The port `Membership` for Slack. `client_for` gives the client of a workspace, None when there is none.

    `is_one`: there is one workspace, whose word on e-mail addresses counts everywhere. Of many, the admins of each can
    give their people whatever address they like: it counts with its workspace, as `slack:T:` and the address, alone.
    """

    client_for: Callable[[str], AsyncWebClient | None]
    clock: Callable[[], float] = time.monotonic
    is_one: bool = True
    _people: dict[str, _People] = field(default_factory=dict)
    _rooms: dict[str, tuple[float, Room]] = field(default_factory=dict)
    _asking: dict[str, asyncio.Lock] = field(default_factory=dict)
    _told: set[str] = field(default_factory=set)
    _changes: int = 0

    async def room(self, place: str, *, fresh: bool = False) -> Room:
        """Return who reads in a channel; its readers are None when Slack does not tell."""
        team, _, channel = place.partition(":")
        async with self._asking.setdefault(team, asyncio.Lock()):
            at, known = self._rooms.get(place, (0.0, None))
            if known and not fresh and self.clock() - at < ROOM_KEPT:
                return known
            changes = self._changes
            found = await self._patiently(self._room(team, channel, fresh=fresh))
            room = found or Room(team, frozenset({group_of(team, channel)}))
            # What changed while it was asked for may not be in it.
            if changes == self._changes:
                self._rooms.pop(place, None)
                self._rooms[place] = (self.clock(), room)
            while len(self._rooms) > MOST_ROOMS:
                del self._rooms[next(iter(self._rooms))]
            return room

    async def person(self, place: str, person: str) -> Reader | None:
        """Return somebody of the workspace; None when Slack does not tell."""
        team = place.partition(":")[0]
        async with self._asking.setdefault(team, asyncio.Lock()):
            people = await self._patiently(self._directory(team))
        return _reader(team, person, people) if people else None

    def forget(self, place: str | None = None) -> None:
        """Ask anew from now on: who reads in that place, or everything when none is named."""
        self._changes += 1
        if place is None:
            self._people.clear()
            self._rooms.clear()
        else:
            self._rooms.pop(place, None)

    def heed(self, body: Mapping[str, Any]) -> None:
        """Forget what an event of Slack says is not so any more."""
        event = body.get("event")
        if not isinstance(event, Mapping):
            return
        kind, channel = event.get("type"), event.get("channel")
        if kind in _PEOPLE_CHANGED or kind in _GONE:
            self.forget()
        elif kind in _ROOM_CHANGED:
            team = body.get("context_team_id") or body.get("team_id")
            is_named = isinstance(channel, str) and isinstance(team, str)
            self.forget(f"{team}:{channel}" if is_named else None)

    async def _patiently(self, asking: Awaitable[Any]) -> Any:
        """Return what was learnt, or None when Slack refuses or takes too long: then nobody is known to read."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await asking
        except TimeoutError:
            self._tell("it took too long to learn from Slack who reads there")
        except _Untold as why:
            self._tell(str(why))
        except (KeyError, TypeError, AttributeError):
            self._tell("Slack's answer has another form than it is said to have")
        return None

    def _tell(self, why: str) -> None:
        if why not in self._told:
            self._told.add(why)
            _log.warning("Slack does not tell who reads there, so that less may be used: %s", why)

    async def _room(self, team: str, channel: str, *, fresh: bool) -> Room:
        client = self._client(team)
        about = (await _called(client.conversations_info(channel=channel)))["channel"]
        is_shared = any(about.get(key) for key in ("is_ext_shared", "is_pending_ext_shared", "is_org_shared"))
        names = frozenset({group_of(team, channel)})
        if is_shared:
            return Room(team, names, is_shared=True)
        ids = await self._members(client, channel)
        people = await self._directory(team, fresh=fresh and not self._knows(team, ids))
        readers = tuple(_reader(team, one, people) for one in ids if not _is_bot(one, people))
        return Room(team, names, readers or None)

    def _knows(self, team: str, ids: Sequence[str]) -> bool:
        people = self._people.get(team)
        return people is not None and all(one in people.names for one in ids)

    async def _members(self, client: AsyncWebClient, channel: str) -> list[str]:
        found: list[str] = []
        cursor = ""
        while True:
            page = await _called(client.conversations_members(channel=channel, limit=_PAGE, cursor=cursor))
            found += page["members"]
            if len(found) > MOST_MEMBERS:
                raise _Untold(f"a channel has more than {MOST_MEMBERS:,} members; name whom it is for under places")
            cursor = _cursor(page)
            if not cursor:
                return found

    async def _directory(self, team: str, *, fresh: bool = False) -> _People:
        known = self._people.get(team)
        if known and not fresh and self.clock() - known.at < PEOPLE_KEPT:
            return known
        client, changes = self._client(team), self._changes
        groups = await self._user_groups(client, team)
        names: dict[str, frozenset[str] | None] = {}
        cursor = ""
        while True:
            page = await _called(client.users_list(limit=_PAGE, cursor=cursor))
            for user in page["members"]:
                names[user["id"]] = self._names_of(user, team, groups)
            if len(names) > MOST_PEOPLE:
                raise _Untold(f"the workspace has more than {MOST_PEOPLE:,} people")
            cursor = _cursor(page)
            if not cursor:
                break
        people = _People(names, self.clock())
        if changes == self._changes:
            self._people[team] = people
        return people

    def _names_of(self, user: Mapping[str, Any], team: str, groups: Mapping[str, set[str]]) -> frozenset[str] | None:
        """Return what somebody is called; None for a bot, which reads nothing."""
        names = _names_of(user, team, groups)
        if not names or self.is_one or not (bare := frozenset(one for one in names if "@" in one and ":" not in one)):
            return names
        if _BARE not in self._told:
            self._told.add(_BARE)
            _log.info("Slack: %s", _BARE)
        return names - bare

    async def _user_groups(self, client: AsyncWebClient, team: str) -> dict[str, set[str]]:
        """Return the user groups of each person, as they are called."""
        try:
            page = await _called(client.usergroups_list(include_users=True))
        except _Untold as why:
            # Without them there are fewer names to go by, and nothing more to be read.
            self._tell(str(why))
            return {}
        found: dict[str, set[str]] = {}
        for group in page["usergroups"]:
            for user in group.get("users") or ():
                found.setdefault(user, set()).add(group_of(team, group["id"]))
        return found

    def _client(self, team: str) -> AsyncWebClient:
        client = self.client_for(team)
        if client is None:
            raise _Untold(f"there is no token for the workspace {team}")
        return client


class _Untold(Exception):
    """Slack does not tell; says why."""


async def _called(call: Awaitable[AsyncSlackResponse]) -> AsyncSlackResponse:
    answer = await once(call)
    if isinstance(answer, AsyncSlackResponse):
        return answer
    raise _Untold(str(getattr(answer, "reason", None) or "it asks for a pause"))


def _cursor(page: AsyncSlackResponse) -> str:
    told = page.get("response_metadata")
    return str(told.get("next_cursor") or "") if isinstance(told, Mapping) else ""


def _names_of(user: Mapping[str, Any], team: str, groups: Mapping[str, set[str]]) -> frozenset[str] | None:
    """Return what somebody is called; None for a bot, which reads nothing.

    Guests do not belong to the workspace as a whole. Of people of other workspaces nothing counts but their id: what
    else is said of them, their own workspace says.
    """
    if user.get("is_bot") or user["id"] == _SLACKBOT:
        return None
    own = frozenset({group_of(team, user["id"])})
    if user.get("deleted") or user.get("is_stranger") or not _is_of(user, team):
        return own
    profile = user.get("profile")
    email = profile.get("email") if isinstance(profile, Mapping) else None
    address = (folded(email), folded(group_of(team, email))) if isinstance(email, str) and email else ()
    names = own.union(groups.get(user["id"], ()), address)
    is_guest = user.get("is_restricted") or user.get("is_ultra_restricted")
    return names if is_guest else names | {f"workspace:{team}"}


def _is_of(user: Mapping[str, Any], team: str) -> bool:
    enterprise = user.get("enterprise_user")
    teams = enterprise.get("teams") if isinstance(enterprise, Mapping) else None
    return user.get("team_id") in (team, None) or (isinstance(teams, list) and team in teams)


def _is_bot(person: str, people: _People) -> bool:
    return person == _SLACKBOT or (person in people.names and people.names[person] is None)


def _reader(team: str, person: str, people: _People) -> Reader:
    """Return somebody; who is not among the people of the workspace has no name but their id."""
    return Reader(people.names.get(person) or frozenset({group_of(team, person)}))
