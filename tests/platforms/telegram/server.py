"""The HTTP face: one address for every method, each call recorded."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web

from . import chats, inline, receiving, sending
from .errors import Refusal, describe
from .faults import Fault, Faults, FloodLimit
from .model import Json
from .params import Params, read_params
from .store import World

Method = Callable[[World, Params], Awaitable[object]]

METHODS: dict[str, Method] = {
    "answercallbackquery": sending.answer_callback_query,
    "answerguestquery": inline.answer_guest_query,
    "answerinlinequery": inline.answer_inline_query,
    "deletemessage": sending.delete_message,
    "deletewebhook": receiving.delete_webhook,
    "editmessagereplymarkup": sending.edit_message_reply_markup,
    "editmessagetext": sending.edit_message_text,
    "getchat": chats.get_chat,
    "getchatmember": chats.get_chat_member,
    "getme": chats.get_me,
    "getmycommands": chats.get_my_commands,
    "getupdates": receiving.get_updates,
    "getwebhookinfo": receiving.get_webhook_info,
    "sendchataction": sending.send_chat_action,
    "sendmessage": sending.send_message,
    "sendrichmessage": sending.send_rich_message,
    "sendmessagedraft": sending.send_message_draft,
    "setmessagereaction": sending.set_message_reaction,
    "setmycommands": chats.set_my_commands,
    "setwebhook": receiving.set_webhook,
}
_TOKEN = re.compile(r"\d+:[\w-]+")


@dataclass(frozen=True)
class Call:
    """One request of the bot; `status` is 0 when the connection was closed without an answer."""

    method: str
    params: Json
    status: int
    description: str = ""


class ApiServer:
    """Answers the Bot API for one bot token."""

    def __init__(self, world: World, token: str, faults: Faults, flood: FloodLimit | None) -> None:
        self._world = world
        self._token = token
        self._faults = faults
        self._flood = flood
        self.calls: list[Call] = []

    async def start(self) -> int:
        """Return the port of the running server."""
        app = web.Application()
        app.router.add_route("*", "/bot{token}/{method}", self._handle)
        app.router.add_route("*", "/{anything:.*}", self._handle_elsewhere)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        port: int = self._runner.addresses[0][1]
        return port

    async def stop(self) -> None:
        """Close the server; polls in flight end at once."""
        self._world.updates.take_turn()
        await self._runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        method, params = request.match_info["method"], await read_params(request)
        fault = self._faults.take(method)
        if fault.drop == "before":
            return self._hang_up(request, method, params)
        body, status = await self._answer(request, method, params, fault)
        if fault.drop == "after":
            return self._hang_up(request, method, params)
        self._record(Call(method, params.readable(), status, str(body.get("description", ""))))
        await asyncio.sleep(fault.delay)
        return web.json_response(body, status=status)

    async def _answer(self, request: web.Request, method: str, params: Params, fault: Fault) -> tuple[Json, int]:
        try:
            self._check_token(request.match_info["token"])
            if fault.refusal:
                raise fault.refusal
            return {"ok": True, "result": await self._run(method, params)}, 200
        except Refusal as refusal:
            return refusal.as_json(), refusal.code

    async def _run(self, method: str, params: Params) -> object:
        handler = METHODS.get(method.lower())
        if handler is None:
            raise Refusal(404, describe(404))
        if self._flood:
            self._flood.check(method, params.text("chat_id"))
        return await handler(self._world, params)

    def _check_token(self, token: str) -> None:
        if not _TOKEN.fullmatch(token):
            raise Refusal(404, describe(404))
        if token != self._token:
            raise Refusal(401, describe(401))

    def _hang_up(self, request: web.Request, method: str, params: Params) -> web.StreamResponse:
        self._record(Call(method, params.readable(), 0, "connection closed"))
        if request.transport is not None:
            request.transport.abort()
        return web.Response()

    async def _handle_elsewhere(self, request: web.Request) -> web.StreamResponse:
        self._record(Call(request.path, {}, 404, describe(404)))
        return web.json_response(Refusal(404, describe(404)).as_json(), status=404)

    def _record(self, call: Call) -> None:
        self.calls.append(call)
        self._world.changes.announce()
