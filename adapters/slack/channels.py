"""What a channel is: who reads it besides the workspace, and whether the bot is in it. Asked of Slack, kept a while."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from adapters.slack import people
from adapters.slack.calls import Trouble, once
from adapters.slack.people import Asking, Kept

# Seconds for which it holds who reads a channel: conversations.info allows about fifty look-ups a minute.
KEPT_SECONDS = 60.0
# A direct channel, or the person that it is with: no other organisation reads there.
_DIRECT = ("D", "U", "W")
_SHARING = {"channel_shared": True, "channel_unshared": None}


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel; `is_shared`: people of other organisations read it, or are invited to.

    `is_open`: everybody of the workspace may read it.
    """

    is_shared: bool
    is_member: bool = True
    is_archived: bool = False
    name: str = ""
    is_open: bool = False


class Channels:
    """The channels of a workspace, looked up one by one."""

    def __init__(self, client: AsyncWebClient) -> None:
        self._client = client
        self._shared: Kept[str, bool] = Kept(KEPT_SECONDS)
        self._asking: Asking[str, Channel] = Asking()

    def note(self, body: Mapping[str, Any]) -> None:
        """Learn from an event that its channel is shared, at no cost.

        That it is not may mean that others are invited and have not come yet, which conversations.info alone tells.
        """
        event = body.get("event")
        if not isinstance(event, Mapping):
            return
        channel = event.get("channel")
        shared = body.get("is_ext_shared_channel")
        if event.get("type") in _SHARING:
            # One organisation may have left and another stayed.
            shared = _SHARING[str(event["type"])]
            self._shared.forget(str(channel))
        if isinstance(channel, str) and shared is True:
            self._shared.put(channel, shared)
        elif isinstance(channel, str) and shared is False and self._shared.get(channel):
            self._shared.forget(channel)

    def stop(self) -> None:
        """Ask nothing any more."""
        self._asking.stop()

    def known(self, channel: str) -> bool | None:
        """Return whether outsiders read the channel, if that is remembered."""
        return False if channel.startswith(_DIRECT) else self._shared.get(channel)

    async def is_shared(self, channel: str, within: float | None = None) -> bool | Trouble:
        """Return whether outsiders read the channel, or why that cannot be told so soon. Never raises."""
        known = self.known(channel)
        if known is not None:
            return known
        found = await self.look(channel, within)
        return found.is_shared if isinstance(found, Channel) else found

    async def look(self, channel: str, within: float | None = None) -> Channel | Trouble:
        """Return what the channel is now, or why that cannot be told so soon. Never raises."""
        return await self._asking.answer(channel, lambda: self._look(channel), within or people.QUICK)

    async def _look(self, channel: str) -> Channel | Trouble:
        answer = await once(self._client.conversations_info(channel=channel))
        if not isinstance(answer, AsyncSlackResponse):
            return answer
        told: Mapping[str, Any] = answer.get("channel") or {}
        found = Channel(
            is_shared=bool(told.get("is_ext_shared") or told.get("is_pending_ext_shared")),
            is_member=told.get("is_member") is not False,
            is_archived=told.get("is_archived") is True,
            name=str(told.get("name") or ""),
            is_open=told.get("is_private") is False,
        )
        self._shared.put(channel, found.is_shared)
        return found
