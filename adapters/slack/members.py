"""Who reads in a Slack channel, by every name that Slack knows them by; asked for seldom, and anew when it changes."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.directory import PATIENCE, Directory, Untold, answered, cursor_of
from adapters.slack.events import group_of
from core.audience import Reader, Room

_log = logging.getLogger(__name__)

# Seconds for which members of a channel are taken as they were: events tell only one of several copies of the bot.
ROOM_KEPT = 60.0
# Of more members nobody asks: the channel is then one whose readers are not known.
MOST_MEMBERS = 2_000
# Channels that are remembered at a time, those that were asked for last.
MOST_ROOMS = 1_000
# Seconds after which the log names a reason again that still holds.
TOLD_AGAIN = 3600.0
_PAGE = 500
_TRIES = 3
_BARE = (
    "several workspaces may install the app, so an e-mail address counts in permissions only with its workspace, as "
    "slack:T024BE7LD:anna@northwind.example"
)

# Events after which somebody, the user groups of a workspace, and the members of one channel are others
# (docs.slack.dev/reference/events). The first come with every change of a status too.
_PERSON_CHANGED = frozenset(("team_join", "user_change", "user_profile_changed"))
_GROUPS_CHANGED = frozenset(
    (
        *("subteam_created", "subteam_updated", "subteam_members_changed"),
        *("subteam_self_added", "subteam_self_removed"),
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


@dataclass
class SlackMembers:
    """The port `Membership` for Slack. `client_for` gives the client of a workspace, None when there is none.

    `is_one`: there is one workspace, whose word on e-mail addresses counts everywhere. Of many, the admins of each can
    give their people whatever address they like: it counts with its workspace, as `slack:T:` and the address, alone.
    """

    client_for: Callable[[str], AsyncWebClient | None]
    clock: Callable[[], float] = time.monotonic
    is_one: bool = True
    _directories: dict[str, Directory] = field(default_factory=dict)
    _rooms: dict[str, tuple[float, Room]] = field(default_factory=dict)
    _locks: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    # The places that are being asked about, and whether they have changed meanwhile.
    _asked: dict[str, bool] = field(default_factory=dict)
    _told: dict[str, float] = field(default_factory=dict)

    async def room(self, place: str, *, fresh: bool = False) -> Room:
        """Return who reads in a channel; its readers are None when Slack does not tell, which is never remembered.

        In a public channel whoever belongs to the workspace is one of them.
        """
        found: Room | None = await self._patiently(self._room(place, fresh=fresh))
        team, _, channel = place.partition(":")
        return found or Room(team, frozenset({group_of(team, channel)}))

    async def person(self, place: str, person: str) -> Reader | None:
        """Return somebody of the workspace; None when Slack does not tell."""
        reader: Reader | None = await self._patiently(self._reader(place.partition(":")[0], person))
        return reader

    def stop(self) -> None:
        """Forget everything, and ask nothing by ourselves any more."""
        for team in tuple(self._directories):
            self._leave(team)

    def heed(self, body: Mapping[str, Any]) -> None:
        """Take over what an event of Slack says, and forget what is not so any more."""
        event = body.get("event")
        if not isinstance(event, Mapping):
            return
        kind, channel = event.get("type"), event.get("channel")
        said = body.get("context_team_id") or body.get("team_id")
        team = said if isinstance(said, str) else None
        concerned = [one for one in self._directories if team in (one, None)]
        if kind in _PERSON_CHANGED:
            self._heed_person(event.get("user"), team)
        elif kind in _GROUPS_CHANGED:
            for one in concerned:
                self._directories[one].regroup()
                self._forget_rooms(one)
        elif kind in _GONE:
            for one in concerned:
                self._leave(one)
        elif kind in _ROOM_CHANGED:
            self._forget_rooms(team, channel if isinstance(channel, str) else None)

    def _heed_person(self, user: object, team: str | None) -> None:
        """Clear the rooms of a workspace only where somebody may read something else by now."""
        for one, directory in self._directories.items():
            is_own = team in (one, None)
            if isinstance(user, Mapping):
                is_other = directory.heed(user, is_own=is_own)
            elif is_other := is_own:
                directory.forget()
            if is_other:
                self._forget_rooms(one)

    def _forget_rooms(self, team: str | None, channel: str | None = None) -> None:
        """Ask anew who reads in that channel, or in all of the workspace, or everywhere."""

        def is_meant(place: str) -> bool:
            its_team, _, its_channel = place.partition(":")
            return team in (its_team, None) and channel in (its_channel, None)

        self._asked |= {place: True for place in self._asked if is_meant(place)}
        for place in [place for place in self._rooms if is_meant(place)]:
            del self._rooms[place]

    def _leave(self, team: str) -> None:
        directory = self._directories.pop(team)
        directory.forget()
        directory.stop()
        self._forget_rooms(team)

    async def _patiently(self, asking: Awaitable[Any]) -> Any:
        """Return what was learnt, or None when Slack refuses or takes too long: then nobody is known to read."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await asking
        except TimeoutError:
            self._tell("it took too long to learn from Slack who reads there")
        except Untold as why:
            self._tell(str(why))
        except (KeyError, TypeError, AttributeError):
            self._tell("Slack's answer has another form than it is said to have")
        return None

    def _tell(self, why: str) -> None:
        """Name the reason in the log, unless that was done within the hour."""
        now = self.clock()
        self._told = {reason: at for reason, at in self._told.items() if now - at < TOLD_AGAIN}
        if why not in self._told:
            self._told[why] = now
            _log.warning("Slack does not tell who reads there, so that less may be used: %s", why)

    async def _room(self, place: str, *, fresh: bool) -> Room:
        """Return who reads there, which is remembered if it is all. Raises Untold."""
        async with self._locks.setdefault(place, asyncio.Lock()):
            at, known = self._rooms.get(place, (0.0, None))
            if known and not fresh and self.clock() - at < ROOM_KEPT:
                return known
            room = await self._room_at_last(place, fresh=fresh)
            if self._directory(place.partition(":")[0]).is_partial:
                return room
            self._rooms.pop(place, None)
            self._rooms[place] = (self.clock(), room)
            while len(self._rooms) > MOST_ROOMS:
                del self._rooms[next(iter(self._rooms))]
            return room

    async def _room_at_last(self, place: str, *, fresh: bool) -> Room:
        """Return who reads there, with all that changed while it was asked for. Raises Untold."""
        try:
            for _ in range(_TRIES):
                self._asked[place] = False
                room = await self._room_now(place, fresh=fresh)
                if not self._asked[place]:
                    return room
        finally:
            self._asked.pop(place, None)
        raise Untold("who reads in a channel changes faster than Slack tells it")

    async def _room_now(self, place: str, *, fresh: bool) -> Room:
        team, _, channel = place.partition(":")
        client = self._client(team)
        about = (await answered(partial(client.conversations_info, channel=channel)))["channel"]
        is_shared = any(about.get(key) for key in ("is_ext_shared", "is_pending_ext_shared", "is_org_shared"))
        names = frozenset({group_of(team, channel)})
        if is_shared:
            return Room(team, names, is_shared=True)
        ids = await self._members(client, channel)
        directory = self._directory(team)
        await directory.look(ids, fresh=fresh)
        readers = [directory.reader(one) for one in ids if not directory.is_bot(one)]
        return Room(team, names, (*readers, *_passers_by(team, about)) if readers else None)

    async def _reader(self, team: str, person: str) -> Reader:
        directory = self._directory(team)
        await directory.look((person,))
        return directory.reader(person)

    async def _members(self, client: AsyncWebClient, channel: str) -> list[str]:
        found: list[str] = []
        cursor = ""
        while True:
            page = await answered(partial(client.conversations_members, channel=channel, limit=_PAGE, cursor=cursor))
            found += page["members"]
            if len(found) > MOST_MEMBERS:
                raise Untold(f"a channel has more than {MOST_MEMBERS:,} members; name whom it is for under places")
            cursor = cursor_of(page)
            if not cursor:
                return found

    def _directory(self, team: str) -> Directory:
        if team not in self._directories:
            if not self.is_one and not self._directories:
                _log.info("Slack: %s", _BARE)
            client = partial(self._client, team)
            self._directories[team] = Directory(team, client, self.clock, self._tell, is_one=self.is_one)
        return self._directories[team]

    def _client(self, team: str) -> AsyncWebClient:
        client = self.client_for(team)
        if client is None:
            raise Untold(f"there is no token for the workspace {team}")
        return client


def _passers_by(team: str, about: Mapping[str, Any]) -> tuple[Reader, ...]:
    """Return who reads in a channel without being in it: in a public one whoever is a full member of the workspace.

    They open it, and find it by Slack's search, without joining. Guests do not. Where Slack does not say that a channel
    is closed, it is taken for public.
    """
    is_closed = any(about.get(key) for key in ("is_private", "is_group", "is_mpim", "is_im"))
    return () if is_closed else (Reader(frozenset({f"workspace:{team}"})),)
