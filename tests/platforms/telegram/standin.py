"""The Telegram stand-in a test holds in its hands."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from . import inline, people
from .faults import Drop, Faults, FloodLimit, plan_fault
from .inline import Offered
from .model import BotStatus, Chat, ChatKind, Json, Message, User
from .people import Utterance
from .server import ApiServer, Call
from .store import CallbackQuery, World
from .webhook import WebhookPusher


class TelegramStandIn:
    """A Bot API server on this machine, as strict as the real one.

    `warnings` lists what the real server would have changed without saying so: dropped entities,
    guessed addresses. A well-behaved bot leaves it empty.
    """

    def __init__(
        self,
        token: str = "123456:test-token",
        username: str = "footnote_bot",
        *,
        privacy_mode: bool = False,
        flood_limit: bool = False,
    ) -> None:
        self.token = token
        bot = User(int(token.partition(":")[0]), "Footnote", username, is_bot=True)
        self.world = World(bot, privacy_mode=privacy_mode)
        self._faults = Faults()
        flood = FloodLimit() if flood_limit else None
        self._server = ApiServer(self.world, token, self._faults, flood)
        self._pusher = WebhookPusher(self.world)
        self._port = 0

    async def __aenter__(self) -> Self:
        self._port = await self._server.start()
        await self._pusher.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._pusher.stop()
        await self._server.stop()

    @property
    def base_url(self) -> str:
        """Return the address for `ApplicationBuilder.base_url`."""
        return f"http://127.0.0.1:{self._port}/bot"

    @property
    def base_file_url(self) -> str:
        """Return the address for `ApplicationBuilder.base_file_url`."""
        return f"http://127.0.0.1:{self._port}/file/bot"

    @property
    def bot(self) -> User:
        """Return the bot's user."""
        return self.world.bot

    @property
    def calls(self) -> list[Call]:
        """Return every request so far, refused ones included."""
        return self._server.calls

    @property
    def warnings(self) -> list[str]:
        """Return what the server changed in silence."""
        return self.world.warnings

    @property
    def pending_updates(self) -> list[Json]:
        """Return the updates not yet confirmed by the bot."""
        return [each.body for each in self.world.updates.pending]

    def add_user(
        self,
        user_id: int,
        first_name: str,
        *,
        username: str | None = None,
        language_code: str | None = None,
        is_bot: bool = False,
        started: bool = True,
    ) -> User:
        """Return a new user with a private chat; unless `started`, the bot may not write first."""
        user = User(user_id, first_name, username, language_code, is_bot)
        self.world.users[user_id] = user
        self.world.add_chat(Chat(user_id, "private", started=started))
        return user

    def add_group(
        self,
        chat_id: int,
        title: str,
        *,
        members: list[int],
        admins: list[int] | None = None,
        kind: ChatKind = "supergroup",
        forum: bool = False,
        bot_status: BotStatus = "member",
    ) -> Chat:
        """Return a new group the bot is in; an administrator bot sees all despite privacy mode."""
        present = {*members, *(admins or [])}
        chat = Chat(chat_id, kind, title, forum, present, set(admins or []), bot_status)
        return self.world.add_chat(chat)

    def add_topic(self, user_id: int, chat_id: int, name: str) -> int:
        """Return the thread id of a topic the person has opened in a forum."""
        return people.open_topic(self.world, user_id, chat_id, name)

    async def say(
        self,
        user_id: int,
        chat_id: int,
        text: str,
        *,
        reply_to: int | None = None,
        quote: str | None = None,
        thread: int | None = None,
        anonymous: bool = False,
    ) -> Message:
        """Return the person's message, with the entities Telegram finds in it."""
        said = Utterance(text, reply_to, quote, thread, anonymous)
        return people.speak(self.world, user_id, chat_id, said)

    async def edit(self, chat_id: int, message_id: int, text: str) -> Message:
        """Return a person's message after they have edited it."""
        return people.edit(self.world, chat_id, message_id, text)

    async def unsend(self, chat_id: int, message_id: int) -> None:
        """Delete a message as a person does: the bot is never told."""
        self.world.remove(people.existing(self.world, chat_id, message_id))

    async def press(self, user_id: int, chat_id: int, message_id: int, data: str) -> str:
        """Return the callback query id of the button with this `callback_data`, now pressed."""
        return people.press(self.world, user_id, chat_id, message_id, data)

    async def stop_draft(self, user_id: int, draft_id: int) -> None:
        """Press the Stop button of a draft in a person's private chat."""
        people.stop_draft(self.world, user_id, draft_id)

    async def type_inline(self, user_id: int, text: str) -> str:
        """Return the id of the inline query of a person who types after the bot's name."""
        return inline.ask(self.world, user_id, text)

    async def call_guest(self, user_id: int, text: str) -> str:
        """Return the id of the guest query of a mention in a chat that the bot is not in."""
        return inline.call_guest(self.world, user_id, text)

    async def wait_for_offer(self, query_id: str, *, timeout: float = 3.0) -> Offered:
        """Return what the bot offers for an inline query, once it does."""
        query = self.world.callbacks[query_id]
        if not await self.world.changes.until(lambda: query.answer is not None, timeout):
            raise TimeoutError(f"no inline answer after {timeout} s")
        offered = (query.answer or {})["offered"]
        assert isinstance(offered, Offered)
        return offered

    async def react(self, user_id: int, chat_id: int, message_id: int, emoji: str) -> None:
        """Set a person's reaction; an empty emoji takes it back."""
        people.react(self.world, user_id, chat_id, message_id, emoji)

    async def set_bot_status(self, actor_id: int, chat_id: int, status: BotStatus) -> None:
        """Block (`kicked` in a private chat), remove, promote or bring back the bot."""
        people.change_bot_status(self.world, actor_id, chat_id, status)

    async def migrate(self, chat_id: int, new_chat_id: int) -> Chat:
        """Return the supergroup that takes the place of a basic group."""
        title = self.world.chats[chat_id].title
        return people.migrate(self.world, chat_id, Chat(new_chat_id, "supergroup", title))

    async def deliver(self, update: Json) -> Json:
        """Return the update as queued: a new id unless it brings its own, which repeats it."""
        return self.world.updates.add_raw(dict(update))

    def chat(self, chat_id: int) -> list[Message]:
        """Return what stands in the chat, in order, after edits and deletions."""
        return [each for each in self.world.messages[chat_id].values() if not each.service]

    def bot_messages(self, chat_id: int) -> list[Message]:
        """Return what the bot has said in the chat and not deleted."""
        return [each for each in self.chat(chat_id) if each.sender == self.bot]

    def callback(self, query_id: str) -> CallbackQuery:
        """Return a pressed button with the bot's answer, if there is one."""
        return self.world.callbacks[query_id]

    def draft(self, chat_id: int, draft_id: int) -> str | None:
        """Return the last text of a draft, None when there was none."""
        return self.world.drafts.get((chat_id, draft_id))

    def fail_next(
        self,
        method: str,
        *,
        status: int | None = None,
        error_code: int | None = None,
        description: str | None = None,
        retry_after: int | None = None,
        drop: Drop | None = None,
        delay: float = 0.0,
        times: int = 1,
    ) -> None:
        """Let the next calls of a method fail.

        `retry_after` gives a 429, `status` (or `error_code`) any other refusal. `drop` closes the
        connection before or after the effect; `delay` holds back the answer after the effect.
        """
        fault = plan_fault(
            status=status or error_code,
            description=description,
            retry_after=retry_after,
            drop=drop,
            delay=delay,
        )
        self._faults.add(method, fault, times)

    async def wait_for_messages(self, chat_id: int, *, count: int = 1, timeout: float = 3.0) -> list[Message]:
        """Return the bot's messages once at least `count` of them stand in the chat."""
        enough = await self.world.changes.until(lambda: len(self.bot_messages(chat_id)) >= count, timeout)
        found = self.bot_messages(chat_id)
        if not enough:
            said = [each.text for each in found]
            raise TimeoutError(f"{len(found)} of {count} messages after {timeout} s: {said}")
        return found

    async def wait_for_calls(self, method: str, *, count: int = 1, timeout: float = 3.0) -> list[Call]:
        """Return the calls of a method once there are at least `count`."""
        enough = await self.world.changes.until(lambda: len(self._of(method)) >= count, timeout)
        if not enough:
            raise TimeoutError(f"{len(self._of(method))} of {count} calls of {method}")
        return self._of(method)

    async def wait_until_confirmed(self, *, timeout: float = 3.0) -> None:
        """Return once the bot has taken every update."""
        if not await self.world.changes.until(lambda: not self.pending_updates, timeout):
            raise TimeoutError(f"{len(self.pending_updates)} updates wait for the bot")

    def _of(self, method: str) -> list[Call]:
        return [each for each in self.calls if each.method.lower() == method.lower()]
