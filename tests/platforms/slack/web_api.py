"""The Web API as a client meets it: tokens, scopes, arguments, failures, answers."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from aiohttp import web

from tests.platforms.slack.faults import Fault, Faults
from tests.platforms.slack.models import App, Call, ChannelKind, Json, Refused
from tests.platforms.slack.workspace import Workspace

APP_TOKEN_METHODS = ("apps.connections.open",)
# How Slack tells with each answer what the token may do.
SCOPES_HEADER = "X-OAuth-Scopes"
CONFIG_TOKEN_METHODS = ("apps.manifest.export",)
JSON_ARGUMENTS = ("blocks", "attachments", "metadata", "loading_messages", "prompts", "view")
BOOLEAN_ARGUMENTS = ("reply_broadcast", "link_names", "inclusive", "include_all_metadata")

SCOPES = {
    "apps.connections.open": "connections:write",
    "chat.postMessage": "chat:write",
    "chat.postEphemeral": "chat:write",
    "chat.update": "chat:write",
    "chat.delete": "chat:write",
    "assistant.threads.setStatus": "chat:write",
    "assistant.threads.setSuggestedPrompts": "assistant:write",
    "assistant.threads.setTitle": "assistant:write",
    "reactions.add": "reactions:write",
    "reactions.remove": "reactions:write",
    "users.info": "users:read",
    "bots.info": "users:read",
    "conversations.open": "im:write",
    "users.list": "users:read",
    "usergroups.list": "usergroups:read",
}
# conversations.list: each kind of channel that is asked for needs its own.
LISTED_SCOPES = {
    "public_channel": "channels:read",
    "private_channel": "groups:read",
    "im": "im:read",
    "mpim": "mpim:read",
}
CHANNEL_SCOPES = {
    "conversations.info": "read",
    "conversations.members": "read",
    "conversations.replies": "history",
    "conversations.history": "history",
}
SCOPE_PREFIXES: dict[ChannelKind, str] = {"channel": "channels", "group": "groups", "im": "im", "mpim": "mpim"}
ALL_SCOPES = (frozenset((*SCOPES.values(), "users:read.email")) - {"connections:write"}) | {
    f"{prefix}:{right}" for prefix in SCOPE_PREFIXES.values() for right in ("read", "history")
}


@dataclass
class WebApi:
    """Judges each call, lets the method answer it, and keeps a record of both."""

    workspace: Workspace
    methods: dict[str, Callable[[Json], Json]]
    faults: Faults = field(default_factory=Faults)
    calls: list[Call] = field(default_factory=list)
    # The bot's tokens so far, each with the error that it is refused with by now.
    tokens: dict[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tokens[self.workspace.app.bot_token] = None

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one HTTP request to `/api/METHOD`."""
        method = request.match_info["method"]
        arguments = await _arguments(request)
        token = _token(request, arguments)
        fault = self.faults.take(method, arguments.get("channel"))
        if fault.prevents_effect:
            await fault.hold()
            return self._fail(request, method, arguments, fault)
        if method == "auth.revoke" and token in self.tokens and self.tokens[token] is None:
            self.tokens[token] = "token_revoked"
            self.calls.append(Call(method, arguments, 200))
            return web.json_response({"ok": True, "revoked": True})
        status, answer = self._answer(method, token, arguments)
        self.calls.append(Call(method, arguments, status, answer.get("error")))
        await fault.hold()
        if fault.drop == "after":
            return _hang_up(request)
        return _response(self.workspace.app, method, status, answer)

    def _fail(self, request: web.Request, method: str, arguments: Json, fault: Fault) -> web.StreamResponse:
        status = fault.status or (0 if fault.drop else 200)
        error = fault.error or ("ratelimited" if status == 429 else None)
        self.calls.append(Call(method, arguments, status, error or "dropped"))
        if fault.drop:
            return _hang_up(request)
        if status >= 500:
            return web.Response(status=status, text="<h1>upstream error</h1>", content_type="text/html")
        answer = _refusal(Refused(str(error), retry_after=str(fault.retry_after or 1)))
        return _response(self.workspace.app, method, status, answer)

    def _answer(self, method: str, token: str | None, arguments: Json) -> tuple[int, Json]:
        try:
            self._authorize(method, token, arguments)
            return 200, {"ok": True, **self.methods[method](arguments)}
        except Refused as refused:
            return (429 if refused.error == "ratelimited" else 200), _refusal(refused)

    def _authorize(self, method: str, token: str | None, arguments: Json) -> None:
        app = self.workspace.app
        if method not in self.methods:
            raise Refused("unknown_method", req_method=method)
        if not token:
            raise Refused("not_authed")
        if (token == app.config_token) != (method in CONFIG_TOKEN_METHODS):
            known = token in (app.app_token, app.config_token, *self.tokens)
            raise Refused("not_allowed_token_type" if known else "invalid_auth")
        if token == app.config_token:
            return
        if token != app.app_token and (wrong := self.tokens.get(token, "invalid_auth")):
            raise Refused(wrong)
        if (token == app.app_token) != (method in APP_TOKEN_METHODS):
            raise Refused("not_allowed_token_type")
        scopes = _scopes(app, method)
        needed = next((one for one in self._needed_scopes(method, arguments) if one not in scopes), None)
        if needed:
            provided = ",".join(sorted(scopes))
            raise Refused("missing_scope", needed=needed, provided=provided)

    def _needed_scopes(self, method: str, arguments: Json) -> list[str]:
        if method == "conversations.list":
            types = str(arguments.get("types") or "public_channel").split(",")
            return [LISTED_SCOPES[one] for one in types if one in LISTED_SCOPES]
        if method not in CHANNEL_SCOPES:
            return [SCOPES[method]] if method in SCOPES else []
        channel = self.workspace.channels.get(str(arguments.get("channel")))
        kind: ChannelKind = channel.kind if channel else "channel"
        return [f"{SCOPE_PREFIXES[kind]}:{CHANNEL_SCOPES[method]}"]


