"""A strict local stand-in for Slack: the Web API, Socket Mode and signed HTTP on one port."""

import asyncio
import uuid
from collections.abc import Collection
from dataclasses import replace
from typing import Any, Literal, Self

from aiohttp import web

from tests.platforms.slack import events
from tests.platforms.slack.chat_methods import ChatMethods, Pace
from tests.platforms.slack.content import typed_blocks
from tests.platforms.slack.courier import Courier
from tests.platforms.slack.deliveries import Delivery, Patience
from tests.platforms.slack.faults import Fault
from tests.platforms.slack.interactions import Interactions
from tests.platforms.slack.lookup_methods import LookupMethods
from tests.platforms.slack.member_methods import MemberMethods
from tests.platforms.slack.models import (
    App,
    Call,
    Channel,
    ChannelKind,
    Json,
    Message,
    Status,
    User,
)
from tests.platforms.slack.signed_http import Forgery, SignedHttp
from tests.platforms.slack.socket_mode import SocketMode
from tests.platforms.slack.surface_methods import SurfaceMethods
from tests.platforms.slack.waiting import until
from tests.platforms.slack.web_api import ALL_SCOPES, WebApi
from tests.platforms.slack.workspace import Workspace


class SlackStandIn:
    """Slack as the bot meets it; used as an async context manager, it serves while inside.

    Events go to the app's sockets, waiting for one to open, until `send_events_to` names a URL. `traits`: as in `App`.
    """

    def __init__(
        self,
        bot_token: str = "xoxb-test-token",
        app_token: str = "xapp-test-token",
        signing_secret: str = "test-signing-secret",
        *,
        scopes: Collection[str] = ALL_SCOPES,
        patience: Patience | None = None,
        one_message_a_second: bool = False,
        **traits: Any,
    ) -> None:
        app = App(bot_token, app_token, signing_secret, frozenset(scopes), **traits)
        patience = patience or Patience()
        self.app = app
        self.violations: list[str] = []
        self.workspace = Workspace(app, self._announce)
        self.sockets = SocketMode(app, patience, self.violations)
        self._http = SignedHttp(app, patience)
        self._interactions = Interactions(self.workspace)
        self._courier = Courier(self.sockets, self._http, self._interactions.acknowledged)
        self._chat = ChatMethods(self.workspace, Pace(one_message_a_second))
        methods = self._chat.table() | LookupMethods(self.workspace).table() | MemberMethods(self.workspace).table()
        methods |= SurfaceMethods(self.workspace).table()
        self._api = WebApi(self.workspace, methods | {"apps.connections.open": self._open_link})
        self._runner: web.AppRunner | None = None
        self._port = 0

    async def __aenter__(self) -> Self:
        server = web.Application()
        server.router.add_route("*", "/api/{method}", self._api.handle)
        server.router.add_get("/link/", self.sockets.connect)
        server.router.add_post("/respond/{ticket}", self._interactions.answer)
        self._runner = web.AppRunner(server, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self._port = self._runner.addresses[0][1]
        self._interactions.base_url = f"http://127.0.0.1:{self._port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._courier.stop()
        await self.sockets.close()
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def tokens(self) -> dict[str, str | None]:
        """The bot's tokens so far, each with the error that it is refused with by now; to be changed by a test."""
        return self._api.tokens

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer a call to the Web API that came in elsewhere, at a path that ends with the method."""
        return await self._api.handle(request)

    @property
    def api_base_url(self) -> str:
        """The address to give to Slack clients as their base URL."""
        return f"http://127.0.0.1:{self._port}/api/"

    @property
    def bot_user_id(self) -> str:
        """The user id by which people mention the bot."""
        return self.app.bot_user_id

    @property
    def deliveries(self) -> list[Delivery]:
        """Every event, command and click so far, with what became of it."""
        return self._courier.deliveries

    @property
    def calls(self) -> list[Call]:
        """Every Web API call so far, unknown methods included."""
        return self._api.calls

    @property
    def ephemerals(self) -> list[Message]:
        """The messages shown to one person only (`only_for`)."""
        return self.workspace.ephemerals

    @property
    def statuses(self) -> list[Status]:
        """Every status line shown so far; an empty text is its removal."""
        return self.workspace.statuses

    def send_events_to(self, url: str) -> None:
        """Deliver from now on by signed HTTP requests to this URL instead of sockets."""
        self._courier.request_url = url

    def calls_to(self, method: str) -> list[Call]:
        """Return the calls of one method."""
        return [call for call in self.calls if call.method == method]

    def add_user(self, user_id: str, *, name: str | None = None, **traits: Any) -> User:
        """Add a person; `team_id`, `is_guest`, `email`, … as in `User`."""
        defaults = {"team_id": self.app.team_id, "name": name or user_id}
        user = User(id=user_id, **(defaults | traits))
        self.workspace.users[user_id] = user
        return user

    def add_channel(
        self,
        channel_id: str,
        *,
        members: Collection[str] = (),
        kind: ChannelKind = "channel",
        **traits: Any,
    ) -> Channel:
        """Add or replace a channel; `name`, `is_archived`, `is_ext_shared` as in `Channel`."""
        defaults = {"name": channel_id.lower()}
        people = frozenset(members)
        channel = Channel(id=channel_id, members=people, kind=kind, **(defaults | traits))
        self.workspace.channels[channel_id] = channel
        return channel

    def open_dm(self, user_id: str) -> str:
        """Return the id of the direct channel between the bot and this person."""
        return self.workspace.direct_channel(user_id).id

    async def post_as(
        self,
        user: str,
        channel: str,
        text: str,
        *,
        thread_ts: str | None = None,
        broadcast: bool = False,
        bot_id: str | None = None,
        client_msg_id: str | None = None,
    ) -> str:
        """Post as a person, or as another bot with `bot_id`; return the message's `ts`.

        A mention of the bot is announced twice, as `app_mention` and as `message`: same `ts`,
        different `event_id`. `text` is as Slack passes it on, with `&`, `<` and `>` escaped.
        """
        message = Message(
            channel=channel,
            ts=self.workspace.next_ts(),
            user=user,
            text=text,
            blocks=typed_blocks(text),
            thread_ts=thread_ts,
            bot_id=bot_id,
            client_msg_id=None if bot_id else client_msg_id or str(uuid.uuid4()),
            subtype="thread_broadcast" if broadcast else None,
        )
        if thread_ts is not None:
            self.workspace.thread_root(self.workspace.channels[channel], thread_ts)
        return self.workspace.post(message).ts

    async def edit_as(self, user: str, channel: str, ts: str, text: str) -> None:
        """Reword a person's own message; another second passes with each edit, for edits bear whole seconds."""
        before = self.workspace.written_by(user, channel, ts)
        edited = before.edited["ts"] if before.edited else "0"
        second = max(int(float(self.workspace.next_ts())), int(float(edited)) + 1)
        mark = {"user": user, "ts": f"{second}.000000"}
        after = replace(before, text=text, blocks=typed_blocks(text), edited=mark)
        self.workspace.change(before, after)

    async def unfold(self, channel: str, ts: str, link: str) -> None:
        """Show what a link in the message leads to: the message changes, and nobody has edited it."""
        before = self.workspace.messages[channel, ts]
        self.workspace.change(before, replace(before, attachments=({"from_url": link, "title": "A page"},)))

    async def delete_as(self, user: str, channel: str, ts: str) -> None:
        """Delete a person's own message."""
        self.workspace.delete(self.workspace.written_by(user, channel, ts))

    async def react_as(self, user: str, channel: str, ts: str, name: str) -> None:
        """React to a message with an emoji, by its name without colons."""
        self.workspace.react(user, self.workspace.messages[channel, ts], name)

    async def unreact_as(self, user: str, channel: str, ts: str, name: str) -> None:
        """Take a reaction back that the person had put there."""
        self.workspace.unreact(user, self.workspace.messages[channel, ts], name)

    async def command_as(self, user: str, channel: str, command: str, text: str = "") -> Delivery:
        """Type a slash command; an answer in the acknowledgement is shown like any other."""
        place = self.workspace.channels[channel]
        payload = self._interactions.command(user, place, command, text)
        return self._courier.hand_over("slash_commands", payload)

    async def shortcut_as(self, user: str, channel: str, ts: str, callback_id: str) -> Delivery:
        """Use a shortcut on a message; people see more channels than the bot does."""
        payload = self._interactions.shortcut(user, self.workspace.messages[channel, ts], callback_id)
        return self._courier.hand_over("interactive", payload)

    async def open_app_as(self, user: str, tab: Literal["home", "messages"]) -> Delivery:
        """Open a tab of the app's own place."""
        channel = self.workspace.direct_channel(user)
        return self._courier.hand_over(
            "events_api", self._callback(events.app_opened(self.workspace, user, channel, tab), None)
        )

    async def open_assistant_as(self, user: str, *, changed: bool = False) -> Delivery:
        """Open the pane of apps that are assistants still, or go to another channel beside it."""
        channel = self.workspace.direct_channel(user)
        return self._courier.hand_over(
            "events_api", self._callback(events.pane_opened(self.workspace, user, channel, changed=changed), None)
        )

    async def share_channel(self, channel: str) -> None:
        """Let another organisation into a channel."""
        shared = replace(self.workspace.channels[channel], is_ext_shared=True)
        self.workspace.channels[channel] = shared
        event = {
            "type": "channel_shared",
            "channel": channel,
            "connected_team_id": "T0OTHER",
            "event_ts": self.workspace.next_ts(),
        }
        self._announce(shared, event)

    async def click_as(self, user: str, channel: str, ts: str, action_id: str, *, value: str | None = None) -> Delivery:
        """Click a button; `value` chooses within feedback buttons and overflow menus."""
        message = self.workspace.shown(channel, ts)
        payload = self._interactions.click(user, message, action_id, value)
        return self._courier.hand_over("interactive", payload)

    def expire_response_urls(self) -> None:
        """Take no more answers to commands and clicks, as Slack does half an hour after them."""
        self._interactions.expired = True

    def refuse_citations(self, error: str | None = "invalid_blocks") -> None:
        """Take no messages with citations from now on, as a Slack that does not know them; with None, take them."""
        self._refuse("citation", error)

    def refuse_plans(self, error: str | None = "invalid_blocks") -> None:
        """Take no messages with plans of tasks from now on; with None, take them."""
        self._refuse("plan", error)

    def _refuse(self, kind: str, error: str | None) -> None:
        self._chat.unknown.pop(kind, None)
        self._chat.unknown |= {kind: error} if error else {}

    def refuse_response(self, error: str) -> None:
        """Turn the next answer to a command or a click down, as blocks that Slack does not take are."""
        self._interactions.refusing.append(error)

    async def deliver(self, event: Json, *, retry_num: int = 0, event_id: str | None = None) -> Delivery:
        """Hand over any event as it is; `event_id` and `retry_num` make it a redelivery."""
        return self._courier.hand_over("events_api", self._callback(event, event_id), retry_num)

    async def deliver_http(
        self,
        url: str,
        event: Json,
        *,
        retry_num: int = 0,
        event_id: str | None = None,
        signature: str | None = None,
        age: float = 0.0,
    ) -> int | str:
        """Post an event to the URL until it is accepted; return the last status.

        `signature` replaces the right one, `age` makes the request that many seconds old. A
        request that got no answer counts as "http_timeout" or "connection_failed".
        """
        delivery = Delivery("events_api", self._callback(event, event_id), retry_num)
        self.deliveries.append(delivery)
        await self._http.deliver(url, delivery, Forgery(age, signature))
        delivery.finished.set()
        return delivery.statuses[-1]

    async def verify_url(self, url: str) -> bool:
        """Tell whether the URL answers the `url_verification` challenge."""
        return await self._http.challenge(url)

    async def socket_connected(self, count: int = 1, *, timeout: float = 5.0) -> None:
        """Wait until the app holds at least `count` sockets."""
        await asyncio.wait_for(self.sockets.connected(count), timeout)

    async def settled(self, *, timeout: float = 5.0) -> None:
        """Wait until everything handed over is acknowledged or given up."""
        await until(
            lambda: not self._courier.unfinished(),
            lambda: f"not acknowledged: {self._courier.unfinished()}",
            timeout,
        )

    def thread(self, channel: str, ts: str) -> list[Message]:
        """Return the thread's messages as they stand now, root first."""
        return self.workspace.thread(channel, ts)

    def answers(self, channel: str, ts: str) -> list[Message]:
        """Return the bot's own messages in the thread."""
        return [m for m in self.thread(channel, ts) if m.user == self.bot_user_id]

    async def wait_for_messages(self, channel: str, ts: str, *, count: int = 1, timeout: float = 5.0) -> list[Message]:
        """Return the bot's messages in the thread once there are at least `count`."""
        await until(
            lambda: len(self.answers(channel, ts)) >= count,
            lambda: f"{len(self.answers(channel, ts))} of {count} answers; calls: {self.calls}",
            timeout,
        )
        return self.answers(channel, ts)

    def fail_next(
        self,
        method: str,
        *,
        status: int | None = None,
        error: str | None = None,
        retry_after: int | None = None,
        drop: Literal["before", "after"] | None = None,
        delay: float = 0.0,
        times: int = 1,
    ) -> None:
        """Let the next `times` calls of the method go wrong, as `Fault` describes."""
        fault = Fault(status, error, retry_after, drop, delay)
        self._api.faults.add(method, fault, times)

    def close(self, channel: str, *methods: str, error: str) -> None:
        """Let the channel take no call of these methods from now on."""
        for method in methods:
            self._api.faults.close(method, channel, Fault(error=error))

    def mend(self, method: str) -> None:
        """Let the method's calls go well again."""
        self._api.faults.clear(method)

    def _open_link(self, arguments: Json) -> Json:
        return {"url": f"ws://127.0.0.1:{self._port}{self.sockets.new_path()}"}

    def _announce(self, channel: Channel, event: Json) -> None:
        self._courier.hand_over("events_api", events.callback(self.app, channel, event))

    def _callback(self, event: Json, event_id: str | None) -> Json:
        channel = self.workspace.channels.get(str(event.get("channel")))
        body = events.callback(self.app, channel, event)
        return body | ({"event_id": event_id} if event_id else {})
