"""The workspace behind the stand-in: what exists in it, and the events each change causes."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tests.platforms.slack import events
from tests.platforms.slack.models import App, Channel, Json, Message, Prompts, Refused, Status, User

Announce = Callable[[Channel, Json], None]


@dataclass
class Workspace:
    """People, channels and messages of one team; `announce` receives each event for the app."""

    app: App
    announce: Announce
    users: dict[str, User] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    messages: dict[tuple[str, str], Message] = field(default_factory=dict)
    ephemerals: list[Message] = field(default_factory=list)
    reactions: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)
    statuses: list[Status] = field(default_factory=list)
    prompts: list[Prompts] = field(default_factory=list)
    titles: dict[tuple[str, str], str] = field(default_factory=dict)
    homes: dict[str, Json] = field(default_factory=dict)
    user_groups: dict[str, frozenset[str]] = field(default_factory=dict)
    _last_ts: int = 0

    def __post_init__(self) -> None:
        app = self.app
        self.users[app.bot_user_id] = User(app.bot_user_id, app.bot_name, app.team_id, is_bot=True)

    def next_ts(self) -> str:
        """Return a timestamp later than every one given before."""
        self._last_ts = max(self._last_ts + 1, time.time_ns() // 1000)
        seconds, micros = divmod(self._last_ts, 1_000_000)
        return f"{seconds}.{micros:06d}"

    def has_bot(self, channel: Channel) -> bool:
        """Tell whether the app's bot user is in the channel."""
        return self.app.bot_user_id in channel.members

    def readable(self, channel_id: object) -> Channel:
        """Return the channel if the bot may know of it; a private one only for its members."""
        channel = self.channels.get(str(channel_id))
        if channel is None or (channel.kind != "channel" and not self.has_bot(channel)):
            raise Refused("channel_not_found")
        return channel

    def joined(self, channel_id: object) -> Channel:
        """Return the channel if the bot is in it."""
        channel = self.readable(channel_id)
        if not self.has_bot(channel):
            raise Refused("not_in_channel")
        return channel

    def writable(self, channel_id: object) -> Channel:
        """Return the channel if the bot may post there."""
        channel = self.joined(channel_id)
        if channel.is_archived:
            raise Refused("is_archived")
        return channel

    def direct_channel(self, user_id: str) -> Channel:
        """Return the direct channel between the bot and this person, opening it if needed."""
        if user_id not in self.users or user_id == self.app.bot_user_id:
            raise Refused("user_not_found")
        channel_id = "D" + user_id[1:]
        members = frozenset({user_id, self.app.bot_user_id})
        fresh = Channel(channel_id, user_id, members, kind="im")
        return self.channels.setdefault(channel_id, fresh)

    def message(self, channel: Channel, ts: object) -> Message:
        """Return the message, or refuse with `message_not_found`."""
        message = self.messages.get((channel.id, str(ts)))
        if message is None:
            raise Refused("message_not_found")
        return message

    def thread_root(self, channel: Channel, thread_ts: str) -> Message:
        """Return the thread's first message; the timestamp of a reply is refused."""
        root = self.messages.get((channel.id, thread_ts))
        if root is None or root.thread_ts not in (None, root.ts):
            raise Refused("thread_not_found")
        return root

    def written_by(self, user: str, channel_id: str, ts: str) -> Message:
        """Return the message if this person wrote it; only they may change it."""
        message = self.messages[channel_id, ts]
        if message.user != user:
            raise LookupError(f"message {ts} was written by {message.user}, not by {user}")
        return message

    def shown(self, channel_id: str, ts: str) -> Message:
        """Return the message, be it shown to all or to one person."""
        private = {(message.channel, message.ts): message for message in self.ephemerals}
        return (self.messages | private)[channel_id, ts]

    def thread(self, channel_id: str, ts: str) -> list[Message]:
        """Return the root and its replies, oldest first."""
        found = [
            message
            for (channel, _), message in self.messages.items()
            if channel == channel_id and ts in (message.ts, message.thread_ts)
        ]
        return sorted(found, key=lambda message: message.ts)

    def post(self, message: Message) -> Message:
        """Keep a new message and announce it."""
        channel = self.channels[message.channel]
        self.messages[channel.id, message.ts] = message
        self._clear_status(message)
        self._announce(channel, *events.posted(self, channel, message))
        return message

    def change(self, before: Message, after: Message) -> Message:
        """Replace a message by its new wording and announce the change."""
        after = replace(after, history=(*before.history, before.revision))
        channel = self.channels[before.channel]
        self.messages[channel.id, before.ts] = after
        self._announce(channel, *events.changed(self, channel, before, after))
        return after

    def delete(self, message: Message) -> None:
        """Remove a message; the root of a thread leaves a tombstone."""
        channel = self.channels[message.channel]
        if len(self.thread(channel.id, message.ts)) > 1:
            self.change(message, _tombstone(message))
            return
        del self.messages[channel.id, message.ts]
        self._announce(channel, events.deleted(self, channel, message))

    def react(self, user: str, message: Message, name: str) -> None:
        """Add a reaction and announce it."""
        key = (message.channel, message.ts)
        self.reactions.setdefault(key, []).append((user, name))
        channel = self.channels[message.channel]
        self._announce(channel, events.reacted(self, "reaction_added", user, message, name))

    def unreact(self, user: str, message: Message, name: str) -> None:
        """Take a reaction back and announce it."""
        self.reactions[message.channel, message.ts].remove((user, name))
        channel = self.channels[message.channel]
        self._announce(channel, events.reacted(self, "reaction_removed", user, message, name))

    def _announce(self, channel: Channel, *occurred: Json) -> None:
        for event in occurred if self.has_bot(channel) else ():
            self.announce(channel, event)

    def _clear_status(self, message: Message) -> None:
        place = (message.channel, message.thread_ts)
        if message.user == self.app.bot_user_id and any(
            (status.channel, status.thread_ts) == place and status.text for status in self.statuses
        ):
            self.statuses.append(Status(message.channel, message.thread_ts or "", ""))


def _tombstone(message: Message) -> Message:
    return replace(
        message,
        subtype="tombstone",
        user="USLACKBOT",
        text="This message was deleted.",
        blocks=(),
        metadata=None,
        bot_id=None,
    )