async def _arguments(request: web.Request) -> Json:
    """Return the arguments from the query and the body, JSON or form, as plain values."""
    given: Json = dict(request.query)
    if request.content_type == "application/json":
        body = await request.text()
        given |= json.loads(body) if body else {}
    else:
        given |= dict(await request.post())
    return {name: _value(name, value) for name, value in given.items() if value is not None}


def _value(name: str, value: object) -> object:
    if name in BOOLEAN_ARGUMENTS:
        return value not in (False, 0, "0", "false", "")
    if name not in JSON_ARGUMENTS or not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _token(request: web.Request, arguments: Json) -> str | None:
    """Return the caller's token, which is never kept among the arguments."""
    in_body = arguments.pop("token", None)
    header = request.headers.get("Authorization", "")
    return header.removeprefix("Bearer ").strip() or in_body


def _refusal(refused: Refused) -> Json:
    answer: Json = {"ok": False, "error": refused.error, **refused.extra}
    if refused.messages:
        plain = [message.removeprefix("[ERROR] ") for message in refused.messages]
        answer["errors"] = plain
        answer["response_metadata"] = {"messages": list(refused.messages)}
    return answer


def _scopes(app: App, method: str) -> frozenset[str]:
    """Return the scopes of the token that the method takes."""
    return app.app_scopes if method in APP_TOKEN_METHODS else app.scopes


def _response(app: App, method: str, status: int, answer: Json) -> web.Response:
    headers = {SCOPES_HEADER: ",".join(sorted(_scopes(app, method)))}
    retry_after = answer.pop("retry_after", None)
    if status == 429:
        headers["Retry-After"] = str(retry_after or 1)
    return web.json_response(answer, status=status, headers=headers)


def _hang_up(request: web.Request) -> web.StreamResponse:
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=503)
