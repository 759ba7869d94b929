"""The Web API methods that read: identity, people, channels, threads, links."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tests.platforms.slack.events import wire
from tests.platforms.slack.models import Channel, Json, Message, Refused, User
from tests.platforms.slack.workspace import Workspace

MOST_REPLIES = 1000

T = TypeVar("T")


@dataclass
class LookupMethods:
    """What the bot may look up; each method returns the answer's own fields."""

    workspace: Workspace

    def table(self) -> dict[str, Callable[[Json], Json]]:
        """Return the methods by their names in the Web API."""
        return {
            "auth.test": self.identity,
            "bots.info": self.bot,
            "apps.manifest.export": self.manifest,
            "users.info": self.user,
            "conversations.info": self.channel,
            "conversations.list": self.channels,
            "conversations.history": self.history,
            "conversations.open": self.open_direct,
            "conversations.replies": self.replies,
            "chat.getPermalink": self.permalink,
        }

    def identity(self, arguments: Json) -> Json:
        """Say who the token belongs to."""
        app = self.workspace.app
        return {
            "url": f"https://{app.team_domain}.slack.com/",
            "team": app.team_domain,
            "user": app.bot_name,
            "team_id": app.team_id,
            "user_id": app.bot_user_id,
            "bot_id": app.bot_id,
            "is_enterprise_install": False,
        }

    def bot(self, arguments: Json) -> Json:
        """Describe the app's own bot; no other is known."""
        app = self.workspace.app
        if arguments.get("bot") != app.bot_id:
            raise Refused("bot_not_found")
        known = {"id": app.bot_id, "deleted": False, "name": app.bot_name, "updated": 0}
        return {"bot": known | {"app_id": app.app_id, "user_id": app.bot_user_id}}

    def manifest(self, arguments: Json) -> Json:
        """Give the app's manifest to whoever made the app."""
        app = self.workspace.app
        if arguments.get("app_id") != app.app_id:
            raise Refused("invalid_app_id")
        if app.manifest is None:
            raise Refused("failed_export")
        return {"manifest": app.manifest}

    def user(self, arguments: Json) -> Json:
        """Describe a person."""
        user = self.workspace.users.get(str(arguments.get("user")))
        if user is None:
            raise Refused("user_not_found")
        return {"user": described(self.workspace, user)}

    def channel(self, arguments: Json) -> Json:
        """Describe a channel the bot may know of."""
        channel = self.workspace.readable(arguments.get("channel"))
        return {"channel": _channel(channel) | {"is_member": self.workspace.has_bot(channel)}}

    def channels(self, arguments: Json) -> Json:
        """Return a page of the channels of the wanted types that the bot may know of."""
        types = str(arguments.get("types") or "public_channel").split(",")
        kinds = {"public_channel": "channel", "private_channel": "group"}
        wanted = {kinds[one] for one in types if one in kinds}
        known = [one for one in self.workspace.channels.values() if one.kind in wanted]
        found = [one for one in known if one.kind == "channel" or self.workspace.has_bot(one)]
        page, more = paged(found, arguments)
        shown = [_channel(one) | {"is_member": self.workspace.has_bot(one)} for one in page]
        return {"channels": shown, **more}

    def history(self, arguments: Json) -> Json:
        """Return a page of what stands in a channel itself, the newest first."""
        channel = self.workspace.joined(arguments.get("channel"))
        roots = [m for m in self.workspace.messages.values() if m.channel == channel.id and m.thread_ts in (None, m.ts)]
        found = sorted((m for m in roots if _in_range(m, arguments)), key=lambda m: m.ts, reverse=True)
        page, more = paged(found, arguments)
        return {"messages": [self._reply(message, arguments) for message in page], "has_more": bool(more), **more}

    def open_direct(self, arguments: Json) -> Json:
        """Open the direct channel with one person; groups of people are not covered."""
        people = arguments.get("users") or ""
        names = people if isinstance(people, list) else str(people).split(",")
        if len(names) != 1 or not names[0]:
            raise Refused("users_list_not_supplied")
        return {"channel": {"id": self.workspace.direct_channel(names[0]).id}}

    def replies(self, arguments: Json) -> Json:
        """Return a page of a thread, root first; metadata only where it is asked for."""
        channel = self.workspace.joined(arguments.get("channel"))
        ts = str(arguments.get("ts"))
        if (channel.id, ts) not in self.workspace.messages:
            raise Refused("thread_not_found")
        found = [m for m in self.workspace.thread(channel.id, ts) if _in_range(m, arguments)]
        page, more = paged(found, arguments)
        return {"messages": [self._reply(message, arguments) for message in page], "has_more": bool(more), **more}

    def permalink(self, arguments: Json) -> Json:
        """Return the address of a message."""
        channel = self.workspace.readable(arguments.get("channel"))
        message = self.workspace.message(channel, arguments.get("message_ts"))
        address = f"https://{self.workspace.app.team_domain}.slack.com/archives/{channel.id}"
        address += "/p" + message.ts.replace(".", "")
        if message.thread_ts not in (None, message.ts):
            address += f"?thread_ts={message.thread_ts}&cid={channel.id}"
        return {"channel": channel.id, "permalink": address}

    def _reply(self, message: Message, arguments: Json) -> Json:
        shown = wire(self.workspace, message)
        if arguments.get("include_all_metadata") and message.metadata:
            shown["metadata"] = message.metadata
        replies = self.workspace.thread(message.channel, message.ts)[1:]
        if replies:
            users = sorted({reply.user for reply in replies})
            shown |= {"thread_ts": message.ts, "reply_count": len(replies), "reply_users": users}
            shown |= {"reply_users_count": len(users), "latest_reply": replies[-1].ts}
        return shown


