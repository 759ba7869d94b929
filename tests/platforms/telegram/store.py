"""The world behind the server: who is where and what has been said."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count

from .errors import CHAT_NOT_FOUND, Refusal, bad_request, forbidden
from .model import GENERAL_TOPIC, Chat, Json, Message, RichText, User
from .updates import UpdateQueue

Predicate = Callable[[], bool]


@dataclass
class CallbackQuery:
    """A pressed button that waits for `answerCallbackQuery`; `answer` holds what the bot said."""

    id: str
    user_id: int
    data: str
    answer: Json | None = None


class World:
    """Users, chats and messages, with sequential ids."""

    def __init__(self, bot: User, *, privacy_mode: bool) -> None:
        self.bot = bot
        self.privacy_mode = privacy_mode
        self.inline_mode = False
        self.guest_mode = False
        self.users: dict[int, User] = {bot.id: bot}
        self.chats: dict[int, Chat] = {}
        self.messages: dict[int, dict[int, Message]] = {}
        self.drafts: dict[tuple[int, int], str] = {}
        # The drafts that a person can stop, each with its topic, unless the server is older than Bot API 10.3.
        self.stoppable: dict[tuple[int, int], int | None] = {}
        self.knows_stops = True
        # Whether the server knows rich messages in blocks (Bot API 10.2).
        self.knows_rich = True
        self.actions: list[tuple[int, str]] = []
        self.commands: dict[tuple[str, str], list[Json]] = {}
        self.callbacks: dict[str, CallbackQuery] = {}
        self.warnings: list[str] = []
        self.changes = Changes()
        self.updates = UpdateQueue(self.changes.announce)
        self._ids: dict[int, Iterator[int]] = {}
        self._callback_ids = count(4_000_000_001)

    def add_chat(self, chat: Chat) -> Chat:
        """Return the chat, now known to the server."""
        self.chats[chat.id] = chat
        self.messages[chat.id] = {}
        return chat

    def next_message_id(self, chat: Chat) -> int:
        """Return a fresh id: supergroups count alone, all other chats share one counter.

        So equal ids in two chats are normal here, as they are on the platform. The first id of
        a supergroup is its creation, and in a forum the general topic.
        """
        alone = chat.kind == "supergroup"
        sequence, first = (chat.id, GENERAL_TOPIC + 1) if alone else (0, 1)
        return next(self._ids.setdefault(sequence, count(first)))

    def put(self, message: Message) -> Message:
        """Return the message after it has taken its place in the chat."""
        self.messages[message.chat_id][message.message_id] = message
        self.changes.announce()
        return message

    def rewrite(self, message: Message, body: RichText, keyboard: Json | None) -> Message:
        """Return the edited message; what it said before joins its history."""
        edited = replace(
            message,
            body=body,
            keyboard=keyboard,
            edit_date=now(),
            history=(*message.history, message.body),
        )
        return self.put(edited)

    def remove(self, message: Message) -> None:
        """Take the message out of its chat."""
        del self.messages[message.chat_id][message.message_id]
        self.changes.announce()

    def find(self, chat: Chat, message_id: int) -> Message | None:
        """Return the message if it still stands in the chat."""
        return self.messages[chat.id].get(message_id)

    def new_callback(self, user_id: int, data: str) -> CallbackQuery:
        """Return a fresh pressed button."""
        query = CallbackQuery(str(next(self._callback_ids)), user_id, data)
        self.callbacks[query.id] = query
        return query

    def readable_chat(self, chat_id: str) -> Chat:
        """Return the chat a call names, or refuse."""
        if not chat_id:
            raise bad_request("chat_id is empty")
        chat = self.chats.get(int(chat_id)) if chat_id.lstrip("-").isdigit() else None
        if chat is None:
            raise bad_request(CHAT_NOT_FOUND)
        return chat

    def writable_chat(self, chat_id: str) -> Chat:
        """Return the chat the bot may speak in, or refuse with the reason."""
        chat = self.readable_chat(chat_id)
        if chat.migrated_to is not None:
            reason = "Bad Request: group chat was upgraded to a supergroup chat"
            raise Refusal(400, reason, migrate_to_chat_id=chat.migrated_to)
        if chat.bot_status in {"kicked", "left"}:
            raise forbidden(_exclusion(chat))
        if not chat.started:
            raise forbidden("bot can't initiate conversation with a user")
        return chat


@dataclass
class Changes:
    """Wakes whoever waits for the world to change."""

    _waiters: set[asyncio.Future[None]] = field(default_factory=set)

    def announce(self) -> None:
        """Wake everyone who waits."""
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)
        self._waiters = set()

    async def until(self, holds: Predicate, timeout: float) -> bool:
        """Return as soon as the condition holds; False when time runs out first."""
        end = time.monotonic() + timeout
        while not holds():
            remaining = end - time.monotonic()
            if remaining <= 0:
                return False
            await self._next(remaining)
        return True

    async def _next(self, timeout: float) -> None:
        waiter = asyncio.get_running_loop().create_future()
        self._waiters.add(waiter)
        await asyncio.wait([waiter], timeout=timeout)
        self._waiters.discard(waiter)


def now() -> int:
    """Return the time as the platform writes it."""
    return int(time.time())


def _exclusion(chat: Chat) -> str:
    if chat.kind == "private":
        return "bot was blocked by the user"
    if chat.bot_status == "kicked":
        return f"bot was kicked from the {chat.kind} chat"
    return f"bot is not a member of the {chat.kind} chat"
