"""Events in the shapes in which Slack sends them to an app."""

import time
import uuid
from typing import TYPE_CHECKING

from tests.platforms.slack.models import App, Channel, Json, Message, User

if TYPE_CHECKING:
    from tests.platforms.slack.workspace import Workspace


def posted(workspace: "Workspace", channel: Channel, message: Message) -> list[Json]:
    """Return the events of a new message: a mention gives two, with the same `ts`."""
    event = {**wire(workspace, message), **_place(channel, message.ts)}
    if message.subtype == "thread_broadcast":
        event |= {"root": _root(workspace, message)}
    if channel.kind == "im" or not _mentions_bot(workspace.app, message):
        return [event]
    return [_mention(event), event]


def changed(workspace: "Workspace", channel: Channel, before: Message, after: Message) -> list[Json]:
    """Return the events of a change; a mention is announced again with each edit of its message."""
    ts = workspace.next_ts()
    event = {
        "type": "message",
        "subtype": "message_changed",
        "message": wire(workspace, after),
        "previous_message": wire(workspace, before),
        "hidden": True,
        "ts": ts,
        **_place(channel, ts),
    }
    if channel.kind == "im" or before.edited == after.edited or not _mentions_bot(workspace.app, after):
        return [event]
    return [event, _mention({**wire(workspace, after), **_place(channel, ts)})]


def deleted(workspace: "Workspace", channel: Channel, message: Message) -> Json:
    """Return the event of a deletion."""
    ts = workspace.next_ts()
    return {
        "type": "message",
        "subtype": "message_deleted",
        "previous_message": wire(workspace, message),
        "deleted_ts": message.ts,
        "hidden": True,
        "ts": ts,
        **_place(channel, ts),
    }


def reacted(workspace: "Workspace", kind: str, user: str, message: Message, name: str) -> Json:
    """Return a `reaction_added` or `reaction_removed` event."""
    return {
        "type": kind,
        "user": user,
        "reaction": name,
        "item": {"type": "message", "channel": message.channel, "ts": message.ts},
        "item_user": message.user,
        "event_ts": workspace.next_ts(),
    }


def callback(app: App, channel: Channel | None, event: Json) -> Json:
    """Return the outer body that carries an event, with an `event_id` of its own."""
    authorization = {
        "enterprise_id": None,
        "team_id": app.team_id,
        "user_id": app.bot_user_id,
        "is_bot": True,
        "is_enterprise_install": False,
    }
    return {
        "token": app.verification_token,
        "team_id": app.team_id,
        "context_team_id": app.team_id,
        "context_enterprise_id": None,
        "api_app_id": app.app_id,
        "event": event,
        "type": "event_callback",
        "event_id": "Ev" + uuid.uuid4().hex[:10].upper(),
        "event_time": int(time.time()),
        "authorizations": [authorization],
        "is_ext_shared_channel": channel is not None and channel.is_ext_shared,
        "event_context": "4-" + uuid.uuid4().hex,
    }


def wire(workspace: "Workspace", message: Message) -> Json:
    """Return the message as Slack writes it in events and answers, without its metadata."""
    author = workspace.users.get(message.user)
    shown: Json = {
        "type": "message",
        "subtype": message.subtype,
        "user": message.user,
        "ts": message.ts,
        "client_msg_id": message.client_msg_id,
        "text": message.text,
        "team": author.team_id if author else workspace.app.team_id,
        "blocks": list(message.blocks) or None,
        "thread_ts": message.thread_ts,
        "parent_user_id": _parent_user(workspace, message),
        "edited": message.edited,
        "attachments": list(message.attachments) or None,
    }
    shown |= _foreigner(workspace.app, author) | _bot(workspace.app, message)
    return {name: value for name, value in shown.items() if value is not None}


def _place(channel: Channel, ts: str) -> Json:
    return {"channel": channel.id, "channel_type": channel.kind, "event_ts": ts}


def _mention(event: Json) -> Json:
    dropped = ("channel_type", "subtype", "root")
    return {k: v for k, v in event.items() if k not in dropped} | {"type": "app_mention"}


def _mentions_bot(app: App, message: Message) -> bool:
    is_own = message.bot_id == app.bot_id
    return not is_own and any(f"<@{app.bot_user_id}{end}" in message.text for end in (">", "|"))


def _root(workspace: "Workspace", message: Message) -> Json:
    return wire(workspace, workspace.messages[message.channel, message.thread_ts or ""])


def _parent_user(workspace: "Workspace", message: Message) -> str | None:
    if message.thread_ts in (None, message.ts):
        return None
    root = workspace.messages.get((message.channel, message.thread_ts or ""))
    return root.user if root else None


def _foreigner(app: App, author: User | None) -> Json:
    if author is None or author.team_id == app.team_id:
        return {}
    return {"user_team": author.team_id, "source_team": author.team_id}


def _bot(app: App, message: Message) -> Json:
    if message.bot_id is None:
        return {}
    if message.bot_id != app.bot_id:
        return {"bot_id": message.bot_id, "app_id": "A0OTHER"}
    profile = {
        "id": app.bot_id,
        "deleted": False,
        "name": app.bot_name,
        "updated": 0,
        "app_id": app.app_id,
        "team_id": app.team_id,
    }
    return {"bot_id": app.bot_id, "app_id": app.app_id, "bot_profile": profile}


def app_opened(workspace: "Workspace", user: str, channel: Channel, tab: str) -> Json:
    """Return the event that somebody looks at a tab of the app."""
    return {"type": "app_home_opened", "user": user, "channel": channel.id, "tab": tab, "event_ts": workspace.next_ts()}


def pane_opened(workspace: "Workspace", user: str, channel: Channel, *, changed: bool) -> Json:
    """Return the event of an assistant's pane: it is opened, or what stands beside it is another channel now."""
    ts = workspace.next_ts()
    context = {"channel_id": "C1", "team_id": workspace.app.team_id, "enterprise_id": None}
    thread = {"user_id": user, "context": context, "channel_id": channel.id, "thread_ts": ts}
    kind = "assistant_thread_context_changed" if changed else "assistant_thread_started"
    return {"type": kind, "assistant_thread": thread, "event_ts": ts}