def _in_range(message: Message, arguments: Json) -> bool:
    oldest, latest = str(arguments.get("oldest") or "0"), str(arguments.get("latest") or "9" * 10)
    is_root = message.ts == arguments.get("ts")
    at_edge = bool(arguments.get("inclusive")) and message.ts in (oldest, latest)
    return is_root or at_edge or float(oldest) < float(message.ts) < float(latest)


def paged(found: Sequence[T], arguments: Json) -> tuple[Sequence[T], Json]:
    """Return the page that is asked for, and how to ask for the next one, if there is one."""
    limit = min(int(arguments.get("limit") or MOST_REPLIES), MOST_REPLIES)
    start = _position(arguments.get("cursor"))
    cursor = {"response_metadata": {"next_cursor": f"next:{start + limit}"}}
    return found[start : start + limit], cursor if start + limit < len(found) else {}


def _position(cursor: object) -> int:
    if not cursor:
        return 0
    number = str(cursor).removeprefix("next:")
    if not number.isdigit():
        raise Refused("invalid_cursor")
    return int(number)


def described(workspace: Workspace, user: User) -> Json:
    """Return a person as Slack describes them."""
    profile = {"real_name": user.name, "display_name": user.name, "email": user.email}
    return {
        "id": user.id,
        "team_id": user.team_id,
        "name": user.name.lower().replace(" ", "."),
        "real_name": user.name,
        "deleted": user.deleted,
        "is_bot": user.is_bot,
        "is_admin": False,
        "is_restricted": user.is_guest,
        "is_ultra_restricted": False,
        "is_stranger": user.team_id != workspace.app.team_id,
        "locale": user.locale,
        "tz": "Etc/UTC",
        "updated": user.updated,
        "profile": {name: value for name, value in profile.items() if value is not None},
    }


def _channel(channel: Channel) -> Json:
    if channel.kind == "im":
        return {"id": channel.id, "is_im": True, "user": channel.name, "is_archived": False}
    return {
        "id": channel.id,
        "name": channel.name,
        "is_channel": channel.kind == "channel",
        "is_group": channel.kind == "group",
        "is_im": False,
        "is_mpim": channel.kind == "mpim",
        "is_private": channel.kind != "channel",
        "is_archived": channel.is_archived,
        "is_shared": channel.is_ext_shared,
        "is_ext_shared": channel.is_ext_shared,
        "is_pending_ext_shared": channel.is_pending_ext_shared,
        "is_org_shared": False,
        "num_members": len(channel.members),
    }
