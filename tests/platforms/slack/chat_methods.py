"""The Web API methods that write: messages, reactions, status lines."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tests.platforms.slack.content import Content, holds, posted_content, updated_content
from tests.platforms.slack.events import wire
from tests.platforms.slack.models import Channel, Json, Message, Refused, Status
from tests.platforms.slack.workspace import Workspace

REACTION = re.compile(r"[a-z0-9_+'-]+(::skin-tone-[2-6])?")
STATUS_MESSAGES = 10
# Messages in a channel, in as many seconds.
BURST = 3


@dataclass
class Pace:
    """One message a second in a channel, with bursts of three, when a test asks for that rule."""

    enforced: bool = False
    _posted: dict[str, list[float]] = field(default_factory=dict)

    def check(self, channel: Channel) -> None:
        """Refuse a message that is one too many in three seconds."""
        now = time.monotonic()
        latest = [at for at in self._posted.get(channel.id, []) if now - at < BURST]
        if self.enforced and len(latest) >= BURST:
            raise Refused("ratelimited", retry_after="1")
        self._posted[channel.id] = [*latest, now]


@dataclass
class ChatMethods:
    """What the bot may do to messages; each method returns the answer's own fields.

    `unknown`: of what type elements and blocks are refused, and with what error.
    """

    workspace: Workspace
    pace: Pace
    unknown: dict[str, str] = field(default_factory=dict)

    def table(self) -> dict[str, Callable[[Json], Json]]:
        """Return the methods by their names in the Web API."""
        return {
            "chat.postMessage": self.post_message,
            "chat.postEphemeral": self.post_ephemeral,
            "chat.update": self.update,
            "chat.delete": self.delete,
            "reactions.add": self.add_reaction,
            "reactions.remove": self.remove_reaction,
            "assistant.threads.setStatus": self.set_status,
        }

    def post_message(self, arguments: Json) -> Json:
        """Post to a channel, a thread, or a person's direct channel."""
        channel = self._target(arguments.get("channel"))
        thread_ts = self._thread(channel, arguments)
        content = posted_content(self._known(arguments))
        self.pace.check(channel)
        broadcast = thread_ts and arguments.get("reply_broadcast")
        subtype = "thread_broadcast" if broadcast else None
        draft = self._written(channel, content, thread_ts)
        message = self.workspace.post(replace(draft, subtype=subtype))
        return {
            "channel": channel.id,
            "ts": message.ts,
            "message": wire(self.workspace, message) | _metadata(message),
            **_warned(content),
        }

    def post_ephemeral(self, arguments: Json) -> Json:
        """Show a message to one member of the channel."""
        channel = self.workspace.writable(arguments.get("channel"))
        user = str(arguments.get("user"))
        if user not in channel.members:
            raise Refused("user_not_in_channel")
        thread_ts = self._thread(channel, arguments)
        content = posted_content(self._known(arguments))
        message = replace(self._written(channel, content, thread_ts), only_for=user)
        self.workspace.ephemerals.append(message)
        return {"message_ts": message.ts, **_warned(content)}

    def update(self, arguments: Json) -> Json:
        """Reword one of the bot's own messages.

        A text without blocks removes the earlier blocks and marks the message as edited.
        """
        channel = self.workspace.writable(arguments.get("channel"))
        before = self._own(channel, arguments.get("ts"), "cant_update_message")
        content = updated_content(self._known(arguments))
        after = replace(
            before,
            text=content.text or "",
            blocks=content.blocks or (),
            metadata=before.metadata if content.metadata is None else content.metadata,
            edited=before.edited if content.blocks else self._edit_mark(),
            expands_names=content.expands_names,
            links_addresses=content.links_addresses,
        )
        after = self.workspace.change(before, after)
        shown = wire(self.workspace, after) | _metadata(after)
        place = {"channel": channel.id, "ts": after.ts, "text": after.text}
        return {**place, "message": shown, **_warned(content)}

    def delete(self, arguments: Json) -> Json:
        """Remove one of the bot's own messages."""
        channel = self.workspace.joined(arguments.get("channel"))
        message = self._own(channel, arguments.get("ts"), "cant_delete_message")
        self.workspace.delete(message)
        return {"channel": channel.id, "ts": message.ts}

    def add_reaction(self, arguments: Json) -> Json:
        """React to a message, once with each emoji."""
        message, mark = self._reaction(arguments)
        if mark in self.workspace.reactions.get((message.channel, message.ts), []):
            raise Refused("already_reacted")
        self.workspace.react(mark[0], message, mark[1])
        return {}

    def remove_reaction(self, arguments: Json) -> Json:
        """Take the bot's own reaction back."""
        message, mark = self._reaction(arguments)
        if mark not in self.workspace.reactions.get((message.channel, message.ts), []):
            raise Refused("no_reaction")
        self.workspace.unreact(mark[0], message, mark[1])
        return {}

    def set_status(self, arguments: Json) -> Json:
        """Show a status line in a thread; an empty one removes it."""
        channel = self.workspace.joined(arguments.get("channel_id"))
        root = self.workspace.thread_root(channel, str(arguments.get("thread_ts")))
        loading = arguments.get("loading_messages") or []
        if not isinstance(arguments.get("status"), str) or len(loading) > STATUS_MESSAGES:
            raise Refused("invalid_arguments")
        status = Status(channel.id, root.ts, arguments["status"], tuple(loading))
        self.workspace.statuses.append(status)
        return {}

    def _known(self, arguments: Json) -> Json:
        for kind, error in self.unknown.items():
            if holds(arguments.get("blocks"), kind):
                raise Refused(error, (f"[ERROR] unsupported type: {kind} [json-pointer:/blocks]",))
        return arguments

    def _target(self, channel_id: object) -> Channel:
        if str(channel_id) in self.workspace.users:
            return self.workspace.direct_channel(str(channel_id))
        return self.workspace.writable(channel_id)

    def _thread(self, channel: Channel, arguments: Json) -> str | None:
        thread_ts = arguments.get("thread_ts")
        if thread_ts is None:
            return None
        return self.workspace.thread_root(channel, str(thread_ts)).ts

    def _written(self, channel: Channel, content: Content, thread_ts: str | None) -> Message:
        return Message(
            channel=channel.id,
            ts=self.workspace.next_ts(),
            user=self.workspace.app.bot_user_id,
            bot_id=self.workspace.app.bot_id,
            text=content.text or "",
            blocks=content.blocks or (),
            thread_ts=thread_ts,
            metadata=content.metadata,
            expands_names=content.expands_names,
            links_addresses=content.links_addresses,
        )

    def _own(self, channel: Channel, ts: object, error: str) -> Message:
        message = self.workspace.message(channel, ts)
        if message.user != self.workspace.app.bot_user_id:
            raise Refused(error)
        return message

    def _edit_mark(self) -> Json:
        return {"user": self.workspace.app.bot_user_id, "ts": self.workspace.next_ts()}

    def _reaction(self, arguments: Json) -> tuple[Message, tuple[str, str]]:
        channel = self.workspace.joined(arguments.get("channel"))
        name = str(arguments.get("name", ""))
        if not REACTION.fullmatch(name):
            raise Refused("invalid_name")
        message = self.workspace.message(channel, arguments.get("timestamp"))
        return message, (self.workspace.app.bot_user_id, name)


def _metadata(message: Message) -> Json:
    return {"metadata": message.metadata} if message.metadata else {}


def _warned(content: Content) -> Json:
    if not content.warnings:
        return {}
    warnings = list(content.warnings)
    return {"warning": ",".join(warnings), "response_metadata": {"warnings": warnings}}
