"""Commands, clicks, and the addresses where the app answers them."""

import secrets
from dataclasses import dataclass, field, replace

from aiohttp import web

from tests.platforms.slack.content import posted_content
from tests.platforms.slack.events import wire
from tests.platforms.slack.models import App, Channel, Json, Message, Refused
from tests.platforms.slack.workspace import Workspace

MOST_USES = 5


@dataclass
class ResponseUrl:
    """Where a command or click may be answered, a few times, to one person or the channel."""

    channel: Channel
    user: str
    source: Message | None = None
    uses: int = 0


@dataclass
class Interactions:
    """Builds the payloads of commands and clicks, and takes the answers to them."""

    workspace: Workspace
    base_url: str = ""
    expired: bool = False
    refusing: list[str] = field(default_factory=list)
    _urls: dict[str, ResponseUrl] = field(default_factory=dict)

    def command(self, user: str, channel: Channel, command: str, text: str) -> Json:
        """Return the form of a slash command."""
        app = self.workspace.app
        return {
            "token": app.verification_token,
            "team_id": app.team_id,
            "team_domain": app.team_domain,
            "channel_id": channel.id,
            "channel_name": "directmessage" if channel.kind == "im" else channel.name,
            "user_id": user,
            "user_name": self.workspace.users[user].name,
            "command": command,
            "text": text,
            "api_app_id": app.app_id,
            "is_enterprise_install": "false",
            "response_url": self._new_url(ResponseUrl(channel, user)),
            "trigger_id": secrets.token_hex(8),
        }

    def click(self, user: str, message: Message, action_id: str, value: str | None) -> Json:
        """Return the payload of a click on a button of the message."""
        channel = self.workspace.channels[message.channel]
        app, person = self.workspace.app, self.workspace.users[user]
        action = _clicked(message, action_id, value)
        payload: Json = {
            "type": "block_actions",
            "user": {"id": user, "username": person.name, "team_id": person.team_id},
            "api_app_id": app.app_id,
            "token": app.verification_token,
            "container": _container(message),
            "trigger_id": secrets.token_hex(8),
            "team": {"id": app.team_id, "domain": app.team_domain},
            "enterprise": None,
            "is_enterprise_install": False,
            "channel": {"id": channel.id, "name": channel.name},
            "state": {"values": {}},
            "response_url": self._new_url(ResponseUrl(channel, user, message)),
            "actions": [{**action, "action_ts": self.workspace.next_ts()}],
        }
        if message.only_for is None:
            payload["message"] = wire(self.workspace, message)
        return payload

    def shortcut(self, user: str, message: Message, callback_id: str) -> Json:
        """Return the payload of a shortcut on a message, which the bot may not be able to read."""
        channel = self.workspace.channels[message.channel]
        app, person = self.workspace.app, self.workspace.users[user]
        return {
            "type": "message_action",
            "token": app.verification_token,
            "action_ts": self.workspace.next_ts(),
            "team": {"id": app.team_id, "domain": app.team_domain},
            "user": {"id": user, "username": person.name, "team_id": person.team_id, "name": person.name},
            "channel": {"id": channel.id, "name": channel.name},
            "is_enterprise_install": False,
            "enterprise": None,
            "callback_id": callback_id,
            "trigger_id": secrets.token_hex(8),
            "response_url": self._new_url(ResponseUrl(channel, user)),
            "message_ts": message.ts,
            "message": wire(self.workspace, message),
        }

    async def answer(self, request: web.Request) -> web.Response:
        """Take what the app posts to a response URL."""
        url = self._urls.get(request.match_info["ticket"])
        if self.expired:
            return web.Response(status=404, text="expired_url")
        if url is None or url.uses >= MOST_USES:
            return web.Response(status=404, text="used_url" if url else "no_url")
        url.uses += 1
        if self.refusing:
            return web.Response(status=400, text=self.refusing.pop(0))
        try:
            self.say(url, await request.json())
        except Refused as refused:
            return web.Response(status=400, text=refused.error)
        return web.Response(text="ok")

    def say(self, url: ResponseUrl, answer: Json) -> None:
        """Show an answer: to the person alone unless it says `in_channel`."""
        if url.source and (answer.get("replace_original") or answer.get("delete_original")):
            self._revise(url.source, answer)
            return
        content = posted_content(answer)
        thread_ts = answer.get("thread_ts")
        draft = _answer_draft(self.workspace, url.channel, thread_ts)
        message = replace(draft, text=content.text or "", blocks=content.blocks or ())
        if answer.get("response_type") == "in_channel":
            self.workspace.post(message)
        else:
            self.workspace.ephemerals.append(replace(message, only_for=url.user))

    def acknowledged(self, payload: Json, answer: Json) -> None:
        """Show the answer that came with the acknowledgement of a command."""
        url = self._urls[payload["response_url"].rsplit("/", 1)[1]]
        if answer.get("text") or answer.get("blocks"):
            self.say(url, answer)

    def _revise(self, source: Message, answer: Json) -> None:
        if answer.get("delete_original"):
            self._remove(source)
            return
        content = posted_content(answer)
        after = replace(source, text=content.text or "", blocks=content.blocks or ())
        if source.only_for is None:
            self.workspace.change(source, after)
        else:
            self._remove(source)
            self.workspace.ephemerals.append(after)

    def _remove(self, source: Message) -> None:
        if source.only_for is None:
            self.workspace.delete(source)
        else:
            kept = [shown for shown in self.workspace.ephemerals if shown.ts != source.ts]
            self.workspace.ephemerals[:] = kept

    def _new_url(self, url: ResponseUrl) -> str:
        ticket = secrets.token_hex(8)
        self._urls[ticket] = url
        return f"{self.base_url}/respond/{ticket}"


def _answer_draft(workspace: Workspace, channel: Channel, thread_ts: str | None) -> Message:
    app: App = workspace.app
    return Message(channel.id, workspace.next_ts(), app.bot_user_id, "", bot_id=app.bot_id, thread_ts=thread_ts)


def _container(message: Message) -> Json:
    container: Json = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": message.channel,
        "is_ephemeral": message.only_for is not None,
    }
    return container | ({"thread_ts": message.thread_ts} if message.thread_ts else {})


def _clicked(message: Message, action_id: str, value: str | None) -> Json:
    """Return the clicked element; a test cannot click what the message does not show."""
    for block in message.blocks:
        elements = [*block.get("elements", []), block.get("accessory", {})]
        for element in elements if block["type"] != "rich_text" else []:
            if element.get("action_id") == action_id:
                return _action(block["block_id"], element, value)
    raise LookupError(f"no element {action_id!r} in the message {message.ts}")


def _action(block_id: str, element: Json, value: str | None) -> Json:
    action = {"action_id": element["action_id"], "block_id": block_id, "type": element["type"]}
    if element["type"] == "overflow":
        chosen = next(option for option in element["options"] if option.get("value") == value)
        return action | {"selected_option": chosen}
    if element["type"] == "feedback_buttons":
        ratings = (element["positive_button"], element["negative_button"])
        element = next(rating for rating in ratings if rating["value"] == value)
    shown = {"text": element["text"]}
    return action | shown | ({"value": element["value"]} if "value" in element else {})
